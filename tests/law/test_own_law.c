/* Laws that the library does not know, through the public headers alone: one contact after the
 * other by Newton's rule, of which pairs of balls have a closed form.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "carom/carom.h"
#include "support.h"

static const double ROUNDING = 1e-15;

/* ---- A law with an option and a context ------------------------------------------------------ */

typedef struct memory {
    double factor; /* on every impulse */
} memory;

static crm_status solve_pairs(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    const crm_model *model = crm_problem_model(problem);
    const crm_settings *settings = crm_problem_settings(problem);
    const memory *own = crm_settings_law(settings)->context;
    const double *u = crm_problem_gap_velocity(problem);
    double e = 0;
    crm_status status = crm_settings_get_number(settings, "e", &e, error);
    for (size_t j = 0; status == CRM_OK && j < crm_model_contacts(model); j++) {
        outcome->impulse[j] =
            own->factor * (1 + e) * fmax(0, -u[j]) / crm_model_delassus(model, j, j);
    }
    return status;
}

static double rebound(const crm_settings *settings, double restitution)
{
    (void)restitution;
    double e = NAN;
    crm_settings_get_number(settings, "e", &e, NULL);
    return e;
}

static memory plain = {1};
static const crm_parameter options[] = {
    {.name = "e", .kind = CRM_PARAMETER_NUMBER, .standard = 1, .least = 0, .most = 1}};
static const crm_law pairs = {.name = "pairs",
                              .parameters = options,
                              .parameter_count = 1,
                              .solve = solve_pairs,
                              .single = rebound,
                              .context = &plain};

static crm_settings *settings_of(const crm_law *law)
{
    crm_settings *settings = NULL;
    crm_error error = {0};
    assert_ok(crm_settings_create(law, &settings, &error), &error);
    return settings;
}

/* Masses 1 and 3, the first at speed 1: v1 = (1 - 3e) / 4, v2 = (1 + e) / 4. */
static crm_model *one_on_three(void)
{
    static const double masses[] = {1, 3};
    crm_chain_def def = crm_chain_def_default();
    def.count = 2;
    def.mass.each = masses;
    return chain_model(&def);
}

static const double BEFORE[] = {1, 0};

static void assert_collided(const double *velocity, double e)
{
    assert_near(velocity[0], (1 - 3 * e) / 4, ROUNDING);
    assert_near(velocity[1], (1 + e) / 4, ROUNDING);
}

static void test_solves_and_everything_follows(void **state)
{
    (void)state;
    crm_model *model = one_on_three();
    crm_settings *settings = settings_of(&pairs);
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(crm_settings_set_number(settings, "e", 0.5, &error), &error);
    assert_ok(crm_solve(model, BEFORE, settings, NULL, &outcome, &error), &error);
    assert_ptr_equal(outcome->law, &pairs);
    assert_int_equal(outcome->result, CRM_SOLVED);
    assert_collided(outcome->velocity, 0.5);
    /* T- - T+ = (1 - e^2) m u^2 / 2, m = 3/4. */
    assert_near(outcome->loss[0], 0.75 * 0.75 / 2, ROUNDING);
    assert_true(outcome->kinematic && outcome->kinetic && outcome->energetic);
    crm_outcome_free(outcome);
    crm_settings_free(settings);
    crm_model_free(model);
}

static void test_context_is_its_own(void **state)
{
    (void)state;
    memory twice = {2};
    crm_law stronger = pairs;
    stronger.context = &twice;
    crm_model *model = one_on_three();
    crm_settings *settings = settings_of(&stronger);
    crm_outcome *outcome = NULL;
    assert_int_equal(crm_solve(model, BEFORE, settings, NULL, &outcome, NULL), CRM_OK);
    assert_near(outcome->impulse[0], 2 * 2 * 0.75, ROUNDING);
    assert_false(outcome->energetic); /* 2 (1 + e) with e = 1 makes energy */
    crm_outcome_free(outcome);
    crm_settings_free(settings);
    crm_model_free(model);
}

static void test_goes_through_batches(void **state)
{
    (void)state;
    enum { COUNT = 100 };
    double before[2 * COUNT], after[2 * COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        before[2 * i] = 1;
        before[2 * i + 1] = 0;
    }
    crm_model *model = one_on_three();
    crm_settings *settings = settings_of(&pairs);
    crm_error error = {0};
    const crm_batch_def def = {.count = COUNT,
                               .model = model,
                               .velocities = before,
                               .settings = settings,
                               .threads = 3,
                               .in_lanes = true};
    const crm_batch_results results = {.velocities = after};
    assert_ok(crm_solve_batch(&def, &results, &error), &error);
    for (size_t i = 0; i < COUNT; i++) {
        assert_collided(after + 2 * i, 1);
    }
    crm_settings_free(settings);
    crm_model_free(model);
}

