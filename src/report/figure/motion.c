#include "report/figure/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "report/figure/plot.h"

/* What a kind of figure shows. */
static const struct {
    const char *name;
    const char *words, *unit; /* of the axis */
    size_t track;             /* of the film, where it has coordinates */
    bool velocity;
} kinds[CRM_MOTION_PLOT_COUNT] = {
    [CRM_MOTION_PLOT_ENERGY] = {.name = "energy", .words = "energy", .unit = "J"},
    [CRM_MOTION_PLOT_PLACES] = {"positions", "position", "m", CRM_FRAMES_PLACE, false},
    [CRM_MOTION_PLOT_ANGLES] = {"angles", "angle", "rad", CRM_FRAMES_TURN, false},
    [CRM_MOTION_PLOT_VELOCITIES] = {"velocities", "velocity", "m/s", CRM_FRAMES_VELOCITY, true}};

const char *crm_motion_plot_name(crm_motion_plot plot)
{
    return kinds[plot].name;
}

static const size_t *coordinates_of(crm_motion_plot plot, const crm_cast *cast, size_t *count)
{
    switch (plot) {
    case CRM_MOTION_PLOT_PLACES:
        *count = cast->place_count;
        return cast->places;
    case CRM_MOTION_PLOT_ANGLES:
        *count = cast->turn_count;
        return cast->turns;
    default:
        *count = cast->velocity_count;
        return cast->velocities;
    }
}

bool crm_motion_plot_shows(crm_motion_plot plot, const crm_cast *cast)
{
    size_t count;
    coordinates_of(plot, cast, &count);
    return plot == CRM_MOTION_PLOT_ENERGY || count > 0;
}

/* ---- Energies ------------------------------------------------------------------------------- */

static double largest_of(const crm_film *film, size_t series)
{
    double largest = 0;
    for (size_t row = 0; row < film->rows; row++) {
        largest = fmax(largest, fabs(crm_film_series(film, series, row)));
    }
    return largest;
}

static bool make_energy(crm_plotting *p, const crm_film *film)
{
    static const struct {
        const char *name;
        size_t series;
    } curves[] = {{"kinetic", CRM_FRAMES_KINETIC},
                  {"potential", CRM_FRAMES_POTENTIAL},
                  {"lost so far", CRM_FRAMES_LOST},
                  {"work so far", CRM_FRAMES_WORK},
                  {"work of position correction so far", CRM_FRAMES_CORRECTION}};
    enum { CURVES = sizeof curves / sizeof curves[0] };
    double largest = 0;
    for (size_t k = 0; k < CURVES; k++) {
        largest = fmax(largest, largest_of(film, curves[k].series));
    }
    double factor = crm_figure_unit("energy", "J", largest, p->y_title, sizeof p->y_title);
    for (size_t k = 0; k < CURVES; k++) {
        double *y = p->y + k * film->rows;
        for (size_t row = 0; row < film->rows; row++) {
            y[row] = factor * crm_film_series(film, curves[k].series, row);
        }
        if (largest_of(film, curves[k].series) > 0) {
            crm_plotting_add(p, curves[k].name, film->rows, p->x, y);
        }
    }
    return true;
}

/* ---- Coordinates ---------------------------------------------------------------------------- */

static bool make_coordinates(crm_plotting *p, crm_motion_plot plot, const crm_scene_def *scene,
                             const crm_cast *cast, const crm_film *film)
{
    size_t count, track = kinds[plot].track;
    const size_t *which = coordinates_of(plot, cast, &count);
    size_t shown = count < CRM_FIGURE_CURVES_MOST ? count : CRM_FIGURE_CURVES_MOST;
    double largest = fmax(fabs(film->least[track]), fabs(film->most[track]));
    double factor = crm_figure_unit(kinds[plot].words, kinds[plot].unit, largest, p->y_title,
                                    sizeof p->y_title);
    for (size_t i = 0; i < shown; i++) {
        size_t k = shown > 1 ? i * (count - 1) / (shown - 1) : 0;
        char name[CRM_COORDINATE_SIZE];
        crm_scene_name_at(scene, kinds[plot].velocity, which[k], name, sizeof name);
        crm_plotting_follow(p, name, film, track, k, factor);
    }
    return shown > 0;
}

bool crm_plot_motion(crm_motion_plot plot, const crm_scene_def *scene, const crm_cast *cast,
                     const crm_film *film, const crm_figure_target *target, char *problem,
                     size_t size)
{
    crm_plotting *p = CRM_NEW(crm_plotting, 1);
    snprintf(problem, size, "%s", crm_status_text(CRM_ERROR_MEMORY));
    if (p == NULL) {
        return false;
    }
    bool good = crm_plotting_take_film(p, film);
    if (good) {
        crm_plotting_times(p, film, "s");
        good = plot == CRM_MOTION_PLOT_ENERGY ? make_energy(p, film)
                                              : make_coordinates(p, plot, scene, cast, film);
    }
    good = crm_plotting_draw(p, good, target, problem, size);
    free(p);
    return good;
}
