#include "lcp/order/graph.h"

#include <math.h>
#include <string.h>

#include "lcp/order/random.h"

enum { NONE = UINT32_MAX };

static bool take(crm_pool *pool, uint32_t count, size_t entries, crm_lcp_graph *graph)
{
    *graph = (crm_lcp_graph){.count = count};
    graph->start = CRM_TAKE(pool, uint32_t, (size_t)count + 1);
    graph->weight = CRM_TAKE(pool, uint32_t, count);
    graph->neighbour = CRM_TAKE(pool, uint32_t, entries);
    graph->edge_weight = CRM_TAKE(pool, uint32_t, entries);
    return graph->start != NULL && graph->weight != NULL && graph->neighbour != NULL &&
           graph->edge_weight != NULL;
}

bool crm_lcp_graph_among(crm_pool *pool, const crm_lcp_pattern *pattern, const uint32_t *node,
                         uint32_t count, uint32_t *local, crm_lcp_graph *graph)
{
    size_t entries = 0;
    for (uint32_t i = 0; i < count; i++) {
        local[node[i]] = i;
        entries += pattern->start[node[i] + 1] - pattern->start[node[i]];
    }
    bool there = take(pool, count, entries, graph);
    uint32_t entry = 0;
    for (uint32_t i = 0; there && i < count; i++) {
        graph->weight[i] = 1;
        for (size_t m = pattern->start[node[i]]; m < pattern->start[node[i] + 1]; m++) {
            uint32_t j = local[pattern->column[m]];
            if (j != NONE && j != i) {
                graph->edge_weight[entry] = 1;
                graph->neighbour[entry++] = j;
            }
        }
        graph->start[i + 1] = entry;
    }
    graph->total = count;
    for (uint32_t i = 0; i < count; i++) {
        local[node[i]] = NONE;
    }
    return there;
}

/* ---- Joining neighbours ---------------------------------------------------------------------- */

static uint32_t find_partner(const crm_lcp_graph *graph, uint32_t i, uint64_t most,
                             const uint32_t *partner)
{
    uint32_t best = i;
    uint32_t heaviest = 0;
    for (uint32_t m = graph->start[i]; m < graph->start[i + 1]; m++) {
        uint32_t j = graph->neighbour[m];
        bool better = graph->edge_weight[m] > heaviest ||
                      (graph->edge_weight[m] == heaviest && graph->weight[j] < graph->weight[best]);
        if (partner[j] == NONE && better && (uint64_t)graph->weight[i] + graph->weight[j] <= most) {
            heaviest = graph->edge_weight[m];
            best = j;
        }
    }
    return best;
}

/* Who comes first is left to chance, in blocks of neighbours in memory. */
static bool match(const crm_lcp_graph *graph, uint64_t most, uint64_t seed, crm_watching *watching,
                  uint32_t *partner)
{
    enum { BLOCK = 64 };
    uint64_t state = seed;
    memset(partner, 0xff, graph->count * sizeof *partner);
    for (uint32_t begin = 0; begin < graph->count; begin += BLOCK) {
        uint32_t count = graph->count - begin < BLOCK ? graph->count - begin : BLOCK;
        uint32_t shift = crm_lcp_random(&state, count);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t i = begin + (k * 29 + shift) % count;
            if (partner[i] == NONE) {
                uint32_t j = find_partner(graph, i, most, partner);
                partner[i] = j;
                partner[j] = i;
            }
        }
        for (uint32_t i = begin; i < begin + count; i++) { /* 29 may divide the last count */
            partner[i] = partner[i] == NONE ? i : partner[i];
        }
        if (crm_watch_interrupts(watching, BLOCK)) {
            return false;
        }
    }
    return true;
}

static uint32_t number(const crm_lcp_graph *graph, const uint32_t *partner, uint32_t *into)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->count; i++) {
        into[i] = partner[i] >= i ? count++ : into[partner[i]];
    }
    return count;
}

/* The edges of one fine node, at the end of those of its coarse node. */
static uint32_t add_edges(const crm_lcp_graph *fine, const uint32_t *into, uint32_t i, uint32_t own,
                          uint32_t begin, uint32_t end, uint32_t *place, crm_lcp_graph *coarse)
{
    for (uint32_t m = fine->start[i]; m < fine->start[i + 1]; m++) {
        uint32_t j = into[fine->neighbour[m]];
        if (j == own) {
            continue;
        }
        uint32_t at = place[j];
        if (at < begin || at >= end || coarse->neighbour[at] != j) {
            at = place[j] = end++;
            coarse->neighbour[at] = j;
            coarse->edge_weight[at] = 0;
        }
        coarse->edge_weight[at] += fine->edge_weight[m];
    }
    return end;
}

static bool contract(const crm_lcp_graph *fine, const uint32_t *partner, const uint32_t *into,
                     crm_watching *watching, uint32_t *place, crm_lcp_graph *coarse)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < fine->count; i++) {
        if (partner[i] < i) {
            continue;
        }
        uint32_t own = into[i], begin = end, other = partner[i];
        coarse->weight[own] = fine->weight[i] + (other != i ? fine->weight[other] : 0);
        end = add_edges(fine, into, i, own, begin, end, place, coarse);
        if (other != i) {
            end = add_edges(fine, into, other, own, begin, end, place, coarse);
        }
        coarse->start[own + 1] = end;
        if (crm_watch_interrupts(watching, 1)) {
            return false;
        }
    }
    coarse->total = fine->total;
    return true;
}

bool crm_lcp_graph_coarsen(crm_pool *pool, const crm_lcp_graph *fine, uint64_t most, uint64_t seed,
                           crm_watching *watching, uint32_t *into, crm_lcp_graph *coarse)
{
    uint32_t *partner = CRM_TAKE(pool, uint32_t, fine->count);
    if (partner == NULL || !match(fine, most, seed, watching, partner)) {
        return false;
    }
    uint32_t count = number(fine, partner, into);
    uint32_t *place = CRM_TAKE(pool, uint32_t, count);
    return place != NULL && take(pool, count, fine->start[fine->count], coarse) &&
           contract(fine, partner, into, watching, place, coarse);
}
