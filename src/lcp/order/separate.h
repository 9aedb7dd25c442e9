/* Separators: few nodes without which a graph falls into two parts of about the same weight. */
#ifndef CRM_LCP_SEPARATE_H
#define CRM_LCP_SEPARATE_H

#include "lcp/order/graph.h"

enum { CRM_LCP_LEFT, CRM_LCP_RIGHT, CRM_LCP_BETWEEN };

/* side: for each node. No edge joins left and right. Work space is taken from the pool, which is
 * not cleared. false: no memory, or interrupted.
 */
bool crm_lcp_separate(crm_pool *pool, const crm_lcp_graph *graph, uint64_t seed,
                      crm_watching *watching, uint8_t *side);

#endif
