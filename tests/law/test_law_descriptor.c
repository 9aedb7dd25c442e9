/* What a law's description promises it: memory kept for it in a workspace, another law's answer,
 * and its own way through a batch. The laws here are made up, and no other part of the library
 * knows them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "law/law.h"
#include "support.h"

/* ---- Calling --------------------------------------------------------------------------------- */

enum { BALLS = 4, CONTACTS = BALLS - 1 };

static const double STRUCK[BALLS] = {1, 0, 0, 0};

static crm_model *four_balls(void)
{
    crm_chain_def def = crm_chain_def_default();
    def.count = BALLS;
    return chain_model(&def);
}

static crm_settings *settings_for(const crm_law *law)
{
    crm_settings *settings = NULL;
    crm_error error = {0};
    assert_ok(crm_settings_create(law, &settings, &error), &error);
    return settings;
}

static crm_workspace *new_workspace(void)
{
    crm_workspace *workspace = NULL;
    crm_error error = {0};
    assert_ok(crm_workspace_create(&workspace, &error), &error);
    return workspace;
}

static const crm_outcome *solve_with(crm_workspace *workspace, const crm_model *model,
                                     const crm_law *law)
{
    crm_settings *settings = settings_for(law);
    const crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(crm_solve_with(workspace, model, STRUCK, settings, NULL, &outcome, &error), &error);
    crm_settings_free(settings);
    return outcome;
}

/* ---- Kept memory ----------------------------------------------------------------------------- */

typedef struct counter {
    uint64_t calls;
} counter;

static size_t made, freed;
static bool no_memory;

static crm_status create_counter(void **kept, crm_error *error)
{
    *kept = no_memory ? NULL : calloc(1, sizeof(counter));
    made += *kept != NULL;
    return *kept != NULL ? CRM_OK : crm_fail_memory(error);
}

static void free_counter(void *kept)
{
    assert_non_null(kept);
    free(kept);
    freed++;
}

static crm_status count_call(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    (void)error;
    counter *kept = problem->kept;
    outcome->steps = ++kept->calls;
    return CRM_OK;
}

static const crm_law first_counter = {.name = "first counter",
                                      .solve = count_call,
                                      .create_kept = create_counter,
                                      .free_kept = free_counter};
static const crm_law second_counter = {.name = "second counter",
                                       .solve = count_call,
                                       .create_kept = create_counter,
                                       .free_kept = free_counter};

static void what_a_law_keeps_lives_as_long_as_the_workspace(void **state)
{
    (void)state;
    made = freed = 0;
    crm_model *model = four_balls();
    crm_workspace *one = new_workspace(), *other = new_workspace();
    for (uint64_t call = 1; call <= 3; call++) {
        assert_int_equal(solve_with(one, model, &first_counter)->steps, call);
        assert_int_equal(solve_with(one, model, &second_counter)->steps, call);
        assert_int_equal(solve_with(other, model, &first_counter)->steps, call);
    }
    assert_int_equal(made, 3);
    assert_int_equal(freed, 0);
    crm_workspace_free(one);
    assert_int_equal(freed, 2);
    crm_workspace_free(other);
    assert_int_equal(freed, 3);
    crm_model_free(model);
}

static void without_memory_to_keep_a_call_fails_and_the_next_may_not(void **state)
{
    (void)state;
    made = freed = 0;
    crm_model *model = four_balls();
    crm_workspace *workspace = new_workspace();
    crm_settings *settings = settings_for(&first_counter);
    const crm_outcome *outcome = NULL;
    crm_error error = {0};
    no_memory = true;
    assert_int_equal(crm_solve_with(workspace, model, STRUCK, settings, NULL, &outcome, &error),
                     CRM_ERROR_MEMORY);
    no_memory = false;
    assert_null(outcome);
    assert_int_equal(error.status, CRM_ERROR_MEMORY);
    assert_int_equal(solve_with(workspace, model, &first_counter)->steps, 1);
    crm_settings_free(settings);
    crm_workspace_free(workspace);
    assert_int_equal(made, 1);
    assert_int_equal(freed, 1);
    crm_model_free(model);
}

static crm_status keep_nothing(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    (void)outcome;
    (void)error;
    assert_null(problem->kept);
    return CRM_OK;
}

static void a_law_that_keeps_nothing_is_handed_nothing(void **state)
{
    (void)state;
    static const crm_law forgetful = {.name = "forgetful", .solve = keep_nothing};
    crm_model *model = four_balls();
    crm_workspace *workspace = new_workspace();
    solve_with(workspace, model, &first_counter);
    assert_near(solve_with(workspace, model, &forgetful)->velocity[0], 1, 0);
    crm_workspace_free(workspace);
    crm_model_free(model);
}

