/* What solve, simulate or sweep would refuse, check refuses, in the same words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"

#define BALL  "bodies: [{radius: 1, mass: 1, position: [0, 2], velocity: [0, 0]}]\n"
#define SWEPT "chain: {count: 3, velocity: [1]}\n"

static const struct {
    const char *command, *text;
} refused[] = {
    {"solve", "laws: [moreau]\nchain: {count: 3, velocity: [1], restitution: [0.5, 1]}\n"},
    {"solve", "laws: [impulse-ratio]\nchain: {count: 3, velocity: [1]}\n"},
    {"solve", "laws: [{law: generalized-newton, restitution_matrix: [[1]]}]\nchain: {count: 3}\n"},
    {"simulate", BALL "simulate: {duration: 0}\n"},
    {"simulate", BALL "simulate: {duration: 1}\n"}, /* nothing moves */
    {"simulate", BALL "simulate: {duration: 1, gravity: [0, -1, 0]}\n"},
    {"sweep", SWEPT "sweep: {grid: {chain.restitutoin: [0.5]}}\n"},
    {"sweep", SWEPT "sweep: {grid: {chain.restitution: {from: 0, to: 1, steps: 1}}}\n"},
    {"sweep", SWEPT "sweep: {grid: {chain.restitution: [1]}, record: [velocty]}\n"},
};

static void what_a_command_refuses_check_refuses(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char command[64];
        put_file(f, "s.yaml", refused[i].text);
        snprintf(command, sizeof command, "$carom %s s.yaml", refused[i].command);
        assert_int_equal(shell_with(f, CAROM_PROGRAM, command), 3);
        char *said = strdup(f->err);
        assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom check s.yaml"), 3);
        assert_string_equal(f->err, said);
        assert_string_equal(f->out, "");
        free(said);
    }
}

static void all_laws_that_do_not_fit_are_told(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml",
             "laws: [lzb, moreau, impulse-ratio]\n"
             "chain: {count: 3, velocity: [1], restitution: [0.5, 1]}\n");
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom check s.yaml"), 4);
    assert_non_null(strstr(f->err, "s.yaml:1:13: laws[2]"));
    assert_non_null(strstr(f->err, "s.yaml:1:21: laws[3]"));
    /* lzb goes on, and the others say why they do not */
    assert_non_null(strstr(f->out, "\n  lzb: "));
    assert_non_null(strstr(f->out, "\n  moreau: answers one; restitution: kinematic\n      does not apply: "));
    assert_non_null(strstr(f->out, "rank of D: 2 of 2"));
}

static void motions_and_studies_are_told(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", BALL "simulate: {duration: 2, gravity: [0, -9.81]}\n");
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom check s.yaml"), 0);
    assert_non_null(strstr(f->out, "simulate: 2 s of 1 body, event-driven"));
    put_file(f, "s.yaml", SWEPT "sweep: {grid: {chain.restitution: [0.5, 1]}}\n");
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom check - < s.yaml"), 0);
    assert_non_null(strstr(f->out, "sweep: 2 points by 1 law\n  over   chain.restitution\n"));
}

/* A scenario for motions alone, with strings, is no impact, and no fault. */
static void what_only_moves_is_fine(void **state)
{
    fixture *f = *state;
    assert_int_equal(shell_with(f, CAROM_PROGRAM,
                                "$carom check " CAROM_SOURCE_DIR "/examples/cradle_swings.yaml"),
                     0);
    assert_string_equal(f->err, "");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(what_a_command_refuses_check_refuses),
        TEST(all_laws_that_do_not_fit_are_told),
        TEST(motions_and_studies_are_told),
        TEST(what_only_moves_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
