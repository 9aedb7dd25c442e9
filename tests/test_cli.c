/* The program as people and scripts use it: exit statuses, outputs, files. */
#include <fcntl.h>
#include <glob.h>
#include <math.h>
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
#include <jansson.h>

#include "carom/law.h"
#include "program.h"

/* Values of the theory's table 11 are given to four digits. */
static const double FOUR_DIGITS = 5e-5 + 1e-6;
/* The solver's own tolerance, with room. */
static const double SOLVED = 1e-6;

#define EXAMPLE(name) CAROM_SOURCE_DIR "/examples/" name ".yaml"

static const char CRADLE[] = "laws: [lzb]\nchain: {count: 3, velocity: [1], restitution: 0.85}\n";

/* ---- Running ------------------------------------------------------------------------------- */

/* The program with these arguments; they may redirect. The exit status. */
static int run(fixture *f, const char *rest)
{
    char command[2048];
    snprintf(command, sizeof command, "$carom %s", rest);
    return shell_with(f, CAROM_PROGRAM, command);
}

static size_t count_files(const fixture *f)
{
    char command[128];
    unsigned count = 0;
    snprintf(command, sizeof command, "ls -A %s | wc -l", f->folder);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%u", &count), 1);
    pclose(pipe);
    return count;
}

static json_t *parse(const char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, 0, &error);
    if (root == NULL) {
        fail_msg("line %d: %s", error.line, error.text);
    }
    return root;
}

static const json_t *result_of(const json_t *root, size_t index)
{
    return json_array_get(json_object_get(root, "results"), index);
}

static double number_at(const json_t *result, const char *key, size_t index)
{
    return json_number_value(json_array_get(json_object_get(result, key), index));
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g is not %.17g within %g", value, expected, tolerance);
    }
}

#define ASSERT_SAYS(text, words)                                                                   \
    do {                                                                                           \
        if (strstr((text), (words)) == NULL) {                                                     \
            fail_msg("'%s' does not say '%s'", (text), (words));                                   \
        }                                                                                          \
    } while (0)

/* ---- Solving ------------------------------------------------------------------------------- */

static void solve_prints_a_table_by_default(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", CRADLE);
    assert_int_equal(run(f, "solve c.yaml"), 0);
    ASSERT_SAYS(f->out, "velocity, m/s");
    ASSERT_SAYS(f->out, "0.86012");
    assert_null(strchr(f->out, '\033'));
    assert_string_equal(f->err, "");
}

static void solve_gives_the_published_velocities_in_json(void **state)
{
    fixture *f = *state;
    assert_int_equal(run(f, "solve --format json " EXAMPLE("three_balls")), 0);
    json_t *root = parse(f->out);
    static const double bi[] = {0.0218, 0.1181, 0.8601}, mono[] = {0.0307, 0.1097, 0.8596};
    for (size_t i = 0; i < 3; i++) {
        assert_near(number_at(result_of(root, 0), "velocity", i), bi[i], FOUR_DIGITS);
        assert_near(number_at(result_of(root, 1), "velocity", i), mono[i], FOUR_DIGITS);
    }
    assert_string_equal(json_string_value(json_object_get(result_of(root, 1), "label")), "mono");
    json_decref(root);
}

static void bernoulli_example_meets_the_closed_form(void **state)
{
    fixture *f = *state;
    assert_int_equal(run(f, "solve -f json " EXAMPLE("bernoulli")), 0);
    json_t *root = parse(f->out);
    static const double expected[] = {-0.2, 0, 0.6, 0.34641016151377546, 0.6, -0.34641016151377546};
    for (size_t i = 0; i < 6; i++) {
        assert_near(number_at(result_of(root, 0), "velocity", i), expected[i], SOLVED);
    }
    json_decref(root);
}

