/* Neighbourhoods that take a step on their own. Internal.
 *
 * A kink (end of compression, opening, re-entry) or a contact much stiffer than the rest concerns
 * its neighbourhood only: within a step of length h its influence r contacts away is of order
 * h^(2r+3). So a step of a large window is taken without regard to them; then each contact that it
 * does not resolve (an event, or too large an error) goes through the step again together with its
 * neighbours, in steps of its own that end at its events, while the contacts around them press as
 * in the first computation. At the rim of the core, both computations must agree within the
 * tolerance of a step: this measures the influence that was cut off as well as the error of the
 * pressing.
 *
 *     hops       4  3  2  1  0  1  2  3  4        contacts to the next one unresolved
 *                └buffer┘└──── core ───┘└buffer┘
 *     taken from  first       second     first   computation
 */
#ifndef CRM_LZB_NEIGHBOURHOODS_H
#define CRM_LZB_NEIGHBOURHOODS_H

#include "law/lzb/extrapolation/step.h"

/* At most one contact in this many may be unresolved by its error. */
enum { LZB_UNRESOLVED_FEW = 16 };

typedef struct lzb_neighbourhoods lzb_neighbourhoods;

/* Is the window large enough for this to pay? */
bool lzb_neighbourhoods_suit(const lzb_window *window);

/* Make it ready for an impact: *all is NULL, or was used for an impact before. */
crm_status lzb_neighbourhoods_begin(const lzb_state *state, lzb_neighbourhoods **all,
                                    crm_error *error);
void lzb_neighbourhoods_free(lzb_neighbourhoods *all); /* NULL is fine */

/* The window holds a step of this length that is right for most contacts. Make it right for all:
 * results in the window, cores committed. *done = false: not possible, nothing changed.
 */
crm_status lzb_neighbourhoods_refine(lzb_neighbourhoods *all, lzb_stepper *stepper, double length,
                                     bool *done, crm_error *error);

#endif
