/* The step in vectors of 16 bytes. */
#include "law/lzb/batch/step.h"

unsigned lzb_batch_step_16(lanes_pack *pack)
{
    return lanes_step(pack);
}
