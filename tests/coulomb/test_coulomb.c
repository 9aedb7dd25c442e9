/* Coulomb's law on impulses: closed forms, known solutions, all answers in the plane by
 * enumeration, problems without an answer, misuse. Residuals are recomputed by coulomb_case.c.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carom/coulomb.h"
#include "coulomb_case.h"
#include "coulomb_judge.h"
#include "support.h"

enum { ROOM = 16 };

static const double TOLERANCE = 1e-12;     /* of solutions that are known to be there */
static const double FEW_ULPS = 1e-14;      /* of closed forms with numbers near 1 */
static const double PRINTED = 5e-6;        /* values given to five digits */
static const double ROUNDED_MASSES = 1e-9; /* masses in a ratio of 1e6: impulses of 1e5 */

static void assert_double_equal(double x, double want, double tolerance)
{
    if (!(fabs(x - want) <= tolerance)) {
        fail_msg("%.17g is not %.17g within %g", x, want, tolerance);
    }
}

static crm_coulomb *made(const coulomb_data *data)
{
    coulomb_columns columns = coulomb_columns_of(data);
    crm_sparse_view view = coulomb_view(&columns);
    crm_coulomb *coulomb = NULL;
    crm_error error = {0};
    assert_ok(crm_coulomb_create(data->contacts, data->dim, &view, &coulomb, &error), &error);
    coulomb_columns_free(&columns);
    return coulomb;
}

static crm_coulomb_info solved(const coulomb_data *data, const crm_coulomb_options *options,
                               double *r, double *u)
{
    crm_error error = {0};
    crm_coulomb_info info;
    crm_coulomb *coulomb = made(data);
    assert_ok(crm_coulomb_solve(coulomb, data->q, data->mu, options, r, u, &info, &error), &error);
    crm_coulomb_free(coulomb);
    return info;
}

static coulomb_data with(size_t contacts, size_t dim, const double *d, const double *q,
                         const double *mu)
{
    coulomb_data data = coulomb_allocate(contacts, dim);
    memcpy(data.d, d, data.size * data.size * sizeof *d);
    memcpy(data.q, q, data.size * sizeof *q);
    memcpy(data.mu, mu, contacts * sizeof *mu);
    return data;
}

/* ---- One contact --------------------------------------------------------------------------- */

/* A rod at 45 degrees: D = [5/2 -3/2; -3/2 5/2]; Newton's law with e = 1 asks for u_n + e u_n-. */
static void a_rod_at_45_degrees_sticks(void **state)
{
    (void)state;
    const double d[] = {2.5, -1.5, -1.5, 2.5}, q[] = {-2, 0.6}, mu = 0.5;
    coulomb_data data = with(1, 2, d, q, &mu);
    double r[2], u[2];
    crm_coulomb_info info = solved(&data, NULL, r, u);
    assert_int_equal(info.result, CRM_COULOMB_SOLVED);
    assert_int_equal(info.stuck, 1);
    assert_double_equal(r[0], 1.025, FEW_ULPS);
    assert_double_equal(r[1], 0.375, FEW_ULPS);
    assert_double_equal(u[0], 0, FEW_ULPS);
    assert_double_equal(u[1], 0, FEW_ULPS);
    coulomb_data_free(&data);
}

/* Slip against -t: r_t = mu r_n, r_n = -q_n / (D_nn + mu D_nt). */
static void a_contact_in_the_plane_slips_as_its_closed_form(void **state)
{
    (void)state;
    const double d[] = {2, 0.5, 0.5, 1}, q[] = {-1, -3}, mu = 0.4;
    coulomb_data data = with(1, 2, d, q, &mu);
    double r[2], u[2], normal = 1 / (2 + mu * 0.5);
    crm_coulomb_info info = solved(&data, NULL, r, u);
    assert_int_equal(info.slipping, 1);
    assert_double_equal(r[0], normal, FEW_ULPS);
    assert_double_equal(r[1], mu * normal, FEW_ULPS);
    assert_double_equal(u[1], -3 + 0.5 * normal + mu * normal, FEW_ULPS);
    coulomb_data_free(&data);
}

