/* Workspaces: the memory and the threads of one call after another. */
#include <stdlib.h>

#include "solve/solve.h"

crm_status crm_workspace_create(crm_workspace **workspace, crm_error *error)
{
    if (crm_fail_if_null(workspace, "workspace", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *workspace = NULL;
    crm_workspace *made = CRM_NEW(crm_workspace, 1);
    crm_owned_outcome *owned = CRM_NEW(crm_owned_outcome, 1);
    if (made == NULL || owned == NULL) {
        free(made);
        free(owned);
        return crm_fail_memory(error);
    }
    made->owned = owned;
    made->threads.most = 1;
    *workspace = made;
    return CRM_OK;
}

static void free_kept(crm_kept *kept)
{
    while (kept != NULL) {
        crm_kept *next = kept->next;
        kept->law->free_kept(kept->memory);
        free(kept);
        kept = next;
    }
}

void crm_workspace_free(crm_workspace *workspace)
{
    if (workspace == NULL) {
        return;
    }
    if (workspace->owned != NULL) {
        crm_outcome_free(&workspace->owned->outcome);
    }
    crm_pool_release(&workspace->pool);
    free_kept(workspace->kept);
    crm_team_lazy_stop(&workspace->threads);
    free(workspace);
}

crm_status crm_workspace_take_outcome(crm_workspace *workspace, crm_outcome **outcome,
                                      crm_error *error)
{
    if (crm_fail_if_null(outcome, "outcome", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *outcome = NULL;
    if (crm_fail_if_null(workspace, "workspace", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    if (!workspace->answered) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "workspace",
                        "there is no outcome to take: nothing was solved, or it was taken already");
    }
    crm_owned_outcome *other = CRM_NEW(crm_owned_outcome, 1);
    if (other == NULL) {
        return crm_fail_memory(error);
    }
    *outcome = &workspace->owned->outcome;
    workspace->owned = other;
    workspace->answered = false;
    return CRM_OK;
}

void crm_workspace_use_threads(crm_workspace *workspace, size_t threads)
{
    crm_team_lazy_allow(&workspace->threads, threads);
}

void crm_workspace_watch(crm_workspace *workspace, const crm_watch *watch)
{
    workspace->watch = watch != NULL ? *watch : (crm_watch){0};
}

/* ---- For a call ------------------------------------------------------------------------------ */

void crm_workspace_begin(crm_workspace *workspace)
{
    crm_pool_clear(&workspace->pool);
    crm_pool_clear(&workspace->owned->pool);
    const crm_watch *watch = &workspace->watch;
    bool watched = watch->seconds > 0 || watch->bytes > 0 || watch->go_on != NULL;
    workspace->pool.most = watch->bytes;
    workspace->watching = crm_watch_begin(watched ? &workspace->watch : NULL);
}

static crm_status keep_for(crm_workspace *workspace, const crm_law *law, crm_error *error)
{
    crm_kept *made = CRM_NEW(crm_kept, 1);
    if (made == NULL) {
        return crm_fail_memory(error);
    }
    made->law = law;
    crm_status status = law->create_kept(&made->memory, error);
    if (status != CRM_OK) {
        free(made);
        return status;
    }
    made->next = workspace->kept;
    workspace->kept = made;
    return CRM_OK;
}

static crm_status find_kept(crm_workspace *workspace, const crm_law *law, void **memory,
                            crm_error *error)
{
    *memory = NULL;
    if (law->create_kept == NULL) {
        return CRM_OK;
    }
    const crm_kept *kept = workspace->kept;
    while (kept != NULL && kept->law != law) {
        kept = kept->next;
    }
    if (kept == NULL) {
        crm_status status = keep_for(workspace, law, error);
        if (status != CRM_OK) {
            return status;
        }
        kept = workspace->kept;
    }
    *memory = kept->memory;
    return CRM_OK;
}

crm_status crm_workspace_pose(crm_workspace *workspace, const crm_model *model,
                              const double *velocity, const crm_settings *settings,
                              crm_problem *problem, crm_error *error)
{
    *problem =
        (crm_problem){.model = model,
                      .velocity = velocity,
                      .settings = settings,
                      .pool = &workspace->pool,
                      .outcome_pool = &workspace->owned->pool,
                      .threads = &workspace->threads,
                      .negligible_speed = workspace->negligible_speed,
                      .allowed_error = workspace->allowed_error,
                      .velocity_known = &workspace->velocity_known,
                      .watching = workspace->watching_batch != NULL ? workspace->watching_batch
                                                                    : &workspace->watching,
                      .workspace = workspace};
    return find_kept(workspace, settings->law, &problem->kept, error);
}
