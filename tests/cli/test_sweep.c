/* `carom sweep` as people and scripts use it: the table, and what an accident leaves of it. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "program.h"

/* Points that fail, a label that needs quotes, two laws: 4 x 3 points, 24 rows. */
static const char SMALL[] = "laws: [moreau, {law: binary, label: \"a, b\"}]\n"
                            "chain: {count: 3, velocity: [1]}\n"
                            "sweep:\n"
                            "  grid:\n"
                            "    chain.restitution: {from: 0.25, to: 1.75, steps: 4}\n"
                            "    chain.exponent: [1, 1.5, 2]\n"
                            "  record: [energy_ratio, \"velocity[-1]\", max(peak_force)]\n";

/* Enough work that it can be interrupted, little enough to be repeated: 10 000 points. */
static const char LARGE[] = "laws: [moreau]\n"
                            "chain: {count: 3, velocity: [1]}\n"
                            "sweep:\n"
                            "  grid: {chain.restitution: {from: 0, to: 1, steps: 100}}\n"
                            "  sample: {points: 100, of: {chain.mass: {normal: [1, 0.1]}}}\n";

/* ---- Running -------------------------------------------------------------------------------- */

/* A shell command in the folder; $carom is the program. The exit status. */
static int shell(fixture *f, const char *text)
{
    return shell_with(f, CAROM_PROGRAM, text);
}

static void assert_same_files(fixture *f, const char *a, const char *b)
{
    char command[256];
    snprintf(command, sizeof command, "cmp %s %s", a, b);
    if (shell(f, command) != 0) {
        fail_msg("%s%s", f->out, f->err);
    }
}

static void assert_holds(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("'%s' is not in:\n%s", part, text);
    }
}

/* ---- The table ------------------------------------------------------------------------------ */

/* Point 2, Moreau with e = 1/4: v = v- + (1 + e)/2 * ... leaves (1 + e)/3 for the last ball, and
 * the energy 1/3 + 2/3 e^2 of what came.
 */
static void table_has_the_columns_and_rows_in_order(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", SMALL);
    assert_int_equal(shell(f, "$carom sweep s.yaml"), 4);
    assert_holds(f->err, "12 of 24 rows have no answer");
    char *save = NULL, *line = strtok_r(f->out, "\n", &save);
    assert_string_equal(line, "point,chain.restitution,chain.exponent,law,status,energy_ratio,"
                              "velocity[-1],max(peak_force),reason");
    for (unsigned row = 0; row < 24; row++) {
        static const char *const laws[] = {"moreau", "\"a, b\""};
        static const char *const eta[] = {"1", "1.5", "2"};
        static const char *const e[] = {"0.25", "0.75", "1.25", "1.75"};
        char beginning[128];
        unsigned point = row / 2;
        line = strtok_r(NULL, "\n", &save);
        assert_non_null(line);
        snprintf(beginning, sizeof beginning, "%u,%s,%s,%s,%s,", point + 1, e[point / 3],
                 eta[point % 3], laws[row % 2], point < 6 ? "solved" : "failed");
        assert_memory_equal(line, beginning, strlen(beginning));
        double ratio, last;
        if (row % 2 == 0 && point < 6) {
            double restitution = strtod(e[point / 3], NULL);
            assert_int_equal(sscanf(line + strlen(beginning), "%lf,%lf,,", &ratio, &last), 2);
            assert_true(last - (1 + restitution) / 3 < 1e-15 &&
                        (1 + restitution) / 3 - last < 1e-15);
            double expected = 1.0 / 3 + 2.0 / 3 * restitution * restitution;
            assert_true(ratio - expected < 1e-15 && expected - ratio < 1e-15);
        }
        if (point >= 6) {
            assert_holds(line, ",,,\"chain.restitution: restitution is 1.");
        }
    }
    assert_null(strtok_r(NULL, "\n", &save));
}

static void jobs_shards_and_files_give_the_same_bytes(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", SMALL);
    assert_int_equal(shell(f, "$carom sweep s.yaml --jobs 1 >one"), 4);
    assert_int_equal(shell(f, "$carom sweep s.yaml --jobs 3 -o three.csv"), 4);
    assert_same_files(f, "one", "three.csv");
    assert_int_equal(shell(f, "cat s.yaml | $carom sweep - -q >four"), 4);
    assert_same_files(f, "one", "four");
    shell(f, "for i in 1 2 3 4 5; do $carom sweep s.yaml --shard $i/5 -o p$i.csv; done; "
             "cat p1.csv p2.csv p3.csv p4.csv p5.csv >joined");
    assert_same_files(f, "one", "joined");
    shell(f, "for i in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15; do "
             "$carom sweep s.yaml --shard $i/15; done >more");
    assert_same_files(f, "one", "more");
    assert_false(is_there(f, "three.csv.part"));
}

