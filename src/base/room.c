#include "base/room.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Where tests make allocations fail (memory.h) every array is one. */
#ifdef CAROM_FAULTS
enum { LEAST_BLOCK = 0 };
#else
enum { LEAST_BLOCK = 4096 };
#endif

typedef struct crm_room_block {
    struct crm_room_block *before;
    size_t size;
    size_t used;
    size_t written; /* from here on it is still zero */
    alignas(max_align_t) unsigned char bytes[];
} crm_room_block;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static double bytes_held(const crm_room *room)
{
    double all = 0;
    for (const crm_room_block *block = room->last; block != NULL; block = block->before) {
        all += (double)block->size;
    }
    return all;
}

static crm_room_block *add_block(crm_room *room, size_t least)
{
    size_t size = larger(least, larger(room->wanted, LEAST_BLOCK));
    if (size > SIZE_MAX - sizeof(crm_room_block) ||
        (room->most > 0 && bytes_held(room) + (double)size > room->most)) {
        return NULL;
    }
    crm_room_block *block = crm_allocate(1, sizeof(crm_room_block) + size);
    if (block != NULL) {
        block->size = size;
        block->before = room->last;
        room->last = block;
        room->wanted = 0;
    }
    return block;
}

void *crm_room_take(crm_room *room, size_t count, size_t size)
{
    const size_t grain = alignof(max_align_t);
    if (size != 0 && count > (SIZE_MAX - grain) / size) {
        return NULL;
    }
    size_t bytes = (count * size + grain - 1) / grain * grain;
    crm_room_block *block = room->last;
    if (block == NULL || block->size - block->used < bytes) {
        block = add_block(room, bytes);
        if (block == NULL) {
            return NULL;
        }
    }
    unsigned char *taken = block->bytes + block->used;
    if (block->used < block->written) {
        size_t left = block->written - block->used;
        memset(taken, 0, left < bytes ? left : bytes);
    }
    block->used += bytes;
    block->written = larger(block->written, block->used);
    return taken;
}

/* Several blocks become one, of their common size, when next something is taken. */
void crm_room_clear(crm_room *room)
{
    if (room->last == NULL) {
        return;
    }
    if (room->last->before == NULL) {
        room->last->used = 0;
        return;
    }
    size_t all = 0;
    for (const crm_room_block *block = room->last; block != NULL; block = block->before) {
        all += block->size;
    }
    crm_room_release(room);
    room->wanted = all;
}

void crm_room_release(crm_room *room)
{
    while (room->last != NULL) {
        crm_room_block *block = room->last;
        room->last = block->before;
        free(block);
    }
    room->wanted = 0;
}
