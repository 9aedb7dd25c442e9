/* The complementarity solver: against known pairs, every active set, and misuse. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lcp_case.h"

/* q = w* - D p* for p* w* = 0, with contacts where both are 0, and more contacts than freedoms. */
static void test_known_complementary_pairs_are_found(void **state)
{
    (void)state;
    enum { MOST = 80 };
    rng r = rng_seeded(7);
    double w[MOST * MOST], d[MOST * MOST], p_known[MOST], w_known[MOST];
    for (unsigned trial = 0; trial < 300; trial++) {
        size_t size = 1 + rng_below(&r, MOST);
        size_t n = 1 + rng_below(&r, size + 3 < MOST ? size + 3 : MOST);
        lcp_random_delassus(&r, n, size, trial % 3 == 0, w, d);
        lcp_data problem = lcp_from_dense(size, d);
        for (size_t j = 0; j < size; j++) {
            unsigned kind = (unsigned)rng_below(&r, 3);
            p_known[j] = kind == 0 ? rng_uniform(&r, 0.0, 2.0) : 0.0;
            w_known[j] = kind == 1 ? rng_uniform(&r, 0.0, 2.0) : 0.0;
        }
        for (size_t i = 0; i < size; i++) {
            problem.q[i] = w_known[i];
            for (size_t j = 0; j < size; j++) {
                problem.q[i] -= d[i * size + j] * p_known[j];
            }
        }
        lcp_answer a = lcp_solve(&problem);
        lcp_check_solved(&problem, &a, ROUNDING);
        lcp_check_w(&problem, &a, w_known, 100.0 * ROUNDING);
        lcp_answer_free(&a);
        lcp_data_free(&problem);
    }
}

/* Contacts 1 and 2 are not coupled, both are with 3; rounding left 7e-17 in one triangle and
 * exactly 0 in the other. The same problem as with 0 in both, and definite: q = w - D p for every
 * set of loaded contacts, each contact in each place.
 */
static void check_rounded_triangles(const double *small, size_t turn, size_t set)
{
    const double d[] = {1, small[0], -0.7, small[1], 1, -0.7, -0.7, -0.7, 1};
    lcp_data problem = lcp_allocate(3, 9);
    double p[3], w[3];
    for (size_t k = 0; k < 3; k++) {
        p[k] = set >> k & 1 ? 1.0 + 0.3 * (double)k : 0.0;
        w[k] = set >> k & 1 ? 0.0 : 1.0;
    }
    for (size_t k = 0; k < 9; k++) { /* zeros are stored, too */
        size_t row = k / 3, column = k % 3;
        problem.start[row + 1] = 3 * (row + 1);
        problem.column[k] = (uint32_t)column;
        problem.value[k] = d[3 * ((row + turn) % 3) + (column + turn) % 3];
        problem.q[row] += (column == 0 ? w[row] : 0.0) - problem.value[k] * p[column];
    }
    lcp_answer a = lcp_solve(&problem);
    assert_int_equal(a.info.result, CRM_LCP_SOLVED);
    assert_true(a.info.unique);
    assert_all_near(a.p, p, 3, ROUNDING);
    assert_all_near(a.w, w, 3, ROUNDING);
    lcp_answer_free(&a);
    lcp_data_free(&problem);
}

static void test_triangles_may_differ_by_rounding(void **state)
{
    (void)state;
    const double small[][2] = {{7e-17, 0}, {0, 7e-17}, {-7e-17, 7e-17}};
    for (size_t i = 0; i < 3 * 3 * 8; i++) {
        check_rounded_triangles(small[i / 24], i / 8 % 3, i % 8);
    }
}

static void test_agrees_with_trying_every_active_set(void **state)
{
    (void)state;
    rng r = rng_seeded(11);
    size_t infeasible = 0;
    size_t dependent = 0;
    for (unsigned trial = 0; trial < 1500; trial++) {
        double w[FEW * FEW], d[FEW * FEW], velocity[FEW], want[FEW];
        size_t size = 1 + rng_below(&r, trial % 50 == 0 ? FEW : 7);
        size_t n = 1 + rng_below(&r, trial % 5 == 4 ? 3 : FEW);
        bool coarse = trial % 2 == 0;
        lcp_random_delassus(&r, n, size, coarse, w, d);
        lcp_data problem = lcp_from_dense(size, d);
        for (size_t k = 0; k < n; k++) {
            velocity[k] = coarse ? (double)rng_below(&r, 3) - 1.0 : rng_normal(&r);
        }
        for (size_t j = 0; j < size; j++) {
            /* In the range of W', or anything. */
            problem.q[j] = trial % 5 == 4 ? rng_normal(&r) : 0.0;
            for (size_t k = 0; trial % 5 != 4 && k < n; k++) {
                problem.q[j] += w[j * n + k] * velocity[k];
            }
        }
        bool feasible = lcp_enumerate(size, d, problem.q, want);
        lcp_answer a = lcp_solve(&problem);
        if (feasible) {
            lcp_check_solved(&problem, &a, ROUNDING);
            lcp_check_w(&problem, &a, want, 100.0 * ROUNDING);
            dependent += !a.info.unique;
        } else {
            lcp_check_infeasible(&problem, &a);
            infeasible++;
        }
        lcp_answer_free(&a);
        lcp_data_free(&problem);
    }
    /* The trials are worth something only if all kinds occurred. */
    assert_true(infeasible > 50);
    assert_true(dependent > 50);
}

