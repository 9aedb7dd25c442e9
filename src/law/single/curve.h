/* Slip that turns: one contact in space. Internal. */
#ifndef CRM_SINGLE_CURVE_H
#define CRM_SINGLE_CURVE_H

#include "law/single/stronge.h"
#include "law/single/single.h"

/* Where a contact is. */
typedef struct crm_single_state {
    const crm_single *contact;
    crm_stronge stronge;
    double slip, along[2];           /* u_t = slip * along; slip 0: it does not slip */
    double impulse[CRM_SINGLE_ROWS]; /* P and Q */
    double rubbed;                   /* energy that friction has taken */
    bool jammed;                     /* friction has pressed it together */
} crm_single_state;

/* b - mu D_tt t, the rate of u_t while it slips along t: along t and across. */
void crm_single_rates(const crm_single *contact, const double *t, double *along, double *across);
/* -du_n/dP sign turned: how fast c falls while it slips along t. */
double crm_single_slope(const crm_single *contact, const double *t);

/* Follows the slip until it turns no more, or is over, or the impact has ended. */
void crm_single_follow_curve(crm_single_state *state);

#endif
