/* Random systems: see random_system.h. */
#include "random_system.h"

#include <math.h>
#include <string.h>

random_choice random_choice_default(void)
{
    return (random_choice){.most_contacts = 5,
                           .least_restitution = 0.1,
                           .most_restitution = 1.0,
                           .stiffness_spread = 10.0};
}

static double random_exponent(rng *r)
{
    static const double common[] = {1.0, 1.5, 1.5, 1.5, 2.0, 3.0};
    return rng_below(r, 3) ? common[rng_below(r, 6)] : rng_uniform(r, 0.6, 3.0);
}

static double random_restitution(rng *r, random_choice choice)
{
    if (choice.elastic) {
        return 1.0;
    }
    if (choice.plastic_sometimes && rng_below(r, 6) == 0) {
        return 0.0;
    }
    if (choice.most_restitution == 1.0 && rng_below(r, 6) == 0) {
        return 1.0;
    }
    return rng_uniform(r, choice.least_restitution, choice.most_restitution);
}

static void random_contacts(rng *r, random_choice choice, small_system *system)
{
    double eta = random_exponent(r);
    for (size_t j = 0; j < system->s; j++) {
        system->stiffness[j] = rng_log(r, 1.0 / choice.stiffness_spread, choice.stiffness_spread);
        system->exponent[j] = choice.uniform_exponent ? eta : random_exponent(r);
        system->restitution[j] = random_restitution(r, choice);
        if (choice.stored_energy && rng_below(r, 3) == 0) {
            system->stored_energy[j] = rng_log(r, 1e-3, 1.0);
        }
    }
}

/* Some contact must close: turn a velocity that separates everywhere round. */
static void make_it_strike(small_system *system)
{
    double u[SMALL];
    small_system_gap_velocity(system, system->velocity, u);
    for (size_t j = 0; j < system->s; j++) {
        if (u[j] < 0.0) {
            return;
        }
    }
    for (size_t i = 0; i < system->n; i++) {
        system->velocity[i] = -system->velocity[i];
    }
}

small_system random_chain(rng *r, random_choice choice, bool wall)
{
    size_t contacts = 1 + rng_below(r, choice.most_contacts);
    small_system system = small_system_chain(contacts + (wall ? 0 : 1), wall);
    random_contacts(r, choice, &system);
    for (size_t i = 0; i < system.n; i++) {
        system.mass[i * system.n + i] = rng_log(r, 0.3, 3.0);
        system.velocity[i] = rng_uniform(r, -1.0, 1.0);
    }
    if (rng_below(r, 2)) { /* the classical case: one end struck, the rest at rest */
        memset(system.velocity, 0, sizeof system.velocity);
        system.velocity[0] = 1.0;
    }
    make_it_strike(&system);
    return system;
}

small_system random_stiff_chain(rng *r, double least, double most, bool each)
{
    bool wall = rng_below(r, 2), equal = rng_below(r, 2), elastic = rng_below(r, 2);
    bool all_move = wall && rng_below(r, 2);
    small_system chain = small_system_chain(3 + rng_below(r, 6), wall);
    double exponent = rng_log(r, least, most);
    for (size_t i = 0; i < chain.n; i++) {
        chain.mass[i * chain.n + i] = equal ? 1 : rng_log(r, 0.1, 10);
        chain.velocity[i] = i == 0 || all_move ? 1 : 0;
    }
    for (size_t j = 0; j < chain.s; j++) {
        chain.exponent[j] = each ? rng_log(r, least, most) : exponent;
        chain.stiffness[j] = equal ? 1 : rng_log(r, 0.01, 100);
        chain.restitution[j] = elastic ? 1 : rng_uniform(r, 0.2, 1);
    }
    return chain;
}

