/* Impacts of few contacts by LZB with its default scheme: microseconds of processor for each kind
 * of chain and packing of discs, number of balls and tolerance, as CSV. What driver/integrator.c
 * chooses between was chosen by these; run it in two builds by turns to compare them.
 *
 *     bench_few [rounds]      (default 5; the least of them counts)
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/carom.h"
#include "clock.h"
#include "rng.h"

enum { MOST_BALLS = 40, SYSTEMS = 6 };
/* Least duration of a measurement. */
static const double SECONDS = 2e-3;

typedef struct kind {
    const char *name, *stiffness_model;
    double restitution;
    bool random; /* masses, stiffness and restitution, the last from `restitution` to 1 */
    bool discs;  /* two rows of them, and all move */
} kind;

typedef struct systems {
    size_t count;
    crm_model *model[SYSTEMS];
    double velocity[SYSTEMS][2 * MOST_BALLS];
} systems;

static crm_model *draw_discs(rng *r, const kind *k, size_t balls, double *velocity)
{
    crm_packing_def def = crm_packing_def_default();
    def.rows = 2;
    def.columns = balls / 2;
    def.restitution.all = k->restitution;
    for (size_t i = 0; i < 2 * balls; i++) {
        velocity[i] = rng_uniform(r, -1, 1);
    }
    crm_model *model = NULL;
    crm_error error = {0};
    check(crm_model_from_packing(&def, &model, &error), &error);
    return model;
}

static crm_model *draw(rng *r, const kind *k, size_t balls, double *velocity)
{
    double mass[MOST_BALLS], stiffness[MOST_BALLS], restitution[MOST_BALLS];
    crm_chain_def def = crm_chain_def_default();
    def.count = balls;
    for (size_t i = 0; i < balls; i++) {
        mass[i] = k->random ? rng_log(r, 0.3, 3) : 1;
        stiffness[i] = k->random ? rng_log(r, 0.3, 3) : 1;
        restitution[i] = k->random ? rng_uniform(r, k->restitution, 1) : k->restitution;
        velocity[i] = k->random ? rng_uniform(r, -1, 1) : i == 0;
    }
    def.mass.each = mass;
    def.stiffness.each = stiffness;
    def.restitution.each = restitution;
    crm_model *model = NULL;
    crm_error error = {0};
    check(crm_model_from_chain(&def, &model, &error), &error);
    return model;
}

static systems draw_systems(const kind *k, size_t balls)
{
    rng r = rng_seeded(balls);
    systems all = {.count = k->random || k->discs ? SYSTEMS : 1};
    for (size_t i = 0; i < all.count; i++) {
        all.model[i] = (k->discs ? draw_discs : draw)(&r, k, balls, all.velocity[i]);
    }
    return all;
}

static crm_settings *settings_of(const kind *k, double tolerance)
{
    crm_settings *settings = NULL;
    crm_error error = {0};
    check(crm_settings_create(crm_law_find("lzb"), &settings, &error), &error);
    check(crm_settings_set_number(settings, "tolerance", tolerance, &error), &error);
    check(crm_settings_set_text(settings, "stiffness_model", k->stiffness_model, &error), &error);
    return settings;
}

/* Seconds for each system, over `rounds` rounds of all of them. */
static double measure(crm_workspace *workspace, const systems *all, const crm_settings *settings,
                      size_t rounds)
{
    double begin = cpu_seconds();
    for (size_t n = 0; n < rounds; n++) {
        for (size_t i = 0; i < all->count; i++) {
            const crm_outcome *outcome;
            crm_error error = {0};
            check(crm_solve_with(workspace, all->model[i], all->velocity[i], settings, NULL,
                                 &outcome, &error),
                  &error);
        }
    }
    return (cpu_seconds() - begin) / (double)(rounds * all->count);
}

static double least_seconds(crm_workspace *workspace, const systems *all,
                            const crm_settings *settings, size_t rounds)
{
    double once = measure(workspace, all, settings, 1), least = once;
    double times = SECONDS / (once * (double)all->count);
    for (size_t n = 0; n < rounds; n++) {
        double seconds = measure(workspace, all, settings, times > 1 ? (size_t)times : 1);
        least = seconds < least ? seconds : least;
    }
    return least;
}

int main(int argc, char **argv)
{
    static const kind kinds[] = {{.name = "elastic", "bi", 1},
                                 {.name = "lossy-.9", "bi", 0.9},
                                 {.name = "lossy-.5", "bi", 0.5},
                                 {.name = "mono-.9", "mono", 0.9},
                                 {.name = "random-bi", "bi", 0.3, .random = true},
                                 {.name = "random-mono", "mono", 0.3, .random = true},
                                 {.name = "random-elastic", "bi", 1, .random = true},
                                 {.name = "discs-elastic", "bi", 1, .discs = true},
                                 {.name = "discs-.9", "bi", 0.9, .discs = true},
                                 {.name = "discs-.5", "bi", 0.5, .discs = true},
                                 {.name = "discs-.25", "bi", 0.25, .discs = true},
                                 {.name = "discs-mono-.5", "mono", 0.5, .discs = true}};
    static const size_t numbers[] = {2, 5, 8, 11, 14, 16, 18, 20, 21, 22},
                        numbers_of_discs[] = {4, 6, 8, 10, 12};
    static const double tolerances[] = {1e-3, 1e-4, 1e-6, 1e-8, 1e-10};
    size_t rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 5;
    crm_workspace *workspace;
    crm_error error = {0};
    check(crm_workspace_create(&workspace, &error), &error);
    printf("kind,tolerance,balls,microseconds\n");
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (size_t t = 0; t < sizeof tolerances / sizeof tolerances[0]; t++) {
            crm_settings *settings = settings_of(&kinds[k], tolerances[t]);
            const size_t *number = kinds[k].discs ? numbers_of_discs : numbers;
            size_t count = kinds[k].discs ? sizeof numbers_of_discs / sizeof number[0]
                                          : sizeof numbers / sizeof number[0];
            for (size_t n = 0; n < count; n++) {
                systems all = draw_systems(&kinds[k], number[n]);
                printf("%s,%.0e,%zu,%.1f\n", kinds[k].name, tolerances[t], number[n],
                       1e6 * least_seconds(workspace, &all, settings, rounds));
                for (size_t i = 0; i < all.count; i++) {
                    crm_model_free(all.model[i]);
                }
            }
            crm_settings_free(settings);
        }
    }
    crm_workspace_free(workspace);
    return 0;
}