static void every_example_is_solved_and_checked(void **state)
{
    fixture *f = *state;
    glob_t examples;
    assert_int_equal(glob(EXAMPLE("*"), 0, NULL, &examples), 0);
    assert_true(examples.gl_pathc >= 14);
    for (size_t i = 0; i < examples.gl_pathc; i++) {
        char rest[512];
        snprintf(rest, sizeof rest, "solve %s", examples.gl_pathv[i]);
        int exit = run(f, rest);
        if (exit == 3 && strstr(f->err, "is for carom simulate") != NULL) {
            continue; /* test_simulate runs it */
        }
        if (exit != 0) {
            fail_msg("%s: %s", examples.gl_pathv[i], f->err);
        }
        snprintf(rest, sizeof rest, "check %s", examples.gl_pathv[i]);
        assert_int_equal(run(f, rest), 0);
        ASSERT_SAYS(f->out, "rank of D: ");
    }
    globfree(&examples);
}

/* Left of two obstacles at -a and a struck at speed 2 a w, e = 0, unit mass, I = 1/3. */
static void a_rod_on_two_obstacles_rocks_or_stops(void **state)
{
    fixture *f = *state;
    assert_int_equal(run(f, "solve -f json " EXAMPLE("rod_on_obstacles")), 0);
    json_t *root = parse(f->out);
    for (size_t law = 0; law < 3; law++) {
        /* p = 1 / (1 + 3 a^2) with a = 1/2; the right gap opens. */
        double p = 1 / 1.75;
        assert_near(number_at(result_of(root, law), "velocity", 1), p - 0.5, SOLVED);
        assert_near(number_at(result_of(root, law), "velocity", 2), 1 - 3 * 0.5 * p, SOLVED);
    }
    json_decref(root);
    assert_int_equal(run(f, "solve -f json " EXAMPLE("rod_on_obstacles") //
                         " --set 'bodies[left].position=[-0.8, -0.1]'"
                         " --set 'bodies[right].position=[0.8, -0.1]'"
                         " --set 'bodies[rod].velocity=[0, -0.8]'"),
                     0);
    root = parse(f->out);
    for (size_t law = 0; law < 3; law++) {
        assert_near(number_at(result_of(root, law), "velocity", 1), 0, SOLVED);
        assert_near(number_at(result_of(root, law), "velocity", 2), 0, SOLVED);
    }
    json_decref(root);
}

static void published_velocities_of_the_planar_examples(void **state)
{
    static const struct {
        const char *name;
        double velocity[8];
        double tolerance;
    } cases[] = {
        /* P4 section 4c gives three or four digits, from a step of its own. */
        {EXAMPLE("four_balls_a"), {-0.1363, 0, 0.4206, 0.52, 0.4206, -0.52, 0.2949, 0}, 3e-4},
        {EXAMPLE("four_balls_b"), {-0.197, 0, 0.178, 0.308, 0.178, -0.308, 0.84, 0}, 2e-3},
    };
    fixture *f = *state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char rest[512];
        snprintf(rest, sizeof rest, "solve -f json %s", cases[k].name);
        assert_int_equal(run(f, rest), 0);
        json_t *root = parse(f->out);
        for (size_t i = 0; i < 8; i++) {
            assert_near(number_at(result_of(root, 0), "velocity", i), cases[k].velocity[i],
                        cases[k].tolerance);
        }
        json_decref(root);
    }
}

static void tennis_and_basketball_in_both_orders(void **state)
{
    static const double expected[2][2][2] = {{{-1.1457, -0.6394}, {-1.1475, -0.6357}},
                                             {{-0.1185, -0.1046}, {0, 0}}};
    static const char *const names[] = {EXAMPLE("tennis_basketball"), EXAMPLE("basketball_tennis")};
    fixture *f = *state;
    for (size_t k = 0; k < 2; k++) {
        char rest[512];
        snprintf(rest, sizeof rest, "solve -f json %s", names[k]);
        assert_int_equal(run(f, rest), 0);
        json_t *root = parse(f->out);
        for (size_t law = 0; law < 2; law++) {
            for (size_t i = 0; i < 2; i++) {
                assert_near(number_at(result_of(root, law), "velocity", i), expected[k][law][i],
                            FOUR_DIGITS);
            }
        }
        json_decref(root);
    }
}

