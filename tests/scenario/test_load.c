/* Scenarios, studies and reports through the library's own headers. */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "carom/carom.h"
#include "support.h"

#define EXAMPLE(name) CAROM_SOURCE_DIR "/examples/" name ".yaml"

static crm_source text_source(const char *text)
{
    return (crm_source){.path = "file.yaml", .text = text, .length = strlen(text)};
}

static crm_scenario *load(const crm_source *source)
{
    crm_scenario *scenario = NULL;
    crm_error error = {0};
    assert_ok(crm_scenario_load(source, &scenario, &error), &error);
    return scenario;
}

static void test_a_text_is_read(void **state)
{
    (void)state;
    const char *const sets[] = {"chain.restitution=0.5", "title=two"};
    crm_source source = text_source("{\"title\": \"one\", \"laws\": [\"newton\", \"moreau\"], "
                                    "\"chain\": {\"count\": 2, \"velocity\": [4]}}");
    source.overrides = sets;
    source.override_count = 2;
    crm_scenario *scenario = load(&source);
    const crm_model *model = crm_scenario_model(scenario);
    crm_outcome *outcome = NULL;
    assert_string_equal(crm_scenario_title(scenario), "two");
    assert_int_equal(crm_scenario_law_count(scenario), 2);
    assert_string_equal(crm_scenario_label(scenario, 1), "moreau");
    assert_int_equal(crm_model_contacts(model), 1);
    assert_near(crm_scenario_velocity(scenario)[0], 4, 0);
    assert_null(crm_scenario_scene(scenario));
    assert_int_equal(crm_solve(model, crm_scenario_velocity(scenario),
                               crm_scenario_settings(scenario, 0), NULL, &outcome, NULL),
                     CRM_OK);
    assert_near(outcome->velocity[0], 1, 1e-15); /* (1 - e) / 2 of 4 */
    assert_near(outcome->velocity[1], 3, 1e-15);
    crm_outcome_free(outcome);
    crm_scenario_free(scenario);
}

static void test_a_file_is_read(void **state)
{
    (void)state;
    const crm_source source = {.path = EXAMPLE("three_balls"), .laws = "newton,lzb"};
    crm_scenario *scenario = load(&source);
    assert_int_equal(crm_model_bodies(crm_scenario_model(scenario)), 3);
    assert_int_equal(crm_scenario_law_count(scenario), 2);
    assert_string_equal(crm_scenario_label(scenario, 0), "newton");
    crm_scenario_free(scenario);
}

/* ---- Complaints ------------------------------------------------------------------------------ */

static void assert_refused(const crm_source *source, const char *place, const char *words)
{
    crm_scenario *scenario = NULL;
    crm_error error = {0};
    crm_status status = crm_scenario_load(source, &scenario, &error);
    assert_int_not_equal(status, CRM_OK);
    assert_int_equal(error.status, status);
    assert_null(scenario);
    assert_string_equal(error.place, place);
    if (strstr(error.message, words) == NULL) {
        fail_msg("'%s' is not in '%s'", words, error.message);
    }
}

static void test_mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    crm_source source = text_source("chain:\n  count: 2\n  restitution: 2\n");
    assert_refused(&source, "file.yaml:3:16", "file.yaml:3:16: chain.restitution");
    source = text_source("chain: {cuont: 2}\n");
    assert_refused(&source, "file.yaml:1:9", "did you mean 'count'?");
    source = (crm_source){.path = "no/such.yaml"};
    assert_refused(&source, "", "no/such.yaml: cannot be read");
    source = text_source("chain: {count: 2}\n");
    source.laws = "lzbb";
    assert_refused(&source, "", "did you mean 'lzb'?");
    source = (crm_source){0};
    assert_refused(&source, "source.path", "");
    crm_error error = {0};
    assert_int_equal(crm_scenario_load(&source, NULL, &error), CRM_ERROR_ARGUMENT);
    assert_int_equal(crm_scenario_load(NULL, &(crm_scenario *){0}, &error), CRM_ERROR_ARGUMENT);
}

/* However long the path: the message is there, and no character is cut in two. */
static void assert_cut_well(size_t length)
{
    char path[4000];
    for (size_t i = 0; i < sizeof path; i += 4) {
        memcpy(path + i, "/\u00e4b", 4);
    }
    path[length] = '\0';
    crm_source source = text_source("chain: {count: 0}\n");
    source.path = path;
    crm_scenario *scenario = NULL;
    crm_error error = {0};
    assert_int_not_equal(crm_scenario_load(&source, &scenario, &error), CRM_OK);
    assert_non_null(strstr(error.message, "chain.count"));
    assert_int_equal(strncmp(error.place, "...", 3), 0);
    assert_int_not_equal((unsigned char)error.place[3] & 0xc0, 0x80);
    assert_non_null(strstr(error.place, ":1:16"));
}

static void test_long_paths_are_cut(void **state)
{
    (void)state;
    for (size_t length = 3984; length < 3992; length++) {
        assert_cut_well(length);
    }
}

/* ---- Motions --------------------------------------------------------------------------------- */

