/* An order of an elimination tree with children before parents and subtrees without gaps. */
#ifndef CRM_LCP_POSTORDER_H
#define CRM_LCP_POSTORDER_H

#include "base/base.h"
#include "lcp/order/graph.h"

/* The same elimination, each subtree without a gap. */
crm_status crm_lcp_postorder(const crm_lcp_pattern *pattern, crm_watching *watching,
                             uint32_t *order, crm_error *error);

/* Operations of a factorization in a postorder: the sum of the squares of the columns' entries. */
crm_status crm_lcp_order_work(const crm_lcp_pattern *pattern, crm_watching *watching,
                              const uint32_t *order, double *work, crm_error *error);

#endif
