/* Derivatives of outcomes to fields, and what uncertain fields make of them: closed forms, laws
 * that have no derivatives of their own, and complaints.
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

#include "carom/inverse.h"
#include "judge.h"
#include "support.h"

/* By differences of whole solves; and along the course of the impact. */
static const double SIX_DIGITS = 3e-6, EXACT = 1e-8;

static crm_sensitivity *table_with(const char *text, crm_error *error)
{
    crm_source source = {.path = "s.yaml", .text = text, .length = strlen(text)};
    crm_sensitivity *table = NULL;
    memset(error, 0, sizeof *error);
    (void)crm_sensitivity_solve(&source, NULL, &table, error);
    return table;
}

static crm_sensitivity *good(const char *text)
{
    crm_error error;
    crm_sensitivity *table = table_with(text, &error);
    if (table == NULL) {
        fail_msg("%s", error.message);
    }
    return table;
}

static double at(const crm_sensitivity *t, const char *of, const char *to)
{
    for (size_t i = 0; i < t->of_count; i++) {
        for (size_t j = 0; j < t->to_count; j++) {
            if (strcmp(t->of[i], of) == 0 && strcmp(t->to[j], to) == 0) {
                return t->derivative[i * t->to_count + j];
            }
        }
    }
    fail_msg("there is no d(%s)/d(%s)", of, to);
    return NAN;
}

/* ---- Closed forms ---------------------------------------------------------------------------- */

/* Two balls: p = (1 + e) m1 m2 / (m1 + m2) (v1 - v2), by lzb and by laws whose derivatives are
 * differences.
 */
static void check_two_balls(const char *law, double tolerance)
{
    enum { COUNT = 512 };
    char text[COUNT];
    const double a = 2, b = 3, e = 0.7, v = 1.5, w = -0.5, M = a + b, c = v - w;
    snprintf(text, sizeof text,
             "laws: [%s]\n"
             "chain: {mass: [2, 3], velocity: [1.5, -0.5], restitution: 0.7}\n"
             "sensitivity:\n"
             "  of: [velocity, impulse, energy_after, energy_ratio, 'sum(loss)']\n"
             "  to: [chain.mass, chain.restitution, chain.velocity]\n",
             law);
    crm_sensitivity *t = good(text);
    assert_int_equal(t->of_count, 6);
    assert_int_equal(t->to_count, 5);
    assert_string_equal(t->to[1], "chain.mass[2]");
    double p = (1 + e) * a * b / M * c, v1 = v - p / a, v2 = w + p / b;
    assert_near(t->value[0], v1, 1e-8);
    assert_near(at(t, "impulse[1]", "chain.restitution"), p / (1 + e), tolerance * p);
    assert_near(at(t, "impulse[1]", "chain.mass[1]"), (1 + e) * b * b / (M * M) * c, tolerance * p);
    assert_near(at(t, "velocity[1]", "chain.velocity[1]"), 1 - p / a / c, tolerance);
    assert_near(at(t, "velocity[1]", "chain.velocity[2]"), p / a / c, tolerance);
    assert_near(at(t, "velocity[1]", "chain.mass[2]"), -(1 + e) * a / (M * M) * c, tolerance * c);
    assert_near(at(t, "velocity[2]", "chain.mass[2]"), -(1 + e) * a / (M * M) * c, tolerance * c);
    assert_near(at(t, "velocity[2]", "chain.mass[1]"), (1 + e) * b / (M * M) * c, tolerance * c);
    /* Lost: (1 - e^2) mu c^2 / 2. */
    double de = -e * a * b / M * c * c;
    assert_near(at(t, "sum(loss)", "chain.restitution"), de, tolerance * c);
    assert_near(at(t, "energy_after", "chain.restitution"), -de, tolerance * c);
    double before = (a * v * v + b * w * w) / 2, after = (a * v1 * v1 + b * v2 * v2) / 2;
    double slope = a * v1 * (1 - p / a / c) + b * v2 * (p / b / c); /* dT+/dv1- */
    assert_near(at(t, "energy_after", "chain.velocity[1]"), slope, 2 * tolerance * before);
    assert_near(at(t, "energy_ratio", "chain.velocity[1]"),
                slope / before - after / (before * before) * a * v, 2 * tolerance);
    crm_sensitivity_free(t);
}