static const char bouncing[] =
    "bodies: [{name: ball, shape: sphere, radius: 1, mass: 1, position: [0, 3]}]\n"
    "walls: [{point: [0, 0], normal: [0, 1]}]\n"
    "simulate: {duration: 2, gravity: [0, -4], law: {law: newton, label: n}, output_every: 0.5}\n";

static void test_a_motion_is_read(void **state)
{
    (void)state;
    crm_source source = text_source(bouncing);
    crm_scenario *scenario = NULL;
    crm_motion *motion = NULL;
    crm_error error = {0};
    char name[64];
    double q[2], v[2];
    assert_ok(crm_scenario_load_motion(&source, &scenario, &error), &error);
    assert_null(crm_scenario_model(scenario));
    assert_int_equal(crm_scenario_scene(scenario)->bodies.body_count, 1);
    assert_near(crm_scenario_duration(scenario), 2, 0);
    assert_near(crm_scenario_output_every(scenario), 0.5, 0);
    crm_motion_options options = crm_scenario_motion_options(scenario);
    assert_int_equal(options.scheme, CRM_EVENT_DRIVEN);
    assert_string_equal(crm_settings_law(options.law)->name, "newton");
    assert_string_equal(crm_scenario_motion_label(scenario), "n");
    crm_scenario_coordinate_name(scenario, false, 1, name, sizeof name);
    assert_string_equal(name, "ball y");
    crm_scenario_coordinate_name(scenario, true, 0, name, sizeof name);
    assert_string_equal(name, "ball vx");
    assert_ok(crm_scenario_make_motion(scenario, &motion, &error), &error);
    /* Falls 2 m in 1 s, and e = 1 throws it back. */
    assert_ok(crm_motion_run(motion, crm_scenario_duration(scenario), NULL, NULL, &error), &error);
    crm_motion_read(motion, q, v);
    assert_near(q[1], 3, 1e-8);
    crm_motion_free(motion);
    crm_scenario_free(scenario);
    source.laws = "moreau";
    assert_ok(crm_scenario_load_motion(&source, &scenario, &error), &error);
    assert_string_equal(crm_scenario_motion_label(scenario), "moreau");
    crm_scenario_free(scenario);
    source.laws = "moreau,lzb";
    assert_int_equal(crm_scenario_load_motion(&source, &scenario, &error), CRM_ERROR_OPTION);
    assert_non_null(strstr(error.message, "a motion takes one"));
}

static void test_a_motion_that_cannot_be_is_told(void **state)
{
    (void)state;
    crm_source source = text_source(bouncing);
    const char *const sets[] = {"simulate.gravity=[0, 0]"};
    source.overrides = sets;
    source.override_count = 1;
    crm_scenario *scenario = NULL;
    crm_motion *motion = NULL;
    crm_error error = {0};
    assert_ok(crm_scenario_load_motion(&source, &scenario, &error), &error);
    assert_int_equal(crm_scenario_make_motion(scenario, &motion, &error), CRM_ERROR_MODEL);
    assert_non_null(strstr(error.message, "nothing moves"));
    assert_null(motion);
    crm_scenario_free(scenario);
}

/* ---- Studies --------------------------------------------------------------------------------- */

static const char study_text[] =
    "laws: [newton, moreau]\n"
    "chain: {count: 2, velocity: [1]}\n"
    "sweep: {grid: {chain.restitution: {from: 0, to: 1, steps: 5}, chain.wall: [none, right]}}\n";

static void test_a_study_is_solved(void **state)
{
    (void)state;
    const char *const record[] = {"velocity[1]", "velocity[2]"};
    crm_source source = text_source(study_text);
    crm_study *study = NULL;
    crm_study_table table = {0};
    crm_error error = {0};
    char text[16], cut[3];
    assert_ok(crm_study_load(&source, record, 2, &study, &error), &error);
    assert_int_equal(crm_study_points(study), 10);
    assert_int_equal(crm_study_fields(study), 2);
    assert_string_equal(crm_study_field(study, 0), "chain.restitution");
    assert_string_equal(crm_study_quantity(study, 1), "velocity[2]");
    assert_true(crm_study_is_numeric(study, 0));
    assert_false(crm_study_is_numeric(study, 1));
    assert_true(isnan(crm_study_number(study, 0, 1)));
    crm_study_value_text(study, 1, 1, text, sizeof text);
    assert_string_equal(text, "right");
    crm_study_value_text(study, 1, 1, cut, sizeof cut);
    assert_string_equal(cut, "ri");
    crm_study_value_text(study, 2, 0, text, sizeof text);
    assert_string_equal(text, "0.25");
    assert_ok(crm_study_solve_all(study, 0, NULL, &table, &error), &error);
    assert_int_equal(table.rows, 20);
    for (size_t point = 0; point < 10; point += 2) { /* without the wall */
        double e = crm_study_number(study, point, 0);
        assert_near(e, 0.125 * (double)point, 0);
        for (size_t law = 0; law < 2; law++) {
            const double *v = table.values + 2 * (2 * point + law);
            assert_near(v[0], (1 - e) / 2, 1e-15);
            assert_near(v[1], (1 + e) / 2, 1e-15);
        }
    }
    crm_study_table_free(&table);
    crm_study_free(study);
}

