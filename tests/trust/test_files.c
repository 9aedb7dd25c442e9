/* Files: what the program writes appears whole or not at all, and nothing else is touched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "program.h"

#define CLAIM  "{quantity: 'velocity[2]', value: 1}, "
#define CLAIMS CLAIM CLAIM CLAIM CLAIM CLAIM CLAIM
#define ITEM                                                                                       \
    "name: i\nsource: a\ntitle: b\n"                                                               \
    "scenario: {laws: [newton], chain: {count: 2, velocity: [1]}}\n"                               \
    "published: [" CLAIMS CLAIMS CLAIMS "]\n"

/* Results of over 1024 bytes each, from little work. */
static const struct {
    const char *name, *text;
} inputs[] = {
    {"c.yaml", "laws: [lzb]\nchain: {count: 40, velocity: [1], restitution: 0.85}\n"
               "history: {interval: 0.1}\n"},
    {"m.yaml", "bodies: [{name: ball, radius: 0.1, mass: 1, position: [0, 1.1]}]\n"
               "walls: [{name: floor, point: [0, 0], normal: [0, 1]}]\n"
               "contacts: {restitution: 0.9}\n"
               "simulate: {duration: 5, gravity: [0, -9.81], output_every: 0.01}\n"},
    {"s.yaml", "laws: [moreau]\nchain: {count: 3, velocity: [1]}\n"
               "sweep: {grid: {chain.restitution: {from: 0, to: 1, steps: 40}}}\n"},
    {"i.yaml", ITEM},
};

#ifdef CAROM_HAVE_HDF5
#define WITH_HDF5(...) __VA_ARGS__
#else
#define WITH_HDF5(...)
#endif

/* Everything that writes a file, which is named at the end. */
static const struct {
    const char *command, *target;
    bool prints; /* something else on standard output */
} writers[] = {
    {"solve c.yaml -q -o", "x.txt", false},
    {"solve c.yaml -q -f json -o", "x.json", false},
    {"solve c.yaml -q -f csv -o", "x.csv", false},
    {"solve c.yaml -q -f json --history", "x.csv", true},
    WITH_HDF5({"solve c.yaml -q --history", "x.h5", true}, ){"check c.yaml -o", "x.txt", false},
    {"solve c.yaml -q --report", "x.html", true},
    {"sweep s.yaml -q --report", "x.html", true},
    {"reproduce ./i.yaml -q --report", "x.html", true},
    {"simulate m.yaml -q -o", "x.txt", false},
    {"simulate m.yaml -q --history", "x.csv", true},
    {"simulate m.yaml -q --impacts", "x.csv", true},
    {"sweep s.yaml -q -o", "x.csv", false},
    WITH_HDF5({"sweep s.yaml -q -o", "x.h5", false}, ){"reproduce ./i.yaml -q -o", "x.md", false},
    {"reproduce ./i.yaml -q -f json -o", "x.json", false},
    {"reproduce -o", "x.txt", false},
};

enum { INPUTS = sizeof inputs / sizeof inputs[0], WRITERS = sizeof writers / sizeof writers[0] };

/* ---- Running -------------------------------------------------------------------------------- */

