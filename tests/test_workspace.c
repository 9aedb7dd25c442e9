/* Workspaces and batches: the same bits as single calls, in any order and on any number of threads,
 * and no allocation once there is room.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/room.h"
#include "support.h"

/* ---- Counting allocations ---------------------------------------------------------------------
 */

static atomic_size_t allocations;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *));

static void count_one(const volatile void *memory, size_t size)
{
    (void)memory;
    (void)size;
    atomic_fetch_add(&allocations, 1);
}

static void ignore(const volatile void *memory)
{
    (void)memory;
}

static bool start_counting(void)
{
    static bool installed;
    installed = installed || __sanitizer_install_malloc_and_free_hooks(count_one, ignore) > 0;
    return installed;
}
#elif defined(__GLIBC__)
/* These take the place of the C library's for the whole program. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

void *malloc(size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_realloc(memory, size);
}

static bool start_counting(void)
{
    return true;
}
#else
static bool start_counting(void)
{
    return false;
}
#endif

/* ---- Systems ----------------------------------------------------------------------------------
 */

typedef struct impact {
    crm_model *model;
    double *velocity;
    crm_outcome *expected; /* by crm_solve */
} impact;

typedef struct impacts {
    size_t count;
    impact *item;
} impacts;

/* Whatever the support can make: lines, full M, packings, stored energy, mixed exponents. */
static impact random_impact(rng *r)
{
    random_choice choice = random_choice_default();
    choice.most_contacts = 1 + rng_below(r, 7);
    choice.elastic = rng_below(r, 3) == 0;
    choice.stored_energy = rng_below(r, 4) == 0;
    choice.uniform_exponent = rng_below(r, 2) == 0;
    disc_patch patch;
    size_t kind = rng_below(r, 4);
    small_system system = kind == 0   ? random_chain(r, choice, false)
                          : kind == 1 ? random_chain(r, choice, true)
                          : kind == 2 ? random_lagrangian(r, choice)
                                      : random_disc_patch(r, choice, &patch);
    double *velocity = calloc(SMALL, sizeof *velocity);
    memcpy(velocity, system.velocity, sizeof system.velocity);
    return (impact){.model = small_system_model(&system), .velocity = velocity};
}

/* Long enough for contacts to take steps of their own. */
static impact long_chain(size_t count, double restitution)
{
    crm_chain_def def = crm_chain_def_default();
    def.count = count;
    def.restitution.all = restitution;
    impact made = {.velocity = calloc(count, sizeof *made.velocity)};
    crm_error error = {0};
    assert_ok(crm_model_from_chain(&def, &made.model, &error), &error);
    made.velocity[0] = 1;
    return made;
}

static impacts random_impacts(uint64_t seed, size_t count)
{
    rng r = rng_seeded(seed);
    impacts all = {count, calloc(count, sizeof *all.item)};
    for (size_t i = 0; i < count; i++) {
        all.item[i] = i % 40 == 20 ? long_chain(45 + i / 4, i == 60 ? 0.95 : 1) : random_impact(&r);
    }
    return all;
}

static void solve_each(impacts *all, const crm_settings *settings)
{
    for (size_t i = 0; i < all->count; i++) {
        crm_error error = {0};
        impact *it = &all->item[i];
        assert_ok(crm_solve(it->model, it->velocity, settings, NULL, &it->expected, &error),
                  &error);
    }
}

static void free_expected(impacts *all)
{
    for (size_t i = 0; i < all->count; i++) {
        crm_outcome_free(all->item[i].expected);
        all->item[i].expected = NULL;
    }
}

static void free_impacts(impacts *all)
{
    free_expected(all);
    for (size_t i = 0; i < all->count; i++) {
        crm_model_free(all->item[i].model);
        free(all->item[i].velocity);
    }
    free(all->item);
}

/* ---- Comparing bits ---------------------------------------------------------------------------
 */

static void same_array(const void *got, const void *want, size_t bytes)
{
    assert_int_equal(got == NULL, want == NULL);
    if (want != NULL) {
        assert_memory_equal(got, want, bytes);
    }
}

static void same_number(double got, double want)
{
    assert_memory_equal(&got, &want, sizeof want);
}

