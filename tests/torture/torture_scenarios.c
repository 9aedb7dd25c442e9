/* What reads, changes and reports beside the plain calls: models in place, scenarios, studies,
 * reports.
 */
#include <stdlib.h>
#include <string.h>

#include "torture.h"

static void mix_text(uint64_t *hash, const char *text)
{
    torture_mix(hash, text, strlen(text));
}

/* ---- A model in place ------------------------------------------------------------------------ */

static void mix_delassus(uint64_t *hash, const crm_model *model)
{
    size_t s = crm_model_contacts(model);
    for (size_t i = 0; i < s; i++) {
        for (size_t j = 0; j < s; j++) {
            double d = crm_model_delassus(model, i, j);
            torture_mix(hash, &d, sizeof d);
        }
    }
}

/* On an error it must be as it was: another D would be another answer. */
static crm_status update_model(const void *input, uint64_t *hash, crm_error *error)
{
    static const double mass[] = {2, 0.5, 0.5, 3}, w[] = {-1, 1, 1, 0}, e[] = {0.5, 1};
    (void)input;
    crm_system_def def = crm_system_def_default();
    crm_model *model = NULL;
    def.coordinates = 2;
    def.contacts = 1;
    def.mass_dense = mass;
    def.w_dense = w;
    crm_status status = crm_model_from_system(&def, &model, error);
    if (status != CRM_OK) {
        return status;
    }
    uint64_t before = 0, after = 0;
    mix_delassus(&before, model);
    def.contacts = 2;
    def.restitution = e;
    status = crm_model_update(model, &def, error);
    mix_delassus(status == CRM_OK ? hash : &after, model);
    crm_model_free(model);
    return status == CRM_OK || before == after ? status : CRM_ERROR_ARGUMENT;
}

/* ---- Scenarios and reports ------------------------------------------------------------------- */

static const char TEXT[] =
    "title: small\nlaws: [newton, {law: lzb, label: coarse, tolerance: 1e-4}]\n"
    "chain: {count: 3, velocity: [1], restitution: 0.5}\n"
    "sweep: {grid: {chain.restitution: [0.5, 1], chain.wall: [none, right]}, record: "
    "[energy_ratio]}\n";

static const crm_source SOURCE = {.path = "text", .text = TEXT, .length = sizeof TEXT - 1};

static crm_status report(const crm_scenario *scenario, const crm_outcome *outcome, uint64_t *hash,
                         crm_error *error)
{
    const char *const labels[] = {crm_scenario_label(scenario, 1)};
    const crm_settings *const each[] = {crm_scenario_settings(scenario, 1)};
    const crm_outcome *const outcomes[] = {outcome};
    const crm_report_def def = {.scenario = scenario,
                                .model = crm_scenario_model(scenario),
                                .velocity = crm_scenario_velocity(scenario),
                                .count = 1,
                                .labels = labels,
                                .settings = each,
                                .outcomes = outcomes};
    crm_status status = CRM_OK;
    for (int form = CRM_REPORT_TABLE; form <= CRM_REPORT_CSV && status == CRM_OK; form++) {
        char *text = NULL;
        status = crm_report_write(&def, (crm_report_form)form, &text, error);
        if (status == CRM_OK) {
            mix_text(hash, text);
        }
        crm_text_free(text);
    }
    return status;
}

/* Read, solved with a workspace whose outcome is taken, and told. */
static crm_status load_and_report(const void *input, uint64_t *hash, crm_error *error)
{
    (void)input;
    crm_scenario *scenario = NULL;
    crm_workspace *workspace = NULL;
    crm_outcome *outcome = NULL;
    const crm_outcome *found;
    crm_status status = crm_scenario_load(&SOURCE, &scenario, error);
    if (status == CRM_OK) {
        status = crm_workspace_create(&workspace, error);
    }
    if (status == CRM_OK) {
        status =
            crm_solve_with(workspace, crm_scenario_model(scenario), crm_scenario_velocity(scenario),
                           crm_scenario_settings(scenario, 1), NULL, &found, error);
    }
    if (status == CRM_OK) {
        status = crm_workspace_take_outcome(workspace, &outcome, error);
    }
    if (status == CRM_OK) {
        status = report(scenario, outcome, hash, error);
    }
    crm_outcome_free(outcome);
    crm_workspace_free(workspace);
    crm_scenario_free(scenario);
    return status;
}

static crm_status load_and_sweep(const void *input, uint64_t *hash, crm_error *error)
{
    (void)input;
    crm_study *study = NULL;
    crm_study_table table = {0};
    crm_status status = crm_study_load(&SOURCE, NULL, 0, &study, error);
    if (status == CRM_OK) {
        status = crm_study_solve_all(study, 1, NULL, &table, error);
    }
    if (status == CRM_OK) {
        torture_mix(hash, table.values, table.rows * table.quantities * sizeof *table.values);
    }
    crm_study_table_free(&table);
    crm_study_free(study);
    return status;
}

