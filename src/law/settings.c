/* A law's options: defaults, checks and values, all driven by the law's parameter table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/locale.h"
#include "base/precondition.h"
#include "law/law.h"

enum { LONGEST_NAME = 64 };

crm_status crm_law_check(const crm_law *law, crm_error *error)
{
    if (law == NULL) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "law", "no such law");
    }
    if (law->name == NULL || law->name[0] == '\0' || law->solve == NULL) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, law->solve == NULL ? "law.solve" : "law.name",
                        "a law needs a name and a function that solves");
    }
    if ((law->create_kept == NULL) != (law->free_kept == NULL)) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "law.create_kept",
                        "law %.60s: give both create_kept and free_kept, or neither", law->name);
    }
    if (law->parameter_count > 0 && crm_fail_if_null(law->parameters, "law.parameters", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    for (size_t i = 0; i < law->parameter_count; i++) {
        const crm_parameter *p = &law->parameters[i];
        if (p->name == NULL || (p->kind == CRM_PARAMETER_CHOICE && p->choices == NULL)) {
            char place[48];
            snprintf(place, sizeof place, "law.parameters[%zu]", i + 1);
            return crm_fail(error, CRM_ERROR_ARGUMENT, place, "an option of law %.60s has no %s",
                            law->name, p->name == NULL ? "name" : "choices");
        }
    }
    return CRM_OK;
}

crm_status crm_settings_create(const crm_law *law, crm_settings **settings, crm_error *error)
{
    if (crm_fail_if_null(settings, "settings", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *settings = NULL;
    crm_status status = crm_law_check(law, error);
    if (status != CRM_OK) {
        return status;
    }
    crm_settings *made = CRM_NEW(crm_settings, 1);
    crm_value *values = CRM_NEW(crm_value, law->parameter_count);
    if (made == NULL || values == NULL) {
        free(made);
        free(values);
        return crm_fail_memory(error);
    }
    for (size_t i = 0; i < law->parameter_count; i++) {
        bool choice = law->parameters[i].kind == CRM_PARAMETER_CHOICE;
        values[i].number = choice ? 0 : law->parameters[i].standard;
    }
    made->law = law;
    made->width = crm_widest();
    made->values = values;
    *settings = made;
    return CRM_OK;
}

void crm_settings_free(crm_settings *settings)
{
    if (settings == NULL) {
        return;
    }
    for (size_t i = 0; i < settings->law->parameter_count; i++) {
        free(settings->values[i].list);
    }
    free(settings->values);
    free(settings);
}

crm_status crm_settings_use_vectors(crm_settings *settings, unsigned bytes, crm_error *error)
{
    if (crm_fail_if_null(settings, "settings", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    if (bytes == 0) {
        settings->width = crm_widest();
        return CRM_OK;
    }
    crm_width width = bytes == 64 ? CRM_WIDTH_64 : bytes == 32 ? CRM_WIDTH_32 : CRM_WIDTH_16;
    if (bytes != 16 && bytes != 32 && bytes != 64) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "bytes",
                        "vectors have %u bytes, must have 16, 32, 64, or 0 for the widest", bytes);
    }
    if (!crm_width_is_there(width)) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "bytes",
                        "this processor has no vectors of %u bytes", bytes);
    }
    settings->width = width;
    return CRM_OK;
}

const crm_law *crm_settings_law(const crm_settings *settings)
{
    CRM_PRECONDITION(settings != NULL);
    return settings->law;
}

/* The nearest option; when none is near, all of them. */
static crm_status fail_unknown(const crm_law *law, const char *name, crm_error *error)
{
    const char *nearest = law->parameters[0].name;
    for (size_t i = 1; i < law->parameter_count; i++) {
        const char *two[] = {nearest, law->parameters[i].name};
        nearest = two[crm_text_nearest(name, two, 2)];
    }
    if (crm_text_is_near(name, nearest)) {
        return crm_fail(error, CRM_ERROR_OPTION, name,
                        "law %s has no option '%s'; did you mean '%s'?", law->name, name, nearest);
    }
    char known[384] = "";
    for (size_t i = 0; i < law->parameter_count; i++) {
        bool last = i + 1 == law->parameter_count;
        crm_text_append(known, sizeof known, "%s%s",
                        i == 0 ? ""
                        : last ? " and "
                               : ", ",
                        law->parameters[i].name);
    }
    return crm_fail(error, CRM_ERROR_OPTION, name, "law %s has no option '%s'; there %s %s",
                    law->name, name, law->parameter_count == 1 ? "is" : "are", known);
}

