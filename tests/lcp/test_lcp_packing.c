/* The complementarity solver on packings: dependent contacts, unequal masses, other numberings and
 * units, warm starts and reuse.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lcp_case.h"

/* What is called solved by default: reached with masses of very different size too. */
static const double SOLVED = 1e-12;

static crm_lcp *create(const lcp_data *problem)
{
    crm_error error = {0};
    crm_lcp *lcp = NULL;
    crm_sparse_view d = lcp_view(problem);
    assert_ok(crm_lcp_create(problem->size, &d, &lcp, &error), &error);
    return lcp;
}

/* ---- Solved ---------------------------------------------------------------------------------- */

static void check_packing(packing_kind kind, size_t side, double decades, double tolerance, rng *r)
{
    packing p = packing_make(kind, side, decades, r);
    for (packing_motion motion = 0; motion < PACKING_MOTIONS; motion++) {
        lcp_data problem = lcp_packing(&p, motion, r);
        lcp_answer a = lcp_solve(&problem);
        lcp_check_solved(&problem, &a, tolerance);
        lcp_answer_free(&a);
        lcp_data_free(&problem);
    }
    packing_free(&p);
}

static void test_hexagonal_packings(void **state)
{
    (void)state;
    const size_t sides[] = {2, 3, 7, 15, 30};
    rng r = rng_seeded(17);
    for (size_t k = 0; k < 5; k++) {
        check_packing(PACKING_HEXAGONAL, sides[k], 0.0, ROUNDING, &r);
        check_packing(PACKING_HEXAGONAL, sides[k], 1.0, SOLVED, &r);
    }
}

static void test_packings_in_space(void **state)
{
    (void)state;
    rng r = rng_seeded(18);
    for (size_t side = 2; side <= 6; side++) {
        check_packing(PACKING_DENSE, side, 0.0, ROUNDING, &r);
        check_packing(PACKING_DENSE, side, 1.0, SOLVED, &r);
    }
}

/* Ten thousand contacts, for the least p and for any: two ways to the same w, both to rounding. */
static void test_large_packings_to_rounding(void **state)
{
    (void)state;
    rng r = rng_seeded(1);
    crm_lcp_options any = crm_lcp_options_default();
    any.least_norm = false;
    for (unsigned decades = 0; decades < 2; decades++) {
        packing p = packing_make(PACKING_HEXAGONAL, 59, decades, &r);
        lcp_data problem = lcp_packing(&p, PACKING_STRUCK, &r);
        crm_lcp *lcp = create(&problem);
        lcp_answer least = lcp_solve_with(lcp, &problem, NULL, NULL);
        lcp_answer other = lcp_solve_with(lcp, &problem, &any, NULL);
        lcp_check_solved(&problem, &least, ROUNDING);
        lcp_check_solved(&problem, &other, SOLVED);
        lcp_check_w(&problem, &least, other.w, SOLVED);
        double excess =
            lcp_squared_norm(&problem, least.p) / lcp_squared_norm(&problem, other.p) - 1.0;
        assert_true(excess <= 1e-12);
        assert_true(least.info.norm_excess <= 1e-6);
        lcp_answer_free(&least);
        lcp_answer_free(&other);
        crm_lcp_free(lcp);
        lcp_data_free(&problem);
        packing_free(&p);
    }
}

/* The least sum D_jj x_j^2 between two solutions: all of these are solutions. */
static double least_norm_between(const lcp_data *problem, const double *a, const double *b)
{
    double *x = calloc(problem->size, sizeof *x);
    double norm = lcp_squared_norm(problem, a);
    double end = lcp_squared_norm(problem, b);
    for (size_t j = 0; j < problem->size; j++) {
        x[j] = b[j] - a[j];
    }
    /* |a + t x|^2 = norm + t (end - norm - square) + t^2 square */
    double square = lcp_squared_norm(problem, x);
    double t = fmin(fmax(0.5 * (square + norm - end) / square, 0.0), 1.0);
    free(x);
    return norm + t * (end - norm - square) + t * t * square;
}

