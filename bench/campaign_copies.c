/* Whether the same impact told in another way has the same outcome (campaign/copy.h).
 *
 *     campaign_copies [SYSTEMS] [SEED]        (default 1000 1)
 *     campaign_copies --only INDEX SEED
 *
 * The systems of campaign_lzb. Every other one is solved by lzb, at the tolerances 1e-4, 1e-6, 1e-8
 * and 1e-10 in turn, the rest by laws that know nothing of how a system is told: moreau, newton,
 * poisson, binary (always the fastest contact next), compliant. Left out: generalized-newton,
 * impulse-ratio and icr, which are about numbered contacts, and sequential. Two outcomes must agree
 * within the tolerance and within ten times the sum of their estimates; where they do not, it is
 * said how much the impact magnifies a change of 1e-13, and beyond 1e8 (it jumps) it is not
 * counted.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "copy.h"
#include "count.h"

typedef struct way {
    const char *name, *law, *option, *value;
    double tolerance; /* 0: those of lzb in turn; without an estimate, of rounding */
} way;

static const way ways[] = {
    {"lzb", "lzb", NULL, NULL, 0},
    {"moreau", "moreau", NULL, NULL, 1e-10},
    {"newton", "newton", NULL, NULL, 1e-10},
    {"poisson", "poisson", NULL, NULL, 1e-10},
    {"binary", "binary", "order", "fastest", 1e-10},
    {"compliant", "compliant", NULL, NULL, 1e-10},
};
enum { WAYS = sizeof ways / sizeof *ways };

/* Larger amplifications are jumps of the law. */
static const double JUMP = 1e8;
/* Error of the numbers of a copy and of sums of them: some hundred roundings. */
static const double ROUNDING = 3e-14;
/* Where a law has none of its own. */
static const double ESTIMATE = 1e-11;

typedef struct pair_case {
    draw original;
    copy copy;
    const way *way;
    double tolerance;
} pair_case;

static bool draw_case(uint64_t seed, size_t index, pair_case *p)
{
    rng r = rng_seeded(seed + 1000003 * index);
    p->original = draw_system(seed, index);
    p->way = &ways[index % 2 == 0 ? 0 : 1 + rng_below(&r, WAYS - 1)];
    p->tolerance = p->way->tolerance > 0 ? p->way->tolerance
                                         : count_tolerances[rng_below(&r, COUNT_TOLERANCES)];
    return copy_make(&r, &p->original.system, (copy_kind)rng_below(&r, COPY_KINDS), &p->copy);
}

/* ---- Solving --------------------------------------------------------------------------------- */

static crm_settings *settings_of(const pair_case *p)
{
    crm_error error = {0};
    crm_settings *settings = NULL;
    const small_system *s = &p->original.system;
    if (p->way == &ways[0]) {
        return lzb_settings((lzb_choices){.stiffness_model = p->original.mono ? "mono" : "bi",
                                          .tolerance = p->tolerance});
    }
    crm_settings_create(crm_law_find(p->way->law), &settings, &error);
    if (p->way->option != NULL) {
        crm_settings_set_text(settings, p->way->option, p->way->value, &error);
    }
    if (strcmp(p->way->law, "moreau") == 0) {
        crm_settings_set_number(settings, "restitution", s->restitution[0], &error);
    }
    return settings;
}

/* Takes the model over. NULL: refused. */
static crm_outcome *solve(crm_model *model, const double *velocity, const crm_settings *settings)
{
    crm_outcome *outcome = NULL;
    crm_solve(model, velocity, settings, NULL, &outcome, NULL);
    crm_model_free(model);
    return outcome;
}

static double estimate_of(const crm_outcome *outcome)
{
    return isnan(outcome->error_estimate) ? ESTIMATE : outcome->error_estimate;
}

/* All numbers of M, W and v changed by that part, up or down. */
static small_system changed(const small_system *system, double part, uint64_t seed)
{
    small_system other = *system;
    double by[SMALL], speed = draw_speed(system);
    rng r = rng_seeded(seed);
    for (size_t i = 0; i < system->n; i++) {
        by[i] = rng_below(&r, 2) ? part : -part;
        other.velocity[i] += by[i] * speed;
    }
    for (size_t i = 0; i < system->n * system->n; i++) {
        other.mass[i] *= 1 + by[i / system->n] + by[i % system->n];
    }
    for (size_t k = 0; k < system->n * system->s; k++) {
        other.w[k] *= 1 + (rng_below(&r, 2) ? part : -part);
    }
    return other;
}

