/* Whether sequences of binary collisions end, and how it is told. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collision_call.h"

/* A few hundred roundings. */
static const double EXACT = 1e-13;
/* Sums over some thousand collisions. */
static const double ACCUMULATED = 1e-10;
static const double PI = 3.141592653589793238;

static const option left_to_right[OPTIONS] = {{"order", "left-to-right", 0}};
static const option right_to_left[OPTIONS] = {{"order", "right-to-left", 0}};
static const option fastest[OPTIONS] = {{"order", "fastest", 0}};
static const option at_random[OPTIONS] = {{"order", "random", 0}};
static const option to_the_end[OPTIONS] = {{"tolerance", NULL, 1e-250}};
static const option *const orders[] = {left_to_right, right_to_left, fastest, at_random};

/* ---- Does it end? (Towne and Hadlock) -------------------------------------------------------- */

static double towne_hadlock(const double *m, double e)
{
    return 0.5 * (sqrt(e) + 1 / sqrt(e)) / sqrt((1 + m[1] / m[0]) * (1 + m[1] / m[2]));
}

static void three_balls_end_if_and_only_if_z_is_below_1(void **state)
{
    (void)state;
    static const double masses[] = {0.05, 0.2, 0.5, 1, 2, 5, 20};
    size_t ended = 0, endless = 0;
    for (int k = 0; k < 343; k++) {
        double m[] = {masses[k / 49], masses[k / 7 % 7], masses[k % 7]};
        for (double e = 0.02; e <= 1.0001; e += 0.049) {
            double z = towne_hadlock(m, fmin(e, 1));
            if (fabs(z - 1) < 1e-3) {
                continue; /* some hundred collisions and more: rounding may decide */
            }
            small_system chain = chain_of(3, m, NULL, fmin(e, 1));
            crm_outcome *outcome = solve_small("binary", &chain, to_the_end);
            assert_int_equal(outcome->result, z < 1 ? CRM_SOLVED : CRM_NOT_TERMINATED);
            assert_non_null(strstr(outcome->note, z < 1 ? "< 1" : ">= 1"));
            if (z < 1) {
                assert_true((double)outcome->steps <= ceil(PI / acos(z)));
                assert_true(outcome->kinematic);
            }
            *(z < 1 ? &ended : &endless) += 1;
            crm_outcome_free(outcome);
        }
    }
    assert_true(ended > 1000 && endless > 300);
}

/* Whatever both contacts do at first: z >= 1 needs, besides, that the second one is not separating
 * beyond the eigenvector of the smaller eigenvalue of two collisions in turn. */
static bool collides_for_ever(double k, double e1, double e2, double ratio)
{
    double trace = (1 + e1) * (1 + e2) * k * k - e1 - e2, determinant = e1 * e2;
    if (trace < 2 * sqrt(determinant)) {
        return false;
    }
    double smaller = trace / 2 - sqrt(trace * trace / 4 - determinant);
    return ratio > (smaller + e1 - (1 + e1) * (1 + e2) * k * k) / ((1 + e2) * k);
}

static void unequal_coefficients_and_any_start_follow_the_eigenvectors(void **state)
{
    (void)state;
    rng r = rng_seeded(5);
    size_t endless = 0, caught = 0;
    for (int i = 0; i < 4000; i++) {
        double m[] = {rng_log(&r, 0.05, 20), rng_log(&r, 0.01, 10), rng_log(&r, 0.05, 20)};
        double k = 1 / sqrt((1 + m[1] / m[0]) * (1 + m[1] / m[2]));
        double e1 = rng_uniform(&r, 0.01, 1), e2 = rng_uniform(&r, 0.01, 1);
        double ratio = rng_uniform(&r, -1.5, 0); /* y_2 / y_1, contact 2 separating */
        bool expected = collides_for_ever(k, e1, e2, ratio);
        if (expected != collides_for_ever(k, e1, e2, ratio * 1.001) ||
            expected != collides_for_ever(k, e1, e2, ratio * 0.999) ||
            expected != collides_for_ever(k * 1.001, e1, e2, ratio) ||
            expected != collides_for_ever(k * 0.999, e1, e2, ratio)) {
            continue;
        }
        double separation = -ratio * sqrt((1 / m[1] + 1 / m[2]) / (1 / m[0] + 1 / m[1]));
        double v[] = {1, 0, separation};
        small_system chain = chain_of(3, m, v, e1);
        chain.restitution[1] = e2;
        crm_outcome *outcome = solve_small("binary", &chain, to_the_end);
        assert_int_equal(outcome->result, expected ? CRM_NOT_TERMINATED : CRM_SOLVED);
        endless += expected;
        caught += !expected && strstr(outcome->note, "too fast to be caught up with") != NULL;
        crm_outcome_free(outcome);
    }
    assert_true(endless > 100 && caught > 100);
}