/* Enough contacts for the way that asks no contact for its side: w is that of another way, no
 * solution on the line to the other one has a smaller norm than the report admits, and from the
 * answer to a near problem it takes less than half the work.
 */
static void test_larger_packings(void **state)
{
    (void)state;
    const packing_motion motions[] = {PACKING_STRUCK, PACKING_ALL_MOVE};
    rng r = rng_seeded(3);
    packing p = packing_make(PACKING_HEXAGONAL, 72, 0.0, &r);
    crm_lcp_options any = crm_lcp_options_default();
    any.least_norm = false;
    crm_lcp_options warm = crm_lcp_options_default();
    warm.warm_start = true;
    for (size_t m = 0; m < 2; m++) {
        lcp_data problem = lcp_packing(&p, motions[m], &r);
        crm_lcp *lcp = create(&problem);
        lcp_answer other = lcp_solve_with(lcp, &problem, &any, NULL);
        lcp_answer least = lcp_solve_with(lcp, &problem, NULL, NULL);
        lcp_check_solved(&problem, &least, ROUNDING);
        lcp_check_w(&problem, &least, other.w, SOLVED);
        double norm = lcp_squared_norm(&problem, least.p);
        double between = least_norm_between(&problem, least.p, other.p);
        assert_true(least.info.norm_excess <= 1e-6);
        assert_true(norm <= between * (1.0 + least.info.norm_excess) * (1.0 + 1e-12));
        assert_true(norm < lcp_squared_norm(&problem, other.p));
        double *velocity = calloc(3 * p.balls, sizeof *velocity);
        double *change = calloc(problem.size, sizeof *change);
        packing_velocities(&p, PACKING_ALL_MOVE, &r, velocity);
        packing_speeds(&p, velocity, change);
        for (size_t j = 0; j < problem.size; j++) {
            problem.q[j] += 1e-8 * change[j];
        }
        free(velocity);
        free(change);
        lcp_answer again = lcp_solve_with(lcp, &problem, &warm, least.p);
        lcp_check_solved(&problem, &again, ROUNDING);
        assert_true(again.info.norm_excess <= 1e-6);
        assert_true(2 * again.info.factorizations < least.info.factorizations);
        lcp_answer_free(&other);
        lcp_answer_free(&least);
        lcp_answer_free(&again);
        crm_lcp_free(lcp);
        lcp_data_free(&problem);
    }
    packing_free(&p);
}

/* Masses from 1e-4 to 1e4 side by side. */
/* The largest, all of whose balls move: the path's end is the answer, and near the least norm. */
static void test_largest_packings(void **state)
{
    (void)state;
    rng r = rng_seeded(3);
    for (size_t k = 0; k < rounds(1, 0); k++) {
        packing p = packing_make(PACKING_HEXAGONAL, 225, 0.0, &r);
        lcp_data problem = lcp_packing(&p, PACKING_ALL_MOVE, &r);
        lcp_answer a = lcp_solve(&problem);
        lcp_check_solved(&problem, &a, SOLVED);
        assert_true(a.info.norm_excess <= 1e-6);
        lcp_answer_free(&a);
        lcp_data_free(&problem);
        packing_free(&p);
    }
}

static void test_packings_of_very_unequal_masses(void **state)
{
    (void)state;
    rng r = rng_seeded(19);
    for (unsigned trial = 0; trial < 4; trial++) {
        check_packing(PACKING_HEXAGONAL, 12, 4.0, SOLVED, &r);
        check_packing(PACKING_DENSE, 5, 4.0, SOLVED, &r);
    }
    check_packing(PACKING_HEXAGONAL, 25, 3.0, SOLVED, &r);
}

