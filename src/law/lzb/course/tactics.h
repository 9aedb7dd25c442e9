/* How the next step is made: swept, with contacts in trouble apart, or all together. Internal. */
#ifndef CRM_LZB_TACTICS_H
#define CRM_LZB_TACTICS_H

#include "law/lzb/course/local.h"
#include "law/lzb/course/sweep.h"

typedef struct lzb_tactics {
    lzb_local *local;
    lzb_sweep sweep;
    double longest; /* step for which the troubles of single contacts could be kept apart */
} lzb_tactics;

/* One accepted step from the window's state, no longer than `longest`; *length: what was made of
 * it. `together`: all contacts meet every event, so that the step can be taken back. *swept: it is
 * settled and booked already. Otherwise the result is in the window only.
 */
crm_status lzb_tactics_advance(lzb_tactics *tactics, lzb_stepper *stepper, bool together,
                               double longest, double *length, bool *swept, crm_error *error);

#endif
