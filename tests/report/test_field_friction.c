/* The fields of outcomes with friction, in the plane and in space: JSON, CSV and the table. */
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

#include "made_up.h"
#include "study/recorded.h"

/* Two unit masses per contact: the first coordinate of each is along the normal, the others along
 * the tangents.
 */
static crm_model *model_of(unsigned tangents)
{
    const double mass[] = {1, 1, 1, 1, 1, 1}, mu[] = {0.5, 0};
    const double w[] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0};
    const double plane[] = {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0};
    const double space[] = {0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
    crm_system_def def = crm_system_def_default();
    def.coordinates = 6;
    def.contacts = 2;
    def.mass_diagonal = mass;
    def.w_dense = w;
    def.friction = mu;
    def.tangents = tangents;
    def.t_dense = tangents == 1 ? plane : space;
    crm_model *model = NULL;
    assert_int_equal(crm_model_from_system(&def, &model, NULL), CRM_OK);
    return model;
}

typedef struct fixture {
    crm_outcome outcome;
    crm_report_entry entry;
    crm_report report;
} fixture;

static const double BEFORE[] = {-1, 2, 3, -4, 5, 6};
static double after[] = {0, 1.5, 0.25, 4, 0.125, 6}, impulse[] = {1, 8}, gap[] = {0, 4},
              loss[] = {0.75, 0.5}, by_friction[] = {0.25, 0}, along[] = {-0.5, 0.375, 0, 0},
              slip[] = {1.5, 0.25, 5, 6};
static uint32_t paths[] = {CRM_PATH_SLIP | CRM_PATH_STICK, 0};

static fixture *make(unsigned tangents)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->outcome = (crm_outcome){.law = crm_law_find("lzb"),
                               .result = CRM_SOLVED,
                               .note = "",
                               .coordinates = 6,
                               .contacts = 2,
                               .velocity = after,
                               .impulse = impulse,
                               .gap_velocity = gap,
                               .loss = loss,
                               .tangents = tangents,
                               .tangential_impulse = along,
                               .slip_velocity = slip,
                               .loss_friction = by_friction,
                               .path = paths,
                               .tangential_unique = true,
                               .energy_held = 0.0625,
                               .energy_before = 45.5,
                               .energy_after = 30,
                               .unique = true};
    f->entry = (crm_report_entry){"one", f->outcome.law, &f->outcome, "", NULL};
    f->report = (crm_report){.title = "T",
                             .model = model_of(tangents),
                             .velocity = BEFORE,
                             .count = 1,
                             .entries = &f->entry};
    return f;
}

