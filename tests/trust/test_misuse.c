/* What the library has made, asked for something else: room for no text, a motion of an impact, a
 * report on another model.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

static crm_scenario *load(const char *text, bool moves)
{
    const crm_source source = {.text = text, .length = strlen(text)};
    crm_scenario *scenario = NULL;
    crm_error error = {0};
    crm_status status =
        (moves ? crm_scenario_load_motion : crm_scenario_load)(&source, &scenario, &error);
    if (status != CRM_OK) {
        fail_msg("%s", error.message);
    }
    return scenario;
}

static const char falls[] = "bodies: [{name: ball, radius: 0.1, mass: 1, position: [0, 1.1]}]\n"
                            "walls: [{point: [0, 0], normal: [0, 1]}]\n"
                            "simulate: {duration: 1, gravity: [0, -9.81]}\n";
static const char hits[] = "bodies: [{name: ball, radius: 1, mass: 1, position: [0, 1],\n"
                           "          velocity: [0, -1]}]\n"
                           "walls: [{name: floor, point: [0, 0], normal: [0, 1]}]\n";

/* ---- Texts in little room ------------------------------------------------------------------- */

enum { TEXTS = 8, ROOM = 32 };

static void write_text(int which, const crm_scenario *moves, const crm_scenario *impact,
                       const crm_settings *settings, char *text, size_t size)
{
    const crm_model *model = crm_scenario_model(impact);
    switch (which) {
    case 0:
        crm_scenario_coordinate_name(moves, false, 1, text, size);
        return;
    case 1:
        crm_scenario_coordinate_name(moves, true, 99, text, size);
        return;
    case 2:
        crm_coordinate_name(model, 1, text, size);
        return;
    case 3:
        crm_contact_name(model, 0, text, size);
        return;
    case 4:
        crm_model_body_name(model, 0, text, size);
        return;
    case 5:
        crm_model_party_name(model, 0, 1, text, size);
        return;
    case 6:
        crm_model_contact_name(model, 0, text, size);
        return;
    default:
        assert_int_equal(crm_settings_get_text(settings, "scheme", text, size, NULL), CRM_OK);
    }
}

static void texts_keep_within_their_room(void **state)
{
    (void)state;
    static const char *const whole[TEXTS] = {"ball y", "",      "ball y", "ball - floor",
                                             "ball",   "floor", "",       "auto"};
    crm_scenario *moves = load(falls, true), *impact = load(hits, false);
    crm_settings *settings = law_settings(crm_law_find("lzb"));
    for (int k = 0; k < TEXTS; k++) {
        for (size_t size = 0; size <= ROOM; size++) {
            char text[ROOM + 1], wanted[ROOM + 1];
            memset(text, 'Z', sizeof text);
            memset(wanted, 'Z', sizeof wanted);
            snprintf(wanted, size, "%s", whole[k]);
            write_text(k, moves, impact, settings, text, size);
            size_t written = size > 0 ? strlen(wanted) + 1 : 0;
            if (memcmp(text, wanted, written) != 0 ||
                memcmp(text + size, wanted + size, sizeof text - size) != 0) {
                fail_msg("text %d in %zu bytes: '%.32s', not '%.32s'", k, size, text, wanted);
            }
        }
    }
    crm_settings_free(settings);
    crm_scenario_free(impact);
    crm_scenario_free(moves);
}

/* ---- Scenarios of the other kind ------------------------------------------------------------ */

static void an_impact_has_no_motion(void **state)
{
    (void)state;
    crm_scenario *impact = load(hits, false);
    char name[ROOM] = "something";
    assert_null(crm_scenario_scene(impact));
    assert_true(isnan(crm_scenario_duration(impact)));
    assert_true(isnan(crm_scenario_output_every(impact)));
    assert_string_equal(crm_scenario_motion_label(impact), "");
    crm_motion_options options = crm_scenario_motion_options(impact);
    assert_null(options.law);
    assert_true(options.scheme == crm_motion_options_default().scheme);
    crm_scenario_coordinate_name(impact, true, 0, name, sizeof name);
    assert_string_equal(name, "");
    crm_scenario_free(impact);
}

static void what_is_missing(void **state)
{
    (void)state;
    const crm_source none = {0};
    crm_scenario *moves = load(falls, true);
    crm_motion *motion = NULL;
    crm_sensitivity *sensitivity = NULL;
    crm_fit *fit = NULL;
    crm_admissible *set = NULL;
    crm_admissible_table *table = NULL;
    const crm_admissible_def nothing = crm_admissible_def_default();
    crm_error error = {0}, *to = &error;
    assert_int_equal(crm_scenario_make_motion(moves, &motion, NULL), CRM_OK);
    for (int again = 0; again < 2; again++, to = NULL) { /* without an error, too */
        const crm_status all[] = {
            crm_motion_save(NULL, NULL, NULL, to),
            crm_motion_load(NULL, NULL, NULL, to),
            crm_motion_load(motion, NULL, NULL, to),
            crm_sensitivity_solve(NULL, NULL, &sensitivity, to),
            crm_sensitivity_solve(&none, NULL, &sensitivity, to),
            crm_sensitivity_solve(&none, NULL, NULL, to),
            crm_admissible_create(NULL, &set, to),
            crm_admissible_create(&nothing, &set, to),
            crm_admissible_create(&nothing, NULL, to),
            crm_admissible_least(NULL, NULL, NULL, NULL, NULL, to),
            crm_admissible_distance(NULL, NULL, NULL, to),
            crm_admissible_solve(NULL, NULL, &table, to),
            crm_admissible_solve(&none, NULL, &table, to),
            crm_admissible_solve(&none, NULL, NULL, to),
            crm_fit_solve(NULL, NULL, &fit, to),
            crm_fit_solve(&none, NULL, &fit, to),
            crm_fit_solve(&none, NULL, NULL, to),
            crm_motion_save(motion, NULL, NULL, to),
        };
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
            assert_int_equal(all[k], CRM_ERROR_ARGUMENT);
        }
    }
    assert_string_equal(error.place, "write");
    crm_motion_free(motion);
    crm_scenario_free(moves);
}

