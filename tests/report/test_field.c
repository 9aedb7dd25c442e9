/* The fields of an outcome: what the table of fields names is in every output, with its value. */
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

#include "field/field.h"
#include "report/report.h"
#include "study/recorded.h"

/* ---- An impact made up for the purpose ------------------------------------------------------ */

enum { BALLS = 3, CONTACTS = BALLS }; /* the last one is with a wall */

/* Every number is another one, so that none can stand for another. */
static double before[BALLS] = {2, 0.5, -0.25}, after[BALLS] = {-0.5, 0.75, 1.5};
static double impulse[CONTACTS] = {11, 12, 13}, gap[CONTACTS] = {21, 22, 23};
static double loss[CONTACTS] = {0.31, 0.32, 0.33}, force[CONTACTS] = {41, 42, 43};
static double contact_duration[CONTACTS] = {51, 52, 53};
static uint32_t compressions[CONTACTS] = {61, 62, 63};
static double first_after[BALLS] = {-0.5, 0.75, 1};

static crm_outcome made_up(void)
{
    return (crm_outcome){.law = crm_law_find("lzb"),
                         .result = CRM_SOLVED,
                         .coordinates = BALLS,
                         .contacts = CONTACTS,
                         .velocity = after,
                         .impulse = impulse,
                         .gap_velocity = gap,
                         .loss = loss,
                         .peak_force = force,
                         .contact_duration = contact_duration,
                         .compressions = compressions,
                         .energy_before = 4,
                         .energy_after = 3,
                         .stored_before = 0.125,
                         .boundary_work = 0.0625,
                         .energy_error = 1e-9,
                         .kinematic = true,
                         .kinetic = false,
                         .energetic = true,
                         .unique = false,
                         .duration = 71,
                         .error_estimate = 1e-8,
                         .steps = 72,
                         .evaluations = 73,
                         .tail_closed = true,
                         .tail_speed = 1e-7};
}

typedef struct fixture {
    crm_model *model;
    crm_outcome first, outcome;
    crm_report_entry entries[3];
    crm_report report;
    crm_impact impact;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    crm_chain_def def = crm_chain_def_default();
    def.count = BALLS;
    def.wall_side = CRM_WALL_RIGHT;
    assert_int_equal(crm_model_from_chain(&def, &f->model, NULL), CRM_OK);
    f->first = f->outcome = made_up();
    f->first.velocity = first_after;
    f->entries[0] = (crm_report_entry){"first", f->first.law, &f->first, "", NULL};
    f->entries[1] = (crm_report_entry){"second", f->outcome.law, &f->outcome, "", NULL};
    f->entries[2] = (crm_report_entry){"none", f->outcome.law, NULL, "it broke down", NULL};
    f->report = (crm_report){
        .title = "T", .model = f->model, .velocity = before, .count = 3, .entries = f->entries};
    f->impact = (crm_impact){
        .model = f->model, .velocity = before, .outcome = &f->outcome, .first = &f->first};
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

static const crm_outcome_field *called(const char *name)
{
    const crm_outcome_field *field = crm_field_find(name, strlen(name));
    if (field == NULL) {
        fail_msg("no field is called %s", name);
    }
    return field;
}

/* ---- Values --------------------------------------------------------------------------------- */

static void kept_fields_are_the_members_of_their_names(void **state)
{
    const fixture *f = *state;
    const struct {
        const char *name;
        double value;
    } singles[] = {{"energy_after", 3},
                   {"stored_before", 0.125},
                   {"boundary_work", 0.0625},
                   {"kinematic", 1},
                   {"kinetic", 0},
                   {"energetic", 1},
                   {"unique", 0},
                   {"duration", 71},
                   {"steps", 72},
                   {"evaluations", 73},
                   {"error_estimate", 1e-8},
                   {"energy_error", 1e-9},
                   {"tail_closed", 1},
                   {"tail_speed", 1e-7},
                   {"energy_ratio", 0.75},
                   {"bodies", BALLS},
                   {"contacts", CONTACTS},
                   {"forward", 2},
                   {"energy_before", 2.15625}, /* (4 + 0.25 + 0.0625) / 2 */
                   {"near", 2}};
    for (size_t i = 0; i < sizeof singles / sizeof singles[0]; i++) {
        double value = crm_field_value(called(singles[i].name), &f->impact, 0);
        if (value != singles[i].value) {
            fail_msg("%s is %g, not %g", singles[i].name, value, singles[i].value);
        }
    }
    const double *lists[] = {impulse, gap, loss, force, contact_duration};
    const char *const names[] = {"impulse", "gap_velocity", "loss", "peak_force",
                                 "contact_duration"};
    for (size_t j = 0; j < CONTACTS; j++) {
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            assert_true(crm_field_value(called(names[k]), &f->impact, j) == lists[k][j]);
        }
        assert_true(crm_field_value(called("compressions"), &f->impact, j) == compressions[j]);
    }
    for (size_t i = 0; i < BALLS; i++) {
        assert_true(crm_field_value(called("velocity"), &f->impact, i) == after[i]);
        assert_true(crm_field_value(called("velocity_before"), &f->impact, i) == before[i]);
        assert_true(crm_field_value(called("body_energy"), &f->impact, i) ==
                    0.5 * after[i] * after[i]);
    }
    /* Balls close at v1 - v2, the last one comes up to the wall at its own speed. */
    assert_true(crm_field_value(called("gap_velocity_before"), &f->impact, 0) == -1.5);
    assert_true(crm_field_value(called("gap_velocity_before"), &f->impact, 1) == -0.75);
    assert_true(crm_field_value(called("gap_velocity_before"), &f->impact, 2) == 0.25);
}

