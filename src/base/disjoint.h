/* Disjoint sets of the numbers 0 .. count-1 (union-find with path halving). The least number of a
 * set stands for it.
 */
#ifndef CRM_DISJOINT_H
#define CRM_DISJOINT_H

#include <stddef.h>
#include <stdint.h>

/* Every number alone. `parent` has `count` entries; it is the forest. */
static inline void crm_disjoint_begin(uint32_t *parent, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        parent[i] = (uint32_t)i;
    }
}

/* The least number of the set of i. */
static inline uint32_t crm_disjoint_find(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static inline void crm_disjoint_join(uint32_t *parent, uint32_t i, uint32_t j)
{
    uint32_t a = crm_disjoint_find(parent, i), b = crm_disjoint_find(parent, j);
    parent[a > b ? a : b] = a > b ? b : a;
}

#endif
