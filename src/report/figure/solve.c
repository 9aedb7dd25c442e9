#include "report/figure/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

enum { MOST = CRM_FIGURE_CURVES_MOST, TITLE_SIZE = 96, NAME_SIZE = 2 * CRM_NAME_SIZE };

/* What a figure is made of, while it is made. */
typedef struct plot {
    const crm_report *report;
    const crm_film *film;
    crm_figure figure;
    crm_curve curves[MOST];
    char names[MOST][NAME_SIZE];
    char x_title[TITLE_SIZE], y_title[TITLE_SIZE], map_title[TITLE_SIZE];
    double *x, *y; /* of all curves; y of the map */
} plot;

const char *crm_plot_name(crm_plot which)
{
    static const char *const names[CRM_PLOT_COUNT] = {"velocities", "forces", "wave", "energy"};
    return names[which];
}

bool crm_plot_needs_course(crm_plot which)
{
    return which != CRM_PLOT_VELOCITIES;
}

static const char *unit_of(const plot *p, const char *unit)
{
    return p->report->generalized ? NULL : unit;
}

static bool take_memory(plot *p, size_t x, size_t y)
{
    p->x = CRM_NEW(double, x);
    p->y = CRM_NEW(double, y);
    return p->x != NULL && p->y != NULL;
}

static crm_curve *add_curve(plot *p, const char *label, size_t count, const double *x, double *y)
{
    size_t i = p->figure.curve_count++;
    snprintf(p->names[i], NAME_SIZE, "%s", label);
    p->curves[i] = (crm_curve){.label = p->names[i], .count = count, .x = x, .y = y, .line = true};
    return &p->curves[i];
}

/* ---- Velocities ----------------------------------------------------------------------------- */

/* One coordinate: its velocity; several: the speed of what is no spin. */
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

/* Marks of one body stand side by side, where there is room for marks. */
static void add_motion(plot *p, const char *label, const double *velocity)
{
    enum { MARKED_MOST = 40 };
    static const double ASIDE = 0.09;
    size_t bodies = crm_model_bodies(p->report->model), k = p->figure.curve_count;
    double *x = p->x + k * bodies, *y = p->y + k * bodies;
    crm_curve *curve = add_curve(p, label, bodies, x, y);
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
    if (!take_memory(p, bodies * MOST, bodies * MOST)) {
        return false;
    }
    add_motion(p, "before", r->velocity);
    for (size_t i = 0; i < r->count && p->figure.curve_count < MOST; i++) {
        if (r->entries[i].outcome != NULL) {
            add_motion(p, r->entries[i].label, r->entries[i].outcome->velocity);
        }
    }
    snprintf(p->x_title, TITLE_SIZE, r->generalized ? "coordinate" : "body");
    const char *unit = unit_of(p, "m/s");
    snprintf(p->y_title, TITLE_SIZE, "%s%s%s", single ? "velocity" : "speed",
             unit != NULL ? ", " : "", unit != NULL ? unit : "");
    p->figure.x = (crm_figure_axis){.low = 0.5, .high = (double)bodies + 0.5, .whole = true};
    return true;
}

/* ---- In time -------------------------------------------------------------------------------- */

static void put_times(plot *p)
{
    const crm_film *f = p->film;
    double factor =
        crm_figure_unit("time", unit_of(p, "s"), f->time[f->rows - 1], p->x_title, TITLE_SIZE);
    for (size_t row = 0; row < f->rows; row++) {
        p->x[row] = factor * f->time[row];
    }
    p->figure.x = (crm_figure_axis){.low = p->x[0], .high = p->x[f->rows - 1]};
}

