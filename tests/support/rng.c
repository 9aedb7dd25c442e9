/* Random numbers: see rng.h. */
#include "rng.h"

#include <math.h>

rng rng_seeded(uint64_t seed)
{
    return (rng){seed};
}

uint64_t rng_next(rng *r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

size_t rng_below(rng *r, size_t bound)
{
    return (size_t)(rng_next(r) % bound);
}

double rng_uniform(rng *r, double low, double high)
{
    return low + (high - low) * ((double)(rng_next(r) >> 11) * 0x1p-53);
}

double rng_log(rng *r, double low, double high)
{
    return exp(rng_uniform(r, log(low), log(high)));
}

double rng_normal(rng *r)
{
    const double two_pi = 6.283185307179586;
    return sqrt(-2.0 * log(rng_uniform(r, 1e-300, 1.0))) * cos(rng_uniform(r, 0.0, two_pi));
}

void rng_shuffle(rng *r, size_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        order[i] = i;
    }
    for (size_t i = count; i > 1; i--) {
        size_t k = rng_below(r, i);
        size_t kept = order[i - 1];
        order[i - 1] = order[k];
        order[k] = kept;
    }
}
