/* Examples of motions beside what theory says of them. */
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

#define EXAMPLE(name) CAROM_SOURCE_DIR "/examples/" name ".yaml"

/* Printed with four digits. */
static const double PRINTED = 0.6e-4;
/* Closed forms and conservation laws. */
static const double CLOSED = 1e-9;

/* The JSON of a run that is done. */
static json_t *run(fixture *f, const char *rest)
{
    char command[2048];
    json_error_t error;
    snprintf(command, sizeof command, "$carom simulate -f json %s", rest);
    if (shell_with(f, CAROM_PROGRAM, command) != 0) {
        fail_msg("%s: %s", rest, f->err);
    }
    json_t *root = json_loads(f->out, 0, &error);
    assert_non_null(root);
    return root;
}

static double entry(const json_t *root, const char *key, size_t index)
{
    return json_number_value(json_array_get(json_object_get(root, key), index));
}

static double number(const json_t *root, const char *key)
{
    return json_number_value(json_object_get(root, key));
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g is not %.17g within %g", value, expected, tolerance);
    }
}

/* P0 section 8, recomputed: -.6394 and -1.1457 of the speed of the fall, as one impact with or
 * without a gap that the impact closes. The impact is at sqrt(2 h / g).
 */
static void a_tennis_ball_leaves_a_basketball_faster(void **state)
{
    static const char *const gaps[] = {"2.2925", "2.29250001"};
    const double speed = sqrt(2 * 9.81 * 1.5), duration = sqrt(2 * 1.5 / 9.81);
    fixture *f = *state;
    for (size_t k = 0; k < 2; k++) {
        char rest[512];
        snprintf(rest, sizeof rest,
                 EXAMPLE("tennis_basketball_drop") " --set 'bodies[tennis ball].position=%s' "
                                                   "--set 'simulate.stop={impacts: 1}'",
                 gaps[k]);
        json_t *root = run(f, rest);
        assert_near(number(root, "time"), duration, CLOSED);
        assert_near(entry(root, "velocity", 0) / speed, 0.6394, PRINTED);
        assert_near(entry(root, "velocity", 1) / speed, 1.1457, PRINTED);
        assert_near(number(json_object_get(root, "energy"), "error"), 0, CLOSED);
        json_decref(root);
    }
}

/* After 250 periods two flights take two periods, and one does not take one. */
static void above_the_limit_flights_take_turns(void **state)
{
    fixture *f = *state;
    double time[1000];
    int count = 0;
    json_decref(run(f, EXAMPLE("vibrating_plate_two") " --impacts i.csv"));
    char *rows = get_file(f, "i.csv");
    const char *row = strchr(rows, '\n') + 1;
    for (; count < 1000 && sscanf(row, "%*d,%lf", &time[count]) == 1; count++) {
        row = strchr(row, '\n') + 1;
    }
    free(rows);
    assert_true(count > 280 && count < 1000);
    for (int k = count - 20; k < count - 2; k++) {
        assert_near(time[k + 2] - time[k], 2 * 0.04, CLOSED);
        assert_true(fabs(time[k + 1] - time[k] - 0.04) > 0.04 * 0.01);
    }
}

/* Before anything reaches a cushion all 16 balls, of one mass, have the cue ball's momentum; the
 * rack lies even to both sides of its way, and so it breaks.
 */
static void a_break_keeps_momentum_and_symmetry(void **state)
{
    static const int mirror[][2] = {{2, 3}, {4, 6}, {7, 10}, {8, 9}, {11, 15}, {12, 14}};
    fixture *f = *state;
    json_t *root = run(f, EXAMPLE("billiards_break") " --set 'simulate.stop={impacts: 1}'");
    double sum[2] = {0, 0};
    for (size_t i = 0; i < 16; i++) {
        sum[0] += entry(root, "velocity", 2 * i);
        sum[1] += entry(root, "velocity", 2 * i + 1);
    }
    assert_near(sum[0], 8, CLOSED);
    assert_near(sum[1], 0, CLOSED);
    for (size_t k = 0; k < sizeof mirror / sizeof mirror[0]; k++) {
        size_t a = (size_t)mirror[k][0], b = (size_t)mirror[k][1];
        /* Places are given to 1e-9. */
        assert_near(entry(root, "velocity", 2 * a), entry(root, "velocity", 2 * b), 1e-5);
        assert_near(entry(root, "velocity", 2 * a + 1), -entry(root, "velocity", 2 * b + 1), 1e-5);
    }
    json_decref(root);
}

