/* How good the LZB law is where systems are large: random ones of 65 to 300 contacts, all bodies
 * moving in most of them, each solved at a tolerance from 1e-3 to 1e-8.
 *
 *     campaign_large [SYSTEMS] [SEED] [FIRST]        (default 200 1 0)
 *     campaign_large --only INDEX SEED [--dump]
 *
 * Chains, packings and clusters of discs, with and without walls, bi- and mono-stiffness, e from
 * 0.3 to 0.99, exponents 1 and 1.5 and both. Each is solved again at a thousandth of the tolerance,
 * and finely enough for every event to be met by itself (capturing/step.c, FINEST_TOLERANCE). Where
 * the two differ by more than the tolerance or by more than ten estimates, the independent judge by
 * series (tests/support/judge/series.h) is asked, and only what it says counts; how much the impact
 * magnifies a change of velocities is told beside it. Prints every system that is off and ends with
 * 1 if there is any. Those that finer steps do not end are judged by series alone; those that the
 * judge did not end either are counted apart, and printed, too.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "large.h"

/* Finer steps, as a fraction of the tolerance; but no coarser than where substeps pass events. */
static const double FINER = 1e-3, NOT_SWEPT = 4e-10;
/* An estimate may be wrong by this factor; the judge's doubt, known by one bound, is granted it. */
static const double TRUST = 10;
/* The part of the tolerance at which the judge closes tails. */
static const double TAIL = 1e-2;
/* Steps of the judge, a quarter of a ms each and more; of the law, who else may follow a packing
 * for minutes; and of finer steps, of which there may be many more.
 */
enum { JUDGE_STEPS = 120000, MOST_STEPS = 200000, FINER_STEPS = 2000000 };
/* The change by which it is told what an impact magnifies. What magnifies more than that is a jump
 * of the law: either side of it is right.
 */
static const double CHANGE = 1e-9, JUMP = 1e7;

/* false: not solved. */
static bool solve(const large_system *l, double tolerance, double most_steps,
                  const double *velocity, double *after, double *estimate)
{
    crm_model *model = large_model(l);
    crm_settings *settings = lzb_settings((lzb_choices){.stiffness_model = l->mono ? "mono" : "bi",
                                                        .tolerance = tolerance,
                                                        .max_steps = most_steps});
    crm_outcome *outcome = NULL;
    bool solved = model != NULL &&
                  crm_solve(model, velocity, settings, NULL, &outcome, NULL) == CRM_OK &&
                  outcome->result == CRM_SOLVED;
    if (solved) {
        memcpy(after, outcome->velocity, l->n * sizeof *after);
        *estimate = outcome->error_estimate;
    }
    crm_outcome_free(outcome);
    crm_settings_free(settings);
    crm_model_free(model);
    return solved;
}

typedef enum standing {
    GOOD,     /* as with finer steps, or as the judge has it */
    OFF,      /* by the judge */
    UNSOLVED, /* but with finer steps it was */
    UNJUDGED, /* differs from the outcome of finer steps, and the judge did not end, or jumps */
    HARD      /* not solved at either */
} standing;

typedef struct finding {
    standing standing;
    bool above_tolerance, above_estimate;
    double error, estimate, finer, amplification, seconds; /* finer: error of finer steps */
} finding;

static double apart(const large_system *l, const double *a, const double *b)
{
    return largest_difference(a, b, l->n) / large_speed(l);
}

static double amplification_of(const large_system *l, double finest, const double *fine)
{
    static double changed[LARGE_COORDINATES], after[LARGE_COORDINATES];
    double estimate;
    rng r = rng_seeded(1);
    for (size_t i = 0; i < l->n; i++) {
        changed[i] = l->velocity[i] + (rng_below(&r, 2) ? CHANGE : -CHANGE) * large_speed(l);
    }
    return solve(l, finest, MOST_STEPS, changed, after, &estimate) ? apart(l, after, fine) / CHANGE
                                                                   : INFINITY;
}

static void weigh(finding *f, double tolerance, double doubt)
{
    double certain = f->error - TRUST * doubt;
    f->above_tolerance = certain > tolerance;
    f->above_estimate = certain > TRUST * f->estimate;
}

