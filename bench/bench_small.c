/* Many small impacts: a Newton's cradle of five balls (identical elastic Hertz beads of steel, the
 * first at about 1 m/s), solved again and again by each way to call the law. Microseconds per
 * impact of wall clock and of processor; the speeds of the first ball differ from call to call.
 *
 *     bench_small [calls] [tolerance]      (default 20000 1e-8)
 *
 * "model" is crm_model_from_system alone: what a multibody code pays for a new M and W. The
 * smallest of several rounds is given.
 */
#include <carom/carom.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "clock.h"

enum { BALLS = 5, ROUNDS = 5 };

typedef struct trial {
    crm_model *model;
    crm_settings *settings, *by_gauss; /* the same, with `scheme: gauss` */
    size_t calls;
    double *before, *after; /* calls * BALLS */
} trial;

static crm_model *cradle(void)
{
    const crm_material steel = {.young = 203e9, .poisson = 0.3, .density = 7780};
    crm_chain_def def = crm_chain_def_default();
    def.count = BALLS;
    def.radius.all = 0.01;
    def.material = &steel;
    crm_model *model = NULL;
    crm_error error = {0};
    check(crm_model_from_chain(&def, &model, &error), &error);
    return model;
}

/* ---- The ways to call ---------------------------------------------------------------------- */

static void by_solve(trial *t)
{
    crm_error error = {0};
    for (size_t i = 0; i < t->calls; i++) {
        crm_outcome *outcome;
        check(crm_solve(t->model, t->before + i * BALLS, t->settings, NULL, &outcome, &error),
              &error);
        t->after[i * BALLS + BALLS - 1] = outcome->velocity[BALLS - 1];
        crm_outcome_free(outcome);
    }
}

static void in_workspace(trial *t, const crm_settings *settings)
{
    crm_error error = {0};
    crm_workspace *workspace;
    check(crm_workspace_create(&workspace, &error), &error);
    for (size_t i = 0; i < t->calls; i++) {
        const crm_outcome *outcome;
        check(crm_solve_with(workspace, t->model, t->before + i * BALLS, settings, NULL, &outcome,
                             &error),
              &error);
        t->after[i * BALLS + BALLS - 1] = outcome->velocity[BALLS - 1];
    }
    crm_workspace_free(workspace);
}

static void by_workspace(trial *t)
{
    in_workspace(t, t->settings);
}

static void by_workspace_and_gauss(trial *t)
{
    in_workspace(t, t->by_gauss);
}

static void by_batch(trial *t, size_t threads, bool singly)
{
    crm_error error = {0};
    const crm_batch_def def = {.count = t->calls,
                               .model = t->model,
                               .velocities = t->before,
                               .settings = t->settings,
                               .threads = threads,
                               .in_lanes = !singly};
    const crm_batch_results results = {.velocities = t->after};
    check(crm_solve_batch(&def, &results, &error), &error);
}

static void by_batch_singly(trial *t)
{
    by_batch(t, 1, true);
}

static void by_batch_on_one(trial *t)
{
    by_batch(t, 1, false);
}

static void by_batch_on_two(trial *t)
{
    by_batch(t, 2, false);
}

static void model_only(trial *t)
{
    const double mass[BALLS] = {1, 1, 1, 1, 1};
    double w[(BALLS - 1) * BALLS] = {0};
    for (size_t j = 0; j + 1 < BALLS; j++) {
        w[j * BALLS + j] = -1;
        w[j * BALLS + j + 1] = 1;
    }
    crm_system_def def = crm_system_def_default();
    def.coordinates = BALLS;
    def.contacts = BALLS - 1;
    def.mass_diagonal = mass;
    def.w_dense = w;
    crm_error error = {0};
    for (size_t i = 0; i < t->calls; i++) {
        crm_model *model;
        check(crm_model_from_system(&def, &model, &error), &error);
        crm_model_free(model);
    }
}

/* ---- The table ----------------------------------------------------------------------------- */

typedef struct cost {
    double wall, processor; /* microseconds per impact */
} cost;

static cost measure(trial *t, void (*way)(trial *))
{
    cost least = {1e300, 1e300};
    for (int round = 0; round < ROUNDS; round++) {
        double wall = wall_seconds(), processor = cpu_seconds();
        way(t);
        processor = 1e6 * (cpu_seconds() - processor) / (double)t->calls;
        wall = 1e6 * (wall_seconds() - wall) / (double)t->calls;
        least.wall = wall < least.wall ? wall : least.wall;
        least.processor = processor < least.processor ? processor : least.processor;
    }
    return least;
}

static crm_settings *settings_of(double tolerance, const char *scheme)
{
    crm_settings *settings = NULL;
    crm_error error = {0};
    check(crm_settings_create(crm_law_find("lzb"), &settings, &error), &error);
    check(crm_settings_set_number(settings, "tolerance", tolerance, &error), &error);
    check(crm_settings_set_text(settings, "scheme", scheme, &error), &error);
    return settings;
}

int main(int argc, char **argv)
{
    trial t = {.calls = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000, .model = cradle()};
    t.settings = settings_of(argc > 2 ? strtod(argv[2], NULL) : 1e-8, "auto");
    t.by_gauss = settings_of(argc > 2 ? strtod(argv[2], NULL) : 1e-8, "gauss");
    t.before = calloc(t.calls * BALLS, sizeof *t.before);
    t.after = calloc(t.calls * BALLS, sizeof *t.after);
    if (t.before == NULL || t.after == NULL) {
        return 1;
    }
    for (size_t i = 0; i < t.calls; i++) {
        t.before[i * BALLS] = 1.0 + 1e-3 * (double)(i % 100);
    }
    const struct {
        const char *name;
        void (*way)(trial *);
    } ways[] = {{"crm_solve", by_solve},
                {"crm_solve_with", by_workspace},
                {"crm_solve_with, gauss", by_workspace_and_gauss},
                {"crm_solve_batch, singly", by_batch_singly},
                {"crm_solve_batch, 1 thread", by_batch_on_one},
                {"crm_solve_batch, 2 threads", by_batch_on_two},
                {"model", model_only}};
    double first = 0;
    printf("%-28s %12s %12s %14s\n", "5-ball cradle, us per impact", "wall", "processor",
           "crm_solve is");
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
        cost each = measure(&t, ways[k].way);
        first = k == 0 ? each.processor : first;
        printf("%-28s %12.2f %12.2f %12.2f x\n", ways[k].name, each.wall, each.processor,
               first / each.processor);
    }
    free(t.before);
    free(t.after);
    crm_settings_free(t.settings);
    crm_settings_free(t.by_gauss);
    crm_model_free(t.model);
    return 0;
}
