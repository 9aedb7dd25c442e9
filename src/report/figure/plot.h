/* A figure under construction: its curves, their labels and points. Internal to src/report/figure.
 */
#ifndef CRM_FIGURE_PLOT_H
#define CRM_FIGURE_PLOT_H

#include "field/field.h"
#include "report/figure/figure.h"
#include "report/page/frames.h"

/* Points of a curve between two frames. */
enum { CRM_PLOT_FINE = 6 };
enum { CRM_PLOT_TITLE_SIZE = 96, CRM_PLOT_NAME_SIZE = 2 * CRM_NAME_SIZE };

typedef struct crm_plot {
    crm_figure figure;
    crm_curve curves[CRM_FIGURE_CURVES_MOST];
    char names[CRM_FIGURE_CURVES_MOST][CRM_PLOT_NAME_SIZE];
    char x_title[CRM_PLOT_TITLE_SIZE], y_title[CRM_PLOT_TITLE_SIZE], map_title[CRM_PLOT_TITLE_SIZE];
    double *x, *y;      /* of all curves; y of the map */
    double time_factor; /* x for a second */
} crm_plot;

/* Room for this many numbers; false: no memory. */
bool crm_plot_reserve(crm_plot *p, size_t x, size_t y);
/* The same for the frames, and for as many curves through them as there may be. */
bool crm_plot_reserve_frames(crm_plot *p, const crm_frames *frames);
/* A line from point to point; the label is copied. */
crm_curve *crm_plot_add_curve(crm_plot *p, const char *label, size_t count, const double *x,
                              double *y);
/* x becomes the times of the frames, in a fitting unit; unit NULL: it has none. */
void crm_plot_set_times(crm_plot *p, const crm_frames *frames, const char *unit);
/* Where the points of the next curve through the frames go; then add them: x in seconds, y times
 * `factor`.
 */
void crm_plot_place_points(const crm_plot *p, const crm_frames *frames, double **x, double **y);
void crm_plot_add_points(crm_plot *p, const char *label, size_t count, double *x, double *y,
                         double factor);
/* A number of a track against time, times `factor`; after crm_plot_reserve_frames and
 * crm_plot_set_times. */
void crm_plot_add_track(crm_plot *p, const char *label, const crm_frames *frames, size_t track,
                        size_t number, double factor);
/* Unless `good` is false for lack of memory; then frees what it holds. False: `problem` says why.
 */
bool crm_plot_draw(crm_plot *p, bool good, const crm_figure_target *target, char *problem,
                   size_t size);

#endif
