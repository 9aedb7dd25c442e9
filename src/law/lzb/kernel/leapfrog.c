/* The inner loop of the LZB law: leapfrog steps of the contacts of a window.
 */
#include <string.h>

#include "law/lzb/kernel/parts.h"
#include "law/lzb/kernel/wide.h"
#include "law/lzb/state/power.h"
#include "law/lzb/window/window.h"

static inline double positive(double x)
{
    return x > 0 ? x : 0;
}

/* ---- Forces; p gathers their sum ------------------------------------------------------------ */

static WIDE void force_linear(size_t blocks, const double *restrict stiffness,
                              const double *restrict x, double *restrict force)
{
    for (size_t block = 0; block < blocks; block++) {
        for (EACH(k)) {
            force[k] = stiffness[k] * positive(x[k]);
        }
    }
}

static WIDE void force_hertz(size_t blocks, const double *restrict stiffness,
                             const double *restrict x, double *restrict force)
{
    for (size_t block = 0; block < blocks; block++) {
        for (EACH(k)) {
            double indentation = positive(x[k]);
            force[k] = stiffness[k] * indentation * __builtin_sqrt(indentation);
        }
    }
}

static WIDE void force_power(size_t blocks, const double *restrict stiffness,
                             const double *restrict exponent, const double *restrict offset,
                             const double *restrict x, double *restrict force)
{
    for (size_t block = 0; block < blocks; block++) {
        for (EACH(k)) {
            force[k] = stiffness[k] * lzb_power(x[k] + offset[k], exponent[k]);
        }
    }
}

void lzb_part_forces(const lzb_window *w, lzb_part part, const double *x, double *force)
{
    size_t at = part.first;
    switch (w->kind) {
    case LZB_LINEAR:
        force_linear(part.blocks, w->stiffness + at, x + at, force + at);
        return;
    case LZB_HERTZ:
        force_hertz(part.blocks, w->stiffness + at, x + at, force + at);
        return;
    case LZB_POWER:
        force_power(part.blocks, w->stiffness + at, w->exponent + at, w->offset + at, x + at,
                    force + at);
    }
}

static void forces(const lzb_window *w, const double *x, double *force)
{
    lzb_part_forces(w, lzb_part_whole(w), x, force);
}

/* ---- c -= h D force ------------------------------------------------------------------------- */

static WIDE void kick_line(size_t blocks, double h, const double *restrict below,
                           const double *restrict diagonal, const double *restrict above,
                           const double *restrict force, double *restrict c)
{
    for (size_t block = 0; block < blocks; block++) {
        for (EACH(k)) {
            c[k] -=
                h * (diagonal[k] * force[k] + (below[k] * force[k - 1] + above[k] * force[k + 1]));
        }
    }
}

static void kick_sparse(const lzb_window *w, size_t first, size_t end, double h,
                        const double *restrict force, double *restrict c)
{
    const lzb_rows rows = w->rows;
    for (size_t k = first; k < end; k++) {
        double sum = 0;
        for (size_t l = rows.start[k]; l < rows.end[k]; l++) {
            sum += rows.value[l] * force[rows.column[l]];
        }
        c[k] -= h * sum;
    }
}

void lzb_part_kick(const lzb_window *w, lzb_part part, double h, const double *force, double *c)
{
    size_t at = part.first;
    if (w->product == LZB_LINE) {
        kick_line(part.blocks, h, w->below + at, w->diagonal + at, w->above + at, force + at,
                  c + at);
    } else {
        kick_sparse(w, at, lzb_part_end(w, part), h, force, c);
    }
}

static crm_status kick(const lzb_state *state, lzb_window *w, double h, const double *force,
                       double *c, crm_error *error)
{
    if (w->product != LZB_OPERATOR) {
        lzb_part_kick(w, lzb_part_whole(w), h, force, c);
        return CRM_OK;
    }
    crm_status status = crm_model_delassus_apply(state->model, force, w->spread, error);
    for (size_t k = 0; status == CRM_OK && k < w->count; k++) {
        c[k] -= h * w->spread[k];
    }
    return status;
}

/* What presses from outside, at a time since the start of the window's step. */
static void kick_from_outside(const lzb_drive *drive, double h, double at, double *c)
{
    double t = (drive->begin + at) / drive->length;
    for (size_t i = 0; i < drive->sources; i++) {
        const lzb_drive_source *s = &drive->source[i];
        const double *q = s->polynomial;
        double x =
            q[0] +
            t * (q[1] + t * (q[2] + t * (q[3] + t * (q[4] + t * (q[5] + t * (q[6] + t * q[7]))))));
        drive->force[i] = lzb_force(s->stiffness, s->exponent, x + s->offset);
    }
    for (size_t i = 0; i < drive->links; i++) {
        const lzb_drive_link *link = &drive->link[i];
        c[link->place] -= h * link->d * drive->force[link->source];
    }
}

/* ---- The leapfrog --------------------------------------------------------------------------- */

