/* The rows of a step (step.h), and how many of them. Internal. */
#ifndef CRM_LZB_STEP_ROWS_H
#define CRM_LZB_STEP_ROWS_H

#include "law/lzb/extrapolation/step.h"

/* Try a step; *accepted says whether its error is within the tolerance. The result is in the
 * window.
 */
crm_status lzb_rows_attempt(lzb_stepper *stepper, double length, bool *accepted, crm_error *error);

/* The step again, shorter, for finding events: no more rows than it took before, fewer if they do.
 */
crm_status lzb_rows_repeat(lzb_stepper *stepper, double length, unsigned rows, crm_error *error);

/* Order and length of the next step, from the errors of the last (control.c). */
void lzb_control_after_rejection(lzb_stepper *stepper);
void lzb_control_after_acceptance(lzb_stepper *stepper);

#endif
