/* Settling: a group that stays together comes to rest, in few steps a swing. Internal.
 *
 * The bodies of a group that has lost most of its energy swing against each other for a long time
 * while their speeds a fall by decades, and most often nothing comes of it but the velocity of the
 * group, which momentum alone decides. What could come of it is of the order of a (theory, section
 * 2.6); to know that to the tolerance takes steps with an error far below a, but to see whether
 * anything comes of it takes far less. So, whenever a has fallen by a factor, the rest of the
 * impact is integrated from there with short substeps that grow as a falls, and no error control
 * (capturing/step.h). If the outcome is what the plastic projection would make of the state at the
 * start, nothing has come of the swings, and that is the end. It is so, too, if the outcome is that
 * of the last time, which began at a larger a, where its errors were larger: what came of the
 * swings is then known well enough, unless the law jumps (mono-stiffness). Otherwise the impact is
 * followed with error control until a has fallen further.
 */
#ifndef CRM_LZB_SETTLE_H
#define CRM_LZB_SETTLE_H

#include "law/lzb/capturing/step.h"
#include "law/lzb/state/snapshot.h"

typedef struct lzb_settling {
    double next; /* it is tried when speeds have fallen to this, relative; 0: never */
    double phase_step, long_phase_step; /* of its first substeps (lzb_capturing_steps) */
    double margin;      /* of the decisions before it starts (lzb_state_margin) ... */
    double proved;      /* ... and before the run that confirmed the end: later decisions do not
                           matter */
    lzb_snapshot start; /* what it starts from */
    lzb_stepper stepper;
    double ignored_speed; /* of the search for its window, as is the next */
    uint32_t window_lookahead;
    double *still, *last;  /* impulses: if nothing came any more; at the end of the last one */
    bool foreseen, tried;  /* are they known? */
    double *change, *work; /* to compare */
} lzb_settling;

/* May the impact be settled at all? */
void lzb_settle_begin(lzb_settling *settling, const lzb_state *state, bool stiff, double tolerance);

/* Have speeds fallen far enough? */
bool lzb_settle_is_due(const lzb_settling *settling, const lzb_stepper *stepper);

/* Go on with long steps, and remember where that began. */
crm_status lzb_settle_start(lzb_settling *settling, lzb_stepper *stepper,
                            lzb_capturing_steps *capturing, crm_error *error);

/* The end has been reached. By how much does it differ from what was foreseen, or from that of the
 * last time, whichever is less? INFINITY: neither is known.
 */
crm_status lzb_settle_compare(lzb_settling *settling, const lzb_state *state, double *difference,
                              crm_error *error);

/* Back to where it began. */
void lzb_settle_undo(lzb_settling *settling, lzb_stepper *stepper);

#endif
