/* How good the LZB law is: random systems of many kinds, each solved at a tolerance and judged by
 * an independent integrator (tests/support/judge/series.h).
 *
 *     campaign_lzb [SYSTEMS] [SEED] [TOLERANCE|all] [FIRST]        (default 1000 1 all 0)
 *     campaign_lzb --only INDEX SEED [TOLERANCE|all] [--dump] [--quad]
 *     campaign_lzb --scheme gauss ...             (by another scheme with error control)
 *
 * `all` goes through 1e-4, 1e-6, 1e-8 and 1e-10 in turn. FIRST is the index of the first system:
 * from 1000000 on they are of the hard kinds in turn, contacts of high exponents that store next to
 * nothing, contacts with e from 1e-12 on, and more contacts than coordinates, of all sorts. Prints
 * a table by kind and by tolerance and the systems that were not solved, whose error is above the
 * tolerance or ten times the estimate, or whose energies, losses or impulses cannot be. `--only`
 * looks at one of them, beside the judge's answer (`--quad`: in 113 bits); `--dump` writes it as a
 * scenario for `carom solve`.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "count.h"

static const char *scheme; /* NULL: the default */

/* NULL: refused. */
static crm_outcome *solve(const draw *d, double tolerance)
{
    const small_system *s = &d->system;
    crm_system_def def = small_system_def(s);
    crm_settings *settings = lzb_settings((lzb_choices){
        .stiffness_model = d->mono ? "mono" : "bi", .scheme = scheme, .tolerance = tolerance});
    crm_model *model = NULL;
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    if (crm_model_from_system(&def, &model, &error) != CRM_OK ||
        crm_solve(model, s->velocity, settings, NULL, &outcome, &error) != CRM_OK) {
        printf("# refused: %s: %s\n", error.place, error.message);
    }
    crm_model_free(model);
    crm_settings_free(settings);
    return outcome;
}

static answer answer_of(const crm_outcome *outcome)
{
    return (answer){.velocity = outcome->velocity,
                    .impulse = outcome->impulse,
                    .loss = outcome->loss,
                    .estimate = outcome->error_estimate};
}

static offence judge_outcome(tally *c, const draw *d, size_t index, double tolerance,
                             const crm_outcome *outcome, double seconds)
{
    count_case one = {.index = index,
                      .row = d->kind,
                      .mono = d->mono,
                      .contacts = d->system.s,
                      .tolerance = tolerance,
                      .seconds = seconds,
                      .refused = outcome == NULL};
    if (outcome != NULL) {
        one.result = outcome->result;
        one.estimate = outcome->error_estimate;
        if (outcome->result == CRM_SOLVED) {
            answer a = answer_of(outcome);
            one.verdict = verdict_on(&d->system, d->mono, tolerance, &a);
        } else {
            one.verdict = verdict_without(&d->system, d->mono, tolerance);
        }
    }
    return count_add(c, &one);
}

/* 0: all in turn. */
static double tolerance_of(double given, size_t index)
{
    return given > 0 ? given : count_tolerances[(index / 3) % COUNT_TOLERANCES];
}

static void look_at_one(tally *c, size_t index, uint64_t seed, double given, bool dump, bool quad)
{
    draw d = draw_system(seed, index);
    double tolerance = tolerance_of(given, index);
    char title[128];
    snprintf(title, sizeof title, "%s, campaign_lzb --only %zu %llu, tolerance %g",
             draw_kind_text(d.kind), index, (unsigned long long)seed, tolerance);
    if (dump) {
        draw_dump(&d, tolerance, title);
    }
    crm_outcome *outcome = solve(&d, tolerance);
    if (outcome != NULL) {
        answer a = answer_of(outcome);
        printf("# %s: %s, estimate %.1e, %llu steps%s\n", title, crm_result_text(outcome->result),
               outcome->error_estimate, (unsigned long long)outcome->steps,
               outcome->tail_closed ? ", tail closed" : "");
        verdict_settle(&d.system, d.mono, &a, quad);
    }
    if (judge_outcome(c, &d, index, tolerance, outcome, 0) != OFFENCE_NONE) {
        printf("#");
        count_print_offender(&c->offenders[0]);
    }
    crm_outcome_free(outcome);
}

static void run(tally *c, size_t first, size_t systems, uint64_t seed, double given)
{
    for (size_t i = first; i < first + systems; i++) {
        draw d = draw_system(seed, i);
        double tolerance = tolerance_of(given, i), start = cpu_seconds();
        crm_outcome *outcome = solve(&d, tolerance);
        if (judge_outcome(c, &d, i, tolerance, outcome, cpu_seconds() - start) != OFFENCE_NONE) {
            count_print_offender(&c->offenders[c->offender_count - 1]);
            fflush(stdout);
        }
        crm_outcome_free(outcome);
    }
    count_print(c);
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--scheme") == 0) {
        scheme = argv[2];
        argc -= 2;
        argv += 2;
    }
    bool dump = false, quad = false, only = argc > 1 && strcmp(argv[1], "--only") == 0;
    while (argc > 1 &&
           (strcmp(argv[argc - 1], "--dump") == 0 || strcmp(argv[argc - 1], "--quad") == 0)) {
        *(strcmp(argv[argc - 1], "--dump") == 0 ? &dump : &quad) = true;
        argc--;
    }
    argc -= only;
    argv += only;
    size_t number = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    double given = argc > 3 ? strtod(argv[3], NULL) : 0; /* "all" is no number */
    size_t first = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;
    tally c = {.rows = DRAW_KINDS};
    for (size_t k = 0; k < DRAW_KINDS; k++) {
        c.names[k] = draw_kind_text((draw_kind)k);
    }
    if (only) {
        look_at_one(&c, number, seed, given, dump, quad);
    } else {
        run(&c, first, number, seed, given);
    }
    count_free(&c);
    return 0;
}
