/* Batches: the same bits as single calls on any number of threads, systems that fail beside others,
 * and small systems side by side in vector lanes.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "impacts.h"

/* ---- Batches --------------------------------------------------------------------------------- */

typedef struct flat {
    double *before, *after, *impulse;
    crm_batch_item *items;
    const crm_model **models;
    size_t velocities, impulses;
} flat;

static flat flatten(const impacts *all)
{
    flat f = {.models = calloc(all->count, sizeof *f.models),
              .items = calloc(all->count, sizeof *f.items)};
    for (size_t i = 0; i < all->count; i++) {
        f.models[i] = all->item[i].model;
        f.velocities += crm_model_coordinates(f.models[i]);
        f.impulses += crm_model_contacts(f.models[i]);
    }
    f.before = calloc(f.velocities, sizeof *f.before);
    f.after = calloc(f.velocities, sizeof *f.after);
    f.impulse = calloc(f.impulses, sizeof *f.impulse);
    size_t next = 0;
    for (size_t i = 0; i < all->count; i++) {
        size_t n = crm_model_coordinates(f.models[i]);
        memcpy(f.before + next, all->item[i].velocity, n * sizeof *f.before);
        next += n;
    }
    return f;
}

static void free_flat(flat *f)
{
    free(f->before);
    free(f->after);
    free(f->impulse);
    free(f->items);
    free(f->models);
}

static crm_batch_def batch_of(const impacts *all, const flat *f, const crm_settings *settings)
{
    return (crm_batch_def){
        .count = all->count, .models = f->models, .velocities = f->before, .settings = settings};
}

static crm_batch_results results_of(const flat *f)
{
    return (crm_batch_results){f->after, f->impulse, f->items};
}

/* Every system but `left_out` is as by crm_solve. */
static void same_as_expected(const impacts *all, const flat *f, size_t left_out)
{
    size_t v = 0, p = 0;
    for (size_t i = 0; i < all->count; i++) {
        const crm_outcome *want = all->item[i].expected;
        if (i != left_out) {
            same_array(f->after + v, want->velocity, want->coordinates * sizeof(double));
            same_array(f->impulse + p, want->impulse, want->contacts * sizeof(double));
            assert_int_equal(f->items[i].status, CRM_OK);
            assert_int_equal(f->items[i].result, want->result);
            assert_int_equal(f->items[i].steps, want->steps);
            assert_int_equal(f->items[i].kinematic, want->kinematic);
            assert_int_equal(f->items[i].tail_closed, want->tail_closed);
            same_number(f->items[i].energy_before, want->energy_before);
            same_number(f->items[i].energy_after, want->energy_after);
            same_number(f->items[i].duration, want->duration);
            same_number(f->items[i].error_estimate, want->error_estimate);
        }
        v += want->coordinates;
        p += want->contacts;
    }
}

static const size_t thread_counts[] = {1, 2, 5, 0};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof thread_counts[0] };

static void a_batch_is_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    crm_settings *settings = lzb_settings(lzb_bi);
    impacts all = impacts_random(81, 150);
    impacts_solve(&all, settings);
    for (size_t k = 0; k < THREAD_COUNTS; k++) {
        flat f = flatten(&all);
        crm_batch_def def = batch_of(&all, &f, settings);
        def.threads = thread_counts[k];
        const crm_batch_results results = results_of(&f);
        crm_error error = {0};
        assert_ok(crm_solve_batch(&def, &results, &error), &error);
        same_as_expected(&all, &f, SIZE_MAX);
        free_flat(&f);
    }
    impacts_free(&all);
    crm_settings_free(settings);
}

static void one_model_may_serve_all_systems_in_place(void **state)
{
    (void)state;
    enum { COUNT = 100, BALLS = 5 };
    crm_settings *settings = lzb_settings(lzb_bi);
    impact chain = impact_of_chain(BALLS, 1);
    double velocity[COUNT * BALLS] = {0}, want[COUNT * BALLS];
    rng r = rng_seeded(91);
    for (size_t i = 0; i < COUNT; i++) {
        double *v = velocity + i * BALLS;
        v[0] = rng_uniform(&r, 0.5, 2);
        v[1] = rng_uniform(&r, -0.5, 0.5);
        crm_outcome *outcome = lzb_solve(chain.model, v, lzb_bi);
        memcpy(want + i * BALLS, outcome->velocity, BALLS * sizeof *want);
        crm_outcome_free(outcome);
    }
    const crm_batch_def def = {.count = COUNT,
                               .model = chain.model,
                               .velocities = velocity,
                               .settings = settings,
                               .threads = 2};
    const crm_batch_results results = {.velocities = velocity};
    crm_error error = {0};
    assert_ok(crm_solve_batch(&def, &results, &error), &error);
    assert_memory_equal(velocity, want, sizeof want);
    crm_model_free(chain.model);
    free(chain.velocity);
    crm_settings_free(settings);
}

