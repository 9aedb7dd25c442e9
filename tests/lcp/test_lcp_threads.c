/* Threads within one factorization of a large packing: right, and the same bits for any number of
 * them.
 */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lcp/factor/factor.h"
#include "lcp/factor/fronts/branches.h"
#include "lcp_case.h"

static const size_t some_threads[] = {1, 2, 3, 7};
enum { KINDS_OF_TEAM = sizeof some_threads / sizeof some_threads[0] };

/* Discs along a side: with so many the tree has branches. */
enum { SIDE = 110 };

typedef struct bench {
    packing packing;
    crm_lcp_matrix matrix;
    crm_lcp_factor *factor;
} bench;

/* The factor borrows the matrix: *b stays where it is. */
static void begin(bench *b, uint64_t seed)
{
    rng r = rng_seeded(seed);
    crm_error error = {0};
    b->packing = packing_make(PACKING_HEXAGONAL, SIDE, 0.0, &r);
    crm_sparse_view d = packing_delassus(&b->packing);
    assert_ok(
        crm_lcp_matrix_create(b->packing.contacts, &d, (crm_lcp_limits){0}, &b->matrix, &error),
        &error);
    assert_ok(crm_lcp_factor_create(&b->matrix, &b->factor, &error), &error);
}

static void end(bench *b)
{
    crm_lcp_factor_free(b->factor);
    crm_lcp_matrix_free(&b->matrix);
    packing_free(&b->packing);
}

/* ---- The branches ---------------------------------------------------------------------------- */

/* Every front is in one branch or above all, a branch is a subtree, and none has too much work. */
static void branches_are_subtrees(void **state)
{
    (void)state;
    bench b;
    begin(&b, 1);
    crm_lcp_tree tree;
    crm_lcp_branches branches;
    crm_error error = {0};
    assert_ok(crm_lcp_tree_create(&b.matrix, &tree, &error), &error);
    assert_ok(crm_lcp_branches_create(&tree, &branches, &error), &error);
    double all = 0;
    size_t fronts = branches.above_count;
    for (size_t f = 0; f < tree.count; f++) {
        all += crm_lcp_front_work(&tree.front[f]);
        uint32_t up = tree.front[f].parent, of = branches.of[f];
        if (of == CRM_LCP_NO_BRANCH) {
            assert_true(up == CRM_LCP_NO_FRONT || branches.of[up] == CRM_LCP_NO_BRANCH);
        } else {
            bool is_root = f + 1 == branches.branch[of].end;
            assert_true(is_root ? up == CRM_LCP_NO_FRONT || branches.of[up] == CRM_LCP_NO_BRANCH
                                : branches.of[up] == of);
        }
    }
    for (size_t i = 0; i < branches.count; i++) {
        fronts += branches.branch[i].end - branches.branch[i].first;
        assert_true(branches.branch[i].work <= all / 32);
        assert_true(i == 0 || branches.branch[i].work <= branches.branch[i - 1].work);
    }
    assert_true(branches.count >= 16);
    assert_int_equal(fronts, tree.count);
    crm_lcp_branches_free(&branches);
    crm_lcp_tree_free(&tree);
    end(&b);
}

/* ---- The factor ------------------------------------------------------------------------------ */

/* Largest of (D_FF + delta diag + added) x - b, relative to its terms. */
static double misfit(const crm_lcp_matrix *matrix, const bool *active, double delta,
                     const double *added, const double *b, const double *x)
{
    double worst = 0;
    for (size_t k = 0; k < matrix->size; k++) {
        double sum = (delta * matrix->diagonal[k] + added[k]) * x[k];
        double terms = fabs(sum) + fabs(b[k]);
        for (size_t m = matrix->start[k]; m < matrix->start[k + 1]; m++) {
            sum += matrix->value[m] * x[matrix->column[m]];
            terms += fabs(matrix->value[m] * x[matrix->column[m]]);
        }
        worst = active[k] ? fmax(worst, fabs(sum - b[k]) / terms) : fmax(worst, fabs(x[k]));
    }
    return worst;
}

static void factors_solve_their_systems_with_the_same_bits(void **state)
{
    (void)state;
    bench t;
    rng r = rng_seeded(2);
    begin(&t, 2);
    size_t size = t.matrix.size;
    bool *active = calloc(size, sizeof *active);
    double *work = calloc(4 * size, sizeof *work);
    assert_true(active != NULL && work != NULL);
    double *added = work, *b = work + size, *x = work + 2 * size, *first = work + 3 * size;
    for (size_t k = 0; k < size; k++) {
        active[k] = rng_below(&r, 5) > 0;
        added[k] = rng_log(&r, 1e-3, 1e3);
        b[k] = rng_normal(&r);
    }
    double smallest = 0;
    for (size_t i = 0; i < KINDS_OF_TEAM; i++) {
        crm_team_lazy threads = {.most = some_threads[i]};
        crm_lcp_factor_use_threads(t.factor, &threads);
        double pivot = crm_lcp_factor_set(t.factor, active, 1e-3, added);
        memcpy(x, b, size * sizeof *x);
        crm_lcp_factor_solve(t.factor, x);
        assert_true(misfit(&t.matrix, active, 1e-3, added, b, x) < 1e-14);
        if (i == 0) {
            smallest = pivot;
            memcpy(first, x, size * sizeof *x);
        }
        assert_true(pivot > 0 && pivot == smallest);
        assert_memory_equal(x, first, size * sizeof *x);
        crm_team_lazy_stop(&threads);
    }
    free(active);
    free(work);
    end(&t);
}

