#include "report/figure/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "report/figure/plot.h"

enum {
    MOST = CRM_FIGURE_CURVES_MOST,
    TITLE_SIZE = CRM_PLOT_TITLE_SIZE,
    NAME_SIZE = CRM_PLOT_NAME_SIZE
};

typedef struct plot {
    const crm_report *report;
    const crm_frames *frames;
    crm_plot made;
} plot;

const char *crm_solve_figure_name(crm_solve_figure which)
{
    static const char *const names[CRM_SOLVE_FIGURE_COUNT] = {"velocities", "forces", "wave",
                                                              "energy"};
    return names[which];
}

bool crm_solve_figure_needs_frames(crm_solve_figure which)
{
    return which != CRM_SOLVE_FIGURE_VELOCITIES;
}

static const char *unit_of(const plot *p, const char *unit)
{
    return p->report->generalized ? NULL : crm_field_unit(p->report->model, unit);
}

/* ---- Velocities ------------------------------------------------------------------------------ */

/* One coordinate: its velocity; several: the speed of its centre. */
static double motion_of(const crm_model *model, size_t body, const double *velocity)
{
    size_t start = crm_model_body_start(model, body), end = crm_model_body_start(model, body + 1);
    double square = 0;
    if (end - start == 1) {
        return velocity[start];
    }
    for (size_t k = start; k < end; k++) {
        square += crm_model_is_angle(model, k) ? 0 : velocity[k] * velocity[k];
    }
    return sqrt(square);
}

/* The marks of one body side by side, where there is room for marks. */
static void add_motion(plot *p, const char *label, const double *velocity)
{
    enum { MARKED_MOST = 40 };
    static const double ASIDE = 0.09;
    size_t bodies = crm_model_bodies(p->report->model), k = p->made.figure.curve_count;
    double *x = p->made.x + k * bodies, *y = p->made.y + k * bodies;
    crm_curve *curve = crm_plot_add_curve(&p->made, label, bodies, x, y);
    curve->marks = bodies <= MARKED_MOST;
    curve->line = !curve->marks;
    double aside = curve->marks ? ASIDE * ((double)k - 0.5 * (double)p->report->count) : 0;
    for (size_t i = 0; i < bodies; i++) {
        x[i] = (double)(i + 1) + aside;
        y[i] = motion_of(p->report->model, i, velocity);
    }
}

static bool make_velocities(plot *p)
{
    const crm_report *r = p->report;
    size_t bodies = crm_model_bodies(r->model);
    bool single = crm_model_coordinates(r->model) == bodies;
    if (!crm_plot_reserve(&p->made, bodies * MOST, bodies * MOST)) {
        return false;
    }
    add_motion(p, "before", r->velocity);
    for (size_t i = 0; i < r->count && p->made.figure.curve_count < MOST; i++) {
        if (r->entries[i].outcome != NULL) {
            add_motion(p, r->entries[i].label, r->entries[i].outcome->velocity);
        }
    }
    snprintf(p->made.x_title, TITLE_SIZE, r->generalized ? "coordinate" : "body");
    const char *unit = unit_of(p, "m/s");
    snprintf(p->made.y_title, TITLE_SIZE, "%s%s%s", single ? "velocity" : "speed",
             unit != NULL ? ", " : "", unit != NULL ? unit : "");
    p->made.figure.x = (crm_figure_axis){.low = 0.5, .high = (double)bodies + 0.5, .whole = true};
    return true;
}

/* ---- In time --------------------------------------------------------------------------------- */

static void put_times(plot *p)
{
    crm_plot_set_times(&p->made, p->frames, unit_of(p, "s"));
}

static bool make_forces(plot *p)
{
    const crm_frames *f = p->frames;
    size_t contacts = f->def.tracks[CRM_IMPACT_FRAMES_FORCE].count,
           shown = contacts < MOST ? contacts : MOST;
    if (!crm_plot_reserve_frames(&p->made, f)) {
        return false;
    }
    put_times(p);
    double factor =
        crm_figure_unit("force", unit_of(p, "N"), crm_frames_span(f, CRM_IMPACT_FRAMES_FORCE),
                        p->made.y_title, TITLE_SIZE);
    for (size_t i = 0; i < shown; i++) {
        size_t j = shown > 1 ? i * (contacts - 1) / (shown - 1) : 0;
        char name[NAME_SIZE];
        crm_contact_name(p->report->model, p->report->subset->contacts[j], name, sizeof name);
        crm_plot_add_track(&p->made, name, f, CRM_IMPACT_FRAMES_FORCE, j, factor);
    }
    return true;
}

