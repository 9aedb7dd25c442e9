/* carom with boxes, ellipses and rods: the examples, against closed forms, and complaints. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "program.h"
#include "support.h"

#define EXAMPLE(name) CAROM_SOURCE_DIR "/examples/" name ".yaml"

static const double G = 9.81;

/* The JSON of a run that is done. */
static json_t *answer(fixture *f, const char *command)
{
    char all[1024];
    json_error_t error;
    snprintf(all, sizeof all, "$carom %s -f json", command);
    if (shell_with(f, CAROM_PROGRAM, all) != 0) {
        fail_msg("%s: %s", command, f->err);
    }
    json_t *root = json_loads(f->out, 0, &error);
    if (root == NULL) {
        fail_msg("line %d: %s", error.line, error.text);
    }
    return root;
}

static double entry_of(const json_t *root, const char *key, size_t index)
{
    return json_number_value(json_array_get(json_object_get(root, key), index));
}

/* Half width 0.1, half height 0.4. */
static void a_block_rocks_over(void **state)
{
    fixture *f = *state;
    json_t *root = answer(f, "solve " EXAMPLE("block_on_corner"));
    const json_t *results = json_object_get(root, "results");
    assert_int_equal(json_array_size(results), 4);
    for (size_t k = 0; k < 4; k++) {
        /* lzb: its own tolerance */
        assert_near(entry_of(json_array_get(results, k), "velocity", 2), 0.7, 1e-6);
    }
    json_decref(root);
    root = answer(f, "simulate " EXAMPLE("block_rocking") " --set 'simulate.stop={impacts: 1}'");
    double high = 0.4 * cos(0.05) + 0.1 * sin(0.05) - 0.4, inertia = 0.17 / 3;
    assert_near(entry_of(root, "velocity", 2), 0.7 * sqrt(2 * G * high / (inertia + 0.01)), 1e-9);
    json_decref(root);
    root = answer(f, "simulate " EXAMPLE("block_rocking"));
    assert_string_equal(json_string_value(json_object_get(root, "stopped")), "at_rest");
    assert_near(entry_of(root, "position", 1), 0.4, 1e-9);
    json_decref(root);
}

static void a_ladder_leaves_the_wall(void **state)
{
    json_t *root = answer(*state, "simulate " EXAMPLE("ladder"));
    double height = sin(1.2);
    assert_near(entry_of(root, "velocity", 0), 2 / 3.0 * height * sqrt(G * height / 2), 1e-9);
    json_decref(root);
}

static void an_ellipse_keeps_its_energy(void **state)
{
    json_t *root = answer(*state, "simulate " EXAMPLE("ellipse_swinging"));
    double x = entry_of(root, "position", 0), y = entry_of(root, "position", 1);
    double angle = entry_of(root, "position", 2), spin = entry_of(root, "velocity", 2);
    double rise = entry_of(root, "velocity", 1), first = hypot(0.3 * sin(1.2), 0.2 * cos(1.2));
    assert_near(x, 0, 1e-9);
    assert_near(y, hypot(0.3 * sin(angle), 0.2 * cos(angle)), 1e-9);
    assert_near(0.5 * (rise * rise + 0.13 / 4 * spin * spin) + G * y, G * first, 1e-9);
    json_decref(root);
}

/* An ellipsoid that spins freely about an axis of its own, 2 rad/s about the vertical. */
static void an_ellipsoid_turns_in_space(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml",
             "bodies:\n"
             "  - {name: egg, shape: ellipsoid, semi_axes: [0.3, 0.2, 0.2], mass: 1,\n"
             "     position: [0, 0, 5], velocity: [1, 0, 0], spin: [0, 0, 2]}\n"
             "simulate: {duration: 1, gravity: [0, 0, 0]}\n");
    json_t *root = answer(f, "simulate s.yaml");
    assert_int_equal(json_array_size(json_object_get(root, "position")), 7);
    assert_int_equal(json_array_size(json_object_get(root, "velocity")), 6);
    assert_near(entry_of(root, "position", 0), 1, 1e-9);
    assert_near(entry_of(root, "position", 3), cos(1), 1e-9);
    assert_near(entry_of(root, "position", 6), sin(1), 1e-9);
    assert_near(entry_of(root, "velocity", 5), 2, 1e-9);
    json_decref(root);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom simulate s.yaml -f csv"), 0);
    static const char *const names[] = {"egg z", "egg orientation w", "egg orientation z"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        assert_non_null(strstr(f->out, names[k]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_block_rocks_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_ladder_leaves_the_wall, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_ellipse_keeps_its_energy, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_ellipsoid_turns_in_space, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
