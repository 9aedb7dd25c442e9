/* Random numbers by splitmix64: one word of state, the same sequence everywhere. */
#ifndef CAROM_TEST_RNG_H
#define CAROM_TEST_RNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct rng {
    uint64_t state;
} rng;

rng rng_seeded(uint64_t seed);
uint64_t rng_next(rng *r);
size_t rng_below(rng *r, size_t bound);              /* 0 .. bound-1 */
double rng_uniform(rng *r, double low, double high); /* [low, high) */
double rng_log(rng *r, double low, double high);     /* uniform in the logarithm */
double rng_normal(rng *r);
void rng_shuffle(rng *r, size_t *order, size_t count); /* a random permutation of 0 .. count-1 */

#endif
