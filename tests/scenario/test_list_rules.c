/* Lists by formula, pattern or chance: their entries in closed form, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "carom/carom.h"
#include "scenario_text.h"
#include "support.h"

enum { MOST = 64 };

static void masses_of(const char *text, const char *set, double *mass, size_t count)
{
    crm_scenario *scenario = good_with(text, set);
    assert_int_equal(crm_model_coordinates(scenario->model), count);
    for (size_t i = 0; i < count; i++) {
        double unit[MOST] = {0};
        unit[i] = 1;
        mass[i] = 2 * crm_model_kinetic_energy(scenario->model, unit);
    }
    crm_scenario_free(scenario);
}

static void formulas_and_patterns_give_their_entries(void **state)
{
    (void)state;
    double mass[MOST];
    masses_of("chain: {count: 7, mass: {formula: '1 + 0.1*i'}}", NULL, mass, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_near(mass[i], 1 + 0.1 * (double)(i + 1), 1e-15);
    }
    masses_of("chain: {count: 7, mass: {formula: a^(n - i), with: {a: 2}}}", NULL, mass, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_near(mass[i], (double)(1 << (6 - i)), 0);
    }
    masses_of("chain: {count: 7, mass: {formula: a*i, with: {a: 20 g}}}", "chain.mass.with.a=30 g",
              mass, 7);
    assert_near(mass[6], 0.21, 1e-16);
    masses_of("chain: {count: 7, mass: {pattern: [1, 500 g, 3]}}", NULL, mass, 7);
    static const double pattern[] = {1, 0.5, 3, 1, 0.5, 3, 1};
    for (size_t i = 0; i < 7; i++) {
        assert_near(mass[i], pattern[i], 0);
    }
    masses_of("chain: {count: 2, mass: {pattern: [1, 2, 3]}}", NULL, mass, 2);
    assert_near(mass[1], 2, 0);
}

static void contacts_and_velocities_have_rules_too(void **state)
{
    (void)state;
    crm_scenario *scenario =
        good("chain: {count: 4, stiffness: {formula: 5*(n - i) + 1}, exponent: {pattern: [1, 1.5]},"
             " restitution: {formula: 1/i}, energy: {pattern: [0.5]}, velocity: {formula: -i}}");
    static const double stiffness[] = {11, 6, 1}, exponent[] = {1, 1.5, 1};
    for (size_t j = 0; j < 3; j++) {
        assert_near(crm_model_stiffness(scenario->model)[j], stiffness[j], 0);
        assert_near(crm_model_exponent(scenario->model)[j], exponent[j], 0);
        assert_near(crm_model_restitution(scenario->model)[j], 1 / (double)(j + 1), 1e-16);
        assert_near(scenario->velocity[j], -(double)(j + 1), 0);
    }
    crm_scenario_free(scenario);
}

/* The draws by a Philox4x32-10 and FNV-1a written for this in another language: one seed, one path,
 * one entry give one number wherever it is computed, and the chain's length does not matter.
 */
static void disorder_is_a_function_of_seed_path_and_entry(void **state)
{
    (void)state;
    static const double first[] = {1.9521527095054552, 1.182197646511018, 1.2045435507638045},
                        other[] = {1.9378404715656585, 1.9165840725517116, 1.345568838636463};
    double mass[MOST], longer[MOST];
    masses_of("chain: {count: 3, mass: {disorder: {uniform: [1, 2], seed: 3}}}", NULL, mass, 3);
    masses_of("chain: {count: 50, mass: {pattern: [2], disorder: {uniform: [1, 2], seed: 3}}}",
              NULL, longer, 50);
    for (size_t i = 0; i < 3; i++) {
        assert_near(mass[i], first[i], 1e-15);
        assert_near(longer[i], 2 * first[i], 2e-15);
    }
    masses_of("chain: {count: 3, mass: {disorder: {uniform: [1, 2], seed: 3}}}",
              "chain.mass.disorder.seed=4", mass, 3);
    assert_true(mass[0] != first[0] && mass[1] != first[1]);
    crm_scenario *scenario =
        good("chain: {count: 4, stiffness: {disorder: {uniform: [1, 2], seed: 3}}}");
    for (size_t j = 0; j < 3; j++) {
        assert_near(crm_model_stiffness(scenario->model)[j], other[j], 1e-15);
    }
    crm_scenario_free(scenario);
}

