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
    f->entries[0] = (crm_report_entry){"one, \"quoted\"", f->outcome.law, &f->outcome, ""};
    f->entries[1] = (crm_report_entry){"two", f->outcome.law, NULL, "it broke down"};
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
    return crm_report_table(report, false, stream, error);
}

static crm_status coloured_table(const crm_report *report, FILE *stream, crm_error *error)
{
    return crm_report_table(report, true, stream, error);
}

static crm_status plain_check(const crm_report *report, FILE *stream, crm_error *error)
{
    return crm_report_model(report, false, stream, error);
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
                                 "-0.30000000000000004,,,,,,,,,,,\n"));
    assert_non_null(strstr(text, "solved,contact,1,ball 1 - ball 2,,,-1,0.30000000000000004,"
                                 "1.25,0.25,123.5,,3,,,,\n"));
    assert_non_null(strstr(text, "lzb,two,failed,coordinate,1,ball 1,1,,"));
    free(text);
}

/* ---- Table --------------------------------------------------------------------------------- */

static void table_tells_what_is_wrong_in_words(void **state)
{
    fixture *f = *state;
    char *text = written(plain_table, &f->report);
    assert_non_null(strstr(text, "3 bodies, 2 contacts, 1 approaching\n"));
    const char *verdict = strstr(text, "no contact still closes");
    assert_non_null(verdict);
    assert_int_equal(strspn(verdict + strlen("no contact still closes"), " -NO"),
                     strcspn(verdict + strlen("no contact still closes"), "\n"));
    assert_non_null(strstr(verdict, " NO "));
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
    free(text);
}

static void table_has_colour_only_when_asked(void **state)
{
    fixture *f = *state;
    char *text = written(coloured_table, &f->report);
    assert_non_null(strstr(text, "\033[1;31mNO\033[0m"));
    free(text);
}

static void long_lists_are_cut(void **state)
{
    (void)state;
    enum { BALLS = 1000 };
    crm_model *model;
    crm_chain_def def = crm_chain_def_default();
    def.count = BALLS;
    assert_int_equal(crm_model_from_chain(&def, &model, NULL), CRM_OK);
    double *velocity = CRM_NEW(double, BALLS);
    crm_report_entry entry = {"x", crm_law_find("lzb"), NULL, "none"};
    crm_report report = {
        .title = "", .model = model, .velocity = velocity, .count = 1, .entries = &entry};
    char *text = written(plain_table, &report);
    assert_true(count_lines(text) < 100);
    assert_non_null(strstr(text, "  ball 10 "));
    assert_null(strstr(text, "  ball 11 "));
    assert_non_null(strstr(text, "  ... 980 more coordinates\n"));
    assert_non_null(strstr(text, "  ball 1000 "));
    assert_non_null(strstr(text, "nothing happens"));
    free(text);
    text = written(plain_check, &report);
    assert_true(count_lines(text) < 90);
    assert_non_null(strstr(text, "... 978 more coupled pairs\n"));
    free(text);
    free(velocity);
    crm_model_free(model);
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
    crm_text_wrap(stream, "aaaaaaaaaa bbbbbbbbbb cccccccccc", 75, 4);
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
    crm_history history = {
        .stream = open_memstream(&text, &size), .model = f->model, .interval = 0.5};
    crm_history_begin(&history);
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
    fclose(history.stream);
    assert_int_equal(history.rows, 3);
    assert_int_equal(count_lines(text), 4);
    assert_non_null(strstr(text,
                           "law,time,primary,primary_impulse,v[1],v[2],v[3],force[1],force[2],"
                           "energy[1],energy[2],closing_speed[1],closing_speed[2],impulse[1],"
                           "impulse[2]\n"));
    assert_non_null(strstr(text, "\nl,0,,0,-0.30000000000000004,0,"));
    assert_non_null(strstr(text, "\nl,0.5,2,0,"));
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
    crm_history history = {.stream = full, .model = f->model, .label = "l"};
    crm_sample sample = {.primary = 0,
                         .force = f->force,
                         .stored_energy = f->loss,
                         .closing_speed = f->gap,
                         .impulse = f->impulse,
                         .velocity = f->after};
    assert_int_equal(crm_history_record(&history, &sample), CRM_ERROR_STOPPED);
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
        WITH_FIXTURE(table_has_colour_only_when_asked),
        cmocka_unit_test(long_lists_are_cut),
        WITH_FIXTURE(check_tells_masses_angles_and_rank),
        cmocka_unit_test(numbers_stand_under_one_another),
        cmocka_unit_test(words_wrap_at_the_margin),
        WITH_FIXTURE(history_writes_samples_at_the_interval),
        WITH_FIXTURE(history_stops_when_it_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
