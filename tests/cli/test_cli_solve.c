/* carom solve: its answers in every format. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"
#include "read_json.h"
#include "support.h"

/* Values of the theory's table 11 are given to four digits. */
static const double FOUR_DIGITS = 5e-5 + 1e-6;
/* The solver's own tolerance, with room. */
static const double SOLVED = 1e-6;

#define EXAMPLE(name) CAROM_SOURCE_DIR "/examples/" name ".yaml"

static const char CRADLE[] = "laws: [lzb]\nchain: {count: 3, velocity: [1], restitution: 0.85}\n";

/* ---- Solving ------------------------------------------------------------------------------- */

static void solve_prints_a_table_by_default(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", CRADLE);
    assert_int_equal(run_carom(f, "solve c.yaml"), 0);
    ASSERT_SAYS(f->out, "velocity, m/s");
    ASSERT_SAYS(f->out, "0.86012");
    assert_null(strchr(f->out, '\033'));
    assert_string_equal(f->err, "");
}

static void solve_gives_the_published_velocities_in_json(void **state)
{
    fixture *f = *state;
    assert_int_equal(run_carom(f, "solve --format json " EXAMPLE("three_balls")), 0);
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
    assert_int_equal(run_carom(f, "solve -f json " EXAMPLE("bernoulli")), 0);
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
        int exit = run_carom(f, rest);
        if (exit == 3 && strstr(f->err, "is for carom simulate") != NULL) {
            continue; /* test_simulate runs it */
        }
        if (exit != 0) {
            fail_msg("%s: %s", examples.gl_pathv[i], f->err);
        }
        snprintf(rest, sizeof rest, "check %s", examples.gl_pathv[i]);
        assert_int_equal(run_carom(f, rest), 0);
        ASSERT_SAYS(f->out, "rank of D: ");
    }
    globfree(&examples);
}