static crm_status load_and_move(const void *input, uint64_t *hash, crm_error *error)
{
    static const char text[] =
        "bodies: [{shape: sphere, radius: 1, mass: 1, position: [0, 2]}]\n"
        "walls: [{point: [0, 0], normal: [0, 1]}]\nsimulate: {duration: 1, gravity: [0, -8]}\n";
    const crm_source source = {.text = text, .length = sizeof text - 1};
    (void)input;
    crm_scenario *scenario = NULL;
    crm_motion *motion = NULL;
    double state[4] = {0};
    crm_status status = crm_scenario_load_motion(&source, &scenario, error);
    if (status == CRM_OK) {
        status = crm_scenario_make_motion(scenario, &motion, error);
    }
    if (status == CRM_OK) {
        crm_motion_read(motion, state, state + 2);
        torture_mix(hash, state, sizeof state);
    }
    crm_motion_free(motion);
    crm_scenario_free(scenario);
    return status;
}

/* ---- Back from outcomes ---------------------------------------------------------------------- */

static const char BACK[] =
    "laws: [lzb]\nchain: {count: 3, velocity: [1], stiffness: [1, 2], restitution: 0.9}\n"
    "sensitivity: {to: chain.stiffness, uncertainty: {chain.restitution: 0.01}, samples: 2}\n"
    "fit:\n"
    "  parameters: {chain.restitution: {from: 0, to: 1}}\n"
    "  measured: [{what: \"velocity[3]\", value: 0.9}, {what: \"velocity[1]\", value: 0}]\n";

static const crm_source BACK_SOURCE = {.path = "back", .text = BACK, .length = sizeof BACK - 1};

static crm_status load_and_derive(const void *input, uint64_t *hash, crm_error *error)
{
    (void)input;
    crm_sensitivity *found = NULL;
    crm_status status = crm_sensitivity_solve(&BACK_SOURCE, NULL, &found, error);
    if (status == CRM_OK) {
        torture_mix(hash, found->derivative,
                    found->of_count * found->to_count * sizeof *found->derivative);
        torture_mix(hash, found->spread, found->of_count * sizeof *found->spread);
    }
    crm_sensitivity_free(found);
    return status;
}

static crm_status load_and_fit(const void *input, uint64_t *hash, crm_error *error)
{
    (void)input;
    crm_fit *fit = NULL;
    crm_status status = crm_fit_solve(&BACK_SOURCE, NULL, &fit, error);
    if (status == CRM_OK) {
        torture_mix(hash, &fit->parameters->value, sizeof fit->parameters->value);
        torture_mix(hash, &fit->chi2, sizeof fit->chi2);
        torture_mix(hash, &fit->evaluations, sizeof fit->evaluations);
    }
    crm_fit_free(fit);
    return status;
}

static const char POSSIBLE[] =
    "laws: [fremond]\nsystem: {mass: [1, 2, 1], velocity: [1, 0, 0], contacts: [{w: [-1, 1, 0]}, "
    "{w: [0, -1, 1]}, {w: [0, 0, 1]}, {w: [0, 0, -1]}]}\nadmissible: {of: [\"velocity[1]\"]}\n";

static const crm_source POSSIBLE_SOURCE = {
    .path = "possible", .text = POSSIBLE, .length = sizeof POSSIBLE - 1};

static crm_status load_and_bound(const void *input, uint64_t *hash, crm_error *error)
{
    (void)input;
    crm_admissible_table *table = NULL;
    crm_status status = crm_admissible_solve(&POSSIBLE_SOURCE, NULL, &table, error);
    if (status == CRM_OK) {
        torture_mix(hash, &table->ranges->least, sizeof table->ranges->least);
        torture_mix(hash, &table->ranges->most, sizeof table->ranges->most);
    }
    crm_admissible_table_free(table);
    return status;
}

void torture_scenarios(const torture_plan *plan, torture_tally *tally)
{
    torture_call(&(torture_deed){"model in place", update_model, NULL}, plan, tally);
    torture_call(&(torture_deed){"scenario and report", load_and_report, NULL}, plan, tally);
    torture_call(&(torture_deed){"scenario and study", load_and_sweep, NULL}, plan, tally);
    torture_call(&(torture_deed){"scenario and motion", load_and_move, NULL}, plan, tally);
    torture_call(&(torture_deed){"scenario and sensitivity", load_and_derive, NULL}, plan, tally);
    torture_call(&(torture_deed){"scenario and fit", load_and_fit, NULL}, plan, tally);
    torture_call(&(torture_deed){"scenario and bounds", load_and_bound, NULL}, plan, tally);
}
