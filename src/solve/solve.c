/* One impact by one law: the problem posed, the law, and what follows from its impulses. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solve/solve.h"

#include "base/arithmetic.h"

/* An interrupted law has not terminated, whatever it returned; but an impact that was shown to be
 * infeasible is that.
 */
static void mark_interrupted(const crm_problem *problem, crm_outcome *outcome)
{
    if (!problem->watching->over || outcome->result == CRM_INFEASIBLE) {
        return;
    }
    outcome->result = CRM_NOT_TERMINATED;
    char why[96];
    crm_watch_reason(problem->watching, why, sizeof why);
    snprintf(outcome->reason, sizeof outcome->reason, "%s; what was reached by then is given", why);
}

/* The law ran into the limit of its caller, or of the system. */
static crm_status tell_limit(const crm_problem *problem, crm_status status, crm_error *error)
{
    const crm_watch *watch = problem->watching->watch;
    bool plain = error != NULL && strcmp(error->message, crm_status_text(status)) == 0;
    if (status != CRM_ERROR_MEMORY || watch == NULL || !(watch->bytes > 0) || !plain) {
        return status;
    }
    char most[32];
    crm_text_bytes(watch->bytes, most, sizeof most);
    return crm_fail(error, status, NULL, "out of memory; the call may take %s", most);
}

static crm_status answer(crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    crm_status status = crm_outcome_start(problem, outcome, error);
    if (status == CRM_OK) {
        status = crm_law_meet_compliance(problem, error);
    }
    if (status == CRM_OK) {
        status = problem->settings->law->solve(problem, outcome, error);
        status = tell_limit(problem, status, error);
        mark_interrupted(problem, outcome);
    }
    return status == CRM_OK ? crm_outcome_finish(problem, outcome, error) : status;
}

/* One law calls another. The memory of the first stays in use, and nothing is recorded. */
static crm_status solve_by(const crm_problem *problem, const crm_settings *settings,
                           crm_outcome *other, crm_error *error)
{
    crm_problem asked;
    crm_status status = crm_workspace_pose(problem->workspace, problem->model, problem->velocity,
                                           settings, &asked, error);
    bool velocity_known = false;
    asked.velocity_known = &velocity_known;
    asked.solve_by = solve_by;
    return status == CRM_OK ? answer(&asked, other, error) : status;
}

static bool is_recorder(const crm_recorder *recorder, crm_error *error)
{
    if (isnan(recorder->interval) || recorder->interval < 0) {
        crm_fail(error, CRM_ERROR_ARGUMENT, "recorder.interval",
                 "interval is %g, must be 0 or positive", recorder->interval);
        return false;
    }
    return !crm_fail_if_null((const void *)(uintptr_t)recorder->record, "recorder.record", error);
}

crm_status crm_solve_with(crm_workspace *workspace, const crm_model *model, const double *velocity,
                          const crm_settings *settings, const crm_recorder *recorder,
                          const crm_outcome **outcome, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(outcome, "outcome", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *outcome = NULL;
    if (crm_fail_if_null(workspace, "workspace", error) ||
        crm_fail_if_null(model, "model", error) || crm_fail_if_null(velocity, "velocity", error) ||
        crm_fail_if_null(settings, "settings", error) ||
        (recorder != NULL && !is_recorder(recorder, error))) {
        return CRM_ERROR_ARGUMENT;
    }
    workspace->answered = false;
    crm_workspace_begin(workspace);
    crm_problem problem;
    crm_status status = crm_workspace_pose(workspace, model, velocity, settings, &problem, error);
    if (status != CRM_OK) {
        return status;
    }
    problem.recorder = recorder;
    problem.solve_by = solve_by;
    status = answer(&problem, &workspace->owned->outcome, error);
    workspace->answered = status == CRM_OK;
    *outcome = workspace->answered ? &workspace->owned->outcome : NULL;
    return status;
}

crm_status crm_solve(const crm_model *model, const double *velocity, const crm_settings *settings,
                     const crm_recorder *recorder, crm_outcome **outcome, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    return crm_solve_on(1, NULL, model, velocity, settings, recorder, outcome, error);
}

crm_status crm_solve_on(size_t threads, const crm_watch *watch, const crm_model *model,
                        const double *velocity, const crm_settings *settings,
                        const crm_recorder *recorder, crm_outcome **outcome, crm_error *error)
{
    if (crm_fail_if_null(outcome, "outcome", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *outcome = NULL;
    crm_workspace *workspace;
    crm_status status = crm_workspace_create(&workspace, error);
    if (status != CRM_OK) {
        return status;
    }
    crm_workspace_use_threads(workspace, threads);
    crm_workspace_watch(workspace, watch);
    const crm_outcome *found;
    status = crm_solve_with(workspace, model, velocity, settings, recorder, &found, error);
    if (status == CRM_OK) {
        *outcome = &workspace->owned->outcome;
        workspace->owned = NULL; /* the caller's now */
    }
    crm_workspace_free(workspace);
    return status;
}