/* ---- In scenarios ---------------------------------------------------------------------------- */

static const crm_law *const own_laws[] = {&pairs};

static crm_source source_of(const char *text)
{
    return (crm_source){
        .text = text, .length = strlen(text), .own_laws = own_laws, .own_law_count = 1};
}

static void test_is_named_in_a_scenario(void **state)
{
    (void)state;
    crm_source source = source_of("laws: [lzb, {law: pairs, e: 0.25}]\n"
                                  "chain: {count: 2, mass: [1, 3], velocity: [1]}\n");
    crm_scenario *scenario = NULL;
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(crm_scenario_load(&source, &scenario, &error), &error);
    assert_string_equal(crm_scenario_label(scenario, 1), "pairs");
    assert_ok(crm_solve(crm_scenario_model(scenario), crm_scenario_velocity(scenario),
                        crm_scenario_settings(scenario, 1), NULL, &outcome, &error),
              &error);
    assert_collided(outcome->velocity, 0.25);
    crm_outcome_free(outcome);
    crm_scenario_free(scenario);
    /* ... also instead of what the file says, and not where it is not given. */
    source.laws = "pairs";
    assert_ok(crm_scenario_load(&source, &scenario, &error), &error);
    assert_int_equal(crm_scenario_law_count(scenario), 1);
    assert_ptr_equal(crm_settings_law(crm_scenario_settings(scenario, 0)), &pairs);
    crm_scenario_free(scenario);
    source.own_law_count = 0;
    assert_int_equal(crm_scenario_load(&source, &scenario, &error), CRM_ERROR_MODEL);
    assert_non_null(strstr(error.message, "pairs"));
}

static void test_is_recorded_by_a_study(void **state)
{
    (void)state;
    crm_source source = source_of("laws: [{law: pairs, e: 0}]\n"
                                  "chain: {count: 2, mass: [1, 3], velocity: [1]}\n"
                                  "sweep: {grid: {\"laws[1].e\": [0, 0.5, 1]}, "
                                  "record: [\"velocity[1]\", \"velocity[2]\"]}\n");
    crm_study *study = NULL;
    crm_study_table table;
    crm_error error = {0};
    assert_ok(crm_study_load(&source, NULL, 0, &study, &error), &error);
    assert_ok(crm_study_solve_all(study, 2, NULL, &table, &error), &error);
    assert_int_equal(table.rows, 3);
    for (size_t r = 0; r < 3; r++) {
        assert_int_equal(table.result[r], CRM_SOLVED);
        assert_near(crm_study_number(study, r, 0), 0.5 * (double)r, 0);
        assert_collided(table.values + 2 * r, 0.5 * (double)r);
    }
    crm_study_table_free(&table);
    crm_study_free(study);
}

/* A ball dropped from 1 m, e = 1/2: it reaches 1/4 m; at sqrt(2/g) it strikes the floor, and as
 * much later it is at its height again.
 */
static void test_moves_bodies(void **state)
{
    (void)state;
    crm_source source = source_of(
        "laws: {law: pairs, e: 0.5}\n"
        "bodies: [{shape: sphere, radius: 0.1, mass: 1, position: [0, 1.1], velocity: [0, 0]}]\n"
        "walls: [{point: [0, 0], normal: [0, 1]}]\n"
        "simulate: {duration: 1, gravity: [0, -8]}\n");
    crm_scenario *scenario = NULL;
    crm_motion *motion = NULL;
    crm_error error = {0};
    double q[2], v[2];
    assert_ok(crm_scenario_load_motion(&source, &scenario, &error), &error);
    assert_ok(crm_scenario_make_motion(scenario, &motion, &error), &error);
    assert_string_equal(crm_scenario_motion_label(scenario), "pairs");
    /* Falls for 1/2 s, rises for 1/4 s. */
    assert_ok(crm_motion_run(motion, 0.75, NULL, NULL, &error), &error);
    crm_motion_read(motion, q, v);
    assert_near(q[1], 0.35, 1e-9);
    assert_near(v[1], 0, 1e-9);
    crm_motion_free(motion);
    crm_scenario_free(scenario);
}

/* ---- What a law may call --------------------------------------------------------------------- */

