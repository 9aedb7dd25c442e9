#include "law/lzb/kernel/kinks.h"

#include <string.h>

#include "law/lzb/window/block.h"

lzb_kinks lzb_kinks_of(const lzb_window *w)
{
    size_t width = w->blocks * LZB_BLOCK;
    double *room = lzb_window_row(w, LZB_KINKS_ROWS);
    return (lzb_kinks){.held = room,
                       .peak = room + width,
                       .released = room + 2 * width,
                       .turns = room + 3 * width,
                       .counted = room + 4 * width,
                       .returns = room + 5 * width};
}

/* ---- One substep ---------------------------------------------------------------------------- */

/* The indentation at its end, with the force as it was at its start. */
INLINE double moved(double h, double returns, double a, double c0, double x)
{
    double c1 = c0 + h * a, mean = 0.5 * (c0 + c1);
    double most = c0 > c1 ? c0 : c1, least = c0 > c1 ? c1 : c0;
    double range = most > 0 && least < 0 ? most - least : 1.0;
    double closing = 0.5 * most * most / range; /* mean of the part of c above 0 */
    closing = least >= 0 ? mean : most > 0 ? closing : 0.0;
    double in = h * closing, out = h * returns * (mean - closing);
    double after = x + in + out, before = x + out;
    after = after > 0 ? after : 0;
    before = (before > 0 ? before : 0) + in;
    return c0 > 0 ? after : before;
}

/* The commonest case in fewer passes: a line of contacts with linear or Hertz' law. */

INLINE void move_line(size_t count, lzb_kind kind, double h, const double *restrict returns,
                      const double *restrict stiffness, const double *restrict a,
                      const double *restrict c, double *restrict x, double *restrict force)
{
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        double q = moved(h, returns[k], a[k], c[k], x[k]);
        x[k] = q;
        force[k] = stiffness[k] * (kind == LZB_LINEAR ? q : q * __builtin_sqrt(q));
    }
}

#define LOOPS "law/lzb/kernel/kinks_loops.h"
#include "base/loops.h"
LOOP(move);
LOOP(kick);
LOOP(move_line_linear);
LOOP(move_line_hertz);
LOOP(kick_line);
LOOP(keep_account);

/* ---- One row of the tableau ----------------------------------------------------------------- */

/* What a substep works on; f0 and f1 change places after each. */
typedef struct pass {
    double *x, *c, *p; /* a row of the tableau */
    double *a, *f0, *f1;
} pass;

static pass start_row(lzb_window *w, unsigned row)
{
    size_t width = w->blocks * LZB_BLOCK, size = width * sizeof *w->trial.x;
    double *x = lzb_window_row(w, row);
    pass y = {.x = x,
              .c = x + width,
              .p = x + 2 * width,
              .a = w->trial.a,
              .f0 = w->tableau.force,
              .f1 = w->tableau.force + w->tableau.bordered};
    memcpy(y.x, w->trial.x0, size);
    memcpy(y.c, w->trial.c0, size);
    memset(y.p, 0, size);
    memcpy(y.a, w->trial.a0, size);
    memcpy(y.f0, w->trial.f0, size);
    return y;
}

/* One substep of a row; `to`: where to keep account, NULL but in the finest row. */
typedef struct substep {
    lzb_window *w;
    const pass *y;
    double h;
    const double *returns;
    const lzb_kinks *to;
} substep;

static void note_start(const substep *t, size_t first, size_t count)
{
    if (t->to != NULL) {
        memcpy(t->w->trial.x + first, t->y->x + first, count * sizeof *t->w->trial.x);
        memcpy(t->w->trial.c + first, t->y->c + first, count * sizeof *t->w->trial.c);
    }
}

static void note_end(const substep *t, size_t first, size_t count)
{
    if (t->to != NULL) {
        const lzb_kinks *to = t->to;
        const lzb_kinks here = {.held = to->held + first,
                                .peak = to->peak + first,
                                .released = to->released + first,
                                .turns = to->turns + first,
                                .counted = to->counted + first,
                                .returns = to->returns + first};
        const pass *y = t->y;
        keep_account[t->w->width](count, t->h, t->w->trial.x + first, y->x + first,
                                  t->w->trial.c + first, y->c + first, y->f0 + first, y->f1 + first,
                                  here);
    }
}

/* Only the products with D look beyond a part. */
static void move_part(void *context, lzb_part part, void *found)
{
    const substep *t = context;
    const pass *y = t->y;
    size_t at = part.first, count = part.blocks * LZB_BLOCK;
    (void)found;
    note_start(t, at, count);
    move[t->w->width](count, t->h, t->returns + at, y->a + at, y->c + at, y->x + at);
    lzb_dynamics_part_forces(t->w, part, y->x, y->f1);
}

static void kick_part(void *context, lzb_part part, void *found)
{
    const substep *t = context;
    const pass *y = t->y;
    size_t at = part.first, count = part.blocks * LZB_BLOCK;
    double *a1 = t->w->trial.correction;
    (void)found;
    lzb_dynamics_part_accelerate(t->w, part, y->f1, a1);
    kick[t->w->width](count, t->h, a1 + at, y->f0 + at, y->f1 + at, y->a + at, y->c + at,
                      y->p + at);
    note_end(t, at, count);
}

static void make_substep_on_line(const substep *t)
{
    const lzb_window *w = t->w;
    const lzb_coupling *d = &w->coupling;
    const pass *y = t->y;
    size_t width = w->blocks * LZB_BLOCK;
    note_start(t, 0, width);
    (w->fixed.kind == LZB_HERTZ ? move_line_hertz : move_line_linear)[w->width](
        width, t->h, t->returns, w->fixed.stiffness, y->a, y->c, y->x, y->f1);
    kick_line[w->width](width, t->h, d->below, d->diagonal, d->above, y->f0, y->f1, y->a, y->c,
                        y->p);
    note_end(t, 0, width);
}

static void make_substep(substep *t)
{
    const lzb_window *w = t->w;
    if (w->coupling.product == LZB_LINE && w->fixed.kind != LZB_POWER &&
        !lzb_partition_is_divided(w)) {
        make_substep_on_line(t);
        return;
    }
    lzb_partition_do(w, move_part, NULL, t, NULL);
    lzb_partition_do(w, kick_part, NULL, t, NULL);
}

void lzb_kinks_row(lzb_window *w, unsigned row, unsigned substeps, double length, bool counting)
{
    lzb_kinks to = lzb_kinks_of(w);
    pass y = start_row(w, row);
    substep t = {.w = w,
                 .y = &y,
                 .h = length / substeps,
                 .returns = to.returns,
                 .to = counting ? &to : NULL};
    for (unsigned i = 0; i < substeps; i++) {
        make_substep(&t);
        double *swap = y.f0;
        y.f0 = y.f1;
        y.f1 = swap;
    }
}
