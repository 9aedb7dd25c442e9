/* From a problem to its outcome. Internal to the library. */
#ifndef CRM_OUTCOME_INTERNAL_H
#define CRM_OUTCOME_INTERNAL_H

#include "law/law.h"

/* Check and complete the problem (its gap_velocity), and make an outcome for the law to fill. All
 * memory is the workspace's.
 */
crm_status crm_outcome_start(crm_problem *problem, crm_outcome *outcome, crm_error *error);
/* Everything that follows from the impulses. */
crm_status crm_outcome_finish(const crm_problem *problem, crm_outcome *outcome, crm_error *error);

double *crm_outcome_take_velocity(const crm_problem *problem); /* n zeros; NULL: no memory */

/* crm_solve with so many threads: crm_workspace_use_threads. */
crm_status crm_solve_on(size_t threads, const crm_model *model, const double *velocity,
                        const crm_settings *settings, const crm_recorder *recorder,
                        crm_outcome **outcome, crm_error *error);

/* Begin a call with the workspace: what the last one took is given back. Returns where the outcome
 * is to be; it may be anything until crm_outcome_start.
 */
crm_outcome *crm_workspace_begin(crm_workspace *workspace);

#endif
