/* carom simulate as people and scripts use it: summaries, JSON, complaints. */
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

static double entry_of(const json_t *root, const char *key, size_t index)
{
    return json_number_value(json_array_get(json_object_get(root, key), index));
}

/* ---- What comes out ------------------------------------------------------------------------ */

/* The series of flights: sqrt(2 h / g) (1 + e) / (1 - e). */
static const double REST = 8.5789491787;

static void a_bouncing_ball_comes_to_rest_when_the_series_says(void **state)
{
    fixture *f = *state;
    json_t *root = simulate(f, EXAMPLE("bouncing_ball"));
    assert_near(number_of(root, "at_rest_since"), REST, 1e-8);
    assert_near(number_of(root, "time"), REST, 1e-8);
    assert_string_equal(json_string_value(json_object_get(root, "stopped")), "at_rest");
    const json_t *energy = json_object_get(root, "energy");
    assert_near(number_of(energy, "lost"), 9.81, 1e-12);
    assert_near(number_of(energy, "error"), 0, 1e-12);
    json_decref(root);
}

static void json_has_what_is_promised(void **state)
{
    static const char *const keys[] = {"carom",    "title",   "scheme",        "law",
                                       "time",     "stopped", "bodies",        "position",
                                       "velocity", "impacts", "at_rest_since", "max_penetration",
                                       "energy"};
    static const char *const parts[] = {
        "kinetic_before", "potential_before", "kinetic_after", "potential_after", "lost",
        "work",           "correction",       "error"};
    fixture *f = *state;
    json_t *root = simulate(f, EXAMPLE("beads_counting_pi"));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        assert_non_null(json_object_get(root, keys[i]));
    }
    assert_int_equal(json_object_size(root), sizeof keys / sizeof keys[0]);
    const json_t *energy = json_object_get(root, "energy");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        number_of(energy, parts[i]);
    }
    assert_true(json_is_null(json_object_get(root, "at_rest_since")));
    assert_string_equal(json_string_value(json_object_get(root, "law")), "newton");
    assert_string_equal(json_string_value(json_object_get(root, "scheme")), "event-driven");
    assert_string_equal(json_string_value(json_object_get(root, "stopped")), "duration");
    assert_string_equal(json_string_value(json_array_get(json_object_get(root, "bodies"), 1)),
                        "heavy");
    assert_int_equal(json_array_size(json_object_get(root, "position")), 2);
    json_decref(root);
}

/* floor(pi / atan(sqrt(m / M))) impacts for masses m, M. */
static void beads_count_the_digits_of_pi(void **state)
{
    fixture *f = *state;
    json_t *root = simulate(f, EXAMPLE("beads_counting_pi"));
    assert_int_equal(number_of(root, "impacts"), 314);
    json_decref(root);
    root = simulate(f, EXAMPLE("beads_counting_pi") " --set 'bodies[heavy].mass=1e6' --law lzb");
    assert_int_equal(number_of(root, "impacts"), 3141);
    json_decref(root);
    root = simulate(f, EXAMPLE("beads_counting_pi") " --set 'simulate.stop={impacts: 7}'");
    assert_int_equal(number_of(root, "impacts"), 7);
    assert_string_equal(json_string_value(json_object_get(root, "stopped")), "impacts");
    json_decref(root);
}

/* One impact in every period of 0.04 s, at g T / 2 (1 + (1 - e) / (1 + e)) = 0.2616 m/s. */
static void a_ball_keeps_time_with_a_vibrating_plate(void **state)
{
    fixture *f = *state;
    json_t *root = simulate(f, EXAMPLE("vibrating_plate") " --impacts i.csv");
    assert_int_equal(number_of(root, "impacts"), 100);
    json_decref(root);
    char *rows = get_file(f, "i.csv");
    const char *row = strchr(rows, '\n') + 1;
    for (int k = 1; k <= 100; k++, row = strchr(row, '\n') + 1) {
        int number;
        double time, speed;
        assert_int_equal(sscanf(row, "%d,%lf,ball - plate,%lf,", &number, &time, &speed), 3);
        assert_int_equal(number, k);
        assert_near(time, 0.04 * k, 1e-9);
        assert_near(speed, 0.2616, 1e-9);
    }
    free(rows);
}

