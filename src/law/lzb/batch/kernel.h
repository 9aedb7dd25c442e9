/* One step in all lanes: the arithmetic under batch/batch.c. Internal.
 *
 * Everything has no dimension: speeds are parts of the impact's, times of the quickest contact's,
 * and the force of contact j is counted by what it does to its own closing speed:
 *
 *     c_i' = -sum_j d_ij f_j  (d_jj = 1),  x_j' = rate_j c_j,  f_j = stiffness_j x_j^exponent_j.
 *
 * Between events all of them are analytic as long as x_j > 0. Their Taylor series are found by
 * recurrence, to a fixed order; they give the length of the step, the places of events within it
 * and the state at its end. A contact so slightly pressed that its force hardly acts back on it
 * within the step (it has just closed, or is about to open: x^exponent is not analytic at 0) is
 * called weak; its impulse is an integral over its path without it.
 */
#ifndef CRM_LZB_BATCH_KERNEL_H
#define CRM_LZB_BATCH_KERNEL_H

#include "law/lzb/batch/vector.h"

enum { LANES_ORDER = 12, LANES_ALIGNMENT = 64 };

/* No step is longer, in units of the quickest contact's time. */
static const double LANES_LONGEST = 16;
/* Below these an indentation that shrinks, a speed that goes to 0 counts as 0. */
static const double LANES_NOTHING = 1e-12, LANES_STILL = 1e-13;

/* Coefficients of powers of time, for one contact. */
typedef struct lanes_series {
    lanes_vector x[LANES_ORDER + 2], c[LANES_ORDER + 1], f[LANES_ORDER];
} lanes_series;

/* The step under way; by contact, then lane. */
typedef struct lanes_trial {
    lanes_series series[LZB_BATCH_CONTACTS];
    lanes_vector stiffest; /* d force / d x, of any contact */
    lanes_bits weak[LZB_BATCH_CONTACTS];
    lanes_vector a[LZB_BATCH_CONTACTS];     /* c' at the start */
    lanes_vector per_x[LZB_BATCH_CONTACTS]; /* 1 / x; 0 if there is none */
    lanes_vector end_x[LZB_BATCH_CONTACTS], end_c[LZB_BATCH_CONTACTS], end_f[LZB_BATCH_CONTACTS];
    lanes_vector step_p[LZB_BATCH_CONTACTS];
    lanes_vector weak_p[LZB_BATCH_CONTACTS], weak_moment[LZB_BATCH_CONTACTS];
    lanes_vector path_f[LZB_BATCH_CONTACTS]; /* force at the end of the path taken */
    lanes_vector opens_at[LZB_BATCH_CONTACTS];
    /* Bounds on how far speed and indentation go from where they start; weak contacts left out. */
    lanes_vector reach_c[LZB_BATCH_CONTACTS], reach_x[LZB_BATCH_CONTACTS];
} lanes_trial;

/* Systems side by side; by contact, then lane. */
typedef struct lanes_pack {
    size_t contacts;
    size_t band; /* contacts further apart than this do not meet */
    lzb_kind kind;
    double tolerance; /* error allowed in a step, as a part of the speed */

    lanes_vector d[LZB_BATCH_CONTACTS][LZB_BATCH_CONTACTS];
    lanes_vector stiffness[LZB_BATCH_CONTACTS], exponent[LZB_BATCH_CONTACTS];
    lanes_vector feedback[LZB_BATCH_CONTACTS];   /* 1 / (2 (eta + 1)^2 (eta + 2)) */
    lanes_vector per_growth[LZB_BATCH_CONTACTS]; /* 1 / (2 eta + 2) */
    /* By mode: */
    lanes_vector rate[LZB_BATCH_CONTACTS];
    lanes_vector watch[LZB_BATCH_CONTACTS]; /* 1, -1: an event if c becomes > 0, < 0; 0: none is */

    /* The present state; f belongs to x. */
    lanes_vector x[LZB_BATCH_CONTACTS], c[LZB_BATCH_CONTACTS], f[LZB_BATCH_CONTACTS];
    lanes_vector p[LZB_BATCH_CONTACTS]; /* the integral of f so far */
    lanes_vector time, opened;          /* when the last contact so far was released */
    lanes_vector error;                 /* of all steps so far */
    lanes_vector steps, tries;
    lanes_vector longest; /* that the next step may be */

    /* Events at the end of the last step: contacts that opened, and whose c is no longer on the
     * side that their mode asks for.
     */
    lanes_bits opens[LZB_BATCH_CONTACTS], turns[LZB_BATCH_CONTACTS];

    lanes_trial trial;
} lanes_pack;

/* A step in every lane; where its error is too large, `longest` is lowered and nothing else done.
 * Returns the lanes (bit l) that have come to an event, which is left to the caller to act upon.
 */
typedef unsigned lanes_stepper(lanes_pack *pack);

/* The same operations, and the same bits, in vectors of every width. */
lanes_stepper *lzb_batch_stepper(crm_width width);
lanes_stepper lzb_batch_step_16, lzb_batch_step_32, lzb_batch_step_64;

#endif
