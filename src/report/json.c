/* The report as JSON. Programs rely on its layout. */
#include "report/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/locale.h"
#include "base/text.h"
#include "report/page/solve/model_subset.h"

void crm_json_put(json_t **object, const char *key, json_t *value)
{
    if (*object != NULL && json_object_set_new(*object, key, value) != 0) {
        json_decref(*object);
        *object = NULL;
    } else if (*object == NULL) {
        json_decref(value);
    }
}

void crm_json_add(json_t **array, json_t *value)
{
    if (*array != NULL && json_array_append_new(*array, value) != 0) {
        json_decref(*array);
        *array = NULL;
    } else if (*array == NULL) {
        json_decref(value);
    }
}

crm_status crm_json_print(json_t *object, FILE *stream, crm_error *error)
{
    crm_locale locale = crm_locale_begin();
    bool whole =
        object != NULL && json_dumpf(object, stream, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0;
    crm_locale_end(locale);
    json_decref(object);
    fputc('\n', stream);
    return whole || ferror(stream) != 0 ? CRM_OK : crm_fail_memory(error);
}

json_t *crm_json_number(double value)
{
    return isfinite(value) ? json_real(value == 0 ? 0.0 : value) : json_null();
}

/* Bytes that are no UTF-8, which JSON cannot have, become U+FFFD. */
static json_t *text_value(const char *text)
{
    static const char instead[] = "\xef\xbf\xbd"; /* U+FFFD */
    json_t *string = json_string(text);
    char *valid = string == NULL ? CRM_NEW(char, strlen(text) * (sizeof instead - 1) + 1) : NULL;
    if (valid == NULL) {
        return string;
    }
    char *to = valid;
    for (bool hidden; *text != '\0';) {
        size_t length = crm_text_character(text, &hidden);
        bool none = length == 1 && (unsigned char)*text >= 0x80;
        size_t written = none ? sizeof instead - 1 : length;
        memcpy(to, none ? instead : text, written);
        to += written;
        text += length;
    }
    string = json_string(valid);
    free(valid);
    return string;
}

/* ---- Fields ---------------------------------------------------------------------------------- */

/* The words of a path. */
static json_t *path_words(double path)
{
    json_t *words = json_array();
    for (unsigned k = 0; crm_field_path_word(k) != NULL; k++) {
        if (((unsigned)path >> k & 1U) != 0) {
            crm_json_add(&words, json_string(crm_field_path_word(k)));
        }
    }
    return words;
}

static json_t *scalar(const crm_outcome_field *field, double value)
{
    if (isnan(value)) {
        return json_null();
    }
    switch (field->kind) {
    case CRM_FIELD_PATH:
        return path_words(value);
    case CRM_FIELD_COUNT:
        return json_integer((json_int_t)value);
    case CRM_FIELD_FLAG:
        return json_boolean(value != 0);
    default:
        return crm_json_number(value);
    }
}

/* Which of all there are: all, or those of the subset. */
typedef struct chosen {
    size_t count;
    const size_t *which; /* NULL: all */
} chosen;

static chosen choose(const crm_report *report, crm_field_of of, size_t all)
{
    const crm_model_subset *e = report->subset;
    if (e == NULL || e->whole) {
        return (chosen){all, NULL};
    }
    return of == CRM_OF_COORDINATE ? (chosen){e->coordinate_count, e->coordinates}
           : of == CRM_OF_CONTACT  ? (chosen){e->contact_count, e->contacts}
                                   : (chosen){e->body_count, e->bodies};
}

static size_t place_of(chosen c, size_t index)
{
    return c.which != NULL ? c.which[index] : index;
}

/* Of a contact: one number, or in space a list of two. */
static json_t *of_contact(const crm_outcome_field *field, const crm_impact *impact, size_t contact)
{
    unsigned each = crm_model_tangents(impact->model);
    if (field->of != CRM_OF_TANGENT) {
        return scalar(field, crm_field_value(field, impact, contact));
    }
    if (each == 1 || isnan(crm_field_value(field, impact, contact * each))) {
        return scalar(field, crm_field_value(field, impact, contact * each));
    }
    json_t *both = json_array();
    for (unsigned k = 0; k < each; k++) {
        crm_json_add(&both, scalar(field, crm_field_value(field, impact, contact * each + k)));
    }
    return both;
}

static json_t *field_value(const crm_report *report, const crm_outcome_field *field,
                           const crm_impact *impact)
{
    if (!crm_field_defined(field, impact)) {
        return json_null();
    }
    if (field->of == CRM_OF_IMPACT) {
        return scalar(field, crm_field_value(field, impact, 0));
    }
    json_t *array = json_array();
    bool tangents = field->of == CRM_OF_TANGENT;
    chosen c = choose(report, tangents ? CRM_OF_CONTACT : field->of,
                      tangents ? crm_model_contacts(impact->model)
                               : crm_field_count(field, impact->model));
    for (size_t i = 0; i < c.count; i++) {
        crm_json_add(&array, of_contact(field, impact, place_of(c, i)));
    }
    return array;
}

/* Every key but the optional ones is present, whether the law had an answer or not. */
static void put_fields(const crm_report *report, json_t **object, crm_field_json where,
                       const crm_impact *impact)
{
    for (size_t i = 0; i < crm_outcome_fields(); i++) {
        const crm_outcome_field *field = crm_outcome_field_at(i);
        if (field->json == where && crm_field_exists(field, impact->model) &&
            (!field->optional || crm_field_defined(field, impact))) {
            crm_json_put(object, field->name, field_value(report, field, impact));
        }
    }
}

/* ---- The system ------------------------------------------------------------------------------ */

static json_t *body_names(const crm_report *report)
{
    json_t *array = json_array();
    chosen c = choose(report, CRM_OF_BODY, crm_model_bodies(report->model));
    for (size_t i = 0; i < c.count; i++) {
        char name[CRM_NAME_SIZE];
        crm_model_body_name(report->model, place_of(c, i), name, sizeof name);
        crm_json_add(&array, text_value(name));
    }
    return array;
}

static json_t *contact_names(const crm_report *report)
{
    json_t *array = json_array();
    chosen c = choose(report, CRM_OF_CONTACT, crm_model_contacts(report->model));
    for (size_t i = 0; i < c.count; i++) {
        char first[CRM_NAME_SIZE], second[CRM_NAME_SIZE];
        size_t contact = place_of(c, i);
        crm_model_party_name(report->model, contact, 0, first, sizeof first);
        crm_model_party_name(report->model, contact, 1, second, sizeof second);
        crm_json_add(&array, json_pack("[o, o]", text_value(first), text_value(second)));
    }
    return array;
}

static json_t *contact_own_names(const crm_report *report)
{
    json_t *array = json_array();
    chosen c = choose(report, CRM_OF_CONTACT, crm_model_contacts(report->model));
    for (size_t i = 0; i < c.count; i++) {
        char name[2 * CRM_NAME_SIZE];
        crm_contact_name(report->model, place_of(c, i), name, sizeof name);
        crm_json_add(&array, text_value(name));
    }
    return array;
}

/* M in rows, where it is not diagonal and not too large to be read. */
static json_t *mass_matrix(const crm_model *model)
{
    enum { ROWS_MOST = 500 };
    size_t n = crm_model_coordinates(model);
    bool coupled = false;
    for (size_t i = 0; n <= ROWS_MOST && i < n && !coupled; i++) {
        for (size_t k = 0; k < i && !coupled; k++) {
            coupled = crm_model_mass(model, i, k) != 0;
        }
    }
    json_t *rows = coupled ? json_array() : NULL;
    for (size_t i = 0; coupled && i < n; i++) {
        json_t *row = json_array();
        for (size_t k = 0; k < n; k++) {
            crm_json_add(&row, crm_json_number(crm_model_mass(model, i, k)));
        }
        crm_json_add(&rows, row);
    }
    return rows;
}

/* ---- One result ------------------------------------------------------------------------------ */

static json_t *measures(const crm_report *report, const crm_impact *impact)
{
    if (impact->outcome == NULL) {
        return json_null();
    }
    json_t *object = json_object();
    put_fields(report, &object, CRM_JSON_MEASURES, impact);
    return object;
}

static json_t *result(const crm_report *report, size_t index)
{
    const crm_report_entry *entry = &report->entries[index];
    crm_impact impact = crm_entry_impact(report, index);
    json_t *object = json_object();
    crm_json_put(&object, "law", text_value(entry->law->name));
    crm_json_put(&object, "label", text_value(entry->label));
    crm_json_put(&object, "status", json_string(crm_entry_status(entry)));
    if (crm_entry_reason(entry)[0] != '\0') {
        crm_json_put(&object, "reason", text_value(crm_entry_reason(entry)));
    }
    crm_json_put(&object, "options", crm_settings_json(entry->settings));
    put_fields(report, &object, CRM_JSON_RESULT, &impact);
    crm_json_put(&object, "measures", measures(report, &impact));
    if (impact.outcome != NULL && impact.outcome->note[0] != '\0') {
        crm_json_put(&object, "note", text_value(impact.outcome->note));
    }
    return object;
}

/* ---- The whole ------------------------------------------------------------------------------- */

json_t *crm_json_warnings(const crm_warnings *of)
{
    json_t *array = json_array();
    for (size_t i = 0; i < of->count; i++) {
        crm_json_add(&array, text_value(of->text[i]));
    }
    return array;
}

/* What is known before any law is applied. */
static json_t *system_of(const crm_report *report)
{
    crm_impact before = {.model = report->model, .velocity = report->velocity};
    json_t *object = json_object();
    crm_json_put(&object, "carom", json_string(crm_version()));
    crm_json_put(&object, "title", text_value(report->title));
    crm_json_put(&object, "bodies", body_names(report));
    crm_json_put(&object, "contacts", contact_names(report));
    crm_json_put(&object, "contact_names", contact_own_names(report));
    put_fields(report, &object, CRM_JSON_SYSTEM, &before);
    json_t *coupled = mass_matrix(report->model);
    if (coupled != NULL) {
        crm_json_put(&object, "mass_matrix", coupled);
    }
    if (report->warnings != NULL && report->warnings->count > 0) {
        crm_json_put(&object, "notes", crm_json_warnings(report->warnings));
    }
    return object;
}

json_t *crm_report_object(const crm_report *report)
{
    json_t *results = json_array(), *object = system_of(report);
    for (size_t i = 0; i < report->count; i++) {
        crm_json_add(&results, result(report, i));
    }
    crm_json_put(&object, "results", results);
    return object;
}

/* ---- A scenario that was checked ------------------------------------------------------------- */

static json_t *laws_of(const crm_report *report)
{
    json_t *laws = json_array();
    for (size_t i = 0; i < report->count; i++) {
        const crm_report_entry *entry = &report->entries[i];
        json_t *law = json_object();
        crm_json_put(&law, "law", text_value(entry->law->name));
        crm_json_put(&law, "label", text_value(entry->label));
        crm_json_put(&law, "options", crm_settings_json(entry->settings));
        crm_json_put(&law, "restitution",
                     entry->law->restitution != NULL ? text_value(entry->law->restitution)
                                                     : json_null());
        crm_json_put(&law, "problem",
                     entry->reason != NULL && entry->reason[0] != '\0' ? text_value(entry->reason)
                                                                       : json_null());
        crm_json_add(&laws, law);
    }
    return laws;
}

static json_t *misses_of(const crm_near_contacts *near_contacts)
{
    json_t *array = json_array();
    for (size_t i = 0; near_contacts != NULL && i < near_contacts->kept; i++) {
        const crm_near_contact *miss = &near_contacts->nearest[i];
        crm_json_add(&array, json_pack("{s: [o, o], s: f, s: f}", "between",
                                       text_value(miss->first_name), text_value(miss->second_name),
                                       "gap", miss->gap, "relative", miss->relative));
    }
    return array;
}

static json_t *critical_frictions(const crm_report *report)
{
    json_t *array = json_array();
    chosen c = choose(report, CRM_OF_CONTACT, crm_model_contacts(report->model));
    for (size_t i = 0; i < c.count; i++) {
        crm_json_add(&array,
                     crm_json_number(crm_model_critical_friction(report->model, place_of(c, i))));
    }
    return array;
}

/* In models with friction. */
static crm_status put_friction(const crm_report *report, json_t **object, crm_error *error)
{
    static const char *const words[] = {[CRM_COULOMB_WEDGING_IMPOSSIBLE] = "impossible",
                                        [CRM_COULOMB_WEDGING_POSSIBLE] = "possible",
                                        [CRM_COULOMB_WEDGING_UNKNOWN] = "unknown"};
    crm_coulomb_wedging wedging = CRM_COULOMB_WEDGING_UNKNOWN;
    size_t rank = 0;
    crm_status status = crm_model_tangent_rank(report->model, &rank, error);
    if (status == CRM_ERROR_MEMORY) {
        return status;
    }
    crm_json_put(object, "tangent_rank",
                 status == CRM_OK ? json_integer((json_int_t)rank) : json_null());
    crm_json_put(object, "critical_friction", critical_frictions(report));
    status = crm_coulomb_find_wedging(report->model, &wedging, NULL, error);
    crm_json_put(object, "wedging", json_string(words[wedging]));
    return status;
}

crm_status crm_report_model_json(const crm_report *report, FILE *stream, crm_error *error)
{
    crm_impact before = {.model = report->model, .velocity = report->velocity};
    const char name[] = "gap_velocity_before";
    const crm_outcome_field *gap = crm_field_find(name, sizeof name - 1);
    size_t rank = 0;
    crm_status status = crm_model_rank(report->model, &rank, error);
    if (status == CRM_ERROR_MEMORY) {
        return status;
    }
    json_t *object = system_of(report);
    crm_json_put(&object, name, field_value(report, gap, &before));
    crm_json_put(&object, "rank", status == CRM_OK ? json_integer((json_int_t)rank) : json_null());
    status = CRM_OK;
    if (crm_model_friction(report->model) != NULL) {
        status = put_friction(report, &object, error);
    }
    if (status != CRM_OK) {
        json_decref(object);
        return status;
    }
    crm_json_put(&object, "nearly_touching", misses_of(report->near_contacts));
    crm_json_put(&object, "laws", laws_of(report));
    return crm_json_print(object, stream, error);
}

crm_status crm_report_json(const crm_report *report, FILE *stream, crm_error *error)
{
    return crm_json_print(crm_report_object(report), stream, error);
}
