#include "law/lzb/kernel/parts.h"

#include <string.h>

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

void lzb_part_accelerate(const lzb_window *w, lzb_part part, const double *force, double *a)
{
    memset(a + part.first, 0, part.blocks * LZB_BLOCK * sizeof *a);
    lzb_part_kick(w, part, 1.0, force, a);
}

static void acceleration_part(void *context, size_t index)
{
    motion *m = context;
    lzb_part_accelerate(m->w, lzb_part_at(m->w, index), m->force, m->c);
}

void lzb_parts_accelerate(lzb_window *w, const double *x, double *force, double *a)
{
    motion m = {.w = w, .x = x, .force = force, .c = a};
    if (x != NULL) {
        lzb_parts_run(w, forces_part, &m);
    }
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

/* ---- Extrapolation -------------------------------------------------------------------------- */

_Static_assert(sizeof(lzb_worst_errors) <= LZB_TALLY, "a tally has its size");

static double count_errors(lzb_extrapolation *e, lzb_part part, unsigned row)
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

void lzb_part_extrapolate_rows(lzb_extrapolation *e, size_t index)
{
    lzb_worst_errors *tally = lzb_part_tally(e->w, index);
    lzb_part part = lzb_part_at(e->w, index);
    for (unsigned row = e->first; row <= e->last; row++) {
        lzb_part_extrapolate(e->w, part, row, e->speed, e->tolerance);
        tally->row[row] = row > 0 ? count_errors(e, part, row) : 0;
    }
}

void lzb_parts_note_errors(const lzb_extrapolation *e, lzb_row_errors *errors)
{
    for (unsigned row = e->first; row <= e->last; row++) {
        errors->worst[row] = 0;
        for (size_t i = 0; i < e->w->parts; i++) {
            const lzb_worst_errors *tally = lzb_part_tally(e->w, i);
            errors->worst[row] = fmax(errors->worst[row], tally->row[row]);
        }
        for (size_t bin = 0; bin < LZB_BINS; bin++) {
            errors->counts[row][bin] = atomic_load(&e->counts[row][bin]);
        }
    }
}

static void extrapolate_part(void *context, size_t index)
{
    lzb_part_extrapolate_rows(context, index);
}

void lzb_parts_extrapolate(lzb_window *w, unsigned row, double speed, double tolerance)
{
    lzb_extrapolation e = {
        .w = w, .first = row, .last = row, .speed = speed, .tolerance = tolerance};
    lzb_parts_run(w, extrapolate_part, &e);
}