static void a_system_that_fails_leaves_the_others_alone(void **state)
{
    (void)state;
    enum { BAD = 37 };
    crm_settings *settings = lzb_settings(lzb_bi);
    impacts all = impacts_random(101, 60);
    impacts_solve(&all, settings);
    for (size_t k = 0; k < THREAD_COUNTS; k++) {
        flat f = flatten(&all);
        size_t v = 0, p = 0;
        for (size_t i = 0; i < BAD; i++) {
            v += crm_model_coordinates(f.models[i]);
            p += crm_model_contacts(f.models[i]);
        }
        f.before[v] = INFINITY;
        crm_batch_def def = batch_of(&all, &f, settings);
        def.threads = thread_counts[k];
        const crm_batch_results results = results_of(&f);
        crm_error error = {0};
        assert_int_equal(crm_solve_batch(&def, &results, &error), CRM_ERROR_MODEL);
        assert_int_equal(error.status, CRM_ERROR_MODEL);
        assert_string_equal(error.place, "systems[38].velocity[1]");
        assert_int_equal(f.items[BAD].status, CRM_ERROR_MODEL);
        assert_true(isnan(f.after[v]) && isnan(f.impulse[p]));
        same_as_expected(&all, &f, BAD);
        free_flat(&f);
    }
    impacts_free(&all);
    crm_settings_free(settings);
}

static void a_batch_is_told_of_its_models_once(void **state)
{
    (void)state;
    crm_error error = {0};
    const crm_batch_results nothing = {0};
    impact chain = impact_of_chain(3, 1);
    const crm_model *models[] = {chain.model, NULL};
    crm_batch_def def = {.count = 2, .velocities = chain.velocity};
    assert_int_equal(crm_solve_batch(&def, &nothing, &error), CRM_ERROR_ARGUMENT);
    def.models = models;
    assert_int_equal(crm_solve_batch(&def, &nothing, &error), CRM_ERROR_ARGUMENT);
    assert_string_equal(error.place, "models[2]");
    def.model = chain.model;
    assert_int_equal(crm_solve_batch(&def, &nothing, &error), CRM_ERROR_ARGUMENT);
    def.count = 0;
    assert_int_equal(crm_solve_batch(&def, &nothing, &error), CRM_OK);
    crm_model_free(chain.model);
    free(chain.velocity);
}

/* ---- Side by side ---------------------------------------------------------------------------- */

static const double TOLERANCE = 1e-8; /* the default of the law */

/* Scale of the velocities, for relative errors. */
static double speed_of(const impact *it)
{
    size_t n = crm_model_coordinates(it->model), s = crm_model_contacts(it->model);
    double *u = calloc(s, sizeof *u), speed = largest_size(it->velocity, n);
    crm_model_gap_velocity(it->model, it->velocity, u);
    speed = fmax(speed, largest_size(u, s));
    free(u);
    return speed;
}

static void run_side_by_side(const impacts *all, flat *f, size_t threads)
{
    crm_settings *settings = lzb_settings(lzb_bi);
    crm_batch_def def = batch_of(all, f, settings);
    def.threads = threads;
    def.in_lanes = true;
    const crm_batch_results results = results_of(f);
    crm_error error = {0};
    assert_ok(crm_solve_batch(&def, &results, &error), &error);
    crm_settings_free(settings);
}

static void one_contact_gives_back_its_restitution_in_a_lane(void **state)
{
    (void)state;
    const double restitutions[] = {1, 0.9, 0.5, 0.1}, exponents[] = {1, 1.2, 1.5, 2, 3.3};
    enum { COUNT = 20 };
    impact items[COUNT];
    impacts all = {COUNT, items};
    for (size_t i = 0; i < COUNT; i++) {
        small_system pair = small_system_chain(2, false);
        pair.mass[3] = 1.7;
        pair.stiffness[0] = 30;
        pair.restitution[0] = restitutions[i % 4];
        pair.exponent[0] = exponents[i / 4];
        double *velocity = calloc(2, sizeof *velocity);
        velocity[0] = 1.0 + 0.1 * (double)i;
        items[i] = (impact){.model = small_system_model(&pair), .velocity = velocity};
    }
    flat f = flatten(&all);
    run_side_by_side(&all, &f, 1);
    for (size_t i = 0; i < COUNT; i++) {
        double speed = items[i].velocity[0];
        assert_near(f.after[2 * i + 1] - f.after[2 * i], restitutions[i % 4] * speed,
                    TOLERANCE * speed);
        assert_true(f.items[i].energetic && f.items[i].kinematic && f.items[i].kinetic);
        crm_model_free(items[i].model);
        free(items[i].velocity);
    }
    free_flat(&f);
}

