/* The figures of one impact. */
#ifndef CRM_FIGURE_SOLVE_H
#define CRM_FIGURE_SOLVE_H

#include "report/figure/figure.h"
#include "report/page/solve/impact_frames.h"
#include "report/report.h"

typedef enum crm_solve_figure {
    CRM_SOLVE_FIGURE_VELOCITIES, /* after the impact, by law */
    CRM_SOLVE_FIGURE_FORCES,     /* of contacts against time */
    CRM_SOLVE_FIGURE_WAVE,       /* energy by contact against time, as a map */
    CRM_SOLVE_FIGURE_ENERGY,     /* kinetic, stored and lost, against time */
    CRM_SOLVE_FIGURE_COUNT
} crm_solve_figure;

const char *crm_solve_figure_name(crm_solve_figure plot);
bool crm_solve_figure_needs_frames(crm_solve_figure plot);

/* `frames`: of the law that is shown, with rows; NULL where none is needed, else the report has its
 * subset. False: as of crm_figure_draw.
 */
bool crm_solve_figure_draw(crm_solve_figure plot, const crm_report *report,
                           const crm_frames *frames, const crm_figure_target *target, char *problem,
                           size_t size);

#endif
