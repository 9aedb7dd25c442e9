#include "report/figure/plot.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"

bool crm_plotting_take(crm_plotting *p, size_t x, size_t y)
{
    p->x = CRM_NEW(double, x);
    p->y = CRM_NEW(double, y);
    return p->x != NULL && p->y != NULL;
}

crm_curve *crm_plotting_add(crm_plotting *p, const char *label, size_t count, const double *x,
                            double *y)
{
    size_t i = p->figure.curve_count++;
    snprintf(p->names[i], sizeof p->names[i], "%s", label);
    p->curves[i] = (crm_curve){.label = p->names[i], .count = count, .x = x, .y = y, .line = true};
    return &p->curves[i];
}

void crm_plotting_times(crm_plotting *p, const crm_film *film, const char *unit)
{
    size_t last = film->rows - 1;
    double factor = crm_figure_unit("time", unit, film->time[last], p->x_title, sizeof p->x_title);
    p->time_factor = factor;
    for (size_t row = 0; row <= last; row++) {
        p->x[row] = factor * film->time[row];
    }
    p->figure.x = (crm_figure_axis){.low = p->x[0], .high = p->x[last]};
}

/* Points of a curve between two instants. */
enum { FINE = 6 };

bool crm_plotting_take_film(crm_plotting *p, const crm_film *film)
{
    size_t all = crm_film_points(film, FINE) * CRM_FIGURE_CURVES_MOST;
    return crm_plotting_take(p, film->rows + all, all);
}

void crm_plotting_follow(crm_plotting *p, const char *label, const crm_film *film, size_t track,
                         size_t number, double factor)
{
    size_t room = crm_film_points(film, FINE), i = p->figure.curve_count;
    double *x = p->x + film->rows + i * room, *y = p->y + i * room;
    size_t count = crm_film_curve(film, track, number, FINE, x, y);
    for (size_t k = 0; k < count; k++) {
        x[k] *= p->time_factor;
        y[k] *= factor;
    }
    crm_plotting_add(p, label, count, x, y);
}

bool crm_plotting_draw(crm_plotting *p, bool good, const crm_figure_target *target, char *problem,
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
