/* Substeps of mono-stiffness: the loops of mono.c, for each width of vectors (base/loops.h). */

static void WIDE(note_pressed)(const lzb_window *w, size_t first, size_t last, const lzb_mono *to,
                               double h, const double *a, const double *c, const double *f0,
                               const double *x)
{
    decide(w, first, last, to, h, a, c, f0, x);
}

static size_t WIDE(move)(size_t first, size_t last, const lzb_mono *to, double h, const double *a,
                         const double *c, double *x)
{
    prepare(first, last, to, h, a, c, x);
    return move_on(first, last, to, false, h, a, c, x);
}

static size_t WIDE(move_counting)(size_t first, size_t last, const lzb_mono *to, double h,
                                  const double *a, const double *c, double *x)
{
    prepare(first, last, to, h, a, c, x);
    return move_on(first, last, to, true, h, a, c, x);
}

static void WIDE(turn_last)(size_t count, const lzb_mono *to, double h, const double *c,
                            const double *x)
{
    turn_after(count, to, false, h, c, x);
}

static void WIDE(turn_last_counting)(size_t count, const lzb_mono *to, double h, const double *c,
                                     const double *x)
{
    turn_after(count, to, true, h, c, x);
}

static void WIDE(release_linear)(size_t count, double h, releasing *to)
{
    find_release(count, LZB_LINEAR, h, to);
}

static void WIDE(release_hertz)(size_t count, double h, releasing *to)
{
    find_release(count, LZB_HERTZ, h, to);
}

static void WIDE(release_power)(size_t count, double h, releasing *to)
{
    find_release(count, LZB_POWER, h, to);
}

static void WIDE(apply_release)(size_t count, const double *restrict back, double *restrict x)
{
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        x[k] = corrected(x[k], -back[k]);
    }
}

/* The commonest case in fewer passes: a line of contacts with linear or Hertz' law. */

static void WIDE(apply_release_linear)(size_t count, const double *restrict stiffness,
                                       const double *restrict below,
                                       const double *restrict diagonal,
                                       const double *restrict above,
                                       const double *restrict position_correction,
                                       double *restrict x, double *restrict force)
{
    apply_release_on_line(count, LZB_LINEAR, stiffness, below, diagonal, above, position_correction,
                          x, force);
}

static void WIDE(apply_release_hertz)(size_t count, const double *restrict stiffness,
                                      const double *restrict below, const double *restrict diagonal,
                                      const double *restrict above,
                                      const double *restrict position_correction,
                                      double *restrict x, double *restrict force)
{
    apply_release_on_line(count, LZB_HERTZ, stiffness, below, diagonal, above, position_correction,
                          x, force);
}

static void WIDE(kick_line)(size_t count, double h, const double *restrict below,
                            const double *restrict diagonal, const double *restrict above,
                            const double *restrict f0, const double *restrict f1,
                            const double *restrict missing_impulse, double *restrict a,
                            double *restrict c, double *restrict p)
{
    double half = 0.5 * h;
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        double around = below[k] * f1[k - 1] + above[k] * f1[k + 1];
        double missing = below[k] * missing_impulse[k - 1] + above[k] * missing_impulse[k + 1];
        double a1 = -(diagonal[k] * f1[k] + around);
        c[k] += half * (a[k] + a1) - (diagonal[k] * missing_impulse[k] + missing);
        p[k] += half * (f0[k] + f1[k]) + missing_impulse[k];
        a[k] = a1;
    }
}