static bool make_energy(plot *p)
{
    const crm_frames *f = p->frames;
    size_t rows = f->count;
    if (!crm_plot_reserve(&p->made, rows, 3 * rows)) {
        return false;
    }
    put_times(p);
    double all = crm_frames_series(f, CRM_IMPACT_FRAMES_KINETIC, 0) +
                 crm_frames_series(f, CRM_IMPACT_FRAMES_STORED, 0);
    double factor = crm_figure_unit("energy", unit_of(p, "J"), all, p->made.y_title, TITLE_SIZE);
    for (size_t row = 0; row < rows; row++) {
        double kinetic = crm_frames_series(f, CRM_IMPACT_FRAMES_KINETIC, row);
        double stored = crm_frames_series(f, CRM_IMPACT_FRAMES_STORED, row);
        p->made.y[row] = factor * kinetic;
        p->made.y[rows + row] = factor * stored;
        p->made.y[2 * rows + row] = factor * (all - kinetic - stored);
    }
    crm_plot_add_curve(&p->made, "kinetic", rows, p->made.x, p->made.y);
    crm_plot_add_curve(&p->made, "stored", rows, p->made.x, p->made.y + rows);
    crm_plot_add_curve(&p->made, "lost", rows, p->made.x, p->made.y + 2 * rows);
    return true;
}

/* A cell shows the largest force of the contacts and frames that share it. */
static bool make_wave(plot *p)
{
    enum { CELLS = 300 };
    const crm_frames *f = p->frames;
    size_t contacts = f->def.tracks[CRM_IMPACT_FRAMES_FORCE].count,
           rows = contacts < CELLS ? contacts : CELLS;
    if (!crm_plot_reserve(&p->made, f->count, CELLS * rows)) {
        return false;
    }
    put_times(p);
    double last = f->time[f->count - 1];
    double factor = crm_figure_unit("stored energy", unit_of(p, "J"),
                                    crm_frames_span(f, CRM_IMPACT_FRAMES_ENERGY), p->made.map_title,
                                    TITLE_SIZE);
    for (size_t column = 0, row = 0; column < CELLS; column++) {
        double end = last * (double)(column + 1) / CELLS;
        for (;; row++) {
            const double *energy = crm_frames_values(f, CRM_IMPACT_FRAMES_ENERGY, row);
            for (size_t j = 0; j < contacts; j++) {
                double *cell = &p->made.y[j * rows / contacts * CELLS + column];
                *cell = fmax(*cell, factor * energy[j]);
            }
            if (row + 1 >= f->count || f->time[row + 1] >= end) {
                break;
            }
        }
    }
    snprintf(p->made.y_title, TITLE_SIZE, "contact");
    p->made.figure.y = (crm_figure_axis){.low = 0.5, .high = (double)contacts + 0.5, .whole = true};
    p->made.figure.map =
        (crm_figure_map){.columns = CELLS,
                         .rows = rows,
                         .values = p->made.y,
                         .high = factor * crm_frames_span(f, CRM_IMPACT_FRAMES_ENERGY),
                         .title = p->made.map_title};
    return true;
}

bool crm_solve_figure_draw(crm_solve_figure which, const crm_report *report,
                           const crm_frames *frames, const crm_figure_target *target, char *problem,
                           size_t size)
{
    static bool (*const make[CRM_SOLVE_FIGURE_COUNT])(plot *) = {make_velocities, make_forces,
                                                                 make_wave, make_energy};
    plot *p = CRM_NEW(plot, 1);
    snprintf(problem, size, "%s", crm_status_text(CRM_ERROR_MEMORY));
    if (p == NULL) {
        return false;
    }
    p->report = report;
    p->frames = frames;
    bool good = crm_plot_draw(&p->made, make[which](p), target, problem, size);
    free(p);
    return good;
}