static bool make_forces(plot *p)
{
    const crm_film *f = p->film;
    size_t contacts = f->def.tracks[CRM_SHOTS_FORCE].count,
           shown = contacts < MOST ? contacts : MOST;
    if (!take_memory(p, f->rows, f->rows * MOST)) {
        return false;
    }
    put_times(p);
    double factor = crm_figure_unit("force", unit_of(p, "N"), f->largest[CRM_SHOTS_FORCE],
                                    p->y_title, TITLE_SIZE);
    for (size_t i = 0; i < shown; i++) {
        size_t j = shown > 1 ? i * (contacts - 1) / (shown - 1) : 0;
        char name[NAME_SIZE];
        crm_contact_name(p->report->model, p->report->extract->contacts[j], name, sizeof name);
        double *y = p->y + i * f->rows;
        for (size_t row = 0; row < f->rows; row++) {
            y[row] = factor * crm_film_at(f, CRM_SHOTS_FORCE, row)[j];
        }
        add_curve(p, name, f->rows, p->x, y);
    }
    return true;
}

static bool make_energy(plot *p)
{
    const crm_film *f = p->film;
    size_t rows = f->rows;
    if (!take_memory(p, rows, 3 * rows)) {
        return false;
    }
    put_times(p);
    double all = crm_film_series(f, CRM_SHOTS_KINETIC, 0) + crm_film_series(f, CRM_SHOTS_STORED, 0);
    double factor = crm_figure_unit("energy", unit_of(p, "J"), all, p->y_title, TITLE_SIZE);
    for (size_t row = 0; row < rows; row++) {
        double kinetic = crm_film_series(f, CRM_SHOTS_KINETIC, row);
        double stored = crm_film_series(f, CRM_SHOTS_STORED, row);
        p->y[row] = factor * kinetic;
        p->y[rows + row] = factor * stored;
        p->y[2 * rows + row] = factor * (all - kinetic - stored);
    }
    add_curve(p, "kinetic", rows, p->x, p->y);
    add_curve(p, "stored", rows, p->x, p->y + rows);
    add_curve(p, "lost", rows, p->x, p->y + 2 * rows);
    return true;
}

/* The largest of each cell: contacts and instants that share it. */
static bool make_wave(plot *p)
{
    enum { CELLS = 300 };
    const crm_film *f = p->film;
    size_t contacts = f->def.tracks[CRM_SHOTS_FORCE].count,
           rows = contacts < CELLS ? contacts : CELLS;
    if (!take_memory(p, f->rows, CELLS * rows)) {
        return false;
    }
    put_times(p);
    double last = f->time[f->rows - 1];
    double factor = crm_figure_unit("stored energy", unit_of(p, "J"), f->largest[CRM_SHOTS_ENERGY],
                                    p->map_title, TITLE_SIZE);
    for (size_t column = 0, row = 0; column < CELLS; column++) {
        double end = last * (double)(column + 1) / CELLS;
        for (;; row++) {
            const double *energy = crm_film_at(f, CRM_SHOTS_ENERGY, row);
            for (size_t j = 0; j < contacts; j++) {
                double *cell = &p->y[j * rows / contacts * CELLS + column];
                *cell = fmax(*cell, factor * energy[j]);
            }
            if (row + 1 >= f->rows || f->time[row + 1] >= end) {
                break;
            }
        }
    }
    snprintf(p->y_title, TITLE_SIZE, "contact");
    p->figure.y = (crm_figure_axis){.low = 0.5, .high = (double)contacts + 0.5, .whole = true};
    p->figure.map = (crm_figure_map){.columns = CELLS,
                                     .rows = rows,
                                     .values = p->y,
                                     .high = factor * f->largest[CRM_SHOTS_ENERGY],
                                     .title = p->map_title};
    return true;
}

bool crm_plot_solve(crm_plot which, const crm_report *report, const crm_film *film,
                    const crm_figure_target *target, char *problem, size_t size)
{
    static bool (*const make[CRM_PLOT_COUNT])(plot *) = {make_velocities, make_forces, make_wave,
                                                         make_energy};
    plot *p = CRM_NEW(plot, 1);
    snprintf(problem, size, "%s", crm_status_text(CRM_ERROR_MEMORY));
    if (p == NULL) {
        return false;
    }
    p->report = report;
    p->film = film;
    bool good = make[which](p);
    p->figure.x.title = p->x_title;
    p->figure.y.title = p->y_title;
    p->figure.curves = p->curves;
    good = good && crm_figure_draw(&p->figure, target->tools, target->format, target->sink,
                                   target->context, problem, size);
    free(p->x);
    free(p->y);
    free(p);
    return good;
}
