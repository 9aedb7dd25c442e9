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
/* Its series, energies first; lost, work and correction are cumulative. */
enum {
    CRM_MOTION_FRAMES_KINETIC,
    CRM_MOTION_FRAMES_POTENTIAL,
    CRM_MOTION_FRAMES_LOST,
    CRM_MOTION_FRAMES_WORK,
    CRM_MOTION_FRAMES_CORRECTION,
    CRM_MOTION_FRAMES_POTENTIAL_RATE, /* of change of the potential */
    CRM_MOTION_FRAMES_SERIES,
    CRM_MOTION_FRAMES_ENERGIES = CRM_MOTION_FRAMES_POTENTIAL_RATE
};

crm_status crm_motion_frames_create(const crm_scene_subset *subset, crm_frames *frames,
                                    crm_error *error);

typedef struct crm_motion_frame {
    double time;
    const double *position, *velocity;
    crm_motion_account energy;
    double potential_rate;
    crm_frames_join join;
} crm_motion_frame;

void crm_motion_frames_add(crm_frames *frames, const crm_scene_subset *subset,
                           const crm_motion_frame *frame);
/* An energy against time, like crm_frames_curve. Where frames are not joined by lines the potential
 * follows its values and rates as positions do, losses wait for the impact, and the kinetic energy
 * is what remains of the total.
 */
size_t crm_motion_frames_curve(const crm_frames *frames, size_t energy, unsigned fine, double *x,
                               double *y);

#endif