/* A shell command in the folder; $carom is the program. The exit status. */
static int shell(fixture *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int shell(fixture *f, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return shell_with(f, CAROM_PROGRAM, text);
}

static void assert_exit(fixture *f, int expected, int status, const char *what)
{
    if (status != expected) {
        fail_msg("%s: exit %d, not %d: %s", what, status, expected, f->err);
    }
}

static void assert_says(const fixture *f, const char *words)
{
    if (strstr(f->err, words) == NULL) {
        fail_msg("'%s' does not say '%s'", f->err, words);
    }
}

static void assert_text(const fixture *f, const char *name, const char *expected)
{
    char *text = get_file(f, name);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

/* Under the sanitizers programs start slowly: some of the cases will do. */
static size_t step(void)
{
    return getenv("CAROM_TEST_QUICK") != NULL ? 4 : 1;
}

static void begin(fixture *f)
{
    assert_int_equal(shell(f, "rm -rf * .carom*"), 0);
    for (size_t i = 0; i < INPUTS; i++) {
        put_file(f, inputs[i].name, inputs[i].text);
    }
}

/* The folder holds the inputs and these, and nothing else. */
static void assert_only(fixture *f, const char *others)
{
    int status = shell(f, "ls -A | grep -v '^[cmsi].yaml$' | grep -v '^.out$' | grep -v '^.err$' | "
                          "tr '\\n' ' '");
    assert_int_equal(status, 0);
    assert_string_equal(f->out, others);
}

/* ---- Neighbours and links ------------------------------------------------------------------- */

static void neighbours_are_not_touched(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < WRITERS; i += step()) {
        const char *target = writers[i].target;
        begin(f);
        assert_int_equal(shell(f,
                               "echo mine >%s.new; echo precious >p; ln -s p %s.tmp; "
                               "ln -s p %s~; echo earlier >%s",
                               target, target, target, target),
                         0);
        assert_exit(f, 0, shell(f, "$carom %s %s", writers[i].command, target), writers[i].command);
        assert_int_equal(shell(f, "grep -q earlier %s", target), 1);
        assert_int_equal(shell(f, "cat %s.new p; test -L %s.tmp -a -L %s~", target, target, target),
                         0);
        assert_string_equal(f->out, "mine\nprecious\n");
        /* And where the neighbour is a link. */
        assert_int_equal(shell(f, "ln -sf p %s.new", target), 0);
        assert_exit(f, 0, shell(f, "$carom %s %s", writers[i].command, target), writers[i].command);
        assert_text(f, "p", "precious\n");
    }
}

static void a_link_stays_and_leads_to_the_result(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < WRITERS; i += step()) {
        const char *target = writers[i].target;
        begin(f);
        assert_int_equal(shell(f, "mkdir d; echo earlier >d/real; ln -s d/real %s", target), 0);
        assert_exit(f, 0, shell(f, "$carom %s %s", writers[i].command, target), writers[i].command);
        assert_int_equal(shell(f, "test -L %s && ! grep -q earlier d/real && ls -A d", target), 0);
        assert_string_equal(f->out, "real\n");
        /* A link to nothing may have been meant for another place. */
        assert_int_equal(shell(f, "ln -sf nowhere %s", target), 0);
        assert_exit(f, 5, shell(f, "$carom %s %s", writers[i].command, target), writers[i].command);
        assert_says(f, "it is a dangling link");
        assert_false(is_there(f, "nowhere"));
    }
}

static void permissions_are_those_of_the_old_file_or_of_any_new_one(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < WRITERS; i += step()) {
        const char *target = writers[i].target;
        begin(f);
        assert_exit(f, 0, shell(f, "umask 027; $carom %s %s", writers[i].command, target),
                    writers[i].command);
        assert_int_equal(shell(f, "stat -c %%a %s", target), 0);
        assert_string_equal(f->out, "640\n");
        assert_int_equal(shell(f, "chmod 604 %s; $carom %s %s >/dev/null; stat -c %%a %s", target,
                               writers[i].command, target, target),
                         0);
        assert_string_equal(f->out, "604\n");
    }
}

/* ---- Names ---------------------------------------------------------------------------------- */

static const char falling[] = "bodies: [{radius: 0.1, mass: 1, position: [0, 1.1]}]\n"
                              "walls: [{point: [0, 0], normal: [0, 1]}]\n"
                              "simulate: {duration: 3, gravity: [0, -9.81], output_every: 1}\n";

/* The states of --history x.pvd are x/x_000000.vtp and so on. */
static void what_is_named_does_not_lie_among_the_states(void **state)
{
    fixture *f = *state;
    static const char *const commands[] = {
        "$carom simulate x/x_000000.vtp --history x.pvd",
        "$carom simulate l.yaml --history x.pvd",
        "$carom simulate m.yaml --history x.pvd -o x/x_000001.vtp",
        "$carom simulate m.yaml --history ./x.PVD --impacts x/i.csv",
        "$carom simulate m.yaml --history x.pvd --checkpoint x/x_000003.vtp",
    };
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "mkdir x && ln -s x/x_000000.vtp l.yaml"), 0);
    put_file(f, "x/x_000000.vtp", falling);
    put_file(f, "x/x_000001.vtp", "old");
    put_file(f, "x/x_000003.vtp", "old");
    put_file(f, "x/i.csv", "old");
    put_file(f, "m.yaml", falling);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        assert_int_equal(shell_with(f, CAROM_PROGRAM, commands[i]), 2);
        ASSERT_SAYS(f->err, "is in the folder that --history");
        char *kept = get_file(f, "x/x_000000.vtp");
        assert_string_equal(kept, falling);
        free(kept);
    }
    assert_int_equal(
        shell_with(f, CAROM_PROGRAM, "rm x/i.csv; $carom simulate m.yaml --history x.pvd"), 0);
}

