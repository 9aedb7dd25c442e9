/* The step in vectors of 64 bytes. */
#include "law/lzb/lanes/widths.h"

#ifdef LANES_WIDTHS
#pragma GCC target("avx512f") /* of all that follows: what is inlined is lowered before */
#endif

#include "law/lzb/lanes/step.h"

unsigned lzb_lanes_step_64(lanes_pack *pack)
{
    return lanes_step(pack);
}
