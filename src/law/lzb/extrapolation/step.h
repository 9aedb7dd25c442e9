/* One step for many contacts: extrapolated leapfrog with error control, ending at events.
 * Internal.
 *
 * Each step is taken with 1, 2, 3, ... leapfrog substeps; the results have an expansion in even
 * powers of the substep, which is extrapolated to substep 0 (Aitken-Neville). The last two
 * columns give the error, the cost per unit of time chooses order and length (Gragg, Bulirsch,
 * Stoer; control after Deuflhard and Hairer). There is nothing to tabulate, one force kernel, and
 * any order up to 2 * LZB_ROWS.
 */
#ifndef CRM_LZB_STEP_H
#define CRM_LZB_STEP_H

#include "law/lzb/extrapolation/events.h"
#include "law/lzb/extrapolation/kernel/kernel.h"

typedef struct lzb_stepper {
    lzb_state *state;
    lzb_window *window;
    double tolerance; /* for one step */
    double length;    /* to be tried next */
    unsigned rows;    /* planned for it */
    bool rejected;    /* the last try was */
    unsigned exempt;  /* one contact in this many may have a larger error, which a neighbourhood
                         corrects; 0: none may */

    /* About the step just tried: */
    unsigned rows_made; /* by the leapfrog */
    unsigned rows_extrapolated;
    unsigned rows_used; /* of them, for the result */
    double error;       /* difference of the last two columns, in units of the tolerance */
    double tried;       /* its length */
    double row_error[LZB_ROWS + 1]; /* with that many rows, from 2 on */

    uint64_t steps, evaluations;
    double error_late;   /* of events that could not be met any closer, in units of the tolerance */
    double rounding;     /* sum of lzb_window_rounding */
    double energy_debt;  /* gained by the steps so far, not yet made up for */
    double energy_apart; /* put into neighbourhoods by the step */
    double bonds_share;  /* relative correction allowed beyond, for what bonds give and take */
} lzb_stepper;

/* Build the window, with the forces and accelerations at the start of the step; or gather just the
 * contacts that it lists.
 */
crm_status lzb_step_build(lzb_stepper *stepper, crm_error *error);
crm_status lzb_step_gather(lzb_stepper *stepper, crm_error *error);
/* The step needs more contacts than are in the window: build a wider one. */
crm_status lzb_step_widen(lzb_stepper *stepper, crm_error *error);

/* Shorter steps than this are not worth trying. */
double lzb_step_shortest(const lzb_stepper *stepper);

/* One accepted step from the window's state, all contacts together, no longer than `longest`;
 * *length: what was made of it. The result is in the window only.
 */
crm_status lzb_step_advance(lzb_stepper *stepper, double longest, double *length, crm_error *error);

/* Project the step onto the energy it must have (energy.c). */
crm_status lzb_energy_conserve(lzb_stepper *stepper, crm_error *error);

/* Write it back. */
void lzb_step_finish(lzb_stepper *stepper, double length);

#endif
