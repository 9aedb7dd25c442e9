/* carom admissible: what programs and people are handed, pictures, exit statuses. */
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

/* Three equal balls: the last one leaves at 1/3 to 1. */
static const char BALLS[] = "title: balls\n"
                            "laws: [moreau, {law: impulse-ratio, ratios: [1, 0.4]}]\n"
                            "chain: {count: 3, velocity: [1]}\n"
                            "admissible:\n"
                            "  of: [\"velocity[3]\", energy_ratio]\n";

static double number(json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* A law without an answer: status 4, and the rest is there. */
static void extremes_as_json(void **state)
{
    fixture *f = *state;
    put_file(f, "b.yaml", BALLS);
    assert_int_equal(run_carom(f, "admissible b.yaml -f json"), 4);
    assert_non_null(strstr(f->err, "law impulse-ratio: energy_ratio 1 with these ratios"));
    json_t *table = parse(f->out), *quantities = json_object_get(table, "quantities");
    json_t *third = json_array_get(quantities, 0), *outcomes = json_object_get(table, "outcomes");
    assert_string_equal(json_string_value(json_object_get(table, "kind")), "region");
    assert_int_equal(json_array_size(quantities), 2);
    assert_string_equal(json_string_value(json_object_get(third, "what")), "velocity[3]");
    assert_near(number(third, "least"), 1.0 / 3, 1e-9);
    assert_near(number(third, "most"), 1, 1e-9);
    assert_true(number(third, "least_bound") <= number(third, "least"));
    assert_int_equal(json_array_size(json_object_get(third, "most_impulse")), 2);
    assert_true(json_is_true(json_object_get(json_array_get(outcomes, 0), "inside")));
    assert_true(json_is_null(json_object_get(json_array_get(outcomes, 1), "inside")));
    json_decref(table);
}

static void csv_has_a_row_for_each_quantity(void **state)
{
    fixture *f = *state;
    put_file(f, "b.yaml", BALLS);
    assert_int_equal(run_carom(f, "admissible b.yaml --law moreau -o t.csv"), 0);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "cat t.csv"), 0);
    assert_non_null(strstr(f->out, "quantity,unit,least,least_bound,most,most_bound,moreau\n"));
    assert_non_null(strstr(f->out, "\nvelocity[3],m/s,0.333333"));
    assert_non_null(strstr(f->out, "\ninside,,,,,,1\ndistance,,,,,,0\n"));
}

/* The ends of the outline: gap velocities up to 1, along both axes; moreau's locus is on u2 = 0. */
static void the_picture_has_its_numbers(void **state)
{
    fixture *f = *state;
    put_file(f, "b.yaml", BALLS);
    assert_int_equal(run_carom(f, "admissible b.yaml --law moreau --plot p.csv --report p.html"),
                     0);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "cat p.csv"), 0);
    double most[2] = {0, 0};
    size_t levels = 0, locus = 0;
    for (char *line = strtok(f->out, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        double x, y;
        const char *comma = strrchr(line, ',');
        if (sscanf(comma + 1, "%lf", &y) != 1) {
            continue; /* the head */
        }
        while (*--comma != ',') {
        }
        x = strtod(comma + 1, NULL);
        if (strncmp(line, "outline,", 8) == 0) {
            most[0] = fmax(most[0], x);
            most[1] = fmax(most[1], y);
        }
        levels += strncmp(line, "level,", 6) == 0;
        if (strncmp(line, "locus,moreau,", 13) == 0) {
            assert_near(y, 0, 1e-12);
            locus++;
        }
    }
    assert_near(most[0], 1, 1e-8);
    assert_near(most[1], 1, 1e-8);
    assert_true(levels > 0 && locus == 41);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "grep -c '\"picture\"' p.html"), 0);
}

static void what_cannot_be_bounded_is_refused(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *set, *says;
    } cases[] = {
        {"admissible.of=[dispersion]", "admissible.of[1] 'dispersion' cannot be bounded; what can"},
        {"admissible.of=['velocity[4]']", "'velocity[4]' is of an entry that does not exist"},
        {"admissible.of=[max(velocity)]", "'max(velocity)' is not linear"},
        {"admissible.plane=['velocity[1]', energy_ratio]", "both must be linear"},
        {"admissible.plane=['velocity[1]']", "must be a list of two quantities"},
        {"admissible.off=1", "unknown field 'off'"},
    };
    put_file(f, "b.yaml", BALLS);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char command[160];
        snprintf(command, sizeof command, "$carom admissible b.yaml --set \"%s\"", cases[i].set);
        assert_int_equal(shell_with(f, CAROM_PROGRAM, command), 3);
        assert_string_equal(f->out, "");
        if (strstr(f->err, cases[i].says) == NULL) {
            fail_msg("%s: %s", cases[i].set, f->err);
        }
        snprintf(command, sizeof command, "$carom check b.yaml --set \"%s\"", cases[i].set);
        assert_int_equal(shell_with(f, CAROM_PROGRAM, command), 3);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(extremes_as_json),
        TEST(csv_has_a_row_for_each_quantity),
        TEST(the_picture_has_its_numbers),
        TEST(what_cannot_be_bounded_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
