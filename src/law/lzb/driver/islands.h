/* Parts of a system that cannot act on each other. Internal. */
#ifndef CRM_LZB_ISLANDS_H
#define CRM_LZB_ISLANDS_H

#include "law/lzb/state/state.h"

/* *remainder: what rounding has left of the impulses (lzb_state); NULL: nothing. */
typedef crm_status lzb_solver(const crm_problem *problem, const lzb_options *options,
                              crm_outcome *outcome, const double **remainder, crm_error *error);

/* Solve each island on its own, by `solve`: contacts between which no impulse can pass. What comes
 * out for one is what would come out if it were alone. The problem has no recorder.
 */
crm_status lzb_islands_solve(const crm_problem *problem, const lzb_options *options,
                             lzb_solver *solve, crm_outcome *outcome, const double **remainder,
                             crm_error *error);

#endif
