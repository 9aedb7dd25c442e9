#include "report/figure/plot.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"

bool crm_plot_reserve(crm_plot *p, size_t x, size_t y)
{
    p->x = CRM_NEW(double, x);
    p->y = CRM_NEW(double, y);
    return p->x != NULL && p->y != NULL;
}

crm_curve *crm_plot_add_curve(crm_plot *p, const char *label, size_t count, const double *x,
                              double *y)
{
    size_t i = p->figure.curve_count++;
    snprintf(p->names[i], sizeof p->names[i], "%s", label);
    p->curves[i] = (crm_curve){.label = p->names[i], .count = count, .x = x, .y = y, .line = true};
    return &p->curves[i];
}

void crm_plot_set_times(crm_plot *p, const crm_frames *frames, const char *unit)
{
    size_t last = frames->count - 1;
    double factor =
        crm_figure_unit("time", unit, frames->time[last], p->x_title, sizeof p->x_title);
    p->time_factor = factor;
    for (size_t row = 0; row <= last; row++) {
        p->x[row] = factor * frames->time[row];
    }
    p->figure.x = (crm_figure_axis){.low = p->x[0], .high = p->x[last]};
}

bool crm_plot_reserve_frames(crm_plot *p, const crm_frames *frames)
{
    size_t all = crm_frames_curve_points_most(frames, CRM_PLOT_FINE) * CRM_FIGURE_CURVES_MOST;
    return crm_plot_reserve(p, frames->count + all, all);
}

void crm_plot_add_track(crm_plot *p, const char *label, const crm_frames *frames, size_t track,
                        size_t number, double factor)
{
    double *x, *y;
    crm_plot_place_points(p, frames, &x, &y);
    size_t count = crm_frames_curve(frames, track, number, CRM_PLOT_FINE, x, y);
    crm_plot_add_points(p, label, count, x, y, factor);
}

void crm_plot_place_points(const crm_plot *p, const crm_frames *frames, double **x, double **y)
{
    size_t first = p->figure.curve_count * crm_frames_curve_points_most(frames, CRM_PLOT_FINE);
    *x = p->x + frames->count + first;
    *y = p->y + first;
}

void crm_plot_add_points(crm_plot *p, const char *label, size_t count, double *x, double *y,
                         double factor)
{
    for (size_t k = 0; k < count; k++) {
        x[k] *= p->time_factor;
        y[k] *= factor;
    }
    crm_plot_add_curve(p, label, count, x, y);
}

bool crm_plot_draw(crm_plot *p, bool good, const crm_figure_target *target, char *problem,
                   size_t size)
{
    snprintf(problem, size, "%s", crm_status_text(CRM_ERROR_MEMORY));
    p->figure.x.title = p->x_title;
    p->figure.y.title = p->y_title;
    p->figure.curves = p->curves;
    good = good && crm_figure_draw(&p->figure, target->tools, target->format, target->sink,
                                   target->context, problem, size);
    free(p->x);
    free(p->y);
    return good;
}
