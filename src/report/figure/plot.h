/* A figure while it is made: its curves, their names and numbers. Internal to src/report/figure. */
#ifndef CRM_FIGURE_PLOT_H
#define CRM_FIGURE_PLOT_H

#include "field/field.h"
#include "report/figure/figure.h"
#include "report/page/film.h"

enum { CRM_PLOT_TITLE_SIZE = 96, CRM_PLOT_NAME_SIZE = 2 * CRM_NAME_SIZE };

typedef struct crm_plotting {
    crm_figure figure;
    crm_curve curves[CRM_FIGURE_CURVES_MOST];
    char names[CRM_FIGURE_CURVES_MOST][CRM_PLOT_NAME_SIZE];
    char x_title[CRM_PLOT_TITLE_SIZE], y_title[CRM_PLOT_TITLE_SIZE], map_title[CRM_PLOT_TITLE_SIZE];
    double *x, *y;      /* of all curves; y of the map */
    double time_factor; /* x for a second */
} crm_plotting;

/* Room for so many numbers; false: there is none. */
bool crm_plotting_take(crm_plotting *p, size_t x, size_t y);
/* The same for the rows of a film, and for as many curves through it as there may be. */
bool crm_plotting_take_film(crm_plotting *p, const crm_film *film);
/* A line from point to point; the label is copied. */
crm_curve *crm_plotting_add(crm_plotting *p, const char *label, size_t count, const double *x,
                            double *y);
/* x becomes the times of a film, in a fitting unit; unit NULL: it has none. */
void crm_plotting_times(crm_plotting *p, const crm_film *film, const char *unit);
/* A number of a film in time, `factor` times: after crm_plotting_take_film and _times. */
void crm_plotting_follow(crm_plotting *p, const char *label, const crm_film *film, size_t track,
                         size_t number, double factor);
/* Unless `good` is false for lack of memory; then frees what it holds. False: `problem` says why.
 */
bool crm_plotting_draw(crm_plotting *p, bool good, const crm_figure_target *target, char *problem,
                       size_t size);

#endif
