/* How well systems side by side in lanes keep to the tolerance: random systems in one batch.
 *
 *     campaign_batch [SYSTEMS] [SEED] [TOLERANCE|all]      (default 1000 1 all)
 *     campaign_batch --only INDEX SEED [TOLERANCE|all] [--dump]
 *
 * The ensemble of campaign/ensemble.h (seed 4242, the first 600), which is there whatever the seed,
 * and after it SYSTEMS of the kinds of campaign_lzb, made such that lanes take them. Each answer is
 * compared with crm_solve at tolerance 1e-12, and where the two do not agree within the tolerance
 * and ten times the estimate, judged as in campaign_lzb.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count.h"
#include "ensemble.h"

enum { ENSEMBLE = 600, ENSEMBLE_SEED = 4242, LANE_CONTACTS = 12 };

/* Nothing that lanes leave to the general scheme. */
static draw draw_for_lanes(uint64_t seed, size_t index)
{
    const double least_restitution = 0.1;
    draw d = draw_system(seed, index);
    d.mono = false;
    for (size_t j = 0; j < d.system.s; j++) {
        d.system.restitution[j] = fmax(d.system.restitution[j], least_restitution);
        d.system.exponent[j] = fmax(d.system.exponent[j], 1);
        d.system.stored_energy[j] = 0;
    }
    return d;
}

static bool may_enter(const small_system *system)
{
    return system->s <= LANE_CONTACTS && draw_speed(system) > 0;
}

/* Systems of one tolerance, in one batch. */
typedef struct lot {
    size_t count;
    double tolerance;
    size_t *index;
    draw *draws;
    const crm_model **models;
    double *before, *after, *impulses;
    crm_batch_item *items;
} lot;

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static lot lot_create(size_t most, double tolerance)
{
    return (lot){.tolerance = tolerance,
                 .index = room(most, sizeof(size_t)),
                 .draws = room(most, sizeof(draw)),
                 .models = room(most, sizeof(crm_model *)),
                 .before = room(most * SMALL, sizeof(double)),
                 .after = room(most * SMALL, sizeof(double)),
                 .impulses = room(most * SMALL, sizeof(double)),
                 .items = room(most, sizeof(crm_batch_item))};
}

static void lot_free(lot *l)
{
    for (size_t i = 0; i < l->count; i++) {
        crm_model_free((crm_model *)l->models[i]);
    }
    free(l->index);
    free(l->draws);
    free((void *)l->models);
    free(l->before);
    free(l->after);
    free(l->impulses);
    free(l->items);
}

static void lot_add(lot *l, const draw *d, size_t index)
{
    l->index[l->count] = index;
    l->draws[l->count] = *d;
    l->models[l->count++] = small_system_model(&d->system);
}

static void lot_solve(lot *l)
{
    double *v = l->before;
    for (size_t i = 0; i < l->count; i++) {
        memcpy(v, l->draws[i].system.velocity, l->draws[i].system.n * sizeof *v);
        v += l->draws[i].system.n;
    }
    crm_settings *settings = lzb_settings((lzb_choices){.tolerance = l->tolerance});
    const crm_batch_def def = {.count = l->count,
                               .models = l->models,
                               .velocities = l->before,
                               .settings = settings,
                               .threads = 1,
                               .in_lanes = true};
    const crm_batch_results results = {
        .velocities = l->after, .impulses = l->impulses, .items = l->items};
    crm_solve_batch(&def, &results, NULL);
    crm_settings_free(settings);
}

/* An answer near that of a much finer solution needs no judge. */
static bool agrees(const lot *l, size_t i, const answer *a, verdict *v)
{
    const small_system *system = &l->draws[i].system;
    const double fine = 1e-12;
    crm_outcome *want = lzb_outcome(l->models[i], system->velocity,
                                    (lzb_choices){.tolerance = fine, .max_steps = 100000});
    double error = largest_difference(a->velocity, want->velocity, system->n) / draw_speed(system);
    double allowed = fmin(l->tolerance, VERDICT_TRUST * a->estimate);
    bool near = want->result == CRM_SOLVED && error + want->error_estimate <= allowed;
    *v = (verdict){.judged = true, .error = error, .amplification = NAN};
    crm_outcome_free(want);
    return near;
}

