/* Polynomials on a step: the collocation rule, Legendre series, the first root.
 *
 * A step of length h is parametrized by tau in [0, 1]. A rate f is known at the Lobatto nodes
 * tau_0 = 0 .. tau_7 = 1 and represented by the polynomial of degree 7 through them, as a series of
 * Legendre polynomials P_m(2 tau - 1); its integral has degree 8.
 */
#ifndef CRM_LAGRANGE_POLYNOMIAL_H
#define CRM_LAGRANGE_POLYNOMIAL_H

#include <stddef.h>

enum { LAGRANGE_NODES = 8, LAGRANGE_TERMS = LAGRANGE_NODES + 1 };

typedef struct lagrange_rule {
    double node[LAGRANGE_NODES];
    double to_series[LAGRANGE_NODES][LAGRANGE_NODES]; /* node values -> coefficients */
    double integral[LAGRANGE_NODES]
                   [LAGRANGE_NODES]; /* node values -> integral from 0 to each node */
    double derivative[LAGRANGE_NODES][LAGRANGE_NODES]; /* node values -> derivative at each node */
    /* Coefficients of P_0 .. P_d -> Bernstein coefficients of degree d, for d = 7 and 8. */
    double bernstein_rate[LAGRANGE_NODES][LAGRANGE_NODES];
    double bernstein_integral[LAGRANGE_TERMS][LAGRANGE_TERMS];
} lagrange_rule;

lagrange_rule lagrange_rule_make(void);

/* Series of the polynomial through the node values at values[0], values[stride] ... */
void lagrange_series_of(const lagrange_rule *rule, const double *values, size_t stride,
                        double series[LAGRANGE_NODES]);
/* Series of its integral from 0 to tau. */
void lagrange_series_integrate(const double series[LAGRANGE_NODES],
                               double integral[LAGRANGE_TERMS]);
double lagrange_series_at(const double *series, size_t terms, double tau);
double lagrange_series_slope_at_end(const double *series, size_t terms);

/* A polynomial in Bernstein's basis lies between the least and the largest of its coefficients, and
 * so does each half of it, whose coefficients are means of these: no root can be missed.
 */
enum { LAGRANGE_BERNSTEIN_MOST = LAGRANGE_TERMS };
typedef struct lagrange_bernstein {
    size_t degree;
    double b[LAGRANGE_BERNSTEIN_MOST];
} lagrange_bernstein;

lagrange_bernstein lagrange_bernstein_of_rate(const lagrange_rule *rule,
                                              const double series[LAGRANGE_NODES]);
lagrange_bernstein lagrange_bernstein_of_integral(const lagrange_rule *rule,
                                                  const double series[LAGRANGE_TERMS]);
/* (p - p(0)) / tau */
lagrange_bernstein lagrange_bernstein_deflate(lagrange_bernstein p);
lagrange_bernstein lagrange_bernstein_shift(lagrange_bernstein p, double by);
/* The least tau in [0, 1] at which p is not positive; INFINITY: p > 0 throughout. To 1e-16 of
 * tau itself, however small. */
double lagrange_bernstein_first_root(lagrange_bernstein p);
/* A lower bound of p, from its quarters. */
double lagrange_bernstein_least(lagrange_bernstein p);

#endif