static bool no_more(void *context, const crm_watch_report *progress)
{
    (void)progress;
    ++*(int *)context;
    return false;
}

/* Points are short: it is asked between them, too. */
static void test_a_study_is_told_to_end(void **state)
{
    (void)state;
    const char *const sets[] = {"sweep.grid={chain.restitution: {from: 0, to: 1, steps: 1000000}}"};
    crm_source source = text_source(study_text);
    source.overrides = sets;
    source.override_count = 1;
    int asked = 0;
    const crm_watch watch = {.every = 1e-3, .context = &asked, .go_on = no_more};
    crm_study *study = NULL;
    crm_study_table table = {0};
    crm_error error = {0};
    assert_ok(crm_study_load(&source, NULL, 0, &study, &error), &error);
    assert_int_equal(crm_study_solve_all(study, 2, &watch, &table, &error), CRM_ERROR_STOPPED);
    assert_int_equal(asked, 1);
    assert_null(table.values);
    crm_study_free(study);
}

static void test_a_study_that_is_wrong_is_told(void **state)
{
    (void)state;
    const char *const record[] = {"velocty"};
    crm_source source = text_source(study_text);
    crm_study *study = NULL;
    crm_error error = {0};
    assert_int_not_equal(crm_study_load(&source, record, 1, &study, &error), CRM_OK);
    assert_non_null(strstr(error.message, "velocty"));
    assert_null(study);
    source.text = "sweep: {grid: {chain.mas: [1]}}\nchain: {count: 2}\n";
    source.length = strlen(source.text);
    assert_int_not_equal(crm_study_load(&source, NULL, 0, &study, &error), CRM_OK);
    assert_non_null(strstr(error.message, "file.yaml:1:"));
    assert_int_equal(crm_study_solve_all(NULL, 1, NULL, NULL, &error), CRM_ERROR_ARGUMENT);
}

/* ---- Reports --------------------------------------------------------------------------------- */

static void test_reports_are_written(void **state)
{
    (void)state;
    crm_source source = text_source("{title: t, laws: [newton], chain: {count: 2, velocity: [1]}}");
    crm_scenario *scenario = load(&source);
    crm_outcome *outcome = NULL;
    const crm_settings *settings = crm_scenario_settings(scenario, 0);
    assert_int_equal(crm_solve(crm_scenario_model(scenario), crm_scenario_velocity(scenario),
                               settings, NULL, &outcome, NULL),
                     CRM_OK);
    const char *const labels[] = {"mine", "none"}, *const reasons[] = {NULL, "it is not there"};
    const crm_settings *const each[] = {settings, settings};
    const crm_outcome *const outcomes[] = {outcome, NULL};
    crm_report_def def = {.scenario = scenario,
                          .model = crm_scenario_model(scenario),
                          .velocity = crm_scenario_velocity(scenario),
                          .count = 2,
                          .labels = labels,
                          .settings = each,
                          .outcomes = outcomes,
                          .reasons = reasons};
    char *text = NULL;
    crm_error error = {0};
    assert_ok(crm_report_write(&def, CRM_REPORT_JSON, &text, &error), &error);
    json_t *root = json_loads(text, 0, NULL), *results = json_object_get(root, "results");
    assert_string_equal(json_string_value(json_object_get(root, "title")), "t");
    json_t *first = json_array_get(results, 0);
    assert_string_equal(json_string_value(json_object_get(first, "label")), "mine");
    assert_near(json_real_value(json_array_get(json_object_get(first, "velocity"), 1)), 1, 0);
    json_t *second = json_array_get(results, 1);
    assert_string_equal(json_string_value(json_object_get(second, "reason")), "it is not there");
    json_decref(root);
    crm_text_free(text);
    assert_ok(crm_report_write(&def, CRM_REPORT_TABLE, &text, &error), &error);
    assert_non_null(strstr(text, "velocity, m/s"));
    assert_non_null(strstr(text, "mine"));
    crm_text_free(text);
    assert_ok(crm_report_write(&def, CRM_REPORT_CSV, &text, &error), &error);
    assert_int_equal(strncmp(text, "law,label,status,", 17), 0);
    crm_text_free(text);
    def.count = 0;
    assert_int_equal(crm_report_write(&def, CRM_REPORT_CSV, &text, &error), CRM_ERROR_ARGUMENT);
    assert_null(text);
    crm_outcome_free(outcome);
    crm_scenario_free(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_text_is_read),
        cmocka_unit_test(test_a_file_is_read),
        cmocka_unit_test(test_mistakes_are_told_with_their_place),
        cmocka_unit_test(test_long_paths_are_cut),
        cmocka_unit_test(test_a_motion_is_read),
        cmocka_unit_test(test_a_motion_that_cannot_be_is_told),
        cmocka_unit_test(test_a_study_is_solved),
        cmocka_unit_test(test_a_study_is_told_to_end),
        cmocka_unit_test(test_a_study_that_is_wrong_is_told),
        cmocka_unit_test(test_reports_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
