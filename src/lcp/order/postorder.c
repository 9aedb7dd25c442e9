#include "lcp/order/postorder.h"

#include <stdlib.h>
#include <string.h>

#include "lcp/interrupted.h"

enum { NONE = UINT32_MAX };

typedef struct elimination {
    const crm_lcp_pattern *pattern;
    crm_watching *watching;
    const uint32_t *order;
    uint32_t *place;  /* of a node in the order */
    uint32_t *parent; /* of a place */
    uint32_t *work;
} elimination;

static crm_status begin(const crm_lcp_pattern *pattern, crm_watching *watching,
                        const uint32_t *order, elimination *e, crm_error *error)
{
    *e = (elimination){.pattern = pattern, .watching = watching, .order = order};
    e->place = CRM_NEW(uint32_t, pattern->size);
    e->parent = CRM_NEW(uint32_t, pattern->size);
    e->work = CRM_NEW(uint32_t, pattern->size);
    if (e->place == NULL || e->parent == NULL || e->work == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t k = 0; k < pattern->size; k++) {
        e->place[order[k]] = (uint32_t)k;
    }
    return CRM_OK;
}

static void end(elimination *e)
{
    free(e->place);
    free(e->parent);
    free(e->work);
}

/* J. W. H. Liu, ACM Trans. Math. Softw. 12 (1986). */
static crm_status find_parents(elimination *e)
{
    uint32_t *ancestor = e->work;
    for (size_t k = 0; k < e->pattern->size; k++) {
        size_t i = e->order[k];
        e->parent[k] = ancestor[k] = NONE;
        for (size_t m = e->pattern->start[i]; m < e->pattern->start[i + 1]; m++) {
            uint32_t j = e->place[e->pattern->column[m]];
            if (j >= k) {
                continue;
            }
            while (ancestor[j] != NONE && ancestor[j] != k) {
                uint32_t next = ancestor[j];
                ancestor[j] = (uint32_t)k; /* shortens the way for the next */
                j = next;
            }
            if (ancestor[j] == NONE) {
                ancestor[j] = e->parent[j] = (uint32_t)k;
            }
        }
        if (crm_watch_interrupts(e->watching, 1)) {
            return CRM_LCP_INTERRUPTED;
        }
    }
    return CRM_OK;
}

/* Down to the first child as far as it goes, then the node, then its next sibling. Siblings come in
 * the order in which `linked` has them from its end, roots by their places.
 */
static void go_through(const elimination *e, const uint32_t *linked, uint32_t *child,
                       uint32_t *sibling, uint32_t *order)
{
    size_t size = e->pattern->size, count = 0;
    uint32_t *sorted = e->work, roots = NONE;
    memset(child, 0xff, size * sizeof *child);
    for (size_t l = size; l-- > 0;) {
        uint32_t k = linked[l];
        if (e->parent[k] != NONE) {
            sibling[k] = child[e->parent[k]];
            child[e->parent[k]] = k;
        }
    }
    for (size_t k = size; k-- > 0;) {
        if (e->parent[k] == NONE) {
            sibling[k] = roots;
            roots = (uint32_t)k;
        }
    }
    for (uint32_t k = roots; k != NONE;) {
        if (child[k] != NONE) {
            uint32_t down = child[k];
            child[k] = NONE; /* the next time its children are done */
            k = down;
            continue;
        }
        sorted[count++] = order[k];
        k = sibling[k] != NONE ? sibling[k] : e->parent[k];
    }
    memcpy(order, sorted, size * sizeof *order);
}

/* The places by their columns' entries, the fewest first; those with as many by place. */
static void sort_by_count(const uint32_t *count, size_t size, uint32_t *first, uint32_t *sorted)
{
    memset(first, 0, (size + 1) * sizeof *first);
    for (size_t k = 0; k < size; k++) {
        first[count[k] + 1]++;
    }
    for (size_t c = 0; c < size; c++) {
        first[c + 1] += first[c];
    }
    for (size_t k = 0; k < size; k++) {
        sorted[first[count[k]]++] = (uint32_t)k;
    }
}

/* Entries of each column of the factor below the diagonal. */
static crm_status count_entries(elimination *e, uint32_t *count)
{
    const crm_lcp_pattern *pattern = e->pattern;
    crm_status status = CRM_OK;
    for (size_t k = 0; k < pattern->size && status == CRM_OK; k++) {
        size_t i = e->order[k];
        uint64_t seen = 1;
        e->work[k] = (uint32_t)k;
        for (size_t m = pattern->start[i]; m < pattern->start[i + 1]; m++) {
            uint32_t j = e->place[pattern->column[m]];
            for (; j < k && e->work[j] != k; j = e->parent[j], seen++) {
                e->work[j] = (uint32_t)k;
                count[j]++;
            }
        }
        status = crm_watch_interrupts(e->watching, seen / 8 + 1) ? CRM_LCP_INTERRUPTED : CRM_OK;
    }
    return status;
}

crm_status crm_lcp_postorder(const crm_lcp_pattern *pattern, crm_watching *watching,
                             crm_lcp_siblings siblings, uint32_t *order, crm_error *error)
{
    elimination e;
    size_t size = pattern->size;
    crm_status status = begin(pattern, watching, order, &e, error);
    uint32_t *sibling = CRM_NEW(uint32_t, size + 1), *linked = CRM_NEW(uint32_t, size),
             *count = CRM_NEW(uint32_t, size);
    if (status == CRM_OK && (sibling == NULL || linked == NULL || count == NULL)) {
        status = crm_fail_memory(error);
    }
    if (status == CRM_OK) {
        status = find_parents(&e);
    }
    if (status == CRM_OK && siblings == CRM_LCP_SMALLEST_FIRST) {
        status = count_entries(&e, count);
    }
    if (status == CRM_OK) {
        sort_by_count(count, size, sibling, linked);
        go_through(&e, linked, e.place, sibling, order);
    }
    free(sibling);
    free(linked);
    free(count);
    end(&e);
    return status;
}

crm_status crm_lcp_order_work(const crm_lcp_pattern *pattern, crm_watching *watching,
                              const uint32_t *order, double *work, double *entries,
                              crm_error *error)
{
    elimination e;
    crm_status status = begin(pattern, watching, order, &e, error);
    uint32_t *count = CRM_NEW(uint32_t, pattern->size);
    if (status == CRM_OK && count == NULL) {
        status = crm_fail_memory(error);
    }
    if (status == CRM_OK) {
        status = find_parents(&e);
    }
    if (status == CRM_OK) {
        status = count_entries(&e, count);
    }
    *work = *entries = 0;
    for (size_t k = 0; k < pattern->size && status == CRM_OK; k++) {
        *work += (double)(count[k] + 1) * (double)(count[k] + 1);
        *entries += (double)(count[k] + 1);
    }
    free(count);
    end(&e);
    return status;
}