static void what_is_read_is_not_written(void **state)
{
    fixture *f = *state;
    static const char *const spellings[] = {"%s",           "./%s",     "d/../%s",
                                            "\"$PWD\"//%s", "link.csv", "hard.csv"};
    static const struct {
        const char *command, *input;
    } cases[] = {{"solve c.yaml -o", "c.yaml"},       {"check c.yaml -o", "c.yaml"},
                 {"simulate m.yaml -o", "m.yaml"},    {"sweep s.yaml -o", "s.yaml"},
                 {"reproduce ./i.yaml -o", "i.yaml"}, {"solve - <c.yaml -o", "c.yaml"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t k = i % step(); k < sizeof spellings / sizeof spellings[0]; k += step()) {
            char name[64];
            begin(f);
            assert_int_equal(shell(f, "mkdir d; ln -s $PWD/%s link.csv; ln %s hard.csv",
                                   cases[i].input, cases[i].input),
                             0);
            snprintf(name, sizeof name, spellings[k], cases[i].input);
            assert_exit(f, 2, shell(f, "$carom %s %s", cases[i].command, name), cases[i].command);
            assert_says(f, "would overwrite the input");
            char *text = get_file(f, cases[i].input);
            assert_true(strncmp(text, "laws", 4) == 0 || strncmp(text, "bodies", 6) == 0 ||
                        strncmp(text, "name", 4) == 0);
            free(text);
        }
    }
    /* By an option that is not -o, too; and an item that nobody named. */
    assert_int_equal(shell(f, "cp c.yaml c.csv; $carom solve c.csv --history ./c.csv"), 2);
    assert_int_equal(shell(f, "mkdir r; cp i.yaml r; "
                              "CAROM_REPRODUCE=r $carom reproduce -o r/../r/i.yaml"),
                     2);
    assert_text(f, "r/i.yaml", ITEM);
}

static void two_results_do_not_share_a_file(void **state)
{
    fixture *f = *state;
    static const char *const commands[] = {
        "solve c.yaml -o x.csv --history x.csv",
        "solve c.yaml -o d/../x.csv --history ./x.csv",
        "solve c.yaml --history x.csv >x.csv",
        "simulate m.yaml -o x.csv --impacts x.csv",
        "simulate m.yaml --history x.csv --impacts \"$PWD\"/x.csv",
        "simulate m.yaml --history old.csv --impacts link.csv",
    };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        begin(f);
        assert_int_equal(shell(f, "mkdir d; echo old >old.csv; ln -s old.csv link.csv"), 0);
        assert_exit(f, 2, shell(f, "$carom %s", commands[i]), commands[i]);
        assert_says(f, "name the same file");
        assert_text(f, "old.csv", "old\n");
    }
}

/* ---- Full disks ----------------------------------------------------------------------------- */

/* No file may grow beyond 512 bytes, or 1024 where the shell counts so. */
static void a_full_disk_leaves_the_old_file_and_nothing_else(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < WRITERS; i += step()) {
        begin(f);
        put_file(f, writers[i].target, "old\n");
        assert_exit(f, 5,
                    shell(f, "ulimit -f 1; $carom %s %s", writers[i].command, writers[i].target),
                    writers[i].command);
        assert_says(f, "could not be written");
        assert_text(f, writers[i].target, "old\n");
        /* A study keeps what it has done. */
        assert_int_equal(shell(f, "rm -f x.csv.part x.h5.part"), 0);
        char left[32];
        snprintf(left, sizeof left, "%s ", writers[i].target);
        assert_only(f, left);
    }
}

/* A disk that is really full: as root a small one can be had. */
static void a_small_disk_is_told(void **state)
{
    fixture *f = *state;
    begin(f);
    if (shell(f, "mkdir d && mount -t tmpfs -o size=16k none d") != 0) {
        print_message("skipped: no disk of 16 kB to be had\n");
        skip();
    }
    assert_int_equal(shell(f, "echo old >d/x.csv; head -c 8192 /dev/zero >d/filler"), 0);
    int solved = shell(f, "$carom solve c.yaml -q --history d/x.csv");
    bool told = strstr(f->err, "No space left on device") != NULL;
    int kept = shell(f, "cat d/x.csv; ls -A d; umount d");
    assert_int_equal(solved, 5);
    assert_true(told);
    assert_int_equal(kept, 0);
    assert_string_equal(f->out, "old\nfiller\nx.csv\n");
}

