/* An active set by the interior-point method. */
#ifndef CRM_LCP_INTERIOR_H
#define CRM_LCP_INTERIOR_H

#include "lcp/pivot.h"

/* Replaces pivoting->active by the set of the proximal problem's solution as far as it can be told
 * from a point of its central path, where p_k w_k is the same small number for all contacts.
 * Does not depend on the set given. Leaves the point, cut to 0 outside the set, in the first
 * entries of pivoting->point_work. Does not allocate beyond what the factor does.
 */
crm_status crm_lcp_interior(crm_lcp_pivoting *pivoting, crm_error *error);

/* Work entries it needs in pivoting->point_work, for each contact. */
enum { CRM_LCP_INTERIOR_VECTORS = 10 };

#endif
