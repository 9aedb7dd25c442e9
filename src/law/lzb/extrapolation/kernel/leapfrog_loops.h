/* The leapfrog: the loops of leapfrog.c, for each width of vectors (base/loops.h). */

static void WIDE(drift)(size_t blocks, double h, const double *restrict rate,
                        const double *restrict c, double *restrict x)
{
    for (size_t block = 0; block < blocks; block++) {
        for (EACH(k)) {
            x[k] += h * rate[k] * c[k];
        }
    }
}

static void WIDE(drift_from)(size_t blocks, double h, const double *restrict rate,
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

static void WIDE(leapfrog_line_hertz)(const lzb_window *w, size_t blocks, double length,
                                      unsigned first, unsigned last)
{
    leapfrog_line(w, blocks, length, first, last, LZB_HERTZ, false);
}

static void WIDE(leapfrog_line_linear)(const lzb_window *w, size_t blocks, double length,
                                       unsigned first, unsigned last)
{
    leapfrog_line(w, blocks, length, first, last, LZB_LINEAR, false);
}

static void WIDE(leapfrog_line_power)(const lzb_window *w, size_t blocks, double length,
                                      unsigned first, unsigned last)
{
    leapfrog_line(w, blocks, length, first, last, LZB_POWER, false);
}

static void WIDE(leapfrog_line_shifted)(const lzb_window *w, size_t blocks, double length,
                                        unsigned first, unsigned last)
{
    leapfrog_line(w, blocks, length, first, last, LZB_HERTZ, true);
}

static void WIDE(range)(size_t blocks, const double *restrict c, double *restrict low,
                        double *restrict high)
{
    range_row(blocks, c, low, high);
}
