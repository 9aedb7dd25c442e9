/* The figures of a motion. */
#ifndef CRM_FIGURE_MOTION_H
#define CRM_FIGURE_MOTION_H

#include "report/figure/figure.h"
#include "report/motion/scene_subset.h"
#include "report/page/motion/motion_frames.h"

typedef enum crm_motion_figure {
    CRM_MOTION_FIGURE_ENERGY,     /* kinetic, potential, lost and work, against time */
    CRM_MOTION_FIGURE_POSITIONS,  /* coordinates of bodies against time */
    CRM_MOTION_FIGURE_ANGLES,     /* angles of bodies and bobs */
    CRM_MOTION_FIGURE_VELOCITIES, /* of coordinates */
    CRM_MOTION_FIGURE_COUNT
} crm_motion_figure;

const char *crm_motion_figure_name(crm_motion_figure plot);
/* Whether the scene has what it shows. */
bool crm_motion_figure_is_available(crm_motion_figure plot, const crm_scene_subset *subset);

/* Draws at most eight coordinates, evenly spread. False: as crm_figure_draw. */
bool crm_motion_figure_draw(crm_motion_figure plot, const crm_scene_def *scene,
                            const crm_scene_subset *subset, const crm_frames *frames,
                            const crm_figure_target *target, char *problem, size_t size);

#endif
