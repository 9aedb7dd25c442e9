/* Studies of motions: what they record, row by row, and complaints. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"

/* What the default tolerance promises. */
static const double CLOSE = 1e-9;

static const char BALL[] =
    "bodies: [{name: ball, radius: 0.1, mass: 2, position: [0.25, 1.1], velocity: [0, 0]}]\n"
    "walls: [{name: floor, point: [0, 0], normal: [0, 1]}]\n"
    "contacts: {restitution: 0.9}\n"
    "simulate: {duration: 5, gravity: [0, -9.81]}\n"
    "sweep:\n"
    "  grid: {contacts.restitution: [0.3, 0.5, 0.6]}\n"
    "  record: [at_rest_since, time, stopped, energy.lost, energy.kinetic_after, 'position[1]',"
    " 'velocity[ball vy]', strongest, strongest_time, impacts, 'min(position)']\n";

static int run(fixture *f, const char *rest)
{
    char arguments[2048];
    snprintf(arguments, sizeof arguments, "sweep %s", rest);
    return run_carom(f, arguments);
}

static void must(fixture *f, const char *rest)
{
    if (run(f, rest) != 0) {
        fail_msg("%s: %s", rest, f->err);
    }
}

static void near(double got, double want)
{
    if (!(fabs(got - want) <= CLOSE)) {
        fail_msg("%.17g is not %.17g", got, want);
    }
}

/* ---- What is recorded ------------------------------------------------------------------------ */

/* At rest from sqrt(2 h / g) (1 + e) / (1 - e) on, with nothing left of m g h. */
static void a_bouncing_ball_has_its_closed_forms(void **state)
{
    fixture *f = *state;
    const double e[] = {0.3, 0.5, 0.6}, fall = sqrt(2 / 9.81);
    put_file(f, "s.yaml", BALL);
    must(f, "s.yaml");
    const char *row = f->out;
    for (size_t i = 0; i < 3; i++) {
        double v[11];
        row = strstr(row, ",lzb,solved,") + strlen(",lzb,solved,");
        char *end = (char *)row - 1;
        for (size_t k = 0; k < 11; k++) {
            v[k] = strtod(end + 1, &end);
        }
        near(v[0], fall * (1 + e[i]) / (1 - e[i]));
        near(v[1], 5);
        near(v[2], 0);
        near(v[3], 2 * 9.81);
        near(v[4], 0);
        near(v[5], 0.25);
        near(v[6], 0);
        near(v[7], 9.81 * fall);
        near(v[8], fall);
        assert_true(v[9] > 10);
        near(v[10], 0.1);
    }
    assert_null(strstr(row, ",lzb,"));
}

/* Without a list: when it ended, how many impacts, when at rest, and what was lost. */
static void there_is_a_standard_record(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", BALL);
    must(f, "s.yaml --set 'sweep={grid: {\"bodies[ball].mass\": [1, 2]}}'");
    ASSERT_SAYS(f->out, "point,bodies[ball].mass,law,status,time,impacts,at_rest_since,"
                        "energy.lost,reason\n");
}

/* The law that the motion names; without one all laws of the scenario, or those of --law. */
static void laws_have_rows_of_their_own(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", BALL);
    must(f, "s.yaml --set 'laws=[moreau, newton]'");
    ASSERT_SAYS(f->out, "1,0.3,moreau,solved,");
    ASSERT_SAYS(f->out, "1,0.3,newton,solved,");
    must(f, "s.yaml --set 'laws=[moreau, newton]' --set simulate.law=poisson");
    ASSERT_SAYS(f->out, "1,0.3,poisson,solved,");
    assert_null(strstr(f->out, "moreau"));
    must(f, "s.yaml --set simulate.law=poisson --law lzb,moreau");
    ASSERT_SAYS(f->out, "1,0.3,lzb,solved,");
    ASSERT_SAYS(f->out, "1,0.3,moreau,solved,");
}

static void any_number_of_jobs_gives_the_same_bytes(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", BALL);
    must(f, "s.yaml -j 1 -o one.csv");
    must(f, "s.yaml -j 3 -o three.csv");
    must(f, "s.yaml --shard 1/2 -o a.csv");
    must(f, "s.yaml --shard 2/2 -o b.csv");
    assert_int_equal(
        shell_with(f, CAROM_PROGRAM, "cmp one.csv three.csv && cat a.csv b.csv | cmp - one.csv"),
        0);
}

