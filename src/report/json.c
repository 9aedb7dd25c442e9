/* The report as JSON: the layout that programs rely on. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "report/report.h"

/* Jansson's _new functions take what they are given and pass NULL on, so that a failed allocation
 * anywhere surfaces as one NULL at the end; setters below keep that property. */
static void put(json_t **object, const char *key, json_t *value)
{
    if (*object != NULL && json_object_set_new(*object, key, value) != 0) {
        json_decref(*object);
        *object = NULL;
    } else if (*object == NULL) {
        json_decref(value);
    }
}

static void add(json_t **array, json_t *value)
{
    if (*array != NULL && json_array_append_new(*array, value) != 0) {
        json_decref(*array);
        *array = NULL;
    } else if (*array == NULL) {
        json_decref(value);
    }
}

/* JSON has neither NaN nor infinity, and nobody wants -0. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value == 0 ? 0.0 : value) : json_null();
}

static json_t *numbers(const double *values, size_t count)
{
    if (values == NULL) {
        return json_null();
    }
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        add(&array, number(values[i]));
    }
    return array;
}

static json_t *counts(const uint32_t *values, size_t count)
{
    if (values == NULL) {
        return json_null();
    }
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        add(&array, json_integer((json_int_t)values[i]));
    }
    return array;
}

/* ---- The system --------------------------------------------------------------------------- */

static json_t *body_names(const crm_model *model)
{
    json_t *array = json_array();
    for (size_t i = 0; i < crm_model_bodies(model); i++) {
        char name[CRM_NAME_SIZE];
        crm_model_body_name(model, i, name, sizeof name);
        add(&array, json_string(name));
    }
    return array;
}

static json_t *contact_names(const crm_model *model)
{
    json_t *array = json_array();
    for (size_t j = 0; j < crm_model_contacts(model); j++) {
        char first[CRM_NAME_SIZE], second[CRM_NAME_SIZE];
        crm_model_party_name(model, j, 0, first, sizeof first);
        crm_model_party_name(model, j, 1, second, sizeof second);
        add(&array, json_pack("[s, s]", first, second));
    }
    return array;
}

/* ---- One result --------------------------------------------------------------------------- */

/* Bodies whose velocity is this close to the first law's, relative to its largeness. */
static const double NEAR = 0.01;

static void put_shares(json_t **object, const crm_report *report, const crm_outcome *outcome)
{
    const crm_model *model = report->model;
    size_t stuck = crm_measure_stuck_pairs(model, report->velocity, outcome->velocity);
    put(object, "forward_share", number(crm_measure_forward_share(model, outcome->velocity)));
    put(object, "last_share", number(crm_measure_last_share(model, outcome->velocity)));
    put(object, "stuck_pairs", json_integer((json_int_t)stuck));
}

/* Beside the first result, if it has one. */
static void put_comparison(json_t **object, const crm_report *report, const crm_outcome *outcome)
{
    const crm_outcome *first = report->entries[0].outcome;
    if (first == NULL) {
        put(object, "gap_percent", json_null());
        put(object, "near", json_null());
        return;
    }
    size_t near = crm_measure_near(report->model, outcome->velocity, first->velocity, NEAR);
    put(object, "gap_percent",
        number(crm_measure_gap_percent(report->model, outcome->velocity, first->velocity)));
    put(object, "near", json_integer((json_int_t)near));
}

static json_t *measures(const crm_report *report, const crm_outcome *outcome)
{
    const crm_model *model = report->model;
    json_t *object = json_object();
    put(&object, "dispersion", number(crm_measure_dispersion(model, outcome->velocity)));
    put(&object, "forward",
        json_integer((json_int_t)crm_measure_forward(model, outcome->velocity)));
    put(&object, "effective_restitution",
        number(crm_measure_effective_restitution(model, report->velocity, outcome->velocity)));
    put_shares(&object, report, outcome);
    put_comparison(&object, report, outcome);
    return object;
}