/* Every contact three times: the second and third depend on the first. */
static void test_contacts_entered_three_times(void **state)
{
    (void)state;
    rng r = rng_seeded(20);
    packing p = packing_make(PACKING_HEXAGONAL, 6, 0.5, &r);
    lcp_data once = lcp_packing(&p, PACKING_ALL_MOVE, &r);
    lcp_data thrice = lcp_allocate(3 * once.size, 9 * once.start[once.size]);
    size_t entry = 0;
    for (size_t j = 0; j < thrice.size; j++) {
        size_t i = j % once.size;
        thrice.q[j] = once.q[i];
        for (size_t m = once.start[i]; m < once.start[i + 1]; m++) {
            for (size_t copy = 0; copy < 3; copy++) {
                thrice.column[entry] = (uint32_t)(once.column[m] + copy * once.size);
                thrice.value[entry++] = once.value[m];
            }
        }
        thrice.start[j + 1] = entry;
    }
    lcp_answer a = lcp_solve(&once);
    lcp_answer b = lcp_solve(&thrice);
    lcp_check_solved(&thrice, &b, ROUNDING);
    for (size_t j = 0; j < thrice.size; j++) {
        assert_near(b.w[j], a.w[j % once.size], 1e-11);
    }
    lcp_answer_free(&a);
    lcp_answer_free(&b);
    lcp_data_free(&once);
    lcp_data_free(&thrice);
    packing_free(&p);
}

/* q = w* - D p* with contacts for which both are 0. */
static void test_known_pairs_with_idle_contacts(void **state)
{
    (void)state;
    rng r = rng_seeded(21);
    packing p = packing_make(PACKING_HEXAGONAL, 12, 0.5, &r);
    lcp_data problem = lcp_packing(&p, PACKING_STRUCK, &r);
    double *known = calloc(problem.size, sizeof *known);
    double *w = calloc(problem.size, sizeof *w);
    for (size_t j = 0; j < problem.size; j++) {
        size_t kind = rng_below(&r, 3);
        known[j] = kind == 0 ? rng_uniform(&r, 0.0, 1.0) : 0.0;
        w[j] = kind == 1 ? rng_uniform(&r, 0.0, 1.0) : 0.0;
    }
    for (size_t i = 0; i < problem.size; i++) {
        problem.q[i] = w[i];
        for (size_t m = problem.start[i]; m < problem.start[i + 1]; m++) {
            problem.q[i] -= problem.value[m] * known[problem.column[m]];
        }
    }
    lcp_answer a = lcp_solve(&problem);
    lcp_check_solved(&problem, &a, ROUNDING);
    lcp_check_w(&problem, &a, w, 100.0 * ROUNDING);
    assert_true(lcp_squared_norm(&problem, a.p) <=
                lcp_squared_norm(&problem, known) * (1.0 + a.info.norm_excess + 1e-12));
    lcp_answer_free(&a);
    lcp_data_free(&problem);
    packing_free(&p);
    free(known);
    free(w);
}

/* Everything separates or rests: nothing happens. */
static void test_nothing_closes(void **state)
{
    (void)state;
    rng r = rng_seeded(41);
    packing p = packing_make(PACKING_HEXAGONAL, 6, 0.0, &r);
    lcp_data problem = lcp_packing(&p, PACKING_STRUCK, &r);
    for (unsigned trial = 0; trial < 2; trial++) {
        for (size_t j = 0; j < problem.size; j++) {
            problem.q[j] = j % 3 == 0 || trial == 1 ? 0.0 : 1.0;
        }
        lcp_answer a = lcp_solve(&problem);
        lcp_check_solved(&problem, &a, ROUNDING);
        assert_near(largest_size(a.p, problem.size), 0.0, 0.0);
        lcp_answer_free(&a);
    }
    lcp_data_free(&problem);
    packing_free(&p);
}

/* ---- Invariance ------------------------------------------------------------------------------ */