/* D_tn = 0, D_tt = d 1: r_t = -min(|q_t| / d, mu r_n) q_t / |q_t|. */
static void a_sphere_slips_or_sticks_as_its_closed_form(void **state)
{
    (void)state;
    rng random = rng_seeded(1);
    for (int k = 0; k < 300; k++) {
        double normal = rng_log(&random, 0.1, 10), tangent = rng_log(&random, 0.1, 10);
        double d[9] = {normal, 0, 0, 0, tangent, 0, 0, 0, tangent};
        double q[3] = {rng_normal(&random), rng_normal(&random), rng_normal(&random)};
        double mu = rng_uniform(&random, 0, 2), r[3], u[3];
        coulomb_data data = with(1, 3, d, q, &mu);
        assert_int_equal(solved(&data, NULL, r, u).result, CRM_COULOMB_SOLVED);
        double pressed = fmax(0, -q[0] / normal), length = hypot(q[1], q[2]);
        double friction = fmin(length / tangent, mu * pressed);
        assert_double_equal(r[0], pressed, FEW_ULPS * (1 + pressed));
        for (int a = 1; a < 3; a++) {
            assert_double_equal(r[a], -friction * q[a] / length, 10 * TOLERANCE * (1 + pressed));
        }
        coulomb_data_free(&data);
    }
}

/* ---- Known solutions ----------------------------------------------------------------------- */

static void known_solutions_are_recovered(void **state)
{
    (void)state;
    rng random = rng_seeded(2);
    for (int k = 0; k < 10000; k++) {
        size_t dim = 2 + (size_t)k % 2;
        coulomb_kind kind = k / 2 % 2 == 0 ? COULOMB_REGULAR : COULOMB_DEPENDENT;
        coulomb_data data = coulomb_random(&random, kind, dim, 1 + rng_below(&random, 5));
        double r[ROOM], u[ROOM];
        crm_coulomb_info info = solved(&data, NULL, r, u);
        assert_int_equal(info.result, CRM_COULOMB_SOLVED);
        double residual = coulomb_residual(&data, r);
        assert_true(residual <= TOLERANCE);
        assert_double_equal(residual, info.residual, TOLERANCE);
        coulomb_data_free(&data);
    }
}

static void hard_problems_are_solved(void **state)
{
    (void)state;
    rng random = rng_seeded(3);
    for (int kind = COULOMB_OBJECT; kind < COULOMB_SKEW; kind++) {
        for (int k = 0; k < 60; k++) {
            coulomb_data data = coulomb_random(&random, (coulomb_kind)kind, 2 + (size_t)k % 2,
                                               k % 12 == 0 ? 40 : 8);
            double *r = calloc(data.size, sizeof *r);
            assert_int_equal(solved(&data, NULL, r, NULL).result, CRM_COULOMB_SOLVED);
            double allowed = kind == COULOMB_UNEVEN ? ROUNDED_MASSES : 10 * TOLERANCE;
            assert_true(coulomb_residual(&data, r) <= allowed);
            free(r);
            coulomb_data_free(&data);
        }
    }
}

/* ---- Several answers ----------------------------------------------------------------------- */

static double apart(const coulomb_data *data, const double *r, const double *other)
{
    double largest = 0;
    for (size_t i = 0; i < data->size; i++) {
        largest = fmax(largest, fabs(r[i] - other[i]));
    }
    return largest;
}

static void the_answer_is_one_of_all(void **state)
{
    (void)state;
    rng random = rng_seeded(4);
    size_t several = 0, unique = 0;
    crm_coulomb_options options = crm_coulomb_options_default();
    options.check_unique = true;
    for (int k = 0; k < 2000; k++) {
        coulomb_data data = coulomb_random(&random, COULOMB_REGULAR, 2, 1 + rng_below(&random, 4));
        double all[COULOMB_JUDGE_ANSWERS * ROOM], r[ROOM], nearest = INFINITY;
        for (size_t j = 0; j < data.contacts; j++) {
            data.mu[j] = k % 4 == 0 ? 0.01 * data.mu[j] : 2 * data.mu[j];
            data.q[2 * j] = rng_normal(&random) - 1;
        }
        crm_coulomb_info info = solved(&data, &options, r, NULL);
        size_t count = coulomb_judge_all(&data, all);
        assert_int_equal(info.result, CRM_COULOMB_SOLVED);
        for (size_t a = 0; a < count; a++) {
            nearest = fmin(nearest, apart(&data, r, all + a * data.size));
        }
        assert_true(nearest < 1e-5); /* D may have a condition of 1e6 */
        several += count > 1;
        unique += info.unique == CRM_COULOMB_UNIQUE;
        assert_false(info.unique == CRM_COULOMB_UNIQUE && count > 1);
        assert_false(info.unique == CRM_COULOMB_NOT_UNIQUE && count == 1);
        coulomb_data_free(&data);
    }
    assert_true(several > 0 && unique > 0); /* there are some of each */
}

