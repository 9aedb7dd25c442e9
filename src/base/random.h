/* Random numbers that are a pure function of a seed and a place: Philox4x32-10 (Salmon, Moraes,
 * Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011). No state, so that any
 * draw can be made by any worker in any order.
 */
#ifndef CRM_RANDOM_H
#define CRM_RANDOM_H

#include <stdint.h>

void crm_random_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t output[4]);

/* Which draw of which variable. */
typedef struct crm_random_place {
    uint64_t seed;
    uint32_t draw;    /* from 0 */
    uint32_t attempt; /* when earlier ones were refused */
    uint32_t field;   /* from 0, in the order of the file */
    uint32_t entry;   /* of a list, from 0 */
} crm_random_place;

/* Uniform in (0, 1), never an end of it: (k + 1/2) / 2^52. */
double crm_random_uniform(crm_random_place place);
/* Mean 0, standard deviation 1 (Box and Muller). */
double crm_random_normal(crm_random_place place);

#endif
