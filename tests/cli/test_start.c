/* What a newcomer starts from: examples, and a commented scenario of each kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"

static int run(fixture *f, const char *command)
{
    return shell_with(f, CAROM_PROGRAM, command);
}

static void every_kind_works_as_it_is(void **state)
{
    fixture *f = *state;
    static const char *const kinds[][2] = {{"chain", "solve"},       {"bodies", "solve"},
                                           {"packing", "solve"},     {"system", "solve"},
                                           {"simulate", "simulate"}, {"sweep", "sweep"}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        char command[256];
        snprintf(
            command, sizeof command,
            "rm -f s.yaml; $carom init %s -o s.yaml && $carom %s s.yaml > answer && test -s answer",
            kinds[i][0], kinds[i][1]);
        if (run(f, command) != 0) {
            fail_msg("%s: %s", kinds[i][0], f->err);
        }
        assert_string_equal(f->err, "");
    }
}

/* The list names every file, and says what it is for. */
static void every_example_is_listed(void **state)
{
    fixture *f = *state;
    assert_int_equal(run(f, "$carom examples > list && ls " CAROM_SOURCE_DIR
                            "/examples/*.yaml | wc -l && grep -c '^  [a-z]' list"),
                     0);
    size_t files, rows;
    assert_int_equal(sscanf(f->out, "%zu %zu", &files, &rows), 2);
    assert_int_equal(files, rows);
    assert_int_equal(run(f, "grep -E '^  cradle_swings +simulate +Newton' list && "
                            "grep -E '^  sweep_chain +sweep ' list && "
                            "grep -E '^  three_balls +solve ' list && "
                            "grep -E '^  fit_rebound +fit +Restitution' list && "
                            "grep -E '^  design_protector +design +Twenty' list && "
                            "grep -E '^  sensitivity_balls +sensitivity +Tennis' list"),
                     0);
}

static void an_example_is_given_byte_by_byte(void **state)
{
    fixture *f = *state;
    assert_int_equal(
        run(f, "$carom examples bernoulli | cmp - " CAROM_SOURCE_DIR "/examples/bernoulli.yaml"),
        0);
}

static void a_file_that_is_there_stays(void **state)
{
    fixture *f = *state;
    put_file(f, "mine.yaml", "my work\n");
    assert_int_equal(run(f, "$carom init chain -o mine.yaml"), 2);
    assert_non_null(strstr(f->err, "mine.yaml already exists"));
    assert_int_equal(run(f, "$carom examples three_balls -o mine.yaml"), 2);
    assert_int_equal(run(f, "cat mine.yaml"), 0);
    assert_string_equal(f->out, "my work\n");
}

/* No path leads out of the folder. */
static void what_is_not_there_is_refused_with_the_nearest(void **state)
{
    fixture *f = *state;
    assert_int_equal(run(f, "$carom examples three_bals"), 2);
    assert_non_null(strstr(f->err, "did you mean 'three_balls'?"));
    assert_int_equal(run(f, "$carom init chian"), 2);
    assert_non_null(strstr(f->err, "did you mean 'chain'?"));
    static const char *const words[] = {"../examples/bernoulli", "/etc/passwd", "start/chain", "''",
                                        "a_name_that_is_far_too_long_for_any_example_that_there_"
                                        "might_ever_be_in_a_folder"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char command[256];
        snprintf(command, sizeof command, "$carom examples %s", words[i]);
        assert_int_equal(run(f, command), 2);
        assert_string_equal(f->out, "");
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(every_kind_works_as_it_is),
        TEST(every_example_is_listed),
        TEST(an_example_is_given_byte_by_byte),
        TEST(a_file_that_is_there_stays),
        TEST(what_is_not_there_is_refused_with_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
