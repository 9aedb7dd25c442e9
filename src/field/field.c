#include "field/field.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

const crm_outcome_field *crm_field_find(const char *name, size_t length)
{
    for (size_t i = 0; i < crm_outcome_fields(); i++) {
        const crm_outcome_field *field = crm_outcome_field_at(i);
        if (strlen(field->name) == length && strncmp(field->name, name, length) == 0) {
            return field;
        }
    }
    return NULL;
}

bool crm_field_exists(const crm_outcome_field *field, const crm_model *model)
{
    return !field->friction || crm_model_tangents(model) > 0;
}

crm_field_of crm_field_row(const crm_outcome_field *field, const crm_model *model)
{
    return field->of == CRM_OF_TANGENT && crm_model_tangents(model) == 1 ? CRM_OF_CONTACT
                                                                         : field->of;
}

const char *crm_field_path_word(unsigned bit)
{
    static const char *const words[] = {"slip", "stick", "reversed", "jam"};
    return bit < sizeof words / sizeof words[0] ? words[bit] : NULL;
}

void crm_field_path_text(double path, char *text, size_t size)
{
    unsigned bits = isnan(path) ? 0 : (unsigned)path;
    text[0] = '\0';
    for (unsigned k = 0; crm_field_path_word(k) != NULL; k++) {
        if ((bits >> k & 1U) != 0) {
            crm_text_append(text, size, "%s%s", text[0] != '\0' ? ", " : "",
                            crm_field_path_word(k));
        }
    }
}

size_t crm_field_count(const crm_outcome_field *field, const crm_model *model)
{
    switch (field->of) {
    case CRM_OF_COORDINATE:
        return crm_model_coordinates(model);
    case CRM_OF_CONTACT:
        return crm_model_contacts(model);
    case CRM_OF_BODY:
        return crm_model_bodies(model);
    case CRM_OF_TANGENT: /* in studies over friction from 0 on, too */
        return crm_model_contacts(model) *
               (crm_model_tangents(model) > 0 ? crm_model_tangents(model) : 1);
    default:
        return 1;
    }
}

void crm_field_entry_name(const crm_outcome_field *field, const crm_model *model, size_t index,
                          char *text, size_t size)
{
    switch (field->of) {
    case CRM_OF_COORDINATE:
        crm_coordinate_name(model, index, text, size);
        break;
    case CRM_OF_CONTACT:
        crm_contact_name(model, index, text, size);
        break;
    case CRM_OF_BODY:
        crm_model_body_name(model, index, text, size);
        break;
    case CRM_OF_TANGENT:
        crm_contact_tangent_name(model, index, text, size);
        break;
    default:
        text[0] = '\0';
        break;
    }
}

const char crm_field_unit_relative[] = "K=1";

const char *crm_field_unit(const crm_model *model, const char *unit)
{
    bool depends = unit != NULL && (strcmp(unit, "s") == 0 || strcmp(unit, "N") == 0);
    bool bare = crm_model_contacts(model) > 0;
    for (size_t j = 0; depends && bare && j < crm_model_contacts(model); j++) {
        bare = crm_model_stiffness(model)[j] == 1;
    }
    return depends && bare ? crm_field_unit_relative : unit;
}

/* ---- Values --------------------------------------------------------------------------------- */

static double single(const crm_outcome_field *field, const void *member)
{
    switch (field->kind) {
    case CRM_FIELD_COUNT:
        return (double)*(const uint64_t *)member;
    case CRM_FIELD_FLAG:
        return *(const bool *)member;
    default:
        return *(const double *)member;
    }
}

static double entry(const crm_outcome_field *field, const void *member, size_t index)
{
    if (field->kind == CRM_FIELD_COUNT) {
        const uint32_t *counts = *(uint32_t *const *)member;
        return counts != NULL ? (double)counts[index] : (double)NAN;
    }
    const double *numbers = *(double *const *)member;
    return numbers != NULL ? numbers[index] : NAN;
}

bool crm_field_defined(const crm_outcome_field *field, const crm_impact *impact)
{
    if (!crm_field_exists(field, impact->model)) {
        return false;
    }
    if (impact->outcome == NULL) {
        return field->before;
    }
    if (field->defined != NULL) {
        return field->defined(impact);
    }
    if (field->of == CRM_OF_IMPACT) {
        return !isnan(crm_field_value(field, impact, 0));
    }
    const void *member = (const char *)impact->outcome + field->offset;
    return field->value != NULL ||
           (field->kind == CRM_FIELD_COUNT ? *(uint32_t *const *)member != NULL
                                           : *(double *const *)member != NULL);
}

double crm_field_value(const crm_outcome_field *field, const crm_impact *impact, size_t index)
{
    if ((impact->outcome == NULL && !field->before) || !crm_field_exists(field, impact->model)) {
        return NAN;
    }
    if (field->value != NULL) {
        return field->value(impact, index);
    }
    const void *member = (const char *)impact->outcome + field->offset;
    return field->of == CRM_OF_IMPACT ? single(field, member) : entry(field, member, index);
}
