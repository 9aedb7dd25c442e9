/* Contacts in trouble take a step on their own. Internal.
 *
 * A kink (end of compression, opening, re-entry) or a contact much stiffer than the rest concerns
 * its neighbourhood only: within a step of length h its influence r contacts away is of order
 * h^(2r+3). So a step of a large window is taken without regard to them; then each contact in
 * trouble goes through the step again together with its neighbours, in steps of its own that end
 * at its events, while the contacts around them press as they did the first time. At the rim of
 * what is kept of that, both ways of computing must agree within the tolerance of a step: this
 * measures the influence that was cut off as well as the error of the pressing.
 */
#ifndef CRM_LZB_LOCAL_H
#define CRM_LZB_LOCAL_H

#include "law/lzb/step/step.h"

/* At most one contact in so many may be in trouble by its error. */
enum { LZB_LOCAL_FEW = 16 };

typedef struct lzb_local lzb_local;

/* Is the window large enough for this to pay? */
bool lzb_local_applies(const lzb_window *window);

/* Make it ready for an impact: *local is NULL, or was used for an impact before. */
crm_status lzb_local_begin(const lzb_state *state, lzb_local **local, crm_error *error);
void lzb_local_free(lzb_local *local); /* NULL is fine */

/* The window holds a step of this length that is right for most contacts. Make it right for all:
 * results in the window, contacts in trouble settled. *done = false: not possible, nothing changed.
 */
crm_status lzb_local_settle(lzb_local *local, lzb_stepper *stepper, double length, bool *done,
                            crm_error *error);

#endif
