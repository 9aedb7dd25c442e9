/* A priority queue. */
#ifndef CRM_HEAP_H
#define CRM_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A binary heap of entries 0 .. size-1 with keys: the greatest key is first, among equal keys the
 * least entry. Each entry knows its place, so that a change costs O(log count).
 */
typedef struct crm_heap {
    size_t count;
    uint32_t *entry; /* those in the heap, the first at [0] */
    uint32_t *place; /* entry -> place in the heap; UINT32_MAX: not in it */
    double *key;
} crm_heap;

/* Empty. False: no memory; release in any case. */
bool crm_heap_create(crm_heap *heap, size_t size);
void crm_heap_release(crm_heap *heap);
void crm_heap_put(crm_heap *heap, size_t entry, double key); /* insert, or change the key */
void crm_heap_drop(crm_heap *heap, size_t entry);            /* remove, if it is in the heap */

#endif
