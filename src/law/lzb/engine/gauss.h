/* An impact by Gauss collocation. Internal. */
#ifndef CRM_LZB_ENGINE_GAUSS_H
#define CRM_LZB_ENGINE_GAUSS_H

#include "law/lzb/state/history.h"
#include "law/lzb/state/run.h"

/* From the state as it was created to the end; or, with the default scheme, to where others had
 * better go on: *left.
 */
crm_status lzb_gauss_follow(const crm_problem *problem, const lzb_options *options, lzb_run *run,
                            lzb_state *state, lzb_history *history, bool *left,
                            crm_outcome *outcome, crm_error *error);

#endif
