#include "base/random.h"

#include <math.h>

#include "base/elementary.h"

static const double PI = 3.141592653589793;

void crm_random_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t output[4])
{
    enum { ROUNDS = 10 };
    const uint64_t multiplier[2] = {0xD2511F53u, 0xCD9E8D57u};
    const uint32_t weyl[2] = {0x9E3779B9u, 0xBB67AE85u};
    uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]};
    uint32_t k[2] = {key[0], key[1]};
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t first = multiplier[0] * c[0], second = multiplier[1] * c[2];
        uint32_t next[4] = {(uint32_t)(second >> 32) ^ c[1] ^ k[0], (uint32_t)second,
                            (uint32_t)(first >> 32) ^ c[3] ^ k[1], (uint32_t)first};
        for (int j = 0; j < 4; j++) {
            c[j] = next[j];
        }
        k[0] += weyl[0];
        k[1] += weyl[1];
    }
    for (int j = 0; j < 4; j++) {
        output[j] = c[j];
    }
}

static double unit(uint32_t high, uint32_t low)
{
    uint64_t bits = ((uint64_t)high << 32 | low) >> 12;
    return ((double)bits + 0.5) * 0x1p-52;
}

static void draw(crm_random_place place, double *first, double *second)
{
    const uint32_t counter[4] = {place.draw, place.attempt, place.field, place.entry};
    const uint32_t key[2] = {(uint32_t)place.seed, (uint32_t)(place.seed >> 32)};
    uint32_t output[4];
    crm_random_philox(counter, key, output);
    *first = unit(output[0], output[1]);
    *second = unit(output[2], output[3]);
}

double crm_random_uniform(crm_random_place place)
{
    double first, second;
    draw(place, &first, &second);
    return first;
}

double crm_random_normal(crm_random_place place)
{
    double first, second;
    draw(place, &first, &second);
    return sqrt(-2 * crm_log(first)) * crm_cos(2 * PI * second);
}