static void a_journal_without_a_point_is_not_kept(void **state)
{
    fixture *f = *state;
    begin(f);
    assert_int_equal(shell(f, "ulimit -f 0; $carom sweep s.yaml -q -o x.csv 2>/dev/null"), 5);
    assert_only(f, "");
}

/* ---- Streams -------------------------------------------------------------------------------- */

static const char *const printing[] = {
    "solve c.yaml",
    "solve c.yaml -f json",
    "solve c.yaml -f csv",
    "check c.yaml",
    "laws",
    "laws lzb",
    "fields",
    "fields chain",
    "fields outcome",
    "simulate m.yaml",
    "simulate m.yaml -f json",
    "simulate m.yaml -f csv",
    "sweep s.yaml",
    "reproduce",
    "reproduce ./i.yaml",
    "reproduce ./i.yaml -f json",
    "help",
    "help solve",
    "solve --help",
    "--help",
    "--version",
    "version",
    "solve c.yaml -o -",
    "solve c.yaml -o /dev/stdout",
};

static void standard_output_that_refuses_is_told(void **state)
{
    fixture *f = *state;
    begin(f);
    for (size_t i = 0; i < sizeof printing / sizeof printing[0]; i += step()) {
        assert_exit(f, 5, shell(f, "$carom %s >/dev/full", printing[i]), printing[i]);
        assert_says(f, "could not be written");
        assert_exit(f, 5, shell(f, "$carom %s >&-", printing[i]), printing[i]);
        assert_says(f, "could not be written");
    }
    assert_only(f, "");
}

/* With standard output closed, the next file to be opened would get its number. */
static void closed_streams_do_not_reach_into_files(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < WRITERS; i += step()) {
        const char *target = writers[i].target;
        begin(f);
        assert_exit(f, 0, shell(f, "$carom %s %s", writers[i].command, target), writers[i].command);
        assert_int_equal(shell(f, "mv %s whole", target), 0);
        assert_exit(f, writers[i].prints ? 5 : 0,
                    shell(f, "$carom %s %s <&- >&- 2>&-", writers[i].command, target),
                    writers[i].command);
        if (is_there(f, target)) {
            assert_int_equal(shell(f, "cmp whole %s", target), 0);
        }
    }
}

static void devices_and_pipes_are_written_in_place(void **state)
{
    fixture *f = *state;
    begin(f);
    assert_int_equal(shell(f, "$carom solve c.yaml >expected"), 0);
    assert_int_equal(shell(f, "$carom solve c.yaml -o /dev/null && test -c /dev/null"), 0);
    assert_int_equal(shell(f, "$carom solve c.yaml -o /dev/full"), 5);
    assert_int_equal(shell(f, "mkfifo p; cat p >got & $carom solve c.yaml -o p && wait && "
                              "cmp got expected && test -p p"),
                     0);
    /* What the shell has opened to append is appended to. */
    assert_int_equal(shell(f, "echo old >log; $carom solve c.yaml -o /dev/stdout >>log && "
                              "$carom solve c.yaml -o /dev/fd/3 3>>log && "
                              "(echo old; cat expected expected) | cmp - log"),
                     0);
    assert_int_equal(shell(f, "mkdir d; $carom solve c.yaml -o d"), 5);
    assert_int_equal(shell(f, "$carom solve c.yaml -o nowhere/x"), 5);
    assert_int_equal(shell(f, "$carom solve c.yaml -o c.yaml/x"), 5);
    assert_int_equal(shell(f, "rm p log got expected; rmdir d"), 0);
    assert_only(f, "");
}

/* ---- Journals ------------------------------------------------------------------------------- */

