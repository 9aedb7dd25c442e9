/* A law's options, given or by default, as text and JSON. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "law/law.h"
#include "report/json.h"
#include "report/report.h"

/* The word of a choice: "bi" of "bi|mono". */
static void copy_choice(const char *choices, size_t index, char *text, size_t size)
{
    for (; index > 0; index--) {
        choices += strcspn(choices, "|") + 1;
    }
    snprintf(text, size, "%.*s", (int)strcspn(choices, "|"), choices);
}

/* False: it was not given, and has no default. */
static bool number_of(const crm_settings *settings, size_t i, double *value)
{
    *value = crm_settings_number(settings, i);
    return !isnan(*value);
}

/* Is it one, or a number that was given as one? */
static bool has_list(const crm_settings *settings, size_t i)
{
    const crm_parameter *p = &crm_settings_law(settings)->parameters[i];
    size_t count = 0;
    return p->kind == CRM_PARAMETER_LIST || p->kind == CRM_PARAMETER_MATRIX ||
           crm_settings_list(settings, i, &count) != NULL;
}

void crm_settings_text(const crm_settings *settings, char *text, size_t size)
{
    const crm_law *law = settings != NULL ? crm_settings_law(settings) : NULL;
    text[0] = '\0';
    for (size_t i = 0; law != NULL && i < law->parameter_count; i++) {
        const crm_parameter *p = &law->parameters[i];
        const char *comma = text[0] != '\0' ? ", " : "";
        char word[64];
        double number;
        size_t count = 0;
        if (p->kind == CRM_PARAMETER_CHOICE) {
            copy_choice(p->choices, crm_settings_choice(settings, i), word, sizeof word);
            crm_text_append(text, size, "%s%s %s", comma, p->name, word);
        } else if (has_list(settings, i)) {
            if (crm_settings_list(settings, i, &count) != NULL) {
                crm_text_append(text, size, "%s%s of %zu numbers", comma, p->name, count);
            }
        } else if (number_of(settings, i, &number)) {
            crm_text_append(text, size, "%s%s %.10g", comma, p->name, number);
        }
    }
}

double crm_settings_tolerance(const crm_settings *settings)
{
    const crm_law *law = crm_settings_law(settings);
    for (size_t i = 0; i < law->parameter_count; i++) {
        if (strcmp(law->parameters[i].name, "tolerance") == 0) {
            return crm_settings_number(settings, i);
        }
    }
    return NAN;
}

static json_t *list_of(const crm_settings *settings, size_t i)
{
    size_t count = 0;
    const double *values = crm_settings_list(settings, i, &count);
    if (values == NULL) {
        return json_null();
    }
    json_t *array = json_array();
    for (size_t k = 0; k < count; k++) {
        crm_json_add(&array, crm_json_number(values[k]));
    }
    return array;
}

json_t *crm_settings_json(const crm_settings *settings)
{
    const crm_law *law = settings != NULL ? crm_settings_law(settings) : NULL;
    json_t *object = json_object();
    for (size_t i = 0; law != NULL && i < law->parameter_count; i++) {
        const crm_parameter *p = &law->parameters[i];
        char word[64];
        if (p->kind == CRM_PARAMETER_CHOICE) {
            copy_choice(p->choices, crm_settings_choice(settings, i), word, sizeof word);
            crm_json_put(&object, p->name, json_string(word));
        } else if (has_list(settings, i)) {
            crm_json_put(&object, p->name, list_of(settings, i));
        } else {
            crm_json_put(&object, p->name, crm_json_number(crm_settings_number(settings, i)));
        }
    }
    return object;
}
