/* Whole blocks of contacts, in vectors as wide as the machine has. Internal. */
#ifndef CRM_LZB_BLOCK_H
#define CRM_LZB_BLOCK_H

#include <stdint.h>
#include <string.h>

#include "base/width.h"
#include "law/lzb/extrapolation/window/window.h"

#define EACH(k)                                                                                    \
    size_t k = block * LZB_BLOCK;                                                                  \
    k < (block + 1) * LZB_BLOCK;                                                                   \
    k++

/* A block in a register, or in as many as it takes. */
typedef double lzb_block __attribute__((vector_size(LZB_BLOCK * sizeof(double))));
typedef int64_t lzb_block_bits __attribute__((vector_size(LZB_BLOCK * sizeof(int64_t))));

/* (Blocks are handed over by address: how they are passed would depend on the width.) */

INLINE void lzb_block_load(lzb_block *block, const double *memory)
{
    memcpy(block, memory, sizeof *block);
}

INLINE void lzb_block_store(const lzb_block *block, double *memory)
{
    memcpy(memory, block, sizeof *block);
}

/* a = the larger of a and b, where b is a number. */
INLINE void lzb_block_raise(lzb_block *a, const lzb_block *b)
{
    lzb_block_bits higher = *b > *a;
    *a = (lzb_block)(((lzb_block_bits)*b & higher) | ((lzb_block_bits)*a & ~higher));
}

INLINE void lzb_block_absolute(lzb_block *a)
{
    *a = (lzb_block)((lzb_block_bits)*a & INT64_MAX);
}

#endif