static void ask_judge(const large_system *l, const double *answer, const double *fine, finding *f)
{
    static double truth[LARGE_COORDINATES];
    double tail;
    double allowed = fmin(l->tolerance, TRUST * f->estimate);
    bool judged = large_judge(l, TAIL * allowed, JUDGE_STEPS, truth, &tail);
    f->standing = UNJUDGED;
    if (judged && TRUST * tail < allowed) {
        f->error = apart(l, answer, truth);
        f->finer = apart(l, fine, truth);
        weigh(f, l->tolerance, tail);
        bool off = f->above_tolerance || f->above_estimate;
        f->standing = !off ? GOOD : f->amplification > JUMP ? UNJUDGED : OFF;
    }
}

static finding judge(const large_system *l)
{
    static double answer[LARGE_COORDINATES], fine[LARGE_COORDINATES];
    finding f = {.finer = NAN, .amplification = NAN};
    double estimate, finest = fmin(FINER * l->tolerance, NOT_SWEPT), start = cpu_seconds();
    bool solved = solve(l, l->tolerance, MOST_STEPS, l->velocity, answer, &f.estimate);
    f.seconds = cpu_seconds() - start;
    bool finer = solve(l, finest, FINER_STEPS, l->velocity, fine, &estimate);
    if (!solved) {
        f.standing = finer ? UNSOLVED : HARD;
        return f;
    }
    if (!finer) {
        f.amplification = INFINITY;
        ask_judge(l, answer, answer, &f);
        return f;
    }
    f.error = apart(l, answer, fine);
    weigh(&f, l->tolerance, 0);
    if (f.above_tolerance || f.above_estimate) {
        f.amplification = amplification_of(l, finest, fine);
        ask_judge(l, answer, fine, &f);
    }
    return f;
}

static void print(const large_system *l, const finding *f, size_t index, uint64_t seed)
{
    static const char *const words[] = {"good", "off", "not solved", "not judged", "hard"};
    printf("--only %zu %llu: %s, %zu contacts, %s, tolerance %.0e: %s by %.1e, estimate %.1e (%s), "
           "finer steps by %.1e, magnified %.0e, %.2f s\n",
           index, (unsigned long long)seed, large_kind_text(l->kind), l->s, l->mono ? "mono" : "bi",
           l->tolerance, words[f->standing], f->error, f->estimate,
           f->above_tolerance  ? "above the tolerance"
           : f->above_estimate ? "above ten estimates"
                               : "-",
           f->finer, f->amplification, f->seconds);
    fflush(stdout);
}

static int run(size_t systems, uint64_t seed, size_t first)
{
    static large_system l;
    size_t count[HARD + 1] = {0}, tolerance = 0, estimate = 0;
    double seconds = 0;
    for (size_t i = first; i < first + systems; i++) {
        large_draw(seed, i, &l);
        finding f = judge(&l);
        count[f.standing]++;
        tolerance += f.standing == OFF && f.above_tolerance;
        estimate += f.standing == OFF && f.above_estimate;
        seconds += f.seconds;
        if (f.standing == OFF || f.standing == UNSOLVED || f.standing == UNJUDGED) {
            print(&l, &f, i, seed);
        }
    }
    printf(
        "%zu systems: %zu good, %zu above the tolerance, %zu above ten estimates, %zu not solved "
        "but with finer steps, %zu not judged, %zu not solved at all; %.1f s of %.1f s were "
        "theirs\n",
        systems, count[GOOD], tolerance, estimate, count[UNSOLVED], count[UNJUDGED], count[HARD],
        seconds, cpu_seconds());
    return count[OFF] + count[UNSOLVED] > 0;
}

int main(int argc, char **argv)
{
    if (argc >= 4 && strcmp(argv[1], "--only") == 0) {
        static large_system l;
        size_t index = strtoul(argv[2], NULL, 10);
        uint64_t seed = strtoull(argv[3], NULL, 10);
        large_draw(seed, index, &l);
        if (argc > 4 && strcmp(argv[4], "--dump") == 0) {
            char title[128];
            snprintf(title, sizeof title, "%s, campaign_large --only %zu %llu",
                     large_kind_text(l.kind), index, (unsigned long long)seed);
            large_dump(&l, title);
            return 0;
        }
        finding f = judge(&l);
        print(&l, &f, index, seed);
        return f.standing == OFF || f.standing == UNSOLVED;
    }
    return run(argc > 1 ? strtoul(argv[1], NULL, 10) : 200,
               argc > 2 ? strtoull(argv[2], NULL, 10) : 1,
               argc > 3 ? strtoul(argv[3], NULL, 10) : 0);
}
