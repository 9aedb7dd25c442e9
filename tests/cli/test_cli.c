/* The program as a whole: exit statuses, and what it says of itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "carom/law.h"
#include "program.h"
#include "read_json.h"
#include "support.h"

#define EXAMPLE(name) CAROM_SOURCE_DIR "/examples/" name ".yaml"

static const char CRADLE[] = "laws: [lzb]\nchain: {count: 3, velocity: [1], restitution: 0.85}\n";

/* ---- Exit statuses ------------------------------------------------------------------------- */

static void bad_command_lines_exit_2_with_a_hint(void **state)
{
    static const struct {
        const char *rest, *words;
    } cases[] = {
        {"", "usage: carom"},
        {"slove x", "did you mean 'solve'?"},
        {"c.yaml", "did you mean 'carom solve c.yaml'?"},
        {"solve", "solve needs FILE"},
        {"solve a b", "unexpected 'b'"},
        {"solve --fromat json c.yaml", "did you mean '--format'?"},
        {"solve --restitution 0.5 c.yaml",
         "unknown option '--restitution'; fields of the scenario are set by --set, such as --set "
         "chain.restitution=..."},
        {"solve --format xml c.yaml", "must be table, json or csv"},
        {"solve c.yaml -o", "needs a value"},
        {"solve --quiet=1 c.yaml", "takes no value"},
        {"solve --jobs 0 c.yaml", "must be a whole number"},
        {"solve --set x c.yaml", "must be PATH=VALUE"},
        {"solve --set chain.count=2 --set chain.count=3 c.yaml",
         "--set gives chain.count twice: '2' and '3'"},
        {"solve --plot a.png --plot b.pdf c.yaml",
         "--plot is given twice, 'a.png' and 'b.pdf'; give it once"},
        {"solve -o a.json --output=b.json c.yaml", "--output is given twice, 'a.json' and"},
        {"solve --report a.html --report a.html c.yaml", "--report is given twice"},
        {"solve --history a.csv --history b.csv c.yaml", "--history is given twice"},
        {"solve --law lzb -lmoreau c.yaml", "--law is given twice; write --law lzb,moreau"},
        {"solve --show velocity --show energy c.yaml", "write --show velocity,energy"},
        {"solve --rows 1 --rows -1 c.yaml", "--rows is given twice; write --rows 1,-1"},
        {"solve --show velocty c.yaml", "did you mean 'velocity'?"},
        {"solve --show zzzzzzzz c.yaml",
         "must be one of all, energy, course, checks, notes, velocity,"},
        {"solve --rows 0 c.yaml", "--rows is '0'; must be a list such as 1-5,-1"},
        {"solve --rows 9,cue c.yaml", "'9,cue' names none of the 3 coordinates and 2 contacts"},
        {"solve --report r.txt c.yaml", "must be a file that ends in .html"},
        {"solve --history h.txt c.yaml", "must be a file that ends in .csv, or in .h5"},
        {"check --format csv c.yaml", "check: --format must be table or json"},
        {"check --fromat json c.yaml", "did you mean '--format'?"},
        {"solve --law lzb,hertz c.yaml", "'hertz' is neither a law nor a label of this scenario; "
                                         "'carom laws' lists the laws"},
        {"init rack", "unknown kind 'rack'; 'carom init' lists them"},
        {"fields xyzzyx", "unknown block 'xyzzyx'; 'carom fields' lists them"},
        {"simulate", "simulate needs FILE"},
        {"simulate --impacts i.txt c.yaml", "must be a file that ends in .csv"},
        {"simulate --history h.txt c.yaml", "or in .pvd for ParaView"},
        {"fit --law lzb,moreau f.yaml", "'lzb,moreau' names several laws; this command takes one"},
        {"laws lzbb", "did you mean 'lzb'?"},
        {"help slove", "unknown command"},
    };
    fixture *f = *state;
    put_file(f, "c.yaml", CRADLE);
    put_file(f, "f.yaml",
             "chain: {count: 2, velocity: [1], restitution: 0.5}\n"
             "fit: {parameters: {chain.restitution: {from: 0, to: 1}}, measured: [{what: duration, "
             "value: 1}]}\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (run_carom(f, cases[i].rest) != 2) {
            fail_msg("'%s' did not exit with 2", cases[i].rest);
        }
        ASSERT_SAYS(f->err, cases[i].words);
        assert_string_equal(f->out, "");
    }
}

