/* The files of carom simulate: checkpoints that a run goes on from with the same bits, collections
 * for ParaView. (As HDF5: test_simulate_hdf5.)
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "flight.h"

#define EXAMPLE(name) CAROM_SOURCE_DIR "/examples/" name ".yaml"

/* A bob that swings against a ball on a spring. */
static const char SWING[] =
    "bodies:\n"
    "  - {name: bob, radius: 0.1, mass: 1, suspended: {from: [0, 1], length: 1}, angle: -0.7}\n"
    "  - {name: ball, radius: 0.1, mass: 1, position: [0.3, 0], velocity: [0, 0]}\n"
    "springs: [{between: [ball, [0.3, 0.5]], stiffness: 60, length: 0.4}]\n"
    "contacts: {restitution: 0.9}\n"
    "simulate: {duration: 2, gravity: [0, -9.81], output_every: 0.05}\n";

static void assert_same_files(const fixture *f, const char *first, const char *second)
{
    char *a = get_file(f, first), *b = get_file(f, second);
    assert_non_null(a);
    assert_non_null(b);
    assert_string_equal(a, b);
    free(a);
    free(b);
}

/* ---- Checkpoints ------------------------------------------------------------------------------
 */

/* In one run, and in three. */
static void resume(fixture *f, const char *text, const char *every)
{
    char line[256];
    put_file(f, "s.yaml", text);
    snprintf(line, sizeof line, "s.yaml %s --history w.csv --impacts wi.csv -f json -o w.json",
             every);
    must(f, line);
    for (int k = 1; k <= 3; k++) {
        snprintf(line, sizeof line,
                 "s.yaml %s --set simulate.duration=%g %s --checkpoint c --history p.csv "
                 "--impacts pi.csv -f json -o p.json",
                 every, 0.7 * k < 2 ? 0.7 * k : 2, k > 1 ? "--resume c" : "");
        must(f, line);
    }
    assert_same_files(f, "p.csv", "w.csv");
    assert_same_files(f, "pi.csv", "wi.csv");
    assert_same_files(f, "p.json", "w.json");
    shell_with(f, CAROM_PROGRAM, "rm -f p.* pi.*");
}

static void a_resumed_run_is_the_same_as_one_in_one_go(void **state)
{
    fixture *f = *state;
    resume(f, FLIGHT, "");
    resume(f, SWING, "");
    resume(f, FLIGHT, "--set simulate.scheme=time-stepping");
    resume(f, SWING, "--set simulate.scheme=time-stepping");
    resume(f, FLIGHT, "--set simulate.output_every=0");
    resume(f, SWING, "--set simulate.output_every=0");
}

/* Whenever it is looked at the clock. */
static void checkpoints_on_the_way_change_nothing(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", SWING);
    must(f, "s.yaml --history w.csv -f json -o w.json");
    must(f, "s.yaml --checkpoint c --checkpoint-every 0 --history p.csv -f json -o p.json");
    assert_same_files(f, "p.csv", "w.csv");
    assert_same_files(f, "p.json", "w.json");
    must(f, "s.yaml --resume c -f json -o p.json");
    assert_same_files(f, "p.json", "w.json");
}

/* Signalled in the midst: exit status 128 and the signal's number, a checkpoint, and rows until
 * there. */
static void interrupt(fixture *f, const char *signal, int status)
{
    char line[1024];
    snprintf(line, sizeof line,
             "rm -f c; $carom simulate " EXAMPLE(
                 "gas") " --set contacts.restitution=1"
                        " --set simulate.duration=1e9 --set simulate.output_every=1 --checkpoint c"
                        " --checkpoint-every 0.1 --history p.csv --impacts pi.csv -o out &"
                        " while [ ! -e c ]; do sleep 0.05; done; kill -%s $!; wait $!",
             signal);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, line), status);
    char *rows = get_file(f, "p.csv");
    assert_non_null(rows);
    const char *last = strrchr(rows, '\n') - 1;
    while (*last != '\n') {
        last--;
    }
    double reached = strtod(last + 1, NULL);
    free(rows);
    assert_true(reached > 0);
    snprintf(line, sizeof line,
             EXAMPLE("gas") " --set contacts.restitution=1 --set simulate.duration=%.17g"
                            " --set simulate.output_every=1 --history %%s --impacts %%s -f json"
                            " -o %%s %%s",
             reached + 20);
    char whole[1024], parts[1024];
    snprintf(whole, sizeof whole, line, "w.csv", "wi.csv", "w.json", "");
    snprintf(parts, sizeof parts, line, "p.csv", "pi.csv", "p.json", "--resume c");
    must(f, whole);
    must(f, parts);
    assert_same_files(f, "p.csv", "w.csv");
    assert_same_files(f, "pi.csv", "wi.csv");
    assert_same_files(f, "p.json", "w.json");
}

