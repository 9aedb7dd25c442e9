/* Workspaces: the same bits as single calls, in any order, and no allocation once there is room. */
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

#include "base/pool.h"
#include "impacts.h"

/* ---- Counting allocations -------------------------------------------------------------------- */

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

/* ---- Comparing bits -------------------------------------------------------------------------- */

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

/* ---- One workspace --------------------------------------------------------------------------- */

static void in_any_order(const lzb_choices options, uint64_t seed, size_t count)
{
    crm_settings *settings = lzb_settings(options);
    impacts all = impacts_random(seed, count);
    size_t *order = calloc(count, sizeof *order);
    rng r = rng_seeded(seed + 1);
    impacts_solve(&all, settings);
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
    impacts_free(&all);
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
    impacts all = impacts_random(51, 20);
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
    impacts_free(&all);
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
    impacts all = impacts_random(61, 30);
    impacts_solve(&all, settings);
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
    impacts_free(&all);
    crm_settings_free(settings);
}

/* ---- Allocation ------------------------------------------------------------------------------ */

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
    impacts all = impacts_random(71, 200);
    double sum = 0;
    size_t closed;
    const crm_recorder recorder = {.context = &sum, .interval = 0.1, .record = look};
    assert_int_equal(allocations_of_last_round(&all, settings, NULL, &closed), 0);
    printf("tails closed: %zu of %zu\n", closed, all.count);
    assert_true(closed < all.count / 4);
    assert_int_equal(allocations_of_last_round(&all, settings, &recorder, &closed), 0);
    impacts_free(&all);
    crm_settings_free(settings);
}

/* ---- The memory underneath ------------------------------------------------------------------- */

static void what_is_taken_is_zero_and_apart(void **state)
{
    (void)state;
    crm_pool pool = {0};
    rng r = rng_seeded(111);
    for (int round = 0; round < 20; round++) {
        unsigned char *taken[50];
        size_t size[50];
        for (size_t i = 0; i < 50; i++) {
            size[i] = rng_below(&r, 400) * (i % 7 == 0 ? 20 : 1);
            taken[i] = crm_pool_take(&pool, size[i], 1);
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
        crm_pool_clear(&pool);
    }
    assert_null(crm_pool_take(&pool, SIZE_MAX / 2, 4));
    assert_null(crm_pool_take(&pool, SIZE_MAX - 8, 1));
    crm_pool_release(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_system_in_any_order_gives_the_bits_of_crm_solve),
        cmocka_unit_test(laws_and_schemes_may_alternate),
        cmocka_unit_test(a_failed_call_leaves_the_workspace_usable),
        cmocka_unit_test(nothing_is_allocated_in_the_long_run),
        cmocka_unit_test(what_is_taken_is_zero_and_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
