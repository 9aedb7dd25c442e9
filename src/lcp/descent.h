/* The last resort of pivoting: active sets along which an energy falls. */
#ifndef CRM_LCP_DESCENT_H
#define CRM_LCP_DESCENT_H

#include "lcp/pivot.h"

/* Solves the proximal problem from the p >= 0 in the first entries of pivoting->point_work (where
 * crm_lcp_interior leaves its own). Ends because
 *     f = p'Dp/2 + q'p + delta |p - c|^2_diag / 2
 * falls from set to set and there are finitely many sets.
 */
crm_status crm_lcp_descent(crm_lcp_pivoting *pivoting, crm_lcp_pivot_end *end, crm_error *error);

#endif