/* Equal outer balls and a light one between them, such that Towne and Hadlock's number is z. */
static small_system next_to_critical(double e, double z)
{
    double m[] = {1, (sqrt(e) + 1 / sqrt(e)) / 2 / z - 1, 1};
    return chain_of(3, m, NULL, e);
}

/* What dies away slowly is told after some thousand collisions, of the fifty thousand down to this
 * tolerance, with what the closing speeds are multiplied by: the larger eigenvalue of two in turn.
 */
static void a_collapse_is_told_soon(void **state)
{
    (void)state;
    double e = 0.97, z = 1.00001;
    small_system chain = next_to_critical(e, z);
    for (size_t k = 0; k < 4; k++) {
        option options[OPTIONS] = {{"order", orders[k][0].text, 0}, {"tolerance", NULL, 1e-250}};
        crm_outcome *outcome = solve_small("binary", &chain, options);
        double half = e * (2 * z * z - 1), told = NAN;
        assert_int_equal(outcome->result, CRM_NOT_TERMINATED);
        assert_true(outcome->steps > 5000 && outcome->steps < 20000);
        assert_non_null(strstr(outcome->reason, "inelastic collapse"));
        assert_non_null(strstr(outcome->reason, "at contacts 1, 2, repeats for ever"));
        const char *by = strstr(outcome->reason, "speeds by ");
        assert_true(by != NULL && sscanf(by, "speeds by %lf", &told) == 1);
        assert_near(told, half + sqrt(half * half - e * e), 1e-6);
        crm_outcome_free(outcome);
    }
}

/* Contacts die away, are left alone at the tolerance, and are pushed together by others again: more
 * than a million collisions, if they are made.
 */
static void a_collapse_within_another_is_told(void **state)
{
    (void)state;
    double m[] = {5, 0.1, 0.5, 0.1, 5};
    small_system chain = chain_of(5, m, NULL, 0.1);
    crm_outcome *outcome = solve_small("binary", &chain, left_to_right);
    assert_int_equal(outcome->result, CRM_NOT_TERMINATED);
    assert_true(outcome->steps < 20000);
    assert_non_null(strstr(outcome->reason, "repeats for ever"));
    crm_outcome_free(outcome);
}

/* 70 248 collisions, and an end: z is 1e-9 below 1. */
static void a_long_sequence_that_ends_is_followed(void **state)
{
    (void)state;
    double e = 0.99, z = 1 - 1e-9;
    small_system chain = next_to_critical(e, z);
    crm_outcome *outcome = solve_small("binary", &chain, to_the_end);
    assert_int_equal(outcome->result, CRM_SOLVED);
    assert_true(outcome->steps > 50000 && (double)outcome->steps <= 1.01 * ceil(PI / acos(z)));
    crm_outcome_free(outcome);
}

/* P1 algorithm 1 as printed: on velocities. Returns the number of collisions, at most `most`. */
static size_t algorithm_1(const small_system *chain, double *v, size_t most)
{
    memcpy(v, chain->velocity, chain->n * sizeof *v);
    for (size_t count = 0; count < most; count++) {
        size_t k = 0;
        while (k < chain->s && !(v[k + 1] - v[k] < 0)) {
            k++;
        }
        if (k == chain->s) {
            return count;
        }
        double a = chain->mass[k * chain->n + k], b = chain->mass[(k + 1) * chain->n + k + 1];
        double e = chain->restitution[k], left = v[k], right = v[k + 1];
        v[k] = left * (a - b * e) / (a + b) + right * (1 + e) * b / (a + b);
        v[k + 1] = left * (1 + e) * a / (a + b) + right * (b - e * a) / (a + b);
    }
    return most;
}

static void rounding_does_not_fake_an_end(void **state)
{
    (void)state;
    enum { MOST = 2000 };
    double v[3];
    small_system chain = chain_of(3, (const double[]){1, 0.9, 1.1}, NULL, 0.05);
    assert_true(algorithm_1(&chain, v, MOST) < 100); /* the velocities' differences vanish */
    crm_outcome *outcome = solve_small("binary", &chain, to_the_end);
    assert_int_equal(outcome->result, CRM_NOT_TERMINATED);
    assert_true(outcome->steps > 300);
    assert_all_near(outcome->velocity, v, 3, EXACT);
    crm_outcome_free(outcome);
}

static void left_to_right_is_algorithm_1(void **state)
{
    (void)state;
    rng r = rng_seeded(7);
    for (int i = 0; i < 200; i++) {
        size_t count = 3 + rng_below(&r, 8);
        double m[SMALL], v[SMALL], expected[SMALL];
        for (size_t k = 0; k < count; k++) {
            m[k] = rng_log(&r, 0.5, 2);
            v[k] = rng_normal(&r);
        }
        small_system chain = chain_of(count, m, v, rng_uniform(&r, 0.85, 1));
        size_t collisions = algorithm_1(&chain, expected, 100000);
        crm_outcome *outcome = solve_small("binary", &chain, left_to_right);
        assert_int_equal(outcome->result, CRM_SOLVED);
        assert_int_equal(outcome->steps, collisions);
        assert_all_near(outcome->velocity, expected, count, ACCUMULATED);
        crm_outcome_free(outcome);
    }
}