/* ---- Infeasible ------------------------------------------------------------------------------ */

/* A ball between two walls that close in on it. */
static void test_closing_walls_are_infeasible(void **state)
{
    (void)state;
    const double d[4] = {1.0, -1.0, -1.0, 1.0};
    lcp_data problem = lcp_from_dense(2, d);
    problem.q[0] = -1.0;
    problem.q[1] = 0.5;
    lcp_answer a = lcp_solve(&problem);
    lcp_check_infeasible(&problem, &a);
    assert_near(a.p[0], a.p[1], 1e-12);
    lcp_answer_free(&a);
    problem.q[1] = 1.0;
    a = lcp_solve(&problem);
    lcp_check_solved(&problem, &a, ROUNDING);
    lcp_answer_free(&a);
    lcp_data_free(&problem);
}

static void test_contact_that_moves_nothing(void **state)
{
    (void)state;
    const double d[9] = {2.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 2.0};
    lcp_data problem = lcp_from_dense(3, d);
    problem.q[0] = -1.0;
    problem.q[1] = 0.25;
    lcp_answer a = lcp_solve(&problem);
    const double p_want[3] = {2.0 / 3.0, 0.0, 1.0 / 3.0};
    const double w_want[3] = {0.0, 0.25, 0.0};
    lcp_check_solved(&problem, &a, ROUNDING);
    assert_all_near(a.p, p_want, 3, 1e-15);
    assert_all_near(a.w, w_want, 3, 1e-15);
    lcp_answer_free(&a);
    problem.q[1] = -0.25;
    a = lcp_solve(&problem);
    lcp_check_infeasible(&problem, &a);
    assert_near(a.p[1], 1.0, 0.0);
    lcp_answer_free(&a);
    lcp_data_free(&problem);
}

/* ---- Which p -------------------------------------------------------------------------------- */

/* Among many p one is singled out by numbers of size 1e-10: they leave six digits. */
static const double SHARED = 1e-5;

/* One contact entered twice, the second gap function c times the first: each is to do half of the
 * work, whatever c, for D_11 p_1^2 + D_22 p_2^2 is least at p_1 = c p_2.
 */
static void test_least_norm_shares_evenly(void **state)
{
    (void)state;
    const double factors[] = {1.0, 3.0, 1e-3, 1e3};
    for (size_t k = 0; k < 4; k++) {
        double c = factors[k];
        const double d[4] = {2.0, 2.0 * c, 2.0 * c, 2.0 * c * c};
        lcp_data problem = lcp_from_dense(2, d);
        problem.q[0] = -1.0;
        problem.q[1] = -c;
        lcp_answer a = lcp_solve(&problem);
        lcp_check_solved(&problem, &a, ROUNDING);
        assert_false(a.info.unique);
        assert_near(a.p[0], 0.25, SHARED);
        assert_near(c * a.p[1], 0.25, SHARED);
        assert_true(a.info.norm_excess < 1e-8);
        lcp_answer_free(&a);
        lcp_data_free(&problem);
    }
}

/* No known solution has a smaller norm than the answer, beyond what the lcp_answer admits. */
static void test_norm_excess_is_a_bound(void **state)
{
    (void)state;
    enum { SIZE = 30, FREEDOMS = 12 };
    rng r = rng_seeded(13);
    for (unsigned trial = 0; trial < 100; trial++) {
        double w[SIZE * FREEDOMS], d[SIZE * SIZE], known[SIZE];
        lcp_random_delassus(&r, FREEDOMS, SIZE, trial % 2 == 0, w, d);
        lcp_data problem = lcp_from_dense(SIZE, d);
        for (size_t j = 0; j < SIZE; j++) {
            known[j] = rng_below(&r, 2) == 0 ? rng_uniform(&r, 0.0, 1.0) : 0.0;
        }
        for (size_t i = 0; i < SIZE; i++) {
            for (size_t j = 0; j < SIZE; j++) {
                problem.q[i] -= d[i * SIZE + j] * known[j];
            }
        }
        lcp_answer a = lcp_solve(&problem);
        lcp_check_solved(&problem, &a, ROUNDING);
        assert_true(lcp_squared_norm(&problem, a.p) <=
                    lcp_squared_norm(&problem, known) * (1.0 + a.info.norm_excess + 1e-12));
        assert_true(a.info.norm_excess < 1e-4);
        lcp_answer_free(&a);
        lcp_data_free(&problem);
    }
}

