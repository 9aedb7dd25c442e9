/* The step in vectors of 32 bytes. */
#include "base/width.h"

/* For all that follows, as what is inlined is compiled before. */
#if defined(CRM_WIDTHS) && defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#elif defined(CRM_WIDTHS)
#pragma GCC target("avx2")
#endif

#include "law/lzb/batch/step.h"

unsigned lzb_batch_step_32(lanes_pack *pack)
{
    return lanes_step(pack);
}

#if defined(CRM_WIDTHS) && defined(__clang__)
#pragma clang attribute pop
#endif
