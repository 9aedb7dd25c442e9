/* Forces of the contacts of a window, and their effect. */
#include <string.h>

#include "law/lzb/extrapolation/kernel/kernel.h"
#include "law/lzb/extrapolation/window/block.h"
#include "law/lzb/state/power.h"

static inline double positive(double x)
{
    return x > 0 ? x : 0;
}

#define LOOPS "law/lzb/extrapolation/kernel/dynamics_loops.h"
#include "base/loops.h"
LOOP(force_linear);
LOOP(force_hertz);
LOOP(force_power);
LOOP(force_shifted);
LOOP(gather_impulse);
LOOP(kick_line);

/* ---- Forces, and their impulse -------------------------------------------------------------- */

void lzb_dynamics_part_forces(const lzb_window *w, lzb_part part, const double *x, double *force)
{
    size_t at = part.first;
    switch (w->fixed.kind) {
    case LZB_LINEAR:
        force_linear[w->width](part.blocks, w->fixed.stiffness + at, x + at, force + at);
        return;
    case LZB_HERTZ:
        force_hertz[w->width](part.blocks, w->fixed.stiffness + at, x + at, force + at);
        return;
    case LZB_POWER:
        if (w->fixed.hertz) {
            force_shifted[w->width](part.blocks, w->fixed.stiffness + at, w->fixed.offset + at,
                                    x + at, force + at);
            return;
        }
        force_power[w->width](part.blocks, w->fixed.stiffness + at, w->fixed.exponent + at,
                              w->fixed.offset + at, x + at, force + at);
    }
}

void lzb_dynamics_part_impulse(const lzb_window *w, lzb_part part, double h, const double *force,
                               double *p)
{
    gather_impulse[w->width](part.blocks, h, force + part.first, p + part.first);
}

/* ---- c -= h D force ------------------------------------------------------------------------- */

static void kick_sparse(const lzb_window *w, size_t first, size_t end, double h,
                        const double *restrict force, double *restrict c)
{
    const lzb_sparse d = w->coupling.sparse;
    for (size_t k = first; k < end; k++) {
        double sum = 0;
        for (size_t l = d.start[k]; l < d.end[k]; l++) {
            sum += d.value[l] * force[d.column[l]];
        }
        c[k] -= h * sum;
    }
}

void lzb_dynamics_part_kick(const lzb_window *w, lzb_part part, double h, const double *force,
                            double *c)
{
    size_t at = part.first;
    if (w->coupling.product == LZB_LINE) {
        kick_line[w->width](part.blocks, h, w->coupling.below + at, w->coupling.diagonal + at,
                            w->coupling.above + at, force + at, c + at);
    } else {
        kick_sparse(w, at, lzb_part_end(w, part), h, force, c);
    }
}

void lzb_dynamics_part_accelerate(const lzb_window *w, lzb_part part, const double *force,
                                  double *a)
{
    memset(a + part.first, 0, part.blocks * LZB_BLOCK * sizeof *a);
    lzb_dynamics_part_kick(w, part, 1.0, force, a);
}

/* ---- What presses from outside --------------------------------------------------------------- */

static double depth_of_source(const lzb_drive_source *s, double t)
{
    const double *q = s->polynomial;
    double x =
        q[0] +
        t * (q[1] + t * (q[2] + t * (q[3] + t * (q[4] + t * (q[5] + t * (q[6] + t * q[7]))))));
    return x + s->offset;
}

/* Per length of the enclosing step. */
static double speed_of_source(const lzb_drive_source *s, double t)
{
    const double *q = s->polynomial;
    return q[1] +
           t * (2 * q[2] +
                t * (3 * q[3] + t * (4 * q[4] + t * (5 * q[5] + t * (6 * q[6] + t * 7 * q[7])))));
}

void lzb_dynamics_kick_from_outside(const lzb_drive *drive, double h, double at, double *c)
{
    double t = (drive->begin + at) / drive->length;
    for (size_t i = 0; i < drive->sources; i++) {
        const lzb_drive_source *s = &drive->source[i];
        drive->force[i] = lzb_contact_force(s->stiffness, s->exponent, depth_of_source(s, t));
    }
    for (size_t i = 0; i < drive->links; i++) {
        const lzb_drive_link *link = &drive->link[i];
        c[link->place] -= h * link->d * drive->force[link->source];
    }
}

static double growth_of_source(const lzb_drive *drive, const lzb_drive_source *s, double t)
{
    double depth = depth_of_source(s, t);
    double force = lzb_contact_force(s->stiffness, s->exponent, depth);
    return depth > 0 ? s->exponent * force / depth * speed_of_source(s, t) / drive->length : 0;
}