static void what_is_not_defined_has_no_value(void **state)
{
    fixture *f = *state;
    f->outcome.peak_force = NULL;
    f->outcome.compressions = NULL;
    f->outcome.duration = NAN;
    const char *const names[] = {"peak_force", "compressions", "duration"};
    for (size_t i = 0; i < 3; i++) {
        assert_false(crm_field_defined(called(names[i]), &f->impact));
        assert_true(isnan(crm_field_value(called(names[i]), &f->impact, 0)));
    }
    f->impact.outcome = NULL;
    for (size_t i = 0; i < crm_outcome_fields(); i++) {
        const crm_outcome_field *field = crm_outcome_field_at(i);
        bool known = field->before && !field->friction;
        assert_int_equal(crm_field_defined(field, &f->impact), known);
        assert_int_equal(!isnan(crm_field_value(field, &f->impact, 0)), known);
    }
}

static void names_are_there_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < crm_outcome_fields(); i++) {
        const char *name = crm_outcome_field_at(i)->name;
        assert_non_null(crm_outcome_field_at(i)->text);
        assert_ptr_equal(called(name), crm_outcome_field_at(i));
    }
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static char *written(const crm_report *report,
                     crm_status (*write)(const crm_report *, FILE *, crm_error *))
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_int_equal(write(report, stream, NULL), CRM_OK);
    fclose(stream);
    return text;
}

static void expect_scalar(const crm_outcome_field *field, double value, const json_t *json)
{
    switch (field->kind) {
    case CRM_FIELD_FLAG:
        assert_true(json_is_boolean(json) && json_is_true(json) == (value != 0));
        break;
    case CRM_FIELD_COUNT:
        assert_true(json_is_integer(json) && (double)json_integer_value(json) == value);
        break;
    default:
        assert_true(json_is_real(json) && json_real_value(json) == value);
        break;
    }
}

static void expect_field(const crm_outcome_field *field, const crm_impact *impact,
                         const json_t *object)
{
    const json_t *json = json_object_get(object, field->name);
    if (field->optional && !crm_field_defined(field, impact)) {
        assert_null(json);
        return;
    }
    if (json == NULL) {
        fail_msg("%s is not in JSON", field->name);
    }
    if (field->of == CRM_OF_IMPACT) {
        expect_scalar(field, crm_field_value(field, impact, 0), json);
        return;
    }
    assert_int_equal(json_array_size(json), crm_field_count(field, impact->model));
    for (size_t i = 0; i < json_array_size(json); i++) {
        expect_scalar(field, crm_field_value(field, impact, i), json_array_get(json, i));
    }
}

static void json_has_every_field_at_its_place(void **state)
{
    const fixture *f = *state;
    char *text = written(&f->report, crm_report_json);
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    const json_t *results = json_object_get(json, "results");
    const json_t *result = json_array_get(results, 1), *none = json_array_get(results, 2);
    const json_t *places[] = {[CRM_JSON_SYSTEM] = json,
                              [CRM_JSON_RESULT] = result,
                              [CRM_JSON_MEASURES] = json_object_get(result, "measures")};
    for (size_t i = 0; i < crm_outcome_fields(); i++) {
        const crm_outcome_field *field = crm_outcome_field_at(i);
        if (field->friction) { /* the model has none: test_field_friction */
            assert_null(json_object_get(json, field->name));
            assert_null(json_object_get(result, field->name));
            continue;
        }
        if (field->json != CRM_JSON_NOWHERE) {
            expect_field(field, &f->impact, places[field->json]);
        } else { /* what the system alone decides, or follows from what is there */
            assert_true(field->before || field->of == CRM_OF_BODY || field->of_course);
        }
        if (field->json == CRM_JSON_RESULT && !field->optional) {
            assert_true(json_is_null(json_object_get(none, field->name)));
        }
    }
    assert_true(json_is_null(json_object_get(none, "measures")));
    /* What is counted has no decimal point. */
    const char *const counts[] = {"forward", "stuck_pairs", "near"};
    for (size_t i = 0; i < 3; i++) {
        assert_true(json_is_integer(json_object_get(places[CRM_JSON_MEASURES], counts[i])));
    }
    assert_true(json_is_integer(json_object_get(result, "steps")));
    assert_true(json_is_integer(json_object_get(result, "evaluations")));
    json_decref(json);
    free(text);
}

/* ---- CSV ------------------------------------------------------------------------------------ */

enum { CSV_KEYS = 6 }; /* law, label, status, kind, index, name */