/* Killed again and again, it goes on, and nothing shows. */
static void an_interrupted_study_goes_on(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", BALL);
    static const char study[] =
        "--set 'sweep.grid={contacts.restitution: {from: 0.5, to: 0.9, steps: 400}}' "
        "--set simulate.duration=50";
    char line[1024];
    snprintf(line, sizeof line, "s.yaml %s -o whole.csv", study);
    must(f, line);
    snprintf(line, sizeof line,
             "timeout -s KILL 0.05 $carom sweep s.yaml %s -j 1 -o parts.csv; "
             "for i in 1 2; do timeout -s KILL 0.05 $carom sweep s.yaml %s -j 1 -o parts.csv "
             "--resume; done; [ -e parts.csv ] || $carom sweep s.yaml %s -o parts.csv --resume; "
             "cmp whole.csv parts.csv",
             study, study, study);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, line), 0);
}

/* ---- What is told of failures ---------------------------------------------------------------- */

/* A stiffness that materials of one side alone do not give shows when three touch, after 1 s. */
static void a_motion_that_failed_says_so_in_its_row(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml",
             "materials: {steel: {young: 2e11, poisson: 0.3}}\n"
             "bodies:\n"
             "  - {name: a, radius: 1, mass: 1, position: [0], velocity: [1], material: steel}\n"
             "  - {name: b, radius: 1, mass: 1, position: [3]}\n"
             "  - {name: c, radius: 1, mass: 1, position: [5]}\n"
             "simulate: {duration: 0.5}\n"
             "sweep: {grid: {simulate.duration: [0.5, 5]}, record: [time, 'velocity[a vx]']}\n");
    assert_int_equal(run(f, "s.yaml"), 4);
    ASSERT_SAYS(f->out, "1,0.5,lzb,solved,0.5,1,\n");
    ASSERT_SAYS(f->out,
                "2,5,lzb,failed,1,1,\"failed at 1 s: the stiffness of the contact of a and b");
}

/* A point that is no scene is a failed row; a study none of whose points is one is refused. */
static void a_point_without_a_motion_says_so(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", BALL);
    assert_int_equal(run(f, "s.yaml --set 'sweep.grid={\"bodies[1].position\": [[0, 0], [0, 1]]}' "
                            "--set 'sweep.record=[time]'"),
                     4);
    ASSERT_SAYS(f->out, "1,\"[0, 0]\",lzb,failed,,");
    ASSERT_SAYS(f->out, "ball and floor overlap by 0.1");
    ASSERT_SAYS(f->out, "2,\"[0, 1]\",lzb,solved,5,\n");
    assert_int_equal(run(f, "s.yaml --set 'sweep.grid={simulate.duration: [0, -1]}'"), 3);
    ASSERT_SAYS(f->err, "simulate.duration[1] is 0; must be a time above 0");
}

static void unknown_quantities_are_refused(void **state)
{
    static const struct {
        const char *record, *words;
    } cases[] = {
        {"impact", "'impact' is not a quantity of a motion; did you mean 'impacts'?"},
        {"energy_ratio", "is not a quantity of a motion"},
        {"\"position[]\"", "must name an entry, such as position[1] or position[-1]"},
        {"\"position[3]\"", "'position[3]' is an entry that this system does not have"},
        {"\"position[ball z]\"", "is an entry that this system does not have"},
        {"max(time)", "is applied to a single number; write 'time'"},
        {"max(velocity", "must be max(LIST), such as max(velocity)"},
    };
    fixture *f = *state;
    put_file(f, "s.yaml", BALL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[256];
        snprintf(line, sizeof line, "s.yaml --set 'sweep.record=%s'", cases[i].record);
        assert_int_equal(run(f, line), 3);
        ASSERT_SAYS(f->err, cases[i].words);
    }
}

static void the_program_lists_the_fields(void **state)
{
    fixture *f = *state;
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom fields motion"), 0);
    ASSERT_SAYS(f->out, "  energy.lost: a number, in J\n");
    ASSERT_SAYS(f->out, "  position[i]: a number, in m; rad of an angle\n");
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom fields moton"), 2);
    ASSERT_SAYS(f->err, "did you mean 'motion'?");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_bouncing_ball_has_its_closed_forms), TEST(there_is_a_standard_record),
        TEST(laws_have_rows_of_their_own),          TEST(any_number_of_jobs_gives_the_same_bytes),
        TEST(an_interrupted_study_goes_on),         TEST(a_motion_that_failed_says_so_in_its_row),
        TEST(a_point_without_a_motion_says_so),     TEST(unknown_quantities_are_refused),
        TEST(the_program_lists_the_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
