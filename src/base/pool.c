#include "base/pool.h"

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

typedef struct crm_pool_block {
    struct crm_pool_block *before;
    size_t size;
    size_t used;
    size_t written; /* from here on it is still zero */
    alignas(max_align_t) unsigned char bytes[];
} crm_pool_block;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static double bytes_held(const crm_pool *pool)
{
    double all = 0;
    for (const crm_pool_block *block = pool->last; block != NULL; block = block->before) {
        all += (double)block->size;
    }
    return all;
}

static crm_pool_block *add_block(crm_pool *pool, size_t least)
{
    size_t size = larger(least, larger(pool->wanted, LEAST_BLOCK));
    if (size > SIZE_MAX - sizeof(crm_pool_block) ||
        (pool->most > 0 && bytes_held(pool) + (double)size > pool->most)) {
        return NULL;
    }
    crm_pool_block *block = crm_memory_allocate(1, sizeof(crm_pool_block) + size);
    if (block != NULL) {
        block->size = size;
        block->before = pool->last;
        pool->last = block;
        pool->wanted = 0;
    }
    return block;
}

void *crm_pool_take(crm_pool *pool, size_t count, size_t size)
{
    const size_t grain = alignof(max_align_t);
    if (size != 0 && count > (SIZE_MAX - grain) / size) {
        return NULL;
    }
    size_t bytes = (count * size + grain - 1) / grain * grain;
    crm_pool_block *block = pool->last;
    if (block == NULL || block->size - block->used < bytes) {
        block = add_block(pool, bytes);
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
void crm_pool_clear(crm_pool *pool)
{
    if (pool->last == NULL) {
        return;
    }
    if (pool->last->before == NULL) {
        pool->last->used = 0;
        return;
    }
    size_t all = 0;
    for (const crm_pool_block *block = pool->last; block != NULL; block = block->before) {
        all += block->size;
    }
    crm_pool_release(pool);
    pool->wanted = all;
}

void crm_pool_release(crm_pool *pool)
{
    while (pool->last != NULL) {
        crm_pool_block *block = pool->last;
        pool->last = block->before;
        free(block);
    }
    pool->wanted = 0;
}