/* Of two equal balls, v1/v2 = (1 - e)/(1 + e), whose derivative is -2/(1 + e)^2. */
static void ratios_have_the_derivatives_of_ratios(void **state)
{
    (void)state;
    crm_sensitivity *t = good("chain: {count: 2, velocity: [2], restitution: 0.6}\n"
                              "sensitivity:\n"
                              "  of: [\"velocity[1]/velocity[2]\", \"velocity[1]*velocity[2]\"]\n"
                              "  to: [chain.restitution, \"chain.velocity[1]\"]\n");
    assert_near(at(t, "velocity[1]/velocity[2]", "chain.restitution"), -2 / (1.6 * 1.6), EXACT);
    assert_near(at(t, "velocity[1]/velocity[2]", "chain.velocity[1]"), 0, EXACT);
    assert_near(at(t, "velocity[1]*velocity[2]", "chain.restitution"), -2 * 0.6, EXACT);
    assert_near(at(t, "velocity[1]*velocity[2]", "chain.velocity[1]"), 2 * 2 * 0.16, EXACT);
    crm_sensitivity_free(t);
}

static void two_balls_have_their_closed_forms(void **state)
{
    (void)state;
    check_two_balls("lzb", EXACT);
    check_two_balls("moreau", SIX_DIGITS);
    check_two_balls("binary", SIX_DIGITS);
    check_two_balls("{law: lzb, stiffness_model: mono}", SIX_DIGITS);
}

/* One ball on a wall, Hertz: tau ~ (m / K)^(2/5) v^(-1/5), F ~ K^(2/5) (m v^2)^(3/5). */
static void times_and_forces_follow_their_powers(void **state)
{
    (void)state;
    crm_sensitivity *t =
        good("chain: {mass: [2], velocity: [3], wall: {side: right, stiffness: 5}}\n"
             "sensitivity:\n"
             "  of: [duration, peak_force]\n"
             "  to: ['chain.mass[1]', chain.wall.stiffness, 'chain.velocity[1]']\n");
    /* 2.943275 x / v, and K x^(3/2), with x the deepest: (5 m v^2 / 4 K)^(2/5). */
    double x_most = pow(4.5, 0.4), tau = 2.943275184 * x_most / 3, force = 5 * pow(x_most, 1.5);
    assert_near(t->value[0] / tau, 1, 1e-7);
    static const double of_tau[] = {0.4, -0.4, -0.2}, of_force[] = {0.6, 0.4, 1.2};
    static const double x[] = {2, 5, 3};
    assert_true(t->exact);
    for (size_t j = 0; j < 3; j++) {
        assert_near(t->derivative[j] * x[j] / tau, of_tau[j], 1e-7);
        assert_near(t->derivative[3 + j] * x[j] / force, of_force[j], EXACT);
    }
    crm_sensitivity_free(t);
}

/* Against differences of the judge, for forward (few fields) and reverse (many). */
static void a_chain_agrees_with_the_judge(void **state)
{
    (void)state;
    static const double mass[] = {1, 2, 0.5, 1.5, 3};
    small_system system = small_system_chain(5, false);
    for (size_t i = 0; i < 5; i++) {
        system.mass[i * 5 + i] = mass[i];
    }
    for (size_t j = 0; j < 4; j++) {
        system.restitution[j] = 0.9;
    }
    system.velocity[0] = 1;
    for (int many = 0; many < 2; many++) {
        crm_sensitivity *t =
            good(many ? "chain: {mass: [1, 2, 0.5, 1.5, 3], velocity: [1], restitution: 0.9}\n"
                        "sensitivity: {of: ['velocity[-1]', 'body_energy[5]'], to: chain.mass}\n"
                      : "chain: {mass: [1, 2, 0.5, 1.5, 3], velocity: [1], restitution: 0.9}\n"
                        "sensitivity: {of: [velocity, 'body_energy[5]'], to: 'chain.mass[3]'}\n");
        assert_true(t->exact);
        for (size_t j = many ? 0 : 2; j < (many ? 5 : 3); j++) {
            double h = 1e-4 * mass[j], ends[2], energies[2];
            for (int side = 0; side < 2; side++) {
                small_system moved = system;
                moved.mass[j * 5 + j] += side == 0 ? -h : h;
                judgement seen = judge(&moved, false, 0);
                ends[side] = seen.velocity[4];
                energies[side] = moved.mass[4 * 5 + 4] * seen.velocity[4] * seen.velocity[4] / 2;
            }
            char name[32];
            snprintf(name, sizeof name, "chain.mass[%zu]", j + 1);
            double slope = (ends[1] - ends[0]) / (2 * h);
            double gain = (energies[1] - energies[0]) / (2 * h);
            assert_near(at(t, many ? "velocity[-1]" : "velocity[5]", name), slope, 2e-7);
            assert_near(at(t, "body_energy[5]", name), gain, 2e-7);
        }
        crm_sensitivity_free(t);
    }
}

