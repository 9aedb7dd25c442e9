/* A priority queue. */
#ifndef CRM_HEAP_H
#define CRM_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Contacts that wait, the one of greatest key first (least index among equals): a binary
 * heap that knows where each contact is, so that a change costs the logarithm of how many wait.
 */
typedef struct crm_heap {
    size_t count;
    uint32_t *entry; /* the first `count` entries wait */
    uint32_t *place; /* contact -> place in the heap; UINT32_MAX: does not wait */
    double *key;
} crm_heap;

/* For contacts 0 .. size-1. False: no memory; release in any case. */
bool crm_heap_create(crm_heap *heap, size_t size);
void crm_heap_release(crm_heap *heap);
void crm_heap_put(crm_heap *heap, size_t entry, double key); /* enter, or change the key */
void crm_heap_drop(crm_heap *heap, size_t entry);            /* nothing if it does not wait */

#endif
