/* Contacts that one power and one number do not describe, and laws that know no others. */
#include <stdio.h>

#include "law/law.h"

static crm_status refuse_unloading(const crm_problem *problem, size_t j, crm_error *error)
{
    char place[48];
    snprintf(place, sizeof place, "contacts[%zu].unloading", j + 1);
    return crm_fail(error, CRM_ERROR_MODEL, place,
                    "law %s takes a number for the restitution, which with an unloading curve is "
                    "an outcome; lzb follows such contacts",
                    problem->settings->law->name);
}

/* The model with the e of each contact for the closing speed it has before the impact. */
crm_status crm_law_meet_compliance(crm_problem *problem, crm_error *error)
{
    const crm_model *model = problem->model;
    if (!crm_model_has_compliance(model) || problem->settings->law->compliance) {
        return CRM_OK;
    }
    crm_model *met = CRM_TAKE(problem->pool, crm_model, 1);
    double *e = CRM_TAKE(problem->pool, double, model->contacts);
    if (met == NULL || e == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < model->contacts; j++) {
        const crm_compliance *c = crm_model_compliance(model, j);
        if (c != NULL && c->unloading != NULL) {
            return refuse_unloading(problem, j, error);
        }
        crm_status status =
            crm_model_find_restitution(model, j, -problem->gap_velocity[j], &e[j], error);
        if (status != CRM_OK) {
            return status;
        }
    }
    *met = *model;
    met->restitution = e;
    problem->model = met;
    return CRM_OK;
}

crm_status crm_law_refuse_compliance(const crm_problem *problem, bool loading, bool restitution,
                                     const char *instead, crm_error *error)
{
    const crm_model *model = problem->model;
    for (size_t j = 0; crm_model_has_compliance(model) && j < model->contacts; j++) {
        const crm_compliance *c = crm_model_compliance(model, j);
        bool first = c != NULL && loading && c->loading != NULL;
        char place[48];
        if (c != NULL && c->unloading != NULL) {
            return refuse_unloading(problem, j, error);
        }
        if (first || (c != NULL && restitution && c->restitution != NULL)) {
            const char *what = first ? "loading" : "restitution";
            snprintf(place, sizeof place, "contacts[%zu].%s", j + 1, what);
            return crm_fail(error, CRM_ERROR_MODEL, place, "law %s takes %s",
                            problem->settings->law->name, instead);
        }
    }
    return CRM_OK;
}
