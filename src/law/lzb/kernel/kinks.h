/* Substeps that go through kinks: the ends of compressions, openings, re-entries. Internal.
 *
 * Modes are not frozen; a substep is velocity Verlet with
 *
 *     x_1 = x_0 + integral of r(c) c dt,   c = c_0 + a_0 t,   r = 1 (c > 0) or 1/e^2 (c < 0),
 *
 * the integral taken exactly across a change of sign and x cut off at 0, which is what opening and
 * re-entry come to. A kink then costs an error of the third order in the substep, like everything
 * else in Verlet's method.
 */
#ifndef CRM_LZB_KINKS_H
#define CRM_LZB_KINKS_H

#include "law/lzb/kernel/kernel.h"

/* The rows of the tableau that such substeps may fill; behind them is the account. */
enum { LZB_KINKS_ROWS = 3 };

/* By place: what happened to the contacts in the substeps of a row; rows of the tableau that are
 * not in use otherwise.
 */
typedef struct lzb_kinks {
    double *held;     /* time in contact */
    double *peak;     /* deepest indentation */
    double *released; /* energy set free in expansion */
    double *turns;    /* ends of compressions */
    double *counted;  /* indentation above which those count; to be set, as is the next */
    double *returns;  /* 1/e^2 */
} lzb_kinks;

lzb_kinks lzb_kinks_of(const lzb_window *window);

/* A row of the tableau by so many substeps from the start of the step; `counting`: with account. D
 * is stored.
 */
void lzb_kinks_row(lzb_window *window, unsigned row, unsigned substeps, double length,
                   bool counting);

#endif