/* ---- Models ---------------------------------------------------------------------------------- */

/* Three equal balls: p = (2, 1)/3 for the first at speed 1. */
static void test_problem_of_a_model(void **state)
{
    (void)state;
    crm_chain_def def = crm_chain_def_default();
    crm_model *model = NULL;
    crm_lcp *lcp = NULL;
    crm_error error = {0};
    crm_lcp_info info;
    const double velocity[3] = {1.0, 0.0, 0.0};
    const double want[2] = {2.0 / 3.0, 1.0 / 3.0};
    double q[2], p[2];
    def.count = 3;
    assert_ok(crm_model_from_chain(&def, &model, &error), &error);
    crm_model_gap_velocity(model, velocity, q);
    assert_ok(crm_lcp_create_for_model(model, &lcp, &error), &error);
    assert_ok(crm_lcp_solve(lcp, q, NULL, p, NULL, &info, &error), &error);
    assert_int_equal(info.result, CRM_LCP_SOLVED);
    assert_all_near(p, want, 2, 1e-15);
    crm_lcp_free(lcp);
    assert_int_equal(crm_lcp_create_for_model(NULL, &lcp, &error), CRM_ERROR_ARGUMENT);
    assert_null(lcp);
    crm_model_free(model);
}

/* A matrix is set up once for many q. Nothing of one problem is left for the next, not even where
 * the impulses are the same: none at all, parting at other speeds.
 */
static void test_one_matrix_for_several_problems(void **state)
{
    (void)state;
    const double d[4] = {2.0, -1.0, -1.0, 2.0};
    const double q[][2] = {{1.0, 3.0}, {2.0, 1.0}, {2.0, -1.0}, {1.0, 0.75}, {-1.0, -1.0}};
    const double want_w[][2] = {{1.0, 3.0}, {2.0, 1.0}, {1.5, 0.0}, {1.0, 0.75}, {0.0, 0.0}};
    lcp_data problem = lcp_from_dense(2, d);
    crm_sparse_view rows = lcp_view(&problem);
    crm_lcp *lcp = NULL;
    crm_error error = {0};
    assert_ok(crm_lcp_create(2, &rows, &lcp, &error), &error);
    for (size_t i = 0; i < sizeof q / sizeof q[0]; i++) {
        memcpy(problem.q, q[i], sizeof q[i]);
        lcp_answer a = lcp_solve_with(lcp, &problem, NULL, NULL);
        lcp_check_solved(&problem, &a, ROUNDING);
        assert_all_near(a.w, want_w[i], 2, ROUNDING);
        lcp_answer_free(&a);
    }
    crm_lcp_free(lcp);
    lcp_data_free(&problem);
}

/* ---- Misuse --------------------------------------------------------------------------------- */

static crm_status create_status(size_t size, const size_t *start, const uint32_t *column,
                                const double *value, crm_error *error)
{
    crm_sparse_view d = {start, column, value};
    crm_lcp *lcp = NULL;
    crm_status status = crm_lcp_create(size, &d, &lcp, error);
    assert_true((status == CRM_OK) == (lcp != NULL));
    crm_lcp_free(lcp);
    return status;
}

static void test_bad_matrices_are_refused(void **state)
{
    (void)state;
    crm_error error = {0};
    const size_t start[3] = {0, 2, 4};
    const uint32_t column[4] = {1, 0, 0, 1}; /* any order within a row */
    const uint32_t outside[4] = {1, 2, 0, 1};
    const uint32_t twice[4] = {0, 0, 0, 1};
    const size_t half_start[3] = {0, 2, 3};
    const uint32_t half[3] = {0, 1, 1};
    const double good[4] = {-1.0, 2.0, -1.0, 2.0};
    const double asymmetric[4] = {-1.0, 2.0, -0.5, 2.0};
    const double negative[4] = {0.0, -1.0, 0.0, 2.0};
    const double indefinite[4] = {-3.0, 2.0, -3.0, 2.0};
    const double coupled_zero[4] = {-1.0, 0.0, -1.0, 2.0};
    const double endless[4] = {-1.0, INFINITY, -1.0, 2.0};
    assert_int_equal(create_status(2, start, column, good, &error), CRM_OK);
    assert_int_equal(create_status(2, start, outside, good, &error), CRM_ERROR_ARGUMENT);
    assert_int_equal(create_status(2, start, twice, good, &error), CRM_ERROR_ARGUMENT);
    assert_int_equal(create_status(2, half_start, half, good, &error), CRM_ERROR_MODEL);
    assert_int_equal(create_status(2, start, column, asymmetric, &error), CRM_ERROR_MODEL);
    assert_non_null(strstr(error.message, "symmetric"));
    assert_int_equal(create_status(2, start, column, negative, &error), CRM_ERROR_MODEL);
    assert_int_equal(create_status(2, start, column, indefinite, &error), CRM_ERROR_MODEL);
    assert_int_equal(create_status(2, start, column, coupled_zero, &error), CRM_ERROR_MODEL);
    assert_int_equal(create_status(2, start, column, endless, &error), CRM_ERROR_MODEL);
    assert_int_equal(create_status(2, NULL, column, good, &error), CRM_ERROR_ARGUMENT);
}

