/* The step in vectors of 32 bytes. */
#include "law/lzb/lanes/widths.h"

#ifdef LANES_WIDTHS
#pragma GCC target("avx2") /* of all that follows: what is inlined is lowered before */
#endif

#include "law/lzb/lanes/step.h"

unsigned lzb_lanes_step_32(lanes_pack *pack)
{
    return lanes_step(pack);
}
