/* How exact the laws by complementarity are where contacts are dependent or nearly so: random small
 * systems, each by four laws, compared with a judge in four times the precision (lcp_judge.h).
 *
 *     campaign_lcp [SYSTEMS] [SEED] [INDEX]      (default 2000 1; INDEX: this one alone, printed)
 *
 * Errors are of v+, relative to the largest speed before: of a contact or a coordinate. What the
 * data allow is told by nudging W: how far v+ moves when every entry goes to a neighbouring double.
 * An error counts as too large above 1e-12 (of v+ where that is faster) and a hundred times that;
 * an estimate as dishonest when with it it is below a tenth of the error; a verdict is compared
 * where the truth is clear. The worst error is that of systems that nudging moves by less than
 * 1e-12.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "complementarity_call.h"
#include "lcp_judge.h"
#include "lcp_systems.h"

static const double EXACT = 1e-12;
enum { NUDGES = 3, NUDGED = 100 };

typedef struct tally {
    size_t tried, unsure, other_result, unsolved[CRM_RESULT_COUNT], skipped;
    size_t too_large, dishonest, wrong_kinematic, wrong_energetic, wrong_unique;
    double worst, worst_beyond, worst_ratio, largest_estimate;
} tally;

typedef struct trial {
    small_system system;
    const char *law;
    double matrix[SMALL * SMALL];
    bool has_matrix;
} trial;

static double largest_made(const small_system *system, const double *velocity)
{
    double most = 0;
    for (size_t j = 0; j < system->s; j++) {
        double sum = 0;
        for (size_t i = 0; i < system->n; i++) {
            sum += fabs(system->w[j * system->n + i] * velocity[i]);
        }
        most = fmax(most, sum);
    }
    return most;
}

/* Before: of a coordinate, or of a contact as far as coordinates make it, gaps being in any unit.
 */
static double speed_of(const small_system *system, const double *after)
{
    double u[SMALL],
        made = fmax(largest_made(system, system->velocity), largest_made(system, after));
    double speed = largest_size(system->velocity, system->n);
    double most = fmax(speed, largest_size(after, system->n));
    small_system_gap_velocity(system, system->velocity, u);
    return fmax(speed, made > 0 ? most / made * largest_size(u, system->s) : 0);
}

static lcp_verdict judge(const trial *t, const small_system *system)
{
    return t->law[0] == 'p' ? lcp_judge_poisson(system)
                            : lcp_judge_newton(system, t->has_matrix ? t->matrix : NULL);
}

static crm_outcome *answer(const trial *t)
{
    crm_settings *settings = settings_of(t->law);
    crm_error error = {0};
    if (t->has_matrix) {
        size_t count = t->system.s * t->system.s;
        assert_ok(crm_settings_set_list(settings, "restitution_matrix", count, t->matrix, &error),
                  &error);
    }
    crm_outcome *outcome = outcome_by(settings, &t->system);
    crm_settings_free(settings);
    return outcome;
}

/* How far v+ moves when W does; INFINITY when the answer comes and goes. */
static double allowed_by_w(const trial *t, const lcp_verdict *truth, rng *r)
{
    double most = 0;
    for (int k = 0; k < NUDGES; k++) {
        small_system nudged = lcp_nudged(&t->system, r);
        lcp_verdict other = judge(t, &nudged);
        if (!other.sure || other.feasible != truth->feasible) {
            return INFINITY;
        }
        most = fmax(most, largest_difference(other.velocity, truth->velocity, t->system.n));
    }
    return most;
}