static void same_outcome(const crm_outcome *got, const crm_outcome *want)
{
    size_t n = want->coordinates * sizeof(double), s = want->contacts * sizeof(double);
    assert_ptr_equal(got->law, want->law);
    assert_int_equal(got->result, want->result);
    assert_string_equal(got->reason, want->reason);
    assert_string_equal(got->note, want->note);
    assert_int_equal(got->coordinates, want->coordinates);
    assert_int_equal(got->contacts, want->contacts);
    same_array(got->velocity, want->velocity, n);
    same_array(got->impulse, want->impulse, s);
    same_array(got->gap_velocity, want->gap_velocity, s);
    same_array(got->loss, want->loss, s);
    same_array(got->peak_force, want->peak_force, s);
    same_array(got->contact_duration, want->contact_duration, s);
    same_array(got->compressions, want->compressions, want->contacts * sizeof(uint32_t));
    same_number(got->energy_before, want->energy_before);
    same_number(got->energy_after, want->energy_after);
    same_number(got->stored_before, want->stored_before);
    same_number(got->boundary_work, want->boundary_work);
    same_number(got->energy_error, want->energy_error);
    same_number(got->duration, want->duration);
    same_number(got->error_estimate, want->error_estimate);
    same_number(got->tail_speed, want->tail_speed);
    assert_int_equal(got->steps, want->steps);
    assert_int_equal(got->evaluations, want->evaluations);
    assert_int_equal(got->kinematic, want->kinematic);
    assert_int_equal(got->kinetic, want->kinetic);
    assert_int_equal(got->energetic, want->energetic);
    assert_int_equal(got->unique, want->unique);
    assert_int_equal(got->tail_closed, want->tail_closed);
}

static const crm_outcome *solve_with(crm_workspace *workspace, const impact *it,
                                     const crm_settings *settings, const crm_recorder *recorder)
{
    const crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(
        crm_solve_with(workspace, it->model, it->velocity, settings, recorder, &outcome, &error),
        &error);
    return outcome;
}

static crm_workspace *new_workspace(void)
{
    crm_workspace *workspace = NULL;
    crm_error error = {0};
    assert_ok(crm_workspace_create(&workspace, &error), &error);
    return workspace;
}

/* ---- One workspace ----------------------------------------------------------------------------
 */

static void in_any_order(const lzb_choices options, uint64_t seed, size_t count)
{
    crm_settings *settings = lzb_settings(options);
    impacts all = random_impacts(seed, count);
    size_t *order = calloc(count, sizeof *order);
    rng r = rng_seeded(seed + 1);
    solve_each(&all, settings);
    crm_workspace *workspace = new_workspace();
    for (int round = 0; round < 3; round++) {
        rng_shuffle(&r, order, count);
        for (size_t k = 0; k < count; k++) {
            const impact *it = &all.item[order[k]];
            same_outcome(solve_with(workspace, it, settings, NULL), it->expected);
        }
    }
    crm_workspace_free(workspace);
    free(order);
    free_impacts(&all);
    crm_settings_free(settings);
}

static void any_system_in_any_order_gives_the_bits_of_crm_solve(void **state)
{
    (void)state;
    in_any_order(lzb_bi, 41, 300);
    in_any_order(lzb_mono, 42, 80);
    in_any_order((lzb_choices){.tolerance = 1e-4}, 43, 80);
    in_any_order((lzb_choices){.max_steps = 10}, 44, 80);
}

static void laws_and_schemes_may_alternate(void **state)
{
    (void)state;
    crm_workspace *workspace = new_workspace();
    impacts all = random_impacts(51, 20);
    for (size_t law = 0; law < crm_law_count() + 2; law++) {
        crm_settings *settings = NULL;
        crm_error error = {0};
        if (law < crm_law_count()) {
            settings = law_settings(crm_law_at(law));
        } else {
            bool time = law == crm_law_count();
            settings = lzb_settings(
                (lzb_choices){.scheme = time ? "time-euler" : "impulse-euler", .max_steps = 500});
        }
        for (size_t i = 0; i < all.count; i++) {
            const impact *it = &all.item[i];
            crm_error other = {0};
            crm_outcome *expected;
            const crm_outcome *got;
            crm_status status =
                crm_solve(it->model, it->velocity, settings, NULL, &expected, &error);
            assert_int_equal(
                crm_solve_with(workspace, it->model, it->velocity, settings, NULL, &got, &other),
                status);
            if (status == CRM_OK) {
                same_outcome(got, expected);
            } else { /* a law may refuse a system */
                assert_null(got);
                assert_string_equal(other.message, error.message);
            }
            crm_outcome_free(expected);
        }
        crm_settings_free(settings);
    }
    crm_workspace_free(workspace);
    free_impacts(&all);
}

