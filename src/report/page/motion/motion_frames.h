/* The frames of a motion. */
#ifndef CRM_MOTION_FRAMES_H
#define CRM_MOTION_FRAMES_H

#include "report/motion/scene_subset.h"
#include "report/page/frames.h"

enum {
    CRM_MOTION_FRAMES_TRANSLATION,
    CRM_MOTION_FRAMES_ROTATION,
    CRM_MOTION_FRAMES_VELOCITY,
    CRM_MOTION_FRAMES_SPIN
}; /* its tracks */
/* Its series; those after the potential are sums since the beginning. */
enum {
    CRM_MOTION_FRAMES_KINETIC,
    CRM_MOTION_FRAMES_POTENTIAL,
    CRM_MOTION_FRAMES_LOST,
    CRM_MOTION_FRAMES_WORK,
    CRM_MOTION_FRAMES_CORRECTION,
    CRM_MOTION_FRAMES_SERIES
};

crm_status crm_motion_frames_create(const crm_scene_subset *subset, crm_frames *frames,
                                    crm_error *error);
void crm_motion_frames_add(crm_frames *frames, const crm_scene_subset *subset, double time,
                           const double *position, const double *velocity,
                           const crm_motion_account *energy, crm_frames_join join);

#endif