/* The contacts in another order: the same w, and the same p. */
static void test_order_of_contacts_does_not_matter(void **state)
{
    (void)state;
    rng r = rng_seeded(19);
    packing p = packing_make(PACKING_HEXAGONAL, 8, 0.5, &r);
    size_t *order = calloc(p.contacts, sizeof *order);
    rng_shuffle(&r, order, p.contacts);
    packing shuffled = packing_renumbered(&p, order);
    rng motion = r;
    lcp_data first = lcp_packing(&p, PACKING_ALL_MOVE, &r);
    lcp_data second = lcp_packing(&shuffled, PACKING_ALL_MOVE, &motion);
    lcp_answer a = lcp_solve(&first);
    lcp_answer b = lcp_solve(&second);
    lcp_check_solved(&first, &a, ROUNDING);
    lcp_check_solved(&second, &b, ROUNDING);
    double largest = largest_size(a.p, first.size);
    for (size_t j = 0; j < first.size; j++) {
        assert_near(b.w[j], a.w[order[j]], 1e-11);
        assert_near(b.p[j], a.p[order[j]], 1e-5 * largest);
    }
    lcp_answer_free(&a);
    lcp_answer_free(&b);
    lcp_data_free(&first);
    lcp_data_free(&second);
    packing_free(&p);
    packing_free(&shuffled);
    free(order);
}

/* Units of mass and speed by powers of two, tiny and huge: the same bits. */
static void test_units_do_not_matter(void **state)
{
    (void)state;
    const int powers[][2] = {{80, -120}, {-300, 200}, {200, 250}};
    rng r = rng_seeded(23);
    packing p = packing_make(PACKING_HEXAGONAL, 9, 1.0, &r);
    lcp_data problem = lcp_packing(&p, PACKING_ALL_MOVE, &r);
    lcp_answer a = lcp_solve(&problem);
    for (size_t k = 0; k < 3; k++) {
        int mass = powers[k][0], speed = powers[k][1];
        lcp_data other = lcp_packing(&p, PACKING_STRUCK, &r);
        for (size_t m = 0; m < problem.start[problem.size]; m++) {
            other.value[m] = ldexp(problem.value[m], -mass);
        }
        for (size_t j = 0; j < problem.size; j++) {
            other.q[j] = ldexp(problem.q[j], speed);
        }
        lcp_answer b = lcp_solve(&other);
        for (size_t j = 0; j < problem.size; j++) {
            assert_true(b.p[j] == ldexp(a.p[j], speed + mass));
            assert_true(b.w[j] == ldexp(a.w[j], speed));
        }
        lcp_answer_free(&b);
        lcp_data_free(&other);
    }
    lcp_answer_free(&a);
    lcp_data_free(&problem);
    packing_free(&p);
}

/* ---- Reuse ----------------------------------------------------------------------------------- */

/* A start changes the work, never w, however bad it is. */
static void test_warm_start_of_a_changed_problem(void **state)
{
    (void)state;
    rng r = rng_seeded(29);
    packing p = packing_make(PACKING_HEXAGONAL, 20, 0.3, &r);
    lcp_data problem = lcp_packing(&p, PACKING_ALL_MOVE, &r);
    crm_lcp *lcp = create(&problem);
    crm_lcp_options any = crm_lcp_options_default();
    any.least_norm = false;
    crm_lcp_options warm = any;
    warm.warm_start = true;
    lcp_answer first = lcp_solve_with(lcp, &problem, &any, NULL);
    lcp_check_solved(&problem, &first, ROUNDING);
    for (size_t j = 0; j < problem.size; j++) {
        problem.q[j] += 1e-6 * first.w[j]; /* still solvable: p is as it was, w is larger */
    }
    lcp_answer cold = lcp_solve_with(lcp, &problem, NULL, NULL);
    lcp_answer again = lcp_solve_with(lcp, &problem, &warm, first.p);
    lcp_check_solved(&problem, &again, ROUNDING);
    lcp_check_w(&problem, &again, cold.w, 100.0 * ROUNDING);
    assert_true(3 * again.info.factorizations < cold.info.factorizations);
    double *bad = calloc(problem.size, sizeof *bad);
    for (size_t j = 0; j < problem.size; j++) {
        bad[j] = j % 4 == 0 ? NAN : j % 4 == 1 ? -1.0 : j % 4 == 2 ? 1e6 : 0.0;
    }
    for (unsigned trial = 0; trial < 2; trial++) {
        warm.least_norm = trial == 1;
        lcp_answer from_bad = lcp_solve_with(lcp, &problem, &warm, bad);
        lcp_check_solved(&problem, &from_bad, ROUNDING);
        lcp_check_w(&problem, &from_bad, cold.w, 100.0 * ROUNDING);
        lcp_answer_free(&from_bad);
    }
    free(bad);
    lcp_answer_free(&first);
    lcp_answer_free(&cold);
    lcp_answer_free(&again);
    crm_lcp_free(lcp);
    lcp_data_free(&problem);
    packing_free(&p);
}