static void csv_has_the_documented_rows(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", CRADLE);
    assert_int_equal(run(f, "solve --format=csv c.yaml"), 0);
    size_t lines = 0;
    for (const char *at = f->out; *at != '\0'; at++) {
        lines += *at == '\n';
    }
    assert_int_equal(lines, 1 + 3 + 2 + 1);
    double before, after;
    const char *row = strstr(f->out, "coordinate,3,ball 3,");
    assert_non_null(row);
    assert_int_equal(sscanf(row, "coordinate,3,ball 3,%lf,%lf", &before, &after), 2);
    assert_near(after, 0.8601, FOUR_DIGITS);
}

static void standard_input_and_overrides(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", CRADLE);
    assert_int_equal(run(f, "solve -fjson - --set chain.restitution=1 -s chain.count=2 < c.yaml"),
                     0);
    json_t *root = parse(f->out);
    /* Two equal elastic balls exchange their velocities. */
    assert_near(number_at(result_of(root, 0), "velocity", 0), 0, SOLVED);
    assert_near(number_at(result_of(root, 0), "velocity", 1), 1, SOLVED);
    json_decref(root);
}

static void laws_of_the_command_line_replace_those_of_the_file(void **state)
{
    fixture *f = *state;
    assert_int_equal(run(f, "solve -f json --law mono " EXAMPLE("three_balls")), 0);
    json_t *root = parse(f->out);
    assert_int_equal(json_array_size(json_object_get(root, "results")), 1);
    assert_near(number_at(result_of(root, 0), "velocity", 0), 0.0307, FOUR_DIGITS);
    json_decref(root);
    assert_int_equal(run(f, "solve --law mno " EXAMPLE("three_balls")), 2);
    ASSERT_SAYS(f->err, "neither a law nor a label");
}

static void any_number_of_jobs_gives_the_same_bytes(void **state)
{
    fixture *f = *state;
    assert_int_equal(run(f, "solve -f json --jobs 1 " EXAMPLE("newton_cradle")), 0);
    char *one = f->out;
    f->out = NULL;
    assert_int_equal(run(f, "solve -f json --jobs 4 " EXAMPLE("newton_cradle")), 0);
    assert_string_equal(f->out, one);
    free(one);
    /* Long enough that rows of laws that ran at once would mix. */
    put_file(f, "c.yaml", "laws: [lzb, lzb, lzb, lzb]\nchain: {count: 60, velocity: [1]}\n");
    assert_int_equal(run(f, "solve --history a.csv -j 1 c.yaml"), 0);
    assert_int_equal(run(f, "solve --history b.csv -j 4 c.yaml"), 0);
    char *a = get_file(f, "a.csv"), *b = get_file(f, "b.csv");
    assert_non_null(a);
    assert_non_null(b);
    assert_string_equal(a, b);
    free(a);
    free(b);
}

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
        {"solve --format xml c.yaml", "must be table, json or csv"},
        {"solve c.yaml -o", "needs a value"},
        {"solve --quiet=1 c.yaml", "takes no value"},
        {"solve --jobs 0 c.yaml", "must be a whole number"},
        {"solve --set x c.yaml", "must be PATH=VALUE"},
        {"solve --show velocty c.yaml", "did you mean 'velocity'?"},
        {"solve --show zzzzzzzz c.yaml", "there are all, energy, course, checks, notes, velocity,"},
        {"solve --rows 0 c.yaml", "--rows is '0'; must be a list such as 1-5,-1"},
        {"solve --rows 9,cue c.yaml", "'9,cue' is none of the 3 coordinates and 2 contacts"},
        {"solve --report r.txt c.yaml", "must be a file that ends in .html"},
        {"solve --history h.txt c.yaml", "must be a file that ends in .csv, or in .h5"},
        {"check --format csv c.yaml", "check: --format must be table or json"},
        {"check --fromat json c.yaml", "did you mean '--format'?"},
        {"solve --law lzb,hertz c.yaml", "'hertz' is neither a law nor a label of this scenario; "
                                         "'carom laws' lists the laws"},
        {"init rack", "there is no kind 'rack'; 'carom init' lists all"},
        {"fields xyzzyx", "no block is called 'xyzzyx'; 'carom fields' lists all"},
        {"simulate", "simulate needs FILE"},
        {"simulate --impacts i.txt c.yaml", "must be a file that ends in .csv"},
        {"simulate --history h.txt c.yaml", "or in .pvd for ParaView"},
        {"fit c.yaml", "not available yet"},
        {"laws lzbb", "did you mean 'lzb'?"},
        {"help slove", "no command is called"},
    };
    fixture *f = *state;
    put_file(f, "c.yaml", CRADLE);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (run(f, cases[i].rest) != 2) {
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
    assert_int_equal(run(f, "solve bad.yaml"), 3);
    assert_string_equal(f->err, "bad.yaml:3:3: unknown field 'restituton' in chain; did you mean "
                                "'restitution'?\n");
    assert_int_equal(run(f, "check nowhere.yaml"), 3);
    assert_string_equal(f->err, "nowhere.yaml: cannot be read: No such file or directory\n");
    assert_int_equal(run(f, "check ."), 3);
    assert_string_equal(f->err, ".: cannot be read: Is a directory\n");
    assert_int_equal(run(f, "check - < /dev/null"), 3);
    ASSERT_SAYS(f->err, "standard input:1:1: nothing in it");
}

