#include "report/page/sweep/study_view.h"

#include <math.h>
#include <string.h>

#include "field/field.h"

size_t crm_study_view_points(const crm_study_view *p)
{
    return p->table->rows / crm_study_laws(p->study);
}

double crm_study_view_value(const crm_study_view *p, size_t point, size_t law, size_t quantity)
{
    size_t row = point * crm_study_laws(p->study) + law;
    return p->table->result[row] == CRM_SOLVED
               ? p->table->values[row * p->table->quantities + quantity]
               : NAN;
}

double crm_study_view_field(const crm_study_view *p, size_t point, size_t field)
{
    return crm_study_is_numeric(p->study, field)
               ? crm_study_number(p->study, p->first + point, field)
               : NAN;
}

static const crm_outcome_field *field_of(const crm_study_view *p, size_t quantity)
{
    const char *name = crm_study_quantity(p->study, quantity);
    return crm_field_find(name, strcspn(name, "["));
}

const char *crm_study_view_text(const crm_study_view *p, size_t quantity)
{
    const crm_outcome_field *field = field_of(p, quantity);
    return field != NULL && field->json == CRM_JSON_MEASURES ? field->text : NULL;
}

const char *crm_study_view_unit(const crm_study_view *p, size_t quantity)
{
    const crm_outcome_field *field = field_of(p, quantity);
    return crm_study_unit(p->study, field != NULL ? field->unit : NULL);
}