/* Plastic impact of two contacts with three outcomes. */
static void three_answers_are_each_kept_from_a_start_at_them(void **state)
{
    (void)state;
    const double d[] = {1.58, -.64, 1.05, 1.13, -.64, 1,    -.11, -.14,
                        1.05, -.11, .87,  1.08, 1.13, -.14, 1.08, 2.19};
    const double q[] = {-1.29, -1.2, -1.42, -.83}, mu[] = {2.9, 1.8};
    const double velocity[3][4] = {
        {.61428, -1.37575, 0, 0}, {0, 0, .17050, .83141}, {0, -.16760, 0, 0}};
    coulomb_data data = with(2, 2, d, q, mu);
    double all[COULOMB_JUDGE_ANSWERS * 4], r[4], u[4];
    bool seen[3] = {false};
    assert_int_equal(coulomb_judge_all(&data, all), 3);
    crm_coulomb_options options = crm_coulomb_options_default();
    options.warm_start = true;
    for (size_t a = 0; a < 3; a++) {
        memcpy(r, all + 4 * a, sizeof r);
        assert_int_equal(solved(&data, &options, r, u).result, CRM_COULOMB_SOLVED);
        assert_true(apart(&data, r, all + 4 * a) < TOLERANCE);
        for (size_t k = 0; k < 3; k++) {
            double far = 0;
            for (size_t i = 0; i < 4; i++) {
                far = fmax(far, fabs(u[i] - velocity[k][i]));
            }
            seen[k] = seen[k] || far < PRINTED;
        }
    }
    assert_true(seen[0] && seen[1] && seen[2]);
    options.warm_start = false;
    options.check_unique = true;
    crm_coulomb_info info = solved(&data, &options, r, u);
    assert_int_equal(info.result, CRM_COULOMB_SOLVED);
    assert_int_not_equal(info.unique, CRM_COULOMB_UNIQUE);
    coulomb_data_free(&data);
}

/* One body on two corners in the plane: only the sum of the friction impulses is determined. */
static void dependent_tangents_are_found_not_unique(void **state)
{
    (void)state;
    rng random = rng_seeded(5);
    coulomb_data data = coulomb_random(&random, COULOMB_STACK, 2, 2);
    double r[ROOM];
    crm_coulomb_options options = crm_coulomb_options_default();
    options.check_unique = true;
    data.mu[0] = data.mu[1] = 0.8;
    crm_coulomb_info info = solved(&data, &options, r, NULL);
    assert_int_equal(info.result, CRM_COULOMB_SOLVED);
    assert_int_equal(info.unique, CRM_COULOMB_NOT_UNIQUE);
    coulomb_data_free(&data);
}

/* ---- No answer ----------------------------------------------------------------------------- */

/* d in the cones, D d = 0, q'd < 0. */
static void check_certificate(const coulomb_data *data, const double *d)
{
    double product = 0, largest = 0;
    for (size_t i = 0; i < data->size; i++) {
        double sum = 0;
        for (size_t j = 0; j < data->size; j++) {
            sum += data->d[i * data->size + j] * d[j];
        }
        assert_double_equal(sum, 0, 1e-8);
        product += data->q[i] * d[i];
        largest = fmax(largest, fabs(d[i]));
    }
    for (size_t j = 0; j < data->contacts; j++) {
        double tangent = 0;
        for (size_t a = 1; a < data->dim; a++) {
            tangent = hypot(tangent, d[j * data->dim + a]);
        }
        assert_true(d[j * data->dim] >= 0 && tangent <= data->mu[j] * d[j * data->dim] + FEW_ULPS);
    }
    assert_true(largest > 0.1 && product < -1e-6);
}

/* One degree of freedom, (u_n, u_t) = (1, 2) v + q, mu = 1: open closes, stuck cannot, slip needs
 * r_n = -1. And: two walls that approach each other, without friction; a contact that moves
 * nothing.
 */
