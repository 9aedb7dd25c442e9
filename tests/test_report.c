/* Reports: what is written is what was computed, in every format. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/base.h"
#include "report/report.h"
#include "report/sheet.h"

/* ---- An impact made up for the purpose: no solver is needed to write it down --------------- */

typedef struct fixture {
    crm_model *model;
    double velocity[3], after[3], impulse[2], gap[2], loss[2], force[2];
    uint32_t compressions[2];
    crm_outcome outcome;
    crm_report_entry entries[2];
    crm_report report;
} fixture;

static const double ODD = 0.1 + 0.2; /* 0.30000000000000004: needs all 17 digits */

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    crm_chain_def def = crm_chain_def_default();
    def.count = 3;
    assert_int_equal(crm_model_from_chain(&def, &f->model, NULL), CRM_OK);
    f->velocity[0] = 1;
    memcpy(f->after, (double[]){-ODD, 0, 1e-7}, sizeof f->after);
    memcpy(f->impulse, (double[]){1.25, 1e-7}, sizeof f->impulse);
    memcpy(f->gap, (double[]){ODD, -0.125}, sizeof f->gap);
    memcpy(f->loss, (double[]){0.25, 0}, sizeof f->loss);
    memcpy(f->force, (double[]){123.5, 7}, sizeof f->force);
    f->compressions[0] = 3;
    f->outcome = (crm_outcome){.law = crm_law_find("lzb"),
                               .result = CRM_SOLVED,
                               .note = "a note, with a comma",
                               .coordinates = 3,
                               .contacts = 2,
                               .velocity = f->after,
                               .impulse = f->impulse,
                               .gap_velocity = f->gap,
                               .loss = f->loss,
                               .peak_force = f->force,
                               .compressions = f->compressions,
                               .energy_before = 0.5,
                               .energy_after = 0.25,
                               .energy_error = NAN,
                               .kinematic = false,
                               .kinetic = true,
                               .energetic = true,
                               .unique = true,
                               .duration = 2.5,
                               .error_estimate = NAN,
                               .steps = 42};
    f->entries[0] = (crm_report_entry){"one, \"quoted\"", f->outcome.law, &f->outcome, "", NULL};
    f->entries[1] = (crm_report_entry){"two", f->outcome.law, NULL, "it broke down", NULL};
    f->report = (crm_report){.title = "T",
                             .model = f->model,
                             .velocity = f->velocity,
                             .count = 2,
                             .entries = f->entries};
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    crm_model_free(f->model);
    free(f);
    return 0;
}

/* What a writer writes, to be freed. */
typedef crm_status (*writer)(const crm_report *report, FILE *stream, crm_error *error);

static char *written(writer write, const crm_report *report)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_int_equal(write(report, stream, NULL), CRM_OK);
    assert_int_equal(fclose(stream), 0);
    char *copy = crm_copy_text(text);
    free(text);
    return copy;
}

static crm_status plain_table(const crm_report *report, FILE *stream, crm_error *error)
{
    return crm_report_table(report, crm_style_plain(), stream, error);
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
    return crm_report_model(report, crm_style_plain(), stream, error);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void json_round_trips_every_bit(void **state)
{
    fixture *f = *state;
    char *text = written(crm_report_json, &f->report);
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    const json_t *result = json_array_get(json_object_get(root, "results"), 0);
    const json_t *velocity = json_object_get(result, "velocity");
    assert_int_equal(json_array_size(velocity), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(json_number_value(json_array_get(velocity, i)) == f->after[i]);
    }
    assert_true(json_number_value(json_object_get(result, "energy_ratio")) == 0.5);
    assert_true(json_number_value(json_object_get(root, "energy_before")) == 0.5);
    assert_int_equal(json_integer_value(json_object_get(result, "steps")), 42);
    assert_true(json_is_false(json_object_get(result, "kinematic")));
    assert_string_equal(json_string_value(json_object_get(result, "label")), "one, \"quoted\"");
    assert_string_equal(
        json_string_value(json_array_get(json_array_get(json_object_get(root, "contacts"), 1), 1)),
        "ball 3");
    json_decref(root);
    free(text);
}

static void json_has_every_promised_key_and_null_for_what_is_not_defined(void **state)
{
    static const char *const keys[] = {"law",     "label",          "status",       "velocity",
                                       "impulse", "gap_velocity",   "energy_after", "energy_ratio",
                                       "loss",    "kinematic",      "kinetic",      "energetic",
                                       "unique",  "duration",       "peak_force",   "compressions",
                                       "steps",   "error_estimate", "measures"};
    fixture *f = *state;
    char *text = written(crm_report_json, &f->report);
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    const json_t *results = json_object_get(root, "results");
    for (size_t r = 0; r < 2; r++) {
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
            if (json_object_get(json_array_get(results, r), keys[i]) == NULL) {
                fail_msg("result %zu has no '%s'", r, keys[i]);
            }
        }
    }
    const json_t *first = json_array_get(results, 0), *second = json_array_get(results, 1);
    static const char *const measures[] = {"dispersion",    "forward",    "effective_restitution",
                                           "forward_share", "last_share", "stuck_pairs",
                                           "gap_percent",   "near"};
    for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
        assert_non_null(json_object_get(json_object_get(first, "measures"), measures[i]));
    }
    assert_true(json_is_null(json_object_get(first, "error_estimate")));
    assert_null(json_object_get(first, "reason"));
    assert_true(json_is_null(json_object_get(second, "velocity")));
    assert_string_equal(json_string_value(json_object_get(second, "status")), "failed");
    assert_string_equal(json_string_value(json_object_get(second, "reason")), "it broke down");
    json_decref(root);
    free(text);
}

