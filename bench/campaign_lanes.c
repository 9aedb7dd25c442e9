/* How well systems side by side in lanes keep to the tolerance: random small systems in one batch,
 * each compared with crm_solve at tolerance 1e-12.
 *
 *     campaign_lanes [SYSTEMS] [SEED] [TOLERANCE]      (default 1000 1 1e-8)
 *
 * Chains with and without a wall, systems given by M and W, and patches of discs, of up to 9
 * contacts; a third of them elastic, half of them with one exponent for all contacts. Prints how
 * the errors are distributed in units of the tolerance and of the estimate, and which systems
 * missed either.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support.h"

enum { MOST_CONTACTS = 9 };

static small_system random_system(rng *r)
{
    disc_patch patch;
    random_choice choice = random_choice_default();
    choice.most_contacts = 1 + rng_below(r, MOST_CONTACTS);
    choice.elastic = rng_below(r, 3) == 0;
    choice.uniform_exponent = rng_below(r, 2) == 0;
    switch (rng_below(r, 4)) {
    case 0:
        return random_chain(r, choice, false);
    case 1:
        return random_chain(r, choice, true);
    case 2:
        return random_lagrangian(r, choice);
    default:
        return random_disc_patch(r, choice, &patch);
    }
}

/* Of the closing speeds; 0: no impact. */
static double speed_of(const small_system *system)
{
    double u[SMALL], speed = 0;
    small_system_gap_velocity(system, system->velocity, u);
    for (size_t j = 0; j < system->s; j++) {
        speed = fmax(speed, -u[j]);
    }
    return speed;
}

typedef struct campaign {
    size_t count;
    small_system *system;
    const crm_model **model;
    double *before, *after;
    crm_batch_item *item;
} campaign;

static campaign prepare(size_t count, uint64_t seed)
{
    campaign c = {.count = count,
                  .system = calloc(count, sizeof *c.system),
                  .model = calloc(count, sizeof *c.model),
                  .before = calloc(count * SMALL, sizeof *c.before),
                  .after = calloc(count * SMALL, sizeof *c.after),
                  .item = calloc(count, sizeof *c.item)};
    rng r = rng_seeded(seed);
    double *v = c.before;
    for (size_t i = 0; i < count; i++) {
        do {
            c.system[i] = random_system(&r);
        } while (!(speed_of(&c.system[i]) > 0));
        c.model[i] = small_system_model(&c.system[i]);
        for (size_t k = 0; k < c.system[i].n; k++) {
            *v++ = c.system[i].velocity[k];
        }
    }
    return c;
}

static void solve(campaign *c, double tolerance)
{
    crm_settings *settings = lzb_settings((lzb_options){.tolerance = tolerance});
    const crm_batch_def def = {.count = c->count,
                               .models = c->model,
                               .velocities = c->before,
                               .settings = settings,
                               .in_lanes = true};
    const crm_batch_results results = {.velocities = c->after, .items = c->item};
    crm_error error = {0};
    if (crm_solve_batch(&def, &results, &error) != CRM_OK) {
        fprintf(stderr, "%s: %s\n", error.place, error.message);
        exit(1);
    }
    crm_settings_free(settings);
}

/* What cannot be compared is left out: not solved, or closed by a projection. */
static void compare(const campaign *c, double tolerance)
{
    crm_settings *fine = lzb_settings((lzb_options){.tolerance = 1e-12, .max_steps = 100000});
    double *error = calloc(c->count, sizeof *error), *ratio = calloc(c->count, sizeof *ratio);
    const double *after = c->after;
    size_t compared = 0, missed = 0, dishonest = 0;
    for (size_t i = 0; i < c->count; after += c->system[i++].n) {
        crm_outcome *want = NULL;
        crm_error trouble = {0};
        crm_solve(c->model[i], c->system[i].velocity, fine, NULL, &want, &trouble);
        if (want->result == CRM_SOLVED && c->item[i].result == CRM_SOLVED && !want->tail_closed &&
            !c->item[i].tail_closed) {
            double away = largest_difference(after, want->velocity, c->system[i].n);
            away /= speed_of(&c->system[i]);
            error[compared] = away / tolerance;
            ratio[compared] = away / c->item[i].error_estimate;
            if (error[compared] > 1 || ratio[compared] > 1) {
                printf("system %zu, %zu contacts: off by %.1e, estimate %.1e\n", i, c->system[i].s,
                       away, c->item[i].error_estimate);
            }
            missed += error[compared] > 1;
            dishonest += ratio[compared] > 1;
            compared++;
        }
        crm_outcome_free(want);
    }
    printf("%zu systems compared: %zu miss the tolerance, %zu their estimate\n", compared, missed,
           dishonest);
    print_distribution_head();
    print_distribution("error / tolerance", error, compared);
    print_distribution("error / estimate", ratio, compared);
    free(error);
    free(ratio);
    crm_settings_free(fine);
}

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    double tolerance = argc > 3 ? strtod(argv[3], NULL) : 1e-8;
    campaign c = prepare(count > 0 ? count : 1, argc > 2 ? strtoul(argv[2], NULL, 10) : 1);
    solve(&c, tolerance);
    compare(&c, tolerance);
    for (size_t i = 0; i < c.count; i++) {
        crm_model_free((crm_model *)c.model[i]);
    }
    free(c.system);
    free((void *)c.model);
    free(c.before);
    free(c.after);
    free(c.item);
    return 0;
}