static void put_arrays(json_t **object, const crm_outcome *outcome)
{
    size_t s = outcome->contacts;
    put(object, "velocity", numbers(outcome->velocity, outcome->coordinates));
    put(object, "impulse", numbers(outcome->impulse, s));
    put(object, "gap_velocity", numbers(outcome->gap_velocity, s));
    put(object, "energy_after", number(outcome->energy_after));
    put(object, "energy_ratio", number(outcome->energy_after / outcome->energy_before));
    put(object, "loss", numbers(outcome->loss, s));
    put(object, "stored_before", number(outcome->stored_before));
    put(object, "boundary_work", number(outcome->boundary_work));
}

static void put_verdicts(json_t **object, const crm_outcome *outcome)
{
    put(object, "kinematic", json_boolean(outcome->kinematic));
    put(object, "kinetic", json_boolean(outcome->kinetic));
    put(object, "energetic", json_boolean(outcome->energetic));
    put(object, "unique", json_boolean(outcome->unique));
}

static void put_work(json_t **object, const crm_outcome *outcome)
{
    size_t s = outcome->contacts;
    put(object, "duration", number(outcome->duration));
    put(object, "peak_force", numbers(outcome->peak_force, s));
    put(object, "contact_duration", numbers(outcome->contact_duration, s));
    put(object, "compressions", counts(outcome->compressions, s));
    put(object, "steps", json_integer((json_int_t)outcome->steps));
    put(object, "evaluations", json_integer((json_int_t)outcome->evaluations));
    put(object, "error_estimate", number(outcome->error_estimate));
    put(object, "energy_error", number(outcome->energy_error));
    put(object, "tail_closed", json_boolean(outcome->tail_closed));
    put(object, "tail_speed", number(outcome->tail_speed));
}

/* Whoever reads the result finds every key, whether the law had an answer or not. */
static void put_nothing(json_t **object)
{
    static const char *const keys[] = {
        "velocity",     "impulse",       "gap_velocity",  "energy_after",   "energy_ratio",
        "loss",         "stored_before", "boundary_work", "kinematic",      "kinetic",
        "energetic",    "unique",        "duration",      "peak_force",     "contact_duration",
        "compressions", "steps",         "evaluations",   "error_estimate", "energy_error",
        "tail_closed",  "tail_speed",    "measures"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        put(object, keys[i], json_null());
    }
}

static json_t *result(const crm_report *report, const crm_report_entry *entry)
{
    const crm_outcome *outcome = entry->outcome;
    json_t *object = json_object();
    put(&object, "law", json_string(entry->law->name));
    put(&object, "label", json_string(entry->label));
    put(&object, "status", json_string(crm_entry_status(entry)));
    if (crm_entry_reason(entry)[0] != '\0') {
        put(&object, "reason", json_string(crm_entry_reason(entry)));
    }
    if (outcome == NULL) {
        put_nothing(&object);
        return object;
    }
    put_arrays(&object, outcome);
    put_verdicts(&object, outcome);
    put_work(&object, outcome);
    put(&object, "measures", measures(report, outcome));
    if (outcome->note[0] != '\0') {
        put(&object, "note", json_string(outcome->note));
    }
    return object;
}

/* ---- The whole ---------------------------------------------------------------------------- */

static json_t *whole(const crm_report *report)
{
    json_t *results = json_array();
    for (size_t i = 0; i < report->count; i++) {
        add(&results, result(report, &report->entries[i]));
    }
    json_t *object = json_object();
    put(&object, "carom", json_string(crm_version()));
    put(&object, "title", json_string(report->title));
    put(&object, "bodies", body_names(report->model));
    put(&object, "contacts", contact_names(report->model));
    put(&object, "velocity_before",
        numbers(report->velocity, crm_model_coordinates(report->model)));
    put(&object, "energy_before",
        number(crm_model_kinetic_energy(report->model, report->velocity)));
    put(&object, "results", results);
    return object;
}

crm_status crm_report_json(const crm_report *report, FILE *stream, crm_error *error)
{
    json_t *object = whole(report);
    if (object == NULL) {
        return crm_fail_memory(error);
    }
    /* A refusal of the stream is the caller's to see: it shows in ferror(). */
    json_dumpf(object, stream, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    fputc('\n', stream);
    json_decref(object);
    return CRM_OK;
}
