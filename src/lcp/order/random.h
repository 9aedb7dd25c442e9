/* Pseudorandom numbers, the same on every machine. */
#ifndef CRM_LCP_RANDOM_H
#define CRM_LCP_RANDOM_H

#include <stdint.h>

/* 0 .. below - 1 */
static inline uint32_t crm_lcp_random(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(((*state >> 33) * below) >> 31);
}

#endif
