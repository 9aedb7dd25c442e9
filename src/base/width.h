/* The widths of vectors that code is compiled for. Internal. */
#ifndef CRM_WIDTH_H
#define CRM_WIDTH_H

#include <stdbool.h>

/* Several, where the compiler has target attributes and the processor can be queried. */
#if defined(__x86_64__) && defined(__GNUC__)
#define CRM_WIDTHS
#endif

/* Vectors of 16, 32 and 64 bytes; the place in the arrays of loops.h. */
typedef enum crm_width { CRM_WIDTH_16, CRM_WIDTH_32, CRM_WIDTH_64 } crm_width;

/* Has this processor vectors so wide? Any has the first: what is then computed in parts. */
static inline bool crm_width_is_there(crm_width width)
{
#ifdef CRM_WIDTHS
    return width == CRM_WIDTH_16 || (width == CRM_WIDTH_32 && __builtin_cpu_supports("avx2")) ||
           (width == CRM_WIDTH_64 && __builtin_cpu_supports("avx512f"));
#else
    return width == CRM_WIDTH_16;
#endif
}

static inline crm_width crm_widest(void)
{
    return crm_width_is_there(CRM_WIDTH_64)   ? CRM_WIDTH_64
           : crm_width_is_there(CRM_WIDTH_32) ? CRM_WIDTH_32
                                              : CRM_WIDTH_16;
}

/* For what loops call. */
#define INLINE static inline __attribute__((always_inline))

#endif
