/* Substeps that need no stop at kinks: the ends of compressions, openings, re-entries. Internal.
 *
 * Modes are not frozen; a substep is velocity Verlet with
 *
 *     x_1 = x_0 + integral of r(c) c dt,   c = c_0 + a_0 t,   r = 1 (c > 0) or 1/e^2 (c < 0),
 *
 * the integral taken exactly across a change of sign and x cut off at 0, which is opening and
 * re-entry. A kink then causes an error of the third order in the substep, like everything
 * else in Verlet's method. With mono-stiffness r = 1, and contacts are released with a jump of the
 * force (capturing/kernel/mono.h).
 */
#ifndef CRM_LZB_SUBSTEP_H
#define CRM_LZB_SUBSTEP_H

#include "law/lzb/extrapolation/kernel/kernel.h"

/* The rows of the tableau that such substeps may fill; behind them is the account. */
enum { LZB_SUBSTEPS_ROWS = 3 };

/* By place: what happened to the contacts in the substeps of a row; rows of the tableau that are
 * not in use otherwise.
 */
typedef struct lzb_account {
    double *held;     /* time in contact */
    double *peak;     /* deepest indentation */
    double *released; /* energy set free in expansion; with mono-stiffness: given up in releases */
    double *turns;    /* ends of compressions */
    double *counted;  /* indentation above which those count; to be set, as are the next two */
    double *returns;  /* 1/e^2 */
    bool mono;        /* mono-stiffness; then `returns` is 1, and there are: */
    double *release_fraction; /* the release depth, as a part of the deepest indentation; to be set,
                                 as is ... */
    double *start; /* ... the release depth at the start of the step; 0: not on the way out */
    double *release_depth;  /* by row: that at its end, or what it would be if the contact turned
                               there */
    double *out;            /* 1: on the way out at the end of the last row made */
    double *margin;         /* as in lzb_state, not relative */
    double *earlier, *rise; /* as in lzb_mono */
    double decisive_energy; /* stored energy, times D_jj, above which a contact's margin counts; to
                               be set. INFINITY: no margin is asked for */
} lzb_account;

lzb_account lzb_account_of(const lzb_window *window, bool mono);

/* A row of the tableau by this many substeps from the start of the step; `counting`: with account.
 * D is stored.
 */
void lzb_substeps_row(lzb_window *window, const lzb_account *account, unsigned row,
                      unsigned substeps, double length, bool counting);

#endif
