#include "law/lzb/capturing/kernel/substep.h"

#include <string.h>

#include "law/lzb/capturing/kernel/mono.h"
#include "law/lzb/extrapolation/window/block.h"

/* Behind the rows that substeps fill. */
lzb_account lzb_account_of(const lzb_window *w, bool mono)
{
    size_t width = w->blocks * LZB_BLOCK;
    double *room = lzb_window_row(w, LZB_SUBSTEPS_ROWS);
    return (lzb_account){.held = room,
                         .peak = room + width,
                         .released = room + 2 * width,
                         .turns = room + 3 * width,
                         .counted = room + 4 * width,
                         .returns = room + 5 * width,
                         .mono = mono,
                         .release_fraction = room + 6 * width,
                         .start = room + 7 * width,
                         .out = room + 8 * width,
                         .margin = room + 9 * width,
                         .earlier = room + 10 * width,
                         .rise = room + 11 * width,
                         .release_depth = room + 12 * width};
}

_Static_assert(3 * LZB_SUBSTEPS_ROWS + 12 + LZB_SUBSTEPS_ROWS <= 3 * LZB_ROWS,
               "the tableau has room");

/* ---- One substep ---------------------------------------------------------------------------- */

/* The indentation at its end, with the force as it was at its start. */
INLINE double moved(double h, double returns, double a, double c0, double x)
{
    double c1 = c0 + h * a, mean = 0.5 * (c0 + c1);
    double most = c0 > c1 ? c0 : c1, least = c0 > c1 ? c1 : c0;
    double range = most > 0 && least < 0 ? most - least : 1.0;
    double closing = 0.5 * most * most / range; /* mean of the part of c above 0 */
    closing = least >= 0 ? mean : most > 0 ? closing : 0.0;
    double opening = mean - closing < 0 ? mean - closing : 0; /* rounding may be above */
    double in = h * closing, out = h * returns * opening;
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

/* What happened to each contact, x0 and c0 being those before the substep. */
INLINE void account(size_t count, double h, const double *restrict x0, const double *restrict x,
                    const double *restrict c0, const double *restrict c, const double *restrict f0,
                    const double *restrict f1, const lzb_account to)
{
    double *restrict held = to.held, *restrict peak = to.peak, *restrict released = to.released,
                     *restrict turns = to.turns;
    const double *restrict counted = to.counted, *restrict returns = to.returns;
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        /* going down all the substep long, or from the peak that the closing speed leads to */
        double top = c[k] < 0 && c0[k] > 0 ? 0.5 * h * c0[k] * c0[k] / (c0[k] - c[k]) : 0.0;
        double highest = x0[k] + top;
        double fall = highest > x[k] ? highest - x[k] : 0;
        /* the part of the substep after closing, or before opening */
        double way = -0.5 * h * returns[k] * (c0[k] + c[k]);
        double before = way > x0[k] ? x0[k] : 1.0, of_way = way > x0[k] ? way : 1.0;
        double after = c0[k] < 0 ? c[k] : 1.0, of_change = c0[k] < 0 ? c[k] - c0[k] : 1.0;
        double opens = x0[k] > 0 ? before / of_way : 0.0;
        double closes = x0[k] > 0 || !(c[k] > 0) ? 1.0 : after / of_change;
        held[k] += h * (x[k] > 0 ? closes : opens);
        highest = highest > x[k] ? highest : x[k];
        peak[k] = peak[k] > highest ? peak[k] : highest;
        released[k] += c[k] < 0 || c0[k] < 0 ? 0.5 * (f0[k] + f1[k]) * fall : 0.0;
        turns[k] += c0[k] > 0 && c[k] <= 0 && highest > counted[k] ? 1.0 : 0.0;
    }
}

#define LOOPS "law/lzb/capturing/kernel/substep_loops.h"
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

/* One substep of a row. */
typedef struct substep {
    lzb_window *w;
    const pass *y;
    double h;
    const lzb_account *to;
    bool counting; /* account is kept, in the finest row */
    bool plain;    /* the commonest case, in fewer passes */
    lzb_mono mono;
    bool releases; /* some contact is released in it */
} substep;

static void note_start(const substep *t, size_t first, size_t count)
{
    if (t->counting) {
        memcpy(t->w->trial.x + first, t->y->x + first, count * sizeof *t->w->trial.x);
        memcpy(t->w->trial.c + first, t->y->c + first, count * sizeof *t->w->trial.c);
    }
}