/* A ball that bounces to rest: at (1 + e) / (1 - e) sqrt(2 h / g), by differences of motions. */
static void motions_are_derived_too(void **state)
{
    (void)state;
    crm_sensitivity *t =
        good("bodies: [{name: ball, radius: 0.1, mass: 2, position: [0, 1.1], velocity: [0, 0]}]\n"
             "walls: [{name: floor, point: [0, 0], normal: [0, 1]}]\n"
             "contacts: {restitution: 0.5}\n"
             "simulate: {duration: 5, gravity: [0, -9.81]}\n"
             "sensitivity: {of: at_rest_since, to: contacts.restitution}\n");
    assert_false(t->exact);
    assert_near(t->derivative[0], 2 / 0.25 * sqrt(2 / 9.81), 1e-4);
    crm_sensitivity_free(t);
}

/* At e = 1, from which one can only go down; and fields that move together. */
static void ends_of_ranges_and_joined_fields(void **state)
{
    (void)state;
    crm_sensitivity *t = good("laws: [newton]\n"
                              "chain: {mass: [1], velocity: [2], restitution: 1, "
                              "wall: {side: right, restitution: 1}}\n"
                              "sensitivity: {of: velocity, to: "
                              "['chain.restitution, chain.wall.restitution']}\n");
    assert_near(t->derivative[0], -2, SIX_DIGITS);
    assert_int_equal(t->to_count, 1);
    crm_sensitivity_free(t);
}

/* At e = 0 lzb has a derivative to one side where nothing else presses the contact, v+ = -e v, and
 * jumps where a neighbour does, which is noted; a number without a word would be wrong.
 */
static void plastic_contacts_have_one_side_or_none(void **state)
{
    (void)state;
    crm_sensitivity *t = good("laws: [lzb]\n"
                              "chain: {count: 1, velocity: [2], "
                              "wall: {side: right, stiffness: 1, restitution: 0}}\n"
                              "sensitivity: {of: velocity, to: chain.wall.restitution}\n");
    assert_near(t->derivative[0], -2, SIX_DIGITS);
    assert_string_equal(t->note, "");
    crm_sensitivity_free(t);
    t = good("laws: [lzb]\n"
             "chain: {count: 3, velocity: [1, 0, -1], restitution: [0, 0.5]}\n"
             "sensitivity: {of: 'velocity[3]', to: 'chain.restitution[1]'}\n");
    assert_non_null(strstr(t->note, "velocity[3] is not smooth in chain.restitution[1] here"));
    crm_sensitivity_free(t);
}

/* ---- Uncertain fields ------------------------------------------------------------------------ */

/* v+ = -e v: to first order sqrt((e sv)^2 + (v se)^2), and the draws agree within their chance. */
static void uncertainties_go_through(void **state)
{
    (void)state;
    crm_sensitivity *t = good("chain: {mass: [1], velocity: [2], wall: {side: right, restitution: "
                              "0.5}}\n"
                              "sensitivity:\n"
                              "  of: 'velocity[1]'\n"
                              "  uncertainty: {chain.wall.restitution: 0.02, 'chain.velocity[1]': "
                              "0.1}\n"
                              "  samples: 4000\n");
    double want = sqrt(0.05 * 0.05 + 0.04 * 0.04);
    assert_int_equal(t->uncertain_count, 2);
    assert_int_equal(t->to_count, 2);
    assert_int_equal(t->samples, 4000);
    assert_int_equal(t->unanswered, 0);
    assert_near(t->spread[0].first_order / want, 1, 1e-6);
    assert_near(t->spread[0].sampled / want, 1, 5 / sqrt(2 * 4000.0));
    assert_near(t->spread[0].mean, -1, 5 * want / sqrt(4000.0));
    assert_false(t->spread[0].disagrees);
    crm_sensitivity_free(t);
}