static void options_reach_every_point(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", SMALL);
    assert_int_equal(shell(f, "$carom sweep s.yaml --law moreau --set chain.count=2 "
                              "--set 'sweep.grid[chain.restitution]=[0.5]' "
                              "--set 'sweep.grid[chain.exponent]=1.5'"),
                     0);
    /* Two balls, e = 1/2. */
    assert_holds(f->out, "\n1,0.5,1.5,moreau,solved,0.625,0.75,,\n");
    assert_string_equal(f->err, "");
}

static void mistakes_end_the_study_before_it_begins(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", SMALL);
    put_file(f, "none.yaml", "chain: {count: 2, velocity: [1]}\n");
    assert_int_equal(shell(f, "$carom sweep none.yaml"), 3);
    assert_holds(f->err, "none.yaml: scenario has no field 'sweep'");
    assert_int_equal(shell(f, "$carom sweep s.yaml --set sweep.record=[enery_ratio]"), 3);
    assert_holds(f->err, "did you mean 'energy_ratio'?");
    assert_int_equal(shell(f, "$carom sweep s.yaml --law moro"), 2);
    assert_int_equal(shell(f, "$carom sweep s.yaml --resume"), 2);
    assert_int_equal(shell(f, "$carom sweep s.yaml --shard 3/2"), 2);
    assert_holds(f->err, "--shard is '3/2'; must be I/N");
    assert_int_equal(shell(f, "$carom sweep s.yaml -o nowhere/x.csv"), 5);
    assert_string_equal(f->out, "");
}

/* ---- Accidents ------------------------------------------------------------------------------ */

static pid_t start(const fixture *f, const char *name)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);
        if (chdir(f->folder) != 0 || dup2(null, STDERR_FILENO) < 0) {
            _exit(127);
        }
        execl(CAROM_PROGRAM, "carom", "sweep", "s.yaml", "--jobs", "2", "--resume", "-o", name,
              (char *)NULL);
        _exit(127);
    }
    return child;
}

static void wait_milliseconds(unsigned count)
{
    struct timespec time = {.tv_sec = count / 1000, .tv_nsec = (long)(count % 1000) * 1000000};
    nanosleep(&time, NULL);
}