/* ---- Another law's answer -------------------------------------------------------------------- */

static const char *asked_law;
static double asked_impulse[CONTACTS], asked_velocity[BALLS];
static double asked_energy;
static uint64_t asked_steps;

static const double OWN_IMPULSE = 0.25;

static crm_status ask_and_push(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    double *mine = CRM_TAKE(problem->pool, double, CONTACTS);
    for (size_t j = 0; j < CONTACTS; j++) {
        mine[j] = (double)j + 1;
    }
    outcome->impulse[0] = OWN_IMPULSE;
    crm_settings *settings = settings_for(crm_law_find(asked_law));
    crm_outcome answer;
    crm_status status = problem->solve_by(problem, settings, &answer, error);
    crm_settings_free(settings);
    assert_ok(status, error);
    memcpy(asked_impulse, answer.impulse, sizeof asked_impulse);
    memcpy(asked_velocity, answer.velocity, sizeof asked_velocity);
    asked_energy = answer.energy_after;
    asked_steps = answer.steps;
    for (size_t j = 0; j < CONTACTS; j++) {
        assert_true(mine[j] == (double)j + 1);
    }
    return CRM_OK;
}

/* The same bits as by crm_solve; and the law that asks goes on with an impact of its own: one
 * impulse between the first two balls, of unit mass.
 */
static void a_law_may_ask_any_other(void **state)
{
    (void)state;
    static const crm_law asker = {.name = "asker", .solve = ask_and_push};
    crm_model *model = four_balls();
    crm_workspace *workspace = new_workspace();
    static const char *const others[] = {"lzb", "newton", "compliant", "lzb", "poisson", "binary"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        asked_law = others[k];
        crm_settings *settings = settings_for(crm_law_find(asked_law));
        crm_outcome *expected = NULL;
        crm_error error = {0};
        assert_ok(crm_solve(model, STRUCK, settings, NULL, &expected, &error), &error);
        const crm_outcome *own = solve_with(workspace, model, &asker);
        assert_memory_equal(asked_impulse, expected->impulse, sizeof asked_impulse);
        assert_memory_equal(asked_velocity, expected->velocity, sizeof asked_velocity);
        assert_true(asked_energy == expected->energy_after);
        assert_int_equal(asked_steps, expected->steps);
        assert_ptr_equal(own->law, &asker);
        assert_near(own->velocity[0], 1 - OWN_IMPULSE, 1e-15);
        assert_near(own->velocity[1], OWN_IMPULSE, 1e-15);
        crm_outcome_free(expected);
        crm_settings_free(settings);
    }
    crm_workspace_free(workspace);
    crm_model_free(model);
}

/* ---- Side by side ---------------------------------------------------------------------------- */

enum { LANES = 2 };

/* Each step ends the system that came in last, or the other if there is only that. */
typedef struct pair {
    bool active[LANES];
    size_t tag[LANES];
} pair;

static size_t taken, companies;
static bool served;

static bool supports(const crm_settings *settings)
{
    (void)settings;
    return served;
}

static bool fits(const crm_model *model)
{
    return crm_model_contacts(model) <= CONTACTS;
}

static crm_status create_pair(const crm_settings *settings, void **lane_state, crm_error *error)
{
    (void)settings;
    (void)error;
    *lane_state = calloc(1, sizeof(pair));
    companies++;
    return CRM_OK;
}

static void free_pair(void *lane_state)
{
    free(lane_state);
    companies--;
}

static size_t active(const void *lane_state)
{
    const pair *p = lane_state;
    return (size_t)p->active[0] + p->active[1];
}

static bool add(void *lane_state, const crm_model *model, const double *u, size_t tag)
{
    pair *p = lane_state;
    assert_true(crm_model_contacts(model) <= CONTACTS);
    assert_near(u[0], -1, 0);
    unsigned lane = p->active[0] ? 1 : 0;
    if (p->active[lane]) {
        return false;
    }
    p->active[lane] = true;
    p->tag[lane] = tag;
    taken++;
    return true;
}

static size_t advance(void *lane_state, crm_lane_end *ends)
{
    pair *p = lane_state;
    unsigned lane = p->active[1] ? 1 : 0;
    p->active[lane] = false;
    ends[0] = (crm_lane_end){.tag = p->tag[lane],
                             .solved = p->tag[lane] % 3 != 0,
                             .duration = 2,
                             .error_estimate = 1e-9,
                             .steps = 7,
                             .lane = lane};
    return 1;
}

/* By whose hand an impulse is there can be told from its value. */
static const double BY_SOLVE = 0.125;

static double impulse_by_tag(size_t tag, size_t contact)
{
    return (double)(tag + 1) / 64 + (double)contact / 4;
}