static WIDE void drift(size_t blocks, double h, const double *restrict rate,
                       const double *restrict c, double *restrict x)
{
    for (size_t block = 0; block < blocks; block++) {
        for (EACH(k)) {
            x[k] += h * rate[k] * c[k];
        }
    }
}

static WIDE void drift_from(size_t blocks, double h, const double *restrict rate,
                            const double *restrict c0, const double *restrict x0,
                            double *restrict c, double *restrict x, double *restrict p)
{
    for (size_t block = 0; block < blocks; block++) {
        for (EACH(k)) {
            c[k] = c0[k];
            x[k] = x0[k] + h * rate[k] * c0[k];
            p[k] = 0;
        }
    }
}

static WIDE void gather_impulse(size_t blocks, double h, const double *restrict force,
                                double *restrict p)
{
    for (size_t block = 0; block < blocks; block++) {
        for (EACH(k)) {
            p[k] += h * force[k];
        }
    }
}

/* The commonest case in one piece: a line of contacts of one kind. The
 * rows do not depend on each other; going through them side by side gives the processor something
 * to do while a force is on its way.
 */
INLINE void start_row(size_t blocks, double half, const double *restrict rate,
                      const double *restrict x0, const double *restrict c0, double *restrict row)
{
    double *x = row, *c = x + blocks * LZB_BLOCK, *p = c + blocks * LZB_BLOCK;
#pragma GCC ivdep
    for (size_t k = 0; k < blocks * LZB_BLOCK; k++) {
        c[k] = c0[k];
        x[k] = x0[k] + half * rate[k] * c0[k];
        p[k] = 0;
    }
}

INLINE void force_row(size_t blocks, lzb_kind kind, const lzb_window *w, const double *restrict x,
                      double *restrict force)
{
    const double *stiffness = w->stiffness, *exponent = w->exponent, *offset = w->offset;
#pragma GCC ivdep
    for (size_t k = 0; k < blocks * LZB_BLOCK; k++) {
        double depth = positive(x[k]);
        force[k] = stiffness[k] * (kind == LZB_LINEAR  ? depth
                                   : kind == LZB_HERTZ ? depth * __builtin_sqrt(depth)
                                                       : lzb_power(x[k] + offset[k], exponent[k]));
    }
}

/* Forces of the neighbours are taken from the blocks beside: reading them at an odd place, just
 * after they were written, would wait for the memory.
 */
INLINE void kick_row(size_t blocks, double h, double onward, const lzb_window *w,
                     const double *restrict force, double *restrict row)
{
    double *x = row, *c = x + blocks * LZB_BLOCK, *p = c + blocks * LZB_BLOCK;
    lzb_block before, here, after;
    lzb_block_load(&before, force - LZB_BLOCK);
    lzb_block_load(&here, force);
    for (size_t k = 0; k < blocks * LZB_BLOCK; k += LZB_BLOCK) {
        lzb_block speed, sum, depth, below, diagonal, above, rate;
        lzb_block_load(&after, force + k + LZB_BLOCK);
        lzb_block_load(&below, w->below + k);
        lzb_block_load(&diagonal, w->diagonal + k);
        lzb_block_load(&above, w->above + k);
        lzb_block_load(&rate, w->rate + k);
        lzb_block_load(&speed, c + k);
        lzb_block_load(&sum, p + k);
        lzb_block_load(&depth, x + k);
        lzb_block around =
            below * __builtin_shufflevector(before, here, 7, 8, 9, 10, 11, 12, 13, 14) +
            above * __builtin_shufflevector(here, after, 1, 2, 3, 4, 5, 6, 7, 8);
        speed -= h * (diagonal * here + around);
        sum += h * here;
        depth += onward * rate * speed;
        lzb_block_store(&speed, c + k);
        lzb_block_store(&sum, p + k);
        lzb_block_store(&depth, x + k);
        before = here;
        here = after;
    }
}

INLINE void range_row(size_t blocks, const double *restrict c, double *restrict low,
                      double *restrict high)
{
#pragma GCC ivdep
    for (size_t k = 0; k < blocks * LZB_BLOCK; k++) {
        low[k] = c[k] < low[k] ? c[k] : low[k];
        high[k] = c[k] > high[k] ? c[k] : high[k];
    }
}

INLINE void leapfrog_line(const lzb_window *w, size_t blocks, double length, unsigned first,
                          unsigned last, lzb_kind kind)
{
    size_t stride = 3 * blocks * LZB_BLOCK;
    double h[LZB_ROWS];
    for (unsigned row = first; row <= last; row++) {
        h[row] = length / (row + 1);
        start_row(blocks, 0.5 * h[row], w->rate, w->x0, w->c0, w->tableau + row * stride);
    }
    for (unsigned i = 0; i <= last; i++) {
        unsigned begin = i > first ? i : first; /* row r makes r + 1 substeps */
        for (unsigned row = begin; row <= last; row++) {
            force_row(blocks, kind, w, w->tableau + row * stride, w->force + row * w->bordered);
        }
        for (unsigned row = begin; row <= last && w->drive != NULL; row++) {
            kick_from_outside(w->drive, h[row], (i + 0.5) * h[row],
                              w->tableau + row * stride + blocks * LZB_BLOCK);
        }
        for (unsigned row = begin; row <= last; row++) {
            kick_row(blocks, h[row], i < row ? h[row] : 0.5 * h[row], w,
                     w->force + row * w->bordered, w->tableau + row * stride);
        }
        range_row(blocks, w->tableau + last * stride + blocks * LZB_BLOCK, w->low, w->high);
    }
}

