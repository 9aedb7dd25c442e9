/* One impact inside a motion: the contacts of one cluster, resolved by the motion's law. */
#ifndef CRM_MOTION_IMPACT_H
#define CRM_MOTION_IMPACT_H

#include "motion/motion.h"

typedef struct crm_blow {
    double time;
    crm_system_def system;    /* M, W and what the contacts are of: those of the cluster alone */
    double *velocity;         /* v- in, v+ out */
    const size_t *gap;        /* for the report: one of these */
    const size_t (*party)[2]; /* and the other NULL */
    double *closing_speed;    /* room for one per contact */
} crm_blow;

/* How it went. */
typedef enum crm_blow_end {
    CRM_BLOW_DONE,
    CRM_BLOW_INTERRUPTED, /* done, and the observer asks to stop */
    CRM_BLOW_NO_ANSWER    /* the law has none: motion->reason says why, v is unchanged */
} crm_blow_end;

/* Solve, book the energy, count, tell the observer (may be NULL). A law that did not terminate
 * but reached a state is followed to that state; what is still closing then is the caller's to see.
 */
crm_status crm_impact_resolve(crm_motion *motion, const crm_blow *blow,
                              const crm_observer *observer, crm_blow_end *end, crm_error *error);

/* Largest gap that the indentation of a blow with closing speed c closes: the contact's stiffness
 * takes up the energy of its effective mass 1/D_jj,
 *     K x^(eta+1) / (eta+1) = c^2 / (2 D_jj).
 */
double crm_indentation(double stiffness, double exponent, double delassus, double closing_speed);

#endif