/* A triangle of 15 balls has 30 contacts; the cue ball makes one more. */
static void the_rack_is_one_impact(void **state)
{
    fixture *f = *state;
    assert_int_equal(
        run(f, EXAMPLE("billiards_break") " --impacts i.csv --set 'simulate.stop={impacts: 1}'"),
        0);
    char *rows = get_file(f, "i.csv");
    assert_int_equal(count(rows, '\n'), 2);
    assert_int_equal(count(rows, ';'), 4 * 30); /* names, closing speeds, impulses, peak forces */
    free(rows);
}

/* Lossy impacts take from the differences of the balls' swings alone: their mean is a pendulum's,
 * and in the end there is nothing else. For small swings its amplitude is a fifth of the first
 * ball's; the first swings here are not that small.
 */
static void a_cradle_ends_up_swinging_together(void **state)
{
    fixture *f = *state;
    json_t *root = simulate(f, EXAMPLE("cradle_swings"));
    double l = 0.1, g = 9.81, amplitude = 0.5 / 5;
    double angle = entry_of(root, "position", 0), spin = entry_of(root, "velocity", 0);
    for (size_t i = 1; i < 5; i++) {
        assert_near(entry_of(root, "position", i), angle, 1e-6);
        assert_near(entry_of(root, "velocity", i), spin, 1e-6);
    }
    double reached = acos(cos(angle) - 0.5 * l * spin * spin / g);
    assert_near(reached, amplitude, 0.05 * amplitude);
    const json_t *energy = json_object_get(root, "energy");
    assert_near(number_of(energy, "error"), 0, 1e-12);
    assert_true(number_of(root, "impacts") > 1000);
    json_decref(root);
}

static void every_example_of_a_motion_runs(void **state)
{
    static const char *const names[] = {EXAMPLE("bouncing_ball"),
                                        EXAMPLE("ball_floor_ceiling"),
                                        EXAMPLE("vibrating_plate"),
                                        EXAMPLE("gas"),
                                        EXAMPLE("billiards_break"),
                                        EXAMPLE("beads_counting_pi"),
                                        EXAMPLE("pouring") " --set simulate.duration=0.05"};
    fixture *f = *state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (run(f, names[i]) != 0) {
            fail_msg("%s: %s", names[i], f->err);
        }
        ASSERT_SAYS(f->out, "impacts");
        ASSERT_SAYS(f->out, "lost in contacts");
        ASSERT_SAYS(f->out, "end state");
        assert_string_equal(f->err, "");
    }
}

/* A ball that fell from 1 m lies still, one slides on without end: what is told of them. */
static void the_table_tells_what_people_ask(void **state)
{
    static const char *const lines[] = {
        "  time                    20 s, the whole duration\n",
        "  strongest               at 0.451523641 s: falls - floor, closing 4.42945 m/s\n",
        "  at rest                 1 of 2 bodies\n",
        "energy, J                       before         after        change\n",
        "  kinetic                       0.0200        0.0200        0     \n",
        "  lost in contacts                                         -9.8100\n",
        "end state, SI           x          y         vx         vy\n",
        "  falls           0          0.10000   0          0       \n",
        "  slides          9.00000    0.10000   0.200000   0       \n"};
    fixture *f = *state;
    put_file(f, "s.yaml",
             "bodies:\n"
             "  - {name: falls, radius: 0.1, mass: 1, position: [0, 1.1]}\n"
             "  - {name: slides, radius: 0.1, mass: 1, position: [5, 0.1], velocity: [0.2, 0]}\n"
             "walls: [{name: floor, point: [0, 0], normal: [0, 1]}]\n"
             "contacts: {restitution: 0.5}\n"
             "simulate: {duration: 20, gravity: [0, -9.81]}\n");
    assert_int_equal(run(f, "s.yaml"), 0);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        ASSERT_SAYS(f->out, lines[i]);
    }
    for (const char *line = f->out; *line != '\0'; line += strcspn(line, "\n") + 1) {
        assert_true(strcspn(line, "\n") <= 80);
    }
}