/* T = v^2 / 2 about v = 0 has no slope, but draws of v +- s make s^2 / 2 on the mean. */
static void what_is_not_linear_is_told(void **state)
{
    (void)state;
    crm_sensitivity *t = good("chain: {count: 1, velocity: [0]}\n"
                              "sensitivity:\n"
                              "  of: [energy_after, 'velocity[1]']\n"
                              "  uncertainty: {'chain.velocity[1]': 0.1}\n");
    assert_near(t->spread[0].first_order, 0, 1e-8);
    assert_near(t->spread[0].mean, 0.005, 5 * 0.005 * sqrt(2) / sqrt(1000.0));
    assert_true(t->spread[0].disagrees);
    assert_false(t->spread[1].disagrees);
    crm_sensitivity_free(t);
}

/* A restitution of 0.95 +- 0.1 is above 1 in 31 of 100 draws: those are no scenario. */
static void draws_that_are_no_scenario_are_counted(void **state)
{
    (void)state;
    crm_sensitivity *t = good("chain: {mass: [1], velocity: [2], wall: {side: right, restitution: "
                              "0.95}}\n"
                              "sensitivity: {of: 'velocity[1]', uncertainty: "
                              "{chain.wall.restitution: 0.1}}\n");
    double share = 0.5 * erfc(0.5 / sqrt(2)); /* above 1 */
    assert_near((double)t->unanswered, 1000 * share, 5 * sqrt(1000 * share * (1 - share)));
    assert_true(t->spread[0].disagrees);
    crm_sensitivity_free(t);
}

/* ---- Complaints ------------------------------------------------------------------------------ */

static void mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *block, *complaint;
    } cases[] = {
        {"{of: velocity}", "s.yaml:2:14: sensitivity names no fields; it needs 'to', a list of "
                           "fields to differentiate with respect to, or 'uncertainty'"},
        {"{to: chain.gap}", "s.yaml:2:19: chain.gap is not given in the scenario; give it there, "
                            "so that there is a number to vary"},
        {"{to: chain.wall}", "s.yaml:2:19: chain.wall is 'right' in the scenario; a varied field "
                             "must be a number or a list of numbers"},
        {"{to: chain.mass, of: speeds}", "s.yaml:2:35: 'speeds' is not a quantity of an outcome"},
        {"{to: chain.mass, of: 'velocity[9]'}", "s.yaml:2:35: 'velocity[9]' is an entry that this "
                                                "system does not have; entries go from 1 to 2"},
        {"{to: [chain.mass, 'chain.mass[1]']}",
         "s.yaml:2:32: chain.mass and chain.mass[1] are both varied"},
        {"{to: sensitivity.seed, seed: 1}", "s.yaml:2:19: the sensitivity cannot vary itself"},
        {"{to: chain.mass, samples: 1}", "s.yaml:2:40: sensitivity.samples is 1; must be at least "
                                         "2"},
        {"{uncertainty: {chain.mass: [1]}}",
         "s.yaml:2:41: sensitivity.uncertainty.chain.mass has 1 entries; must have 2, one per "
         "entry of the field"},
        {"{uncertainty: {chain.mass: -1}}",
         "s.yaml:2:41: sensitivity.uncertainty.chain.mass is -1; must be a number above 0, one "
         "standard deviation"},
        {"{to: chain.mass, off: 1}",
         "s.yaml:2:31: unknown field 'off' in sensitivity; did you mean "
         "'of'?"},
    };
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        crm_error error;
        snprintf(text, sizeof text,
                 "chain: {mass: [1, 2], velocity: [1], wall: right}\nsensitivity: %s\n",
                 cases[i].block);
        assert_null(table_with(text, &error));
        if (strncmp(error.message, cases[i].complaint, strlen(cases[i].complaint)) != 0) {
            print_error("'%s' does not begin with '%s'\n", error.message, cases[i].complaint);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_have_the_derivatives_of_ratios),
        cmocka_unit_test(two_balls_have_their_closed_forms),
        cmocka_unit_test(times_and_forces_follow_their_powers),
        cmocka_unit_test(a_chain_agrees_with_the_judge),
        cmocka_unit_test(motions_are_derived_too),
        cmocka_unit_test(ends_of_ranges_and_joined_fields),
        cmocka_unit_test(plastic_contacts_have_one_side_or_none),
        cmocka_unit_test(uncertainties_go_through),
        cmocka_unit_test(what_is_not_linear_is_told),
        cmocka_unit_test(draws_that_are_no_scenario_are_counted),
        cmocka_unit_test(mistakes_are_told_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