static void an_interrupted_run_goes_on(void **state)
{
    interrupt(*state, "INT", 130);
    interrupt(*state, "TERM", 143);
}

/* Without the file of before, rows from the checkpoint on. */
static void a_new_history_begins_at_the_checkpoint(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", FLIGHT);
    must(f, "s.yaml --set simulate.duration=1 --checkpoint c -o out");
    must(f, "s.yaml --resume c --history h.csv -o out");
    char *rows = get_file(f, "h.csv");
    assert_true(strtod(strchr(rows, '\n') + 1, NULL) > 1);
    free(rows);
}

static void what_does_not_belong_together_is_refused(void **state)
{
    static const struct {
        const char *rest, *words;
    } cases[] = {
        {"s.yaml --resume none", "--resume is 'none', which cannot be read: No such file"},
        {"s.yaml --resume s.yaml", "--resume is 's.yaml', which is no checkpoint of carom"},
        {"t.yaml --resume c", "cannot go on from: it belongs to another motion: they differ in"},
        {"s.yaml --resume c --set contacts.restitution=0.7", "they differ in contacts"},
        {"s.yaml --resume c --set bodies[b].mass=3", "they differ in bodies"},
        {"s.yaml --resume c --law moreau", "its law is 'lzb', must be 'moreau'"},
        {"s.yaml --resume c --set simulate.tolerance=1e-8", "its tolerance is 1e-09"},
        {"s.yaml --resume c --set simulate.duration=0.5",
         "which is at 1 s; simulate.duration is 0.5 s, must be at least that"},
        {"s.yaml --resume c --history h.csv", "h.csv is not what the run had written until"},
        {"s.yaml --resume c --impacts h.csv", "h.csv is not what the run had written until"},
        {"s.yaml --resume cut", "it ends too early"},
        {"s.yaml --resume flipped", "it is damaged: its checksum is wrong"},
        {"s.yaml --resume more", "has more in it than a checkpoint"},
        {"s.yaml --checkpoint c --checkpoint-every soon",
         "--checkpoint-every is 'soon'; must be a number of seconds from 0"},
        {"s.yaml --resume", "option '--resume' needs a value: FILE"},
    };
    fixture *f = *state;
    put_file(f, "s.yaml", FLIGHT);
    put_file(f, "t.yaml", SWING);
    put_file(f, "h.csv", "time,a x\n0,1\n");
    must(f, "s.yaml --set simulate.duration=1 --checkpoint c -o out");
    shell_with(f, CAROM_PROGRAM,
               "head -c 700 c > cut; cat c s.yaml > more; (head -c 600 c; printf x; tail -c +602 c)"
               " > flipped");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(run(f, cases[i].rest), 2);
        ASSERT_SAYS(f->err, cases[i].words);
    }
    assert_int_equal(run(f, "s.yaml --checkpoint no/c -o out"), 5);
    ASSERT_SAYS(f->err, "no/c could not be written");
}

/* ---- ParaView ----------------------------------------------------------------------------------
 */

/* The numbers of a list in a .vtp file. */
static void read_list(const char *text, const char *name, double *values, size_t many)
{
    char word[64];
    snprintf(word, sizeof word, "Name=\"%s\"", name);
    const char *at = strstr(text, word);
    assert_non_null(at);
    char *end = strchr(at, '>') + 1;
    for (size_t k = 0; k < many; k++) {
        values[k] = strtod(end, &end);
    }
}

static void a_collection_has_what_the_table_has(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", FLIGHT);
    must(f, "s.yaml --history h.csv -o out");
    must(f, "s.yaml --history h.pvd -o out");
    char *rows = get_file(f, "h.csv"), *list = get_file(f, "h.pvd");
    assert_int_equal(count(list, "<DataSet "), count(rows, "\n") - 1);
    assert_int_equal(count(list, "</VTKFile>"), 1);
    const char *row = rows;
    for (int k = 0; k <= 40; k++) {
        char name[64], entry[128];
        double numbers[13], x[9], v[9];
        snprintf(name, sizeof name, "h/h_%06d.vtp", k);
        row = strchr(row, '\n') + 1;
        char *end = (char *)row - 1;
        for (size_t i = 0; i < 13; i++) {
            numbers[i] = strtod(end + 1, &end);
        }
        snprintf(entry, sizeof entry, "timestep=\"%.17g\" part=\"0\" file=\"%s\"", numbers[0],
                 name);
        ASSERT_SAYS(list, entry);
        char *text = get_file(f, name);
        assert_non_null(text);
        read_list(text, "position", x, 9);
        read_list(text, "velocity", v, 9);
        for (size_t i = 0; i < 3; i++) {
            assert_true(x[3 * i] == numbers[1 + 2 * i] && x[3 * i + 1] == numbers[2 + 2 * i]);
            assert_true(v[3 * i] == numbers[7 + 2 * i] && v[3 * i + 1] == numbers[8 + 2 * i]);
        }
        free(text);
    }
    free(rows);
    free(list);
}

