/* Who owns the memory of an impact: the caller's workspace, or one for the length of a call. */
#include "carom/workspace.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/team.h"
#include "outcome/outcome.h"

/* An outcome with the memory of its arrays. Its address is that of the outcome, by which the caller
 * of crm_solve knows it.
 */
typedef struct crm_held_outcome {
    crm_outcome outcome;
    crm_room room;
} crm_held_outcome;

double *crm_outcome_want(const crm_problem *problem, double **array)
{
    *array = CRM_TAKE(&problem->workspace->held->room, double, problem->model->contacts);
    return *array;
}

uint32_t *crm_outcome_want_counts(const crm_problem *problem, uint32_t **array)
{
    *array = CRM_TAKE(&problem->workspace->held->room, uint32_t, problem->model->contacts);
    return *array;
}

double *crm_outcome_take_velocity(const crm_problem *problem)
{
    return CRM_TAKE(&problem->workspace->held->room, double, problem->model->coordinates);
}

void crm_outcome_free(crm_outcome *outcome)
{
    crm_held_outcome *held = (crm_held_outcome *)outcome;
    if (held != NULL) {
        crm_room_release(&held->room);
        free(held);
    }
}

crm_status crm_workspace_create(crm_workspace **workspace, crm_error *error)
{
    *workspace = NULL;
    crm_workspace *made = CRM_NEW(crm_workspace, 1);
    crm_held_outcome *held = CRM_NEW(crm_held_outcome, 1);
    if (made == NULL || held == NULL) {
        free(made);
        free(held);
        return crm_fail_memory(error);
    }
    made->held = held;
    made->threads = 1;
    *workspace = made;
    return CRM_OK;
}

void crm_workspace_free(crm_workspace *workspace)
{
    if (workspace == NULL) {
        return;
    }
    if (workspace->held != NULL) {
        crm_outcome_free(&workspace->held->outcome);
    }
    crm_room_release(&workspace->room);
    lzb_kept_free(workspace->lzb);
    crm_team_free(workspace->team);
    free(workspace);
}

void crm_workspace_use_threads(crm_workspace *workspace, size_t threads)
{
    if (threads != workspace->threads) {
        crm_team_free(workspace->team);
        workspace->team = NULL;
        workspace->threads = threads;
    }
}

crm_team *crm_workspace_team(crm_workspace *workspace)
{
    if (workspace->team == NULL && workspace->threads != 1) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        size_t all = processors > 0 ? (size_t)processors : 1;
        workspace->threads = workspace->threads > 0 ? workspace->threads : all;
        workspace->team = crm_team_create(workspace->threads);
    }
    return workspace->team;
}

crm_outcome *crm_workspace_begin(crm_workspace *workspace)
{
    crm_room_clear(&workspace->room);
    crm_room_clear(&workspace->held->room);
    return &workspace->held->outcome;
}

crm_status crm_solve_with(crm_workspace *workspace, const crm_model *model, const double *velocity,
                          const crm_settings *settings, const crm_recorder *recorder,
                          const crm_outcome **outcome, crm_error *error)
{
    crm_problem problem = {.model = model,
                           .velocity = velocity,
                           .settings = settings,
                           .recorder = recorder,
                           .workspace = workspace};
    crm_outcome *found = crm_workspace_begin(workspace);
    crm_status status = crm_outcome_start(&problem, found, error);
    if (status == CRM_OK) {
        status = settings->law->solve(&problem, found, error);
    }
    if (status == CRM_OK) {
        status = crm_outcome_finish(&problem, found, error);
    }
    *outcome = status == CRM_OK ? found : NULL;
    return status;
}

crm_status crm_solve(const crm_model *model, const double *velocity, const crm_settings *settings,
                     const crm_recorder *recorder, crm_outcome **outcome, crm_error *error)
{
    return crm_solve_on(1, model, velocity, settings, recorder, outcome, error);
}

crm_status crm_solve_on(size_t threads, const crm_model *model, const double *velocity,
                        const crm_settings *settings, const crm_recorder *recorder,
                        crm_outcome **outcome, crm_error *error)
{
    *outcome = NULL;
    crm_workspace *workspace;
    crm_status status = crm_workspace_create(&workspace, error);
    if (status != CRM_OK) {
        return status;
    }
    crm_workspace_use_threads(workspace, threads);
    const crm_outcome *found;
    status = crm_solve_with(workspace, model, velocity, settings, recorder, &found, error);
    if (status == CRM_OK) {
        *outcome = &workspace->held->outcome;
        workspace->held = NULL; /* the caller's now */
    }
    crm_workspace_free(workspace);
    return status;
}
