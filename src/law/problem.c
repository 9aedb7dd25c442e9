/* What a law of the caller's own receives (carom/problem.h). */
#include "carom/problem.h"

#include "law/law.h"

const crm_model *crm_problem_model(const crm_problem *problem)
{
    return problem->model;
}

const double *crm_problem_velocity(const crm_problem *problem)
{
    return problem->velocity;
}

const double *crm_problem_gap_velocity(const crm_problem *problem)
{
    return problem->gap_velocity;
}

const double *crm_problem_slip_velocity(const crm_problem *problem)
{
    return problem->slip_velocity;
}

const crm_settings *crm_problem_settings(const crm_problem *problem)
{
    return problem->settings;
}

const crm_recorder *crm_problem_recorder(const crm_problem *problem)
{
    return problem->recorder;
}

void *crm_problem_kept(const crm_problem *problem)
{
    return problem->kept;
}

double *crm_problem_take(const crm_problem *problem, size_t count)
{
    return CRM_TAKE(problem->pool, double, count);
}

bool crm_problem_go_on(const crm_problem *problem, const crm_watch_report *progress)
{
    const crm_watch_report nothing = {0};
    return !crm_watch_due(problem->watching, CRM_WATCH_WORK) ||
           !crm_watch_ends(problem->watching, progress != NULL ? progress : &nothing);
}

/* A law that called itself would never end. */
crm_status crm_problem_solve_by(const crm_problem *problem, const crm_settings *settings,
                                crm_outcome *answer, crm_error *error)
{
    if (crm_fail_if_null(settings, "settings", error) ||
        crm_fail_if_null(answer, "answer", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    if (settings->law == problem->settings->law) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "settings", "law %s calls itself",
                        settings->law->name);
    }
    return problem->solve_by(problem, settings, answer, error);
}
