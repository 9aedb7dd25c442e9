/* What people get wrong, and whether they are told what they did: places in lists, walls the wrong
 * way round, matrices without a row, YAML by its looks, impacts without an end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"

static void expect(const char *text, const char *words)
{
    if (strstr(text, words) == NULL) {
        fail_msg("'%s' is not in:\n%s", words, text);
    }
}

static void expect_refusal(fixture *f, const char *command, int status, const char *words)
{
    int ended = shell_with(f, CAROM_PROGRAM, command);
    if (ended != status) {
        fail_msg("%s: exit status %d\n%s", command, ended, f->err);
    }
    expect(f->err, words);
}

static const char CHAIN[] = "laws: [moreau]\n"
                            "chain: {count: 3, velocity: [1], mass: [1, 2, 3]}\n";

/* Seen of people who have the README alone. */
static void what_was_typed_is_answered(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", "chain: {count: 3, velocity: [1], gap: 1e-6}\nsimulate: {duration: 1}\n");
    expect_refusal(f, "$carom solve c.yaml --set laws=[lzb] --set laws[1].stiffness_model=mono", 3,
                   "laws[1] is only a name; write --set 'laws=[{law: lzb, stiffness_model: ...}]'");
    expect_refusal(f, "$carom solve c.yaml --plot-of wave", 2, "--plot-of needs --plot FILE");
    expect_refusal(f, "$carom simulate c.yaml --set chain.gaps_close=true", 3,
                   "chain.gaps_close is for carom solve by the law compliant");
    put_file(f, "d.yaml", "chain: {count: 3, velocity: [1], restitution: 0,97}\n");
    expect_refusal(f, "$carom solve d.yaml", 3, "decimals are written with a point, as in 0.97");
    put_file(f, "q.yaml",
             "chain: {count: 3, velocity: [1]}\n"
             "fit:\n"
             "  measured:\n"
             "    - {what: velocity[1], value: 1}\n");
    expect_refusal(f, "$carom fit q.yaml", 3, "write quotes around 'velocity[1]'");
}

static void places_outside_a_list_name_the_range(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", CHAIN);
    expect_refusal(
        f, "$carom solve c.yaml --set chain.mass[5]=2", 3,
        "chain.mass has no entry '5'; entries go from 1 to 3 (or from -1, the last, to -3)");
    expect_refusal(f, "$carom solve c.yaml --set chain.mass[-4]=2", 3, "from 1 to 3");
    expect_refusal(f, "$carom solve c.yaml --set chain.mass[0]=2", 3, "from 1 to 3");
    expect_refusal(f, "$carom solve c.yaml --set laws[2].restitution=0", 3,
                   "laws has no entry '2'; its only entry is 1");
    put_file(f, "s.yaml",
             "chain: {count: 3, velocity: [1], mass: [1, 2, 3]}\n"
             "sweep: {grid: {'chain.mass[4]': [1, 2]}}\n");
    expect_refusal(f, "$carom sweep s.yaml", 3,
                   "s.yaml:2:16: chain.mass has no entry '4'; entries");
    put_file(f, "r.yaml",
             "chain: {count: 3, velocity: [1]}\n"
             "sweep: {grid: {chain.restitution: [1, 0.5]}, record: ['velocity[4]']}\n");
    expect_refusal(
        f, "$carom sweep r.yaml", 3,
        "'velocity[4]' is an entry that this system does not have; entries go from 1 to 3");
    put_file(
        f, "b.yaml",
        "bodies:\n"
        "  - {name: cue, shape: sphere, radius: 1, mass: 1, position: [0], velocity: [1]}\n"
        "  - {name: eight, shape: sphere, radius: 1, mass: 1, position: [2], velocity: [0]}\n");
    expect_refusal(f, "$carom solve b.yaml --set bodies[eigth].mass=2", 3,
                   "bodies has no entry 'eigth'; did you mean 'eight'?");
}