static bool equal_restitution(const small_system *system)
{
    for (size_t j = 1; j < system->s; j++) {
        if (system->restitution[j] != system->restitution[0]) {
            return false;
        }
    }
    return true;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static bool clearly(double value, double limit, bool *is_below)
{
    *is_below = value < limit;
    return value < 100 * limit || value > 0.001 * limit;
}

static void compare_verdicts(const trial *t, const crm_outcome *outcome, const lcp_verdict *truth,
                             tally *sum, bool *bad)
{
    double least = 0, speed, u[SMALL];
    bool closes;
    small_system_gap_velocity(&t->system, t->system.velocity, u);
    speed = fmax(largest_size(u, t->system.s), largest_size(truth->gap_velocity, t->system.s));
    for (size_t j = 0; j < t->system.s; j++) {
        least = fmin(least, truth->gap_velocity[j]);
    }
    double limit = -1e-10 * speed - 1e-14 * (largest_made(&t->system, t->system.velocity) +
                                             largest_made(&t->system, truth->velocity));
    bool kinematic = clearly(least, limit, &closes) && outcome->kinematic == closes;
    bool makes = truth->energy_made > 1e-8;
    bool energetic = outcome->energetic == makes && (makes || truth->energy_made < 1e-12);
    bool unique = outcome->unique != truth->independent && truth->clear &&
                  (truth->nearness > 1e-20 || truth->nearness == 0);
    sum->wrong_kinematic += kinematic;
    sum->wrong_energetic += energetic;
    sum->wrong_unique += unique;
    *bad |= kinematic || energetic || unique;
    if (kinematic || energetic || unique) {
        printf("   verdict:%s%s%s (least u+ %.1e, energy made %.1e, nearness %.1e)\n",
               kinematic ? " kinematic" : "", energetic ? " energetic" : "",
               unique ? " unique" : "", least / speed, truth->energy_made, truth->nearness);
    }
}

static void compare(const trial *t, const crm_outcome *outcome, const lcp_verdict *truth, rng *r,
                    tally *sum, bool *bad)
{
    double speed = speed_of(&t->system, truth->velocity);
    if (!(speed > 0)) {
        sum->skipped++;
        return;
    }
    double allowed = allowed_by_w(t, truth, r) / speed;
    crm_result want = truth->feasible ? CRM_SOLVED : CRM_INFEASIBLE;
    if (outcome->result != want && isfinite(allowed)) {
        sum->other_result++;
        sum->unsolved[outcome->result]++;
        *bad = true;
        printf("   %s instead of %s: %s\n", crm_result_text(outcome->result), crm_result_text(want),
               outcome->reason);
    }
    if (outcome->result != want || !truth->feasible) {
        return;
    }
    if (t->law[0] == 'p' && !(truth->independent && truth->clear) &&
        !equal_restitution(&t->system)) {
        sum->skipped++;
        return;
    }
    double error = largest_difference(outcome->velocity, truth->velocity, t->system.n) / speed;
    double most = fmax(1, largest_size(truth->velocity, t->system.n) / speed);
    bool large = !(error <= EXACT * most + NUDGED * allowed);
    bool low = !(error <= 10 * (outcome->error_estimate + allowed) + 1e-16);
    sum->worst = fmax(sum->worst, allowed < EXACT * most ? error / most : 0);
    sum->worst_beyond = fmax(sum->worst_beyond, error / (EXACT * most + NUDGED * allowed));
    sum->worst_ratio = fmax(sum->worst_ratio, error / (outcome->error_estimate + allowed + 1e-17));
    sum->largest_estimate = fmax(sum->largest_estimate, outcome->error_estimate);
    sum->too_large += large;
    sum->dishonest += low;
    *bad |= large || low;
    if (large || low) {
        printf("   error %.1e, estimate %.1e, W allows %.1e, nearness %.1e\n", error,
               outcome->error_estimate, allowed, truth->nearness);
    }
    if (allowed < 1e-6) {
        compare_verdicts(t, outcome, truth, sum, bad);
    }
}

/* ---- Trying ---------------------------------------------------------------------------------- */

static void try_law(const trial *t, const char *where, rng *r, tally *sum, bool show)
{
    bool bad = false;
    lcp_verdict truth = judge(t, &t->system);
    sum->tried++;
    if (!truth.sure) {
        sum->unsure++;
        return;
    }
    crm_outcome *outcome = answer(t);
    compare(t, outcome, &truth, r, sum, &bad);
    if (bad || show) {
        printf("%s, %s\n", where, t->law);
    }
    if (show) {
        for (size_t i = 0; i < t->system.n; i++) {
            printf("   v+ %.17g, want %.17g\n", outcome->velocity[i], truth.velocity[i]);
        }
        printf("   estimate %.1e, note: %s\n", outcome->error_estimate, outcome->note);
    }
    crm_outcome_free(outcome);
}

static void try_system(uint64_t seed, size_t index, tally *sums, bool show)
{
    rng r = rng_seeded(seed * 1000003 + index);
    lcp_kind kind = index % LCP_KINDS;
    trial t = {.system = lcp_random_system(&r, kind)};
    char where[64];
    snprintf(where, sizeof where, "system %zu (%s)", index, lcp_kind_names[kind]);
    if (show) {
        small_system_print(&t.system);
    }
    for (size_t k = 0; k < LAWS; k++) {
        t.law = every_law[k];
        t.has_matrix = t.law[0] == 'g';
        for (size_t i = 0; i < t.system.s * t.system.s; i++) {
            t.matrix[i] = rng_below(&r, 3) == 0 ? rng_uniform(&r, -0.3, 1) : 0;
        }
        trial one = t;
        for (size_t j = 0; t.law[0] == 'm' && j < t.system.s; j++) {
            one.system.restitution[j] = t.system.restitution[0];
        }
        try_law(&one, where, &r, &sums[kind], show);
    }
}

static void print_tallies(const tally *sums)
{
    printf("%-10s %6s %6s %7s %8s %7s %9s %9s %9s %9s %9s %8s\n", "", "tried", "unsure", "skipped",
           "unsolved", "too far", "dishonest", "verdicts", "worst", "/allowed", "/estimate",
           "estimate");
    for (size_t k = 0; k < LCP_KINDS; k++) {
        const tally *t = &sums[k];
        printf("%-10s %6zu %6zu %7zu %8zu %7zu %9zu %3zu+%zu+%zu %11.1e %9.1e %9.1e %8.1e\n",
               lcp_kind_names[k], t->tried, t->unsure, t->skipped, t->other_result, t->too_large,
               t->dishonest, t->wrong_kinematic, t->wrong_energetic, t->wrong_unique, t->worst,
               t->worst_beyond, t->worst_ratio, t->largest_estimate);
    }
}

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
    uint64_t seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    tally sums[LCP_KINDS] = {0};
    if (argc > 3) {
        try_system(seed, strtoul(argv[3], NULL, 10), sums, true);
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        try_system(seed, i, sums, false);
    }
    print_tallies(sums);
    return 0;
}
