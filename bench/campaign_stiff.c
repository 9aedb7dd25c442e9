/* How good the LZB law's error estimate is where contacts are stiff: random small chains, each
 * solved by `auto` and by a judge of the tests (tests/support/judge/soft.h), which shares no code
 * with the library.
 *
 *     campaign_stiff [SYSTEMS] [SEED] [TOLERANCE] [LEAST] [MOST] [one|each] [SOFTNESS]
 *
 * Chains of 3 to 8 balls, every other one on a wall; exponents from LEAST to MOST, uniform in the
 * logarithm, one for the whole chain or for each contact its own; masses, stiffnesses and e mixed.
 * The judge is asked twice, with SOFTNESS and a quarter of it, and the second answer is taken to be
 * as good as both agree. Prints how the errors, the estimates and what the judge is in doubt about
 * are distributed, and the systems whose error is above ten times estimate and doubt. What the
 * judge cannot see is looked for by solving again at a hundredth of the tolerance.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "clock.h"
#include "soft.h"

/* An error this many times the estimate is told of. */
static const double DISHONEST = 10;
static const double JUDGE_TOLERANCE = 1e-12;
enum { JUDGE_STEPS = 400000 };

typedef struct campaign {
    size_t systems;
    uint64_t seed;
    double tolerance, least, most;
    bool each;
    double softness;
} campaign;

/* What was found, system by system. */
typedef struct findings {
    size_t solved, judged, unsolved, dishonest, differing;
    double *error, *estimate, *doubt, *ratio, *change, *part, *seconds;
} findings;

static void judge_one(const campaign *c, const small_system *chain, size_t number,
                      const crm_outcome *outcome, findings *f)
{
    soft_judgement rough = judge_softly(chain, c->softness, JUDGE_TOLERANCE, JUDGE_STEPS);
    soft_judgement truth = judge_softly(chain, c->softness / 4, JUDGE_TOLERANCE, JUDGE_STEPS);
    if (!rough.finished || !truth.finished) {
        return;
    }
    size_t i = f->judged++;
    f->error[i] = largest_difference(outcome->velocity, truth.velocity, chain->n);
    f->doubt[i] = largest_difference(rough.velocity, truth.velocity, chain->n);
    f->ratio[i] = f->error[i] / (outcome->error_estimate + f->doubt[i]);
    if (f->ratio[i] > DISHONEST) {
        f->dishonest++;
        printf("system %zu: %zu balls, %zu contacts: error %.1e, estimate %.1e, judge %.1e\n",
               number, chain->n, chain->s, f->error[i], outcome->error_estimate, f->doubt[i]);
    }
}

static void compare_one(const small_system *chain, size_t number, const crm_outcome *outcome,
                        const crm_outcome *finer, findings *f)
{
    size_t i = f->solved++;
    f->estimate[i] = outcome->error_estimate;
    f->change[i] = largest_difference(outcome->velocity, finer->velocity, chain->n);
    f->part[i] = f->change[i] / (outcome->error_estimate + finer->error_estimate);
    if (f->part[i] > DISHONEST) {
        f->differing++;
        printf("system %zu: %zu balls, %zu contacts: changes by %.1e, estimates %.1e and %.1e\n",
               number, chain->n, chain->s, f->change[i], outcome->error_estimate,
               finer->error_estimate);
    }
}

static void try_system(const campaign *c, const small_system *chain, size_t number, findings *f)
{
    crm_model *model = small_system_model(chain);
    double start = cpu_seconds();
    crm_outcome *outcome =
        lzb_outcome(model, chain->velocity, (lzb_choices){.tolerance = c->tolerance});
    f->seconds[f->solved] = cpu_seconds() - start;
    crm_outcome *finer =
        lzb_outcome(model, chain->velocity, (lzb_choices){.tolerance = c->tolerance / 100});
    if (outcome->result == CRM_SOLVED && finer->result == CRM_SOLVED) {
        compare_one(chain, number, outcome, finer, f);
        judge_one(c, chain, number, outcome, f);
    } else {
        f->unsolved++;
    }
    crm_outcome_free(outcome);
    crm_outcome_free(finer);
    crm_model_free(model);
}

int main(int argc, char **argv)
{
    campaign c = {
        .systems = argc > 1 ? strtoul(argv[1], NULL, 10) : 100,
        .seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1,
        .tolerance = argc > 3 ? strtod(argv[3], NULL) : 1e-8,
        .least = argc > 4 ? strtod(argv[4], NULL) : 0.01,
        .most = argc > 5 ? strtod(argv[5], NULL) : 3,
        .each = !(argc > 6 && strcmp(argv[6], "one") == 0),
        .softness = argc > 7 ? strtod(argv[7], NULL) : 4e-4,
    };
    double *room = calloc(7 * c.systems + 1, sizeof *room);
    if (room == NULL) {
        return 1;
    }
    findings f = {.error = room,
                  .estimate = room + c.systems,
                  .doubt = room + 2 * c.systems,
                  .ratio = room + 3 * c.systems,
                  .change = room + 4 * c.systems,
                  .part = room + 5 * c.systems,
                  .seconds = room + 6 * c.systems};
    rng r = rng_seeded(c.seed);
    for (size_t i = 0; i < c.systems; i++) {
        small_system chain = random_stiff_chain(&r, c.least, c.most, c.each);
        try_system(&c, &chain, i, &f);
    }
    printf("exponents %g to %g, %s, tolerance %g: %zu solved, %zu not\n", c.least, c.most,
           c.each ? "for each contact its own" : "one for a chain", c.tolerance, f.solved,
           f.unsolved);
    printf("%zu change by more than ten estimates at a hundredth of the tolerance\n", f.differing);
    printf("%zu judged, %zu off by more than ten times estimate and doubt of the judge\n", f.judged,
           f.dishonest);
    print_distribution_head();
    print_distribution("estimate", f.estimate, f.solved);
    print_distribution("change", f.change, f.solved);
    print_distribution("change / estimate", f.part, f.solved);
    print_distribution("seconds", f.seconds, f.solved);
    print_distribution("off from judge", f.error, f.judged);
    print_distribution("doubt of judge", f.doubt, f.judged);
    print_distribution("off / both", f.ratio, f.judged);
    free(room);
    return 0;
}
