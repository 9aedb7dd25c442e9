/* Loops compiled for several widths of vectors, the widest that the
 * machine has being chosen when the program starts. Contraction is off, so that all widths give the
 * same bits. Internal.
 */
#ifndef CRM_LZB_WIDE_H
#define CRM_LZB_WIDE_H

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

#endif
