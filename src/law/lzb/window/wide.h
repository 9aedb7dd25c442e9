/* Loops over whole blocks of contacts, compiled for several widths of vectors, the widest that the
 * machine has being chosen when the program starts. Contraction is off, so that all widths give the
 * same bits. Internal.
 */
#ifndef CRM_LZB_WIDE_H
#define CRM_LZB_WIDE_H

#include <stdint.h>
#include <string.h>

#include "law/lzb/window/window.h"

/* CAROM_VECTOR_BYTES, for tests: one width alone, which the machine must have. */
#if defined(CAROM_VECTOR_BYTES) && CAROM_VECTOR_BYTES == 64
#define WIDE __attribute__((target("avx512f")))
#elif defined(CAROM_VECTOR_BYTES) && CAROM_VECTOR_BYTES == 32
#define WIDE __attribute__((target("avx2")))
#elif defined(CAROM_VECTOR_BYTES)
#define WIDE
#elif defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                           \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE
#endif

/* For what such loops call. */
#define INLINE static inline __attribute__((always_inline))

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
