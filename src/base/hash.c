#include "base/hash.h"

uint64_t crm_hash(uint64_t so_far, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        so_far = (so_far ^ at[i]) * 0x100000001b3u;
    }
    return so_far;
}
