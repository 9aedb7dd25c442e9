#include "report/figure/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "report/figure/plot.h"

/* What each figure shows. */
static const struct {
    const char *name;
    const char *words, *unit; /* of the axis */
    size_t track;             /* of the frames, for coordinates */
    bool velocity;
} KINDS[CRM_MOTION_FIGURE_COUNT] = {
    [CRM_MOTION_FIGURE_ENERGY] = {.name = "energy", .words = "energy", .unit = "J"},
    [CRM_MOTION_FIGURE_POSITIONS] = {"positions", "position", "m", CRM_MOTION_FRAMES_TRANSLATION,
                                     false},
    [CRM_MOTION_FIGURE_ANGLES] = {"angles", "angle", "rad", CRM_MOTION_FRAMES_ROTATION, false},
    [CRM_MOTION_FIGURE_VELOCITIES] = {"velocities", "velocity", "m/s", CRM_MOTION_FRAMES_VELOCITY,
                                      true}};

const char *crm_motion_figure_name(crm_motion_figure plot)
{
    return KINDS[plot].name;
}

static const size_t *coordinates_of(crm_motion_figure plot, const crm_scene_subset *subset,
                                    size_t *count)
{
    switch (plot) {
    case CRM_MOTION_FIGURE_POSITIONS:
        *count = subset->translation_count;
        return subset->translations;
    case CRM_MOTION_FIGURE_ANGLES:
        *count = subset->rotation_count;
        return subset->rotations;
    default:
        *count = subset->velocity_count;
        return subset->velocities;
    }
}

bool crm_motion_figure_is_available(crm_motion_figure plot, const crm_scene_subset *subset)
{
    size_t count;
    coordinates_of(plot, subset, &count);
    return plot == CRM_MOTION_FIGURE_ENERGY || count > 0;
}

/* ---- Energies -------------------------------------------------------------------------------- */

static double largest_of(const crm_frames *frames, size_t series)
{
    double largest = 0;
    for (size_t row = 0; row < frames->count; row++) {
        largest = fmax(largest, fabs(crm_frames_series(frames, series, row)));
    }
    return largest;
}

/* Energies below this part of the largest are rounding. */
static const double ROUNDING = 1e-9;

static bool make_energy(crm_plot *p, const crm_frames *frames)
{
    static const struct {
        const char *name;
        size_t series;
    } curves[] = {{"kinetic", CRM_MOTION_FRAMES_KINETIC},
                  {"potential", CRM_MOTION_FRAMES_POTENTIAL},
                  {"lost (cumulative)", CRM_MOTION_FRAMES_LOST},
                  {"work (cumulative)", CRM_MOTION_FRAMES_WORK},
                  {"position correction (cumulative)", CRM_MOTION_FRAMES_CORRECTION}};
    enum { CURVES = sizeof curves / sizeof curves[0] };
    double largest = 0;
    for (size_t k = 0; k < CURVES; k++) {
        largest = fmax(largest, largest_of(frames, curves[k].series));
    }
    double factor = crm_figure_unit("energy", "J", largest, p->y_title, sizeof p->y_title);
    for (size_t k = 0; k < CURVES; k++) {
        if (largest_of(frames, curves[k].series) > ROUNDING * largest) {
            double *x, *y;
            crm_plot_place_points(p, frames, &x, &y);
            size_t count = crm_motion_frames_curve(frames, curves[k].series, CRM_PLOT_FINE, x, y);
            crm_plot_add_points(p, curves[k].name, count, x, y, factor);
        }
    }
    return true;
}

/* ---- Coordinates ----------------------------------------------------------------------------- */

static bool make_coordinates(crm_plot *p, crm_motion_figure plot, const crm_scene_def *scene,
                             const crm_scene_subset *subset, const crm_frames *frames)
{
    size_t count, track = KINDS[plot].track;
    const size_t *which = coordinates_of(plot, subset, &count);
    size_t shown = count < CRM_FIGURE_CURVES_MOST ? count : CRM_FIGURE_CURVES_MOST;
    double largest = fmax(fabs(frames->least[track]), fabs(frames->most[track]));
    double factor = crm_figure_unit(KINDS[plot].words, KINDS[plot].unit, largest, p->y_title,
                                    sizeof p->y_title);
    for (size_t i = 0; i < shown; i++) {
        size_t k = shown > 1 ? i * (count - 1) / (shown - 1) : 0;
        char name[CRM_COORDINATE_SIZE];
        crm_scene_name_at(scene, KINDS[plot].velocity, which[k], name, sizeof name);
        crm_plot_add_track(p, name, frames, track, k, factor);
    }
    return shown > 0;
}

bool crm_motion_figure_draw(crm_motion_figure plot, const crm_scene_def *scene,
                            const crm_scene_subset *subset, const crm_frames *frames,
                            const crm_figure_target *target, char *problem, size_t size)
{
    crm_plot *p = CRM_NEW(crm_plot, 1);
    snprintf(problem, size, "%s", crm_status_text(CRM_ERROR_MEMORY));
    if (p == NULL) {
        return false;
    }
    bool good = crm_plot_reserve_frames(p, frames);
    if (good) {
        crm_plot_set_times(p, frames, "s");
        good = plot == CRM_MOTION_FIGURE_ENERGY ? make_energy(p, frames)
                                                : make_coordinates(p, plot, scene, subset, frames);
    }
    good = crm_plot_draw(p, good, target, problem, size);
    free(p);
    return good;
}
