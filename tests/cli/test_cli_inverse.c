/* carom sensitivity, fit and check: what programs and people are handed, and exit statuses. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "read_json.h"
#include "support.h"
#include <cmocka.h>

/* A ball on a wall: v+ = -e v. */
static const char BALL[] =
    "title: ball\n"
    "laws: [sequential, lzb]\n"
    "chain: {count: 1, velocity: [2], wall: {side: right, restitution: 0.5}}\n"
    "sensitivity:\n"
    "  of: [velocity, energy_ratio]\n"
    "  to: [chain.wall.restitution, chain.velocity]\n"
    "  uncertainty: {chain.wall.restitution: 0.01}\n"
    "fit:\n"
    "  parameters: {chain.wall.restitution: {from: 0, to: 1}}\n"
    "  measured:\n"
    "    - {what: 'velocity[1]', value: -1.2, uncertainty: 0.02}\n"
    "    - {what: 'velocity[1]', value: -1.24, uncertainty: 0.02}\n";

static json_t *answer(fixture *f, const char *command)
{
    put_file(f, "b.yaml", BALL);
    if (run_carom(f, command) != 0) {
        fail_msg("%s: %s", command, f->err);
    }
    return parse(f->out);
}

static double entry(json_t *array, size_t i)
{
    return json_number_value(json_array_get(array, i));
}

static const char *word(json_t *array, size_t i)
{
    return json_string_value(json_array_get(array, i));
}

/* ---- Sensitivity ----------------------------------------------------------------------------- */

static void sensitivity_as_json(void **state)
{
    json_t *table = answer(*state, "sensitivity b.yaml -f json");
    json_t *of = json_object_get(table, "of"), *to = json_object_get(table, "to");
    json_t *rows = json_object_get(table, "derivative");
    assert_int_equal(json_array_size(of), 2);
    assert_int_equal(json_array_size(to), 2);
    assert_string_equal(word(of, 0), "velocity[1]");
    assert_string_equal(word(of, 1), "energy_ratio");
    assert_string_equal(word(to, 0), "chain.wall.restitution");
    assert_string_equal(word(to, 1), "chain.velocity[1]");
    static const double want[2][2] = {{-2, -0.5}, {1, 0}}; /* v+ = -e v, e^2 */
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < 2; j++) {
            assert_near(entry(json_array_get(rows, i), j), want[i][j], 1e-6);
        }
    }
    assert_string_equal(json_string_value(json_object_get(table, "law")), "sequential");
    json_t *uncertainty = json_object_get(table, "uncertainty");
    json_t *first = json_array_get(json_object_get(uncertainty, "outcomes"), 0);
    assert_near(json_number_value(json_object_get(first, "first_order")), 0.02, 1e-7);
    assert_true(json_is_true(json_object_get(first, "linear")));
    json_decref(table);
}

/* By the law that is asked for, along the course of the impact. */
static void sensitivity_by_another_law(void **state)
{
    json_t *table = answer(*state, "sensitivity b.yaml -f json --law lzb");
    assert_string_equal(json_string_value(json_object_get(table, "law")), "lzb");
    assert_string_equal(json_string_value(json_object_get(table, "derivatives")), "exact");
    json_t *row = json_array_get(json_object_get(table, "derivative"), 0);
    assert_near(entry(row, 0), -2, 1e-8);
    json_decref(table);
}

static void sensitivity_as_table_and_csv(void **state)
{
    fixture *f = *state;
    put_file(f, "b.yaml", BALL);
    assert_int_equal(run_carom(f, "sensitivity b.yaml"), 0);
    ASSERT_SAYS(f->out, "sensitivities, law sequential");
    ASSERT_SAYS(f->out, "chain.wall.restitution");
    ASSERT_SAYS(f->out, "Input uncertainties: chain.wall.restitution +- 0.01; 1000 random draws.");
    assert_int_equal(run_carom(f, "sensitivity b.yaml -o t.csv && head -1 t.csv"), 0);
    assert_string_equal(f->out,
                        "of,value,chain.wall.restitution,chain.velocity[1],first_order,mean,"
                        "sampled\n");
}

/* ---- Fits ------------------------------------------------------------------------------------ */