/* With added < 0 somewhere: in each of many places, so that branches and what is above them break
 * down, and the next factor is right again.
 */
static void a_break_down_is_seen_by_all(void **state)
{
    (void)state;
    bench t;
    begin(&t, 3);
    size_t size = t.matrix.size;
    double *added = calloc(size, sizeof *added);
    assert_non_null(added);
    crm_team_lazy threads = {.most = 3};
    crm_lcp_factor_use_threads(t.factor, &threads);
    for (size_t k = 0; k < size; k += size / 12) {
        added[k] = -5;
        assert_true(crm_lcp_factor_set(t.factor, NULL, 1e-3, added) == 0);
        added[k] = 0;
        assert_true(crm_lcp_factor_set(t.factor, NULL, 1e-3, added) > 0);
    }
    crm_team_lazy_stop(&threads);
    free(added);
    end(&t);
}

/* ---- The law --------------------------------------------------------------------------------- */

typedef struct impact {
    crm_model *model;
    crm_settings *settings;
    double *velocity;
} impact;

/* All discs move at random. */
static impact make_impact(size_t side)
{
    crm_packing_def def = crm_packing_def_default();
    def.columns = def.rows = side;
    def.walls = CRM_PACKING_FLOOR;
    impact it = {0};
    crm_error error = {0};
    assert_ok(crm_model_from_packing(&def, &it.model, &error), &error);
    assert_ok(crm_settings_create(crm_law_find("moreau"), &it.settings, &error), &error);
    size_t n = crm_model_coordinates(it.model);
    it.velocity = calloc(n, sizeof *it.velocity);
    assert_non_null(it.velocity);
    rng r = rng_seeded(4);
    for (size_t i = 0; i < n; i++) {
        it.velocity[i] = rng_normal(&r);
    }
    return it;
}

static void end_impact(impact *it)
{
    crm_model_free(it->model);
    crm_settings_free(it->settings);
    free(it->velocity);
}

static crm_workspace *workspace_with(size_t threads)
{
    crm_workspace *workspace = NULL;
    crm_error error = {0};
    assert_ok(crm_workspace_create(&workspace, &error), &error);
    crm_workspace_use_threads(workspace, threads);
    return workspace;
}

static const crm_outcome *solve(crm_workspace *workspace, const impact *it)
{
    const crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(
        crm_solve_with(workspace, it->model, it->velocity, it->settings, NULL, &outcome, &error),
        &error);
    return outcome;
}

static void an_impact_has_the_same_bits(void **state)
{
    (void)state;
    impact it = make_impact(rounds(120, 80));
    size_t n = crm_model_coordinates(it.model), s = crm_model_contacts(it.model);
    double *first = calloc(n + s, sizeof *first);
    assert_non_null(first);
    for (size_t i = 0; i < KINDS_OF_TEAM; i += 2) {
        crm_workspace *workspace = workspace_with(some_threads[i]);
        const crm_outcome *outcome = solve(workspace, &it);
        assert_int_equal(outcome->result, CRM_SOLVED);
        assert_true(outcome->kinetic && outcome->energetic);
        if (i == 0) {
            memcpy(first, outcome->velocity, n * sizeof *first);
            memcpy(first + n, outcome->impulse, s * sizeof *first);
        }
        assert_memory_equal(outcome->velocity, first, n * sizeof *first);
        assert_memory_equal(outcome->impulse, first + n, s * sizeof *first);
        crm_workspace_free(workspace);
    }
    free(first);
    end_impact(&it);
}

/* Who is asked, and how often before the answer is no. */
typedef struct asked {
    pthread_t caller;
    size_t count, most;
    bool by_another;
} asked;

static bool count_questions(void *context, const crm_watch_report *progress)
{
    asked *a = context;
    (void)progress;
    a->by_another |= !pthread_equal(a->caller, pthread_self());
    return ++a->count < a->most;
}

/* A call with threads asks from the caller's thread alone, and ends when told to. */
static void a_watch_is_asked_by_the_caller_alone(void **state)
{
    (void)state;
    impact it = make_impact(80);
    for (size_t most = 100; most <= 10000; most *= 10) {
        asked a = {.caller = pthread_self(), .most = most};
        const crm_watch watch = {.every = 1e-9, .context = &a, .go_on = count_questions};
        crm_workspace *workspace = workspace_with(3);
        crm_workspace_watch(workspace, &watch);
        const crm_outcome *outcome = solve(workspace, &it);
        assert_false(a.by_another);
        assert_true(outcome->result == (a.count < most ? CRM_SOLVED : CRM_NOT_TERMINATED));
        assert_true(a.count <= most);
        crm_workspace_free(workspace);
    }
    end_impact(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_are_subtrees),
        cmocka_unit_test(factors_solve_their_systems_with_the_same_bits),
        cmocka_unit_test(a_break_down_is_seen_by_all),
        cmocka_unit_test(an_impact_has_the_same_bits),
        cmocka_unit_test(a_watch_is_asked_by_the_caller_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