/* Slow bodies have more decimals: columns get wider and do not touch. */
static void columns_stay_apart(void **state)
{
    fixture *f = *state;
    put_file(
        f, "s.yaml",
        "bodies:\n"
        "  - {name: slow, shape: box, size: [1, 1], mass: 1, position: [0.7, 0.5], angle: -18.4, "
        "velocity: [-0.0015, -0.001], spin: -0.13}\n"
        "simulate: {duration: 0.001}\n");
    assert_int_equal(run(f, "s.yaml"), 0);
    ASSERT_SAYS(f->out, "  -0.00150000  -0.00100000    -0.130000\n");
}

/* In space, with six columns, a line still fits a terminal. */
static void the_table_fits_80_columns(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml",
             "bodies:\n"
             "  - {name: one of them, radius: 0.1, mass: 1, position: [0, -123.4, 3], "
             "velocity: [-12.3, 0, 1e-3]}\n"
             "simulate: {duration: 20, gravity: [0, -9.81, 0]}\n");
    assert_int_equal(run(f, "s.yaml"), 0);
    ASSERT_SAYS(f->out, "        vz\n");
    for (const char *line = f->out; *line != '\0'; line += strcspn(line, "\n") + 1) {
        assert_true(strcspn(line, "\n") <= 80);
    }
}

/* Of two equal balls the struck one leaves at (1 + e) / 2, the other goes on at (1 - e) / 2. */
static void a_chain_moves_on_the_line(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml",
             "laws: [newton]\n"
             "chain: {count: 2, radius: 0.1, velocity: [1], restitution: [0.5]}\n"
             "simulate: {duration: 1}\n");
    json_t *root = simulate(f, "c.yaml");
    static const double position[] = {0.25, 0.95}, velocity[] = {0.25, 0.75};
    for (size_t i = 0; i < 2; i++) {
        assert_near(entry_of(root, "position", i), position[i], 1e-12);
        assert_near(entry_of(root, "velocity", i), velocity[i], 1e-12);
    }
    json_decref(root);
    /* One ball falls onto the wall it lies on: nothing but the wall's restitution counts. */
    root = simulate(f, "c.yaml --set 'chain={count: 1, velocity: [-2], restitution: 1, "
                       "wall: {side: left, restitution: 0.25}}'");
    assert_near(entry_of(root, "velocity", 0), 0.5, 1e-12);
    assert_near(entry_of(root, "position", 0), 0.5, 1e-12);
    json_decref(root);
}

/* Other commands take a wall as it is at time 0: A sin(phase) high, rising at A 2 pi f cos(phase).
 * An elastic ball that lies on it leaves at twice that speed.
 */
static void an_impact_is_that_of_time_0(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml",
             "laws: [newton]\n"
             "bodies: [{radius: 1, mass: 1, position: [0, 1.0795774715459477]}]\n"
             "walls: [{point: [0, 0], normal: [0, 2],\n"
             "         motion: {amplitude: 0.15915494309189535, frequency: 3, "
             "phase: 0.5235987755982989}}]\n" /* 1 / (2 pi), pi / 6 */
             "simulate: {duration: 1}\n");
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom solve -f json s.yaml"), 0);
    json_error_t error;
    json_t *root = json_loads(f->out, 0, &error);
    assert_non_null(root);
    const json_t *result = json_array_get(json_object_get(root, "results"), 0);
    assert_near(entry_of(result, "velocity", 1), 6 * cos(0.5235987755982989), 1e-9);
    json_decref(root);
}

/* ---- Complaints ---------------------------------------------------------------------------- */

