/* Pages of studies: their data and its units. What a browser makes of them is in
 * tests/browser/sweep.mjs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "page_data.h"
#include "program.h"

static int shell(fixture *f, const char *command)
{
    return shell_with(f, CAROM_PROGRAM, command);
}

/* Every number of the table, by its place in the page. */
static void the_data_of_a_study_is_its_table(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml",
             "title: a study\nlaws: [moreau, {law: lzb, label: 'no, end', max_steps: 1}]\n"
             "chain: {count: 3, velocity: [1]}\n"
             "sweep: {grid: {chain.wall: [none, right], chain.restitution: [0, 0.3, 0.9]}, "
             "record: [energy_ratio, 'velocity[-1]']}\n");
    assert_int_equal(shell(f, "$carom sweep s.yaml -q -o t.csv --report p.html"), 4);
    json_t *data = page_data(f, "p.html", NULL);
    char *table = get_file(f, "t.csv"), *line = strchr(table, '\n') + 1;
    const json_t *values = json_object_get(data, "values");
    const json_t *inputs = json_array_get(json_object_get(data, "inputs"), 1);
    assert_int_equal(json_array_size(json_object_get(data, "points")), 6);
    for (size_t row = 0; row < 12; row++, line = strchr(line, '\n') + 1) {
        size_t point = row / 2, law = row % 2;
        double restitution, ratio, last;
        char wall[16];
        if (law == 0) {
            assert_int_equal(sscanf(line, "%*d,%15[a-z],%lf,moreau,solved,%lf,%lf,", wall,
                                    &restitution, &ratio, &last),
                             4);
            assert_true(json_number_value(json_array_get(inputs, point)) == restitution);
        }
        const double expected[] = {ratio, last};
        for (size_t q = 0; q < 2; q++) {
            const json_t *cell =
                json_array_get(json_array_get(json_array_get(values, q), law), point);
            assert_true(law == 0 ? json_number_value(cell) == expected[q] : json_is_null(cell));
        }
    }
    assert_int_equal(json_array_size(json_object_get(data, "failures")), 6);
    assert_string_equal(json_string_value(json_array_get(json_object_get(data, "laws"), 1)),
                        "no, end");
    json_decref(data);
    free(table);
}

/* N and s where the stiffness is known, at any point; K=1 where it nowhere is; none for M and W. */
static void the_units_of_a_study_are_those_of_its_stiffness(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *system, *grid, *force, *time;
    } cases[] = {
        {"chain: {count: 3, velocity: [1]}", "chain.restitution: [0.5, 1]", "K=1", "K=1"},
        {"chain: {count: 3, velocity: [1]}", "'chain.stiffness': [1, 1000]", "N", "s"},
        {"chain: {count: 3, velocity: [1], stiffness: 1e9}", "chain.restitution: [0.5, 1]", "N",
         "s"},
        {"system: {mass: [1, 1], velocity: [1, 0], contacts: [{w: [-1, 1]}]}",
         "'system.velocity[1]': [1, 2]", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "%s\nsweep: {grid: {%s}, record: ['peak_force[1]', duration]}\n", cases[i].system,
                 cases[i].grid);
        put_file(f, "u.yaml", text);
        assert_int_equal(shell(f, "$carom sweep u.yaml -q -o u.csv --report u.html"), 0);
        json_t *data = page_data(f, "u.html", NULL);
        const char *const expected[] = {cases[i].force, cases[i].time};
        for (size_t q = 0; q < 2; q++) {
            const json_t *quantity = json_array_get(json_object_get(data, "quantities"), q);
            const char *unit = json_string_value(json_object_get(quantity, "unit"));
            assert_int_equal(unit == NULL, expected[q] == NULL);
            assert_true(unit == NULL || strcmp(unit, expected[q]) == 0);
        }
        json_decref(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_data_of_a_study_is_its_table, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_units_of_a_study_are_those_of_its_stiffness, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
