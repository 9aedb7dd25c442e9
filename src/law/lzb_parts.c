#include "law/lzb_parts.h"

#include <stdatomic.h>
#include <string.h>

/* ---- The leapfrog --------------------------------------------------------------------------- */

typedef struct leapfrog {
    lzb_window *w;
    double h[LZB_ROWS];
    unsigned first, last;
    unsigned substep;
    double *force, *next; /* of each row, w->bordered apart */
} leapfrog;

static void start_part(void *context, size_t index)
{
    leapfrog *l = context;
    lzb_window *w = l->w;
    lzb_part part = lzb_part_at(w, index);
    size_t size = part.blocks * LZB_BLOCK * sizeof *w->c0;
    memcpy(w->low + part.first, w->c0 + part.first, size);
    memcpy(w->high + part.first, w->c0 + part.first, size);
    for (unsigned row = l->first; row <= l->last; row++) {
        lzb_part_start(w, part, 0.5 * l->h[row], row);
        lzb_part_forces(w, part, lzb_window_row(w, row), l->next + row * w->bordered);
    }
}

/* Only the products with D look beyond the part. The forces of the next substep go where nobody
 * reads those of this one, so that one meeting per substep is enough.
 */
static void substep_part(void *context, size_t index)
{
    leapfrog *l = context;
    lzb_window *w = l->w;
    lzb_part part = lzb_part_at(w, index);
    for (unsigned row = l->substep > l->first ? l->substep : l->first; row <= l->last; row++) {
        bool more = l->substep < row; /* row r makes r + 1 substeps */
        size_t at = row * w->bordered;
        lzb_part_substep(w, part, l->h[row], more ? l->h[row] : 0.5 * l->h[row], row,
                         l->force + at);
        if (more) {
            lzb_part_forces(w, part, lzb_window_row(w, row), l->next + at);
        }
    }
}

void lzb_parts_leapfrog(lzb_window *w, double length, unsigned first, unsigned last)
{
    leapfrog l = {.w = w, .first = first, .last = last, .next = w->force, .force = w->other_force};
    for (unsigned row = first; row <= last; row++) {
        l.h[row] = length / (row + 1);
    }
    lzb_parts_run(w, start_part, &l);
    for (l.substep = 0; l.substep <= last; l.substep++) {
        double *made = l.next;
        l.next = l.force;
        l.force = made;
        lzb_parts_run(w, substep_part, &l);
    }
}

/* ---- Forces, accelerations, kicks ----------------------------------------------------------- */

typedef struct motion {
    lzb_window *w;
    double h;
    const double *x;
    double *force;
    const double *given; /* forces that act */
    double *c, *p;
} motion;

static void forces_part(void *context, size_t index)
{
    motion *m = context;
    lzb_part_forces(m->w, lzb_part_at(m->w, index), m->x, m->force);
}

static void acceleration_part(void *context, size_t index)
{
    motion *m = context;
    lzb_part part = lzb_part_at(m->w, index);
    memset(m->c + part.first, 0, part.blocks * LZB_BLOCK * sizeof *m->c);
    lzb_part_kick(m->w, part, 1.0, m->force, m->c);
}

void lzb_parts_accelerate(lzb_window *w, const double *x, double *force, double *a)
{
    motion m = {.w = w, .x = x, .force = force, .c = a};
    lzb_parts_run(w, forces_part, &m);
    lzb_parts_run(w, acceleration_part, &m);
}

static void kick_part(void *context, size_t index)
{
    motion *m = context;
    lzb_part part = lzb_part_at(m->w, index);
    lzb_part_gather_impulse(part, m->h, m->given, m->p);
    lzb_part_kick(m->w, part, m->h, m->given, m->c);
}

void lzb_parts_kick(lzb_window *w, double h, const double *force, double *c, double *p)
{
    motion m = {.w = w, .h = h, .given = force, .c = c, .p = p};
    lzb_parts_run(w, kick_part, &m);
}

static void result_part(void *context, size_t index)
{
    motion *m = context;
    lzb_window *w = m->w;
    lzb_part part = lzb_part_at(w, index);
    size_t width = w->blocks * LZB_BLOCK, size = part.blocks * LZB_BLOCK * sizeof *w->x;
    const double *x = lzb_window_row(w, 0) + part.first;
    memcpy(w->x + part.first, x, size);
    memcpy(w->c + part.first, x + width, size);
    memcpy(w->p + part.first, x + 2 * width, size);
    lzb_part_forces(w, part, w->x, w->f);
}

void lzb_parts_take_result(lzb_window *w)
{
    motion m = {.w = w, .force = w->f, .c = w->a};
    lzb_parts_run(w, result_part, &m);
    lzb_parts_run(w, acceleration_part, &m);
}

/* ---- Extrapolation -------------------------------------------------------------------------- */

typedef struct extrapolation {
    lzb_window *w;
    unsigned first, last;
    double speed, tolerance;
    atomic_size_t counts[LZB_ROWS][LZB_BINS]; /* whole numbers: added up in any order */
} extrapolation;

typedef struct errors_tally {
    double worst[LZB_ROWS];
} errors_tally;

_Static_assert(sizeof(errors_tally) <= LZB_TALLY, "a tally has its size");

static double count_errors(extrapolation *e, lzb_part part, unsigned row)
{
    const double *error = e->w->error;
    uint16_t counts[LZB_BINS] = {0};
    double worst = 0;
    for (size_t k = part.first; k < lzb_part_end(e->w, part); k++) {
        counts[lzb_error_bin(error[k])]++;
        worst = !(error[k] < INFINITY) ? INFINITY : error[k] > worst ? error[k] : worst;
    }
    for (size_t bin = 0; bin < LZB_BINS; bin++) {
        if (counts[bin] > 0) {
            atomic_fetch_add_explicit(&e->counts[row][bin], counts[bin], memory_order_relaxed);
        }
    }
    return worst;
}

static void extrapolate_part(void *context, size_t index)
{
    extrapolation *e = context;
    errors_tally *tally = lzb_part_tally(e->w, index);
    lzb_part part = lzb_part_at(e->w, index);
    for (unsigned row = e->first; row <= e->last; row++) {
        lzb_part_extrapolate(e->w, part, row, e->speed, e->tolerance);
        tally->worst[row] = row > 0 ? count_errors(e, part, row) : 0;
    }
}

void lzb_parts_extrapolate(lzb_window *w, unsigned first, unsigned last, double speed,
                           double tolerance, lzb_row_errors *errors)
{
    extrapolation e = {
        .w = w, .first = first, .last = last, .speed = speed, .tolerance = tolerance};
    lzb_parts_run(w, extrapolate_part, &e);
    for (unsigned row = first; row <= last; row++) {
        errors->worst[row] = 0;
        for (size_t i = 0; i < w->parts; i++) {
            const errors_tally *tally = lzb_part_tally(w, i);
            errors->worst[row] = fmax(errors->worst[row], tally->worst[row]);
        }
        for (size_t bin = 0; bin < LZB_BINS; bin++) {
            errors->counts[row][bin] = atomic_load(&e.counts[row][bin]);
        }
    }
}