static void problems_without_an_answer_are_told_with_a_reason(void **state)
{
    (void)state;
    const double jammed[] = {1, 2, 2, 4}, q[] = {-1, 0}, one[] = {1, 1};
    const double walls[] = {1, 0, -1, 0, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0, 0, 0};
    const double closing[] = {-1, 0, -1, 0}, none[4] = {0};
    coulomb_data data[] = {with(1, 2, jammed, q, one), with(2, 2, walls, closing, one),
                           with(1, 2, none, q, one)};
    for (size_t k = 0; k < 3; k++) {
        double r[4], all[COULOMB_JUDGE_ANSWERS * 4];
        assert_int_equal(coulomb_judge_all(&data[k], all), 0);
        assert_int_equal(solved(&data[k], NULL, r, NULL).result, CRM_COULOMB_INFEASIBLE);
        check_certificate(&data[k], r);
        coulomb_data_free(&data[k]);
    }
}

static void too_few_iterations_are_told(void **state)
{
    (void)state;
    rng random = rng_seeded(6);
    coulomb_data data = coulomb_random(&random, COULOMB_STACK, 3, 40);
    double *r = calloc(data.size, sizeof *r);
    crm_coulomb_options options = crm_coulomb_options_default();
    options.max_iterations = 1;
    options.tolerance = 1e-300;
    crm_coulomb_info info = solved(&data, &options, r, NULL);
    assert_true(info.result == CRM_COULOMB_NOT_TERMINATED || info.residual < FEW_ULPS);
    assert_double_equal(info.residual, coulomb_residual(&data, r), TOLERANCE);
    free(r);
    coulomb_data_free(&data);
}

/* ---- Calls --------------------------------------------------------------------------------- */

static void a_warm_start_at_the_answer_takes_no_step_and_bits_repeat(void **state)
{
    (void)state;
    rng random = rng_seeded(7);
    coulomb_data data = coulomb_random(&random, COULOMB_CAPSULES, 3, 40);
    double *r = calloc(data.size, sizeof *r), *again = calloc(data.size, sizeof *r);
    crm_coulomb *coulomb = made(&data);
    crm_coulomb_options options = crm_coulomb_options_default();
    crm_coulomb_info info;
    crm_error error = {0};
    for (int k = 0; k < 2; k++) {
        assert_ok(crm_coulomb_solve(coulomb, data.q, data.mu, NULL, k == 0 ? r : again, NULL, &info,
                                    &error),
                  &error);
        assert_int_equal(info.result, CRM_COULOMB_SOLVED);
    }
    assert_memory_equal(r, again, data.size * sizeof *r);
    options.warm_start = true;
    options.tolerance = 1e-11;
    assert_ok(crm_coulomb_solve(coulomb, data.q, data.mu, &options, r, NULL, &info, &error),
              &error);
    assert_int_equal(info.result, CRM_COULOMB_SOLVED);
    assert_int_equal(info.iterations + info.sweeps, 0);
    crm_coulomb_free(coulomb);
    free(r);
    free(again);
    coulomb_data_free(&data);
}

/* Units of mass and of speed, by powers of two: the same bits. */
static void units_make_no_difference(void **state)
{
    (void)state;
    rng random = rng_seeded(8);
    for (int k = 0; k < 50; k++) {
        coulomb_data data = coulomb_random(&random, COULOMB_REGULAR, 3, 4);
        double r[ROOM], scaled[ROOM], mass = 0x1p40, speed = 0x1p-30;
        solved(&data, NULL, r, NULL);
        for (size_t i = 0; i < data.size * data.size; i++) {
            data.d[i] /= mass;
        }
        for (size_t i = 0; i < data.size; i++) {
            data.q[i] *= speed;
        }
        assert_int_equal(solved(&data, NULL, scaled, NULL).result, CRM_COULOMB_SOLVED);
        for (size_t i = 0; i < data.size; i++) {
            assert_double_equal(scaled[i] / mass / speed, r[i], 1e-6);
        }
        coulomb_data_free(&data);
    }
}

