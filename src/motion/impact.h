/* One impact inside a motion: the contacts of one cluster, resolved by the motion's law. All kinds
 * of motion that call a law do it here.
 *
 *     crm_impact_begin(...)     the model of the cluster
 *     crm_impact_apply(...)     a law, or one after the other
 *     ... book what it cost, velocities are blow->velocity ...
 *     crm_impact_notify(...)      the observer
 *     crm_impact_end(...)
 */
#ifndef CRM_MOTION_IMPACT_H
#define CRM_MOTION_IMPACT_H

#include "motion/motion.h"

typedef struct crm_impact_problem {
    double time;
    crm_system_def system;    /* M, W and what the contacts are of: those of the cluster alone */
    double *velocity;         /* v- in, v+ out */
    const size_t *gap;        /* for the report: one of these */
    const size_t (*party)[2]; /* and the other NULL */
    double *closing_speed;    /* room for one per contact, */
    double *impulse;          /* for the sum over all laws, */
    double *peak_force;       /* for the largest of them, */
    double *gap_velocity;     /* and for u after the last; NULL: nobody wants to know */

    /* What came of it. */
    crm_model *model;
    crm_result result; /* of the first law */
    bool kinematic, kinetic, energetic, unique;
    bool has_forces; /* forces are known */
    double work;     /* of moving boundaries */
    double lost;     /* T- + work - T+: whatever laws say of themselves, the velocities decide */
    double losses;   /* the sum of what they say of each contact */
} crm_impact_problem;

/* How it went. */
typedef enum crm_impact_ending {
    CRM_IMPACT_DONE,
    CRM_IMPACT_INTERRUPTED, /* done, and the observer asks to stop */
    CRM_IMPACT_CUT_SHORT,   /* whoever watches over the motion wants it to end: v is unchanged */
    CRM_IMPACT_NO_ANSWER    /* the law has none: motion->reason says why, v is unchanged */
} crm_impact_ending;

/* The model, and nothing done yet. */
crm_status crm_impact_begin(crm_impact_problem *impact, crm_error *error);
/* -u of the velocities, into blow->closing_speed. */
void crm_impact_find_closing_speeds(crm_impact_problem *impact);
/* A law on what is there. One that did not terminate but reached a state is followed to that state;
 * what is still closing then is the caller's to see.
 */
crm_status crm_impact_apply(crm_motion *motion, crm_impact_problem *impact, const crm_settings *law,
                            crm_impact_ending *end, crm_error *error);
/* `number`: of this impact; `lost`: as it is booked. Returns what the observer does. */
crm_status crm_impact_notify(const crm_impact_problem *impact, uint64_t number, double lost,
                             const crm_observer *observer);
void crm_impact_end(crm_impact_problem *impact);

/* All of it by the motion's law: booked, counted, told (observer may be NULL). */
crm_status crm_impact_resolve(crm_motion *motion, crm_impact_problem *impact,
                              const crm_observer *observer, crm_impact_ending *end,
                              crm_error *error);

/* Largest gap that the indentation of a blow with closing speed c closes: the contact's stiffness
 * takes up the energy of its effective mass 1/D_jj,
 *     K x^(eta+1) / (eta+1) = c^2 / (2 D_jj).
 */
double crm_impact_indentation(double stiffness, double exponent, double delassus,
                              double closing_speed);

#endif
