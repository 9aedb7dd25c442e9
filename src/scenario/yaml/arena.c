#include "scenario/yaml/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* The first block holds a small scenario; each further one is twice as large, up to a limit. */
enum { FIRST_SIZE = 4 * 1024, BLOCK_MOST = 1024 * 1024 };

typedef struct crm_arena_block {
    struct crm_arena_block *before;
    size_t used;
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
} crm_arena_block;

static crm_arena_block *new_block(const crm_arena_block *before, size_t least)
{
    size_t size = before == NULL ? FIRST_SIZE : 2 * before->size;
    size = size < BLOCK_MOST ? size : BLOCK_MOST;
    size = size < least ? least : size;
    if (size > SIZE_MAX - sizeof(crm_arena_block)) {
        return NULL;
    }
    crm_arena_block *block = crm_memory_allocate(1, sizeof(crm_arena_block) + size);
    if (block != NULL) {
        block->size = size;
    }
    return block;
}

void *crm_arena_allocate(crm_arena *arena, size_t count, size_t size)
{
    enum { GRAIN = alignof(max_align_t) };
    if (size != 0 && count > (SIZE_MAX - GRAIN) / size) {
        return NULL;
    }
    size_t bytes = (count * size + GRAIN - 1) / GRAIN * GRAIN;
    if (arena->last == NULL || arena->last->size - arena->last->used < bytes) {
        crm_arena_block *block = new_block(arena->last, bytes);
        if (block == NULL) {
            return NULL;
        }
        block->before = arena->last;
        arena->last = block;
    }
    void *result = arena->last->bytes + arena->last->used;
    arena->last->used += bytes;
    return result;
}

char *crm_arena_text(crm_arena *arena, const char *text, size_t length)
{
    char *copy = CRM_ARENA_NEW(arena, char, length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

void crm_arena_free(crm_arena *arena)
{
    while (arena->last != NULL) {
        crm_arena_block *block = arena->last;
        arena->last = block->before;
        free(block);
    }
}

crm_arena_mark crm_arena_now(const crm_arena *arena)
{
    return (crm_arena_mark){arena->last, arena->last != NULL ? arena->last->used : 0};
}

void crm_arena_return(crm_arena *arena, crm_arena_mark mark)
{
    while (arena->last != mark.last) {
        crm_arena_block *block = arena->last;
        arena->last = block->before;
        free(block);
    }
    if (arena->last != NULL) {
        /* What is taken next must be zero again. */
        memset(arena->last->bytes + mark.used, 0, arena->last->used - mark.used);
        arena->last->used = mark.used;
    }
}