/* Left of two obstacles at -a and a struck at speed 2 a w, e = 0, unit mass, I = 1/3. */
static void a_rod_on_two_obstacles_rocks_or_stops(void **state)
{
    fixture *f = *state;
    assert_int_equal(run_carom(f, "solve -f json " EXAMPLE("rod_on_obstacles")), 0);
    json_t *root = parse(f->out);
    for (size_t law = 0; law < 3; law++) {
        /* p = 1 / (1 + 3 a^2) with a = 1/2; the right gap opens. */
        double p = 1 / 1.75;
        assert_near(number_at(result_of(root, law), "velocity", 1), p - 0.5, SOLVED);
        assert_near(number_at(result_of(root, law), "velocity", 2), 1 - 3 * 0.5 * p, SOLVED);
    }
    json_decref(root);
    assert_int_equal(run_carom(f, "solve -f json " EXAMPLE("rod_on_obstacles") //
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
        assert_int_equal(run_carom(f, rest), 0);
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
        assert_int_equal(run_carom(f, rest), 0);
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
    assert_int_equal(run_carom(f, "solve --format=csv c.yaml"), 0);
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
    assert_int_equal(
        run_carom(f, "solve -fjson - --set chain.restitution=1 -s chain.count=2 < c.yaml"), 0);
    json_t *root = parse(f->out);
    /* Two equal elastic balls exchange their velocities. */
    assert_near(number_at(result_of(root, 0), "velocity", 0), 0, SOLVED);
    assert_near(number_at(result_of(root, 0), "velocity", 1), 1, SOLVED);
    json_decref(root);
}

static void laws_of_the_command_line_replace_those_of_the_file(void **state)
{
    fixture *f = *state;
    assert_int_equal(run_carom(f, "solve -f json --law mono " EXAMPLE("three_balls")), 0);
    json_t *root = parse(f->out);
    assert_int_equal(json_array_size(json_object_get(root, "results")), 1);
    assert_near(number_at(result_of(root, 0), "velocity", 0), 0.0307, FOUR_DIGITS);
    json_decref(root);
    assert_int_equal(run_carom(f, "solve --law mno " EXAMPLE("three_balls")), 2);
    ASSERT_SAYS(f->err, "neither a law nor a label");
}

static void any_number_of_jobs_gives_the_same_bytes(void **state)
{
    fixture *f = *state;
    assert_int_equal(run_carom(f, "solve -f json --jobs 1 " EXAMPLE("newton_cradle")), 0);
    char *one = f->out;
    f->out = NULL;
    assert_int_equal(run_carom(f, "solve -f json --jobs 4 " EXAMPLE("newton_cradle")), 0);
    assert_string_equal(f->out, one);
    free(one);
    /* Long enough that rows of laws that ran at once would mix. */
    put_file(f, "c.yaml", "laws: [lzb, lzb, lzb, lzb]\nchain: {count: 60, velocity: [1]}\n");
    assert_int_equal(run_carom(f, "solve --history a.csv -j 1 c.yaml"), 0);
    assert_int_equal(run_carom(f, "solve --history b.csv -j 4 c.yaml"), 0);
    char *a = get_file(f, "a.csv"), *b = get_file(f, "b.csv");
    assert_non_null(a);
    assert_non_null(b);
    assert_string_equal(a, b);
    free(a);
    free(b);
}

/* Without --jobs a large impact is computed on all cores: that must not show. (Whether it is, is
 * not seen here.)
 */
static void all_cores_give_the_same_bytes(void **state)
{
    fixture *f = *state;
    put_file(f, "p.yaml",
             "laws: [moreau, {law: lzb, max_steps: 40}]\n"
             "packing: {lattice: hexagonal, columns: 90, rows: 80, radius: 1, mass: 1,\n"
             "  stiffness: 1, restitution: 0.9, walls: floor, velocity: [0, -1]}\n");
    assert_int_equal(run_carom(f, "solve -f json --jobs 1 p.yaml"), 4);
    char *one = f->out;
    f->out = NULL;
    assert_int_equal(run_carom(f, "solve -f json p.yaml"), 4);
    assert_string_equal(f->out, one);
    free(one);
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
    assert_int_equal(run_carom(f, "solve s.yaml"), 0);
    ASSERT_SAYS(f->out, "\n  heel ");
    ASSERT_SAYS(f->out, "\n  contact 2 ");
    assert_int_equal(run_carom(f, "check s.yaml"), 0);
    ASSERT_SAYS(f->out, "\n  1: heel ");
    ASSERT_SAYS(f->out, "\n  2: contact 2 ");
    assert_int_equal(run_carom(f, "solve s.yaml -f csv"), 0);
    ASSERT_SAYS(f->out, ",contact,1,heel,");
    ASSERT_SAYS(f->out, ",contact,2,contact 2,");
    assert_int_equal(run_carom(f, "solve s.yaml -f json"), 0);
    json_t *root = parse(f->out);
    const json_t *names = json_object_get(root, "contact_names");
    assert_string_equal(json_string_value(json_array_get(names, 0)), "heel");
    const json_t *row = json_array_get(json_object_get(root, "mass_matrix"), 1);
    assert_near(json_number_value(json_array_get(row, 0)), 1, 0);
    assert_near(number_at(root, "mass", 1), 2, 0);
    json_decref(root);
    assert_int_equal(run_carom(f, "solve s.yaml --set system.contacts[2].name=heel"), 3);
    ASSERT_SAYS(f->err, "is 'heel', which is already the name of another contact");
    assert_int_equal(run_carom(f, "solve s.yaml --set 'system.contacts[1].name=contact 2'"), 3);
    ASSERT_SAYS(f->err, "already the name of another contact");
}

static void the_name_of_a_file_implies_its_format(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", "chain: {count: 2, velocity: [1]}\n");
    assert_int_equal(run_carom(f, "solve c.yaml -o t.json && head -c 1 t.json"), 0);
    assert_string_equal(f->out, "{");
    assert_int_equal(run_carom(f, "solve c.yaml -o t.CSV && head -c 4 t.CSV"), 0);
    assert_string_equal(f->out, "law,");
    assert_int_equal(run_carom(f, "solve c.yaml -f csv -o t.json && head -c 4 t.json"), 0);
    assert_string_equal(f->out, "law,");
    assert_int_equal(run_carom(f, "help"), 0);
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
        TEST(standard_input_and_overrides),
        TEST(laws_of_the_command_line_replace_those_of_the_file),
        TEST(any_number_of_jobs_gives_the_same_bytes),
        TEST(all_cores_give_the_same_bytes),
        TEST(contacts_of_a_system_may_be_named),
        TEST(the_name_of_a_file_implies_its_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