/* Mean and deviation within five standard errors. */
static void disorder_has_its_distribution(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    crm_scenario *scenario =
        good("chain: {count: 20001, stiffness: {disorder: {normal: [1, 0.05], seed: 3}}}");
    double sum = 0, squares = 0;
    for (size_t j = 0; j < MANY; j++) {
        double k = crm_model_stiffness(scenario->model)[j] - 1;
        sum += k;
        squares += k * k;
    }
    assert_near(sum / MANY, 0, 5 * 0.05 / 141);
    assert_near(squares / MANY, 0.0025, 5 * 0.0025 / 100);
    crm_scenario_free(scenario);
}

static void packings_take_rules(void **state)
{
    (void)state;
    double mass[MOST];
    crm_scenario *scenario =
        good("packing: {lattice: square, columns: 3, rows: 1, mass: {formula: i^2}}");
    for (size_t i = 0; i < 3; i++) {
        double unit[MOST] = {0};
        unit[2 * i] = 1;
        mass[i] = 2 * crm_model_kinetic_energy(scenario->model, unit);
        assert_near(mass[i], (double)((i + 1) * (i + 1)), 1e-15);
    }
    crm_scenario_free(scenario);
}

#define MASS(rule) "chain: {count: 4, mass: " rule "}"

static void bad_rules_are_refused_with_their_place(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {MASS("{formula: 1/(i - 3)}"),
         "s.yaml:1:35: chain.mass.formula is '1/(i - 3)'; must be a finite number for every entry, "
         "but is none for i = 3"},
        {MASS("{formula: 1 + q*i}"), "s.yaml:1:35: chain.mass.formula is '1 + q*i'; must be an "
                                     "expression in i, n and the names "
                                     "in with, but 'q' is not a unit, constant or function"},
        {MASS("{formula: i*1 cm}"), "s.yaml:1:35: chain.mass.formula is 'i*1 cm'; must be in kg"},
        {MASS("{formula: [1]}"), "s.yaml:1:35: chain.mass.formula is a list of 1; must be an "
                                 "expression, such as 1 + 0.1*i"},
        {MASS("{formula: i, with: {m: 3}}"),
         "s.yaml:1:45: 'm' cannot name a number of a formula; must be letters that are not i, n, a "
         "unit, a constant or a function"},
        {MASS("{formula: b*i, with: {a: 1, b: 2}}"),
         "s.yaml:1:47: 'a' does not occur in the formula"},
        {MASS("{formula: i, pattern: [1]}"),
         "s.yaml:1:25: chain.mass must have one of formula and pattern, or disorder, or disorder "
         "with one of them"},
        {MASS("{pattern: [1], with: {a: 1}}"),
         "s.yaml:1:46: chain.mass.with is for a formula; there is none"},
        {MASS("{pattern: []}"),
         "s.yaml:1:35: chain.mass.pattern is a list of 0; must be a list of numbers"},
        {MASS("{pattern: [1, -2]}"),
         "s.yaml:1:25: chain.mass: mass is -2, must be a positive number (from 1e-60 to 1e60)"},
        {MASS("{patern: [1, 2]}"),
         "s.yaml:1:26: unknown field 'patern' in chain.mass; did you mean 'pattern'?"},
        {MASS("{disorder: {normal: [1, 0.1], uniform: [1, 2]}}"),
         "s.yaml:1:36: chain.mass.disorder must have one of uniform: [least, most], normal: [mean, "
         "deviation] and lognormal: [mean, deviation] of the logarithm"},
        {"chain: {mass: {pattern: [1, 2]}}",
         "s.yaml:1:8: chain has no field 'count', which is required when neither mass nor radius "
         "is a list"},
    };
    REFUSE_ALL(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_and_patterns_give_their_entries),
        cmocka_unit_test(contacts_and_velocities_have_rules_too),
        cmocka_unit_test(disorder_is_a_function_of_seed_path_and_entry),
        cmocka_unit_test(disorder_has_its_distribution),
        cmocka_unit_test(packings_take_rules),
        cmocka_unit_test(bad_rules_are_refused_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
