/* Time and memory that a command may take: it ends in what it has reached, or is refused before it
 * asks for what it may not have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"

#define CASE(name) CAROM_SOURCE_DIR "/tests/cases/" name ".yaml"

/* ---- Time ------------------------------------------------------------------------------------ */

/* The second point takes steps that would need weeks. */
static const char study[] =
    "laws: [{law: lzb, scheme: time-euler, step: 1e-3, max_steps: 1e14}]\n"
    "chain: {count: 3, velocity: [1]}\n"
    "sweep: {grid: {'laws[1].step': [1e-3, 1e-13]}, record: ['velocity[1]']}\n";

static void a_study_keeps_what_is_done_in_its_time(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", study);
    put_file(f, "t.csv", "old");
    for (int again = 0; again < 2; again++) {
        assert_int_equal(run_carom(f, again ? "sweep s.yaml -o t.csv -j 1 --resume --max-seconds 2"
                                            : "sweep s.yaml -o t.csv -j 1 --max-seconds 2"),
                         4);
        ASSERT_SAYS(
            f->err,
            "time limit of 2 s reached; 1 of 2 points done; finished points are kept for --resume");
        char *table = get_file(f, "t.csv"), *part = get_file(f, "t.csv.part");
        assert_string_equal(table, "old");
        ASSERT_SAYS(part, "\n@0 ");
        assert_null(strstr(part, "\n@1 "));
        free(table);
        free(part);
    }
}

static void a_study_on_standard_output_shows_what_is_done(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", study);
    assert_int_equal(run_carom(f, "sweep s.yaml -j 1 --max-seconds 2"), 4);
    ASSERT_SAYS(f->out, "point,laws[1].step,law,status,velocity[1],reason\n1,0.001,lzb,solved,");
    assert_null(strstr(f->out, "\n2,"));
    ASSERT_SAYS(f->err, "1 of 2 points done\n");
}

/* However far it came, it goes on to the same table. */
static void a_study_in_pieces_is_the_same(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml",
             "chain: {count: 9, velocity: [1]}\n"
             "sweep: {grid: {chain.restitution: {from: 0.8, to: 1, steps: 300}}}\n");
    assert_int_equal(run_carom(f, "sweep s.yaml -o whole.csv"), 0);
    int status = run_carom(f, "sweep s.yaml -o t.csv --max-seconds 0.05");
    for (int i = 0; i < 3 && status == 4; i++) {
        status = run_carom(f, "sweep s.yaml -o t.csv --resume --max-seconds 0.05");
    }
    assert_int_equal(status == 4 ? run_carom(f, "sweep s.yaml -o t.csv --resume") : status, 0);
    char *whole = get_file(f, "whole.csv"), *pieces = get_file(f, "t.csv");
    assert_string_equal(pieces, whole);
    free(whole);
    free(pieces);
}

static void a_study_of_motions_ends_in_time(void **state)
{
    fixture *f = *state;
    put_file(f, "m.yaml",
             "simulate: {duration: 1e9, gravity: [0, -9.81]}\n"
             "bodies: [{radius: 0.1, mass: 1, position: [0, 1]}]\n"
             "walls: [{point: [0, 0], normal: [0, 1]}]\n"
             "sweep: {grid: {simulate.duration: [1, 1e9]}}\n");
    assert_int_equal(run_carom(f, "sweep m.yaml -j 1 --max-seconds 2"), 4);
    ASSERT_SAYS(f->err, "1 of 2 points done");
}

static const char item[] =
    "name: i\nsource: s\ntitle: t\nkind: shape\n"
    "scenario:\n"
    "  laws: [{law: lzb, scheme: time-euler, step: 1e-13, max_steps: 1e14}]\n"
    "  chain: {count: 3, velocity: [1]}\n"
    "checks: [{what: w, quantity: 'velocity[1]', least: 0, most: 1}]\n";

