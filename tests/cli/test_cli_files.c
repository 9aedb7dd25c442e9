/* What solve writes: outputs, histories, and nothing when it is stopped. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "program.h"
#include "read_json.h"
#include "support.h"

/* The solver's own tolerance, with room. */
static const double SOLVED = 1e-6;

static const char CRADLE[] = "laws: [lzb]\nchain: {count: 3, velocity: [1], restitution: 0.85}\n";

/* ---- Files --------------------------------------------------------------------------------- */

static void output_replaces_a_file_whole_or_not_at_all(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", CRADLE);
    put_file(f, "bad.yaml", "chain: {count: 0}");
    put_file(f, "out.json", "old");
    assert_int_equal(chmod(in_folder(f, "out.json"), 0640), 0);
    assert_int_equal(run_carom(f, "solve bad.yaml -f json -o out.json"), 3);
    char *text = get_file(f, "out.json");
    assert_string_equal(text, "old");
    free(text);
    assert_int_equal(run_carom(f, "solve c.yaml -f json -o out.json"), 0);
    assert_string_equal(f->out, "");
    text = get_file(f, "out.json");
    json_decref(parse(text));
    free(text);
    struct stat info;
    assert_int_equal(stat(in_folder(f, "out.json"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(count_files(f), 3); /* and no temporary */
}

static void output_through_a_link_keeps_the_link(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", CRADLE);
    put_file(f, "real.json", "old");
    assert_int_equal(symlink("real.json", in_folder(f, "link.json")), 0);
    assert_int_equal(run_carom(f, "solve c.yaml -f json -o link.json"), 0);
    struct stat info;
    assert_int_equal(lstat(in_folder(f, "link.json"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    char *text = get_file(f, "real.json");
    json_decref(parse(text));
    free(text);
}

/* The last row's velocities are those of the result. */
static void history_ends_in_the_result(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", CRADLE);
    assert_int_equal(run_carom(f, "solve c.yaml --history h.csv -f json"), 0);
    json_t *root = parse(f->out);
    char *text = get_file(f, "h.csv");
    assert_non_null(text);
    ASSERT_SAYS(text, "law,time,primary,primary_impulse,v[ball 1] (m/s),v[ball 2] (m/s),"
                      "v[ball 3] (m/s),force[ball 1 - ball 2] (K=1),force[ball 2 - ball 3] (K=1),");
    text[strlen(text) - 1] = '\0';
    const char *last = strrchr(text, '\n');
    assert_non_null(last);
    for (int commas = 0; commas < 4; last++) {
        commas += *last == ',';
    }
    double v[3];
    assert_int_equal(sscanf(last, "%lf,%lf,%lf", &v[0], &v[1], &v[2]), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_near(v[i], number_at(result_of(root, 0), "velocity", i), SOLVED);
    }
    json_decref(root);
    free(text);
}

static void history_keeps_to_the_interval(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", "chain: {count: 2, velocity: [1]}\nhistory: {interval: 0.5}\n");
    assert_int_equal(run_carom(f, "solve c.yaml --history h.csv"), 0);
    char *text = get_file(f, "h.csv");
    assert_non_null(text);
    int row = 0;
    double time = 0;
    for (char *line = strchr(text, '\n'); line[1] != '\0'; line = strchr(line + 1, '\n'), row++) {
        double before = time;
        assert_int_equal(sscanf(line + 1, "lzb,%lf", &time), 1);
        if (strchr(line + 1, '\n')[1] != '\0') {
            assert_near(time, 0.5 * row, 1e-9);
        } else { /* the end, whenever it is: the balls have changed places */
            assert_true(time > before);
            double v[2];
            assert_int_equal(sscanf(line + 1, "lzb,%*f,,,%lf,%lf", &v[0], &v[1]), 2);
            assert_near(v[0], 0, SOLVED);
            assert_near(v[1], 1, SOLVED);
        }
    }
    assert_true(row >= 4);
    free(text);
}

static void histories_can_be_of_a_part(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", CRADLE);
    assert_int_equal(run_carom(f, "solve c.yaml --history h.csv --set 'history.of=ball 3'"), 0);
    char *text = get_file(f, "h.csv");
    ASSERT_SAYS(text, "primary_impulse,v[ball 3] (m/s),force[ball 2 - ball 3] (K=1),energy[");
    assert_null(strstr(text, "ball 1"));
    free(text);
    assert_int_equal(run_carom(f, "solve c.yaml --history h.csv --set 'history.of=ball 4'"), 3);
    ASSERT_SAYS(f->err, "history.of: 'ball 4' names none of the 3 coordinates and 2 contacts");
}

static void an_interrupted_run_exits_130_and_leaves_nothing(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml",
             "laws: [{law: lzb, scheme: time-euler, step: 1e-13, max_steps: 1e14}]\n"
             "chain: {count: 3, velocity: [1]}\n");
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (chdir(f->folder) != 0) {
            _exit(99);
        }
        execl(CAROM_PROGRAM, "carom", "solve", "c.yaml", "-o", "out.txt", (char *)NULL);
        _exit(99);
    }
    for (int i = 0; i < 500 && count_files(f) < 2; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    assert_int_equal(count_files(f), 2); /* the temporary file is there */
    kill(child, SIGINT);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
    assert_int_equal(count_files(f), 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(output_replaces_a_file_whole_or_not_at_all),
        TEST(output_through_a_link_keeps_the_link),
        TEST(history_ends_in_the_result),
        TEST(history_keeps_to_the_interval),
        TEST(histories_can_be_of_a_part),
        TEST(an_interrupted_run_exits_130_and_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
