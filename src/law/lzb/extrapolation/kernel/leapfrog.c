/* The inner loop of the LZB law: leapfrog steps of the contacts of a window. */
#include <string.h>

#include "law/lzb/extrapolation/kernel/kernel.h"
#include "law/lzb/extrapolation/window/block.h"
#include "law/lzb/state/power.h"

static inline double positive(double x)
{
    return x > 0 ? x : 0;
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

INLINE void force_row(size_t blocks, lzb_kind kind, bool shifted, const lzb_window *w,
                      const double *restrict x, double *restrict force)
{
    const double *stiffness = w->fixed.stiffness, *exponent = w->fixed.exponent,
                 *offset = w->fixed.offset;
#pragma GCC ivdep
    for (size_t k = 0; k < blocks * LZB_BLOCK; k++) {
        double depth = positive(shifted ? x[k] + offset[k] : x[k]);
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
        lzb_block_load(&below, w->coupling.below + k);
        lzb_block_load(&diagonal, w->coupling.diagonal + k);
        lzb_block_load(&above, w->coupling.above + k);
        lzb_block_load(&rate, w->fixed.rate + k);
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
                          unsigned last, lzb_kind kind, bool shifted)
{
    size_t stride = 3 * blocks * LZB_BLOCK;
    double h[LZB_ROWS];
    for (unsigned row = first; row <= last; row++) {
        h[row] = length / (row + 1);
        start_row(blocks, 0.5 * h[row], w->fixed.rate, w->trial.x0, w->trial.c0,
                  w->tableau.row + row * stride);
    }
    for (unsigned i = 0; i <= last; i++) {
        unsigned begin = i > first ? i : first; /* row r makes r + 1 substeps */
        for (unsigned row = begin; row <= last; row++) {
            force_row(blocks, kind, shifted, w, w->tableau.row + row * stride,
                      w->tableau.force + row * w->tableau.bordered);
        }
        for (unsigned row = begin; row <= last && w->coupling.drive != NULL; row++) {
            lzb_dynamics_kick_from_outside(w->coupling.drive, h[row], (i + 0.5) * h[row],
                                           w->tableau.row + row * stride + blocks * LZB_BLOCK);
        }
        for (unsigned row = begin; row <= last; row++) {
            kick_row(blocks, h[row], i < row ? h[row] : 0.5 * h[row], w,
                     w->tableau.force + row * w->tableau.bordered, w->tableau.row + row * stride);
        }
        range_row(blocks, w->tableau.row + last * stride + blocks * LZB_BLOCK, w->tableau.low,
                  w->tableau.high);
    }
}

#define LOOPS "law/lzb/extrapolation/kernel/leapfrog_loops.h"
#include "base/loops.h"
LOOP(drift);
LOOP(drift_from);
LOOP(leapfrog_line_hertz);
LOOP(leapfrog_line_linear);
LOOP(leapfrog_line_power);
LOOP(leapfrog_line_shifted);
LOOP(range);

/* The closing speeds at the start. */
static void begin_range(lzb_window *w)
{
    size_t size = w->blocks * LZB_BLOCK * sizeof *w->trial.c0;
    memcpy(w->tableau.low, w->trial.c0, size);
    memcpy(w->tableau.high, w->trial.c0, size);
}

/* Any other window, row by row. */
static crm_status leapfrog_any(const lzb_state *state, lzb_window *w, double length, unsigned row,
                               crm_error *error)
{
    const lzb_part whole = {0, w->blocks};
    double h = length / (row + 1), *force = w->tableau.force;
    size_t width = w->blocks * LZB_BLOCK;
    double *x = lzb_window_row(w, row), *c = x + width, *p = c + width;
    drift_from[w->width](w->blocks, 0.5 * h, w->fixed.rate, w->trial.c0, w->trial.x0, c, x, p);
    for (unsigned i = 0; i <= row; i++) {
        lzb_dynamics_part_forces(w, whole, x, force);
        crm_status status = lzb_dynamics_kick(state, w, h, force, c, p, error);
        if (status != CRM_OK) {
            return status;
        }
        if (w->coupling.drive != NULL) {
            lzb_dynamics_kick_from_outside(w->coupling.drive, h, (i + 0.5) * h, c);
        }
        drift[w->width](w->blocks, i < row ? h : 0.5 * h, w->fixed.rate, c, x);
        range[w->width](w->blocks, c, w->tableau.low, w->tableau.high);
    }
    return CRM_OK;
}

crm_status lzb_leapfrog(const lzb_state *state, lzb_window *w, double length, unsigned first,
                        unsigned last, crm_error *error)
{
    w->tableau.finest = last;
    begin_range(w);
    if (w->coupling.product == LZB_LINE) {
        switch (w->fixed.kind) {
        case LZB_LINEAR:
            leapfrog_line_linear[w->width](w, w->blocks, length, first, last);
            break;
        case LZB_HERTZ:
            leapfrog_line_hertz[w->width](w, w->blocks, length, first, last);
            break;
        case LZB_POWER:
            (w->fixed.hertz ? leapfrog_line_shifted
                            : leapfrog_line_power)[w->width](w, w->blocks, length, first, last);
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