static double impulse(const void *lane_state, unsigned lane, size_t contact)
{
    const pair *p = lane_state;
    return impulse_by_tag(p->tag[lane], contact);
}

static crm_status push_alone(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    (void)problem;
    (void)error;
    outcome->impulse[0] = BY_SOLVE;
    return CRM_OK;
}

static const struct crm_law_lanes pairs = {.lanes = LANES,
                                           .contacts = CONTACTS,
                                           .supports = supports,
                                           .fits = fits,
                                           .create = create_pair,
                                           .free = free_pair,
                                           .add = add,
                                           .active = active,
                                           .advance = advance,
                                           .impulse = impulse};
static const crm_law paired = {.name = "paired", .solve = push_alone, .lanes = &pairs};

enum { SYSTEMS = 11 };

static void solve_batch(const crm_law *law, bool in_lanes, double *impulses, crm_batch_item *items)
{
    crm_model *model = four_balls();
    crm_settings *settings = settings_for(law);
    double velocities[SYSTEMS * BALLS];
    for (size_t i = 0; i < SYSTEMS; i++) {
        memcpy(velocities + i * BALLS, STRUCK, sizeof STRUCK);
    }
    crm_batch_def def = {.count = SYSTEMS,
                         .model = model,
                         .velocities = velocities,
                         .settings = settings,
                         .threads = 1,
                         .in_lanes = in_lanes};
    crm_batch_results results = {.impulses = impulses, .items = items};
    crm_error error = {0};
    assert_ok(crm_solve_batch(&def, &results, &error), &error);
    crm_settings_free(settings);
    crm_model_free(model);
}

static void systems_go_side_by_side_as_the_law_says(void **state)
{
    (void)state;
    double impulses[SYSTEMS * CONTACTS];
    crm_batch_item items[SYSTEMS];
    taken = companies = 0;
    served = true;
    solve_batch(&paired, true, impulses, items);
    assert_int_equal(taken, SYSTEMS);
    assert_int_equal(companies, 0);
    for (size_t i = 0; i < SYSTEMS; i++) {
        bool left_alone = i % 3 == 0;
        for (size_t j = 0; j < CONTACTS; j++) {
            double alone = j == 0 ? BY_SOLVE : 0;
            assert_near(impulses[i * CONTACTS + j], left_alone ? alone : impulse_by_tag(i, j), 0);
        }
        assert_int_equal(items[i].steps, left_alone ? 0 : 7);
    }
}

static void a_batch_without_lanes_goes_one_by_one(void **state)
{
    (void)state;
    static const crm_law alone = {.name = "alone", .solve = push_alone};
    const struct {
        const crm_law *law;
        bool in_lanes, served;
    } cases[] = {{&paired, false, true}, {&paired, true, false}, {&alone, true, true}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double impulses[SYSTEMS * CONTACTS];
        taken = 0;
        served = cases[k].served;
        solve_batch(cases[k].law, cases[k].in_lanes, impulses, NULL);
        assert_int_equal(taken, 0);
        for (size_t i = 0; i < SYSTEMS; i++) {
            assert_near(impulses[i * CONTACTS], BY_SOLVE, 0);
        }
    }
}

/* ---- The note -------------------------------------------------------------------------------- */

static void a_note_is_sentences_and_says_when_it_was_cut(void **state)
{
    (void)state;
    crm_outcome outcome = {0};
    crm_note_add(&outcome, "One.");
    crm_note_add(&outcome, "Two");
    crm_note_continue(&outcome, " and %d.", 3);
    assert_string_equal(outcome.note, "One. Two and 3.");
    for (size_t i = 0; i < sizeof outcome.note; i++) {
        crm_note_add(&outcome, "More.");
    }
    size_t length = strlen(outcome.note);
    assert_int_equal(length, sizeof outcome.note - 1);
    assert_string_equal(outcome.note + length - 3, "...");
}

/* Each option with a letter lost is taken for itself, not for the first of the law. */
static void a_misspelt_option_is_recognized(void **state)
{
    (void)state;
    for (size_t k = 0; k < crm_law_count(); k++) {
        const crm_law *law = crm_law_at(k);
        crm_settings *settings = NULL;
        assert_int_equal(crm_settings_create(law, &settings, NULL), CRM_OK);
        for (size_t i = 0; i < law->parameter_count; i++) {
            char expected[128];
            const char *name = law->parameters[i].name;
            crm_error error = {0};
            assert_int_equal(crm_settings_set_number(settings, name + 1, 1, &error),
                             CRM_ERROR_OPTION);
            snprintf(expected, sizeof expected, "did you mean '%s'?", name);
            assert_non_null(strstr(error.message, expected));
        }
        crm_settings_free(settings);
    }
}

