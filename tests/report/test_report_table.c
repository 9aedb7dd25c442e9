/* Reports for people: the table, and what carom check tells. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "made_up.h"
#include "report/text/sheet.h"

static crm_status plain_table(const crm_report *report, FILE *stream, crm_error *error)
{
    return crm_report_table(report, crm_report_style_plain(), stream, error);
}

static crm_status coloured_table(const crm_report *report, FILE *stream, crm_error *error)
{
    return crm_report_table(report, (crm_style){.colour = true, .width = 100}, stream, error);
}

static crm_status barred_table(const crm_report *report, FILE *stream, crm_error *error)
{
    return crm_report_table(report, (crm_style){.bars = true, .width = 120}, stream, error);
}

static crm_status wide_table(const crm_report *report, FILE *stream, crm_error *error)
{
    return crm_report_table(report, (crm_style){.width = 120}, stream, error);
}

static crm_status plain_check(const crm_report *report, FILE *stream, crm_error *error)
{
    return crm_report_model(report, crm_report_style_plain(), stream, error);
}

/* ---- Table --------------------------------------------------------------------------------- */

static void table_tells_what_is_wrong_in_words(void **state)
{
    made_up_impact *f = *state;
    f->outcome.kinetic = false;
    f->outcome.energetic = false;
    f->outcome.energy_after = 0.75; /* of 0.5 */
    f->impulse[1] = -0.5;
    char *text = written(plain_table, &f->report);
    assert_non_null(strstr(text, "3 bodies, 2 contacts, 1 closing\n"));
    assert_non_null(strstr(
        text, "  one, \"quoted\"  FAILED: 1 contact still closing, at up to 0.125 m/s; 1 contact\n"
              "                 pulling, by up to 0.5 N s; 0.25 J of energy created\n"));
    /* They come before the numbers that they are about. */
    assert_true(strstr(text, "\nchecks (") < strstr(text, "\nvelocity"));
    assert_non_null(strstr(text, "  two            FAILED: no answer (failed)\n"));
    assert_non_null(strstr(text, "two: it broke down\n"));
    assert_non_null(strstr(text, "one, \"quoted\": a note, with a comma\n"));
    assert_null(strchr(text, '\033'));
    free(text);
}

static void table_is_short_when_all_is_well(void **state)
{
    made_up_impact *f = *state;
    f->outcome.kinematic = true;
    f->report.count = 1;
    char *text = written(plain_table, &f->report);
    assert_non_null(strstr(text, "\nchecks: solved, no contact still closing, "));
    assert_true(strstr(text, "\nchecks: ") > strstr(text, "\nvelocity"));
    free(text);
}

static void table_has_colour_and_bars_only_when_asked(void **state)
{
    made_up_impact *f = *state;
    char *text = written(coloured_table, &f->report);
    assert_non_null(strstr(text, "\033[1;31mFAILED\033[0m"));
    assert_null(strstr(text, "\u2588"));
    free(text);
    text = written(barred_table, &f->report);
    assert_null(strchr(text, '\033'));
    /* Four cells to either side of an axis; 0.3 of them is 2.4 halves. */
    assert_non_null(strstr(text, "1.00000     \u2502\u2588\u2588\u2588\u2588"));
    assert_non_null(strstr(text, "-0.30000    \u2588\u2502"));
    /* Half of the energy is left: four of eight cells, beside the ratio that says so. */
    assert_non_null(strstr(text, " 0.500000 \u2588\u2588\u2588\u2588  "));
    free(text);
    f->after[0] = 0.75;
    f->outcome.energy_after = 0.375;
    text = written(barred_table, &f->report);
    /* Nothing goes backward: six cells for the fastest, 4.5 of them for 0.75. */
    assert_non_null(strstr(text, "1.00000 \u2588\u2588\u2588\u2588\u2588\u2588"));
    assert_non_null(strstr(text, " 0.75000 \u2588\u2588\u2588\u2588\u258c"));
    free(text);
}