static crm_status find_parameter(const crm_settings *settings, const char *name, size_t *index,
                                 crm_error *error)
{
    if (crm_fail_if_null(settings, "settings", error) || crm_fail_if_null(name, "name", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    const crm_law *law = settings->law;
    for (size_t i = 0; i < law->parameter_count; i++) {
        if (strcmp(law->parameters[i].name, name) == 0) {
            *index = i;
            return CRM_OK;
        }
    }
    if (law->parameter_count == 0) {
        return crm_fail(error, CRM_ERROR_OPTION, name, "law %s has no options ('%s' given)",
                        law->name, name);
    }
    return fail_unknown(law, name, error);
}

static bool is_number(crm_parameter_kind kind)
{
    return kind == CRM_PARAMETER_NUMBER || kind == CRM_PARAMETER_INTEGER;
}

static bool is_list(crm_parameter_kind kind)
{
    return kind == CRM_PARAMETER_LIST || kind == CRM_PARAMETER_MATRIX;
}

static void describe_range(const crm_parameter *p, char *text, size_t size)
{
    const char *noun = p->kind == CRM_PARAMETER_INTEGER ? "a whole number" : "a number";
    bool least = isfinite(p->least), most = isfinite(p->most);
    if (least && most && !p->open_least) {
        crm_snprintf(text, size, "%s between %g and %g", noun, p->least, p->most);
    } else if (least && most) {
        crm_snprintf(text, size, "%s above %g and at most %g", noun, p->least, p->most);
    } else if (least) {
        crm_snprintf(text, size, "%s %s %g", noun, p->open_least ? "above" : "of at least",
                     p->least);
    } else if (most) {
        crm_snprintf(text, size, "%s of at most %g", noun, p->most);
    } else {
        snprintf(text, size, "%s", noun);
    }
}

static bool in_range(const crm_parameter *p, double value)
{
    bool above = p->open_least ? value > p->least : value >= p->least;
    bool whole = p->kind != CRM_PARAMETER_INTEGER || value == floor(value);
    return isfinite(value) && above && value <= p->most && whole;
}

/* `name` is the option, or an entry of it: "ratios[2]". */
static crm_status fail_range(const crm_settings *settings, const crm_parameter *p, const char *name,
                             double value, crm_error *error)
{
    char allowed[96];
    describe_range(p, allowed, sizeof allowed);
    return crm_fail(error, CRM_ERROR_OPTION, name, "law %s: %s is %g, must be %s",
                    settings->law->name, name, value, allowed);
}

/* The entry that is out of range, as people count: "ratios[2]", "restitution_matrix[1][2]". */
static crm_status fail_entry(const crm_settings *settings, const crm_parameter *p, size_t count,
                             const double *values, size_t entry, crm_error *error)
{
    char name[LONGEST_NAME + 48];
    size_t side = (size_t)(sqrt((double)count) + 0.5);
    if (p->kind == CRM_PARAMETER_MATRIX && side * side == count) {
        snprintf(name, sizeof name, "%.*s[%zu][%zu]", LONGEST_NAME, p->name, entry / side + 1,
                 entry % side + 1);
    } else {
        snprintf(name, sizeof name, "%.*s[%zu]", LONGEST_NAME, p->name, entry + 1);
    }
    return fail_range(settings, p, name, values[entry], error);
}

static crm_status fail_kind(const crm_settings *settings, const crm_parameter *p, crm_error *error)
{
    char wanted[256];
    switch (p->kind) {
    case CRM_PARAMETER_CHOICE:
        snprintf(wanted, sizeof wanted, "one of %s", p->choices);
        break;
    case CRM_PARAMETER_LIST:
        snprintf(wanted, sizeof wanted, "a list of numbers, one per contact");
        break;
    case CRM_PARAMETER_MATRIX:
        snprintf(wanted, sizeof wanted, "a matrix of numbers, a row and a column per contact");
        break;
    default:
        describe_range(p, wanted, sizeof wanted);
    }
    return crm_fail(error, CRM_ERROR_OPTION, p->name, "law %s: %s must be %s", settings->law->name,
                    p->name, wanted);
}

crm_status crm_settings_set_number(crm_settings *settings, const char *name, double value,
                                   crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    size_t index = 0;
    crm_status status = find_parameter(settings, name, &index, error);
    if (status != CRM_OK) {
        return status;
    }
    const crm_parameter *p = &settings->law->parameters[index];
    if (!is_number(p->kind)) {
        return fail_kind(settings, p, error);
    }
    if (!in_range(p, value)) {
        return fail_range(settings, p, p->name, value, error);
    }
    settings->values[index].number = value;
    free(settings->values[index].list); /* of a number for each contact */
    settings->values[index].list = NULL;
    settings->values[index].count = 0;
    return CRM_OK;
}

/* Place of `value` among "a|b|c"; SIZE_MAX when it is none of them. */
static size_t find_choice(const char *choices, const char *value)
{
    size_t length = strlen(value), place = 0;
    for (const char *at = choices; at != NULL; place++) {
        const char *end = strchr(at, '|');
        size_t span = end != NULL ? (size_t)(end - at) : strlen(at);
        if (span == length && memcmp(at, value, length) == 0) {
            return place;
        }
        at = end != NULL ? end + 1 : NULL;
    }
    return SIZE_MAX;
}

crm_status crm_settings_set_text(crm_settings *settings, const char *name, const char *value,
                                 crm_error *error)
{
    size_t index = 0;
    crm_status status = find_parameter(settings, name, &index, error);
    if (status != CRM_OK) {
        return status;
    }
    const crm_parameter *p = &settings->law->parameters[index];
    if (p->kind != CRM_PARAMETER_CHOICE) {
        return fail_kind(settings, p, error);
    }
    if (crm_fail_if_null(value, "value", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    size_t choice = find_choice(p->choices, value);
    if (choice == SIZE_MAX) {
        return crm_fail(error, CRM_ERROR_OPTION, p->name,
                        "law %s: %s is '%.60s', must be one of %s", settings->law->name, p->name,
                        value, p->choices);
    }
    settings->values[index].number = (double)choice;
    return CRM_OK;
}

crm_status crm_settings_set_list(crm_settings *settings, const char *name, size_t count,
                                 const double *values, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    size_t index = 0;
    crm_status status = find_parameter(settings, name, &index, error);
    if (status != CRM_OK) {
        return status;
    }
    const crm_parameter *p = &settings->law->parameters[index];
    if (!is_list(p->kind) && !p->each) {
        return fail_kind(settings, p, error);
    }
    if (count > 0 && crm_fail_if_null(values, "values", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    for (size_t i = 0; i < count; i++) {
        if (!in_range(p, values[i])) {
            return fail_entry(settings, p, count, values, i, error);
        }
    }
    double *copy = crm_memory_copy_doubles(values, count);
    if (copy == NULL) {
        return crm_fail_memory(error);
    }
    free(settings->values[index].list);
    settings->values[index].list = copy;
    settings->values[index].count = count;
    return CRM_OK;
}

/* ---- Getting ------------------------------------------------------------------------------- */

static crm_status fail_asked(const crm_settings *settings, const crm_parameter *p, crm_error *error)
{
    const char *kind = is_number(p->kind) ? "a number" : is_list(p->kind) ? "a list" : "a text";
    return crm_fail(error, CRM_ERROR_ARGUMENT, p->name,
                    "law %s: %s is %s, and was read as another type", settings->law->name, p->name,
                    kind);
}

crm_status crm_settings_get_number(const crm_settings *settings, const char *name, double *value,
                                   crm_error *error)
{
    size_t index = 0;
    crm_status status = find_parameter(settings, name, &index, error);
    if (status != CRM_OK || crm_fail_if_null(value, "value", error)) {
        return status != CRM_OK ? status : CRM_ERROR_ARGUMENT;
    }
    const crm_parameter *p = &settings->law->parameters[index];
    if (!is_number(p->kind)) {
        return fail_asked(settings, p, error);
    }
    *value = settings->values[index].number;
    return CRM_OK;
}

crm_status crm_settings_get_text(const crm_settings *settings, const char *name, char *text,
                                 size_t size, crm_error *error)
{
    size_t index = 0;
    crm_status status = find_parameter(settings, name, &index, error);
    if (status != CRM_OK || crm_fail_if_null(text, "text", error)) {
        return status != CRM_OK ? status : CRM_ERROR_ARGUMENT;
    }
    const crm_parameter *p = &settings->law->parameters[index];
    if (p->kind != CRM_PARAMETER_CHOICE) {
        return fail_asked(settings, p, error);
    }
    const char *at = p->choices;
    for (size_t left = crm_settings_choice(settings, index); left > 0; left--) {
        at = strchr(at, '|') + 1;
    }
    snprintf(text, size, "%.*s", (int)strcspn(at, "|"), at);
    return CRM_OK;
}

crm_status crm_settings_get_list(const crm_settings *settings, const char *name, size_t *count,
                                 const double **values, crm_error *error)
{
    size_t index = 0;
    crm_status status = find_parameter(settings, name, &index, error);
    if (status != CRM_OK || crm_fail_if_null(count, "count", error) ||
        crm_fail_if_null(values, "values", error)) {
        return status != CRM_OK ? status : CRM_ERROR_ARGUMENT;
    }
    const crm_parameter *p = &settings->law->parameters[index];
    if (!is_list(p->kind) && !p->each) {
        return fail_asked(settings, p, error);
    }
    *values = crm_settings_list(settings, index, count);
    return CRM_OK;
}

/* ---- For laws, by the option's place -------------------------------------------------------- */

double crm_settings_number(const crm_settings *settings, size_t index)
{
    return settings->values[index].number;
}

size_t crm_settings_choice(const crm_settings *settings, size_t index)
{
    return (size_t)settings->values[index].number;
}

const double *crm_settings_list(const crm_settings *settings, size_t index, size_t *count)
{
    *count = settings->values[index].count;
    return settings->values[index].list;
}
