/* An impact by extrapolated leapfrog, and by substeps where many lossy contacts are at work.
 * Internal.
 */
#ifndef CRM_LZB_EXTRAPOLATION_H
#define CRM_LZB_EXTRAPOLATION_H

#include "law/lzb/driver/repeat.h"
#include "law/lzb/state/history.h"

/* What is kept for the next impact. */
typedef struct lzb_extrapolation lzb_extrapolation;
void lzb_extrapolation_free(lzb_extrapolation *extrapolation); /* NULL is fine */

/* From the present state to the end. *extrapolation: NULL at first. The state may be that of an
 * impact under way: outcome->steps and run->known then say what has been done and what is known of
 * it.
 */
crm_status lzb_extrapolation_follow(const crm_problem *problem, const lzb_options *options,
                                    lzb_extrapolation **extrapolation, lzb_run *run,
                                    lzb_state *state, lzb_history *history, crm_outcome *outcome,
                                    crm_error *error);

#endif
