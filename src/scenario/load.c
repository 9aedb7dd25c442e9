/* Scenarios for callers of the library (carom/scenario.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/base.h"
#include "law/law.h"
#include "scenario/scenario.h"

/* ---- Errors ---------------------------------------------------------------------------------- */

/* The end of a text matters more than its beginning, which is a path. */
static void copy_end(const char *text, size_t length, char *copy, size_t size)
{
    static const char cut[] = "...";
    if (length < size) {
        snprintf(copy, size, "%.*s", (int)length, text);
        return;
    }
    const char *from = text + length - (size - sizeof cut);
    while (((unsigned char)*from & 0xc0) == 0x80) { /* within a character of UTF-8 */
        from++;
    }
    snprintf(copy, size, "%s%.*s", cut, (int)(text + length - from), from);
}

/* As many whole lines as there is room for; of the first its end. */
static void list_mistakes(const crm_source *source, const crm_read_error *failure)
{
    char *list = source->mistakes;
    size_t size = source->mistakes_size;
    if (list == NULL || size <= sizeof "...") {
        return;
    }
    copy_end(failure->text, strlen(failure->text), list, size);
    for (const char *line = failure->more; *line != '\0';) {
        size_t used = strlen(list), length = strcspn(line, "\n");
        if (used + length + 2 > size) {
            return;
        }
        snprintf(list + used, size - used, "\n%.*s", (int)length, line);
        line += length + (line[length] != '\0');
    }
}

crm_status crm_load_error(const crm_source *source, const crm_read_error *failure, crm_error *error)
{
    list_mistakes(source, failure);
    if (error == NULL) {
        return failure->status;
    }
    *error = (crm_error){.status = failure->status};
    copy_end(failure->text, strlen(failure->text), error->message, sizeof error->message);
    char where[64];
    snprintf(where, sizeof where, ":%zu:%zu: ", failure->line, failure->column);
    const char *found = failure->line > 0 ? strstr(failure->text, where) : NULL;
    if (found != NULL) {
        size_t length = (size_t)(found - failure->text) + strlen(where) - 2;
        copy_end(failure->text, length, error->place, sizeof error->place);
    }
    return failure->status;
}

/* ---- Sources --------------------------------------------------------------------------------- */

const char *crm_load_source_name(const crm_source *source)
{
    bool standard = source->path != NULL && source->text == NULL && strcmp(source->path, "-") == 0;
    return standard ? "standard input" : source->path != NULL ? source->path : "scenario";
}

crm_status crm_load_source_text(const crm_source *source, const char **text, size_t *length,
                                char **read, crm_read_error *error)
{
    *read = NULL;
    *text = source->text;
    *length = source->length;
    if (source->text != NULL) {
        return CRM_OK;
    }
    crm_status status = crm_file_read(source->path, read, length, error);
    *text = *read;
    return status;
}

static crm_status check_functions(const crm_source *source, crm_error *error)
{
    for (size_t i = 0; i < source->own_function_count; i++) {
        if (crm_fail_if_null(source->own_functions, "source.own_functions", error) ||
            crm_fail_if_null(source->own_functions[i].name, "source.own_functions", error)) {
            return CRM_ERROR_ARGUMENT;
        }
    }
    return CRM_OK;
}