/* ---- Reports -------------------------------------------------------------------------------- */

typedef struct told {
    crm_model *model;
    crm_settings *settings;
    crm_outcome *outcome;
    double velocity[8];
    const char *label;
    crm_report_def def;
} told;

static void solve_chain(told *t, size_t count)
{
    crm_chain_def def = crm_chain_def_default();
    def.count = count;
    t->model = chain_model(&def);
    t->settings = law_settings(crm_law_find("newton"));
    t->velocity[0] = 1;
    t->label = "newton";
    assert_int_equal(crm_solve(t->model, t->velocity, t->settings, NULL, &t->outcome, NULL),
                     CRM_OK);
    t->def = (crm_report_def){.model = t->model,
                              .velocity = t->velocity,
                              .count = 1,
                              .labels = &t->label,
                              .settings = (const crm_settings *const *)&t->settings,
                              .outcomes = (const crm_outcome *const *)&t->outcome};
}

static void end_chain(told *t)
{
    crm_outcome_free(t->outcome);
    crm_settings_free(t->settings);
    crm_model_free(t->model);
}

static void an_outcome_of_another_model_is_refused(void **state)
{
    (void)state;
    told small = {0}, large = {0};
    solve_chain(&small, 3);
    solve_chain(&large, 5);
    for (int form = CRM_REPORT_TABLE; form <= CRM_REPORT_CSV; form++) {
        crm_error error = {0};
        char *text = NULL;
        crm_report_def mixed = large.def;
        mixed.outcomes = small.def.outcomes;
        assert_int_equal(crm_report_write(&mixed, (crm_report_form)form, &text, &error),
                         CRM_ERROR_ARGUMENT);
        assert_string_equal(error.place, "outcomes[1]");
        assert_null(text);
        mixed = small.def;
        mixed.outcomes = large.def.outcomes;
        assert_int_equal(crm_report_write(&mixed, (crm_report_form)form, &text, &error),
                         CRM_ERROR_ARGUMENT);
    }
    end_chain(&large);
    end_chain(&small);
}

static void a_form_that_there_is_not(void **state)
{
    (void)state;
    told t = {0};
    solve_chain(&t, 2);
    crm_error error = {0};
    char *text = NULL;
    assert_int_equal(crm_report_write(&t.def, (crm_report_form)7, &text, &error),
                     CRM_ERROR_ARGUMENT);
    assert_string_equal(error.place, "form");
    end_chain(&t);
}

static void texts_that_are_no_utf8(void **state)
{
    (void)state;
    told t = {0};
    solve_chain(&t, 2);
    t.label = "a\xff\xc3";
    for (int form = CRM_REPORT_TABLE; form <= CRM_REPORT_CSV; form++) {
        crm_error error = {0};
        char *text = NULL;
        if (crm_report_write(&t.def, (crm_report_form)form, &text, &error) != CRM_OK) {
            fail_msg("form %d: %s", form, error.message);
        }
        if (form == CRM_REPORT_JSON) {
            assert_non_null(strstr(text, "\"label\": \"a\xef\xbf\xbd\xef\xbf\xbd\""));
        }
        crm_text_free(text);
    }
    end_chain(&t);
}

static void a_law_that_cannot_solve(void **state)
{
    (void)state;
    static const crm_law empty = {.name = "own"};
    const crm_law *own = &empty;
    const crm_source source = {.text = "chain: {count: 3}\n",
                               .length = strlen("chain: {count: 3}\n"),
                               .laws = "own",
                               .own_laws = &own,
                               .own_law_count = 1};
    crm_scenario *scenario = NULL;
    crm_error error = {0};
    assert_int_equal(crm_scenario_load(&source, &scenario, &error), CRM_ERROR_ARGUMENT);
    assert_string_equal(error.place, "law.solve");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_keep_within_their_room),
        cmocka_unit_test(an_impact_has_no_motion),
        cmocka_unit_test(what_is_missing),
        cmocka_unit_test(an_outcome_of_another_model_is_refused),
        cmocka_unit_test(a_form_that_there_is_not),
        cmocka_unit_test(texts_that_are_no_utf8),
        cmocka_unit_test(a_law_that_cannot_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