/* On the table, and no energy unaccounted for. */
static void after_a_break_all_balls_are_on_the_table(void **state)
{
    fixture *f = *state;
    json_t *root = run(f, EXAMPLE("billiards_break"));
    for (size_t i = 0; i < 16; i++) {
        double x = entry(root, "position", 2 * i), y = entry(root, "position", 2 * i + 1);
        assert_true(x > 0.0286 - CLOSED && x < 2.54 - 0.0286 + CLOSED);
        assert_true(y > 0.0286 - CLOSED && y < 1.27 - 0.0286 + CLOSED);
    }
    const json_t *energy = json_object_get(root, "energy");
    assert_near(number(energy, "kinetic_before"), 0.5 * 0.17 * 64, CLOSED);
    assert_near(number(energy, "kinetic_after") + number(energy, "lost"), 0.5 * 0.17 * 64, CLOSED);
    assert_true(number(energy, "lost") > 0);
    json_decref(root);
}

/* ---- A column on a wall ---------------------------------------------------------------------- */

enum { BEADS = 8 };

/* The column, `gap` between its beads, `height` above the wall; its first impact, in i.csv. */
static void drop_column(fixture *f, double height, double gap)
{
    char rest[1536];
    int used = snprintf(rest, sizeof rest,
                        EXAMPLE("column_drop") " --set 'simulate.stop={impacts: 1}' --impacts "
                                               "i.csv --set contacts.closure=%s",
                        gap > 0 ? "indentation" : "1e-9");
    for (int i = 0; i < BEADS; i++) {
        used += snprintf(rest + used, sizeof rest - (size_t)used,
                         " --set 'bodies[bead %d].position=%.17g'", i + 1,
                         0.004 + height + (0.008 + gap) * i);
    }
    json_t *root = run(f, rest);
    /* nothing is left of the motion but its first impact */
    assert_near(number(root, "time"), sqrt(2 * height / 9.81), CLOSED);
    json_decref(root);
}

/* Contact j of those that a row joins by ';', in its column, from 0. */
static double joined(const char *row, int column, int j)
{
    for (; column > 0; column--) {
        row = strchr(row, ',') + 1;
    }
    for (; j > 0; j--) {
        row += strcspn(row, ";,") + 1;
    }
    return strtod(row, NULL);
}

/* reproduce/P0-figure-31.yaml: 52.9 N after 3.1 mm and 71.3 N after 5.1 mm. The impact is that of
 * `carom solve`, whose chain begins at the other end, and the impulse what the column's momentum
 * changes by.
 */
static void a_column_strikes_a_wall_with_the_force_of_theory(void **state)
{
    enum { IMPULSE = 5, PEAK = 11, WALL = 1 };
    static const double height[] = {3.1e-3, 5.1e-3}, force[] = {52.9, 71.3}, gaps[] = {0, 1e-9};
    fixture *f = *state;
    for (size_t k = 0; k < 4; k++) {
        double h = height[k / 2], speed = sqrt(2 * 9.81 * h);
        drop_column(f, h, gaps[k % 2]);
        char *rows = get_file(f, "i.csv"), command[512];
        const char *row = strchr(rows, '\n') + 1;
        assert_non_null(strstr(row, ",bead 1 - bead 2;bead 1 - wall;bead 2 - bead 3;"));
        assert_near(joined(row, PEAK, WALL), force[k / 2], 0.05);
        snprintf(command, sizeof command,
                 "$carom solve -f json " EXAMPLE("column_on_wall") " --set chain.velocity=%.17g",
                 speed);
        assert_int_equal(shell_with(f, CAROM_PROGRAM, command), 0);
        json_t *root = json_loads(f->out, 0, NULL);
        const json_t *solved = json_array_get(json_object_get(root, "results"), 0);
        double momentum = BEADS * speed;
        for (int j = 0; j < BEADS; j++) {
            size_t there = j == WALL ? BEADS - 1 : (size_t)(j == 0 ? BEADS - 2 : BEADS - 1 - j);
            assert_near(joined(row, IMPULSE, j) / entry(solved, "impulse", there), 1, 1e-8);
            assert_near(joined(row, PEAK, j) / entry(solved, "peak_force", there), 1, 1e-8);
            momentum -= entry(solved, "velocity", (size_t)j);
        }
        assert_near(joined(row, IMPULSE, WALL), 2.05e-3 * momentum, CLOSED);
        json_decref(root);
        free(rows);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_tennis_ball_leaves_a_basketball_faster), TEST(above_the_limit_flights_take_turns),
        TEST(a_break_keeps_momentum_and_symmetry), TEST(after_a_break_all_balls_are_on_the_table),
        TEST(a_column_strikes_a_wall_with_the_force_of_theory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
