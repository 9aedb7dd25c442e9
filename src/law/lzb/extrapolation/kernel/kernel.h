/* The dynamics of the contacts of a window: forces, and their effect on all. Internal.
 *
 * The arithmetic of a step, over flat arrays, without a decision about any contact. How long a step
 * is and what happens in it is decided in stepping/.
 */
#ifndef CRM_LZB_KERNEL_H
#define CRM_LZB_KERNEL_H

#include "law/lzb/extrapolation/window/partition.h"
#include "law/lzb/state/power.h"

/* ---- Forces and what they do (dynamics.c) ---------------------------------------------------- */

/* The forces act for a time h: c -= h D force, p += h force. */
crm_status lzb_dynamics_kick(const lzb_state *state, lzb_window *window, double h,
                             const double *force, double *c, double *p, crm_error *error);

/* Forces and a = c' at indentations x, `at` a time since the start of the step. */
crm_status lzb_dynamics_accelerate(const lzb_state *state, lzb_window *window, const double *x,
                                   double at, double *force, double *a, crm_error *error);

/* The same of one part; arrays are those of the window, and D is stored. */
void lzb_dynamics_part_forces(const lzb_window *window, lzb_part part, const double *x,
                              double *force);
void lzb_dynamics_part_impulse(const lzb_window *window, lzb_part part, double h,
                               const double *force, double *p);
void lzb_dynamics_part_kick(const lzb_window *window, lzb_part part, double h, const double *force,
                            double *c);
/* a = -D force */
void lzb_dynamics_part_accelerate(const lzb_window *window, lzb_part part, const double *force,
                                  double *a);

/* The forces from outside act for a time h, at a time since the start of the window's step. */
void lzb_dynamics_kick_from_outside(const lzb_drive *drive, double h, double at, double *c);

/* c'' of a contact at the start of a step of this length, or at its end; NAN where D is not stored.
 */
double lzb_dynamics_jerk(const lzb_window *window, size_t place, bool at_end, double length);

/* c' of a contact a time t after the end of the step, if the indentations of its neighbours go on
 * with their speeds and accelerations there; where D is not stored, c' at the end of the step.
 */
double lzb_dynamics_acceleration_ahead(const lzb_window *window, size_t place, double t);

/* ---- The leapfrog (leapfrog.c) --------------------------------------------------------------- */

/* Leapfrog over the length from (x0, c0) into rows first to last of the tableau; row r is made of
 * r + 1 substeps.
 */
crm_status lzb_leapfrog(const lzb_state *state, lzb_window *window, double length, unsigned first,
                        unsigned last, crm_error *error);

/* ---- Its extrapolation (extrapolate.c) ------------------------------------------------------- */

/* Row `row` has just been filled with `row + 1` substeps: extrapolate to substep 0. Afterwards row
 * 0 holds the result of the highest order and row 1 the next lower; their difference goes to
 * window->trial.error, in units of `tolerance`.
 */
void lzb_extrapolate(lzb_window *window, unsigned row, double speed, double tolerance);
void lzb_extrapolate_part(const lzb_window *window, lzb_part part, unsigned row, double speed,
                          double tolerance);

/* The same for one more length by place, of which each row has an array of whole blocks; the error
 * becomes the larger one.
 */
void lzb_extrapolate_beside(lzb_window *window, unsigned row, double tolerance, double *values);

/* The same for rows 0 to rows - 1 in one go, LZB_FEWEST_ROWS of them at least: row_error[r] is the
 * largest error of any contact with r rows, INFINITY if something overflowed.
 */
void lzb_extrapolate_all(lzb_window *window, unsigned rows, double speed, double tolerance,
                         double *row_error);

/* ---- Both for a window in parts (waves.c) ---------------------------------------------------- */

/* Errors, counted by powers of 2. */
enum { LZB_BINS = 128, LZB_BIN_OF_ONE = 64 };

/* An error in bin b is at most 2^(b - LZB_BIN_OF_ONE); in the last bin, whatever is larger. */
static inline size_t lzb_waves_bin(double error)
{
    if (!(error < 0x1p60)) {
        return LZB_BINS - 1;
    }
    const unsigned bias = 1022; /* of the exponents in the bits of numbers */
    return error < 0x1p-60 ? 0 : (lzb_to_bits(error) >> 52) + LZB_BIN_OF_ONE - bias;
}

typedef struct lzb_row_errors {
    double worst[LZB_ROWS]; /* INFINITY also for NaN */
    size_t counts[LZB_ROWS][LZB_BINS];
} lzb_row_errors;

/* Rows first to last by the leapfrog, extrapolated; x, c and p at the end of the step, with forces
 * and accelerations.
 */
void lzb_waves_leapfrog(lzb_window *window, double length, unsigned first, unsigned last,
                        double speed, double tolerance, lzb_row_errors *errors);

#endif