static crm_status check_source(const crm_source *source, crm_error *error)
{
    if (source->text == NULL && crm_fail_if_null(source->path, "source.path", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    for (size_t i = 0; i < source->override_count; i++) {
        if (crm_fail_if_null(source->overrides, "source.overrides", error) ||
            crm_fail_if_null(source->overrides[i], "source.overrides", error)) {
            return CRM_ERROR_ARGUMENT;
        }
    }
    for (size_t i = 0; i < source->own_law_count; i++) {
        if (crm_fail_if_null(source->own_laws, "source.own_laws", error) ||
            crm_fail_if_null(source->own_laws[i], "source.own_laws", error) ||
            crm_fail_if_null(source->own_laws[i]->name, "source.own_laws", error) ||
            crm_law_check(source->own_laws[i], error) != CRM_OK) {
            return CRM_ERROR_ARGUMENT;
        }
        if (crm_law_find(source->own_laws[i]->name) != NULL) {
            return crm_fail(error, CRM_ERROR_ARGUMENT, "source.own_laws",
                            "'%s' is a law of the library; give yours another name",
                            source->own_laws[i]->name);
        }
    }
    return CRM_OK;
}

crm_status crm_load_check_source(const crm_source *source, crm_error *error)
{
    if (crm_fail_if_null(source, "source", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    crm_status status = check_functions(source, error);
    return status == CRM_OK ? check_source(source, error) : status;
}

/* ---- Loading --------------------------------------------------------------------------------- */

static crm_status load(const crm_source *source, bool moves, crm_scenario **scenario,
                       crm_error *error)
{
    if (crm_fail_if_null(scenario, "scenario", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *scenario = NULL;
    crm_status status = crm_load_check_source(source, error);
    if (status != CRM_OK) {
        return status;
    }
    crm_read_error failure = {0};
    status = crm_scenario_read_source(source, NULL, moves, scenario, &failure);
    return status == CRM_OK ? CRM_OK : crm_load_error(source, &failure, error);
}

crm_status crm_scenario_load(const crm_source *source, crm_scenario **scenario, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    return load(source, false, scenario, error);
}

crm_status crm_scenario_load_motion(const crm_source *source, crm_scenario **scenario,
                                    crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    return load(source, true, scenario, error);
}

/* ---- Reading --------------------------------------------------------------------------------- */

const char *crm_scenario_title(const crm_scenario *scenario)
{
    return scenario->title;
}

size_t crm_scenario_law_count(const crm_scenario *scenario)
{
    return scenario->law_count;
}

const char *crm_scenario_label(const crm_scenario *scenario, size_t law)
{
    return scenario->laws[law].label;
}

const crm_settings *crm_scenario_settings(const crm_scenario *scenario, size_t law)
{
    return scenario->laws[law].settings;
}

size_t crm_scenario_note_count(const crm_scenario *scenario)
{
    return scenario->warnings.count;
}

const char *crm_scenario_note(const crm_scenario *scenario, size_t note)
{
    return scenario->warnings.text[note];
}

const crm_model *crm_scenario_model(const crm_scenario *scenario)
{
    return scenario->model;
}

const double *crm_scenario_velocity(const crm_scenario *scenario)
{
    return scenario->velocity;
}

double crm_scenario_interval(const crm_scenario *scenario)
{
    return scenario->history_interval;
}

const crm_scene_def *crm_scenario_scene(const crm_scenario *scenario)
{
    return scenario->motion != NULL ? &scenario->motion->scene : NULL;
}

double crm_scenario_duration(const crm_scenario *scenario)
{
    return scenario->motion != NULL ? scenario->motion->duration : NAN;
}

double crm_scenario_output_every(const crm_scenario *scenario)
{
    return scenario->motion != NULL ? scenario->motion->output_every : NAN;
}

crm_motion_options crm_scenario_motion_options(const crm_scenario *scenario)
{
    if (scenario->motion == NULL) {
        return crm_motion_options_default();
    }
    crm_motion_options options = scenario->motion->options;
    options.law = crm_scenario_motion_law(scenario)->settings;
    return options;
}

const char *crm_scenario_motion_label(const crm_scenario *scenario)
{
    return scenario->motion != NULL ? crm_scenario_motion_law(scenario)->label : "";
}

crm_status crm_scenario_make_motion(const crm_scenario *scenario, crm_motion **motion,
                                    crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(motion, "motion", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *motion = NULL;
    if (crm_fail_if_null(scenario, "scenario", error) ||
        crm_fail_if_null(scenario->motion, "scenario.simulate", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    const crm_scenario_law *law = crm_scenario_motion_law(scenario);
    crm_error cause = {0};
    crm_status status = crm_scenario_begin_motion(scenario, law, motion, &cause);
    if (status == CRM_OK || status == CRM_ERROR_MEMORY) {
        return status == CRM_OK ? CRM_OK : crm_fail_memory(error);
    }
    crm_read_error failure = {0};
    crm_scenario_fail_motion(scenario, law, &cause, &failure);
    failure.status = status;
    return crm_load_error(&(crm_source){0}, &failure, error);
}