static void a_law_without_an_answer_exits_4_and_the_others_are_reported(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml",
             "laws: [lzb, {law: lzb, label: short, max_steps: 1}]\n"
             "chain: {count: 3, velocity: [1]}\n");
    assert_int_equal(run(f, "solve -f json c.yaml"), 4);
    ASSERT_SAYS(f->err, "law short did not come to an end (not_terminated)");
    json_t *root = parse(f->out);
    assert_string_equal(json_string_value(json_object_get(result_of(root, 0), "status")), "solved");
    assert_string_equal(json_string_value(json_object_get(result_of(root, 1), "status")),
                        "not_terminated");
    json_decref(root);
    assert_int_equal(run(f, "solve --quiet c.yaml"), 4);
    assert_string_equal(f->err, "");
}

/* One coefficient for all is no choice when the contacts differ. */
static void a_law_that_does_not_fit_leaves_the_others(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml",
             "laws:\n  - lzb\n  - moreau\n"
             "chain: {count: 3, velocity: [1], restitution: [0.5, 0.6]}\n");
    assert_int_equal(run(f, "solve -f json c.yaml"), 4);
    ASSERT_SAYS(f->err, "c.yaml:3:5: laws[2]");
    ASSERT_SAYS(f->err, "restitution");
    json_t *root = parse(f->out);
    assert_string_equal(json_string_value(json_object_get(result_of(root, 0), "status")), "solved");
    assert_string_equal(json_string_value(json_object_get(result_of(root, 1), "status")), "failed");
    json_decref(root);
    assert_int_equal(run(f, "solve c.yaml"), 4);
    ASSERT_SAYS(f->out, "  lzb       all hold\n  moreau    NO: no answer (failed)\n");
    /* Alone it is a mistake of the scenario. */
    assert_int_equal(run(f, "solve --law moreau c.yaml"), 3);
    assert_string_equal(f->out, "");
}

static void outputs_that_cannot_be_written_exit_5(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", CRADLE);
    assert_int_equal(run(f, "solve c.yaml -o no/such/folder/x.json"), 5);
    assert_int_equal(run(f, "solve c.yaml -o x.json --history no/such/folder/h.csv"), 5);
    ASSERT_SAYS(f->err, "could not be written: No such file or directory");
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(run(f, "solve c.yaml -o /dev/full"), 5);
        assert_int_equal(
            run(f, "solve c.yaml --format json > /dev/full 2>/dev/null; r=$?; (exit $r)"), 5);
        assert_int_equal(run(f, "laws > /dev/full 2>/dev/null; r=$?; (exit $r)"), 5);
    }
    assert_int_equal(count_files(f), 1);
}

/* ---- Files --------------------------------------------------------------------------------- */

