/* The law icr; and what all laws of collisions have in common at a single contact. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ratio_call.h"

/* A few hundred roundings. */
static const double EXACT = 1e-12;
/* Half a unit of the last printed digit, and the rounding of the comparison itself. */
static const double THREE_DIGITS = 0.0005 + 1e-9;
static const double FOUR_DIGITS = 0.00005 + 1e-9;

static crm_outcome *solve_icr(const small_system *system, double ratio)
{
    return solve_call((call){.law = "icr", .number = ratio}, system);
}

/* ---- ICR: three equal balls (P4 table 2) ----------------------------------------------------- */

static void table_2_comes_out_to_its_last_digit(void **state)
{
    (void)state;
    static const struct {
        double e, ratio, printed[4], first; /* `first`: to four digits, in the report P0 */
    } rows[] = {{0.97, 0.167, {-0.075, 0.112, 0.963, 0.945}, -0.0747},
                {0.36, 0.310, {0.195, 0.313, 0.492, 0.378}, 0.1953},
                {0.27, 0.338, {0.236, 0.323, 0.441, 0.354}, 0.2359},
                {0.85, 0.080, {0.036, 0.106, 0.857, 0.747}, 0.0365}};
    for (int i = 0; i < 4; i++) {
        small_system chain = equal_chain(3, rows[i].e);
        crm_outcome *outcome = solve_icr(&chain, rows[i].ratio);
        double ours[4];
        memcpy(ours, outcome->velocity, 3 * sizeof *ours);
        ours[3] = 2 * outcome->energy_after;
        assert_int_equal(outcome->result, CRM_SOLVED);
        assert_all_near(ours, rows[i].printed, 4, THREE_DIGITS);
        assert_near(ours[0], rows[i].first, FOUR_DIGITS);
        assert_true(outcome->unique && outcome->kinematic && outcome->energetic);
        crm_outcome_free(outcome);
    }
}

/* The law step by step in the impulse of the contact at work, for balls of any mass. */
static void integrate(const double *m, const double *e, double r, double *v)
{
    const double step = 1e-6;
    double work[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        double target = -1; /* energy to be given back; below 0: still in compression */
        while (target < 0 || work[i] > target) {
            double c = v[i] - v[i + 1];
            if (target < 0 && c <= 0) {
                target = (1 - e[i] * e[i]) * work[i];
            }
            double p[2] = {i == 0 ? step : 0, i == 0 ? r * step : step};
            double c2 = v[1] - v[2];
            v[0] -= p[0] / m[0];
            v[1] += (p[0] - p[1]) / m[1];
            v[2] += p[1] / m[2];
            work[0] += 0.5 * (c * (i == 0) + (v[0] - v[1]) * (i == 0)) * p[0];
            work[1] += 0.5 * (c2 + v[1] - v[2]) * p[1];
        }
    }
}

static void unequal_balls_follow_the_law_integrated_step_by_step(void **state)
{
    (void)state;
    rng r = rng_seeded(41);
    size_t compared = 0;
    for (int i = 0; i < 12; i++) {
        double m[3], v[3] = {1, 0, 0}, e[2] = {rng_uniform(&r, 0.6, 1), rng_uniform(&r, 0.6, 1)};
        small_system chain = equal_chain(3, 1);
        for (int k = 0; k < 3; k++) {
            m[k] = chain.mass[4 * k] = rng_log(&r, 0.6, 1.6);
        }
        memcpy(chain.restitution, e, sizeof e);
        double ratio = rng_uniform(&r, 0.05, 0.9) * m[2] / (m[1] + m[2]);
        integrate(m, e, ratio, v);
        crm_outcome *outcome = solve_icr(&chain, ratio);
        if (outcome->steps == 2) { /* else contact 1 closes again, which is not the triplet law */
            assert_all_near(outcome->velocity, v, 3, 1e-4);
            compared++;
        }
        crm_outcome_free(outcome);
    }
    assert_true(compared >= 6);
}

static void the_extremes_are_the_solitary_and_the_simultaneous_outcome(void **state)
{
    (void)state;
    small_system chain = equal_chain(3, 1);
    static const double expected[2][3] = {{0, 0, 1}, {-1.0 / 3, 2.0 / 3, 2.0 / 3}};
    for (int i = 0; i < 2; i++) {
        crm_outcome *outcome = solve_icr(&chain, 0.5 * i);
        assert_int_equal(outcome->result, CRM_SOLVED);
        assert_all_near(outcome->velocity, expected[i], 3, EXACT);
        crm_outcome_free(outcome);
    }
    crm_outcome *outcome = solve_icr(&chain, 0.51);
    assert_int_equal(outcome->result, CRM_FAILED);
    assert_non_null(strstr(outcome->reason, "contact 2 would separate while contact 1 presses it"));
    assert_non_null(strstr(outcome->reason, "at most 0.5"));
    assert_near(largest_size(outcome->impulse, 2), 0, 0);
    crm_outcome_free(outcome);
}

