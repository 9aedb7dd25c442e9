/* An order of an elimination tree with children before parents and subtrees without gaps. */
#ifndef CRM_LCP_POSTORDER_H
#define CRM_LCP_POSTORDER_H

#include "base/base.h"
#include "lcp/order/graph.h"

/* Which of the subtrees of a node comes first: that which came first before, or that whose root has
 * the fewest entries in its column.
 */
typedef enum crm_lcp_siblings { CRM_LCP_AS_BEFORE, CRM_LCP_SMALLEST_FIRST } crm_lcp_siblings;

/* The same elimination, each subtree without a gap. */
crm_status crm_lcp_postorder(const crm_lcp_pattern *pattern, crm_watching *watching,
                             crm_lcp_siblings siblings, uint32_t *order, crm_error *error);

/* Operations of a factorization in a postorder: the sum of the squares of the columns' entries; and
 * the sum of these.
 */
crm_status crm_lcp_order_work(const crm_lcp_pattern *pattern, crm_watching *watching,
                              const uint32_t *order, double *work, double *entries,
                              crm_error *error);

#endif
