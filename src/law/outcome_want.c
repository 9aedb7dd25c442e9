/* The arrays of its outcome that a law defines. */
#include "law/law.h"

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