/* 1, 2, ... n, each once; and rows are of coordinates, contacts and the impact alone. */
static void csv_columns_are_numbered_without_holes(void **state)
{
    (void)state;
    size_t count = 0;
    for (size_t i = 0; i < crm_outcome_fields(); i++) {
        count += crm_outcome_field_at(i)->csv > 0;
    }
    for (size_t i = 0; i < crm_outcome_fields(); i++) {
        const crm_outcome_field *field = crm_outcome_field_at(i);
        if (field->csv > count) {
            fail_msg("%s has column %u of %zu", field->name, field->csv, count);
        }
        if (field->csv > 0 && field->of == CRM_OF_BODY) {
            fail_msg("%s has a column, but CSV has no rows of bodies", field->name);
        }
        for (size_t k = 0; k < i && field->csv > 0; k++) {
            if (crm_outcome_field_at(k)->csv == field->csv) {
                fail_msg("%s and %s both have column %u", crm_outcome_field_at(k)->name,
                         field->name, field->csv);
            }
        }
    }
}

static void csv_has_the_columns_in_order(void **state)
{
    const fixture *f = *state;
    char *text = written(&f->report, crm_report_csv), *rest = NULL;
    text[strcspn(text, "\n")] = '\0';
    size_t column = 0, named = 0;
    for (char *name = strtok_r(text, ",", &rest); name != NULL;
         name = strtok_r(NULL, ",", &rest), column++) {
        bool text_of_law = strcmp(name, "options") == 0 || strcmp(name, "reason") == 0 ||
                           strcmp(name, "note") == 0;
        if (column >= CSV_KEYS && !text_of_law) {
            assert_int_equal(called(name)->csv, column - CSV_KEYS + 1);
            named++;
        }
    }
    for (size_t i = 0; i < crm_outcome_fields(); i++) {
        named -= crm_outcome_field_at(i)->csv > 0 && !crm_outcome_field_at(i)->friction;
    }
    assert_int_equal(named, 0);
    free(text);
}

/* ---- The table for people ------------------------------------------------------------------- */

static crm_status write_table(const crm_report *report, FILE *stream, crm_error *error)
{
    crm_style style = crm_report_style_plain();
    style.width = 400;
    return crm_report_table(report, style, stream, error);
}

/* Titles may be broken between words, so each word is looked for. */
static void expect_words(const char *text, const char *title)
{
    char words[64], *rest = NULL;
    snprintf(words, sizeof words, "%s", title);
    for (char *word = strtok_r(words, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        if (strstr(text, word) == NULL) {
            fail_msg("'%s' is not in the table", title);
        }
    }
}

static void table_has_every_title(void **state)
{
    const fixture *f = *state;
    char *text = written(&f->report, write_table);
    size_t places[2] = {0}, sums[2] = {0};
    for (size_t i = 0; i < crm_outcome_fields(); i++) {
        const crm_outcome_field *field = crm_outcome_field_at(i);
        if (field->heading != NULL && !field->friction) {
            assert_true(field->of != CRM_OF_IMPACT);
            expect_words(text, field->heading);
        }
        if (field->summary.place > 0) {
            if (!field->friction) {
                expect_words(text, field->summary.title);
            }
            places[field->summary.course] += 1;
            sums[field->summary.course] += field->summary.place;
        }
    }
    for (size_t k = 0; k < 2; k++) { /* 1, 2, ... n, each once */
        assert_int_equal(sums[k], places[k] * (places[k] + 1) / 2);
    }
    free(text);
}

/* ---- Studies -------------------------------------------------------------------------------- */

static void every_field_can_be_recorded(void **state)
{
    const fixture *f = *state;
    for (size_t i = 0; i < crm_outcome_fields(); i++) {
        const crm_outcome_field *field = crm_outcome_field_at(i);
        crm_recorded recorded;
        char name[80], problem[256];
        bool list = field->of != CRM_OF_IMPACT;
        snprintf(name, sizeof name, "%s%s", field->name, list ? "[-1]" : "");
        assert_true(
            crm_recorded_parse(&crm_recordable_impact, name, &recorded, problem, sizeof problem));
        assert_true(crm_recorded_exists(&recorded, &f->impact));
        size_t last = crm_field_count(field, f->model) - 1;
        double value = crm_field_value(field, &f->impact, last),
               got = crm_recorded_value(&recorded, &f->impact);
        assert_true(field->friction ? isnan(got) : got == value || (isnan(got) && isnan(value)));
        snprintf(name, sizeof name, "sum(%s)", field->name);
        assert_int_equal(
            crm_recorded_parse(&crm_recordable_impact, name, &recorded, problem, sizeof problem),
            list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(kept_fields_are_the_members_of_their_names, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_defined_has_no_value, set_up, tear_down),
        cmocka_unit_test(names_are_there_once),
        cmocka_unit_test_setup_teardown(json_has_every_field_at_its_place, set_up, tear_down),
        cmocka_unit_test(csv_columns_are_numbered_without_holes),
        cmocka_unit_test_setup_teardown(csv_has_the_columns_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(table_has_every_title, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_field_can_be_recorded, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
