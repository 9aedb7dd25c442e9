/* The call that the program makes: crm_solve with threads and a watch. */
#ifndef CRM_SOLVE_CALL_H
#define CRM_SOLVE_CALL_H

#include "carom/workspace.h"

/* crm_solve with this many threads (crm_workspace_use_threads) and a watch, which may be NULL. */
crm_status crm_solve_on(size_t threads, const crm_watch *watch, const crm_model *model,
                        const double *velocity, const crm_settings *settings,
                        const crm_recorder *recorder, crm_outcome **outcome, crm_error *error);

#endif