/* The answer of the first law under n labels; the first is the reference. */
static char *table_of_many(made_up_impact *f, const char *const *labels, size_t count, int width)
{
    crm_report_entry entries[16];
    for (size_t i = 0; i < count; i++) {
        entries[i] = (crm_report_entry){labels[i], f->outcome.law, &f->outcome, "", NULL};
    }
    crm_report report = f->report;
    report.count = count;
    report.entries = entries;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    crm_style style = {.width = width};
    assert_int_equal(crm_report_table(&report, style, stream, NULL), CRM_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static size_t count_times(const char *text, const char *words)
{
    size_t count = 0;
    for (const char *at = strstr(text, words); at != NULL; at = strstr(at + 1, words)) {
        count++;
    }
    return count;
}

static int widest_line(const char *text)
{
    int widest = 0;
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        int width = (int)strcspn(line, "\n");
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void many_laws_go_below_one_another(void **state)
{
    static const char *const laws[] = {
        "lzb",           "mono",       "moreau", "newton",    "poisson",           "binary",
        "impulse-ratio", "sequential", "icr",    "compliant", "generalized-newton"};
    made_up_impact *f = *state;
    f->outcome.note[0] = '\0';
    char *text = table_of_many(f, laws, 11, 100);
    assert_int_equal(count_times(text, "\nvelocity, m/s "), 3);
    assert_int_equal(count_times(text, "\n  ball 3 "), 3);
    assert_non_null(strstr(text, " generalized-\n")); /* broken at the hyphen */
    assert_true(widest_line(text) <= 100);
    free(text);
    text = table_of_many(f, laws, 11, 200);
    assert_int_equal(count_times(text, "\nvelocity, m/s "), 1);
    free(text);
    text = table_of_many(f, laws, 11, 20); /* too narrow for anything: one law at a time */
    assert_int_equal(count_times(text, "\nvelocity, m/s "), 11);
    free(text);
}

static void a_block_without_the_quantity_is_left_out(void **state)
{
    made_up_impact *f = *state;
    f->outcome.peak_force = NULL;
    char *text = written(plain_table, &f->report);
    assert_null(strstr(text, "peak force"));
    free(text);
}

static void laws_are_compared_in_one_place(void **state)
{
    made_up_impact *f = *state;
    char *text = written(wide_table, &f->report);
    const char *heading = strstr(text, "\nenergy ");
    assert_non_null(heading);
    /* Kinetic energies 0.045, 0, 5e-15: two thirds off a mean of a third, so sqrt(2). */
    assert_non_null(strstr(heading, "kinetic, J      lost, J        ratio   dispersion      forward"
                                    "     first, %\n"));
    assert_non_null(strstr(heading, "0.250000     0.250000     0.500000       1.4142       1 of 3"
                                    "            0\n"));
    assert_null(strstr(heading, "restitution")); /* there is nothing to rebound from */
    free(text);
}

/* A stiffness of 1 is nobody's in N/m^1.5: then times and forces are in no units, but impulses are.
 */
static void seconds_and_newtons_are_for_real_stiffnesses(void **state)
{
    made_up_impact *f = *state;
    char *text = written(wide_table, &f->report);
    assert_non_null(strstr(text, "\npeak force, K=1 "));
    assert_non_null(strstr(text, "   duration,"));
    assert_non_null(strstr(text, "         K=1 "));
    assert_null(strstr(text, "duration, s"));
    assert_non_null(strstr(text, "\nimpulse, N s "));
    free(text);
    crm_model_free(f->model);
    crm_chain_def def = crm_chain_def_default();
    def.count = 3;
    def.stiffness.each = (double[]){1, 2}; /* one is meant */
    assert_int_equal(crm_model_from_chain(&def, &f->model, NULL), CRM_OK);
    f->report.model = f->model;
    text = written(wide_table, &f->report);
    assert_non_null(strstr(text, "\npeak force, N "));
    assert_non_null(strstr(text, "  duration, s "));
    free(text);
}

static void rods_have_a_spin_and_numbered_contacts(void **state)
{
    (void)state;
    crm_body_def rod = crm_body_def_default();
    rod.shape = CRM_SHAPE_ROD;
    rod.name = "rod";
    rod.length = 2;
    rod.mass = 3;
    crm_wall_def floor = crm_wall_def_default();
    floor.name = "floor";
    floor.normal[1] = 1;
    crm_bodies_def def = crm_bodies_def_default();
    def.bodies = &rod;
    def.body_count = 1;
    def.walls = &floor;
    def.wall_count = 1;
    crm_model *model = NULL;
    assert_int_equal(crm_model_from_bodies(&def, &model, NULL), CRM_OK);
    const double velocity[] = {0, -1, 0.5};
    crm_report_entry entry = {"x", crm_law_find("lzb"), NULL, "none", NULL};
    crm_report report = {
        .title = "", .model = model, .velocity = velocity, .count = 1, .entries = &entry};
    char *text = written(plain_table, &report);
    assert_non_null(strstr(text, "\nvelocity, m/s, rad/s "));
    assert_non_null(strstr(text, "\n  rod spin "));
    free(text);
    text = written(plain_check, &report);
    assert_non_null(strstr(text, "  1: rod - floor (1) "));
    assert_non_null(strstr(text, "  2: rod - floor (2) "));
    assert_non_null(
        strstr(text, "\nbodies          mass, kg  v x, m/s  v y, m/s  spin, rad/s  inertia\n"));
    assert_non_null(
        strstr(text, "\n  rod                  3         0        -1          0.5        1\n"));
    free(text);
    crm_model_free(model);
}

/* A thousand balls of which the first does what `speed` says after the impact. */
typedef struct crowd {
    crm_model *model;
    double velocity[1000], after[1000], impulse[999], gap[999], loss[999];
    crm_outcome outcome;
    crm_report_entry entry;
    crm_report report;
} crowd;

static void gather_crowd(crowd *c, double (*speed)(size_t ball))
{
    enum { BALLS = 1000 };
    *c = (crowd){0};
    crm_chain_def def = crm_chain_def_default();
    def.count = BALLS;
    assert_int_equal(crm_model_from_chain(&def, &c->model, NULL), CRM_OK);
    for (size_t i = 0; i < BALLS; i++) {
        c->after[i] = speed(i + 1);
    }
    c->velocity[0] = 1;
    c->outcome = (crm_outcome){.law = crm_law_find("lzb"),
                               .result = CRM_SOLVED,
                               .coordinates = BALLS,
                               .contacts = BALLS - 1,
                               .velocity = c->after,
                               .impulse = c->impulse,
                               .gap_velocity = c->gap,
                               .loss = c->loss,
                               .energy_before = 0.5,
                               .energy_after = 0.5,
                               .kinematic = true,
                               .kinetic = true,
                               .energetic = true,
                               .unique = true,
                               .error_estimate = 1e-6};
    c->entry = (crm_report_entry){"x", c->outcome.law, &c->outcome, "", NULL};
    c->report = (crm_report){
        .title = "", .model = c->model, .velocity = c->velocity, .count = 1, .entries = &c->entry};
}

/* Ball i moves at i / 1000; every other one backward. */
static double ramp(size_t ball)
{
    return (ball % 2 == 0 ? 1 : -1) * (double)ball / 1000;
}

static void long_lists_have_the_largest_first(void **state)
{
    (void)state;
    crowd *c = calloc(1, sizeof *c);
    gather_crowd(c, ramp);
    char *text = written(plain_table, &c->report);
    assert_true(count_lines(text) < 100);
    const char *first = strstr(text, "\n  ball 1000 "), *second = strstr(text, "\n  ball 999 ");
    assert_true(first != NULL && second != NULL && first < second);
    assert_non_null(strstr(text, "\n  ball 981 "));
    assert_null(strstr(text, "\n  ball 980 "));
    assert_non_null(strstr(text, "  ... 980 more coordinates, none above 0.98\n"));
    assert_non_null(strstr(text, "--rows 1-50"));
    free(text);
    text = written(plain_check, &c->report);
    assert_true(count_lines(text) < 90);
    assert_non_null(strstr(text, "... 978 more coupled pairs\n"));
    free(text);
    crm_model_free(c->model);
    free(c);
}

static char *shown(const crowd *c, crm_style style)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    style.width = 80;
    assert_int_equal(crm_report_table(&c->report, style, stream, NULL), CRM_OK);
    assert_int_equal(fclose(stream), 0);
    char *copy = crm_memory_copy_text(text);
    free(text);
    return copy;
}

static void rows_and_parts_can_be_chosen(void **state)
{
    (void)state;
    crowd *c = calloc(1, sizeof *c);
    gather_crowd(c, ramp);
    char *text = shown(c, (crm_style){.rows = "3-5, -1,ball 77", .show = "velocity"});
    assert_non_null(strstr(text, "\n  ball 3 "));
    assert_non_null(strstr(text, "\n  ball 5 "));
    assert_non_null(strstr(text, "\n  ball 1000 "));
    assert_non_null(strstr(text, "\n  ball 77 "));
    assert_int_equal(count_times(text, "\n  ball "), 5);
    assert_null(strstr(text, "impulse"));
    assert_null(strstr(text, "energy"));
    assert_null(strstr(text, "checks"));
    free(text);
    /* A ball's contacts are those that it is a party of. */
    text = shown(c, (crm_style){.rows = "ball 77", .show = "impulse,checks"});
    assert_non_null(strstr(text, "\n  ball 76 - ball 77 "));
    assert_non_null(strstr(text, "\n  ball 77 - ball 78 "));
    assert_int_equal(count_times(text, "\n  ball "), 2);
    assert_non_null(strstr(text, "checks"));
    free(text);
    text = shown(c, (crm_style){.rows = "998-,-2-", .show = "velocity"});
    assert_int_equal(count_times(text, "\n  ball "), 3);
    free(text);
    text = shown(c, (crm_style){.summary = true});
    assert_int_equal(count_times(text, "\n  ball "), CRM_ROWS_SUMMARY);
    assert_null(strstr(text, "\nimpulse"));
    assert_non_null(strstr(text, "\nenergy"));
    assert_non_null(strstr(text, "--show all"));
    free(text);
    crm_error error = {0};
    crm_style style = {.rows = "1001", .width = 80};
    assert_int_equal(crm_report_table(&c->report, style, stderr, &error), CRM_ERROR_OPTION);
    assert_non_null(strstr(error.message, "none of the 1000 coordinates and 999 contacts"));
    static const char *const bad[] = {"", "0", "1,,2", ","};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(crm_rows_are_valid(bad[i]));
    }
    crm_model_free(c->model);
    free(c);
}

/* The first three at speed, the others at a hundredth of the error estimate. */
static double noisy(size_t ball)
{
    return ball <= 3 ? 0.25 : ball % 2 == 0 ? 1e-8 : -1e-8;
}

static void noise_is_not_counted(void **state)
{
    (void)state;
    crowd *c = calloc(1, sizeof *c);
    gather_crowd(c, noisy);
    char *text = shown(c, (crm_style){.show = "energy"});
    assert_non_null(strstr(text, " 3 of 1000\n"));
    free(text);
    /* Nor is what goes on at the pace of an endless tail that was left, here 1e-9 of the speed. */
    c->outcome.error_estimate = NAN;
    c->outcome.result = CRM_NOT_TERMINATED;
    c->gap[500] = -1e-9;
    text = shown(c, (crm_style){.show = "energy"});
    assert_non_null(strstr(text, " 3 of 1000\n"));
    free(text);
    c->outcome.result = CRM_SOLVED;
    c->outcome.error_estimate = NAN; /* not known: then every digit counts */
    text = shown(c, (crm_style){.show = "energy"});
    assert_non_null(strstr(text, " 502 of 1000\n")); /* 3, and 4 to 1000 by twos */
    free(text);
    crm_model_free(c->model);
    free(c);
}

static void check_tells_masses_angles_and_rank(void **state)
{
    made_up_impact *f = *state;
    char *text = written(plain_check, &f->report);
    /* Equal balls: cos theta = -1/2. */
    assert_non_null(strstr(text, "contacts 1 and 2                2.094395         120.000"));
    assert_non_null(strstr(text, "rank of D: 2 of 2, the contacts are independent\n"));
    assert_non_null(strstr(text, "1: ball 1 - ball 2"));
    free(text);
}

int main(void)
{
#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, make_up, drop_made_up)
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(table_tells_what_is_wrong_in_words),
        WITH_FIXTURE(table_is_short_when_all_is_well),
        WITH_FIXTURE(table_has_colour_and_bars_only_when_asked),
        WITH_FIXTURE(many_laws_go_below_one_another),
        WITH_FIXTURE(a_block_without_the_quantity_is_left_out),
        WITH_FIXTURE(laws_are_compared_in_one_place),
        WITH_FIXTURE(seconds_and_newtons_are_for_real_stiffnesses),
        cmocka_unit_test(rods_have_a_spin_and_numbered_contacts),
        cmocka_unit_test(long_lists_have_the_largest_first),
        cmocka_unit_test(rows_and_parts_can_be_chosen),
        cmocka_unit_test(noise_is_not_counted),
        WITH_FIXTURE(check_tells_masses_angles_and_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