static void frictionless_contacts_and_none_are_solved(void **state)
{
    (void)state;
    const double d[] = {2, 1, 1, 3}, q[] = {-1, 5}, mu = 0;
    coulomb_data data = with(1, 2, d, q, &mu);
    double r[2] = {0}, u[2];
    assert_int_equal(solved(&data, NULL, r, u).result, CRM_COULOMB_SOLVED);
    assert_double_equal(r[0], 0.5, FEW_ULPS);
    assert_double_equal(r[1], 0, 0);
    assert_double_equal(u[1], 5.5, FEW_ULPS);
    coulomb_data_free(&data);
    data = coulomb_allocate(0, 3);
    assert_int_equal(solved(&data, NULL, r, u).result, CRM_COULOMB_SOLVED);
    coulomb_data_free(&data);
}

static void misuse_is_refused_with_its_place(void **state)
{
    (void)state;
    double d[] = {1, 0, 0, 1}, q[] = {-1, NAN}, mu = 0.5, r[2];
    coulomb_data data = with(1, 2, d, q, &mu);
    crm_coulomb *coulomb = made(&data), *other = NULL;
    crm_error error = {0};
    assert_int_equal(crm_coulomb_solve(coulomb, data.q, data.mu, NULL, r, NULL, NULL, &error),
                     CRM_ERROR_ARGUMENT);
    assert_string_equal(error.place, "q[2]");
    data.q[1] = 0;
    data.mu[0] = -0.1;
    assert_int_equal(crm_coulomb_solve(coulomb, data.q, data.mu, NULL, r, NULL, NULL, &error),
                     CRM_ERROR_ARGUMENT);
    assert_string_equal(error.place, "mu[1]");
    data.mu[0] = 0.5;
    crm_coulomb_options options = crm_coulomb_options_default();
    options.tolerance = 0;
    assert_int_equal(crm_coulomb_solve(coulomb, data.q, data.mu, &options, r, NULL, NULL, &error),
                     CRM_ERROR_ARGUMENT);
    assert_string_equal(error.place, "tolerance");
    assert_int_equal(crm_coulomb_solve(coulomb, NULL, data.mu, NULL, r, NULL, NULL, &error),
                     CRM_ERROR_ARGUMENT);
    crm_coulomb_free(coulomb);
    data.d[3] = -1;
    coulomb_columns columns = coulomb_columns_of(&data);
    crm_sparse_view view = coulomb_view(&columns);
    assert_int_equal(crm_coulomb_create(1, 2, &view, &other, &error), CRM_ERROR_MODEL);
    assert_string_equal(error.place, "D");
    columns.value[0] = INFINITY;
    assert_int_equal(crm_coulomb_create(1, 2, &view, &other, &error), CRM_ERROR_MODEL);
    assert_int_equal(crm_coulomb_create(1, 4, &view, &other, &error), CRM_ERROR_ARGUMENT);
    assert_string_equal(error.place, "dim");
    columns.row[0] = 7;
    assert_int_equal(crm_coulomb_create(1, 2, &view, &other, &error), CRM_ERROR_ARGUMENT);
    size_t twice[] = {0, 2, 2};
    uint32_t same[] = {0, 0};
    double one[] = {1, 1};
    view = (crm_sparse_view){twice, same, one};
    assert_int_equal(crm_coulomb_create(1, 2, &view, &other, &error), CRM_ERROR_ARGUMENT);
    assert_null(other);
    crm_coulomb_free(NULL);
    coulomb_columns_free(&columns);
    coulomb_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_at_45_degrees_sticks),
        cmocka_unit_test(a_contact_in_the_plane_slips_as_its_closed_form),
        cmocka_unit_test(a_sphere_slips_or_sticks_as_its_closed_form),
        cmocka_unit_test(known_solutions_are_recovered),
        cmocka_unit_test(hard_problems_are_solved),
        cmocka_unit_test(the_answer_is_one_of_all),
        cmocka_unit_test(three_answers_are_each_kept_from_a_start_at_them),
        cmocka_unit_test(dependent_tangents_are_found_not_unique),
        cmocka_unit_test(problems_without_an_answer_are_told_with_a_reason),
        cmocka_unit_test(too_few_iterations_are_told),
        cmocka_unit_test(a_warm_start_at_the_answer_takes_no_step_and_bits_repeat),
        cmocka_unit_test(units_make_no_difference),
        cmocka_unit_test(frictionless_contacts_and_none_are_solved),
        cmocka_unit_test(misuse_is_refused_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
