#include "ensemble.h"

#include <math.h>
#include <stdlib.h>

static double uniform(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) * (1.0 / 9007199254740992.0);
}

static double normal(uint64_t *state)
{
    double size = sqrt(-2 * log(uniform(state) + 1e-300));
    return size * cos(6.283185307179586 * uniform(state));
}

static void draw_coordinates(uint64_t *state, small_system *system, double spread, int striking)
{
    for (size_t k = 0; k < system->n; k++) {
        system->mass[k * system->n + k] = pow(10, (2 * uniform(state) - 1) * spread);
        system->velocity[k] = striking == 0 ? (k == 0 ? 1 : 0) : normal(state);
    }
}

static void draw_contact(uint64_t *state, small_system *system, size_t j, bool chain)
{
    double *w = &system->w[j * system->n];
    if (chain) {
        w[j] = -1;
        if (j + 1 < system->n) {
            w[j + 1] = 1;
        }
    } else {
        for (size_t k = 0; k < system->n; k++) {
            w[k] = normal(state);
        }
    }
    system->stiffness[j] = pow(10, 2 * uniform(state) - 1);
}

static small_system member(uint64_t *state, size_t index)
{
    size_t kind = index % 3, n = 2 + (size_t)(uniform(state) * 11), s = n - 1;
    if (kind == 1 && n < 12) {
        s = n;
    } else if (kind == 2) {
        n = 2 + (size_t)(uniform(state) * 6);
        s = 1 + (size_t)(uniform(state) * (double)n);
    }
    small_system system = small_system_blank(n, s);
    double spread = uniform(state), e = 0.1 + 0.9 * uniform(state);
    double exponent = 1 + 2 * uniform(state);
    draw_coordinates(state, &system, spread, (int)(uniform(state) * 3));
    for (size_t j = 0; j < s; j++) {
        draw_contact(state, &system, j, kind < 2);
        system.exponent[j] = index & 1 ? 1.5 : exponent;
        system.restitution[j] = index % 5 == 0   ? 1
                                : index % 5 == 1 ? e
                                                 : 0.1 + 0.9 * uniform(state);
    }
    return system;
}

small_system *ensemble(uint64_t seed, size_t count)
{
    small_system *systems = calloc(count > 0 ? count : 1, sizeof *systems);
    uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
    for (size_t i = 0; systems != NULL && i < count; i++) {
        systems[i] = member(&state, i);
    }
    return systems;
}