/* A number for what takes a word, and a word for what takes none. */
static void an_option_of_another_kind_is_told_what_it_takes(void **state)
{
    (void)state;
    for (size_t k = 0; k < crm_law_count(); k++) {
        const crm_law *law = crm_law_at(k);
        crm_settings *settings = law_settings(law);
        for (size_t i = 0; i < law->parameter_count; i++) {
            const crm_parameter *p = &law->parameters[i];
            crm_error error = {0};
            crm_status status = p->kind == CRM_PARAMETER_CHOICE
                                    ? crm_settings_set_number(settings, p->name, 1, &error)
                                    : crm_settings_set_text(settings, p->name, "strange", &error);
            assert_int_equal(status, CRM_ERROR_OPTION);
            assert_non_null(strstr(error.message, p->kind == CRM_PARAMETER_CHOICE   ? p->choices
                                                  : p->kind == CRM_PARAMETER_LIST   ? "a list"
                                                  : p->kind == CRM_PARAMETER_MATRIX ? "a matrix"
                                                                                    : "number"));
        }
        crm_settings_free(settings);
    }
}

/* What a number out of range is told must be the range: its ends, and which of them belong to it.
 */
static void a_number_out_of_range_is_told_the_range(void **state)
{
    (void)state;
    size_t ends = 0;
    for (size_t k = 0; k < crm_law_count(); k++) {
        const crm_law *law = crm_law_at(k);
        crm_settings *settings = law_settings(law);
        for (size_t i = 0; i < law->parameter_count; i++) {
            const crm_parameter *p = &law->parameters[i];
            bool number = p->kind == CRM_PARAMETER_NUMBER || p->kind == CRM_PARAMETER_INTEGER;
            for (int side = 0; side < 2 && number; side++) {
                double end = side == 0 ? p->least : p->most;
                char written[32];
                crm_error error = {0};
                snprintf(written, sizeof written, " %g", end);
                if (isfinite(end)) {
                    double beyond = side == 0 ? end - fabs(end) - 1 : end + fabs(end) + 1;
                    assert_int_equal(crm_settings_set_number(settings, p->name, beyond, &error),
                                     CRM_ERROR_OPTION);
                    assert_non_null(strstr(strstr(error.message, "must be"), written));
                    assert_true((strstr(error.message, "above") != NULL) == p->open_least);
                    ends++;
                }
            }
        }
        crm_settings_free(settings);
    }
    assert_true(ends > 20);
}

static void every_result_has_a_text_and_nothing_else_has(void **state)
{
    (void)state;
    for (int i = 0; i < CRM_RESULT_COUNT; i++) {
        assert_string_not_equal(crm_result_text((crm_result)i), "");
        assert_string_not_equal(crm_result_text((crm_result)i), "unknown result");
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(crm_result_text((crm_result)i), crm_result_text((crm_result)k));
        }
    }
    assert_string_equal(crm_result_text(CRM_RESULT_COUNT), "unknown result");
    assert_string_equal(crm_result_text((crm_result)-1), "unknown result");
}

static void widths_of_vectors_are_checked(void **state)
{
    (void)state;
    crm_settings *settings = law_settings(crm_law_find("lzb"));
    crm_error error = {0};
    assert_int_equal(crm_settings_use_vectors(settings, 16, &error), CRM_OK);
    assert_int_equal(crm_settings_use_vectors(settings, 0, &error), CRM_OK);
    assert_int_equal(crm_settings_use_vectors(settings, 17, &error), CRM_ERROR_ARGUMENT);
    assert_int_equal(crm_settings_use_vectors(settings, 128, &error), CRM_ERROR_ARGUMENT);
    assert_int_equal(crm_settings_use_vectors(NULL, 16, &error), CRM_ERROR_ARGUMENT);
    crm_settings_free(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths_of_vectors_are_checked),
        cmocka_unit_test(an_option_of_another_kind_is_told_what_it_takes),
        cmocka_unit_test(a_number_out_of_range_is_told_the_range),
        cmocka_unit_test(every_result_has_a_text_and_nothing_else_has),
        cmocka_unit_test(what_a_law_keeps_lives_as_long_as_the_workspace),
        cmocka_unit_test(without_memory_to_keep_a_call_fails_and_the_next_may_not),
        cmocka_unit_test(a_law_that_keeps_nothing_is_handed_nothing),
        cmocka_unit_test(a_law_may_ask_any_other),
        cmocka_unit_test(systems_go_side_by_side_as_the_law_says),
        cmocka_unit_test(a_batch_without_lanes_goes_one_by_one),
        cmocka_unit_test(a_misspelt_option_is_recognized),
        cmocka_unit_test(a_note_is_sentences_and_says_when_it_was_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