static void output_replaces_a_file_whole_or_not_at_all(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", CRADLE);
    put_file(f, "bad.yaml", "chain: {count: 0}");
    put_file(f, "out.json", "old");
    assert_int_equal(chmod(in_folder(f, "out.json"), 0640), 0);
    assert_int_equal(run(f, "solve bad.yaml -f json -o out.json"), 3);
    char *text = get_file(f, "out.json");
    assert_string_equal(text, "old");
    free(text);
    assert_int_equal(run(f, "solve c.yaml -f json -o out.json"), 0);
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
    assert_int_equal(run(f, "solve c.yaml -f json -o link.json"), 0);
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
    assert_int_equal(run(f, "solve c.yaml --history h.csv -f json"), 0);
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
    assert_int_equal(run(f, "solve c.yaml --history h.csv"), 0);
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
    assert_int_equal(run(f, "solve c.yaml --history h.csv --set 'history.of=ball 3'"), 0);
    char *text = get_file(f, "h.csv");
    ASSERT_SAYS(text, "primary_impulse,v[ball 3] (m/s),force[ball 2 - ball 3] (K=1),energy[");
    assert_null(strstr(text, "ball 1"));
    free(text);
    assert_int_equal(run(f, "solve c.yaml --history h.csv --set 'history.of=ball 4'"), 3);
    ASSERT_SAYS(f->err, "history.of: 'ball 4' is none of the 3 coordinates and 2 contacts");
}

/* One word for a contact in every output, its own if it has one. */
static void contacts_of_a_system_may_be_named(void **state)
{
    fixture *f = *state;
    put_file(f, "s.yaml",
             "laws: [moreau]\n"
             "system:\n"
             "  mass: [[2, 1], [1, 2]]\n"
             "  velocity: [-1, 0]\n"
             "  contacts:\n"
             "    - {w: [1, 0], name: heel}\n"
             "    - {w: [0, 1]}\n");
    assert_int_equal(run(f, "solve s.yaml"), 0);
    ASSERT_SAYS(f->out, "\n  heel ");
    ASSERT_SAYS(f->out, "\n  contact 2 ");
    assert_int_equal(run(f, "check s.yaml"), 0);
    ASSERT_SAYS(f->out, "\n  1: heel ");
    ASSERT_SAYS(f->out, "\n  2: contact 2 ");
    assert_int_equal(run(f, "solve s.yaml -f csv"), 0);
    ASSERT_SAYS(f->out, ",contact,1,heel,");
    ASSERT_SAYS(f->out, ",contact,2,contact 2,");
    assert_int_equal(run(f, "solve s.yaml -f json"), 0);
    json_t *root = parse(f->out);
    const json_t *names = json_object_get(root, "contact_names");
    assert_string_equal(json_string_value(json_array_get(names, 0)), "heel");
    const json_t *row = json_array_get(json_object_get(root, "mass_matrix"), 1);
    assert_near(json_number_value(json_array_get(row, 0)), 1, 0);
    assert_near(number_at(root, "mass", 1), 2, 0);
    json_decref(root);
    assert_int_equal(run(f, "solve s.yaml --set system.contacts[2].name=heel"), 3);
    ASSERT_SAYS(f->err, "is 'heel', which is already the name of another contact");
    assert_int_equal(run(f, "solve s.yaml --set 'system.contacts[1].name=contact 2'"), 3);
    ASSERT_SAYS(f->err, "already the name of another contact");
}

/* A scheme with absurdly small steps never ends by itself. */
static void what_takes_too_long_gives_what_it_has_reached(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml",
             "laws: [newton, {law: lzb, scheme: time-euler, step: 1e-13, max_steps: 1e14}]\n"
             "chain: {count: 3, velocity: [1]}\n");
    assert_int_equal(run(f, "solve c.yaml --max-seconds 0.5 --format json"), 4);
    json_t *root = parse(f->out);
    static const char *const status[] = {"solved", "not_terminated"};
    for (size_t i = 0; i < 2; i++) {
        const json_t *told = json_object_get(result_of(root, i), "status");
        assert_string_equal(json_string_value(told), status[i]);
    }
    ASSERT_SAYS(f->err, "the time of 0.5 s is up");
    json_decref(root);
    assert_int_equal(run(f, "solve c.yaml --max-seconds 0"), 2);
    ASSERT_SAYS(f->err, "--max-seconds is '0'; must be a number above 0");
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

