/* Graphs with weights, for finding separators: what is left of one when neighbours are joined. */
#ifndef CRM_LCP_GRAPH_H
#define CRM_LCP_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"
#include "base/watch.h"

typedef struct crm_lcp_graph {
    uint32_t count;
    uint32_t *start; /* count + 1 */
    uint32_t *neighbour;
    uint32_t *edge_weight; /* edges that were joined to this one */
    uint32_t *weight;      /* nodes that were joined to this one */
    uint64_t total;        /* of the weights */
} crm_lcp_graph;

/* A symmetric pattern of which some nodes are taken; the diagonal may be in it. */
typedef struct crm_lcp_pattern {
    size_t size;
    const size_t *start;
    const uint32_t *column;
} crm_lcp_pattern;

/* The nodes and the edges among them; local: for each node of the pattern UINT32_MAX, and so again
 * afterwards. false: no memory.
 */
bool crm_lcp_graph_among(crm_pool *pool, const crm_lcp_pattern *pattern, const uint32_t *node,
                         uint32_t count, uint32_t *local, crm_lcp_graph *graph);

/* Pairs of neighbours become one node, the pairs with the heaviest edges first where there is a
 * choice, none heavier than `most`. into: the coarse node of each. false: no memory, or
 * interrupted.
 */
bool crm_lcp_graph_coarsen(crm_pool *pool, const crm_lcp_graph *fine, uint64_t most, uint64_t seed,
                           crm_watching *watching, uint32_t *into, crm_lcp_graph *coarse);

#endif
