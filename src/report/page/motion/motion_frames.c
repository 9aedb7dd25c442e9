#include "report/page/motion/motion_frames.h"

crm_status crm_motion_frames_create(const crm_scene_subset *subset, crm_frames *frames,
                                    crm_error *error)
{
    bool same = subset->rotation_count == subset->spin_count;
    const crm_frames_def def = {
        .track_count = 4,
        .tracks = {[CRM_MOTION_FRAMES_TRANSLATION] = {.name = "translation",
                                                      .count = subset->translation_count,
                                                      .shifted = true,
                                                      .rate = 1 + CRM_MOTION_FRAMES_VELOCITY},
                   /* orientations in space have four numbers, and other rates */
                   [CRM_MOTION_FRAMES_ROTATION] = {.name = "rotation",
                                                   .count = subset->rotation_count,
                                                   .shifted = true,
                                                   .rate = same ? 1 + CRM_MOTION_FRAMES_SPIN : 0},
                   [CRM_MOTION_FRAMES_VELOCITY] = {.name = "velocity",
                                                   .count = subset->velocity_count},
                   [CRM_MOTION_FRAMES_SPIN] = {.name = "spin", .count = subset->spin_count}},
        .series_count = CRM_MOTION_FRAMES_SERIES,
        .series = {[CRM_MOTION_FRAMES_KINETIC] = "kinetic",
                   [CRM_MOTION_FRAMES_POTENTIAL] = "potential",
                   [CRM_MOTION_FRAMES_LOST] = "lost",
                   [CRM_MOTION_FRAMES_WORK] = "work",
                   [CRM_MOTION_FRAMES_CORRECTION] = "correction"}};
    return crm_frames_create(&def, frames, error);
}

void crm_motion_frames_add(crm_frames *frames, const crm_scene_subset *subset, double time,
                           const double *position, const double *velocity,
                           const crm_motion_account *energy, crm_frames_join join)
{
    crm_frames_begin(frames, time);
    crm_frames_set_join(frames, join);
    crm_frames_put(frames, CRM_MOTION_FRAMES_TRANSLATION, position, subset->translations);
    crm_frames_put(frames, CRM_MOTION_FRAMES_ROTATION, position, subset->rotations);
    crm_frames_put(frames, CRM_MOTION_FRAMES_VELOCITY, velocity, subset->velocities);
    crm_frames_put(frames, CRM_MOTION_FRAMES_SPIN, velocity, subset->spins);
    crm_frames_put_series(frames, CRM_MOTION_FRAMES_KINETIC, energy->kinetic_after);
    crm_frames_put_series(frames, CRM_MOTION_FRAMES_POTENTIAL, energy->potential_after);
    crm_frames_put_series(frames, CRM_MOTION_FRAMES_LOST, energy->lost);
    crm_frames_put_series(frames, CRM_MOTION_FRAMES_WORK, energy->work);
    crm_frames_put_series(frames, CRM_MOTION_FRAMES_CORRECTION, energy->correction);
}
