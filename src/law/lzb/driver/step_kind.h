/* Which kind of step is next: capturing, with neighbourhoods apart, or of all contacts together.
 * Internal.
 */
#ifndef CRM_LZB_STEP_KIND_H
#define CRM_LZB_STEP_KIND_H

#include "law/lzb/capturing/step.h"
#include "law/lzb/extrapolation/neighbourhood/neighbourhoods.h"

typedef struct lzb_step_kind {
    lzb_neighbourhoods *neighbourhoods;
    lzb_capturing_steps capturing;
    double longest; /* step for which neighbourhoods could be kept apart */
} lzb_step_kind;

/* One accepted step from the window's state, no longer than `longest`; *length: its length.
 * `together`: all contacts meet every event, so that the step can be taken back. *booked: it is
 * committed and booked already. Otherwise the result is in the window only.
 */
crm_status lzb_step_kind_advance(lzb_step_kind *step_kind, lzb_stepper *stepper, bool together,
                                 double longest, double *length, bool *booked, crm_error *error);

#endif