static WIDE void leapfrog_line_hertz(const lzb_window *w, size_t blocks, double length,
                                     unsigned first, unsigned last)
{
    leapfrog_line(w, blocks, length, first, last, LZB_HERTZ);
}

static WIDE void leapfrog_line_linear(const lzb_window *w, size_t blocks, double length,
                                      unsigned first, unsigned last)
{
    leapfrog_line(w, blocks, length, first, last, LZB_LINEAR);
}

static WIDE void leapfrog_line_power(const lzb_window *w, size_t blocks, double length,
                                     unsigned first, unsigned last)
{
    leapfrog_line(w, blocks, length, first, last, LZB_POWER);
}

static WIDE void range(size_t blocks, const double *restrict c, double *restrict low,
                       double *restrict high)
{
    range_row(blocks, c, low, high);
}

/* The closing speeds at the start. */
static void begin_range(lzb_window *w)
{
    size_t size = w->blocks * LZB_BLOCK * sizeof *w->c0;
    memcpy(w->low, w->c0, size);
    memcpy(w->high, w->c0, size);
}

void lzb_part_gather_impulse(lzb_part part, double h, const double *force, double *p)
{
    gather_impulse(part.blocks, h, force + part.first, p + part.first);
}

static crm_status leapfrog_any(const lzb_state *state, lzb_window *w, double length, unsigned row,
                               crm_error *error)
{
    double h = length / (row + 1);
    size_t width = w->blocks * LZB_BLOCK;
    double *x = lzb_window_row(w, row), *c = x + width, *p = c + width;
    drift_from(w->blocks, 0.5 * h, w->rate, w->c0, w->x0, c, x, p);
    for (unsigned i = 0; i <= row; i++) {
        forces(w, x, w->force);
        gather_impulse(w->blocks, h, w->force, p);
        crm_status status = kick(state, w, h, w->force, c, error);
        if (status != CRM_OK) {
            return status;
        }
        if (w->drive != NULL) {
            kick_from_outside(w->drive, h, (i + 0.5) * h, c);
        }
        drift(w->blocks, i < row ? h : 0.5 * h, w->rate, c, x);
        range(w->blocks, c, w->low, w->high);
    }
    return CRM_OK;
}

bool lzb_window_is_plain(const lzb_window *w)
{
    return w->product == LZB_LINE || w->large;
}

crm_status lzb_window_leapfrog(const lzb_state *state, lzb_window *w, double length, unsigned first,
                               unsigned last, crm_error *error)
{
    w->finest = last;
    begin_range(w);
    if (lzb_window_is_plain(w)) {
        switch (w->kind) {
        case LZB_LINEAR:
            leapfrog_line_linear(w, w->blocks, length, first, last);
            break;
        case LZB_HERTZ:
            leapfrog_line_hertz(w, w->blocks, length, first, last);
            break;
        case LZB_POWER:
            leapfrog_line_power(w, w->blocks, length, first, last);
        }
        return CRM_OK;
    }
    crm_status status = CRM_OK;
    for (unsigned row = first; row <= last && status == CRM_OK; row++) {
        begin_range(w);
        status = leapfrog_any(state, w, length, row, error);
    }
    return status;
}

crm_status lzb_window_kick(const lzb_state *state, lzb_window *w, double h, const double *force,
                           double *c, double *p, crm_error *error)
{
    if (w->large) {
        lzb_parts_kick(w, h, force, c, p);
        return CRM_OK;
    }
    gather_impulse(w->blocks, h, force, p);
    return kick(state, w, h, force, c, error);
}

crm_status lzb_window_accelerate(const lzb_state *state, lzb_window *w, const double *x, double at,
                                 double *force, double *a, crm_error *error)
{
    if (w->large) {
        lzb_parts_accelerate(w, x, force, a);
        return CRM_OK;
    }
    forces(w, x, force);
    memset(a, 0, w->blocks * LZB_BLOCK * sizeof *a);
    crm_status status = kick(state, w, 1.0, force, a, error);
    if (status == CRM_OK && w->drive != NULL) {
        kick_from_outside(w->drive, 1.0, at, a);
    }
    return status;
}

double lzb_window_row_product(const lzb_window *w, size_t k, const double *vector)
{
    if (w->product == LZB_LINE) {
        double before = k > 0 ? w->below[k] * vector[k - 1] : 0;
        double after = k + 1 < w->count ? w->above[k] * vector[k + 1] : 0;
        return w->diagonal[k] * vector[k] + (before + after);
    }
    double sum = 0;
    for (size_t l = w->rows.start[k]; l < w->rows.end[k]; l++) {
        sum += w->rows.value[l] * vector[w->rows.column[l]];
    }
    return sum;
}