/* Solving in between leaves no trace: the second answer has the bits of the first. */
static void test_solving_leaves_no_trace(void **state)
{
    (void)state;
    rng r = rng_seeded(31);
    packing p = packing_make(PACKING_HEXAGONAL, 6, 0.3, &r);
    lcp_data problem = lcp_packing(&p, PACKING_ALL_MOVE, &r);
    lcp_data other = lcp_packing(&p, PACKING_ROW, &r);
    crm_lcp *lcp = create(&problem);
    lcp_answer first = lcp_solve_with(lcp, &problem, NULL, NULL);
    lcp_answer between = lcp_solve_with(lcp, &other, NULL, NULL);
    lcp_answer last = lcp_solve_with(lcp, &problem, NULL, NULL);
    assert_memory_equal(first.p, last.p, problem.size * sizeof(double));
    assert_memory_equal(first.w, last.w, problem.size * sizeof(double));
    assert_int_equal(first.info.iterations, last.info.iterations);
    assert_int_equal(first.info.pivots, last.info.pivots);
    lcp_answer_free(&first);
    lcp_answer_free(&between);
    lcp_answer_free(&last);
    crm_lcp_free(lcp);
    lcp_data_free(&problem);
    lcp_data_free(&other);
    packing_free(&p);
}

static void test_limit_is_reported(void **state)
{
    (void)state;
    rng r = rng_seeded(37);
    packing p = packing_make(PACKING_HEXAGONAL, 12, 1.0, &r);
    lcp_data problem = lcp_packing(&p, PACKING_ALL_MOVE, &r);
    crm_lcp *lcp = create(&problem);
    crm_lcp_options hasty = crm_lcp_options_default();
    for (hasty.max_iterations = 0; hasty.max_iterations < 10; hasty.max_iterations += 3) {
        double terms;
        lcp_answer a = lcp_solve_with(lcp, &problem, &hasty, NULL);
        crm_lcp_info found = lcp_residuals(&problem, a.p, &terms);
        assert_string_equal(crm_lcp_result_text(a.info.result), "not_terminated");
        assert_true(a.info.iterations <= hasty.max_iterations);
        assert_true(a.info.min_p >= 0.0);
        assert_true(isnan(a.info.norm_excess));
        assert_near(a.info.natural_residual, found.natural_residual,
                    1e-12 * found.natural_residual);
        lcp_answer_free(&a);
    }
    crm_lcp_free(lcp);
    lcp_data_free(&problem);
    packing_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hexagonal_packings),
        cmocka_unit_test(test_packings_in_space),
        cmocka_unit_test(test_large_packings_to_rounding),
        cmocka_unit_test(test_larger_packings),
        cmocka_unit_test(test_largest_packings),
        cmocka_unit_test(test_packings_of_very_unequal_masses),
        cmocka_unit_test(test_contacts_entered_three_times),
        cmocka_unit_test(test_known_pairs_with_idle_contacts),
        cmocka_unit_test(test_nothing_closes),
        cmocka_unit_test(test_order_of_contacts_does_not_matter),
        cmocka_unit_test(test_units_do_not_matter),
        cmocka_unit_test(test_warm_start_of_a_changed_problem),
        cmocka_unit_test(test_solving_leaves_no_trace),
        cmocka_unit_test(test_limit_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
