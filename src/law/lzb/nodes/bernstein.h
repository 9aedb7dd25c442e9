/* Polynomials on [0, 1] by their LZB_BERNSTEIN coefficients in Bernstein's basis. Internal.
 *
 * The first and the last are the values at the ends, and the polynomial is never below the least.
 */
#ifndef CRM_LZB_BERNSTEIN_H
#define CRM_LZB_BERNSTEIN_H

#include "law/lzb/nodes/nodes.h"

/* Roots nearer to each other than this power of 1/2 count as one, which does not change the sign.
 */
enum { LZB_BERNSTEIN_HALVINGS = 40 };

double lzb_bernstein_least(const double *b);
/* De Casteljau's value at t, and slope. */
double lzb_bernstein_value(const double *b, double t, double *slope);
void lzb_bernstein_halve(const double *b, double *left, double *right);
/* The root of a polynomial that changes its sign once, from above. */
double lzb_bernstein_only_root(const double *b);
/* The first t in [0, 1] at which the polynomial falls below 0; 2: it does not. */
double lzb_bernstein_first_root(const double *b);

#endif
