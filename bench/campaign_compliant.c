/* How good the compliant law and its error estimate are: random small systems, each solved by the
 * law and by a judge of the tests (tests/support/compliant_judge.h), which shares no code with it.
 *
 *     campaign_compliant [SYSTEMS] [SEED] [FIRST]
 *
 * Chains of 2 to 11 balls, free, on a wall or in two parts that do not touch, patches of discs, and
 * full M and W; contacts in any order; exponents 1, 3/2 and mixed, below 1 where there is no
 * damping; damping from none to large; masses and stiffnesses alike or over decades; one ball or
 * all of them moving; contacts pressed beforehand; tolerances from 1e-10 to 1e-5. Each system has a
 * generator of its own, so that SYSTEMS = 1 and FIRST = its number try it alone.
 *
 * The judge is asked twice, the second time with finer and shorter steps, and its answer is as good
 * as both agree. Errors are relative to the largest closing speed.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compliant_call.h"
#include "compliant_judge.h"

/* An error this many times the estimate is told of. */
static const double DISHONEST = 10;
static const double ROUGH_TOLERANCE = 1e-13, ROUGH_PART = 0.2;
static const double FINE_TOLERANCE = 1e-15, FINE_PART = 0.1;
/* The judge's doubt must be below this part of the tolerance for an error to count. */
static const double DECISIVE = 0.1;
enum { JUDGE_STEPS = 10000 };

/* ---- Systems -------------------------------------------------------------------------------- */

typedef struct trial {
    small_system system;
    double damping, tolerance;
} trial;

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

static trial any_trial(uint64_t seed, size_t number)
{
    rng r = rng_seeded(seed * 1000003 + number);
    trial t = {.tolerance = rng_log(&r, 1e-10, 1e-5)};
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
    return t;
}

/* ---- Trying them ---------------------------------------------------------------------------- */

/* What was found. */
typedef struct findings {
    size_t tried, result[CRM_RESULT_COUNT], unjudged, above, dishonest, energy;
    double worst, *ratio, *estimate;
    size_t judged;
} findings;

static void judge_one(const trial *t, size_t number, const crm_outcome *outcome, findings *f)
{
    const small_system *system = &t->system;
    compliant_judgement rough =
        compliant_judge(system, t->damping, ROUGH_TOLERANCE, ROUGH_PART, JUDGE_STEPS);
    compliant_judgement fine =
        compliant_judge(system, t->damping, FINE_TOLERANCE, FINE_PART, 3 * JUDGE_STEPS);
    double speed = fine.speed;
    double doubt = largest_difference(rough.velocity, fine.velocity, system->n) / speed;
    if (!rough.finished || !fine.finished || doubt > DECISIVE * t->tolerance || !(speed > 0)) {
        f->unjudged++;
        if (doubt > t->tolerance && rough.finished && fine.finished) {
            printf("system %zu: the judge doubts by %.1e\n", number, doubt);
        }
        return;
    }
    double error = largest_difference(outcome->velocity, fine.velocity, system->n) / speed;
    f->worst = fmax(f->worst, error / t->tolerance);
    f->estimate[f->judged] = outcome->error_estimate;
    f->ratio[f->judged++] = error / (outcome->error_estimate + doubt);
    bool above = error > t->tolerance;
    bool dishonest = !(error <= DISHONEST * (outcome->error_estimate + doubt));
    f->above += above;
    f->dishonest += dishonest;
    if (above || dishonest) {
        printf("system %zu: n %zu, s %zu, damping %g, tolerance %.1e: error %.1e, estimate %.1e, "
               "judge %.1e\n",
               number, system->n, system->s, t->damping, t->tolerance, error,
               outcome->error_estimate, doubt);
    }
}

static void try_system(uint64_t seed, size_t number, findings *f)
{
    trial t = any_trial(seed, number);
    crm_outcome *outcome = compliant_outcome_of(
        &t.system, (compliant_options){.damping = t.damping, .tolerance = t.tolerance});
    f->tried++;
    f->result[outcome->result]++;
    if (!outcome->energetic) {
        f->energy++;
        printf("system %zu: not energetic\n", number);
    }
    if (outcome->result == CRM_SOLVED) {
        judge_one(&t, number, outcome, f);
    } else {
        printf("system %zu: n %zu, s %zu, damping %g, tolerance %.1e: %s: %s\n", number, t.system.n,
               t.system.s, t.damping, t.tolerance, crm_result_text(outcome->result),
               outcome->reason);
    }
    fflush(stdout);
    crm_outcome_free(outcome);
}

int main(int argc, char **argv)
{
    size_t systems = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    uint64_t seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    size_t first = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
    findings f = {.ratio = calloc(systems + 1, sizeof *f.ratio),
                  .estimate = calloc(systems + 1, sizeof *f.estimate)};
    if (f.ratio == NULL || f.estimate == NULL) {
        return 1;
    }
    for (size_t i = 0; i < systems; i++) {
        try_system(seed, first + i, &f);
    }
    printf("%zu tried", f.tried);
    for (int i = 0; i < CRM_RESULT_COUNT; i++) {
        printf(", %zu %s", f.result[i], crm_result_text((crm_result)i));
    }
    printf("; %zu not energetic\n%zu judged, %zu not (the judge in doubt)\n", f.energy, f.judged,
           f.unjudged);
    printf("%zu off by more than the tolerance, the worst by %.2g of it; %zu by more than ten "
           "estimates\n",
           f.above, f.worst, f.dishonest);
    print_distribution_head();
    print_distribution("estimate", f.estimate, f.judged);
    print_distribution("error / estimate", f.ratio, f.judged);
    free(f.ratio);
    free(f.estimate);
    return 0;
}