/* The last entry is -1 in --set, too. By Moreau's law with e = 1, v+ = 2 proj v- - v-, and masses
 * of 1, 2 and 6 are projected to 1/9 each.
 */
static void places_may_be_counted_from_the_end(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", CHAIN);
    assert_int_equal(
        shell_with(f, CAROM_PROGRAM, "$carom solve c.yaml --set chain.mass[-1]=6 --show velocity"),
        0);
    expect(f->out, "0.22222\n"); /* 2/9 */
}

static void a_wall_the_wrong_way_round_is_told(void **state)
{
    fixture *f = *state;
    put_file(f, "w.yaml",
             "bodies: [{shape: sphere, radius: 1, mass: 1, position: [0, 1], velocity: [0, -1]}]\n"
             "walls: [{name: floor, point: [0, 0], normal: [0, -1]}]\n");
    expect_refusal(f, "$carom solve w.yaml", 3,
                   "body 1 and floor overlap by 2: its centre is behind the wall; the wall's "
                   "normal must point towards the bodies");
    expect_refusal(f, "$carom check w.yaml", 3, "behind the wall");
    expect_refusal(f, "$carom simulate w.yaml --set simulate.duration=1", 3, "behind the wall");
    /* One that only sinks in is not behind it. */
    expect_refusal(
        f, "$carom solve w.yaml --set 'walls[1].normal=[0, 1]' --set 'bodies[1].position=[0, .5]'",
        3, "overlap by 0.5; bodies must touch");
}

static void a_matrix_is_blamed_for_its_own_rows(void **state)
{
    fixture *f = *state;
    put_file(f, "m.yaml",
             "system:\n"
             "  mass: [[1, 0, 0], [0, 1, 0]]\n"
             "  velocity: [1, 0, 0]\n"
             "  contacts: [{w: [-1, 1, 0]}]\n");
    expect_refusal(f, "$carom solve m.yaml", 3,
                   "m.yaml:2:9: system.mass has 2 rows of 3 entries; the matrix must have as many "
                   "rows as columns: a row is missing");
    expect_refusal(f, "$carom solve m.yaml --set 'system.mass=[[1, 0], [0, 1], [0, 0]]'", 3,
                   "has 3 rows of 2 entries; the matrix must have as many rows as columns: there "
                   "are too many rows");
    expect_refusal(f, "$carom solve m.yaml --set 'system.mass=[[1, 0, 0], [0, 1], [0, 0, 1]]'", 3,
                   "system.mass[2] has 2 entries; must have 3");
}

static void mistakes_in_yaml_have_hints(void **state)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"chain:\n\tcount: 3\n", "t.yaml:2:1: not valid YAML: "},
        {"chain:\n\tcount: 3\n", "; there is a tab before it; indent with spaces"},
        {"chain:\n  count:3\n  velocity: [1]\n",
         "; in line 2 write a space after the colon: 'count: 3'"},
        {"chain:\n  count = 3\n  velocity: [1]\n",
         "; in line 2 write a colon instead of '=': 'count: 3'"},
        {"chain:\n  count:3\n", "must be a mapping; write a space after the colon: 'count: 3'"},
        {"chain: {count=3, velocity: [1]}\n",
         "unknown field 'count=3' in chain; write a colon instead of '=': 'count: 3'"},
        {"chain: {count:3, velocity: [1]}\n",
         "unknown field 'count:3' in chain; write a space after the colon: 'count: 3'"},
        {"chain:\n  count: 3\n   velocity: [1]\n",
         "; it is indented further than line 2, which has a value already"},
        {"chain\n  count: 3\n", "; in line 1 write a colon after 'chain'"},
        {"chain:\n  count: 3\n  velocity: [1\n",
         "; the bracket of line 3, column 13 is not closed"},
    };
    fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_file(f, "t.yaml", cases[i].text);
        expect_refusal(f, "$carom check t.yaml", 3, cases[i].words);
    }
    /* Nothing is made up where nothing is known. */
    put_file(f, "t.yaml", "title: \"a\n");
    expect_refusal(f, "$carom check t.yaml", 3, "t.yaml:");
    assert_null(strstr(f->err, "; "));
}