/* ---- CSV ----------------------------------------------------------------------------------- */

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text != '\0'; text++) {
        lines += *text == '\n';
    }
    return lines;
}

static void csv_has_a_row_per_coordinate_contact_and_impact(void **state)
{
    fixture *f = *state;
    char *text = written(crm_report_csv, &f->report);
    assert_int_equal(count_lines(text), 1 + 2 * (3 + 2 + 1));
    assert_non_null(strstr(text, "law,label,status,kind,index,name,velocity_before,velocity,"));
    assert_non_null(strstr(text, "lzb,\"one, \"\"quoted\"\"\",solved,coordinate,1,ball 1,1,"
                                 "-0.30000000000000004,,,,,,,,,,,,1,,,,,"));
    assert_non_null(strstr(text, "solved,contact,1,ball 1 - ball 2,,,-1,0.30000000000000004,"
                                 "1.25,0.25,123.5,,3,,,,,,1,1.5,1,0,"));
    assert_non_null(strstr(text, "lzb,two,failed,coordinate,1,ball 1,1,,"));
    /* Verdicts, what was told the law and what it says; the columns end in options, reason, note.
     */
    assert_non_null(
        strstr(text, "energy_ratio,kinematic,kinetic,energetic,unique,error_estimate,"));
    assert_non_null(strstr(text, ",0.5,0.25,2.5,42,,,,,,0.5,0,1,1,1,,,"));
    assert_non_null(strstr(text, ",options,reason,note\n"));
    assert_non_null(strstr(text, ",,,\"a note, with a comma\"\n"));
    assert_non_null(strstr(text, ",,it broke down,\n"));
    free(text);
}

/* ---- Table --------------------------------------------------------------------------------- */

static void table_tells_what_is_wrong_in_words(void **state)
{
    fixture *f = *state;
    f->outcome.kinetic = false;
    f->outcome.energetic = false;
    f->outcome.energy_after = 0.75; /* of 0.5 */
    f->impulse[1] = -0.5;
    char *text = written(plain_table, &f->report);
    assert_non_null(strstr(text, "3 bodies, 2 contacts, 1 approaching\n"));
    assert_non_null(strstr(text,
                           "  one, \"quoted\"  NO: 1 contact still closes, at up to 0.125 m/s; "
                           "1 contact\n"
                           "                 pulls, by up to 0.5 N s; 0.25 J from nowhere\n"));
    /* They come before the numbers that they are about. */
    assert_true(strstr(text, "\nchecks (") < strstr(text, "\nvelocity"));
    assert_non_null(strstr(text, "  two            NO: no answer (failed)\n"));
    assert_non_null(strstr(text, "two: it broke down\n"));
    assert_non_null(strstr(text, "one, \"quoted\": a note, with a comma\n"));
    assert_null(strchr(text, '\033'));
    free(text);
}

static void table_is_short_when_all_is_well(void **state)
{
    fixture *f = *state;
    f->outcome.kinematic = true;
    f->report.count = 1;
    char *text = written(plain_table, &f->report);
    assert_non_null(strstr(text, "\nchecks: solved, no contact still closes, "));
    assert_true(strstr(text, "\nchecks: ") > strstr(text, "\nvelocity"));
    free(text);
}