static void mistakes_are_told_with_their_place(void **state)
{
#define BALL "bodies: [{radius: 1, mass: 1, position: [0, 2], velocity: [0, -1]}]\n"
    static const struct {
        const char *text, *words;
    } cases[] = {
        {BALL, "s.yaml:1:1: scenario has no field 'simulate', which carom simulate needs"},
        {BALL "simulate: {}", "s.yaml:2:11: simulate has no field 'duration', which is required"},
        {BALL "simulate: {duration: 0}",
         "s.yaml:2:22: simulate.duration is 0; must be a time above 0, in seconds"},
        {BALL "simulate: {duration: -1}",
         "s.yaml:2:22: simulate.duration is -1; must be a time above 0, in seconds"},
        {BALL "simulate: {duraton: 1}",
         "s.yaml:2:12: unknown field 'duraton' in simulate; did you mean 'duration'?"},
        {BALL "simulate: {duration: 1, gravity: -9.81}", "s.yaml:2:34: simulate.gravity"},
        {BALL "simulate: {duration: 1, scheme: verlet}",
         "s.yaml:2:33: simulate.scheme is 'verlet'; must be event-driven or time-stepping"},
        {BALL "simulate: {duration: 1, law: mroeau}", "did you mean 'moreau'?"},
        {BALL "simulate: {duration: 1, stop: {impacts: 0}}", "s.yaml:2:41: simulate.stop.impacts"},
        {BALL "walls: [{point: [0, 1.5], normal: [0, 1]}]\nsimulate: {duration: 1}",
         "s.yaml:1:41: bodies[1].position: body 1 and wall 1 overlap by 0.5"},
        {BALL "contacts: {closure: indented}\nsimulate: {duration: 1}",
         "s.yaml:2:21: contacts.closure is 'indented'; must be a relative distance"},
        {BALL "walls: [{point: [0, 0], normal: [0, 1], motion: {amplitude: 1}}]\n"
              "simulate: {duration: 1}",
         "s.yaml:2:49: walls[1].motion has no field 'frequency', which is required"},
        {BALL "springs: [{between: [1, 2], stiffness: 1}]\nsimulate: {duration: 1}",
         "s.yaml:2:25: springs[1].between[2] is 2; must be the name of a body or wall"},
        {"bodies: [{radius: 1, mass: 1, position: [0, 2]}]\nsimulate: {duration: 1}",
         "s.yaml:1:9: bodies: nothing moves"},
        {"bodies: [{radius: 1, fixed: true, position: [0]}]\nsimulate: {duration: 1}",
         "s.yaml:1:9: bodies: every body is fixed: nothing moves"},
        {"bodies: [{radius: 1, mass: 1, suspended: {from: [0, 0], length: 1}, velocity: [1, 0]}]\n"
         "simulate: {duration: 1}",
         "bodies[1].velocity is given for a suspended body, which has angle and spin instead"},
        {"bodies: [{radius: 1, mass: 1, suspended: {from: [0, 0], length: 0}}]\n"
         "simulate: {duration: 1, gravity: [0, -1]}",
         "s.yaml:1:65: bodies[1].suspended.length is 0; must be a length"},
        {"bodies: [{radius: 1, mass: 1, position: [0, 0], velocity: [1, 0]},\n"
         "  {radius: 1, mass: 1, position: [1.5, 0]}]\nsimulate: {duration: 1}",
         "body 1 and body 2 overlap by 0.5"},
        {"bodies: [{shape: rod, length: 2, mass: 1, position: [0, 0.5], angle: 1.5}]\n"
         "walls: [{point: [0, 0], normal: [0, 1]}]\nsimulate: {duration: 1, gravity: [0, -1]}",
         "body 1 and wall 1 overlap by 0.4"},
        {"packing: {lattice: square, columns: 1, rows: 1}\nsimulate: {duration: 1}",
         "s.yaml:2:11: simulate is for bodies or a chain"},
        {"packing: {lattice: square, columns: 1, rows: 1}",
         "s.yaml:1:10: packing cannot be moved; carom simulate takes bodies or a chain"},
    };
    fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_file(f, "s.yaml", cases[i].text);
        int status = run(f, "s.yaml -o out.txt");
        ASSERT_SAYS(f->err, cases[i].words);
        assert_int_equal(status, 3);
        assert_false(is_there(f, "out.txt"));
    }
}

