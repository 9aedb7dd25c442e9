/* The files of carom simulate: histories, impacts, the last state; also of runs that are cut off.
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
#include <jansson.h>

#include "simulating.h"
#include "support.h"

/* Rows at 0, 0.125, ... 0.875; before the first impact a parabola, then another. */
static void histories_have_rows_at_multiples(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", THROWN);
    assert_int_equal(run(f, "s.yaml --history h.csv"), 0);
    char *rows = get_file(f, "h.csv");
    const char *row = strchr(rows, '\n') + 1;
    assert_int_equal(strncmp(rows, "time,ball x,ball y,ball vx,ball vy\n", (size_t)(row - rows)),
                     0);
    assert_int_equal(count(rows, '\n'), 1 + 8);
    double fall = sqrt(2 / 9.81), up = 0.5 * 9.81 * fall;
    for (int k = 0; k <= 7; k++, row = strchr(row, '\n') + 1) {
        double t, x, y, vx, vy, s = 0.125 * k - fall;
        assert_int_equal(sscanf(row, "%lf,%lf,%lf,%lf,%lf", &t, &x, &y, &vx, &vy), 5);
        assert_near(t, 0.125 * k, 0);
        assert_near(x, 2 * t, 1e-12);
        assert_near(y, s < 0 ? 1.1 - 4.905 * t * t : 0.1 + up * s - 4.905 * s * s, 1e-12);
        assert_near(vy, s < 0 ? -9.81 * t : up - 9.81 * s, 1e-11);
    }
    free(rows);
}

static void histories_without_an_interval_have_rows_after_impacts(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", THROWN);
    json_t *root = simulate(f, "s.yaml --history h.csv --set simulate.output_every=0");
    char *rows = get_file(f, "h.csv");
    assert_int_equal(count(rows, '\n'), 1 + number_of(root, "impacts"));
    double t, x, y, vx, vy, fall = sqrt(2 / 9.81);
    assert_int_equal(sscanf(strchr(rows, '\n') + 1, "%lf,%lf,%lf,%lf,%lf", &t, &x, &y, &vx, &vy),
                     5);
    assert_near(t, fall, 1e-12);
    assert_near(y, 0.1, 1e-12);
    assert_near(vy, 0.5 * 9.81 * fall, 1e-12);
    assert_near(number_of(root, "time"), 0.875, 0);
    free(rows);
    json_decref(root);
}

static void impacts_have_a_row_each(void **state)
{
    fixture *f = *state;
    json_t *root = simulate(f, EXAMPLE("gas") " --impacts i.csv");
    char *rows = get_file(f, "i.csv");
    static const char heading[] = "impact,time,contacts,closing_speed,lost,impulse,status,"
                                  "kinematic,kinetic,energetic,unique,peak_force\n";
    assert_int_equal(strncmp(rows, heading, strlen(heading)), 0);
    assert_int_equal(count(rows, '\n'), 1 + number_of(root, "impacts"));
    free(rows);
    json_decref(root);
}

static void csv_is_the_last_state(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", THROWN);
    assert_int_equal(run(f, "s.yaml --format csv -o out.csv"), 0);
    assert_string_equal(f->out, "");
    char *rows = get_file(f, "out.csv");
    double x, v;
    assert_int_equal(sscanf(rows, "index,name,position,velocity\n1,ball x,%lf,%lf", &x, &v), 2);
    assert_near(x, 2 * 0.875, 1e-12);
    assert_near(v, 2, 1e-12);
    free(rows);
}

/* A run that would take hours keeps what it has. */
static void an_interrupted_run_keeps_what_it_has(void **state)
{
    fixture *f = *state;
    int status =
        shell_with(f, CAROM_PROGRAM,
                   "$carom simulate " EXAMPLE(
                       "gas") " --set contacts.restitution=1 --set simulate.duration=1e9"
                              " --set simulate.output_every=1 --history h.csv --impacts i.csv"
                              " -f json -o out.json & sleep 0.5; kill -INT $!; wait $!");
    assert_int_equal(status, 130);
    char *text = get_file(f, "out.json"), *rows = get_file(f, "h.csv");
    assert_non_null(text);
    assert_non_null(rows);
    ASSERT_SAYS(text, "\"stopped\": \"interrupted\"");
    assert_true(is_there(f, "i.csv"));
    free(text);
    free(rows);
}

static void so_does_one_whose_time_is_up(void **state)
{
    fixture *f = *state;
    int status = shell_with(f, CAROM_PROGRAM,
                            "$carom simulate " EXAMPLE("gas") " --set contacts.restitution=1"
                                                              " --set simulate.duration=1e9"
                                                              " --impacts i.csv --max-seconds 0.2");
    assert_int_equal(status, 4);
    ASSERT_SAYS(f->err, "time limit of 0.2 s reached; the motion is at ");
    ASSERT_SAYS(f->out, "impacts");
    assert_true(is_there(f, "i.csv"));
}

/* 3e8 collisions in one impact: a ball of 1e16 kg strikes one of 1 kg that touches a wall. */
#define ENDLESS                                                                                    \
    "bodies:\n"                                                                                    \
    "  - {radius: 0.5, mass: 1, position: [0.5]}\n"                                                \
    "  - {radius: 0.5, mass: 1e16, position: [2.5], velocity: [-1]}\n"                             \
    "walls: [{point: [0], normal: [1]}]\n"                                                         \
    "contacts: {restitution: 1}\n"                                                                 \
    "simulate: {duration: 3, law: {law: binary, max_collisions: 1e15}}\n"

static void both_end_inside_of_an_impact(void **state)
{
    fixture *f = *state;
    put_file(f, "endless.yaml", ENDLESS);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom simulate endless.yaml --max-seconds 0.2"),
                     4);
    ASSERT_SAYS(f->err, "time limit of 0.2 s reached; the motion is at 1 s");
    assert_int_equal(shell_with(f, CAROM_PROGRAM,
                                "$carom simulate endless.yaml -f json -o out.json & sleep 0.3;"
                                " kill -INT $!; wait $!"),
                     130);
    char *text = get_file(f, "out.json");
    assert_non_null(text);
    ASSERT_SAYS(text, "\"stopped\": \"interrupted\"");
    ASSERT_SAYS(text, "\"impacts\": 0");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(histories_have_rows_at_multiples),
        TEST(histories_without_an_interval_have_rows_after_impacts),
        TEST(impacts_have_a_row_each),
        TEST(csv_is_the_last_state),
        TEST(an_interrupted_run_keeps_what_it_has),
        TEST(so_does_one_whose_time_is_up),
        TEST(both_end_inside_of_an_impact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