/* ---- Some of the bodies ---------------------------------------------------------------------- */

#define SOME " --set 'history.of=c, 1' "

/* In the order of the scene, to the character what the whole history has in those columns. */
static void a_history_can_be_of_some_bodies(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", FLIGHT);
    must(f, "s.yaml --history all.csv -o out");
    must(f, "s.yaml" SOME "--history some.csv -o out");
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "cut -d, -f1-3,6-9,12,13 all.csv > cut.csv"), 0);
    assert_same_files(f, "some.csv", "cut.csv");
    char *rows = get_file(f, "some.csv");
    ASSERT_SAYS(rows, "time,a x,a y,c x,c y,a vx,a vy,c vx,c vy\n");
    free(rows);

    must(f, "s.yaml --set simulate.duration=0.8" SOME "--history p.csv --checkpoint k -o out");
    must(f, "s.yaml" SOME "--history p.csv --resume k -o out");
    assert_same_files(f, "some.csv", "p.csv");
    assert_int_equal(run(f, "s.yaml --history p.csv --resume k -o out"), 2);
}

static void so_can_a_collection(void **state)
{
    fixture *f = *state;
    double all[9], some[6], bodies[2];
    put_file(f, "s.yaml", FLIGHT);
    must(f, "s.yaml --history all.pvd -o out");
    must(f, "s.yaml" SOME "--history some.pvd -o out");
    char *of_all = get_file(f, "all/all_000007.vtp"),
         *of_some = get_file(f, "some/some_000007.vtp");
    read_list(of_all, "position", all, 9);
    read_list(of_some, "position", some, 6);
    read_list(of_some, "body", bodies, 2);
    assert_memory_equal(some, all, 3 * sizeof *all);
    assert_memory_equal(some + 3, all + 6, 3 * sizeof *all);
    assert_true(bodies[0] == 1 && bodies[1] == 3);
    free(of_all);
    free(of_some);
}

static void bodies_that_are_not_there_are_told(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", FLIGHT);
    assert_int_equal(run(f, "s.yaml --history h.csv --set history.of=d"), 3);
    ASSERT_SAYS(f->err, "history.of: 'd' is none of the 3 bodies");
    assert_null(get_file(f, "h.csv"));
    put_file(f, "s.yaml",
             "bodies: [{name: a, radius: 1, mass: 1, position: [0, 0], velocity: [1, 0]},\n"
             "         {name: post, radius: 1, fixed: true, position: [9, 0]}]\n"
             "simulate: {duration: 1}\n");
    assert_int_equal(run(f, "s.yaml --history h.csv --set history.of=post"), 3);
    ASSERT_SAYS(f->err, "history.of: names fixed bodies only");
}

/* A bob at (l sin a, -l cos a) from where it hangs; a rod turned by its angle. */
static void bobs_and_rods_are_where_they_are(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml",
             "bodies:\n"
             "  - {radius: 0.1, mass: 1, suspended: {from: [1, 2], length: 0.5}, angle: 0.3, "
             "spin: 2}\n"
             "  - {shape: rod, length: 2, radius: 0.1, mass: 1, position: [5, 0], angle: 0.8, "
             "velocity: [0, 0], spin: 3}\n"
             "simulate: {duration: 1e-9, gravity: [0, -9.81], output_every: 1}\n");
    must(f, "s.yaml --history h.pvd -o out");
    char *text = get_file(f, "h/h_000000.vtp");
    double x[6], v[6], turned[8], spin[6], extent[6];
    read_list(text, "position", x, 6);
    read_list(text, "velocity", v, 6);
    read_list(text, "orientation", turned, 8);
    read_list(text, "spin", spin, 6);
    read_list(text, "extent", extent, 6);
    free(text);
    const double expected[] = {1 + 0.5 * sin(0.3), 2 - 0.5 * cos(0.3), cos(0.3), sin(0.3),
                               cos(0.4),           sin(0.4),           3,        1.1};
    const double got[] = {x[0], x[1], v[0], v[1], turned[4], turned[7], spin[5], extent[3]};
    for (size_t k = 0; k < 8; k++) {
        assert_true(fabs(got[k] - expected[k]) < 1e-15);
    }
}

static void a_collection_goes_on_and_shrinks(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", FLIGHT);
    must(f, "s.yaml --history w.pvd -o out");
    must(f, "s.yaml --set simulate.duration=0.8 --history p.pvd --checkpoint c -o out");
    must(f, "s.yaml --history p.pvd --resume c -o out");
    char *whole = get_file(f, "w.pvd"), *parts = get_file(f, "p.pvd");
    for (char *at = whole; (at = strstr(at, "w/w_")) != NULL;) {
        at[0] = at[2] = 'p';
    }
    assert_string_equal(whole, parts);
    free(whole);
    free(parts);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "for i in w/*; do cmp $i p/p${i#w/w}; done"), 0);
    must(f, "s.yaml --set simulate.duration=0.1 --history w.pvd -o out");
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "test $(ls w | wc -l) = 3"), 0);
}

