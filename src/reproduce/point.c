/* One case at one value of the parameter: scenario, laws, outcomes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/record.h"
#include "solve/call.h"

void crm_point_clear(crm_point *point)
{
    for (size_t i = 0; point->outcomes != NULL && i < point->scenario->law_count; i++) {
        crm_outcome_free(point->outcomes[i]);
    }
    free(point->outcomes);
    free(point->traces);
    crm_scenario_free(point->scenario);
    point->outcomes = NULL;
    point->traces = NULL;
    point->scenario = NULL;
}

crm_status crm_point_law(const crm_point *point, const char *label, size_t *law)
{
    *law = 0;
    for (size_t i = 0; label != NULL && i < point->scenario->law_count; i++) {
        if (strcmp(point->scenario->laws[i].label, label) == 0) {
            *law = i;
            return CRM_OK;
        }
    }
    return label == NULL ? CRM_OK : CRM_ERROR_ARGUMENT;
}

/* ---- The scenario --------------------------------------------------------------------------- */

static crm_status apply_all(const crm_item *item, size_t case_index, double parameter, double grid,
                            crm_tree *tree, crm_read_error *error)
{
    crm_status status = crm_settings_apply(&item->variation.settings, parameter, tree, error);
    if (status == CRM_OK) {
        status = crm_settings_apply(&item->cases[case_index].settings, parameter, tree, error);
    }
    if (status == CRM_OK && !isnan(grid)) {
        status = crm_settings_apply(&item->threshold.settings, grid, tree, error);
    }
    return status;
}

/* The file is read anew for every point: settings change the tree. */
static crm_status make_scenario(const crm_item *item, double memory, size_t case_index,
                                double parameter, double grid, crm_scenario **scenario,
                                crm_read_error *error)
{
    crm_tree *tree = NULL;
    crm_yaml_limits limits = crm_yaml_limits_default();
    limits.memory = memory;
    crm_status status = crm_yaml_parse(item->text, item->length, item->path, &limits, &tree, error);
    if (status == CRM_OK) {
        tree->root = crm_yaml_find(tree->root, "scenario");
        status = apply_all(item, case_index, parameter, grid, tree, error);
    }
    if (status == CRM_OK) {
        status = crm_scenario_from_tree(tree, scenario, error);
    }
    if (status != CRM_OK) {
        crm_tree_free(tree);
    }
    return status;
}

/* ---- The laws ------------------------------------------------------------------------------- */

typedef struct watch {
    const crm_watch *over;
    const crm_model *model;
    size_t count;
    crm_trace *traces;
} watch;

static crm_status watch_sample(void *context, const crm_sample *sample)
{
    const watch *w = context;
    for (size_t i = 0; i < w->count; i++) {
        crm_trace_add(&w->traces[i], w->model, sample);
    }
    return CRM_OK;
}

static void solve_law(crm_point *point, size_t law, watch *w)
{
    const crm_scenario *scenario = point->scenario;
    crm_recorder recorder = {
        .context = w, .interval = scenario->history_interval, .record = watch_sample};
    crm_error error = {0};
    for (size_t i = 0; i < w->count; i++) {
        if (!crm_trace_begin(&w->traces[i], scenario->model)) {
            snprintf(point->trouble, sizeof point->trouble,
                     "a trace names an entry that the "
                     "system does not have");
            return;
        }
    }
    crm_status status =
        crm_solve_on(1, w->over, scenario->model, scenario->velocity, scenario->laws[law].settings,
                     w->count > 0 ? &recorder : NULL, &point->outcomes[law], &error);
    if (status != CRM_OK) {
        snprintf(point->trouble, sizeof point->trouble, "law %s: %s", scenario->laws[law].label,
                 error.message);
        point->out_of_memory = status == CRM_ERROR_MEMORY;
    }
    for (size_t i = 0; i < w->count; i++) {
        point->traces[law * w->count + i] = crm_trace_value(&w->traces[i]);
    }
}

static void solve_laws(const crm_record *record, crm_point *point)
{
    size_t laws = point->scenario->law_count;
    watch w = {.over = record->watch,
               .model = point->scenario->model,
               .count = record->trace_count,
               .traces = CRM_NEW(crm_trace, record->trace_count)};
    point->outcomes = CRM_NEW(crm_outcome *, laws);
    point->traces = CRM_NEW(double, laws * record->trace_count);
    if (point->outcomes == NULL || point->traces == NULL || w.traces == NULL) {
        snprintf(point->trouble, sizeof point->trouble, "out of memory");
        point->out_of_memory = true;
    }
    for (size_t i = 0; i < record->trace_count && w.traces != NULL; i++) {
        crm_trace_parse(record->trace_names[i], &w.traces[i]);
    }
    for (size_t i = 0; i < laws && point->trouble[0] == '\0'; i++) {
        solve_law(point, i, &w);
    }
    free(w.traces);
}

void crm_point_solve(const crm_record *record, size_t case_index, double parameter, double grid,
                     crm_point *point)
{
    crm_read_error error = {0};
    double memory = record->watch != NULL ? record->watch->bytes : 0;
    *point = (crm_point){.threshold = NAN, .parameter = parameter};
    if (make_scenario(record->item, memory, case_index, parameter, grid, &point->scenario,
                      &error) != CRM_OK) {
        snprintf(point->trouble, sizeof point->trouble, "%.*s", (int)sizeof point->trouble - 1,
                 error.text);
        point->out_of_memory = error.status == CRM_ERROR_MEMORY;
        return;
    }
    solve_laws(record, point);
}
