/* Hundreds of lossy contacts at work: substeps that pass through events (event-capturing).
 * Internal.
 *
 * At every moment some of so many contacts end a compression, open or close again. To stop at each
 * is expensive, and the smooth stretches between two kinks of neighbours are too short for a method
 * of high order to pay. So the substeps (capturing/kernel/) pass through kinks and releases. With
 * error control a step is made of 8, 16 and 24 of them; the results are extrapolated, which removes
 * the smooth part of the error, and the last two columns give the error of the step, kinks
 * included. Without error control (capturing/settle.h) a step is up to 384 substeps, whose length
 * the phase step gives.
 *
 *     speeds, relative
 *     1 ┤ 40 contacts at work, most of them lossy
 *       │    8, 16, 24 substeps, extrapolated ◄──────────────────────────────┐
 *       │       └─ steps far shorter than from event to event?               │
 *       │          those instead, for 200 steps                              │
 *   0.1 ┤ settle: to the end without error control                           │
 *       │    (from 12 contacts on after 250 steps)                           │
 *       │    line, linear or Hertz: single precision, 3rd order (single.h)   │
 *       │    else: double precision, 2nd order (substep.h, mono.h)           │
 *       │       └─ is the end as foreseen, or as the last time? ─ yes ─► end │
 *       │          no: back to where it began ───────────────────────────────┘
 *  0.02 ┤ settle again, then at a fifth of that, and so on
 */
#ifndef CRM_LZB_CAPTURING_STEP_H
#define CRM_LZB_CAPTURING_STEP_H

#include "law/lzb/extrapolation/step.h"

/* The capturing steps so far; {0} at the start of an impact. */
typedef struct lzb_capturing_steps {
    double length;  /* of the next step; 0: not known */
    double rival;   /* that of a step from event to event, tried at the start */
    uint64_t again; /* the number of steps before which capturing is not tried again */
    /* Phase steps, the lengths of substeps in radians of the fastest compression, for steps without
     * error control (capturing/settle.h); 0: with error control. `long_phase_step` is for those of
     * the third order (capturing/kernel/single.h). They hold at the amplitude `from`, and grow as
     * it falls.
     */
    double phase_step, long_phase_step, from;
} lzb_capturing_steps;

/* Are at least `fewest` contacts at work, most of them losing energy? */
bool lzb_capturing_suits(const lzb_stepper *stepper, size_t fewest);

/* Should the next step be one of these? */
bool lzb_capturing_applies(const lzb_capturing_steps *steps, const lzb_stepper *stepper);

/* One accepted step from the window's state, no longer than `longest`. Its contacts are committed
 * and booked; closing speeds and impulses are in the window. *done = false: steps would be so short
 * that it is better to go from event to event.
 */
crm_status lzb_capturing_advance(lzb_capturing_steps *steps, lzb_stepper *stepper, double longest,
                                 double *length, bool *done, crm_error *error);

#endif