static void an_item_that_is_not_computed_does_not_deviate(void **state)
{
    fixture *f = *state;
    put_file(f, "i.yaml", item);
    put_file(f, "r.csv", "old");
    assert_int_equal(run_carom(f, "reproduce ./i.yaml --max-seconds 0.3"), 4);
    ASSERT_SAYS(f->err, "time limit of 0.3 s reached; 0 of 1 items computed");
    assert_null(strstr(f->out, "deviates"));
    assert_int_equal(run_carom(f, "reproduce ./i.yaml -f csv -o r.csv --max-seconds 0.3"), 4);
    char *table = get_file(f, "r.csv");
    assert_string_equal(table, "old");
    free(table);
}

/* Nothing looks up while a matrix of 1e5 contacts is factored: a minute, or the time. */
static void a_check_ends_in_time(void **state)
{
    fixture *f = *state;
    put_file(f, "p.yaml",
             "packing: {lattice: fcc, columns: 36, rows: 36, layers: 36, walls: box}\n");
    assert_int_equal(run_carom(f, "check p.yaml -o c.txt --max-seconds 0.5"), 4);
    ASSERT_SAYS(f->err, "time limit of 0.5 s reached before there was an answer");
    assert_false(is_there(f, "c.txt"));
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "ls -A | grep carom-"), 1);
}

/* Whatever the one who starts the program does with alarms himself. */
static void an_alarm_comes_though_it_was_ignored(void **state)
{
    fixture *f = *state;
    static const char *const ways[] = {"--block-signal=ALRM", "--ignore-signal=ALRM"};
    put_file(f, "p.yaml",
             "packing: {lattice: fcc, columns: 36, rows: 36, layers: 36, walls: box}\n");
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        char command[128];
        snprintf(command, sizeof command,
                 "timeout 20 env %s $carom check p.yaml -o c.txt --max-seconds 0.5", ways[i]);
        assert_int_equal(shell_with(f, CAROM_PROGRAM, command), 4);
        ASSERT_SAYS(f->err, "time limit of 0.5 s reached before there was an answer");
    }
}

/* Into a pipe that nobody reads; when the reader has gone, writing would end by SIGPIPE, 141. */
static const char nobody_reads[] =
    "{ %s $carom solve s.yaml -f json %s; echo $? >status; } | sleep 8";

static void writing_takes_as_long_again_at_most(void **state)
{
    fixture *f = *state;
    char command[256];
    put_file(f, "s.yaml", "laws: newton\nchain: {count: 5000, velocity: [1]}\n");
    snprintf(command, sizeof command, nobody_reads, "", "--max-seconds 2");
    shell_with(f, CAROM_PROGRAM, command);
    ASSERT_SAYS(f->err, "time limit of 2 s reached, and exceeded twofold while writing");
    char *status = get_file(f, "status");
    assert_string_equal(status, "4\n");
    free(status);
}

