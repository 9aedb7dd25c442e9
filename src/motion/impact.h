/* One impact in a motion: the contacts of one cluster, resolved by the motion's law. All kinds of
 * motion that call a law do it here.
 *
 *     crm_impact_begin(...)     makes the model of the cluster
 *     crm_impact_apply(...)     applies a law, or several one after another
 *     crm_impact_stop(...)      makes closing speeds 0 that would accumulate
 *     ... the caller takes velocities and accounts for energies ...
 *     crm_impact_notify(...)    reports to the observer
 *     crm_impact_end(...)
 */
#ifndef CRM_MOTION_IMPACT_H
#define CRM_MOTION_IMPACT_H

#include "motion/motion.h"

typedef struct crm_impact_problem {
    double time;
    crm_system_def system;    /* M, W and contact parameters of the cluster alone */
    double *velocity;         /* v- in, v+ out */
    const size_t *gap;        /* for the report: gaps, or NULL */
    const size_t (*party)[2]; /* or else parties */
    double *closing_speed;    /* one entry per contact: out, */
    double *impulse;          /* the sum over all laws, */
    double *peak_force;       /* the largest of all laws, */
    double *gap_velocity;     /* u after the last law; may be NULL */
    double negligible_speed;  /* closing speeds up to this may be left; 0: none */
    double allowed_error;     /* of speeds, whatever the law's tolerance; 0: none */

    /* Results. */
    crm_model *model;
    crm_result result; /* of the first law */
    bool kinematic, kinetic, energetic, unique;
    bool has_forces; /* forces are known */
    double work;     /* of moving boundaries */
    double lost;     /* T- + work - T+, from the velocities */
    double losses;   /* the sum of the losses of contacts that laws report */
} crm_impact_problem;

/* How it went. */
typedef enum crm_impact_ending {
    CRM_IMPACT_DONE,
    CRM_IMPACT_INTERRUPTED, /* done, and the observer interrupts the run */
    CRM_IMPACT_CUT_SHORT,   /* the watch of the run ended the law: v is unchanged */
    CRM_IMPACT_NO_ANSWER    /* the law has none: motion->reason says why, v is unchanged */
} crm_impact_ending;

/* Makes the model and clears the results. */
crm_status crm_impact_begin(crm_impact_problem *impact, crm_error *error);
/* -u of the velocities, into impact->closing_speed. */
void crm_impact_find_closing_speeds(crm_impact_problem *impact);
/* Applies a law. The state of one that did not terminate is taken as it is: the caller must check
 * which contacts are still closing.
 */
crm_status crm_impact_apply(crm_motion *motion, crm_impact_problem *impact, const crm_settings *law,
                            crm_impact_ending *end, crm_error *error);
/* After a law that leaves contacts closing: no contact closes any more, and none bounces. That is
 * where an accumulation of impacts ends: the nearest velocity with u >= 0 in the metric of M.
 */
crm_status crm_impact_stop(crm_motion *motion, crm_impact_problem *impact, crm_impact_ending *end,
                           crm_error *error);
/* `number`: of this impact; `lost`: as it is accounted for. Returns what the observer returns. */
crm_status crm_impact_notify(const crm_impact_problem *impact, uint64_t number, double lost,
                             const crm_observer *observer);
void crm_impact_end(crm_impact_problem *impact);

/* Of a contact alone, with closing speed c: the indentation that takes up the energy of its
 * effective mass 1/D_jj, E(x) = c^2 / (2 D_jj), K x^(eta+1) / (eta+1) of a power; and its e.
 */
double crm_impact_indentation(const crm_contact_def *contact, double delassus,
                              double closing_speed);
double crm_impact_restitution(const crm_contact_def *contact, double delassus,
                              double closing_speed);

#endif
