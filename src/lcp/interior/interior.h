/* A point near the solution by the interior-point method. */
#ifndef CRM_LCP_INTERIOR_H
#define CRM_LCP_INTERIOR_H

#include "lcp/pivoting/pivot.h"

typedef struct crm_lcp_interior_options {
    /* Solve the proximal problem. Otherwise the problem itself, with delta only to keep the factor
     * definite: of many solutions the path ends in one with as many p_k and w_k > 0 as can be.
     */
    bool proximal;
    /* As far as rounding allows. Otherwise until each contact can be assigned to one side or the
     * other.
     */
    bool to_rounding;
    /* Until p'w, relative to delta times the sum of D_kk p_k^2, is small: that bounds by which part
     * this sum exceeds the least.
     */
    bool to_least_norm;
    /* Until the point, cut as below, solves the problem itself, whatever delta does to it: its
     * relative residual. 0: the end is given by one of the others.
     */
    double to_solution;
    /* Begin near this p, which is near a solution, instead of far inside; NULL: far inside. */
    const double *guess;
} crm_lcp_interior_options;

/* Follows the central path, on which p_k w_k is the same number for all contacts, down to where
 * that number is nearly 0. pivoting->active receives the contacts with p_k > w_k there (in units
 * of speed), the first entries of pivoting->point_work the point, cut to 0 outside that set
 * (to_solution: where that matters little), pivoting->gap p'w before the cut.
 * Returns whether it has come as far as was asked; rounding may stop it before. Does not allocate.
 */
bool crm_lcp_interior(crm_lcp_pivoting *pivoting, crm_lcp_interior_options options);

/* Work entries it needs in pivoting->point_work, for each contact. */
enum { CRM_LCP_INTERIOR_VECTORS = 10 };

#endif