static double amplification(const pair_case *p, const crm_outcome *outcome,
                            const crm_settings *settings)
{
    const double part = 1e-13;
    double worst = 0;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        small_system other = changed(&p->original.system, part, seed);
        crm_outcome *beside = solve(small_system_model(&other), other.velocity, settings);
        if (beside != NULL) {
            worst = fmax(worst, largest_difference(beside->velocity, outcome->velocity, other.n));
        }
        crm_outcome_free(beside);
    }
    return worst / (part * draw_speed(&p->original.system));
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static void compare(const pair_case *p, const crm_outcome *a, const crm_outcome *b,
                    const crm_settings *settings, count_case *one)
{
    const small_system *s = &p->original.system;
    double back[SMALL];
    copy_back(&p->copy, s, b->velocity, back);
    verdict v = {.judged = true, .amplification = NAN};
    one->estimate = estimate_of(a) + estimate_of(b);
    v.error = largest_difference(a->velocity, back, s->n) / draw_speed(s);
    v.above_tolerance = !(v.error <= p->tolerance);
    v.above_estimate = !(v.error <= VERDICT_TRUST * one->estimate + ROUNDING);
    if (v.above_tolerance || v.above_estimate) {
        v.amplification = amplification(p, a, settings);
        double data = ROUNDING * (1 + v.amplification); /* the numbers of the copy are rounded */
        v.above_tolerance = !(v.error <= p->tolerance + data);
        v.above_estimate = !(v.error <= VERDICT_TRUST * one->estimate + data);
        if (v.amplification > JUMP) {
            v.judged = v.above_tolerance = v.above_estimate = false;
        }
    }
    one->verdict = v;
}

static offence try_case(tally *c, const pair_case *p, size_t index, bool print)
{
    const small_system *s = &p->original.system;
    crm_settings *settings = settings_of(p);
    crm_outcome *a = solve(small_system_model(s), s->velocity, settings);
    crm_outcome *b = solve(copy_model(&p->copy), p->copy.system.velocity, settings);
    bool refused = a == NULL || b == NULL;
    count_case one = {.index = index,
                      .row = (size_t)(p->way - ways) * COPY_KINDS + p->copy.kind,
                      .mono = p->original.mono,
                      .contacts = s->s,
                      .tolerance = p->tolerance,
                      .refused = refused};
    if (!refused) {
        one.result = a->result == CRM_SOLVED ? b->result : a->result;
        bool both = a->result == CRM_SOLVED && b->result == CRM_SOLVED;
        one.verdict.judged = a->result != b->result; /* else both had the same trouble */
        if (both) {
            compare(p, a, b, settings, &one);
        }
    }
    for (size_t i = 0; print && !refused && i < s->n; i++) {
        double back[SMALL];
        copy_back(&p->copy, s, b->velocity, back);
        printf("# velocity[%zu]: %.17g, of the copy %.17g, apart %.1e\n", i + 1, a->velocity[i],
               back[i], back[i] - a->velocity[i]);
    }
    crm_outcome_free(a);
    crm_outcome_free(b);
    crm_settings_free(settings);
    return count_add(c, &one);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static void name_rows(tally *c, char names[][24])
{
    c->rows = WAYS * COPY_KINDS;
    for (size_t k = 0; k < c->rows; k++) {
        snprintf(names[k], 24, "%s, %s", ways[k / COPY_KINDS].name,
                 copy_kind_text((copy_kind)(k % COPY_KINDS)));
        c->names[k] = names[k];
    }
}

int main(int argc, char **argv)
{
    char names[WAYS * COPY_KINDS][24];
    bool only = argc > 1 && strcmp(argv[1], "--only") == 0;
    argc -= only;
    argv += only;
    size_t number = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    tally c = {0};
    name_rows(&c, names);
    for (size_t i = only ? number : 0; i < (only ? number + 1 : number); i++) {
        pair_case p;
        if (!draw_case(seed, i, &p)) {
            continue;
        }
        if (only) {
            draw_dump(&p.original, p.tolerance, "campaign_copies, the original");
            draw copied = {.mono = p.original.mono, .system = p.copy.system};
            draw_dump(&copied, p.tolerance, "campaign_copies, the copy");
            fflush(stdout); /* whatever becomes of them */
        }
        if (try_case(&c, &p, i, only) != OFFENCE_NONE) {
            count_print_offender(&c.offenders[c.offender_count - 1]);
            fflush(stdout);
        }
    }
    if (!only) {
        count_print(&c);
    }
    count_free(&c);
    return 0;
}
