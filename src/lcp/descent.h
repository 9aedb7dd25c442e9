/* When exchanges do not settle: active sets along which an energy falls. */
#ifndef CRM_LCP_DESCENT_H
#define CRM_LCP_DESCENT_H

#include "lcp/pivot.h"

/* Solves the proximal problem from the p >= 0 in the first entries of pivoting->point_work (where
 * crm_lcp_interior leaves its own; the last p is left there too). Would end for any problem, as
 *     f = p'Dp/2 + q'p + delta |p - c|^2_diag / 2
 * falls from set to set and there are finitely many sets; unsettled when it has not within
 * `budget` sets.
 */
crm_status crm_lcp_descent(crm_lcp_pivoting *pivoting, size_t budget, crm_lcp_pivot_end *end,
                           crm_error *error);

#endif