static void lanes_keep_to_the_tolerance_and_to_their_estimate(void **state)
{
    (void)state;
    crm_settings *fine = lzb_settings((lzb_choices){.tolerance = 1e-12});
    impacts all = impacts_random(121, rounds(400, 80));
    impacts_solve(&all, fine);
    flat f = flatten(&all);
    run_side_by_side(&all, &f, 1);
    size_t v = 0, beside = 0;
    for (size_t i = 0; i < all.count; i++) {
        const crm_outcome *want = all.item[i].expected;
        if (f.items[i].result == CRM_SOLVED && want->result == CRM_SOLVED && !want->tail_closed) {
            double away = largest_difference(f.after + v, want->velocity, want->coordinates);
            double speed = speed_of(&all.item[i]);
            assert_near(away, 0, TOLERANCE * speed);
            /* Steps are counted differently in lanes: this tells them from crm_solve's. */
            crm_outcome *single = lzb_outcome(all.item[i].model, all.item[i].velocity, lzb_bi);
            if (single->steps != f.items[i].steps) {
                assert_near(away, 0, f.items[i].error_estimate * speed);
                beside++;
            }
            crm_outcome_free(single);
        }
        v += want->coordinates;
    }
    assert_true(beside > all.count / 2);
    free_flat(&f);
    impacts_free(&all);
    crm_settings_free(fine);
}

/* Threads, order and neighbours do not matter. */
static void a_lane_knows_nothing_of_its_neighbours(void **state)
{
    (void)state;
    impacts all = impacts_random(131, 200);
    impacts reversed = {all.count, calloc(all.count, sizeof *reversed.item)};
    for (size_t i = 0; i < all.count; i++) {
        reversed.item[i] = all.item[all.count - 1 - i];
    }
    flat once = flatten(&all), other = flatten(&reversed);
    run_side_by_side(&all, &once, 1);
    for (size_t k = 1; k < THREAD_COUNTS; k++) {
        flat f = flatten(&all);
        run_side_by_side(&all, &f, thread_counts[k]);
        same_array(f.after, once.after, f.velocities * sizeof *f.after);
        same_array(f.impulse, once.impulse, f.impulses * sizeof *f.impulse);
        free_flat(&f);
    }
    run_side_by_side(&reversed, &other, 1);
    size_t begin = 0, end = other.velocities;
    for (size_t i = 0; i < all.count; i++) {
        size_t n = crm_model_coordinates(once.models[i]);
        end -= n;
        same_array(other.after + end, once.after + begin, n * sizeof *once.after);
        begin += n;
    }
    free_flat(&once);
    free_flat(&other);
    free(reversed.item);
    impacts_free(&all);
}

static void a_failure_beside_a_lane_stays_there(void **state)
{
    (void)state;
    enum { COUNT = 30, BAD = 13, BALLS = 4 };
    crm_settings *settings = lzb_settings(lzb_bi);
    impact chain = impact_of_chain(BALLS, 0.9);
    double before[COUNT * BALLS] = {0}, good[COUNT * BALLS], after[COUNT * BALLS];
    for (size_t i = 0; i < COUNT; i++) {
        before[i * BALLS] = 1.0 + 0.01 * (double)i;
    }
    crm_batch_def def = {.count = COUNT,
                         .model = chain.model,
                         .velocities = before,
                         .settings = settings,
                         .threads = 2};
    crm_batch_results results = {.velocities = good};
    crm_error error = {0};
    assert_ok(crm_solve_batch(&def, &results, &error), &error);
    before[BAD * BALLS + 2] = NAN;
    results.velocities = after;
    assert_int_equal(crm_solve_batch(&def, &results, &error), CRM_ERROR_MODEL);
    assert_string_equal(error.place, "systems[14].velocity[3]");
    assert_true(isnan(after[BAD * BALLS]));
    memcpy(after + BAD * BALLS, good + BAD * BALLS, BALLS * sizeof *after);
    assert_memory_equal(after, good, sizeof good);
    crm_model_free(chain.model);
    free(chain.velocity);
    crm_settings_free(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_is_the_same_for_any_number_of_threads),
        cmocka_unit_test(one_model_may_serve_all_systems_in_place),
        cmocka_unit_test(a_system_that_fails_leaves_the_others_alone),
        cmocka_unit_test(a_batch_is_told_of_its_models_once),
        cmocka_unit_test(one_contact_gives_back_its_restitution_in_a_lane),
        cmocka_unit_test(lanes_keep_to_the_tolerance_and_to_their_estimate),
        cmocka_unit_test(a_lane_knows_nothing_of_its_neighbours),
        cmocka_unit_test(a_failure_beside_a_lane_stays_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