static void one_interrupt_ends_writing(void **state)
{
    fixture *f = *state;
    char command[256];
    put_file(f, "s.yaml", "laws: newton\nchain: {count: 5000, velocity: [1]}\n");
    snprintf(command, sizeof command, nobody_reads, "timeout --preserve-status -s INT 4", "");
    shell_with(f, CAROM_PROGRAM, command);
    char *status = get_file(f, "status");
    assert_string_equal(status, "130\n");
    free(status);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void what_needs_too_much_is_refused_before(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *text, *command, *says;
    } cases[] = {
        {"chain: {count: 100000000, velocity: [1]}\n", "solve s.yaml --max-memory 1G",
         "s.yaml:1:16: chain.count needs about 39 GB of memory; the limit is 1 GB (--max-memory)"},
        {"chain: {count: 100000000, velocity: [1]}\n", "check s.yaml --max-memory=2000M",
         "needs about 39 GB of memory; the limit is 2 GB"},
        {"packing: {lattice: fcc, columns: 300, rows: 300, layers: 100}\n",
         "solve s.yaml --max-memory 8G", "packing needs about 46 GB of memory; the limit is 8 GB"},
        {"chain: {count: 3}\nsweep: {grid: {chain.count: [2, 100000000]}}\n",
         "sweep s.yaml --max-memory 1G", "chain.count[2] needs about 39 GB of memory"},
        {"chain: {count: 3}\n"
         "sweep: {grid: {chain.restitution: {from: 0, to: 1, steps: 1000000000}}}\n",
         "sweep s.yaml --max-memory 1G",
         "a study with this many points needs about 12 GB of memory; the limit is 1 GB"},
        {"gas: {count: 20000, box: [1, 1], fraction: 0.3, temperature: 1}\n"
         "contacts: {tolerance: 1e6}\nlaws: moreau\n",
         "solve s.yaml --max-memory 1G", "s.yaml:2:23: contacts.tolerance "},
        {"simulate: {duration: 1}\nchain: {count: 100000000, radius: 1}\n",
         "simulate s.yaml --max-memory 1G", "chain.count needs about 39 GB"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_file(f, "s.yaml", cases[i].text);
        assert_int_equal(run_carom(f, cases[i].command), 6);
        ASSERT_SAYS(f->err, cases[i].says);
    }
}

/* What is never read is counted, too. */
static void aliases_that_multiply_are_refused(void **state)
{
    fixture *f = *state;
    put_file(f, "b.yaml", "old");
    assert_int_equal(run_carom(f, "sweep " CASE("aliases-multiply-sweep")), 3);
    ASSERT_SAYS(f->err, ":10:24: more than 50000000 values");
    assert_int_equal(run_carom(f, "design " CASE("aliases-multiply-design") " -o b.yaml"), 3);
    ASSERT_SAYS(f->err, ":11:24: more than 50000000 values");
    char *kept = get_file(f, "b.yaml");
    assert_string_equal(kept, "old");
    free(kept);
}

static void a_size_is_a_number_with_or_without_a_letter(void **state)
{
    fixture *f = *state;
    static const char *const wrong[] = {"0", "-1", "x", "1X", "1GB", "nan", "inf", "''", "1e999T"};
    put_file(f, "s.yaml", "chain: {count: 3, velocity: [1]}\n");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char command[64];
        snprintf(command, sizeof command, "solve s.yaml --max-memory %s", wrong[i]);
        assert_int_equal(run_carom(f, command), 2);
        ASSERT_SAYS(f->err, "must be a number of bytes above 0, such as 500M or 16G");
    }
    assert_int_equal(run_carom(f, "solve s.yaml --max-memory 2000000k"), 0);
    assert_int_equal(run_carom(f, "solve s.yaml --max-memory 1.5T"), 0);
    assert_int_equal(run_carom(f, "solve s.yaml --max-memory 500M"), 0);
}

/* A system that may be made, and a factorization that does not fit beside it. */
static void what_does_not_fit_leaves_the_file(void **state)
{
    fixture *f = *state;
#if defined(__SANITIZE_ADDRESS__)
    skip(); /* it ends the program when the system gives it no more */
#endif
    put_file(f, "s.yaml", "laws: moreau\nchain: {count: 100000, velocity: [1]}\n");
    put_file(f, "o.json", "old");
    assert_int_equal(run_carom(f, "solve s.yaml -f json -o o.json --max-memory 50M"), 6);
    ASSERT_SAYS(f->err, "out of memory");
    char *kept = get_file(f, "o.json");
    assert_string_equal(kept, "old");
    free(kept);
}

static void a_file_larger_than_the_disk_is_told_of_before(void **state)
{
    fixture *f = *state;
    put_file(f, "m.yaml",
             "simulate: {duration: 1e9, output_every: 1e-9}\n"
             "bodies: [{radius: 0.1, mass: 1, position: [0, 1], velocity: [1, 0]}]\n");
    assert_int_equal(run_carom(f, "simulate m.yaml --history h.csv --max-seconds 0.2"), 4);
    ASSERT_SAYS(f->err, "h.csv needs about 10000000 TB; the disk has ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_study_keeps_what_is_done_in_its_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_study_on_standard_output_shows_what_is_done, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_study_in_pieces_is_the_same, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_study_of_motions_ends_in_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_item_that_is_not_computed_does_not_deviate, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_check_ends_in_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_alarm_comes_though_it_was_ignored, set_up, tear_down),
        cmocka_unit_test_setup_teardown(writing_takes_as_long_again_at_most, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_interrupt_ends_writing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_needs_too_much_is_refused_before, set_up, tear_down),
        cmocka_unit_test_setup_teardown(aliases_that_multiply_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_size_is_a_number_with_or_without_a_letter, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_does_not_fit_leaves_the_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_larger_than_the_disk_is_told_of_before, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
