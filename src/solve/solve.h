/* The calls, and the memory they are made with. Internal to the library. */
#ifndef CRM_SOLVE_INTERNAL_H
#define CRM_SOLVE_INTERNAL_H

#include "carom/workspace.h"
#include "outcome/outcome.h"
#include "solve/call.h"

/* An outcome with the memory of its arrays. Its address is that of the outcome, by which the caller
 * of crm_solve knows it.
 */
typedef struct crm_owned_outcome {
    crm_outcome outcome;
    crm_pool pool;
} crm_owned_outcome;

/* Memory that a law keeps between calls: one for each law that was called and keeps any. */
typedef struct crm_kept {
    const crm_law *law;
    void *memory; /* the law's */
    struct crm_kept *next;
} crm_kept;

/* What is kept from call to call. */
struct crm_workspace {
    crm_pool pool;
    crm_owned_outcome *owned; /* the last outcome, in memory of its own */
    bool answered;            /* there is one: the last call was CRM_OK */
    crm_kept *kept;
    crm_team_lazy threads;
    bool velocity_known;                    /* of the present call */
    double negligible_speed, allowed_error; /* of the problem (law/law.h) */
    crm_watch watch;
    crm_watching watching;        /* the present call */
    crm_watching *watching_batch; /* the batch that the calls are of; NULL: none */
};

/* Begin a call with the workspace: the memory of the last one is reused. The outcome belongs at
 * workspace->owned->outcome, which is undefined until crm_outcome_start.
 */
void crm_workspace_begin(crm_workspace *workspace);
/* The problem, with what the workspace has for it. */
crm_status crm_workspace_pose(crm_workspace *workspace, const crm_model *model,
                              const double *velocity, const crm_settings *settings,
                              crm_problem *problem, crm_error *error);

#endif
