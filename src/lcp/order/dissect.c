#include "lcp/order/dissect.h"

#include <camd.h>
#include <stdlib.h>
#include <string.h>

#include "lcp/interrupted.h"
#include "lcp/order/separate.h"

/* Up to this many nodes are ordered by minimum degree. */
enum { LEAF = 200 };
/* Large parts are separated in several ways, of which the best counts. */
enum { LARGE = 20000, TRIES = 1 };
/* A separator that is no good: this part of the nodes. */
static const double TOO_HEAVY = 0.4;

enum { NONE = UINT32_MAX };

typedef struct part {
    uint32_t begin, end;
} part;

typedef struct dissection {
    const crm_lcp_pattern *pattern;
    crm_watching *watching;
    crm_pool pool;
    uint32_t *order, *sorted;
    uint32_t *local; /* NOBODY but for the part in hand */
    uint8_t *side, *tried;
    part *stack;
    size_t waiting;
} dissection;

/* ---- Few nodes: minimum degree --------------------------------------------------------------- */

/* The part's nodes, then those of separators that touch them: their number. */
static uint32_t gather(dissection *d, part p, uint32_t *node)
{
    uint32_t count = 0;
    for (uint32_t k = p.begin; k < p.end; k++) {
        d->local[d->order[k]] = count;
        node[count++] = d->order[k];
    }
    for (uint32_t k = p.begin; k < p.end; k++) {
        uint32_t i = d->order[k];
        for (size_t m = d->pattern->start[i]; m < d->pattern->start[i + 1]; m++) {
            uint32_t j = d->pattern->column[m];
            if (d->local[j] == NONE) {
                d->local[j] = count;
                node[count++] = j;
            }
        }
    }
    return count;
}

/* The pattern among them, one triangle of it, without edges among the separators' nodes. */
static void pattern_among(const dissection *d, part p, const uint32_t *node, uint32_t count,
                          int *start, int *row)
{
    uint32_t own = p.end - p.begin;
    int entry = 0;
    for (uint32_t i = 0; i < count; i++) {
        start[i] = entry;
        for (size_t m = d->pattern->start[node[i]]; i < own && m < d->pattern->start[node[i] + 1];
             m++) {
            uint32_t j = d->local[d->pattern->column[m]];
            if (j > i) {
                row[entry++] = (int)j;
            }
        }
    }
    start[count] = entry;
}

/* Those of the part first, with what they are coupled to later in view. */
static bool order_leaf(dissection *d, part p)
{
    uint32_t own = p.end - p.begin;
    crm_pool_clear(&d->pool);
    uint32_t *node = d->sorted;
    uint32_t count = gather(d, p, node);
    size_t entries = 1;
    for (uint32_t i = 0; i < own; i++) {
        entries += d->pattern->start[node[i] + 1] - d->pattern->start[node[i]];
    }
    int *constraint = CRM_TAKE(&d->pool, int, count), *found = CRM_TAKE(&d->pool, int, count),
        *start = CRM_TAKE(&d->pool, int, count + 1), *row = CRM_TAKE(&d->pool, int, entries);
    bool there = constraint != NULL && found != NULL && start != NULL && row != NULL;
    if (there) {
        pattern_among(d, p, node, count, start, row);
    }
    for (uint32_t i = own; there && i < count; i++) {
        constraint[i] = 1;
    }
    there = there && camd_order((int)count, start, row, found, NULL, NULL, constraint) >= CAMD_OK;
    for (uint32_t i = 0; i < count; i++) {
        d->local[node[i]] = NONE;
    }
    for (uint32_t k = 0; there && k < own; k++) {
        d->order[p.begin + k] = node[found[k]];
    }
    return there;
}

/* ---- Many: separators ------------------------------------------------------------------------ */

static uint32_t weigh(const uint8_t *side, uint32_t count)
{
    uint32_t between = 0;
    for (uint32_t i = 0; i < count; i++) {
        between += side[i] == CRM_LCP_BETWEEN;
    }
    return between;
}

static bool separate(dissection *d, part p)
{
    uint32_t count = p.end - p.begin, least = NONE;
    unsigned tries = count >= LARGE ? TRIES : 1;
    for (unsigned k = 0; k < tries; k++) {
        crm_lcp_graph graph;
        crm_pool_clear(&d->pool);
        if (!crm_lcp_graph_among(&d->pool, d->pattern, d->order + p.begin, count, d->local,
                                 &graph) ||
            !crm_lcp_separate(&d->pool, &graph, 1 + k, d->watching, d->tried)) {
            return false;
        }
        uint32_t between = weigh(d->tried, count);
        if (between < least) {
            least = between;
            memcpy(d->side, d->tried, count);
        }
    }
    return true;
}

/* Left, right and separator one after the other; false: it is no good. */
static bool divide(dissection *d, part p)
{
    uint32_t count = p.end - p.begin, end[3];
    uint32_t *node = d->order + p.begin, at = 0;
    for (uint8_t s = CRM_LCP_LEFT; s <= CRM_LCP_BETWEEN; s++) {
        for (uint32_t i = 0; i < count; i++) {
            if (d->side[i] == s) {
                d->sorted[at++] = node[i];
            }
        }
        end[s] = at;
    }
    uint32_t left = end[0], right = end[1] - end[0], between = end[2] - end[1];
    if (left == 0 || right == 0 || between > TOO_HEAVY * count) {
        return false;
    }
    memcpy(node, d->sorted, count * sizeof *node);
    d->stack[d->waiting++] = (part){p.begin, p.begin + end[0]};
    d->stack[d->waiting++] = (part){p.begin + end[0], p.begin + end[1]};
    return true;
}

static crm_status run(dissection *d, crm_error *error)
{
    while (d->waiting > 0) {
        part p = d->stack[--d->waiting];
        bool few = p.end - p.begin <= LEAF;
        bool done = few ? order_leaf(d, p) : separate(d, p);
        done = done && (few || divide(d, p) || order_leaf(d, p));
        if (crm_watch_interrupts(d->watching, p.end - p.begin)) {
            return CRM_LCP_INTERRUPTED;
        }
        if (!done) {
            return crm_fail_memory(error);
        }
    }
    return CRM_OK;
}

crm_status crm_lcp_dissect(const crm_lcp_pattern *pattern, crm_watching *watching, uint32_t *order,
                           crm_error *error)
{
    size_t size = pattern->size;
    dissection d = {.pattern = pattern, .watching = watching, .order = order};
    d.sorted = CRM_NEW(uint32_t, size);
    d.local = CRM_NEW(uint32_t, size);
    d.side = CRM_NEW(uint8_t, size);
    d.tried = CRM_NEW(uint8_t, size);
    d.stack = CRM_NEW(part, size + 2); /* parts that wait have no node in common */
    crm_status status = CRM_OK;
    if (d.sorted == NULL || d.local == NULL || d.side == NULL || d.tried == NULL ||
        d.stack == NULL) {
        status = crm_fail_memory(error);
    } else {
        for (size_t k = 0; k < size; k++) {
            order[k] = (uint32_t)k;
        }
        memset(d.local, 0xff, size * sizeof *d.local);
        d.stack[d.waiting++] = (part){0, (uint32_t)size};
        status = run(&d, error);
    }
    crm_pool_release(&d.pool);
    free(d.sorted);
    free(d.local);
    free(d.side);
    free(d.tried);
    free(d.stack);
    return status;
}