small_system random_lagrangian(rng *r, random_choice choice)
{
    size_t n = 1 + rng_below(r, choice.most_contacts);
    size_t s = 1 + rng_below(r, choice.most_contacts);
    small_system system = small_system_blank(n, s);
    random_contacts(r, choice, &system);
    double factor[SMALL * SMALL];
    for (size_t i = 0; i < n * n; i++) {
        factor[i] = rng_normal(r);
    }
    for (size_t i = 0; i < n; i++) { /* M = F F' + I/2: symmetric, well conditioned */
        for (size_t k = 0; k <= i; k++) {
            double sum = i == k ? 0.5 : 0.0;
            for (size_t l = 0; l < n; l++) {
                sum += factor[i * n + l] * factor[k * n + l];
            }
            system.mass[i * n + k] = system.mass[k * n + i] = sum;
        }
    }
    double common[SMALL]; /* W' common > 0 for every contact */
    for (size_t i = 0; i < n; i++) {
        common[i] = rng_normal(r);
    }
    double length = 0.0;
    for (size_t i = 0; i < n; i++) {
        length += common[i] * common[i];
    }
    for (size_t j = 0; j < s; j++) {
        double along = 0.0;
        for (size_t i = 0; i < n; i++) {
            system.w[j * n + i] = rng_normal(r);
            along += system.w[j * n + i] * common[i];
        }
        double wanted = rng_uniform(r, 0.1, 1.0) * sqrt(length);
        for (size_t i = 0; i < n; i++) {
            system.w[j * n + i] += (wanted - along) / length * common[i];
        }
    }
    for (size_t i = 0; i < n; i++) {
        system.velocity[i] = rng_uniform(r, -1.0, 1.0);
    }
    make_it_strike(&system);
    return system;
}

static bool patch_touches(const disc_patch *patch, double x, double y)
{
    for (size_t i = 0; i < patch->count; i++) {
        double d = hypot(patch->position[i][0] - x, patch->position[i][1] - y);
        if (d < 1.9 * patch->radius) {
            return false; /* taken */
        }
    }
    return true;
}

/* Grow a patch on the hexagonal lattice, each disc beside an earlier one. */
static void grow_patch(rng *r, disc_patch *patch, size_t count)
{
    const double third = 1.0471975511965977; /* pi/3 */
    patch->radius = 0.5;
    patch->count = 1;
    patch->position[0][0] = patch->position[0][1] = 0.0;
    while (patch->count < count) {
        const double *from = patch->position[rng_below(r, patch->count)];
        double angle = third * (double)rng_below(r, 6);
        double x = from[0] + 2.0 * patch->radius * cos(angle);
        double y = from[1] + 2.0 * patch->radius * sin(angle);
        if (patch_touches(patch, x, y)) {
            patch->position[patch->count][0] = x;
            patch->position[patch->count][1] = y;
            patch->count++;
        }
    }
}

small_system random_disc_patch(rng *r, random_choice choice, disc_patch *patch)
{
    size_t most = choice.most_contacts < 7 ? 4 : 6;
    small_system system;
    do {
        grow_patch(r, patch, 2 + rng_below(r, most - 1));
        system = small_system_blank(2 * patch->count, 0);
        for (size_t a = 0; a < patch->count; a++) {
            for (size_t b = a + 1; b < patch->count; b++) {
                double x = patch->position[b][0] - patch->position[a][0];
                double y = patch->position[b][1] - patch->position[a][1];
                double d = hypot(x, y);
                if (d > 2.1 * patch->radius || system.s == SMALL) {
                    continue;
                }
                double *w = &system.w[system.s++ * system.n];
                w[2 * a] = -x / d;
                w[2 * a + 1] = -y / d;
                w[2 * b] = x / d;
                w[2 * b + 1] = y / d;
            }
        }
    } while (system.s > choice.most_contacts);
    random_contacts(r, choice, &system);
    for (size_t i = 0; i < patch->count; i++) {
        double mass = rng_log(r, 0.5, 2.0);
        system.mass[(2 * i) * (system.n + 1)] = mass;
        system.mass[(2 * i + 1) * (system.n + 1)] = mass;
    }
    for (size_t i = 0; i < system.n; i++) {
        system.velocity[i] = rng_uniform(r, -1.0, 1.0);
    }
    make_it_strike(&system);
    return system;
}
