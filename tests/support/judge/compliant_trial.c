#include "compliant_trial.h"

#include <string.h>

static double one_of_three(rng *r, size_t which, double wide)
{
    return which == 0 ? 1 : which == 1 ? rng_log(r, 0.3, 3) : rng_log(r, 1 / wide, wide);
}

static double any_exponent(rng *r, size_t which, bool damped)
{
    switch (which) {
    case 0:
        return 1;
    case 1:
        return 1.5;
    case 2:
        return rng_below(r, 2) ? 1 : 1.5;
    case 3:
        return rng_log(r, 1, 3);
    default:
        return damped ? 1.5 : rng_log(r, 0.4, 3);
    }
}

static void any_contacts(rng *r, small_system *system, bool damped)
{
    size_t exponents = rng_below(r, 5), stiffness = rng_below(r, 3);
    bool pressed = rng_below(r, 4) == 0;
    double wide = rng_below(r, 2) ? 10 : 1000;
    for (size_t j = 0; j < system->s; j++) {
        system->exponent[j] = any_exponent(r, exponents, damped);
        system->stiffness[j] = one_of_three(r, stiffness, wide);
        system->stored_energy[j] = pressed && rng_below(r, 2) ? rng_log(r, 1e-3, 1) : 0;
    }
}

static small_system any_chain(rng *r, bool wall, bool parts)
{
    small_system chain = small_system_chain((wall ? 1 : 2) + rng_below(r, 10), wall);
    size_t mass = rng_below(r, 3), moving = rng_below(r, 3);
    double wide = rng_below(r, 2) ? 10 : 100;
    for (size_t i = 0; i < chain.n; i++) {
        chain.mass[i * (chain.n + 1)] = one_of_three(r, mass, wide);
        chain.velocity[i] = moving == 0 ? i == 0
                            : moving == 1
                                ? rng_uniform(r, -1, 1)
                                : -3.0 * (double)i / (double)chain.n + rng_uniform(r, 0, 1);
    }
    if (parts && chain.s > 2) { /* take a contact out */
        size_t gone = 1 + rng_below(r, chain.s - 2);
        memmove(&chain.w[gone * chain.n], &chain.w[(gone + 1) * chain.n],
                (chain.s - gone - 1) * chain.n * sizeof *chain.w);
        chain.s--;
    }
    return chain;
}

static small_system in_any_order(rng *r, const small_system *system)
{
    size_t contacts[SMALL], coordinates[SMALL];
    for (size_t i = 0; i < SMALL; i++) {
        contacts[i] = coordinates[i] = i;
    }
    rng_shuffle(r, contacts, system->s);
    return small_system_renumbered(system, contacts, coordinates);
}

/* One in four has contacts that are apart at first, from next to nothing to farther than any
 * contact is pressed. Drawn last: the others are as they were before there were any.
 */
static void any_gaps(rng *r, small_system *system)
{
    if (rng_below(r, 4) > 0) {
        return;
    }
    for (size_t j = 0; j < system->s; j++) {
        if (rng_below(r, 2)) {
            system->gap[j] = rng_log(r, 1e-6, 10);
            system->stored_energy[j] = 0;
        }
    }
}

compliant_trial compliant_trial_of(uint64_t seed, size_t number)
{
    rng r = rng_seeded(seed * 1000003 + number);
    compliant_trial t = {.tolerance = rng_log(&r, 1e-10, 1e-5)};
    random_choice choice = random_choice_default();
    disc_patch patch;
    size_t kind = rng_below(&r, 8), damping = rng_below(&r, 5);
    t.damping = damping < 2 ? 0 : damping < 4 ? rng_log(&r, 1e-3, 3) : rng_log(&r, 1, 100);
    switch (kind) {
    case 6:
        t.system = random_lagrangian(&r, choice);
        break;
    case 7:
        t.system = random_disc_patch(&r, choice, &patch);
        break;
    default:
        t.system = any_chain(&r, kind % 3 == 1, kind % 3 == 2);
    }
    any_contacts(&r, &t.system, t.damping > 0);
    for (size_t j = 0; j < t.system.s; j++) {
        t.system.restitution[j] = 1;
    }
    if (rng_below(&r, 2)) {
        t.system = in_any_order(&r, &t.system);
    }
    any_gaps(&r, &t.system);
    return t;
}

/* ---- Other models ---------------------------------------------------------------------------- */

static void any_damping(rng *r, judged_model model, double stiffness, judged_contact *of)
{
    of->model = model;
    switch (model) {
    case JUDGED_HUNT_CROSSLEY:
    case JUDGED_KELVIN_VOIGT:
        of->damping = rng_log(r, 0.01, 10);
        break;
    case JUDGED_MAXWELL:
        of->damping = rng_log(r, 0.3, 100);
        break;
    case JUDGED_ZENER:
        of->damping = rng_log(r, 0.05, 30);
        of->arm = stiffness * rng_log(r, 0.1, 10);
        break;
    default:
        break;
    }
}

compliant_model_trial compliant_model_trial_of(uint64_t seed, size_t number)
{
    static const char *const names[] = {"kelvin-voigt", "hunt-crossley", "maxwell",
                                        "zener",        "hysteretic",    "auto"};
    rng r = rng_seeded(seed * 1000033 + number);
    compliant_trial base = compliant_trial_of(seed, number);
    size_t which = rng_below(&r, 6);
    judged_model model = which == 5 ? JUDGED_HYSTERETIC : (judged_model)which;
    bool alike = rng_below(&r, 2), linear = rng_below(&r, 3) == 0;
    compliant_model_trial t = {.system = base.system,
                               .model = names[which],
                               .damped = which < 4,
                               .tolerance = base.tolerance};
    for (size_t j = 0; j < t.system.s; j++) {
        double eta = linear ? 1 : t.system.exponent[j];
        t.system.exponent[j] =
            eta < 1 && (model == JUDGED_KELVIN_VOIGT || model == JUDGED_ZENER) ? 1.5 : eta;
        any_damping(&r, model, t.system.stiffness[j], &t.contact[j]);
        if (alike && j > 0 && model != JUDGED_ZENER) {
            t.contact[j] = t.contact[0];
        }
        t.system.restitution[j] = t.damped                ? 1
                                  : alike && j > 0        ? t.system.restitution[0]
                                  : rng_below(&r, 4) == 0 ? 1
                                                          : rng_uniform(&r, 0.1, 1);
    }
    return t;
}
