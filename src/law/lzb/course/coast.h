/* Coasting: how a group that stays together evens out, with few steps a swing. Internal.
 *
 * The balls of a group that has lost most of its energy swing against each other for a long time
 * while their speeds a fall by decades, and most often nothing comes of it but the velocity of the
 * group, which momentum alone decides. What could come of it is of the order of a
 * (docs/accuracy.md, "How an impact ends"); to know that to the tolerance takes steps with an error
 * far below a, but to see whether anything comes of it does not. So, whenever a has fallen by a
 * factor, the rest of the impact is gone through from there with a few substeps a swing and no
 * error control, and its outcome compared with that of the last time, which began at a larger a and
 * had other substeps. If balls leave late, then with velocities that depend on where in their
 * swings the others are, and the two outcomes differ; then the impact is followed on as usual until
 * a has fallen further. If they do not differ, that is the end.
 */
#ifndef CRM_LZB_COAST_H
#define CRM_LZB_COAST_H

#include "law/lzb/course/tactics.h"
#include "law/lzb/state/snapshot.h"

typedef struct lzb_coast {
    double next;   /* it is tried when speeds have fallen to this, relative; 0: never */
    double stride; /* of its substeps (lzb_sweep) */
    size_t tried;
    double margin; /* of the decisions before it starts (lzb_state_margin) ... */
    double proved; /* ... and before the last one did: those after that are proved not to matter
                      when both end alike */
    lzb_snapshot start; /* what it starts from */
    lzb_stepper stepper;
    lzb_tactics tactics;
    double quiet; /* of the search for its window, as is the next */
    uint32_t halo;
    double *last, *change, *work; /* impulses of the last one; to compare with them */
} lzb_coast;

/* May the impact be coasted at all? */
void lzb_coast_begin(lzb_coast *coast, const lzb_state *state, bool stiff);

/* Is now the time? */
bool lzb_coast_is_due(const lzb_coast *coast, const lzb_stepper *stepper);

/* Go on with long steps, and remember where that began. */
crm_status lzb_coast_leave(lzb_coast *coast, lzb_stepper *stepper, lzb_tactics *tactics,
                           crm_error *error);

/* The end has been reached. By how much does it differ from that of the last time, relative?
 * INFINITY: it is the first.
 */
crm_status lzb_coast_compare(lzb_coast *coast, const lzb_state *state, double *difference,
                             crm_error *error);

/* Back to where it began. */
void lzb_coast_return(lzb_coast *coast, lzb_stepper *stepper, lzb_tactics *tactics);

#endif