static double seconds_for(fixture *f, const char *command)
{
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    assert_int_equal(shell(f, command), 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    return (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
}

/* Killed at random moments until it was killed twenty times; what it completed in between was
 * right, and is begun anew.
 */
static void a_killed_study_goes_on_to_the_same_bytes(void **state)
{
    enum { KILLS = 20, TRIES = 400 };
    fixture *f = *state;
    put_file(f, "s.yaml", LARGE);
    double whole = seconds_for(f, "$carom sweep s.yaml -o whole.csv");
    unsigned most = (unsigned)(1000 * whole / 3) + 10, kills = 0, kept = 0;
    srand(20);
    for (unsigned i = 0; i < TRIES && kills < KILLS; i++) {
        pid_t child = start(f, "k.csv");
        wait_milliseconds((unsigned)rand() % most);
        kill(child, SIGKILL);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (WIFSIGNALED(status)) {
            kills++;
            kept += is_there(f, "k.csv.part");
        } else {
            assert_int_equal(WEXITSTATUS(status), 0);
            assert_same_files(f, "k.csv", "whole.csv");
            remove(in_folder(f, "k.csv"));
        }
    }
    assert_int_equal(kills, KILLS);
    assert_true(kept > 0); /* or nothing was tested */
    assert_int_equal(shell(f, "$carom sweep s.yaml --resume -o k.csv"), 0);
    assert_same_files(f, "k.csv", "whole.csv");
    assert_false(is_there(f, "k.csv.part"));
}

/* The whole journal of s.yaml, which x.csv has when it is done: by another name it stays. */
static void keep_journal(fixture *f)
{
    assert_int_equal(shell(f, "touch x.csv.part && ln x.csv.part journal && "
                              "$carom sweep s.yaml -q -o x.csv"),
                     4);
}

/* Wherever the journal was cut, or what a failing disk put at its end. */
static void a_damaged_journal_is_used_as_far_as_it_is_whole(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", SMALL);
    assert_int_equal(shell(f, "$carom sweep s.yaml -q -o whole.csv"), 4);
    keep_journal(f);
    struct stat info;
    assert_int_equal(stat(in_folder(f, "journal"), &info), 0);
    for (long size = 0; size <= (long)info.st_size; size += 211) {
        char command[256];
        snprintf(command, sizeof command,
                 "rm -f x.csv; head -c %ld journal >x.csv.part; "
                 "head -c 50 /dev/zero >>x.csv.part; $carom sweep s.yaml -q --resume -o x.csv",
                 size);
        /* With nothing of its heading left it may be anybody's file. */
        int status = shell(f, command);
        if (status == 2) {
            assert_true(size < 64);
            continue;
        }
        assert_int_equal(status, 4);
        assert_same_files(f, "x.csv", "whole.csv");
    }
    /* A record that claims to be longer than the file. */
    assert_int_equal(shell(f, "rm -f x.csv; cp journal x.csv.part; "
                              "echo @0 9999999999999 0 0123456789abcdef >>x.csv.part; "
                              "$carom sweep s.yaml -q --resume -o x.csv"),
                     4);
    assert_same_files(f, "x.csv", "whole.csv");
}

static void work_that_is_done_is_not_overwritten(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", SMALL);
    keep_journal(f);
    assert_int_equal(shell(f, "rm x.csv; cp journal x.csv.part; $carom sweep s.yaml -q -o x.csv"),
                     2);
    assert_holds(f->err, "x.csv.part holds the finished points of an interrupted study; continue "
                         "it with --resume, or remove it");
    assert_int_equal(shell(f, "$carom sweep s.yaml -q -o x.csv --resume --law moreau"), 2);
    assert_holds(f->err, "x.csv.part belongs to another study");
    assert_int_equal(shell(f, "$carom sweep s.yaml -q -o x.csv --resume"), 4);
    assert_int_equal(shell(f, "$carom sweep s.yaml -o x.csv --resume"), 0);
    assert_holds(f->err, "x.csv is complete; nothing is left to resume");
}

/* A file may have 20 kB: the journal of the large study does not fit. */
static void a_full_disk_keeps_what_is_done(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", LARGE);
    put_file(f, "x.csv", "earlier results\n");
    assert_int_equal(shell(f, "ulimit -f 20; $carom sweep s.yaml -o x.csv"), 5);
    assert_holds(
        f->err,
        "x.csv.part could not be written: File too large; finished points are kept for --resume");
    char *earlier = get_file(f, "x.csv");
    assert_string_equal(earlier, "earlier results\n");
    free(earlier);
    assert_true(is_there(f, "x.csv.part"));
    assert_int_equal(shell(f, "$carom sweep s.yaml -o x.csv --resume"), 0);
    assert_int_equal(shell(f, "$carom sweep s.yaml -o whole.csv"), 0);
    assert_same_files(f, "x.csv", "whole.csv");
    assert_int_equal(shell(f, "$carom sweep s.yaml -o /dev/full"), 5);
    assert_int_equal(shell(f, "$carom sweep s.yaml >/dev/full"), 5);
}

static void an_interrupted_study_leaves_its_journal(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", LARGE);
    /* Long enough to be interrupted on any machine. */
    assert_int_equal(shell(f, "$carom sweep s.yaml --set sweep.sample.points=100000 -q -o x.csv & "
                              "sleep 0.3; kill -INT $!; wait $!"),
                     130);
    assert_holds(f->err, "carom: interrupted; finished points are kept, continue with --resume");
    assert_true(is_there(f, "x.csv.part"));
    assert_false(is_there(f, "x.csv"));
}

/* ---- Several ranks -------------------------------------------------------------------------- */

static void ranks_write_the_same_file(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", SMALL);
    put_file(f, "large.yaml", LARGE);
    if (CAROM_HAVE_MPI == 0 || shell(f, "command -v mpirun") != 0) {
        print_message("skipped: no mpirun\n");
        skip();
    }
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    setenv("OMPI_MCA_btl", "self,vader", 1);
    /* MPI's own allocations live as long as the program. */
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    assert_int_equal(shell(f, "$carom sweep s.yaml -q -o one.csv"), 4);
    assert_int_equal(shell(f, "mpirun -n 2 $carom sweep s.yaml -q -o two.csv"), 4);
    assert_same_files(f, "one.csv", "two.csv");
    assert_int_equal(shell(f, "$carom sweep large.yaml -q >one"), 0);
    assert_int_equal(shell(f, "cat large.yaml | mpirun -n 3 $carom sweep - -q --jobs 1 >two"), 0);
    assert_same_files(f, "one", "two");
    /* A mistake is told once. */
    assert_int_equal(shell(f, "mpirun -n 2 $carom sweep s.yaml --set chain.cuont=2"), 3);
    const char *first = strstr(f->err, "unknown field");
    assert_non_null(first);
    assert_null(strstr(first + 1, "unknown field"));
}

int main(void)
{
#define PROGRAM_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        PROGRAM_TEST(table_has_the_columns_and_rows_in_order),
        PROGRAM_TEST(jobs_shards_and_files_give_the_same_bytes),
        PROGRAM_TEST(options_reach_every_point),
        PROGRAM_TEST(mistakes_end_the_study_before_it_begins),
        PROGRAM_TEST(a_killed_study_goes_on_to_the_same_bytes),
        PROGRAM_TEST(a_damaged_journal_is_used_as_far_as_it_is_whole),
        PROGRAM_TEST(work_that_is_done_is_not_overwritten),
        PROGRAM_TEST(a_full_disk_keeps_what_is_done),
        PROGRAM_TEST(an_interrupted_study_leaves_its_journal),
        PROGRAM_TEST(ranks_write_the_same_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
