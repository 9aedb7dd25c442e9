/* Files when the program is ended in the middle of its work: the old ones stay, no temporary does,
 * and a study goes on to the same table.
 */
#include <errno.h>
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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "program.h"

/* None of them ends by itself in the time that it is given. */
static const char IMPACT[] =
    "laws: [{law: lzb, scheme: time-euler, step: 1e-13, max_steps: 1e14}]\n"
    "chain: {count: 3, velocity: [1]}\n";
static const char MOTION[] = "bodies:\n"
                             "  - {name: a, radius: 0.1, mass: 1, position: [0, 0], velocity: "
                             "[1, 0.3]}\n"
                             "  - {name: b, radius: 0.1, mass: 1, position: [0.5, 0.1]}\n"
                             "walls:\n"
                             "  - {point: [-1, 0], normal: [1, 0]}\n"
                             "  - {point: [1, 0], normal: [-1, 0]}\n"
                             "  - {point: [0, -1], normal: [0, 1]}\n"
                             "  - {point: [0, 1], normal: [0, -1]}\n"
                             "simulate: {duration: 1e9, output_every: 0.01}\n";
static const char STUDY[] = "laws: [moreau]\nchain: {count: 3, velocity: [1]}\n"
                            "sweep:\n"
                            "  grid: {chain.restitution: {from: 0, to: 1, steps: 100}}\n"
                            "  sample: {points: 10000, of: {chain.mass: {normal: [1, 0.1]}}}\n";

static const struct work {
    const char *arguments[12];
    const char *left; /* what the folder may hold then */
    bool keeps;       /* after the first SIGINT it writes what it has */
} works[] = {
    {{"solve", "c.yaml", "-o", "x.json", "--history", "y.csv"}, "x.json y.csv", false},
#ifdef CAROM_HAVE_HDF5
    {{"solve", "c.yaml", "-o", "x.json", "--history", "y.h5"}, "x.json y.h5", false},
#endif
    {{"simulate", "m.yaml", "-o", "x.json", "--history", "y.csv", "--impacts", "z.csv"},
     "x.json y.csv z.csv",
     true},
    {{"sweep", "s.yaml", "-q", "-o", "x.csv"}, "x.csv x.csv.part", false},
    {{"reproduce", "all", "-o", "x.md"}, "x.md", false},
};

enum { WORKS = sizeof works / sizeof works[0] };

static const int signals[] = {
    SIGHUP,  SIGINT, SIGTERM, SIGPIPE, SIGQUIT, SIGALRM, SIGUSR1, SIGXCPU, SIGABRT,
#ifndef __SANITIZE_ADDRESS__ /* which has other plans for it */
    SIGSEGV,
#endif
};

enum { SIGNALS = sizeof signals / sizeof signals[0] };

/* ---- Running -------------------------------------------------------------------------------- */

/* Returns when the program itself runs: the pipe is closed by then, and signals are no longer those
 * of this one.
 */
static pid_t start(const fixture *f, const struct work *work)
{
    int gate[2];
    char none;
    assert_int_equal(pipe(gate), 0);
    pid_t child = fork();
    if (child == 0) {
        fcntl(gate[1], F_SETFD, FD_CLOEXEC);
        for (size_t i = 0; i < SIGNALS; i++) { /* a shell has what runs behind it ignore some */
            signal(signals[i], SIG_DFL);
        }
        const char *words[16] = {CAROM_PROGRAM};
        memcpy(words + 1, work->arguments, sizeof work->arguments);
        int nothing = open("/dev/null", O_RDWR);
        if (chdir(f->folder) == 0 && dup2(nothing, 1) == 1 && dup2(nothing, 2) == 2) {
            execv(CAROM_PROGRAM, (char *const *)words);
        }
        _exit(127);
    }
    assert_true(child > 0);
    close(gate[1]);
    assert_int_equal(read(gate[0], &none, 1), 0);
    close(gate[0]);
    return child;
}

static void wait_for(double seconds)
{
    struct timespec time = {.tv_nsec = (long)(1e9 * seconds)};
    while (nanosleep(&time, &time) != 0 && errno == EINTR) {
    }
}

