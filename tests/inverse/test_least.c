/* Least squares within bounds, singular values, and quantiles: against certified and printed values
 * and closed forms.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "inverse/least/least.h"
#include "inverse/least/student.h"
#include "inverse/least/svd.h"
#include "support.h"

/* ---- Singular values ------------------------------------------------------------------------- */

enum { ROWS = 7, COLUMNS = 4 };

/* A random matrix is put together again, with orthogonal factors, the largest value first. */
static void singular_values_put_the_matrix_together(void **state)
{
    (void)state;
    rng r = rng_seeded(1);
    for (int trial = 0; trial < 50; trial++) {
        double a[ROWS * COLUMNS], us[ROWS * COLUMNS], s[COLUMNS], v[COLUMNS * COLUMNS];
        for (size_t i = 0; i < ROWS * COLUMNS; i++) {
            a[i] = us[i] = rng_normal(&r);
        }
        crm_svd(ROWS, COLUMNS, us, s, v);
        for (size_t i = 0; i < ROWS; i++) {
            for (size_t j = 0; j < COLUMNS; j++) {
                double sum = 0;
                for (size_t k = 0; k < COLUMNS; k++) {
                    sum += us[i * COLUMNS + k] * v[j * COLUMNS + k];
                }
                assert_near(sum, a[i * COLUMNS + j], 1e-13);
            }
        }
        for (size_t p = 0; p < COLUMNS; p++) {
            assert_true(p == 0 || s[p] <= s[p - 1]);
            for (size_t q = 0; q < COLUMNS; q++) {
                double left = 0, right = 0;
                for (size_t i = 0; i < ROWS; i++) {
                    left += us[i * COLUMNS + p] * us[i * COLUMNS + q];
                }
                for (size_t i = 0; i < COLUMNS; i++) {
                    right += v[i * COLUMNS + p] * v[i * COLUMNS + q];
                }
                assert_near(left, p == q ? s[p] * s[p] : 0, 1e-12);
                assert_near(right, p == q, 1e-13);
            }
        }
    }
}

/* Columns 1 and 2 are the same but for a factor: the rank shows, and the direction. */
static void a_missing_rank_shows(void **state)
{
    (void)state;
    double a[] = {1, 3, 0, 2, 6, 1, -1, -3, 5, 4, 12, 2}, s[3], v[9];
    crm_svd(4, 3, a, s, v);
    assert_near(s[2] / s[0], 0, 1e-15);
    assert_near(v[0 * 3 + 2] / v[1 * 3 + 2], -3, 1e-12);
    assert_near(v[2 * 3 + 2], 0, 1e-14);
}

/* ---- Quantiles ------------------------------------------------------------------------------- */

/* As tables of Student's distribution print them, two-sided 95 % and 99 %. */
static void quantiles_are_those_of_the_tables(void **state)
{
    (void)state;
    static const struct {
        double probability;
        size_t degrees;
        double t;
    } printed[] = {{0.95, 1, 12.706}, {0.95, 2, 4.303},  {0.95, 3, 3.182},   {0.95, 5, 2.571},
                   {0.95, 10, 2.228}, {0.95, 30, 2.042}, {0.95, 120, 1.980}, {0.99, 4, 4.604},
                   {0.99, 9, 3.250},  {0.90, 7, 1.895}};
    for (size_t i = 0; i < sizeof printed / sizeof printed[0]; i++) {
        assert_near(crm_student(printed[i].probability, printed[i].degrees), printed[i].t, 5.1e-4);
    }
    assert_near(crm_student_normal(0.95), 1.959963984540054, 1e-13);
}

/* ---- Least squares --------------------------------------------------------------------------- */

/* NIST StRD, Misra1a: y = b1 (1 - exp(-b2 x)), with certified answers. */
static const double misra_x[] = {77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                                 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};
static const double misra_y[] = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
                                 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};
enum { MISRA = sizeof misra_x / sizeof misra_x[0] };

static crm_status misra(void *context, const double *b, double *r, double *jacobian,
                        crm_error *error)
{
    (void)context, (void)error;
    for (size_t i = 0; i < MISRA; i++) {
        double e = exp(-b[1] * misra_x[i]);
        r[i] = b[0] * (1 - e) - misra_y[i];
        if (jacobian != NULL) {
            jacobian[2 * i] = 1 - e;
            jacobian[2 * i + 1] = b[0] * misra_x[i] * e;
        }
    }
    return CRM_OK;
}