static void what_is_not_there_is_not_offered(void **state)
{
    fixture *f = *state;
    expect_refusal(f, "$carom xyzzy", 2, "unknown command 'xyzzy'; 'carom help' lists them\n");
    expect_refusal(f, "$carom solve --xyzzyxyzzy a", 2,
                   "unknown option '--xyzzyxyzzy'; 'carom help solve' lists them\n");
}

/* ---- Ends ----------------------------------------------------------------------------------- */

/* Three equal balls with e = 0.05 have z > 1: the collisions never end (Towne and Hadlock). */
static const char ENDLESS[] =
    "laws: [binary, {law: binary, label: few, max_collisions: 3}]\n"
    "chain: {count: 3, velocity: [1], restitution: 0.05}\n"
    "sweep: {grid: {chain.restitution: [0.05, 0.5, 1.5]}, record: [closing_left]}\n";

static void a_tail_is_no_broken_run(void **state)
{
    fixture *f = *state;
    put_file(f, "e.yaml", ENDLESS);
    expect_refusal(f, "$carom solve e.yaml", 4,
                   "law binary did not terminate (not_terminated): after ");
    expect(f->out,
           "  binary    FAILED: an infinite tail of ever smaller motion, cut off where it is\n");
    expect(f->out, "  few       FAILED: stopped early (the state reached is given);");
    assert_null(strstr(f->err, "gave no answer"));
    /* What is left of the tail is no motion: the three balls go on together, at 1/3 each. */
    expect(f->out, "  3 of 3 ");
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom solve e.yaml -q -f csv --law binary"), 4);
    expect(f->out, ",closing_left,");
}

/* An elastic ball between two walls never ends. Where it has just turned round it hardly moves, but
 * its energy is all in the contact.
 */
static void a_contact_that_holds_energy_is_no_tail(void **state)
{
    fixture *f = *state;
    put_file(f, "b.yaml",
             "bodies: [{radius: 0.5, mass: 1, position: [0.5, 0], velocity: [1, 0]}]\n"
             "walls: [{point: [0, 0], normal: [1, 0]}, {point: [1, 0], normal: [-1, 0]}]\n");
    for (int steps = 10; steps < 40; steps++) {
        char command[256];
        snprintf(command, sizeof command,
                 "$carom solve b.yaml -q --set 'laws=[{law: lzb, max_steps: %d}]'", steps);
        assert_int_equal(shell_with(f, CAROM_PROGRAM, command), 4);
        expect(f->out, "FAILED: stopped early");
    }
}

/* Of the three restitutions one cannot be, at one the collisions end. */
static void rows_without_an_end_are_not_rows_without_an_answer(void **state)
{
    fixture *f = *state;
    put_file(f, "e.yaml", ENDLESS);
    expect_refusal(f, "$carom sweep e.yaml", 4, "2 of 6 rows have no answer; the column 'reason'");
    expect(f->err, "2 of 6 rows hold the state reached by a law that did not terminate");
    expect_refusal(f, "$carom sweep e.yaml --set 'sweep.grid={chain.restitution: [0.05]}'", 4,
                   "2 of 2 rows hold the state reached");
    assert_null(strstr(f->err, "no answer"));
    /* The journal knows, too. */
    expect_refusal(f, "$carom sweep e.yaml -o t.csv", 4, "2 of 6 rows hold the state reached");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(places_outside_a_list_name_the_range),
        TEST(what_was_typed_is_answered),
        TEST(places_may_be_counted_from_the_end),
        TEST(a_wall_the_wrong_way_round_is_told),
        TEST(a_matrix_is_blamed_for_its_own_rows),
        TEST(mistakes_in_yaml_have_hints),
        TEST(what_is_not_there_is_not_offered),
        TEST(a_tail_is_no_broken_run),
        TEST(a_contact_that_holds_energy_is_no_tail),
        TEST(rows_without_an_end_are_not_rows_without_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
