#include "base/heap.h"

#include <stdlib.h>

#include "base/base.h"

bool crm_heap_create(crm_heap *heap, size_t size)
{
    *heap = (crm_heap){.entry = CRM_NEW(uint32_t, size),
                       .place = CRM_NEW(uint32_t, size),
                       .key = CRM_NEW(double, size)};
    if (heap->entry == NULL || heap->place == NULL || heap->key == NULL) {
        return false;
    }
    for (size_t j = 0; j < size; j++) {
        heap->place[j] = UINT32_MAX;
    }
    return true;
}

void crm_heap_release(crm_heap *heap)
{
    free(heap->entry);
    free(heap->place);
    free(heap->key);
}

static bool is_before(const crm_heap *heap, uint32_t a, uint32_t b)
{
    return heap->key[a] > heap->key[b] || (heap->key[a] == heap->key[b] && a < b);
}

static void set_place(crm_heap *heap, size_t place, uint32_t entry)
{
    heap->entry[place] = entry;
    heap->place[entry] = (uint32_t)place;
}

static size_t sift_up(crm_heap *heap, size_t place)
{
    uint32_t entry = heap->entry[place];
    while (place > 0 && is_before(heap, entry, heap->entry[(place - 1) / 2])) {
        set_place(heap, place, heap->entry[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    set_place(heap, place, entry);
    return place;
}

static void sift_down(crm_heap *heap, size_t place)
{
    uint32_t entry = heap->entry[place];
    for (size_t child = 2 * place + 1; child < heap->count; child = 2 * place + 1) {
        if (child + 1 < heap->count &&
            is_before(heap, heap->entry[child + 1], heap->entry[child])) {
            child++;
        }
        if (!is_before(heap, heap->entry[child], entry)) {
            break;
        }
        set_place(heap, place, heap->entry[child]);
        place = child;
    }
    set_place(heap, place, entry);
}

void crm_heap_put(crm_heap *heap, size_t entry, double key)
{
    size_t place = heap->place[entry];
    if (place == UINT32_MAX) {
        place = heap->count++;
        heap->entry[place] = (uint32_t)entry;
    } else if (heap->key[entry] == key) {
        return;
    }
    heap->key[entry] = key;
    sift_down(heap, sift_up(heap, place));
}

void crm_heap_drop(crm_heap *heap, size_t entry)
{
    size_t place = heap->place[entry];
    if (place == UINT32_MAX) {
        return;
    }
    heap->place[entry] = UINT32_MAX;
    uint32_t last = heap->entry[--heap->count];
    if (last != entry) {
        heap->entry[place] = last;
        sift_down(heap, sift_up(heap, place));
    }
}