static void fit_as_json(void **state)
{
    json_t *fit = answer(*state, "fit b.yaml -f json");
    json_t *parameter = json_array_get(json_object_get(fit, "parameters"), 0);
    json_t *interval = json_object_get(parameter, "interval");
    double deviation = 0.01 / sqrt(2); /* of a mean of two, of e = v+ / 2 */
    assert_string_equal(json_string_value(json_object_get(parameter, "name")),
                        "chain.wall.restitution");
    assert_near(json_number_value(json_object_get(parameter, "value")), 0.61, 1e-5);
    assert_near(json_number_value(json_object_get(parameter, "uncertainty")), deviation, 1e-7);
    assert_near(entry(interval, 0), 0.61 - 1.959964 * deviation, 1e-5);
    assert_near(entry(interval, 1), 0.61 + 1.959964 * deviation, 1e-5);
    assert_true(json_is_true(json_object_get(parameter, "determined")));
    assert_near(entry(json_array_get(json_object_get(fit, "correlation"), 0), 0), 1, 0);
    json_t *residual = json_array_get(json_object_get(fit, "residuals"), 1);
    assert_string_equal(json_string_value(json_object_get(residual, "what")), "velocity[1]");
    assert_near(json_number_value(json_object_get(residual, "measured")), -1.24, 0);
    assert_near(json_number_value(json_object_get(residual, "fitted")), -1.22, 1e-5);
    assert_near(json_number_value(json_object_get(residual, "deviation")), 0.02, 1e-5);
    assert_near(json_number_value(json_object_get(fit, "chi2")), 2, 1e-5);
    assert_int_equal(json_integer_value(json_object_get(fit, "degrees_of_freedom")), 1);
    assert_true(json_is_true(json_object_get(fit, "converged")));
    json_decref(fit);
}

static void fit_as_table_and_csv(void **state)
{
    fixture *f = *state;
    put_file(f, "b.yaml", BALL);
    assert_int_equal(run_carom(f, "fit b.yaml"), 0);
    ASSERT_SAYS(f->out, "fit, law sequential; derivatives by finite differences of whole solves");
    ASSERT_SAYS(f->out, "0.61");
    ASSERT_SAYS(f->out, "chi2 = 2 with 1 degree of freedom.");
    assert_int_equal(run_carom(f, "fit - -f csv <b.yaml"), 0);
    assert_int_equal(
        strncmp(f->out, "parameter,value,uncertainty,from,to,determined\nchain.wall.restitution,",
                69),
        0);
}

/* ---- Exit statuses --------------------------------------------------------------------------- */

static void mistakes_have_their_statuses(void **state)
{
    fixture *f = *state;
    put_file(f, "b.yaml", BALL);
    put_file(f, "c.yaml", "chain: {count: 2}\n");
    assert_int_equal(run_carom(f, "fit c.yaml"), 3);
    assert_string_equal(f->err, "c.yaml: scenario has no field 'fit', which says what to estimate "
                                "and what was measured; see docs/inverse.md\n");
    assert_int_equal(run_carom(f, "sensitivity c.yaml"), 3);
    ASSERT_SAYS(f->err, "has no field 'sensitivity'");
    assert_int_equal(run_carom(f, "design c.yaml"), 3);
    ASSERT_SAYS(f->err, "has no field 'design'");
    assert_int_equal(run_carom(f, "fit b.yaml --set fit.starts=0"), 3);
    ASSERT_SAYS(f->err, "must be a whole number from 1 to 10000");
    assert_int_equal(run_carom(f, "fit b.yaml -o nowhere/fit.json"), 5);
    assert_int_equal(run_carom(f, "fit nowhere.yaml"), 3);
    assert_int_equal(run_carom(f, "sensitivity b.yaml --set sensitivity.samples=1000000 "
                                  "--max-seconds 0.3 -o late.json"),
                     4);
    ASSERT_SAYS(f->err, "time limit of 0.3 s reached; nothing was written");
    assert_false(is_there(f, "late.json"));
}

static void check_tells_and_refuses(void **state)
{
    fixture *f = *state;
    put_file(f, "b.yaml", BALL);
    assert_int_equal(run_carom(f, "check b.yaml"), 0);
    ASSERT_SAYS(f->out, "sensitivity: 2 quantities with respect to 2 fields, by sequential");
    ASSERT_SAYS(f->out, "fit: 1 parameter from 2 values of 1 experiment, by sequential");
    assert_int_equal(run_carom(f, "check b.yaml --set 'fit.measured[1].what=speed'"), 3);
    ASSERT_SAYS(f->err, "'speed' is not a quantity of an outcome");
    /* Other commands leave the blocks alone. */
    assert_int_equal(run_carom(f, "solve b.yaml --set 'fit={nothing: 1}'"), 0);
}

/* As many values as parameters, and no word on how good they are. */
static void what_a_single_value_cannot_tell_is_said(void **state)
{
    fixture *f = *state;
    put_file(f, "f.yaml",
             "chain: {count: 1, velocity: [1], wall: right}\n"
             "fit:\n"
             "  parameters: {chain.restitution: {from: 0, to: 1, start: 0.9}}\n"
             "  measured: [{what: \"velocity[1]\", value: -0.81}]\n");
    assert_int_equal(run_carom(f, "fit f.yaml"), 0);
    ASSERT_SAYS(f->out, "No uncertainties were given and there are no more values than");
    assert_null(strstr(f->out, "nan"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(sensitivity_as_json),          TEST(sensitivity_by_another_law),
        TEST(sensitivity_as_table_and_csv), TEST(fit_as_json),
        TEST(fit_as_table_and_csv),         TEST(mistakes_have_their_statuses),
        TEST(check_tells_and_refuses),      TEST(what_a_single_value_cannot_tell_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