static crm_least_end solve_misra(double *b, const double *from, const double *to)
{
    crm_least problem = {
        .unknowns = 2, .residuals = MISRA, .from = from, .to = to, .evaluate = misra};
    double r[MISRA], jacobian[2 * MISRA];
    crm_least_end end;
    crm_error error = {0};
    assert_ok(crm_least_solve(&problem, b, r, jacobian, &end, &error), &error);
    return end;
}

static void certified_values_are_found_from_both_starts(void **state)
{
    (void)state;
    static const double from[] = {0, 0}, to[] = {1e4, 1};
    static const double starts[][2] = {{500, 0.0001}, {250, 0.0005}};
    for (size_t k = 0; k < 2; k++) {
        double b[] = {starts[k][0], starts[k][1]};
        crm_least_end end = solve_misra(b, from, to);
        assert_true(end.converged);
        assert_near(b[0] / 2.3894212918e+02, 1, 1e-6);
        assert_near(b[1] / 5.5015643181e-04, 1, 1e-6);
        assert_near(end.sum / 1.2455138894e-01, 1, 1e-8);
    }
}

/* With b1 held at 200 by a bound, b2 is the root of the one equation that is left. */
static void a_bound_holds(void **state)
{
    (void)state;
    static const double from[] = {0, 0}, to[] = {200, 1};
    double b[] = {100, 0.001};
    crm_least_end end = solve_misra(b, from, to);
    assert_true(end.converged);
    assert_true(b[0] == 200);
    double low = 1e-4, high = 1e-3; /* d(sum)/d(b2) grows through 0 */
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2, slope = 0;
        for (size_t k = 0; k < MISRA; k++) {
            double e = exp(-middle * misra_x[k]);
            slope += (200 * (1 - e) - misra_y[k]) * misra_x[k] * e;
        }
        *(slope < 0 ? &low : &high) = middle;
    }
    assert_near(b[1] / low, 1, 1e-6);
}

/* The minimum is inside, the start on a bound: a transformed unknown would stay there. */
static void a_start_on_a_bound_leaves_it(void **state)
{
    (void)state;
    static const double from[] = {0, 1e-5}, to[] = {1000, 0.01};
    double b[] = {1000, 1e-5};
    crm_least_end end = solve_misra(b, from, to);
    assert_true(end.converged);
    assert_near(b[0] / 2.3894212918e+02, 1, 1e-6);
}

/* Rosenbrock's valley: its floor is at (1, 1); within x <= 0.5 at (0.5, 0.25). */
static crm_status rosenbrock(void *context, const double *x, double *r, double *jacobian,
                             crm_error *error)
{
    const double *hole = context; /* no answer to the right of it */
    if (hole != NULL && x[0] > *hole) {
        return CRM_ERROR_MODEL;
    }
    (void)error;
    r[0] = 10 * (x[1] - x[0] * x[0]);
    r[1] = 1 - x[0];
    if (jacobian != NULL) {
        jacobian[0] = -20 * x[0];
        jacobian[1] = 10;
        jacobian[2] = -1;
        jacobian[3] = 0;
    }
    return CRM_OK;
}

static void solve_rosenbrock(double *x, double most, double *hole)
{
    const double from[] = {-10, -10}, to[] = {most, 10};
    crm_least problem = {.unknowns = 2,
                         .residuals = 2,
                         .from = from,
                         .to = to,
                         .rounding = 1e-20, /* the residuals vanish at the end */
                         .context = hole,
                         .evaluate = rosenbrock};
    double r[2], jacobian[4];
    crm_least_end end;
    crm_error error = {0};
    assert_ok(crm_least_solve(&problem, x, r, jacobian, &end, &error), &error);
    assert_true(end.converged);
}

static void a_curved_valley_is_followed(void **state)
{
    (void)state;
    double free[] = {-1.2, 1}, bounded[] = {-1.2, 1}, beside[] = {-1.2, 1}, hole = 1.01;
    solve_rosenbrock(free, 10, NULL);
    assert_near(free[0], 1, 1e-6);
    assert_near(free[1], 1, 1e-6);
    solve_rosenbrock(bounded, 0.5, NULL);
    assert_true(bounded[0] == 0.5);
    assert_near(bounded[1], 0.25, 1e-6);
    solve_rosenbrock(beside, 10, &hole); /* steps that have no answer are shortened */
    assert_near(beside[0], 1, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(singular_values_put_the_matrix_together),
        cmocka_unit_test(a_missing_rank_shows),
        cmocka_unit_test(quantiles_are_those_of_the_tables),
        cmocka_unit_test(certified_values_are_found_from_both_starts),
        cmocka_unit_test(a_bound_holds),
        cmocka_unit_test(a_start_on_a_bound_leaves_it),
        cmocka_unit_test(a_curved_valley_is_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
