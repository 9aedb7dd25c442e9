/* The figures of one impact. */
#ifndef CRM_FIGURE_SOLVE_H
#define CRM_FIGURE_SOLVE_H

#include "report/figure/figure.h"
#include "report/page/solve/shots.h"
#include "report/report.h"

typedef enum crm_plot {
    CRM_PLOT_VELOCITIES, /* after the impact, by law */
    CRM_PLOT_FORCES,     /* of contacts against time */
    CRM_PLOT_WAVE,       /* energy by contact against time, as a map */
    CRM_PLOT_ENERGY,     /* kinetic, stored and lost, against time */
    CRM_PLOT_COUNT
} crm_plot;

const char *crm_plot_name(crm_plot plot);
bool crm_plot_needs_course(crm_plot plot);

/* `film`: of the law that is shown, with rows; NULL where none is needed, else the report has its
 * extract. False: as of crm_figure_draw.
 */
bool crm_plot_solve(crm_plot plot, const crm_report *report, const crm_film *film,
                    const crm_figure_target *target, char *problem, size_t size);

#endif
