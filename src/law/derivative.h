/* How the answer of a law changes with its data: what a law offers for carom/sensitivity.h.
 * Internal to the library.
 *
 * To a law the data are the gap velocities u-, the entries of D and what the contacts are made of;
 * where u- and D come from is not its business (sensitivity/chain.c).
 */
#ifndef CRM_LAW_DERIVATIVE_H
#define CRM_LAW_DERIVATIVE_H

#include "carom/sensitivity.h"
#include "law/law.h"
#include "law/smoothness.h"

/* A direction: NULL is 0. A gradient: none is NULL but for those not wanted; a law adds to it. */
typedef struct crm_data_change {
    double *gap_velocity; /* s */
    double *delassus;     /* by the stored entries of D, both triangles; of a gradient any matrix G
                             whose sum of G_jk dD_jk is right */
    double *stiffness, *exponent, *restitution, *stored_energy; /* s */
} crm_data_change;

/* Changes of an answer: NULL where one is not wanted. Or weights: NULL is 0. */
typedef struct crm_answer_change {
    double *impulse, *loss, *peak_force; /* s */
    double duration;
} crm_answer_change;

/* What a trace must be able to compute. */
typedef struct crm_trace_request {
    bool peaks;       /* peak forces, changed or weighted */
    bool restitution; /* changes of it, or its gradient */
    bool exponent;    /* the same */
} crm_trace_request;

struct crm_law_derivative {
    /* Whether there are derivatives with these options. NULL: with all. */
    bool (*supports)(const crm_settings *settings);
    /* Solve the impact and record its course: *trace, and the impulses (s, zeros
     * before). What the trace takes beyond the problem's pool is freed by free_trace. On an error
     * there is no trace.
     */
    crm_status (*create_trace)(const crm_problem *problem, crm_trace_request request, void **trace,
                               double *impulse, crm_error *error);
    void (*free_trace)(void *trace); /* NULL is fine */
    crm_status (*forward)(void *trace, const crm_data_change *direction, crm_answer_change *change,
                          crm_smoothness *smoothness, crm_error *error);
    crm_status (*reverse)(void *trace, const crm_answer_change *weights, crm_data_change *gradient,
                          crm_smoothness *smoothness, crm_error *error);
    bool timed; /* it defines losses, peak forces and durations */
};

#endif