static crm_status stop_at_third(void *context, const crm_sample *sample)
{
    (void)sample;
    return ++*(int *)context == 3 ? CRM_ERROR_STOPPED : CRM_OK;
}

static void a_failed_call_leaves_the_workspace_usable(void **state)
{
    (void)state;
    crm_settings *settings = lzb_settings(lzb_bi);
    impacts all = random_impacts(61, 30);
    solve_each(&all, settings);
    crm_workspace *workspace = new_workspace();
    for (size_t i = 0; i < all.count; i++) {
        const impact *it = &all.item[i];
        const crm_outcome *outcome;
        crm_error error = {0};
        double good = it->velocity[0];
        it->velocity[0] = NAN;
        assert_int_equal(
            crm_solve_with(workspace, it->model, it->velocity, settings, NULL, &outcome, &error),
            CRM_ERROR_MODEL);
        assert_null(outcome);
        assert_string_equal(error.place, "velocity[1]");
        it->velocity[0] = good;
        int calls = 0;
        const crm_recorder stopper = {.context = &calls, .record = stop_at_third};
        crm_status status =
            crm_solve_with(workspace, it->model, it->velocity, settings, &stopper, &outcome, NULL);
        assert_int_equal(status, calls < 3 ? CRM_OK : CRM_ERROR_STOPPED);
        same_outcome(solve_with(workspace, it, settings, NULL), it->expected);
    }
    crm_workspace_free(workspace);
    free_impacts(&all);
    crm_settings_free(settings);
}

/* ---- Allocation -------------------------------------------------------------------------------
 */

static crm_status look(void *context, const crm_sample *sample)
{
    *(double *)context += sample->velocity[0];
    return CRM_OK;
}

/* Round after round over all systems; returns the allocations of the last. */
static size_t allocations_of_last_round(const impacts *all, const crm_settings *settings,
                                        const crm_recorder *recorder, size_t *closed)
{
    enum { ROUNDS = 4 };
    crm_workspace *workspace = new_workspace();
    size_t made = 0;
    for (int round = 0; round < ROUNDS; round++) {
        made = *closed = 0;
        for (size_t i = 0; i < all->count; i++) {
            const crm_outcome *outcome;
            const impact *it = &all->item[i];
            size_t before = atomic_load(&allocations);
            crm_status status = crm_solve_with(workspace, it->model, it->velocity, settings,
                                               recorder, &outcome, NULL);
            size_t here = atomic_load(&allocations) - before;
            assert_int_equal(status, CRM_OK);
            *closed += outcome->tail_closed;
            made += outcome->tail_closed ? 0 : here;
        }
    }
    crm_workspace_free(workspace);
    return made;
}

static void nothing_is_allocated_in_the_long_run(void **state)
{
    (void)state;
    if (!start_counting()) {
        printf("skipped: no way to count allocations with this C library\n");
        skip();
    }
    size_t before = atomic_load(&allocations);
    void *volatile memory = calloc(3, 5); /* volatile: not to be optimized away */
    free(memory);
    assert_true(atomic_load(&allocations) > before);

    crm_settings *settings = lzb_settings(lzb_bi);
    impacts all = random_impacts(71, 200);
    double sum = 0;
    size_t closed;
    const crm_recorder recorder = {.context = &sum, .interval = 0.1, .record = look};
    assert_int_equal(allocations_of_last_round(&all, settings, NULL, &closed), 0);
    printf("tails closed: %zu of %zu\n", closed, all.count);
    assert_true(closed < all.count / 4);
    assert_int_equal(allocations_of_last_round(&all, settings, &recorder, &closed), 0);
    free_impacts(&all);
    crm_settings_free(settings);
}

/* ---- Batches ----------------------------------------------------------------------------------
 */

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
    impacts all = random_impacts(81, 150);
    solve_each(&all, settings);
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
    free_impacts(&all);
    crm_settings_free(settings);
}

