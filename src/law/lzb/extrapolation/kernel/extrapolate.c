/* Extrapolation of the leapfrog's rows to substep 0 (Aitken-Neville in the square of the substep),
 * and the difference of the last two columns, which is the error.
 */
#include "law/lzb/extrapolation/kernel/kernel.h"
#include "law/lzb/extrapolation/window/block.h"

/* FACTOR[r][j] = 1 / (((r + 1) / j)^2 - 1): what row r, of r + 1 substeps, adds to the entry made
 * with j.
 */
static const double FACTOR[LZB_ROWS][LZB_ROWS] = {
    {0},
    {0, 1.0 / 3},
    {0, 1.0 / 8, 4.0 / 5},
    {0, 1.0 / 15, 4.0 / 12, 9.0 / 7},
    {0, 1.0 / 24, 4.0 / 21, 9.0 / 16, 16.0 / 9},
    {0, 1.0 / 35, 4.0 / 32, 9.0 / 27, 16.0 / 20, 25.0 / 11},
    {0, 1.0 / 48, 4.0 / 45, 9.0 / 40, 16.0 / 33, 25.0 / 24, 36.0 / 13},
    {0, 1.0 / 63, 4.0 / 60, 9.0 / 55, 16.0 / 48, 25.0 / 39, 36.0 / 28, 49.0 / 15},
};

/* ---- Loops ----------------------------------------------------------------------------------- */

/* One block of one quantity through all rows; difference[r]: of the last two columns with row r. */
INLINE void combine_block(unsigned rows, size_t stride, double *tableau, lzb_block *difference)
{
    lzb_block t[LZB_ROWS];
    for (unsigned r = 0; r < rows; r++) {
        lzb_block_load(&t[r], tableau + r * stride);
        for (unsigned j = r; j > 0; j--) {
            t[j - 1] = t[j] + (t[j] - t[j - 1]) * FACTOR[r][j];
        }
        difference[r] = r > 0 ? t[0] - t[1] : t[0];
    }
    for (unsigned r = 0; r + 1 < rows; r++) { /* the last row stays as it is */
        lzb_block_store(&t[r], tableau + r * stride);
    }
}

/* worst[r]: the largest error with row r so far, by lane; undefined: NAN if something overflowed.
 */
INLINE void combine_rows(unsigned rows, const lzb_window *w, double per_speed, double per_tolerance,
                         lzb_block *worst, lzb_block *undefined)
{
    size_t width = w->blocks * LZB_BLOCK, stride = 3 * width;
    for (size_t first = 0; first < width; first += LZB_BLOCK) {
        lzb_block dx[LZB_ROWS], dc[LZB_ROWS], dp[LZB_ROWS];
        double *x = w->tableau.row + first;
        lzb_block per_scale, larger = {0};
        lzb_block_load(&per_scale, w->fixed.per_scale + first);
        combine_block(rows, stride, x, dx);
        combine_block(rows, stride, x + width, dc);
        combine_block(rows, stride, x + 2 * width, dp);
        for (unsigned r = 1; r < rows; r++) {
            lzb_block by_c = dc[r] * (per_speed * per_tolerance);
            larger = dx[r] * (per_scale * per_tolerance);
            lzb_block_absolute(&larger);
            lzb_block_absolute(&by_c);
            *undefined += 0.0 * (larger + by_c);
            lzb_block_raise(&larger, &by_c);
            lzb_block_raise(&worst[r], &larger);
        }
        lzb_block_store(&larger, w->trial.error + first);
    }
}

typedef void rows_combiner(const lzb_window *w, double per_speed, double per_tolerance,
                           lzb_block *worst, lzb_block *undefined);

#define LOOPS "law/lzb/extrapolation/kernel/extrapolate_loops.h"
#include "base/loops.h"
LOOP(combine);
LOOP(compare);
LOOP(raise_error);
LOOP(combine_4);
LOOP(combine_5);
LOOP(combine_6);
LOOP(combine_7);
LOOP(combine_8);

/* ---- One row more --------------------------------------------------------------------------- */

void lzb_extrapolate_part(const lzb_window *w, lzb_part part, unsigned row, double speed,
                          double tolerance)
{
    size_t at = part.first, width = w->blocks * LZB_BLOCK;
    for (unsigned i = 0; i < 3; i++) {
        combine[w->width](part.blocks, 3 * width, row, FACTOR[row],
                          w->tableau.row + i * width + at);
    }
    if (row > 0) {
        const double *x = lzb_window_row(w, 0) + at, *x_lower = lzb_window_row(w, 1) + at;
        compare[w->width](part.blocks, 1.0 / speed, 1.0 / tolerance, w->fixed.per_scale + at, x,
                          x_lower, x + width, x_lower + width, w->trial.error + at);
    }
}

typedef struct extrapolation {
    const lzb_window *w;
    unsigned row;
    double speed, tolerance;
    double *beside;
} extrapolation;

static void extrapolate_part(void *context, lzb_part part, void *found)
{
    const extrapolation *e = context;
    (void)found;
    lzb_extrapolate_part(e->w, part, e->row, e->speed, e->tolerance);
}

void lzb_extrapolate(lzb_window *w, unsigned row, double speed, double tolerance)
{
    extrapolation e = {.w = w, .row = row, .speed = speed, .tolerance = tolerance};
    lzb_partition_do(w, extrapolate_part, NULL, &e, NULL);
}

static void extrapolate_beside_part(void *context, lzb_part part, void *found)
{
    const extrapolation *e = context;
    const lzb_window *w = e->w;
    size_t at = part.first, width = w->blocks * LZB_BLOCK;
    double *value = e->beside + at;
    (void)found;
    combine[w->width](part.blocks, width, e->row, FACTOR[e->row], value);
    if (e->row > 0) {
        raise_error[w->width](part.blocks, 1.0 / e->tolerance, w->fixed.per_scale + at, value,
                              value + width, w->trial.error + at);
    }
}

void lzb_extrapolate_beside(lzb_window *w, unsigned row, double tolerance, double *values)
{
    extrapolation e = {.w = w, .row = row, .tolerance = tolerance, .beside = values};
    lzb_partition_do(w, extrapolate_beside_part, NULL, &e, NULL);
}

/* ---- Several rows at once ------------------------------------------------------------------- */

void lzb_extrapolate_all(lzb_window *w, unsigned rows, double speed, double tolerance,
                         double *row_error)
{
    rows_combiner *const *const combiner[LZB_ROWS + 1] = {
        [4] = combine_4, [5] = combine_5, [6] = combine_6, [7] = combine_7, [8] = combine_8};
    lzb_block worst[LZB_ROWS] = {{0}}, undefined = {0};
    double overflow = 0;
    combiner[rows][w->width](w, 1.0 / speed, 1.0 / tolerance, worst, &undefined);
    for (unsigned k = 0; k < LZB_BLOCK; k++) {
        overflow += undefined[k];
    }
    for (unsigned r = 1; r < rows; r++) {
        double most = 0;
        for (unsigned k = 0; k < LZB_BLOCK; k++) {
            most = worst[r][k] > most ? worst[r][k] : most;
        }
        row_error[r + 1] = overflow == 0 ? most : INFINITY;
    }
}