static void table_has_colour_and_bars_only_when_asked(void **state)
{
    fixture *f = *state;
    char *text = written(coloured_table, &f->report);
    assert_non_null(strstr(text, "\033[1;31mNO\033[0m"));
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
static char *table_of_many(fixture *f, const char *const *labels, size_t count, int width)
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
    fixture *f = *state;
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
    fixture *f = *state;
    f->outcome.peak_force = NULL;
    char *text = written(plain_table, &f->report);
    assert_null(strstr(text, "peak force"));
    free(text);
}

static void laws_are_compared_in_one_place(void **state)
{
    fixture *f = *state;
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
    fixture *f = *state;
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
    char *copy = crm_copy_text(text);
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
        assert_false(crm_rows_are_good(bad[i]));
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
    fixture *f = *state;
    char *text = written(plain_check, &f->report);
    /* Equal balls: cos theta = -1/2. */
    assert_non_null(strstr(text, "contacts 1 and 2                2.094395         120.000"));
    assert_non_null(strstr(text, "rank of D: 2 of 2, the contacts are independent\n"));
    assert_non_null(strstr(text, "1: ball 1 - ball 2"));
    free(text);
}

/* ---- Numbers ------------------------------------------------------------------------------- */

static void numbers_stand_under_one_another(void **state)
{
    (void)state;
    static const struct {
        double largest, value;
        const char *text;
    } cases[] = {{1, 1, "1.00000"},
                 {1, 0, "0      "},
                 {1, -0.25, "-0.25000"},
                 {1, 1e-7, "1.0e-07"},
                 {1, -1e-14, "0      "},
                 {1, NAN, "-"},
                 {991.95, 12, "12.000"},
                 {0.016, 0.016, "0.0160000"},
                 {1e-5, 1e-5, "1.00000e-05"},
                 {1e10, -1e10, "-1.00000e+10"},
                 {0, 0, "0      "}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[40];
        crm_scale_format(crm_scale_for(cases[i].largest), cases[i].value, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

static void words_wrap_at_the_margin(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    crm_text_wrap(stream, 92, "aaaaaaaaaa bbbbbbbbbb cccccccccc", 75, 4);
    fclose(stream);
    assert_string_equal(text, "aaaaaaaaaa\n    bbbbbbbbbb cccccccccc\n");
    free(text);
}

/* ---- Histories ----------------------------------------------------------------------------- */

static void history_writes_samples_at_the_interval(void **state)
{
    fixture *f = *state;
    char *text = NULL;
    size_t size = 0;
    crm_choice all;
    assert_int_equal(crm_choose(f->model, NULL, &all, NULL), CRM_OK);
    crm_history_csv csv = {
        .stream = open_memstream(&text, &size), .model = f->model, .choice = &all};
    crm_history history = {.format = &crm_history_as_csv, .to = &csv, .interval = 0.5};
    crm_history_csv_begin(&csv);
    crm_history_law(&history, "l");
    static const double times[] = {0, 0.25, 0.5, 0.5, 0.75, 1.0 + 1e-12, 1.2};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        crm_sample sample = {.time = times[i],
                             .primary = i == 0 ? SIZE_MAX : 1,
                             .force = f->force,
                             .stored_energy = f->loss,
                             .closing_speed = f->gap,
                             .impulse = f->impulse,
                             .velocity = f->after};
        assert_int_equal(crm_history_record(&history, &sample), CRM_OK);
    }
    /* It ends after 2.5 s, in the state that the outcome has. */
    assert_int_equal(crm_history_end(&history, &f->outcome, NULL), CRM_OK);
    assert_int_equal(crm_history_end(&history, &f->outcome, NULL), CRM_OK); /* once */
    fclose(csv.stream);
    crm_choice_free(&all);
    assert_int_equal(history.rows, 4);
    assert_int_equal(count_lines(text), 5);
    assert_non_null(strstr(text, "law,time,primary,primary_impulse,v[ball 1] (m/s),v[ball 2] (m/s),"
                                 "v[ball 3] (m/s),force[ball 1 - ball 2] (K=1),"
                                 "force[ball 2 - ball 3] (K=1),energy[ball 1 - ball 2] (J),"));
    assert_non_null(strstr(text, "closing_speed[ball 2 - ball 3] (m/s),impulse[ball 1 - ball 2] "
                                 "(N s),impulse[ball 2 - ball 3] (N s)\n"));
    assert_non_null(strstr(text, "\nl,0,,0,-0.30000000000000004,0,"));
    assert_non_null(strstr(text, "\nl,0.5,2,0,"));
    assert_non_null(strstr(text, "\nl,1,2,0,")); /* which was 1e-12 later */
    assert_non_null(strstr(text, "\nl,2.5,,,-0.30000000000000004,0,1e-07,0,0,0,0,"
                                 "-0.30000000000000004,0.125,1.25,1e-07\n"));
    free(text);
}

static void history_is_of_what_was_chosen(void **state)
{
    fixture *f = *state;
    char *text = NULL;
    size_t size = 0;
    crm_error error = {0};
    crm_choice part;
    assert_int_equal(crm_choose(f->model, "ball 3", &part, NULL), CRM_OK);
    double room[1 + 4];
    assert_int_equal(part.coordinates, 1);
    assert_int_equal(part.contacts, 1);
    crm_history_csv csv = {
        .stream = open_memstream(&text, &size), .model = f->model, .choice = &part};
    crm_history history = {.format = &crm_history_as_csv, .to = &csv, .choice = part, .room = room};
    crm_history_csv_begin(&csv);
    crm_history_law(&history, "l");
    crm_sample sample = {.time = 0.1 + 0.2,
                         .primary = 1,
                         .force = f->force,
                         .stored_energy = f->loss,
                         .closing_speed = f->gap,
                         .impulse = f->impulse,
                         .velocity = f->after};
    assert_int_equal(crm_history_record(&history, &sample), CRM_OK);
    fclose(csv.stream);
    assert_string_equal(text, "law,time,primary,primary_impulse,v[ball 3] (m/s),"
                              "force[ball 2 - ball 3] (K=1),energy[ball 2 - ball 3] (J),"
                              "closing_speed[ball 2 - ball 3] (m/s),"
                              "impulse[ball 2 - ball 3] (N s)\n"
                              "l,0.30000000000000004,2,0,1e-07,7,0,-0.125,1e-07\n");
    free(text);
    crm_choice_free(&part);
    assert_int_equal(crm_choose(f->model, "ball 4", &part, &error), CRM_ERROR_OPTION);
}

static void times_are_printed_as_multiples(void **state)
{
    (void)state;
    assert_true(crm_history_time(3 * 0.1, 0.1) == 0.3);
    assert_true(crm_history_time(7e-6 + 1e-21, 1e-6) == 7e-6);
    assert_true(crm_history_time(0.35, 0.1) == 0.35); /* not one */
    assert_true(crm_history_time(ODD, 0) == ODD);     /* there is no interval */
    assert_true(crm_history_time(1.0 / 3, 1.0 / 3) == 1.0 / 3);
}

static void there_is_no_minus_nought(void **state)
{
    fixture *f = *state;
    f->after[1] = -0.0;
    char *text = written(crm_report_csv, &f->report);
    assert_non_null(strstr(text, "coordinate,2,ball 2,0,0,"));
    free(text);
    text = written(crm_report_json, &f->report);
    assert_null(strstr(text, "-0.0,"));
    free(text);
}

static void history_stops_when_it_cannot_be_written(void **state)
{
    fixture *f = *state;
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL) {
        skip();
    }
    setvbuf(full, NULL, _IONBF, 0);
    crm_choice all;
    assert_int_equal(crm_choose(f->model, NULL, &all, NULL), CRM_OK);
    crm_history_csv csv = {.stream = full, .model = f->model, .choice = &all, .label = "l"};
    crm_history history = {.format = &crm_history_as_csv, .to = &csv};
    crm_sample sample = {.primary = 0,
                         .force = f->force,
                         .stored_energy = f->loss,
                         .closing_speed = f->gap,
                         .impulse = f->impulse,
                         .velocity = f->after};
    assert_int_equal(crm_history_record(&history, &sample), CRM_ERROR_STOPPED);
    crm_choice_free(&all);
    fclose(full);
}

int main(void)
{
#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(json_round_trips_every_bit),
        WITH_FIXTURE(json_has_every_promised_key_and_null_for_what_is_not_defined),
        WITH_FIXTURE(csv_has_a_row_per_coordinate_contact_and_impact),
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
        cmocka_unit_test(numbers_stand_under_one_another),
        cmocka_unit_test(words_wrap_at_the_margin),
        WITH_FIXTURE(history_writes_samples_at_the_interval),
        WITH_FIXTURE(history_is_of_what_was_chosen),
        cmocka_unit_test(times_are_printed_as_multiples),
        WITH_FIXTURE(there_is_no_minus_nought),
        WITH_FIXTURE(history_stops_when_it_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