/* Seen in a mirror, right to left is left to right. */
static void right_to_left_is_left_to_right_in_a_mirror(void **state)
{
    (void)state;
    rng r = rng_seeded(11);
    for (int i = 0; i < 50; i++) {
        double m[6], v[6], mirrored_m[6], mirrored_v[6];
        for (int k = 0; k < 6; k++) {
            m[k] = mirrored_m[5 - k] = rng_log(&r, 0.5, 2);
            v[k] = rng_normal(&r);
            mirrored_v[5 - k] = -v[k];
        }
        small_system chain = chain_of(6, m, v, 0.95);
        small_system mirrored = chain_of(6, mirrored_m, mirrored_v, 0.95);
        crm_outcome *here = solve_small("binary", &chain, right_to_left);
        crm_outcome *there = solve_small("binary", &mirrored, left_to_right);
        assert_int_equal(here->steps, there->steps);
        for (int k = 0; k < 6; k++) {
            assert_near(here->velocity[k], -there->velocity[5 - k], EXACT);
        }
        crm_outcome_free(here);
        crm_outcome_free(there);
    }
}

/* ---- Long and disordered chains -------------------------------------------------------------- */

static void a_pulse_runs_through_ten_thousand_equal_balls(void **state)
{
    (void)state;
    enum { BALLS = 10000 };
    double *velocity = calloc(BALLS, sizeof *velocity);
    velocity[0] = 1;
    crm_model *model = long_chain(BALLS, NULL, 1);
    for (size_t k = 0; k < 4; k++) {
        crm_outcome *outcome = solve_model("binary", model, velocity, orders[k]);
        assert_int_equal(outcome->result, CRM_SOLVED);
        assert_int_equal(outcome->steps, BALLS - 1);
        assert_true(outcome->unique);
        assert_near(largest_size(outcome->velocity, BALLS - 1), 0, EXACT);
        assert_near(outcome->velocity[BALLS - 1], 1, EXACT);
        crm_outcome_free(outcome);
    }
    crm_model_free(model);
    free(velocity);
}

static void check_end(const crm_outcome *outcome)
{
    double closing = 0;
    for (size_t j = 0; j < outcome->contacts; j++) {
        closing = fmax(closing, -outcome->gap_velocity[j]);
    }
    char count[32];
    snprintf(count, sizeof count, "after %llu collisions", (unsigned long long)outcome->steps);
    if (outcome->result == CRM_SOLVED) {
        assert_string_equal(outcome->reason, "");
        assert_true(outcome->kinematic && closing < ACCUMULATED);
    } else {
        assert_int_equal(outcome->result, CRM_NOT_TERMINATED);
        assert_non_null(strstr(outcome->reason, count));
    }
    assert_false(outcome->unique);
    assert_true(outcome->kinetic && outcome->energetic);
}

static void disordered_chains_end_or_say_that_they_do_not(void **state)
{
    (void)state;
    enum { LARGEST = 80 };
    rng r = rng_seeded(3);
    double mass[LARGEST], velocity[LARGEST] = {1};
    size_t ended = 0, endless = 0;
    for (size_t count = 20; count <= LARGEST; count += 20) {
        for (size_t i = 0; i < count; i++) {
            mass[i] = rng_uniform(&r, 0.5, 1.5);
        }
        for (double e = 0.7; e < 1.01; e += 0.1) {
            crm_model *model = long_chain(count, mass, fmin(e, 1));
            for (size_t k = 0; k < 4; k++) {
                crm_outcome *outcome = solve_model(
                    "binary", model, velocity,
                    (const option[OPTIONS]){*orders[k], {"max_collisions", NULL, 200000}});
                check_end(outcome);
                *(outcome->result == CRM_SOLVED ? &ended : &endless) += 1;
                crm_outcome_free(outcome);
            }
            crm_model_free(model);
        }
    }
    assert_true(ended > 10 && endless > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_balls_end_if_and_only_if_z_is_below_1),
        cmocka_unit_test(unequal_coefficients_and_any_start_follow_the_eigenvectors),
        cmocka_unit_test(a_collapse_is_told_soon),
        cmocka_unit_test(a_collapse_within_another_is_told),
        cmocka_unit_test(a_long_sequence_that_ends_is_followed),
        cmocka_unit_test(rounding_does_not_fake_an_end),
        cmocka_unit_test(left_to_right_is_algorithm_1),
        cmocka_unit_test(right_to_left_is_left_to_right_in_a_mirror),
        cmocka_unit_test(a_pulse_runs_through_ten_thousand_equal_balls),
        cmocka_unit_test(disordered_chains_end_or_say_that_they_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
