/* Extrapolation: the loops of extrapolate.c, for each width of vectors (base/loops.h). */

/* `blocks` blocks of rows that are `width` apart. */
static void WIDE(combine)(size_t blocks, size_t width, unsigned row, const double *restrict factor,
                          double *restrict tableau)
{
    for (unsigned j = row; j > 0; j--) {
        double *restrict lower = tableau + (j - 1) * width;
        const double *restrict upper = tableau + j * width;
        double f = factor[j];
        for (size_t block = 0; block < blocks; block++) {
            for (EACH(k)) {
                lower[k] = upper[k] + (upper[k] - lower[k]) * f;
            }
        }
    }
}

static void WIDE(compare)(size_t blocks, double per_speed, double per_tolerance,
                          const double *restrict per_scale, const double *restrict x,
                          const double *restrict x_lower, const double *restrict c,
                          const double *restrict c_lower, double *restrict error)
{
    for (size_t block = 0; block < blocks; block++) {
        for (EACH(k)) {
            double dx = __builtin_fabs(x[k] - x_lower[k]) * per_scale[k];
            double dc = __builtin_fabs(c[k] - c_lower[k]) * per_speed;
            /* the second term is 0, or NaN where something overflowed */
            error[k] = ((dx > dc ? dx : dc) + 0.0 * (dx + dc)) * per_tolerance;
        }
    }
}

static void WIDE(raise_error)(size_t blocks, double per_tolerance, const double *restrict per_scale,
                              const double *restrict x, const double *restrict x_lower,
                              double *restrict error)
{
    for (size_t block = 0; block < blocks; block++) {
        for (EACH(k)) {
            double dx = __builtin_fabs(x[k] - x_lower[k]) * per_scale[k] * per_tolerance;
            error[k] = (dx > error[k] ? dx : error[k]) + 0.0 * dx;
        }
    }
}

static void WIDE(combine_4)(const lzb_window *w, double per_speed, double per_tolerance,
                            lzb_block *worst, lzb_block *undefined)
{
    combine_rows(4, w, per_speed, per_tolerance, worst, undefined);
}

static void WIDE(combine_5)(const lzb_window *w, double per_speed, double per_tolerance,
                            lzb_block *worst, lzb_block *undefined)
{
    combine_rows(5, w, per_speed, per_tolerance, worst, undefined);
}

static void WIDE(combine_6)(const lzb_window *w, double per_speed, double per_tolerance,
                            lzb_block *worst, lzb_block *undefined)
{
    combine_rows(6, w, per_speed, per_tolerance, worst, undefined);
}

static void WIDE(combine_7)(const lzb_window *w, double per_speed, double per_tolerance,
                            lzb_block *worst, lzb_block *undefined)
{
    combine_rows(7, w, per_speed, per_tolerance, worst, undefined);
}

static void WIDE(combine_8)(const lzb_window *w, double per_speed, double per_tolerance,
                            lzb_block *worst, lzb_block *undefined)
{
    combine_rows(8, w, per_speed, per_tolerance, worst, undefined);
}
