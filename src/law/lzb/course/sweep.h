/* A step through many kinks at once. Internal.
 *
 * In a long lossy chain hundreds of contacts are at work and at every moment some of them end a
 * compression, open or close again. To stop for each is dear, and the smooth stretches between two
 * kinks of neighbours are too short for a method of high order to pay. Here a step is made of
 * SUBSTEPS that go through kinks (kernel/kinks.h), of twice and three times as many of them; the
 * results are extrapolated, which takes the smooth part of the error out, and the last two columns
 * give the error of the step, kinks included.
 */
#ifndef CRM_LZB_SWEEP_H
#define CRM_LZB_SWEEP_H

#include "law/lzb/step/step.h"

/* How sweeping goes; {0} at the start of an impact. */
typedef struct lzb_sweep {
    double length;  /* of the next step; 0: not known */
    double rival;   /* the length of a step from event to event when sweeping began */
    uint64_t again; /* no sweeps before this many steps */
    /* Of substeps, in radians of the quickest compression: no error control, never from event to
     * event (course/coast.h); 0: by the error of a step. `long_stride` is for those of the third
     * order (kernel/glide.h). They are so when the amplitude is `from`, and longer as it falls.
     */
    double stride, long_stride, from;
} lzb_sweep;

/* Are so many contacts at work, most of which lose energy? */
bool lzb_sweep_suits(const lzb_stepper *stepper, size_t fewest);

/* Should the present window be swept? */
bool lzb_sweep_applies(const lzb_sweep *sweep, const lzb_stepper *stepper);

/* How fast the contacts of the window go, or could by what they store; relative. */
double lzb_sweep_amplitude(const lzb_stepper *stepper);

/* One accepted step from the window's state, no longer than `longest`. Its contacts are settled and
 * booked; closing speeds and impulses are in the window. *done = false: steps would be so short
 * that it is better to go from event to event.
 */
crm_status lzb_sweep_advance(lzb_sweep *sweep, lzb_stepper *stepper, double longest, double *length,
                             bool *done, crm_error *error);

#endif
