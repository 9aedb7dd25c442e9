#include "impacts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Whatever the support can make: lines, full M, packings, stored energy, mixed exponents. */
static impact random_impact(rng *r)
{
    random_choice choice = random_choice_default();
    choice.most_contacts = 1 + rng_below(r, 7);
    choice.elastic = rng_below(r, 3) == 0;
    choice.stored_energy = rng_below(r, 4) == 0;
    choice.uniform_exponent = rng_below(r, 2) == 0;
    disc_patch patch;
    size_t kind = rng_below(r, 4);
    small_system system = kind == 0   ? random_chain(r, choice, false)
                          : kind == 1 ? random_chain(r, choice, true)
                          : kind == 2 ? random_lagrangian(r, choice)
                                      : random_disc_patch(r, choice, &patch);
    double *velocity = calloc(SMALL, sizeof *velocity);
    memcpy(velocity, system.velocity, sizeof system.velocity);
    return (impact){.model = small_system_model(&system), .velocity = velocity};
}

impact impact_of_chain(size_t count, double restitution)
{
    crm_chain_def def = crm_chain_def_default();
    def.count = count;
    def.restitution.all = restitution;
    impact made = {.velocity = calloc(count, sizeof *made.velocity)};
    crm_error error = {0};
    assert_ok(crm_model_from_chain(&def, &made.model, &error), &error);
    made.velocity[0] = 1;
    return made;
}

impacts impacts_random(uint64_t seed, size_t count)
{
    rng r = rng_seeded(seed);
    impacts all = {count, calloc(count, sizeof *all.item)};
    for (size_t i = 0; i < count; i++) {
        all.item[i] =
            i % 40 == 20 ? impact_of_chain(45 + i / 4, i == 60 ? 0.95 : 1) : random_impact(&r);
    }
    return all;
}

void impacts_solve(impacts *all, const crm_settings *settings)
{
    for (size_t i = 0; i < all->count; i++) {
        crm_error error = {0};
        impact *it = &all->item[i];
        assert_ok(crm_solve(it->model, it->velocity, settings, NULL, &it->expected, &error),
                  &error);
    }
}

void impacts_forget(impacts *all)
{
    for (size_t i = 0; i < all->count; i++) {
        crm_outcome_free(all->item[i].expected);
        all->item[i].expected = NULL;
    }
}

void impacts_free(impacts *all)
{
    impacts_forget(all);
    for (size_t i = 0; i < all->count; i++) {
        crm_model_free(all->item[i].model);
        free(all->item[i].velocity);
    }
    free(all->item);
}

void same_array(const void *got, const void *want, size_t bytes)
{
    assert_int_equal(got == NULL, want == NULL);
    if (want != NULL) {
        assert_memory_equal(got, want, bytes);
    }
}

void same_number(double got, double want)
{
    assert_memory_equal(&got, &want, sizeof want);
}