/* ---- Words --------------------------------------------------------------------------------- */

static void laws_are_described_from_their_descriptors(void **state)
{
    fixture *f = *state;
    assert_int_equal(run(f, "laws"), 0);
    ASSERT_SAYS(f->out, "  lzb ");
    assert_int_equal(run(f, "laws lzb"), 0);
    ASSERT_SAYS(f->out, "stiffness_model: one of bi|mono; default: bi\n");
    ASSERT_SAYS(f->out, "\nequation\n  M v' = W λ");
    ASSERT_SAYS(f->out, "\nassumptions\n");
    ASSERT_SAYS(f->out, "\nreference\n");
    for (size_t i = 0; i < crm_law_count(); i++) {
        assert_non_null(crm_law_at(i)->equation);
    }
}

static void help_and_version(void **state)
{
    fixture *f = *state;
    assert_int_equal(run(f, "--version"), 0);
    ASSERT_SAYS(f->out, "carom ");
    assert_int_equal(run(f, "--help"), 0);
    ASSERT_SAYS(f->out, "usage: carom COMMAND");
    assert_int_equal(run(f, "help solve"), 0);
    ASSERT_SAYS(f->out, "-o, --output FILE");
    char *help = f->out;
    f->out = NULL;
    assert_int_equal(run(f, "solve --help"), 0);
    assert_string_equal(f->out, help);
    free(help);
}

static void check_says_what_was_understood(void **state)
{
    fixture *f = *state;
    assert_int_equal(run(f, "check " EXAMPLE("column_on_wall")), 0);
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
    assert_int_equal(run(f, "check --format json c.yaml"), 0);
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
static void the_name_of_a_file_implies_its_format(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", "chain: {count: 2, velocity: [1]}\n");
    assert_int_equal(run(f, "solve c.yaml -o t.json && head -c 1 t.json"), 0);
    assert_string_equal(f->out, "{");
    assert_int_equal(run(f, "solve c.yaml -o t.CSV && head -c 4 t.CSV"), 0);
    assert_string_equal(f->out, "law,");
    assert_int_equal(run(f, "solve c.yaml -f csv -o t.json && head -c 4 t.json"), 0);
    assert_string_equal(f->out, "law,");
    assert_int_equal(run(f, "help"), 0);
    assert_null(strstr(f->out, "not available"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(solve_prints_a_table_by_default),
        TEST(solve_gives_the_published_velocities_in_json),
        TEST(bernoulli_example_meets_the_closed_form),
        TEST(every_example_is_solved_and_checked),
        TEST(a_rod_on_two_obstacles_rocks_or_stops),
        TEST(published_velocities_of_the_planar_examples),
        TEST(tennis_and_basketball_in_both_orders),
        TEST(csv_has_the_documented_rows),
        TEST(the_name_of_a_file_implies_its_format),
        TEST(standard_input_and_overrides),
        TEST(laws_of_the_command_line_replace_those_of_the_file),
        TEST(any_number_of_jobs_gives_the_same_bytes),
        TEST(bad_command_lines_exit_2_with_a_hint),
        TEST(bad_scenarios_exit_3_with_the_place),
        TEST(a_law_without_an_answer_exits_4_and_the_others_are_reported),
        TEST(a_law_that_does_not_fit_leaves_the_others),
        TEST(outputs_that_cannot_be_written_exit_5),
        TEST(output_replaces_a_file_whole_or_not_at_all),
        TEST(output_through_a_link_keeps_the_link),
        TEST(history_ends_in_the_result),
        TEST(histories_can_be_of_a_part),
        TEST(contacts_of_a_system_may_be_named),
        TEST(history_keeps_to_the_interval),
        TEST(what_takes_too_long_gives_what_it_has_reached),
        TEST(an_interrupted_run_exits_130_and_leaves_nothing),
        TEST(laws_are_described_from_their_descriptors),
        TEST(help_and_version),
        TEST(check_says_what_was_understood),
        TEST(check_tells_programs_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
