/* What every law may call: arrays of its outcome, and the note. */
#include "law/law.h"

const char *crm_result_text(crm_result result)
{
#define CRM_RESULT_CASE(name, text) text,
    static const char *const texts[] = {CRM_RESULT_LIST(CRM_RESULT_CASE)};
#undef CRM_RESULT_CASE
    return (unsigned)result < CRM_RESULT_COUNT ? texts[result] : "unknown result";
}

double *crm_outcome_want(const crm_problem *problem, double **array)
{
    *array = CRM_TAKE(problem->outcome_pool, double, problem->model->contacts);
    return *array;
}

uint32_t *crm_outcome_want_counts(const crm_problem *problem, uint32_t **array)
{
    *array = CRM_TAKE(problem->outcome_pool, uint32_t, problem->model->contacts);
    return *array;
}

void crm_note_add(crm_outcome *outcome, const char *format, ...)
{
    if (outcome->note[0] != '\0') {
        crm_text_append(outcome->note, sizeof outcome->note, " ");
    }
    va_list arguments;
    va_start(arguments, format);
    crm_text_append_list(outcome->note, sizeof outcome->note, format, arguments);
    va_end(arguments);
}

void crm_note_more(crm_outcome *outcome, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    crm_text_append_list(outcome->note, sizeof outcome->note, format, arguments);
    va_end(arguments);
}