/* What is there can be opened, however the program ended. */
static void a_killed_run_leaves_a_collection(void **state)
{
    fixture *f = *state;
    shell_with(
        f, CAROM_PROGRAM,
        "$carom simulate " EXAMPLE(
            "gas") " --set contacts.restitution=1"
                   " --set simulate.duration=1e9 --set simulate.output_every=1 --history h.pvd"
                   " -o out & while [ ! -e h/h_000003.vtp ]; do sleep 0.05; done; kill -KILL $!; "
                   "wait $!;"
                   " true");
    char *list = get_file(f, "h.pvd");
    size_t entries = count(list, "<DataSet ");
    assert_true(entries > 0);
    assert_non_null(strstr(list, "  </Collection>\n</VTKFile>\n"));
    assert_int_equal(strlen(strstr(list, "  </Collection>")), 27);
    char name[64];
    snprintf(name, sizeof name, "h/h_%06zu.vtp", entries - 1);
    char *text = get_file(f, name);
    assert_non_null(strstr(text, "</VTKFile>"));
    free(text);
    free(list);
}

/* No room for more: exit status 5, no table, and a collection of what did fit. */
static void a_full_disk_is_told(void **state)
{
    fixture *f = *state;
    static const char line[] = "ulimit -f 20; $carom simulate " EXAMPLE("gas") " -o out --history ";
    char command[512];
    snprintf(command, sizeof command, "%sh.csv", line);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, command), 5);
    ASSERT_SAYS(f->err, "h.csv could not be written: File too large");
    assert_false(is_there(f, "h.csv"));
    snprintf(command, sizeof command, "%sh.pvd", line);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, command), 5);
    ASSERT_SAYS(f->err, "h.pvd could not be written");
    char *list = get_file(f, "h.pvd");
    assert_true(count(list, "<DataSet ") > 100);
    assert_int_equal(strlen(strstr(list, "  </Collection>\n</VTKFile>\n")), 27);
    free(list);
}

/* A run that ends because one file cannot be written has come to no end: the others stay as they
 * were.
 */
static void a_file_that_fails_leaves_the_others(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", FLIGHT);
    put_file(f, "w.csv", "earlier\n");
    assert_int_equal(shell_with(f, CAROM_PROGRAM,
                                "ulimit -f 20; $carom simulate s.yaml --set simulate.duration=1000 "
                                "--set contacts.restitution=1 --set simulate.output_every=50 "
                                "--history w.csv --impacts i.csv"),
                     5);
    ASSERT_SAYS(f->err, "i.csv could not be written: File too large");
    assert_false(is_there(f, "i.csv"));
    char *history = get_file(f, "w.csv");
    assert_string_equal(history, "earlier\n");
    free(history);
}

static void a_foreign_folder_is_left_alone(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml", FLIGHT);
    shell_with(f, CAROM_PROGRAM, "mkdir h; echo mine > h/letter.txt; echo old > h.pvd");
    assert_int_equal(run(f, "s.yaml --history h.pvd -o out"), 2);
    ASSERT_SAYS(f->err, "the folder h has something else in it (letter.txt)");
    char *letter = get_file(f, "h/letter.txt"), *list = get_file(f, "h.pvd");
    assert_string_equal(letter, "mine\n");
    assert_string_equal(list, "old\n");
    free(letter);
    free(list);
    assert_int_equal(run(f, "s.yaml --history .pvd -o out"), 2);
    ASSERT_SAYS(f->err, "must have a name before .pvd");
    assert_int_equal(run(f, "s.yaml --history h.txt -o out"), 2);
    ASSERT_SAYS(f->err, "or in .pvd for ParaView");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_resumed_run_is_the_same_as_one_in_one_go),
        TEST(checkpoints_on_the_way_change_nothing),
        TEST(an_interrupted_run_goes_on),
        TEST(a_new_history_begins_at_the_checkpoint),
        TEST(what_does_not_belong_together_is_refused),
        TEST(a_collection_has_what_the_table_has),
        TEST(a_history_can_be_of_some_bodies),
        TEST(so_can_a_collection),
        TEST(bodies_that_are_not_there_are_told),
        TEST(bobs_and_rods_are_where_they_are),
        TEST(a_collection_goes_on_and_shrinks),
        TEST(a_killed_run_leaves_a_collection),
        TEST(a_full_disk_is_told),
        TEST(a_file_that_fails_leaves_the_others),
        TEST(a_foreign_folder_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