/* The status as a shell tells it. */
static int end(pid_t child, int signal_number)
{
    int status;
    kill(child, signal_number);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void lay_out(fixture *f)
{
    put_file(f, "c.yaml", IMPACT);
    put_file(f, "m.yaml", MOTION);
    put_file(f, "s.yaml", STUDY);
    static const char *const old[] = {"x.json", "x.csv", "x.md", "y.csv", "y.h5", "z.csv"};
    for (size_t i = 0; i < sizeof old / sizeof old[0]; i++) {
        put_file(f, old[i], "old\n");
    }
}

static void check_folder(fixture *f, const struct work *work, bool written, const char *how)
{
    static const char *const all[] = {"x.json", "x.csv", "x.md", "y.csv", "y.h5", "z.csv"};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char *text = get_file(f, all[i]);
        assert_non_null(text);
        if (strcmp(text, "old\n") != 0 && !(written && strstr(work->left, all[i]) != NULL)) {
            fail_msg("%s %s: %s is not the old one", work->arguments[0], how, all[i]);
        }
        free(text);
    }
    assert_int_equal(shell_with(f, CAROM_PROGRAM,
                                "ls -A | grep -v '^[xyz][.][a-z0-9]*$' | grep -v '^[cms].yaml$' | "
                                "grep -v '^x.csv.part$' | grep -v '^.out$' | grep -v '^.err$'"),
                     1);
    if (f->out[0] != '\0') {
        fail_msg("%s %s leaves %s", work->arguments[0], how, f->out);
    }
}

/* ---- The tests ------------------------------------------------------------------------------ */

/* At moments drawn at random, from before the first file is opened to the midst of the work. */
static void old_files_stay_and_temporaries_do_not(void **state)
{
    fixture *f = *state;
    const char *kills = getenv("CAROM_TEST_KILLS"); /* for a long run by hand */
    size_t count = kills != NULL                        ? strtoul(kills, NULL, 10)
                   : getenv("CAROM_TEST_QUICK") != NULL ? 2 * SIGNALS
                                                        : 2 * WORKS * SIGNALS;
    srand((unsigned)time(NULL));
    for (size_t k = 0; k < count; k++) {
        const struct work *work = &works[k % WORKS];
        int signal_number = signals[(k + k / SIGNALS) % SIGNALS];
        double delay = 0.08 * rand() / RAND_MAX;
        char how[64];
        snprintf(how, sizeof how, "ended by signal %d after %.4f s", signal_number, delay);
        lay_out(f);
        pid_t child = start(f, work);
        wait_for(delay);
        int status = end(child, signal_number);
        bool caught = signal_number == SIGINT || signal_number == SIGTERM;
        bool written = work->keeps && caught && status == 128 + signal_number;
        if (status != 128 + signal_number) {
            fail_msg("%s %s: exit %d", work->arguments[0], how, status);
        }
        check_folder(f, work, written, how);
        remove(in_folder(f, "x.csv.part"));
    }
}

/* SIGKILL cannot be caught: whatever the moment, a study goes on to the same bytes. */
static void a_study_that_was_ended_often_gives_the_same_table(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", STUDY);
    static const char finish[] = "$carom sweep s.yaml -q --set sweep.sample.points=100";
    static const struct work part = {
        {"sweep", "s.yaml", "-q", "--set", "sweep.sample.points=100", "--resume", "-o", "k.csv"},
        NULL,
        false};
    static const int hard[] = {SIGKILL, SIGTERM, SIGHUP, SIGKILL, SIGINT, SIGPIPE};
    for (int k = 0; k < 12; k++) {
        pid_t child = start(f, &part);
        wait_for(0.03 * rand() / RAND_MAX);
        end(child, hard[k % 6]);
    }
    char command[512];
    snprintf(command, sizeof command,
             "%s --resume -o k.csv && %s -o whole.csv && cmp k.csv whole.csv && ! ls *.part",
             finish, finish);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, command), 0);
}

/* Whoever reads has seen enough. */
static void a_pipe_that_closes_ends_the_program_quietly(void **state)
{
    fixture *f = *state;
    lay_out(f);
    assert_int_equal(shell_with(f, CAROM_PROGRAM,
                                "for i in 1 2 3; do $carom simulate m.yaml --set "
                                "simulate.duration=20 --history y.csv -f json -o p.json | head -1; "
                                "$carom reproduce | head -1 >/dev/null; done; "
                                "ls -A | grep -c carom"),
                     1);
    assert_string_equal(f->err, "");
}

/* nohup: the signal stays ignored. */
static void what_is_ignored_stays_ignored(void **state)
{
    fixture *f = *state;
    lay_out(f);
    assert_int_equal(shell_with(f, CAROM_PROGRAM,
                                "trap '' HUP; $carom simulate m.yaml -q --set simulate.duration=50 "
                                "--history y.csv -o x.json & kill -HUP $!; kill -HUP $!; wait $!"),
                     0);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "grep -q old y.csv x.json"), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(old_files_stay_and_temporaries_do_not),
        TEST(a_study_that_was_ended_often_gives_the_same_table),
        TEST(a_pipe_that_closes_ends_the_program_quietly),
        TEST(what_is_ignored_stays_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
