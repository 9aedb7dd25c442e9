/* The common part of all motions. Internal to the library.
 *
 * What advances a motion is its kind: a table of functions, and a state that begins with a
 * crm_motion. Nothing outside the kind's own files knows more of it.
 */
#ifndef CRM_MOTION_INTERNAL_H
#define CRM_MOTION_INTERNAL_H

#include "base/base.h"
#include "carom/motion.h"

typedef struct crm_motion_kind {
    crm_status (*run)(crm_motion *motion, double time, const crm_observer *observer,
                      crm_motion_stop *stopped, crm_error *error);
    void (*free)(crm_motion *motion);
    void (*read)(const crm_motion *motion, double *position, double *velocity);
    crm_motion_summary (*summarize)(const crm_motion *motion);
} crm_motion_kind;

enum { CRM_MOTION_REASON = 512 };

struct crm_motion {
    const crm_motion_kind *kind;
    double time;
    size_t positions, velocities;
    char reason[CRM_MOTION_REASON]; /* of CRM_STOP_FAILED */
};

/* Every number of the options by itself. */
crm_status crm_check_motion_options(const crm_motion_options *options, crm_error *error);

#endif