static void note_end(const substep *t, size_t first, size_t count)
{
    if (t->counting) {
        const lzb_account *to = t->to;
        const lzb_account here = {.held = to->held + first,
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
    move[t->w->width](count, t->h, t->to->returns + at, y->a + at, y->c + at, y->x + at);
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
    if (t->releases) {
        lzb_mono_kick(t->w, part, &t->mono, y->c, y->p);
    }
    if (!t->to->mono) {
        note_end(t, at, count);
    }
}

static void kick_on_line(const substep *t)
{
    const lzb_coupling *d = &t->w->coupling;
    const pass *y = t->y;
    kick_line[t->w->width](t->w->blocks * LZB_BLOCK, t->h, d->below, d->diagonal, d->above, y->f0,
                           y->f1, y->a, y->c, y->p);
}

static void make_substep_on_line(const substep *t)
{
    const lzb_window *w = t->w;
    const pass *y = t->y;
    size_t width = w->blocks * LZB_BLOCK;
    note_start(t, 0, width);
    (w->fixed.kind == LZB_HERTZ ? move_line_hertz : move_line_linear)[w->width](
        width, t->h, t->to->returns, w->fixed.stiffness, y->a, y->c, y->x, y->f1);
    kick_on_line(t);
    note_end(t, 0, width);
}

/* ---- Mono-stiffness -------------------------------------------------------------------------- */

static void move_mono_part(void *context, lzb_part part, void *found)
{
    const substep *t = context;
    const pass *y = t->y;
    if (t->releases) {
        lzb_mono_clear(part, &t->mono);
    }
    *(bool *)found = lzb_mono_move(t->w, part, &t->mono, t->h, y->a, y->c, y->f0, y->x);
}

static void join_releases(void *total, const void *found)
{
    *(bool *)total |= *(const bool *)found;
}

static void forces_part(void *context, lzb_part part, void *found)
{
    const substep *t = context;
    (void)found;
    if (t->releases) {
        lzb_mono_correct(t->w, part, &t->mono, t->h, t->w->trial.correction, t->y->x);
    }
    lzb_dynamics_part_forces(t->w, part, t->y->x, t->y->f1);
}

/* The first substep of a row finds t->releases set. */
static void make_substep_mono(substep *t)
{
    const lzb_window *w = t->w;
    const pass *y = t->y;
    bool releases = false;
    lzb_partition_do(w, move_mono_part, join_releases, t, &releases);
    t->releases = releases;
    if (!t->plain) {
        lzb_partition_do(w, forces_part, NULL, t, NULL);
        lzb_partition_do(w, kick_part, NULL, t, NULL);
        return;
    }
    if (releases) {
        lzb_mono_correct_line(w, &t->mono, t->h, y->x, y->f1);
        lzb_mono_kick_line(w, &t->mono, t->h, y->f0, y->f1, y->a, y->c, y->p);
    } else {
        lzb_dynamics_part_forces(w, (lzb_part){0, w->blocks}, y->x, y->f1);
        kick_on_line(t);
    }
}

/* The rows of forces that the two of a substep leave are room for releases. */
static lzb_mono start_mono(lzb_window *w, const lzb_account *to, unsigned row, bool counting)
{
    size_t width = w->blocks * LZB_BLOCK, bordered = w->tableau.bordered;
    double *room = w->tableau.force + 2 * bordered,
           *release_depth = to->release_depth + row * width;
    memcpy(release_depth, to->start, width * sizeof *release_depth);
    memcpy(w->trial.c, w->trial.c0, width * sizeof *w->trial.c);
    memcpy(to->earlier, w->trial.a0, width * sizeof *to->earlier);
    memset(to->rise, 0, width * sizeof *to->rise);
    return (lzb_mono){.release_fraction = to->release_fraction,
                      .release_depth = release_depth,
                      .before = w->trial.c,
                      .marks = (uint64_t *)room,
                      .missing_impulse = room + bordered,
                      .position_correction = room + 2 * bordered,
                      .dividend = room + 3 * bordered,
                      .divisor = room + 4 * bordered,
                      .released_at = room + 3 * bordered,
                      .by_depth = room + 4 * bordered,
                      .counting = counting,
                      .held = to->held,
                      .peak = to->peak,
                      .lost = to->released,
                      .turns = to->turns,
                      .counted = to->counted,
                      .margin = to->margin,
                      .decisive_energy = to->decisive_energy,
                      .earlier = to->earlier,
                      .rise = to->rise};
}

/* A contact on the way in has the release depth that it would have if it turned now: so rows that
 * end just before and just after that have nearly the same.
 */
static void end_mono(const substep *t)
{
    const lzb_account *to = t->to;
    const pass *y = t->y;
    double *release_depth = t->mono.release_depth;
    lzb_mono_end(t->w, &t->mono, t->h, y->a, y->c, y->f0, y->x);
    for (size_t k = 0; k < t->w->count; k++) {
        to->out[k] = release_depth[k] > 0 ? 1 : 0;
        release_depth[k] =
            release_depth[k] > 0 ? release_depth[k] : to->release_fraction[k] * y->x[k];
    }
}

/* ---- A row ---------------------------------------------------------------------------------- */

static void make_substep(substep *t)
{
    const lzb_window *w = t->w;
    if (t->to->mono) {
        make_substep_mono(t);
        return;
    }
    if (t->plain) {
        make_substep_on_line(t);
        return;
    }
    lzb_partition_do(w, move_part, NULL, t, NULL);
    lzb_partition_do(w, kick_part, NULL, t, NULL);
}

/* A line of contacts with linear or Hertz' law, in one part. */
static bool is_plain_line(const lzb_window *w)
{
    return w->coupling.product == LZB_LINE && w->fixed.kind != LZB_POWER &&
           !lzb_partition_is_divided(w);
}

void lzb_substeps_row(lzb_window *w, const lzb_account *to, unsigned row, unsigned substeps,
                      double length, bool counting)
{
    pass y = start_row(w, row);
    substep t = {.w = w,
                 .y = &y,
                 .h = length / substeps,
                 .to = to,
                 .counting = counting,
                 .plain = is_plain_line(w),
                 .releases = to->mono};
    if (to->mono) {
        t.mono = start_mono(w, to, row, counting);
    }
    for (unsigned i = 0; i < substeps; i++) {
        make_substep(&t);
        double *swap = y.f0;
        y.f0 = y.f1;
        y.f1 = swap;
    }
    if (to->mono) {
        end_mono(&t);
    }
}
