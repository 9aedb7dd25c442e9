/* Reports as text, for callers of the library (carom/report.h). */
#include "carom/report.h"

#include "base/arithmetic.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "report/report.h"

/* Its sizes are those of the model; its values are not checked. */
static crm_status check_outcome(const crm_report_def *def, size_t i, crm_error *error)
{
    const crm_outcome *outcome = def->outcomes[i];
    size_t n = crm_model_coordinates(def->model), s = crm_model_contacts(def->model);
    if (outcome == NULL || (outcome->coordinates == n && outcome->contacts == s)) {
        return CRM_OK;
    }
    char place[48];
    snprintf(place, sizeof place, "outcomes[%zu]", i + 1);
    return crm_fail(error, CRM_ERROR_ARGUMENT, place,
                    "the outcome has %zu coordinates and %zu contacts, the model %zu and %zu",
                    outcome->coordinates, outcome->contacts, n, s);
}

static crm_status check(const crm_report_def *def, crm_report_form form, crm_error *error)
{
    if ((unsigned)form > CRM_REPORT_CSV) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "form", "there is no form %d", (int)form);
    }
    if (crm_fail_if_null(def, "def", error) || crm_fail_if_null(def->model, "model", error) ||
        crm_fail_if_null(def->velocity, "velocity", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    if (def->count == 0) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "count", "there is no law to report on");
    }
    if (crm_fail_if_null(def->labels, "labels", error) ||
        crm_fail_if_null(def->settings, "settings", error) ||
        crm_fail_if_null(def->outcomes, "outcomes", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    for (size_t i = 0; i < def->count; i++) {
        if (crm_fail_if_null(def->labels[i], "labels", error) ||
            crm_fail_if_null(def->settings[i], "settings", error) ||
            check_outcome(def, i, error) != CRM_OK) {
            return CRM_ERROR_ARGUMENT;
        }
    }
    return CRM_OK;
}

static crm_report_entry *make_entries(const crm_report_def *def)
{
    crm_report_entry *entries = CRM_NEW(crm_report_entry, def->count);
    for (size_t i = 0; entries != NULL && i < def->count; i++) {
        const char *reason = def->reasons != NULL ? def->reasons[i] : NULL;
        entries[i] = (crm_report_entry){.label = def->labels[i],
                                        .law = crm_settings_law(def->settings[i]),
                                        .settings = def->settings[i],
                                        .outcome = def->outcomes[i],
                                        .reason = reason != NULL ? reason : ""};
    }
    return entries;
}

static crm_report report_of(const crm_report_def *def, const crm_report_entry *entries)
{
    const crm_scenario *scenario = def->scenario;
    crm_report report = {.title = "",
                         .model = def->model,
                         .velocity = def->velocity,
                         .generalized = def->generalized,
                         .count = def->count,
                         .entries = entries};
    if (scenario != NULL) {
        report.title = scenario->title;
        report.generalized = scenario->generalized;
        report.near_contacts = scenario->near_contacts;
        report.warnings = &scenario->warnings;
    }
    return report;
}

static crm_status write_form(const crm_report_def *def, const crm_report *report,
                             crm_report_form form, FILE *stream, crm_error *error)
{
    crm_style style = crm_report_style_plain();
    style.width = def->width > 0 ? def->width : style.width;
    style.bars = def->bars;
    switch (form) {
    case CRM_REPORT_JSON:
        return crm_report_json(report, stream, error);
    case CRM_REPORT_CSV:
        return crm_report_csv(report, stream, error);
    default:
        return crm_report_table(report, style, stream, error);
    }
}

crm_status crm_report_write(const crm_report_def *def, crm_report_form form, char **text,
                            crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(text, "text", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *text = NULL;
    crm_status status = check(def, form, error);
    if (status != CRM_OK) {
        return status;
    }
    size_t size = 0;
    crm_report_entry *entries = make_entries(def);
    FILE *stream = entries != NULL ? open_memstream(text, &size) : NULL;
    if (stream == NULL) {
        free(entries);
        return crm_fail_memory(error);
    }
    crm_report report = report_of(def, entries);
    status = write_form(def, &report, form, stream, error);
    bool whole = ferror(stream) == 0;
    whole =
        fclose(stream) == 0 && whole && *text != NULL; /* NULL: there was no memory for its end */
    free(entries);
    status = status == CRM_OK && !whole ? crm_fail_memory(error) : status;
    if (status != CRM_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

void crm_text_free(char *text)
{
    free(text);
}
