/* The step in vectors of 16 bytes. */
#include "law/lzb/lanes/step.h"

unsigned lzb_lanes_step_16(lanes_pack *pack)
{
    return lanes_step(pack);
}
