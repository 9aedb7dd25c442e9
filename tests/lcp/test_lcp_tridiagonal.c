/* The complementarity solver on lines of balls: closed forms and isotonic regression. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lcp_case.h"

/* n equal balls, the first at speed 1: p = (n-1, ..., 1)/n. */
static void test_equal_balls_closed_form(void **state)
{
    (void)state;
    const size_t sizes[] = {2, 3, 10, 25, 1000, 100000};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        size_t n = sizes[k];
        double *mass = calloc(n, sizeof(double));
        for (size_t i = 0; i < n; i++) {
            mass[i] = 1.0;
        }
        lcp_data problem = lcp_chain(n, mass);
        problem.q[0] = -1.0;
        lcp_answer a = lcp_solve(&problem);
        lcp_check_solved(&problem, &a, ROUNDING);
        assert_true(a.info.unique);
        for (size_t j = 0; j + 1 < n; j++) {
            assert_near(a.p[j], (double)(n - 1 - j) / (double)n, 4e-16);
        }
        lcp_answer_free(&a);
        lcp_data_free(&problem);
        free(mass);
    }
}

/* The plastic impact of a line of balls is isotonic regression: blocks of balls that move on
 * together, found by pooling neighbours that would collide.
 */
static void pool(size_t n, const double *mass, const double *velocity, double *after)
{
    size_t *first = calloc(n + 1, sizeof(size_t));
    long double *momentum = calloc(n, sizeof(long double));
    long double *total = calloc(n, sizeof(long double));
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        first[count] = i;
        total[count] = mass[i];
        momentum[count++] = (long double)mass[i] * velocity[i];
        while (count > 1 &&
               momentum[count - 2] / total[count - 2] >= momentum[count - 1] / total[count - 1]) {
            momentum[count - 2] += momentum[count - 1];
            total[count - 2] += total[count - 1];
            count--;
        }
    }
    first[count] = n;
    for (size_t b = 0; b < count; b++) {
        for (size_t i = first[b]; i < first[b + 1]; i++) {
            after[i] = (double)(momentum[b] / total[b]);
        }
    }
    free(first);
    free(momentum);
    free(total);
}

/* The active set of a line is found without trying: what is left is to ask whether D is definite,
 * and a set or two more where rounding decided.
 */
enum { LINE_FACTORIZATIONS = 8 };

/* Masses from 10^-decades to 10^decades. A line of light balls between heavy ones: D_jj and D_jj+1
 * cancel but for the heavy balls' share, so rounding D to doubles changes w by that much of the
 * greatest ratio of masses. (For 16 decades D knows nothing of the heavy balls.)
 */
static void check_line(rng *r, size_t n, double decades)
{
    double tolerance = 100.0 * ROUNDING + 1e-15 * pow(10.0, 2.0 * decades);
    double *mass = calloc(n, sizeof(double));
    double *velocity = calloc(n, sizeof(double));
    double *after = calloc(n, sizeof(double));
    double *want = calloc(n, sizeof(double));
    for (size_t i = 0; i < n; i++) {
        mass[i] = pow(10.0, rng_uniform(r, -decades, decades));
        velocity[i] = rng_uniform(r, -1.0, 1.0);
    }
    pool(n, mass, velocity, after);
    lcp_data problem = lcp_chain(n, mass);
    for (size_t j = 0; j + 1 < n; j++) {
        problem.q[j] = velocity[j + 1] - velocity[j];
        want[j] = after[j + 1] - after[j];
    }
    lcp_answer a = lcp_solve(&problem);
    lcp_check_solved(&problem, &a, ROUNDING);
    lcp_check_w(&problem, &a, want, tolerance);
    assert_true(a.info.factorizations <= LINE_FACTORIZATIONS);
    lcp_answer_free(&a);
    lcp_data_free(&problem);
    free(mass);
    free(velocity);
    free(after);
    free(want);
}

static void test_lines_are_isotonic_regressions(void **state)
{
    (void)state;
    rng r = rng_seeded(3);
    for (unsigned trial = 0; trial < 200; trial++) {
        check_line(&r, 2 + rng_below(&r, 60), 0.5);
    }
    check_line(&r, 20000, 0.5);
}

