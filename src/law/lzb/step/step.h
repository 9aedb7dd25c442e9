/* One step of the default scheme: extrapolated leapfrog with error control, ending at events.
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

#include "law/lzb/step/events.h"

struct lzb_local;

typedef struct lzb_stepper {
    lzb_state *state;
    lzb_window *window;
    struct lzb_local *local; /* for large windows; NULL: every event is met by all contacts */
    double tolerance;        /* for one step */
    double length;           /* to be tried next */
    double longest;          /* for which the troubles of single contacts could be kept apart */
    unsigned rows;           /* to be aimed at */
    bool rejected;           /* the last try was */

    double sweep_length;  /* of the next step by course/sweep.h; 0: not known */
    double sweep_rival;   /* the length of a step from event to event when sweeping began */
    uint64_t sweep_again; /* no sweeps before this many steps */
    bool swept;           /* the last step was a sweep */

    /* Of the step just tried: */
    unsigned rows_made; /* by the leapfrog */
    unsigned rows_extrapolated;
    unsigned rows_used;  /* of them, for the result */
    double error;        /* difference of the last two columns, in units of the tolerance */
    double energy_local; /* put into settled contacts by the step */
    double tried;        /* its length */
    double row_error[LZB_ROWS + 1]; /* with that many rows, from 2 on */

    uint64_t steps, evaluations;
    double error_late;  /* of events that could not be met any closer, in units of the tolerance */
    double energy_debt; /* gained by the steps so far, not yet made up for */
    double bonds_share; /* relative correction allowed beyond, for what bonds give and take */
} lzb_stepper;

/* One accepted step from the window's state, no longer than `longest`; *length: what was made of
 * it. The result is in the window only.
 */
crm_status lzb_step_advance(lzb_stepper *stepper, double longest, double *length, crm_error *error);

/* Project the step onto the energy it must have (step/energy.c). */
crm_status lzb_step_conserve_energy(lzb_stepper *stepper, crm_error *error);

/* Write it back. */
void lzb_step_finish(lzb_stepper *stepper, double length);

#endif