/* ---- ICR: chains ----------------------------------------------------------------------------- */

/* The wave through four equal balls: contacts 1, 2, 3 work in turn, each passing r of its impulse
 * to the next one, none to the one before, whatever closes again behind it. */
static void four_equal_balls_pass_the_wave_on(void **state)
{
    (void)state;
    for (int i = 0; i < 80; i++) {
        double e = (double)(i % 8) / 7, r = 0.049 * (i / 8 + 1);
        double p[3] = {0}, c[3] = {1, 0, 0}, w[3] = {0};
        for (int k = 0; k < 3; k++) {
            double share = k < 2 ? r : 0, d = 2 - share;
            double opening = e * sqrt(2 * d * (w[k] + c[k] * c[k] / (2 * d)));
            double impulse = (c[k] + opening) / d;
            p[k] += impulse;
            if (k < 2) {
                p[k + 1] += r * impulse;
                w[k + 1] += r * (c[k + 1] * impulse + (1 - 2 * r) * impulse * impulse / 2);
                c[k + 1] += (1 - 2 * r) * impulse;
            }
            if (k < 1) {
                c[k + 2] += r * impulse;
            }
        }
        small_system chain = equal_chain(4, e);
        crm_outcome *outcome = solve_call((call){.law = "icr", .number = r, .most = 3}, &chain);
        assert_int_equal(outcome->steps, 3);
        assert_all_near(outcome->impulse, p, 3, EXACT);
        crm_outcome_free(outcome);
    }
}

/* Contact 1 opens contact 2 (D_12 > 0), which then takes no share of what contact 3 does. */
static void a_contact_that_separates_takes_no_share(void **state)
{
    (void)state;
    small_system s = small_system_blank(3, 3);
    const double w[] = {1, 0, 0, 0.5, -0.3, 0.8, 0, 1, 0};
    memcpy(s.w, w, sizeof w);
    memcpy(s.velocity, (const double[]){-1, -0.5, 0.4375}, 3 * sizeof(double));
    crm_outcome *outcome = solve_icr(&s, 0.2);
    assert_int_equal(outcome->result, CRM_SOLVED);
    assert_all_near(outcome->impulse, ((const double[]){2, 0, 1}), 3, EXACT);
    assert_false(outcome->unique); /* contact 3 might have worked first, with a share for 2 */
    assert_non_null(strstr(outcome->note, "Before 1 of 2 collisions"));
    crm_outcome_free(outcome);
}

static void ratio_0_is_binary_collisions(void **state)
{
    (void)state;
    rng r = rng_seeded(43);
    for (int i = 0; i < 200; i++) {
        small_system chain = equal_chain(3 + rng_below(&r, 8), rng_uniform(&r, 0.7, 1));
        for (size_t k = 0; k < chain.n; k++) {
            chain.velocity[k] = rng_normal(&r);
        }
        crm_error error = {0};
        crm_settings *settings;
        crm_outcome *binary;
        crm_model *model = small_system_model(&chain);
        assert_ok(crm_settings_create(crm_law_find("binary"), &settings, &error), &error);
        assert_ok(crm_settings_set_text(settings, "order", "fastest", &error), &error);
        assert_ok(crm_solve(model, chain.velocity, settings, NULL, &binary, &error), &error);
        crm_outcome *outcome = solve_icr(&chain, 0);
        assert_int_equal(outcome->result, binary->result);
        assert_int_equal(outcome->steps, binary->steps);
        assert_all_near(outcome->velocity, binary->velocity, chain.n, EXACT);
        crm_outcome_free(outcome);
        crm_outcome_free(binary);
        crm_settings_free(settings);
        crm_model_free(model);
    }
}

/* Two contacts in a row of unequal balls allow r up to m_{i+1} / (m_i + m_{i+1}), from either
 * side. */
static double largest_ratio(const small_system *chain)
{
    double most = 1;
    for (size_t i = 0; i + 1 < chain->n; i++) {
        double a = chain->mass[i * chain->n + i], b = chain->mass[(i + 1) * (chain->n + 1)];
        most = fmin(most, fmin(a, b) / (a + b));
    }
    return most;
}

