/* Nested dissection (A. George, SIAM J. Numer. Anal. 10 (1973)): a separator is eliminated after
 * the two parts that it separates, each of which is ordered in the same way.
 */
#ifndef CRM_LCP_DISSECT_H
#define CRM_LCP_DISSECT_H

#include "base/base.h"
#include "lcp/order/graph.h"

/* order[k] is eliminated k-th. CRM_LCP_INTERRUPTED: interrupted. */
crm_status crm_lcp_dissect(const crm_lcp_pattern *pattern, crm_watching *watching, uint32_t *order,
                           crm_error *error);

#endif
