/* How good the compliant law and its error estimate are: random small systems, each solved by the
 * law and by a judge of the tests (tests/support/judge/compliant_judge.h), which shares no code
 * with it.
 *
 *     campaign_compliant [SYSTEMS] [SEED] [FIRST] [models]
 *
 * With `models` contacts are of other models than springs and Kelvin-Voigt, each with its own
 * numbers.
 *
 * The systems are those of tests/support/judge/compliant_trial.h, any of which SYSTEMS = 1 and
 * FIRST = its number try alone.
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
#include "compliant_trial.h"

/* An error this many times the estimate is told of. */
static const double DISHONEST = 10;
static const double ROUGH_TOLERANCE = 1e-13, ROUGH_PART = 0.2;
static const double FINE_TOLERANCE = 1e-15, FINE_PART = 0.1;
/* The judge's doubt must be below this part of the tolerance for an error to count. */
static const double DECISIVE = 0.1;
enum { JUDGE_STEPS = 4000 };

/* ---- Trying them ---------------------------------------------------------------------------- */

/* What was found. */
typedef struct findings {
    size_t tried, result[CRM_RESULT_COUNT], unjudged, above, dishonest, energy;
    double worst, *ratio, *estimate;
    size_t judged;
} findings;

/* A system, what its contacts are, and by the options. */
typedef struct trial {
    small_system system;
    judged_contact contact[SMALL];
    double dampings[SMALL], arms[SMALL];
    compliant_options options;
    const char *model;
} trial;

static void judge_one(const trial *t, size_t number, const crm_outcome *outcome, findings *f)
{
    const small_system *system = &t->system;
    double tolerance = t->options.tolerance;
    compliant_judgement rough =
        compliant_judge_models(system, t->contact, ROUGH_TOLERANCE, ROUGH_PART, JUDGE_STEPS);
    compliant_judgement fine =
        compliant_judge_models(system, t->contact, FINE_TOLERANCE, FINE_PART, 3 * JUDGE_STEPS);
    double speed = fine.speed;
    double doubt = largest_difference(rough.velocity, fine.velocity, system->n) / speed;
    if (!rough.finished || !fine.finished || doubt > DECISIVE * tolerance || !(speed > 0)) {
        f->unjudged++;
        if (doubt > tolerance && rough.finished && fine.finished) {
            printf("system %zu: the judge doubts by %.1e\n", number, doubt);
        }
        return;
    }
    double error = largest_difference(outcome->velocity, fine.velocity, system->n) / speed;
    f->worst = fmax(f->worst, error / tolerance);
    f->estimate[f->judged] = outcome->error_estimate;
    f->ratio[f->judged++] = error / (outcome->error_estimate + doubt);
    bool above = error > tolerance;
    bool dishonest = !(error <= DISHONEST * (outcome->error_estimate + doubt));
    f->above += above;
    f->dishonest += dishonest;
    if (above || dishonest) {
        printf("system %zu: n %zu, s %zu, %s, damping %g, tolerance %.1e: error %.1e, estimate "
               "%.1e, judge %.1e\n",
               number, system->n, system->s, t->model, t->contact[0].damping, tolerance, error,
               outcome->error_estimate, doubt);
    }
}

static void try_system(trial *t, size_t number, findings *f)
{
    crm_outcome *outcome = compliant_outcome_of(&t->system, t->options);
    f->tried++;
    f->result[outcome->result]++;
    if (!outcome->energetic) {
        f->energy++;
        printf("system %zu: not energetic\n", number);
    }
    if (outcome->result == CRM_SOLVED) {
        judge_one(t, number, outcome, f);
    } else {
        printf("system %zu: n %zu, s %zu, %s, damping %g, tolerance %.1e: %s: %s\n", number,
               t->system.n, t->system.s, t->model, t->contact[0].damping, t->options.tolerance,
               crm_result_text(outcome->result), outcome->reason);
    }
    fflush(stdout);
    crm_outcome_free(outcome);
}

/* Springs, and one Kelvin-Voigt damping for all. */
static void plain_trial(uint64_t seed, size_t number, trial *t)
{
    compliant_trial of = compliant_trial_of(seed, number);
    *t = (trial){.system = of.system, .model = "kelvin-voigt"};
    t->options = (compliant_options){.damping = of.damping, .tolerance = of.tolerance};
    for (size_t j = 0; j < of.system.s; j++) {
        t->contact[j].damping = of.damping;
    }
}

static void model_trial(uint64_t seed, size_t number, trial *t)
{
    compliant_model_trial of = compliant_model_trial_of(seed, number);
    *t = (trial){.system = of.system, .model = of.model};
    memcpy(t->contact, of.contact, sizeof t->contact);
    for (size_t j = 0; j < of.system.s; j++) {
        t->dampings[j] = of.contact[j].damping;
        t->arms[j] = of.contact[j].arm;
    }
    t->options = (compliant_options){.tolerance = of.tolerance,
                                     .model = of.model,
                                     .dampings = of.damped ? t->dampings : NULL,
                                     .arms = strcmp(of.model, "zener") == 0 ? t->arms : NULL,
                                     .contacts = of.system.s};
}

int main(int argc, char **argv)
{
    size_t systems = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    uint64_t seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    size_t first = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
    bool models = argc > 4 && strcmp(argv[4], "models") == 0;
    findings f = {.ratio = calloc(systems + 1, sizeof *f.ratio),
                  .estimate = calloc(systems + 1, sizeof *f.estimate)};
    if (f.ratio == NULL || f.estimate == NULL) {
        return 1;
    }
    for (size_t i = 0; i < systems; i++) {
        trial t;
        (models ? model_trial : plain_trial)(seed, first + i, &t);
        try_system(&t, first + i, &f);
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