static void a_foreign_part_is_refused(void **state)
{
    fixture *f = *state;
    static const char *const plants[] = {
        "echo mine >x.csv.part",
        "printf mine >x.csv.part",
        "head -c 5000 /dev/zero >x.csv.part",
        "(printf 'carom sweep journal'; head -c 500 /dev/zero) >x.csv.part",
        "echo mine >p; ln -s p x.csv.part",
        "ln -s nowhere x.csv.part",
        "mkdir x.csv.part",
        "mkfifo x.csv.part",
    };
    for (size_t i = 0; i < sizeof plants / sizeof plants[0]; i++) {
        for (size_t resume = i % step() % 2; resume < 2; resume += step()) {
            begin(f);
            assert_int_equal(shell(f, "%s; ls -l --full-time | sha256sum", plants[i]), 0);
            char before[128];
            snprintf(before, sizeof before, "%s", f->out);
            int status = shell(f, "$carom sweep s.yaml -q -o x.csv%s", resume ? " --resume" : "");
            assert_true(status == 2 || status == 5);
            assert_false(is_there(f, "x.csv"));
            assert_false(is_there(f, "nowhere"));
            assert_int_equal(shell(f, "ls -l --full-time | sha256sum"), 0);
            assert_string_equal(f->out, before);
        }
    }
}

/* The counts of a record are as much part of it as its rows. */
static void changed_counts_of_a_journal_are_not_believed(void **state)
{
    fixture *f = *state;
    begin(f);
    assert_int_equal(shell(f, "touch x.csv.part; ln x.csv.part journal; "
                              "$carom sweep s.yaml -q -o x.csv; mv x.csv whole"),
                     0);
    assert_int_equal(shell(f, "sed 's/^\\(@[0-9]* [0-9]*\\) 0 /\\1 7 /' journal >x.csv.part; "
                              "$carom sweep s.yaml --resume -o x.csv"),
                     0);
    assert_string_equal(f->err, "");
    assert_int_equal(shell(f, "cmp x.csv whole"), 0);
}

static void a_finished_table_of_another_study_is_refused(void **state)
{
    fixture *f = *state;
    static const char *const tables[] = {"x.csv", WITH_HDF5("x.h5")};
    static const char *const others[] = {
        "--set chain.count=4",
        "--set chain.exponent=1 --law lzb",
        "--law newton,moreau",
        "--shard 1/2",
        "--set 'sweep.record=[energy_ratio]'",
        "--set 'sweep.grid={chain.restitution: {from: 0.001, to: 1, steps: 40}}'",
        "--set 'sweep.grid={chain.restitution: {from: 0, to: 1, steps: 39}}'",
    };
    for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++) {
        begin(f);
        assert_int_equal(
            shell(f, "$carom sweep s.yaml -q -o %s && cp %s whole", tables[k], tables[k]), 0);
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i += step()) {
            assert_exit(f, 2,
                        shell(f, "$carom sweep s.yaml -q --resume -o %s %s", tables[k], others[i]),
                        others[i]);
            assert_says(f, "is not the table of this study");
        }
        assert_exit(f, 0, shell(f, "$carom sweep s.yaml -q --resume -o %s", tables[k]), "its own");
        assert_int_equal(shell(f, "cmp %s whole", tables[k]), 0);
        assert_int_equal(shell(f, "echo something else >%s; $carom sweep s.yaml --resume -o %s",
                               tables[k], tables[k]),
                         2);
        assert_text(f, tables[k], "something else\n");
    }
    /* Each shard knows its own. */
    assert_int_equal(shell(f, "$carom sweep s.yaml -q --shard 2/3 -o y.csv && "
                              "$carom sweep s.yaml -q --shard 2/3 --resume -o y.csv"),
                     0);
    assert_int_equal(shell(f, "$carom sweep s.yaml -q --shard 3/3 --resume -o y.csv"), 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(neighbours_are_not_touched),
        TEST(a_link_stays_and_leads_to_the_result),
        TEST(permissions_are_those_of_the_old_file_or_of_any_new_one),
        TEST(what_is_named_does_not_lie_among_the_states),
        TEST(what_is_read_is_not_written),
        TEST(two_results_do_not_share_a_file),
        TEST(a_full_disk_leaves_the_old_file_and_nothing_else),
        TEST(a_small_disk_is_told),
        TEST(a_journal_without_a_point_is_not_kept),
        TEST(standard_output_that_refuses_is_told),
        TEST(closed_streams_do_not_reach_into_files),
        TEST(devices_and_pipes_are_written_in_place),
        TEST(a_foreign_part_is_refused),
        TEST(changed_counts_of_a_journal_are_not_believed),
        TEST(a_finished_table_of_another_study_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
