/* In which order contacts are eliminated. */
#ifndef CRM_LCP_ORDER_H
#define CRM_LCP_ORDER_H

#include "base/base.h"
#include "lcp/order/graph.h"

typedef enum crm_lcp_structure {
    CRM_LCP_TRIDIAGONAL, /* each contact is coupled with its neighbours in the order only:
                            tridiagonal */
    CRM_LCP_SPARSE
} crm_lcp_structure;

/* order[k] is the contact eliminated k-th. Says what structure the ordered matrix has.
 * CRM_LCP_INTERRUPTED: interrupted.
 */
crm_status crm_lcp_order(const crm_lcp_pattern *pattern, crm_watching *watching, size_t *order,
                         crm_lcp_structure *structure, crm_error *error);

#endif