static crm_status ask_other(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    const crm_settings *other = crm_settings_law(crm_problem_settings(problem))->context;
    crm_outcome answer;
    crm_status status = crm_problem_solve_by(problem, other, &answer, error);
    for (size_t j = 0; status == CRM_OK && j < answer.contacts; j++) {
        outcome->impulse[j] = answer.impulse[j];
    }
    return status;
}

static void test_asks_another_law(void **state)
{
    (void)state;
    crm_settings *newton = settings_of(crm_law_find("newton"));
    const crm_law asks = {.name = "asks", .solve = ask_other, .context = newton};
    crm_settings *settings = settings_of(&asks);
    crm_model *model = one_on_three();
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(crm_solve(model, BEFORE, settings, NULL, &outcome, &error), &error);
    assert_collided(outcome->velocity, 1);
    crm_outcome_free(outcome);
    crm_settings_free(settings);
    crm_settings_free(newton);
    crm_model_free(model);
}

static void test_does_not_ask_itself(void **state)
{
    (void)state;
    crm_law asks = {.name = "asks", .solve = ask_other};
    crm_settings *settings = settings_of(&asks);
    asks.context = settings;
    crm_model *model = one_on_three();
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_int_equal(crm_solve(model, BEFORE, settings, NULL, &outcome, &error),
                     CRM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "calls itself"));
    assert_null(outcome);
    crm_settings_free(settings);
    crm_model_free(model);
}

/* Ends only when it is told to. */
static crm_status never_ends(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    double *room = crm_problem_take(problem, 1);
    (void)error;
    assert_non_null(room);
    assert_near(*room, 0, 0);
    while (crm_problem_go_on(problem, NULL)) {
        *room += 1;
    }
    outcome->impulse[0] = 0.25;
    outcome->steps = (uint64_t)*room;
    return CRM_OK;
}

static void test_is_watched(void **state)
{
    (void)state;
    const crm_law endless = {.name = "endless", .solve = never_ends};
    const crm_watch watch = {.seconds = 0.05};
    crm_settings *settings = settings_of(&endless);
    crm_model *model = one_on_three();
    crm_workspace *workspace = NULL;
    const crm_outcome *outcome = NULL;
    assert_int_equal(crm_workspace_create(&workspace, NULL), CRM_OK);
    crm_workspace_watch(workspace, &watch);
    assert_int_equal(crm_solve_with(workspace, model, BEFORE, settings, NULL, &outcome, NULL),
                     CRM_OK);
    assert_int_equal(outcome->result, CRM_NOT_TERMINATED);
    assert_near(outcome->velocity[0], 0.75, ROUNDING);
    assert_true(outcome->steps > 0);
    crm_workspace_free(workspace);
    crm_settings_free(settings);
    crm_model_free(model);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void assert_refused(const crm_law *law, const char *place)
{
    crm_settings *settings = NULL;
    crm_error error = {0};
    assert_int_equal(crm_settings_create(law, &settings, &error), CRM_ERROR_ARGUMENT);
    assert_string_equal(error.place, place);
    assert_null(settings);
}

static void test_half_a_law_is_refused(void **state)
{
    (void)state;
    crm_law law = pairs;
    law.solve = NULL;
    assert_refused(&law, "law.solve");
    law = pairs;
    law.name = NULL;
    assert_refused(&law, "law.name");
    law = pairs;
    law.parameters = NULL;
    assert_refused(&law, "law.parameters");
    const crm_parameter choice = {.name = "kind", .kind = CRM_PARAMETER_CHOICE};
    law.parameters = &choice;
    assert_refused(&law, "law.parameters[1]");
}

static void test_a_name_of_the_library_is_refused(void **state)
{
    (void)state;
    crm_law law = pairs;
    law.name = "lzb";
    const crm_law *const laws[] = {&law};
    crm_source source = source_of("chain: {count: 2}\n");
    source.own_laws = laws;
    crm_scenario *scenario = NULL;
    crm_error error = {0};
    assert_int_equal(crm_scenario_load(&source, &scenario, &error), CRM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "'lzb' is a law of the library"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solves_and_everything_follows),
        cmocka_unit_test(test_context_is_its_own),
        cmocka_unit_test(test_goes_through_batches),
        cmocka_unit_test(test_is_named_in_a_scenario),
        cmocka_unit_test(test_is_recorded_by_a_study),
        cmocka_unit_test(test_moves_bodies),
        cmocka_unit_test(test_asks_another_law),
        cmocka_unit_test(test_does_not_ask_itself),
        cmocka_unit_test(test_is_watched),
        cmocka_unit_test(test_half_a_law_is_refused),
        cmocka_unit_test(test_a_name_of_the_library_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