/* The first link of a place or of a later one. */
static size_t first_link(const lzb_drive *drive, size_t place)
{
    size_t first = 0, end = drive->links;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (drive->link[middle].place < place) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

/* How fast D force grows there. */
static double growth_from_outside(const lzb_drive *drive, size_t place, double at)
{
    double t = (drive->begin + at) / drive->length, sum = 0;
    for (size_t i = first_link(drive, place); i < drive->links && drive->link[i].place == place;
         i++) {
        const lzb_drive_link *link = &drive->link[i];
        sum += link->d * growth_of_source(drive, &drive->source[link->source], t);
    }
    return sum;
}

/* ---- c'' ------------------------------------------------------------------------------------ */

/* How fast the force of a contact of the window grows. */
static double growth_of_force(const lzb_window *w, size_t i, bool at_end)
{
    double depth = w->fixed.offset[i] + (at_end ? w->trial.x[i] : w->trial.x0[i]);
    double force = at_end ? w->trial.f[i] : w->trial.f0[i],
           c = at_end ? w->trial.c[i] : w->trial.c0[i];
    return depth > 0 ? w->fixed.exponent[i] * force / depth * w->fixed.rate[i] * c : 0;
}

double lzb_dynamics_jerk(const lzb_window *w, size_t k, bool at_end, double length)
{
    const lzb_coupling *d = &w->coupling;
    double sum = 0;
    switch (d->product) {
    case LZB_LINE:
        sum = d->diagonal[k] * growth_of_force(w, k, at_end);
        sum += k > 0 ? d->below[k] * growth_of_force(w, k - 1, at_end) : 0;
        sum += k + 1 < w->count ? d->above[k] * growth_of_force(w, k + 1, at_end) : 0;
        break;
    case LZB_SPARSE:
        for (size_t l = d->sparse.start[k]; l < d->sparse.end[k]; l++) {
            sum += d->sparse.value[l] * growth_of_force(w, d->sparse.column[l], at_end);
        }
        break;
    case LZB_OPERATOR:
        return NAN;
    }
    sum += d->drive != NULL ? growth_from_outside(d->drive, k, at_end ? length : 0) : 0;
    return -sum;
}

/* ---- c' after the step ----------------------------------------------------------------------- */

/* How much the force of a contact of the window grows within a time t after the step. */
static double growth_ahead(const lzb_window *w, size_t i, double t)
{
    double way = w->fixed.rate[i] * t * (w->trial.c[i] + 0.5 * t * w->trial.a[i]);
    return lzb_contact_force(w->fixed.stiffness[i], w->fixed.exponent[i],
                             w->fixed.offset[i] + w->trial.x[i] + way) -
           w->trial.f[i];
}

double lzb_dynamics_acceleration_ahead(const lzb_window *w, size_t k, double t)
{
    const lzb_coupling *d = &w->coupling;
    double sum = 0;
    switch (d->product) {
    case LZB_LINE:
        sum = d->diagonal[k] * growth_ahead(w, k, t);
        sum += k > 0 ? d->below[k] * growth_ahead(w, k - 1, t) : 0;
        sum += k + 1 < w->count ? d->above[k] * growth_ahead(w, k + 1, t) : 0;
        break;
    case LZB_SPARSE:
        for (size_t l = d->sparse.start[k]; l < d->sparse.end[k]; l++) {
            sum += d->sparse.value[l] * growth_ahead(w, d->sparse.column[l], t);
        }
        break;
    case LZB_OPERATOR:
        break;
    }
    return w->trial.a[k] - sum;
}

/* ---- All of a window ------------------------------------------------------------------------ */

typedef struct action {
    const lzb_window *w;
    double h;
    const double *x;
    double *force;
    const double *given; /* forces that act */
    double *c, *p;
} action;

INLINE void forces_part(void *context, lzb_part part, void *found)
{
    const action *y = context;
    (void)found;
    lzb_dynamics_part_forces(y->w, part, y->x, y->force);
}

INLINE void impulse_part(void *context, lzb_part part, void *found)
{
    const action *y = context;
    (void)found;
    lzb_dynamics_part_impulse(y->w, part, y->h, y->given, y->p);
}

INLINE void kick_part(void *context, lzb_part part, void *found)
{
    const action *y = context;
    (void)found;
    lzb_dynamics_part_kick(y->w, part, y->h, y->given, y->c);
}

INLINE void accelerate_part(void *context, lzb_part part, void *found)
{
    const action *y = context;
    (void)found;
    lzb_dynamics_part_accelerate(y->w, part, y->given, y->c);
}

static crm_status kick_by_operator(const lzb_state *state, lzb_window *w, double h,
                                   const double *force, double *c, crm_error *error)
{
    double *product = w->coupling.spread;
    crm_status status = crm_model_delassus_apply(state->model, force, product, error);
    for (size_t k = 0; status == CRM_OK && k < w->count; k++) {
        c[k] -= h * product[k];
    }
    return status;
}

crm_status lzb_dynamics_kick(const lzb_state *state, lzb_window *w, double h, const double *force,
                             double *c, double *p, crm_error *error)
{
    action y = {.w = w, .h = h, .given = force, .c = c, .p = p};
    lzb_partition_do(w, impulse_part, NULL, &y, NULL);
    if (w->coupling.product == LZB_OPERATOR) {
        return kick_by_operator(state, w, h, force, c, error);
    }
    lzb_partition_do(w, kick_part, NULL, &y, NULL);
    return CRM_OK;
}

crm_status lzb_dynamics_accelerate(const lzb_state *state, lzb_window *w, const double *x,
                                   double at, double *force, double *a, crm_error *error)
{
    action y = {.w = w, .x = x, .force = force, .given = force, .c = a};
    lzb_partition_do(w, forces_part, NULL, &y, NULL);
    if (w->coupling.product == LZB_OPERATOR) {
        memset(a, 0, w->blocks * LZB_BLOCK * sizeof *a);
        return kick_by_operator(state, w, 1.0, force, a, error);
    }
    lzb_partition_do(w, accelerate_part, NULL, &y, NULL);
    if (w->coupling.drive != NULL) {
        lzb_dynamics_kick_from_outside(w->coupling.drive, 1.0, at, a);
    }
    return CRM_OK;
}