static void test_bad_calls_are_refused(void **state)
{
    (void)state;
    crm_error error = {0};
    const double d[1] = {2.0};
    lcp_data problem = lcp_from_dense(1, d);
    crm_sparse_view rows = lcp_view(&problem);
    crm_lcp *lcp = NULL;
    double p = 0.0;
    assert_ok(crm_lcp_create(1, &rows, &lcp, &error), &error);
    problem.q[0] = NAN;
    assert_int_equal(crm_lcp_solve(lcp, problem.q, NULL, &p, NULL, NULL, &error),
                     CRM_ERROR_ARGUMENT);
    problem.q[0] = -1.0;
    crm_lcp_options options = crm_lcp_options_default();
    options.tolerance = 0.0;
    assert_int_equal(crm_lcp_solve(lcp, problem.q, &options, &p, NULL, NULL, &error),
                     CRM_ERROR_ARGUMENT);
    assert_int_equal(crm_lcp_solve(lcp, NULL, NULL, &p, NULL, NULL, &error), CRM_ERROR_ARGUMENT);
    assert_int_equal(crm_lcp_solve(lcp, problem.q, NULL, &p, NULL, NULL, NULL), CRM_OK);
    assert_near(p, 0.5, 0.0);
    crm_lcp_free(lcp);
    crm_lcp_free(NULL);
    lcp_data_free(&problem);
}

/* D = d: p = 1 / d of q = -1, in ever larger units, until no double holds it. */
static void test_numbers_at_the_end_of_their_range(void **state)
{
    (void)state;
    static const struct {
        double d, q, p; /* p NAN: refused */
    } cases[] = {
        {1, -0x1p1000, 0x1p1000},     {1, -0x1p1001, NAN},      {1, 0x1p1023, NAN},
        {0x1p40, -0x1p1000, 0x1p960}, {0x1p-40, -0x1p985, NAN}, {0x1p-40, -0x1p980, 0x1p1020},
        {0x1p-40, 0x1p980, 0},        {0x1p-60, -0x1p970, NAN}, {1, -0x1p-1000, 0x1p-1000}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        crm_error error = {0};
        lcp_data problem = lcp_from_dense(1, &cases[k].d);
        crm_sparse_view rows = lcp_view(&problem);
        crm_lcp *lcp = NULL;
        crm_lcp_info info;
        double p = 0;
        assert_ok(crm_lcp_create(1, &rows, &lcp, &error), &error);
        crm_status status = crm_lcp_solve(lcp, &cases[k].q, NULL, &p, NULL, &info, &error);
        if (isnan(cases[k].p)) {
            assert_int_equal(status, CRM_ERROR_ARGUMENT);
            assert_string_equal(error.place, "q");
        } else {
            assert_ok(status, &error);
            assert_int_equal(info.result, CRM_LCP_SOLVED);
            assert_true(p == cases[k].p);
        }
        crm_lcp_free(lcp);
        lcp_data_free(&problem);
    }
}

static void test_nothing_to_solve(void **state)
{
    (void)state;
    lcp_data problem = lcp_allocate(0, 0);
    lcp_answer a = lcp_solve(&problem);
    assert_string_equal(crm_lcp_result_text(a.info.result), "solved");
    assert_near(a.info.natural_residual, 0.0, 0.0);
    assert_near(a.info.min_w, 0.0, 0.0);
    lcp_answer_free(&a);
    lcp_data_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_complementary_pairs_are_found),
        cmocka_unit_test(test_triangles_may_differ_by_rounding),
        cmocka_unit_test(test_agrees_with_trying_every_active_set),
        cmocka_unit_test(test_closing_walls_are_infeasible),
        cmocka_unit_test(test_contact_that_moves_nothing),
        cmocka_unit_test(test_least_norm_shares_evenly),
        cmocka_unit_test(test_norm_excess_is_a_bound),
        cmocka_unit_test(test_problem_of_a_model),
        cmocka_unit_test(test_one_matrix_for_several_problems),
        cmocka_unit_test(test_bad_matrices_are_refused),
        cmocka_unit_test(test_bad_calls_are_refused),
        cmocka_unit_test(test_numbers_at_the_end_of_their_range),
        cmocka_unit_test(test_nothing_to_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
