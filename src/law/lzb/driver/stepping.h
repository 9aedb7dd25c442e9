/* An impact by extrapolated leapfrog, and by substeps where many lossy contacts are at work.
 * Internal.
 */
#ifndef CRM_LZB_STEPPING_H
#define CRM_LZB_STEPPING_H

#include "law/lzb/driver/repeat.h"
#include "law/lzb/state/history.h"

/* What is kept for the next impact. */
typedef struct lzb_stepping lzb_stepping;
void lzb_stepping_free(lzb_stepping *stepping); /* NULL is fine */

/* From the present state to the end. *stepping: NULL at first. The state may be that of an impact
 * under way: outcome->steps and course->known then say what has been done and what is known of it.
 */
crm_status lzb_stepping_follow(const crm_problem *problem, const lzb_options *options,
                               lzb_stepping **stepping, lzb_course *course, lzb_state *state,
                               lzb_history *history, crm_outcome *outcome, crm_error *error);

#endif