static void drop(fixture *f)
{
    crm_model_free((crm_model *)(uintptr_t)f->report.model);
    free(f);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static double at(const json_t *list, size_t i)
{
    const json_t *value = json_array_get(list, i);
    return json_is_null(value) ? (double)NAN : json_number_value(value);
}

static const json_t *result_of(const json_t *root)
{
    assert_non_null(root);
    return json_array_get(json_object_get(root, "results"), 0);
}

static void json_has_one_number_per_contact_in_the_plane(void **state)
{
    (void)state;
    fixture *f = make(1);
    char *text = written(crm_report_json, &f->report);
    json_t *root = json_loads(text, 0, NULL);
    const json_t *result = result_of(root);
    assert_true(at(json_object_get(root, "friction"), 0) == 0.5);
    assert_true(at(json_object_get(root, "slip_velocity_before"), 1) == 5);
    assert_true(at(json_object_get(result, "tangential_impulse"), 0) == -0.5);
    assert_true(at(json_object_get(result, "slip_velocity"), 1) == 0.25);
    assert_true(at(json_object_get(result, "loss_restitution"), 0) == 0.5);
    assert_true(at(json_object_get(result, "loss_restitution"), 1) == 0.5);
    assert_true(at(json_object_get(result, "loss_friction"), 0) == 0.25);
    assert_true(json_number_value(json_object_get(result, "energy_held")) == 0.0625);
    assert_true(json_is_true(json_object_get(result, "tangential_unique")));
    const json_t *path = json_array_get(json_object_get(result, "path"), 0);
    assert_int_equal(json_array_size(path), 2);
    assert_string_equal(json_string_value(json_array_get(path, 0)), "slip");
    assert_string_equal(json_string_value(json_array_get(path, 1)), "stick");
    assert_int_equal(json_array_size(json_array_get(json_object_get(result, "path"), 1)), 0);
    json_decref(root);
    free(text);
    drop(f);
}

static void json_has_two_numbers_per_contact_in_space(void **state)
{
    (void)state;
    fixture *f = make(2);
    char *text = written(crm_report_json, &f->report);
    json_t *root = json_loads(text, 0, NULL);
    const json_t *impulses = json_object_get(result_of(root), "tangential_impulse");
    assert_int_equal(json_array_size(impulses), 2);
    assert_true(at(json_array_get(impulses, 0), 1) == 0.375);
    const json_t *slips = json_object_get(result_of(root), "slip_velocity");
    assert_true(at(json_array_get(slips, 1), 0) == 5 && at(json_array_get(slips, 1), 1) == 6);
    json_decref(root);
    free(text);
    drop(f);
}

static void json_has_null_where_only_a_sum_is_determined(void **state)
{
    (void)state;
    for (unsigned tangents = 1; tangents <= 2; tangents++) {
        fixture *f = make(tangents);
        f->outcome.tangential_unique = false;
        f->outcome.path = NULL;
        char *text = written(crm_report_json, &f->report);
        json_t *root = json_loads(text, 0, NULL);
        const json_t *impulses = json_object_get(result_of(root), "tangential_impulse");
        assert_true(json_is_null(json_array_get(impulses, 0)));
        assert_true(json_is_null(json_array_get(impulses, 1)));
        assert_true(json_is_null(json_object_get(result_of(root), "path")));
        assert_true(json_is_false(json_object_get(result_of(root), "tangential_unique")));
        json_decref(root);
        free(text);
        drop(f);
    }
}

/* ---- CSV ------------------------------------------------------------------------------------- */

/* The cell of a row, which is found by its kind and number, under a title. */
static void cell(const char *csv, const char *row, const char *title, char *text, size_t size)
{
    const char *line = strstr(csv, row);
    assert_non_null(line);
    while (line > csv && line[-1] != '\n') {
        line--;
    }
    const char *head = csv;
    for (; strncmp(head, title, strlen(title)) != 0 || head[strlen(title)] != ','; head++) {
        assert_true(*head != '\n');
        if (*head == ',') {
            for (bool quoted = false; *line != ',' || quoted; line++) {
                quoted ^= *line == '"';
            }
            line++;
        }
    }
    size_t length = line[0] == '"' ? strcspn(line + 1, "\"") + 2 : strcspn(line, ",\n");
    snprintf(text, size, "%.*s", (int)length, line);
}

static void csv_has_rows_of_tangents_in_space_only(void **state)
{
    (void)state;
    char text[64];
    for (unsigned tangents = 1; tangents <= 2; tangents++) {
        fixture *f = make(tangents);
        char *csv = written(crm_report_csv, &f->report);
        assert_int_equal(count_lines(csv), 1 + 6 + 2 + 1 + (tangents == 2 ? 4 : 0));
        const char *row = tangents == 1 ? ",contact,1," : ",tangent,1,";
        cell(csv, row, "tangential_impulse", text, sizeof text);
        assert_string_equal(text, "-0.5");
        cell(csv, row, "slip_velocity", text, sizeof text);
        assert_string_equal(text, "1.5");
        cell(csv, ",contact,1,", "path", text, sizeof text);
        assert_string_equal(text, "\"slip, stick\"");
        cell(csv, ",contact,1,", "friction", text, sizeof text);
        assert_string_equal(text, "0.5");
        if (tangents == 2) {
            cell(csv, ",tangent,4,", "slip_velocity", text, sizeof text);
            assert_string_equal(text, "6");
            cell(csv, ",contact,1,", "slip_velocity", text, sizeof text);
            assert_string_equal(text, "");
        }
        free(csv);
        drop(f);
    }
}

/* ---- The table ------------------------------------------------------------------------------- */

static crm_status write_table(const crm_report *report, FILE *stream, crm_error *error)
{
    crm_style style = crm_report_style_plain();
    style.width = 200;
    return crm_report_table(report, style, stream, error);
}

static void the_table_has_what_friction_did(void **state)
{
    (void)state;
    static const char *const texts[] = {"tangential impulse", "slip velocity", "slip, stick",
                                        "friction, J", "held, J"};
    fixture *f = make(2);
    char *table = written(write_table, &f->report);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strstr(table, texts[i]) == NULL) {
            print_error("%s\n", table);
            fail_msg("'%s' is not in the table", texts[i]);
        }
    }
    assert_non_null(strstr(table, " t2"));
    free(table);
    drop(f);
}

/* ---- Studies --------------------------------------------------------------------------------- */

static void studies_record_tangents(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double value;
    } wanted[] = {{"tangential_impulse[2]", 0.375}, {"slip_velocity[-1]", 6},
                  {"sum(loss_friction)", 0.25},     {"path[1]", 3},
                  {"energy_held", 0.0625},          {"max(slip_velocity)", 6}};
    fixture *f = make(2);
    const crm_impact impact = {.model = f->report.model,
                               .velocity = BEFORE,
                               .outcome = &f->outcome,
                               .first = &f->outcome};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        crm_recorded recorded;
        char problem[256];
        assert_true(crm_recorded_parse(&crm_recordable_impact, wanted[i].name, &recorded, problem,
                                       sizeof problem));
        assert_true(crm_recorded_value(&recorded, &impact) == wanted[i].value);
    }
    drop(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_one_number_per_contact_in_the_plane),
        cmocka_unit_test(json_has_two_numbers_per_contact_in_space),
        cmocka_unit_test(json_has_null_where_only_a_sum_is_determined),
        cmocka_unit_test(csv_has_rows_of_tangents_in_space_only),
        cmocka_unit_test(the_table_has_what_friction_did),
        cmocka_unit_test(studies_record_tangents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
