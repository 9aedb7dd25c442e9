/* The figures of a motion. */
#ifndef CRM_FIGURE_MOTION_H
#define CRM_FIGURE_MOTION_H

#include "report/figure/figure.h"
#include "report/motion/cast.h"
#include "report/page/motion/frames.h"

typedef enum crm_motion_plot {
    CRM_MOTION_PLOT_ENERGY,     /* kinetic, potential, lost, work, against time */
    CRM_MOTION_PLOT_PLACES,     /* coordinates of bodies against time */
    CRM_MOTION_PLOT_ANGLES,     /* angles of bodies and bobs */
    CRM_MOTION_PLOT_VELOCITIES, /* of coordinates */
    CRM_MOTION_PLOT_COUNT
} crm_motion_plot;

const char *crm_motion_plot_name(crm_motion_plot plot);
/* Whether the scene has what it shows. */
bool crm_motion_plot_shows(crm_motion_plot plot, const crm_cast *cast);

/* Of coordinates up to eight, evenly spread. False: as of crm_figure_draw. */
bool crm_plot_motion(crm_motion_plot plot, const crm_scene_def *scene, const crm_cast *cast,
                     const crm_film *film, const crm_figure_target *target, char *problem,
                     size_t size);

#endif