static void one_model_may_serve_all_systems_in_place(void **state)
{
    (void)state;
    enum { COUNT = 100, BALLS = 5 };
    crm_settings *settings = lzb_settings(lzb_bi);
    impact chain = long_chain(BALLS, 1);
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
    impacts all = random_impacts(101, 60);
    solve_each(&all, settings);
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
    free_impacts(&all);
    crm_settings_free(settings);
}

static void a_batch_is_told_of_its_models_once(void **state)
{
    (void)state;
    crm_error error = {0};
    const crm_batch_results nothing = {0};
    impact chain = long_chain(3, 1);
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

/* ---- Side by side -----------------------------------------------------------------------------
 */

static const double tolerance = 1e-8; /* the default of the law */

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
                    tolerance * speed);
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
    impacts all = random_impacts(121, rounds(400, 80));
    solve_each(&all, fine);
    flat f = flatten(&all);
    run_side_by_side(&all, &f, 1);
    size_t v = 0, beside = 0;
    for (size_t i = 0; i < all.count; i++) {
        const crm_outcome *want = all.item[i].expected;
        if (f.items[i].result == CRM_SOLVED && want->result == CRM_SOLVED && !want->tail_closed) {
            double away = largest_difference(f.after + v, want->velocity, want->coordinates);
            double speed = speed_of(&all.item[i]);
            assert_near(away, 0, tolerance * speed);
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
    free_impacts(&all);
    crm_settings_free(fine);
}

/* Threads, order and neighbours do not matter. */
static void a_lane_knows_nothing_of_its_neighbours(void **state)
{
    (void)state;
    impacts all = random_impacts(131, 200);
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
    free_impacts(&all);
}

static void a_failure_beside_a_lane_stays_there(void **state)
{
    (void)state;
    enum { COUNT = 30, BAD = 13, BALLS = 4 };
    crm_settings *settings = lzb_settings(lzb_bi);
    impact chain = long_chain(BALLS, 0.9);
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

/* ---- The memory underneath --------------------------------------------------------------------
 */

static void what_is_taken_is_zero_and_apart(void **state)
{
    (void)state;
    crm_room room = {0};
    rng r = rng_seeded(111);
    for (int round = 0; round < 20; round++) {
        unsigned char *taken[50];
        size_t size[50];
        for (size_t i = 0; i < 50; i++) {
            size[i] = rng_below(&r, 400) * (i % 7 == 0 ? 20 : 1);
            taken[i] = crm_room_take(&room, size[i], 1);
            assert_non_null(taken[i]);
            assert_int_equal((uintptr_t)taken[i] % _Alignof(max_align_t), 0);
            for (size_t k = 0; k < size[i]; k++) {
                assert_int_equal(taken[i][k], 0);
            }
            memset(taken[i], (int)i + 1, size[i]);
        }
        for (size_t i = 0; i < 50; i++) {
            for (size_t k = 0; k < size[i]; k++) {
                assert_int_equal(taken[i][k], i + 1);
            }
        }
        crm_room_clear(&room);
    }
    assert_null(crm_room_take(&room, SIZE_MAX / 2, 4));
    assert_null(crm_room_take(&room, SIZE_MAX - 8, 1));
    crm_room_release(&room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_system_in_any_order_gives_the_bits_of_crm_solve),
        cmocka_unit_test(laws_and_schemes_may_alternate),
        cmocka_unit_test(a_failed_call_leaves_the_workspace_usable),
        cmocka_unit_test(nothing_is_allocated_in_the_long_run),
        cmocka_unit_test(a_batch_is_the_same_for_any_number_of_threads),
        cmocka_unit_test(one_model_may_serve_all_systems_in_place),
        cmocka_unit_test(a_system_that_fails_leaves_the_others_alone),
        cmocka_unit_test(a_batch_is_told_of_its_models_once),
        cmocka_unit_test(one_contact_gives_back_its_restitution_in_a_lane),
        cmocka_unit_test(lanes_keep_to_the_tolerance_and_to_their_estimate),
        cmocka_unit_test(a_lane_knows_nothing_of_its_neighbours),
        cmocka_unit_test(a_failure_beside_a_lane_stays_there),
        cmocka_unit_test(what_is_taken_is_zero_and_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