static void bad_scenarios_exit_3_with_the_place(void **state)
{
    fixture *f = *state;
    put_file(f, "bad.yaml", "chain:\n  count: 3\n  restituton: 1\n");
    assert_int_equal(run_carom(f, "solve bad.yaml"), 3);
    assert_string_equal(f->err, "bad.yaml:3:3: unknown field 'restituton' in chain; did you mean "
                                "'restitution'?\n");
    assert_int_equal(run_carom(f, "check nowhere.yaml"), 3);
    assert_string_equal(f->err, "nowhere.yaml: cannot be read: No such file or directory\n");
    assert_int_equal(run_carom(f, "check ."), 3);
    assert_string_equal(f->err, ".: cannot be read: Is a directory\n");
    assert_int_equal(run_carom(f, "check - < /dev/null"), 3);
    ASSERT_SAYS(f->err, "standard input:1:1: the file is empty");
}

static void a_law_without_an_answer_exits_4_and_the_others_are_reported(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml",
             "laws: [lzb, {law: lzb, label: short, max_steps: 1}]\n"
             "chain: {count: 3, velocity: [1]}\n");
    assert_int_equal(run_carom(f, "solve -f json c.yaml"), 4);
    ASSERT_SAYS(f->err, "law short did not terminate (not_terminated)");
    json_t *root = parse(f->out);
    assert_string_equal(json_string_value(json_object_get(result_of(root, 0), "status")), "solved");
    assert_string_equal(json_string_value(json_object_get(result_of(root, 1), "status")),
                        "not_terminated");
    json_decref(root);
    assert_int_equal(run_carom(f, "solve --quiet c.yaml"), 4);
    assert_string_equal(f->err, "");
}

/* One coefficient for all is no choice when the contacts differ. */
static void a_law_that_does_not_fit_leaves_the_others(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml",
             "laws:\n  - lzb\n  - moreau\n"
             "chain: {count: 3, velocity: [1], restitution: [0.5, 0.6]}\n");
    assert_int_equal(run_carom(f, "solve -f json c.yaml"), 4);
    ASSERT_SAYS(f->err, "c.yaml:3:5: laws[2]");
    ASSERT_SAYS(f->err, "restitution");
    json_t *root = parse(f->out);
    assert_string_equal(json_string_value(json_object_get(result_of(root, 0), "status")), "solved");
    assert_string_equal(json_string_value(json_object_get(result_of(root, 1), "status")), "failed");
    json_decref(root);
    assert_int_equal(run_carom(f, "solve c.yaml"), 4);
    ASSERT_SAYS(f->out, "  lzb       all passed\n  moreau    FAILED: no answer (failed)\n");
    /* Alone it is a mistake of the scenario. */
    assert_int_equal(run_carom(f, "solve --law moreau c.yaml"), 3);
    assert_string_equal(f->out, "");
}

static void outputs_that_cannot_be_written_exit_5(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", CRADLE);
    assert_int_equal(run_carom(f, "solve c.yaml -o no/such/folder/x.json"), 5);
    assert_int_equal(run_carom(f, "solve c.yaml -o x.json --history no/such/folder/h.csv"), 5);
    ASSERT_SAYS(f->err, "could not be written: No such file or directory");
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(run_carom(f, "solve c.yaml -o /dev/full"), 5);
        assert_int_equal(
            run_carom(f, "solve c.yaml --format json > /dev/full 2>/dev/null; r=$?; (exit $r)"), 5);
        assert_int_equal(run_carom(f, "laws > /dev/full 2>/dev/null; r=$?; (exit $r)"), 5);
    }
    assert_int_equal(count_files(f), 1);
}

/* A scheme with absurdly small steps never ends by itself. */
static void what_takes_too_long_gives_what_it_has_reached(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml",
             "laws: [newton, {law: lzb, scheme: time-euler, step: 1e-13, max_steps: 1e14}]\n"
             "chain: {count: 3, velocity: [1]}\n");
    assert_int_equal(run_carom(f, "solve c.yaml --max-seconds 2 --format json"), 4);
    json_t *root = parse(f->out);
    static const char *const status[] = {"solved", "not_terminated"};
    for (size_t i = 0; i < 2; i++) {
        const json_t *told = json_object_get(result_of(root, i), "status");
        assert_string_equal(json_string_value(told), status[i]);
    }
    ASSERT_SAYS(f->err, "time limit of 2 s reached");
    json_decref(root);
    assert_int_equal(run_carom(f, "solve c.yaml --max-seconds 0"), 2);
    ASSERT_SAYS(f->err, "--max-seconds is '0'; must be a number above 0");
}

