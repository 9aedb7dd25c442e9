/* An active set by the interior-point method. */
#ifndef CRM_LCP_INTERIOR_H
#define CRM_LCP_INTERIOR_H

#include "lcp/pivot.h"

/* Replaces pivoting->active by the set of the solution as far as it can be told from the end of the
 * central path, where p_k w_k is the same small number for all contacts. Does not depend on the
 * set given. Leaves the point, cut to 0 outside the set, in the first entries of
 * pivoting->point_work. Does not allocate beyond what the factor does.
 *
 * anchored: of the proximal problem. Otherwise of the problem itself, with delta only to keep the
 * factor definite: of many solutions the path ends in one with as many p_k and w_k > 0 as can be.
 */
crm_status crm_lcp_interior(crm_lcp_pivoting *pivoting, bool anchored, crm_error *error);

/* Work entries it needs in pivoting->point_work, for each contact. */
enum { CRM_LCP_INTERIOR_VECTORS = 10 };

#endif