static void lot_judge(const lot *l, tally *c)
{
    const double *after = l->after, *impulse = l->impulses;
    for (size_t i = 0; i < l->count; i++) {
        const draw *d = &l->draws[i];
        const crm_batch_item *item = &l->items[i];
        answer a = {.velocity = after, .impulse = impulse, .estimate = item->error_estimate};
        count_case one = {.index = l->index[i],
                          .row = l->index[i] < ENSEMBLE ? DRAW_KINDS : d->kind,
                          .contacts = d->system.s,
                          .tolerance = l->tolerance,
                          .estimate = item->error_estimate,
                          .refused = item->status != CRM_OK,
                          .result = item->result};
        if (one.refused || item->result != CRM_SOLVED) {
            one.verdict = verdict_without(&d->system, false, l->tolerance);
        } else if (!agrees(l, i, &a, &one.verdict)) {
            one.verdict = verdict_on(&d->system, false, l->tolerance, &a);
        }
        if (count_add(c, &one) != OFFENCE_NONE) {
            count_print_offender(&c->offenders[c->offender_count - 1]);
            fflush(stdout);
        }
        after += d->system.n;
        impulse += d->system.s;
    }
}

/* Index 0 to 599 is the ensemble, all others are drawn. */
static bool system_at(const small_system *fixed, uint64_t seed, size_t index, draw *d)
{
    if (index < ENSEMBLE) {
        *d = (draw){.system = fixed[index]};
    } else {
        *d = draw_for_lanes(seed, index - ENSEMBLE);
    }
    return may_enter(&d->system);
}

/* Which of the tolerances, when they come in turn; the ensemble is for 1e-8. */
static size_t part_of(size_t index, size_t parts)
{
    return index < ENSEMBLE && parts > 1 ? 2 : index % parts;
}

static void run(tally *c, const small_system *fixed, size_t systems, uint64_t seed,
                double tolerance, size_t part, size_t parts)
{
    lot l = lot_create(systems, tolerance);
    for (size_t i = 0; i < systems; i++) {
        draw d;
        if (part_of(i, parts) == part && system_at(fixed, seed, i, &d)) {
            lot_add(&l, &d, i);
        }
    }
    lot_solve(&l);
    lot_judge(&l, c);
    lot_free(&l);
}

static void look_at_one(tally *c, const small_system *fixed, size_t index, uint64_t seed,
                        double tolerance, bool dump)
{
    draw d;
    lot l = lot_create(1, tolerance);
    if (system_at(fixed, seed, index, &d)) {
        lot_add(&l, &d, index);
        lot_solve(&l);
        if (dump) {
            draw_dump(&d, tolerance, "campaign_batch");
        }
        answer a = {.velocity = l.after, .estimate = l.items->error_estimate};
        printf("# %s, estimate %.1e, %llu steps\n", crm_result_text(l.items->result), a.estimate,
               (unsigned long long)l.items->steps);
        verdict_settle(&d.system, false, &a, false);
        lot_judge(&l, c);
    }
    lot_free(&l);
}

int main(int argc, char **argv)
{
    bool only = argc > 1 && strcmp(argv[1], "--only") == 0;
    bool dump = argc > 1 && strcmp(argv[argc - 1], "--dump") == 0;
    argc -= only + dump;
    argv += only;
    size_t number = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    double given = argc > 3 ? strtod(argv[3], NULL) : 0; /* "all" is no number */
    small_system *fixed = ensemble(ENSEMBLE_SEED, ENSEMBLE);
    tally c = {.rows = DRAW_KINDS + 1};
    for (size_t k = 0; k < DRAW_KINDS; k++) {
        c.names[k] = draw_kind_text((draw_kind)k);
    }
    c.names[DRAW_KINDS] = "the ensemble";
    if (fixed == NULL) {
        return 1;
    }
    size_t parts = given > 0 ? 1 : COUNT_TOLERANCES;
    for (size_t part = 0; part < parts && !only; part++) {
        run(&c, fixed, ENSEMBLE + number, seed, given > 0 ? given : count_tolerances[part], part,
            parts);
    }
    if (only) {
        look_at_one(&c, fixed, number, seed,
                    given > 0 ? given : count_tolerances[part_of(number, COUNT_TOLERANCES)], dump);
    } else {
        count_print(&c);
    }
    count_free(&c);
    free(fixed);
    return 0;
}