/* ---- Words --------------------------------------------------------------------------------- */

static void laws_are_described_from_their_descriptors(void **state)
{
    fixture *f = *state;
    assert_int_equal(run_carom(f, "laws"), 0);
    ASSERT_SAYS(f->out, "  lzb ");
    assert_int_equal(run_carom(f, "laws lzb"), 0);
    ASSERT_SAYS(f->out, "stiffness_model: one of bi|mono; default: bi\n");
    ASSERT_SAYS(f->out, "\nequation\n  M v' = W λ");
    ASSERT_SAYS(f->out, "\nassumptions\n");
    ASSERT_SAYS(f->out, "\nreference\n");
    for (size_t i = 0; i < crm_law_count(); i++) {
        assert_non_null(crm_law_at(i)->equation);
    }
}

/* The version says of every optional part whether it was built. */
static void assert_part(const char *text, const char *purpose, bool built)
{
    char line[80];
    snprintf(line, sizeof line, "  %-30s %s\n", purpose,
             built ? "yes" : "no: the module was not built");
    ASSERT_SAYS(text, line);
}

static void help_and_version(void **state)
{
    fixture *f = *state;
    assert_int_equal(run_carom(f, "--version"), 0);
    ASSERT_SAYS(f->out, "carom ");
    assert_part(f->out, "figures (Cairo)", CAROM_HAVE_CAIRO);
    assert_part(f->out, "designs (NLopt)", CAROM_HAVE_NLOPT);
    assert_int_equal(run_carom(f, "--help"), 0);
    ASSERT_SAYS(f->out, "usage: carom COMMAND");
    assert_int_equal(run_carom(f, "help solve"), 0);
    ASSERT_SAYS(f->out, "-o, --output FILE");
    char *help = f->out;
    f->out = NULL;
    assert_int_equal(run_carom(f, "solve --help"), 0);
    assert_string_equal(f->out, help);
    free(help);
}

static void check_says_what_was_understood(void **state)
{
    fixture *f = *state;
    assert_int_equal(run_carom(f, "check " EXAMPLE("column_on_wall")), 0);
    ASSERT_SAYS(f->out, "8: ball 8 - right wall  9.85833e+09    1.5   0.92");
    ASSERT_SAYS(f->out, "contacts 7 and 8                2.356194         135.000             yes");
    ASSERT_SAYS(f->out, "rank of D: 8 of 8");
}

static void check_tells_programs_too(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml",
             "laws: [{law: lzb, tolerance: 1e-6}]\n"
             "bodies:\n"
             "  - {name: a, radius: 1, mass: 3, position: [0], velocity: [2]}\n"
             "  - {name: b, radius: 1, mass: 1, position: [2]}\n"
             "  - {name: c, radius: 1, mass: 1, position: [4.002]}\n");
    assert_int_equal(run_carom(f, "check --format json c.yaml"), 0);
    json_t *root = parse(f->out);
    assert_near(number_at(root, "mass", 0), 3, 0);
    assert_near(number_at(root, "gap_velocity_before", 0), -2, 0);
    assert_int_equal(json_integer_value(json_object_get(root, "rank")), 1);
    const json_t *law = json_array_get(json_object_get(root, "laws"), 0);
    const json_t *options = json_object_get(law, "options");
    assert_near(json_number_value(json_object_get(options, "tolerance")), 1e-6, 0);
    const json_t *miss = json_array_get(json_object_get(root, "nearly_touching"), 0);
    assert_near(json_number_value(json_object_get(miss, "gap")), 0.002, 1e-12);
    json_decref(root);
}

/* The ending of -o says how, unless --format does. */

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(bad_command_lines_exit_2_with_a_hint),
        TEST(bad_scenarios_exit_3_with_the_place),
        TEST(a_law_without_an_answer_exits_4_and_the_others_are_reported),
        TEST(a_law_that_does_not_fit_leaves_the_others),
        TEST(outputs_that_cannot_be_written_exit_5),
        TEST(what_takes_too_long_gives_what_it_has_reached),
        TEST(laws_are_described_from_their_descriptors),
        TEST(help_and_version),
        TEST(check_says_what_was_understood),
        TEST(check_tells_programs_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