/* Masses from 1e-8 to 1e8 in one line. */
static void test_masses_of_very_different_size(void **state)
{
    (void)state;
    rng r = rng_seeded(5);
    for (unsigned trial = 0; trial < 300; trial++) {
        check_line(&r, 2 + rng_below(&r, 100), trial % 3 == 0 ? 2.0 : trial % 3 == 1 ? 4.0 : 6.0);
    }
}

/* Balls between two walls: the contacts are dependent. Three balls, the middle one moving: the
 * outer contacts of a line at rest can be squeezed by any amount, least squeezed is not at all.
 */
static void test_line_between_walls(void **state)
{
    (void)state;
    const double diagonal[4] = {1.0, 2.0, 2.0, 1.0};
    const double above[3] = {-1.0, -1.0, -1.0};
    lcp_data problem = lcp_tridiagonal(4, diagonal, above);
    /* Ball 2 moves right at 1: gaps (0, +1, -1, 0). Everything stops but for what opens. */
    const double q[4] = {0.0, 1.0, -1.0, 0.0};
    memcpy(problem.q, q, sizeof q);
    lcp_answer a = lcp_solve(&problem);
    /* D p = -q on the closed side: ball 3 is stopped by the wall, so p = (0, 0, 1, 1), w = 0. */
    const double p_want[4] = {0.0, 0.0, 1.0, 1.0};
    const double w_want[4] = {0.0, 0.0, 0.0, 0.0};
    lcp_check_solved(&problem, &a, ROUNDING);
    assert_false(a.info.unique);
    assert_all_near(a.w, w_want, 4, 1e-15);
    assert_all_near(a.p, p_want, 4, 1e-8);
    assert_true(a.info.norm_excess < 1e-6);
    lcp_answer_free(&a);
    lcp_data_free(&problem);
}

/* Lines between walls, all of whose contacts together are dependent, against every active set;
 * walls that move may make them infeasible.
 */
static void test_lines_between_walls_agree_with_every_set(void **state)
{
    (void)state;
    rng r = rng_seeded(43);
    size_t infeasible = 0;
    for (unsigned trial = 0; trial < 600; trial++) {
        double diagonal[8], above[8], d[64] = {0}, velocity[10], want[FEW];
        size_t balls = 1 + rng_below(&r, 7);
        size_t size = balls + 1;
        double mass[9] = {INFINITY};
        for (size_t i = 1; i <= balls; i++) {
            mass[i] = trial % 2 == 0 ? 1.0 : rng_uniform(&r, 0.5, 2.0);
        }
        mass[balls + 1] = INFINITY;
        for (size_t i = 0; i <= balls + 1; i++) {
            bool wall = i == 0 || i == balls + 1;
            velocity[i] = wall && trial % 4 != 0 ? 0.0 : (double)rng_below(&r, 5) - 2.0;
        }
        for (size_t j = 0; j < size; j++) {
            double left = j == 0 ? 0.0 : 1.0 / mass[j];
            double right = j == balls ? 0.0 : 1.0 / mass[j + 1];
            diagonal[j] = left + right;
            above[j] = -right;
            d[j * size + j] = diagonal[j];
            if (j < balls) {
                d[j * size + j + 1] = above[j];
                d[(j + 1) * size + j] = above[j];
            }
        }
        lcp_data problem = lcp_tridiagonal(size, diagonal, above);
        for (size_t j = 0; j < size; j++) {
            problem.q[j] = velocity[j + 1] - velocity[j];
        }
        bool feasible = lcp_enumerate(size, d, problem.q, want);
        lcp_answer a = lcp_solve(&problem);
        if (feasible) {
            lcp_check_solved(&problem, &a, ROUNDING);
            lcp_check_w(&problem, &a, want, 100.0 * ROUNDING);
        } else {
            lcp_check_infeasible(&problem, &a);
            infeasible++;
        }
        lcp_answer_free(&a);
        lcp_data_free(&problem);
    }
    assert_true(infeasible > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_balls_closed_form),
        cmocka_unit_test(test_lines_are_isotonic_regressions),
        cmocka_unit_test(test_masses_of_very_different_size),
        cmocka_unit_test(test_line_between_walls),
        cmocka_unit_test(test_lines_between_walls_agree_with_every_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