static void energy_and_momentum_add_up_along_chains(void **state)
{
    (void)state;
    rng r = rng_seeded(47);
    size_t solved = 0;
    for (int i = 0; i < 300; i++) {
        small_system chain = equal_chain(3 + rng_below(&r, 10), rng_uniform(&r, 0.5, 1));
        double momentum = 0, loss = 0;
        for (size_t k = 0; k < chain.n; k++) {
            chain.mass[k * (chain.n + 1)] = rng_log(&r, 0.7, 1.4);
        }
        for (size_t j = 0; j < chain.s && i % 2 == 0; j++) {
            chain.restitution[j] = 1;
        }
        crm_outcome *outcome = solve_icr(&chain, rng_uniform(&r, 0, 1) * largest_ratio(&chain));
        assert_true(outcome->result == CRM_SOLVED || outcome->result == CRM_NOT_TERMINATED);
        for (size_t k = 0; k < chain.n; k++) {
            momentum += chain.mass[k * (chain.n + 1)] * (outcome->velocity[k] - chain.velocity[k]);
        }
        for (size_t j = 0; j < chain.s; j++) {
            assert_true(outcome->impulse[j] >= 0);
            assert_true(outcome->loss[j] >= -EXACT);
            loss += outcome->loss[j];
        }
        double before = small_system_energy(&chain, chain.velocity);
        assert_near(momentum, 0, EXACT);
        assert_near(small_system_energy(&chain, outcome->velocity) + loss, before, EXACT);
        assert_true(i % 2 != 0 || loss < EXACT);
        assert_true(outcome->energy_error < EXACT); /* the law's own account, before it is closed */
        assert_true(outcome->result != CRM_SOLVED || outcome->kinematic);
        solved += outcome->result == CRM_SOLVED;
        crm_outcome_free(outcome);
    }
    assert_true(solved > 200);
}

/* ---- Options --------------------------------------------------------------------------------- */

static void refused_options_name_law_option_and_range(void **state)
{
    (void)state;
    small_system chain = equal_chain(3, 1);
    check_call_refused((call){.law = "icr", .number = NAN}, &chain, "ratio",
                       "ratio must be given, a number between 0 and 1");
    check_call_refused((call){.law = "icr", .number = 1.5}, &chain, "ratio", "ratio is 1.5");
}

/* ---- One contact ----------------------------------------------------------------------------- */

static void all_laws_agree_on_a_single_contact(void **state)
{
    (void)state;
    static const char *const laws[] = {"binary", "sequential", "icr", "impulse-ratio"};
    rng r = rng_seeded(53);
    for (int i = 0; i < 100; i++) {
        double e = i % 10 == 0 ? (double)(i % 20 == 0) : rng_uniform(&r, 0, 1);
        small_system pair = equal_chain(2, e);
        double a = pair.mass[0] = rng_log(&r, 1e-3, 1e3);
        double b = pair.mass[3] = rng_log(&r, 1e-3, 1e3);
        double closing = rng_log(&r, 1e-3, 1e3), common = rng_normal(&r);
        pair.velocity[0] = common + closing;
        pair.velocity[1] = common;
        closing = pair.velocity[0] - pair.velocity[1];
        double p = (1 + e) * closing * a * b / (a + b);
        double before = small_system_energy(&pair, pair.velocity);
        double after = before - 0.5 * (1 - e * e) * closing * closing * a * b / (a + b);
        double scale = fabs(pair.velocity[0]) + fabs(pair.velocity[1]);
        for (int k = 0; k < 4; k++) {
            call c = {.law = laws[k], .number = k == 3 ? after / before : NAN};
            crm_outcome *outcome = solve_call(c, &pair);
            assert_int_equal(outcome->result, CRM_SOLVED);
            /* The energy left has few digits to say of a small loss in a fast common motion. */
            double tolerance = k < 3 ? 1e-12 : 1e-5;
            assert_near(outcome->impulse[0] / p, 1, tolerance * scale / closing);
            assert_true(outcome->unique && outcome->kinematic && outcome->energetic);
            crm_outcome_free(outcome);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_2_comes_out_to_its_last_digit),
        cmocka_unit_test(unequal_balls_follow_the_law_integrated_step_by_step),
        cmocka_unit_test(the_extremes_are_the_solitary_and_the_simultaneous_outcome),
        cmocka_unit_test(four_equal_balls_pass_the_wave_on),
        cmocka_unit_test(a_contact_that_separates_takes_no_share),
        cmocka_unit_test(ratio_0_is_binary_collisions),
        cmocka_unit_test(energy_and_momentum_add_up_along_chains),
        cmocka_unit_test(refused_options_name_law_option_and_range),
        cmocka_unit_test(all_laws_agree_on_a_single_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
