/* The data of contacts and masses. */
#include "draw_parts.h"

bool one_chance_in(rng *r, size_t one_in)
{
    return rng_below(r, one_in) == 0;
}

double common_exponent(rng *r)
{
    static const double common[] = {1, 1.5, 1.5, 1.5, 2, 3};
    return one_chance_in(r, 3) ? rng_uniform(r, 1, 3) : common[rng_below(r, 6)];
}

double any_restitution(rng *r)
{
    return rng_uniform(r, 0, 1);
}

static double high_restitution(rng *r)
{
    return rng_uniform(r, 0.7, 1);
}

static double extreme_restitution(rng *r)
{
    static const double ends[] = {0, 1};
    switch (rng_below(r, 4)) {
    case 0:
        return 1 - rng_log(r, 1e-9, 0.1);
    case 1:
        return rng_log(r, 1e-6, 0.1);
    case 2:
        return ends[rng_below(r, 2)];
    default:
        return rng_uniform(r, 0, 1);
    }
}

static double elastic_restitution(rng *r)
{
    (void)r;
    return 1;
}

/* One value for all of them, or each its own. */
void fill(rng *r, double *values, size_t count, draw_number *number, bool same)
{
    double first = number(r);
    for (size_t j = 0; j < count; j++) {
        values[j] = same || j == 0 ? first : number(r);
    }
}

double near_one(rng *r)
{
    return rng_log(r, 0.1, 10);
}

double one(rng *r)
{
    (void)r;
    return 1;
}

void draw_contacts(rng *r, small_system *system)
{
    draw_number *const restitutions[] = {any_restitution, any_restitution, high_restitution,
                                         elastic_restitution, extreme_restitution};
    bool own = one_chance_in(r, 2), mixed = one_chance_in(r, 2), spread = !one_chance_in(r, 3);
    fill(r, system->restitution, system->s, restitutions[rng_below(r, 5)], own);
    fill(r, system->exponent, system->s, common_exponent, !mixed);
    fill(r, system->stiffness, system->s, spread ? near_one : one, false);
}

void store_energy(rng *r, small_system *system)
{
    for (size_t j = 0; j < system->s; j++) {
        system->stored_energy[j] = one_chance_in(r, 3) ? rng_log(r, 1e-6, 1) : 0;
    }
    system->stored_energy[rng_below(r, system->s)] = rng_log(r, 1e-3, 1);
}

void set_masses(small_system *system, const double *mass)
{
    for (size_t i = 0; i < system->n; i++) {
        system->mass[i * system->n + i] = mass[i];
    }
}