/* A stiffness that materials of one side alone do not give shows when three touch, after 1 s. */
static void a_motion_that_fails_exits_4_with_the_reason(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml",
             "materials: {steel: {young: 2e11, poisson: 0.3}}\n"
             "bodies:\n"
             "  - {name: a, radius: 1, mass: 1, position: [0], velocity: [1], material: steel}\n"
             "  - {name: b, radius: 1, mass: 1, position: [3]}\n"
             "  - {name: c, radius: 1, mass: 1, position: [5]}\n"
             "simulate: {duration: 5}\n");
    assert_int_equal(run(f, "s.yaml -f json -o out.json --impacts i.csv"), 4);
    ASSERT_SAYS(f->err, "the motion failed at 1 s: the stiffness of the contact of a and b");
    char *text = get_file(f, "out.json");
    assert_non_null(text);
    ASSERT_SAYS(text, "\"stopped\": \"failed\"");
    ASSERT_SAYS(text, "\"reason\": \"the stiffness of the contact of a and b");
    free(text);
}

static void impacts_that_are_not_solved_are_told(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml",
             "chain: {count: 3, velocity: [1]}\n"
             "simulate: {duration: 1, law: {law: lzb, max_steps: 1}}\n");
    assert_int_equal(run(f, "c.yaml --impacts i.csv"), 4);
    ASSERT_SAYS(f->err, "law lzb did not terminate in 1 impact");
    ASSERT_SAYS(f->out, "not solved");
    char *rows = get_file(f, "i.csv");
    ASSERT_SAYS(rows, ",not_terminated,");
    free(rows);
}

/* Options that only an impact shows to be wrong are told with their place. */
static void laws_that_do_not_fit_are_told_with_their_place(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml",
             "laws: [{law: moreau}]\n"
             "chain: {count: 3, velocity: [1], restitution: [0.5, 1]}\n"
             "simulate: {duration: 1}\n");
    assert_int_equal(run(f, "c.yaml -o out.txt"), 3);
    ASSERT_SAYS(f->err, "c.yaml:1:8: laws[1]: law moreau has one restitution for all contacts");
    assert_false(is_there(f, "out.txt"));
}

static void one_law_moves_things(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", THROWN);
    assert_int_equal(run(f, "s.yaml --law lzb,moreau"), 2);
    ASSERT_SAYS(f->err, "a motion takes one law");
    json_t *root = simulate(f, "s.yaml --law moreau");
    assert_string_equal(json_string_value(json_object_get(root, "law")), "moreau");
    json_decref(root);
    root = simulate(f, "s.yaml --set 'simulate.law={law: lzb, label: mine, tolerance: 1e-6}'");
    assert_string_equal(json_string_value(json_object_get(root, "law")), "mine");
    json_decref(root);
}

/* Rows in the order of the bodies, whatever was asked for first; a summary has none. */
static void rows_of_the_table_can_be_chosen(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", "chain: {count: 5, velocity: [1], gap: 0.1}\nsimulate: {duration: 1}\n");
    assert_int_equal(run(f, "c.yaml --rows 'ball 5,2-3'"), 0);
    ASSERT_SAYS(f->out, "\n  ball 2 ");
    ASSERT_SAYS(f->out, "\n  ball 3 ");
    ASSERT_SAYS(f->out, "\n  ball 5 ");
    assert_null(strstr(f->out, "\n  ball 1 "));
    assert_true(strstr(f->out, "\n  ball 2 ") < strstr(f->out, "\n  ball 5 "));
    assert_int_equal(run(f, "c.yaml --summary"), 0);
    ASSERT_SAYS(f->out, "energy, J");
    assert_null(strstr(f->out, "\n  ball 1 "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_bouncing_ball_comes_to_rest_when_the_series_says),
        TEST(rows_of_the_table_can_be_chosen),
        TEST(json_has_what_is_promised),
        TEST(beads_count_the_digits_of_pi),
        TEST(a_ball_keeps_time_with_a_vibrating_plate),
        TEST(the_rack_is_one_impact),
        TEST(a_cradle_ends_up_swinging_together),
        TEST(every_example_of_a_motion_runs),
        TEST(the_table_tells_what_people_ask),
        TEST(columns_stay_apart),
        TEST(the_table_fits_80_columns),
        TEST(a_chain_moves_on_the_line),
        TEST(an_impact_is_that_of_time_0),
        TEST(mistakes_are_told_with_their_place),
        TEST(a_motion_that_fails_exits_4_with_the_reason),
        TEST(impacts_that_are_not_solved_are_told),
        TEST(laws_that_do_not_fit_are_told_with_their_place),
        TEST(one_law_moves_things),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
