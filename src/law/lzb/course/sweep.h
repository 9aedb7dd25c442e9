/* A step through many kinks at once. Internal.
 *
 * In a long lossy chain hundreds of contacts are at work and at every moment some of them end a
 * compression, open or close again. To stop for each is dear, and the smooth stretches between two
 * kinks of neighbours are too short for a method of high order to pay. Here the modes are not
 * frozen: a substep is velocity Verlet with
 *
 *     x_1 = x_0 + integral of r(c) c dt,   c = c_0 + a_0 t,   r = 1 (c > 0) or 1/e^2 (c < 0),
 *
 * the integral taken exactly across a change of sign and x cut off at 0, which is what opening and
 * re-entry come to. A kink then costs an error of the third order in the substep, like everything
 * else in Verlet's method. A step is made of SUBSTEPS, twice and three times as many of them; the
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
} lzb_sweep;

/* Should the present window be swept? */
bool lzb_sweep_applies(const lzb_sweep *sweep, const lzb_stepper *stepper);

/* One accepted step from the window's state, no longer than `longest`. Its contacts are settled and
 * booked; closing speeds and impulses are in the window. *done = false: steps would be so short
 * that it is better to go from event to event.
 */
crm_status lzb_sweep_advance(lzb_sweep *sweep, lzb_stepper *stepper, double longest, double *length,
                             bool *done, crm_error *error);

#endif
