/* Contacts that let go: the loops of jumps.c, for each width of vectors (base/loops.h). */

static void WIDE(note_pressed)(const lzb_window *w, size_t first, size_t last, const lzb_jumps *to,
                               double h, const double *a, const double *c, const double *f0,
                               const double *x)
{
    decide(w, first, last, to, h, a, c, f0, x);
}

static size_t WIDE(move)(size_t first, size_t last, const lzb_jumps *to, double h, const double *a,
                         const double *c, double *x)
{
    prepare(first, last, to, h, a, c, x);
    return move_on(first, last, to, false, h, a, c, x);
}

static size_t WIDE(move_counting)(size_t first, size_t last, const lzb_jumps *to, double h,
                                  const double *a, const double *c, double *x)
{
    prepare(first, last, to, h, a, c, x);
    return move_on(first, last, to, true, h, a, c, x);
}

static void WIDE(turn_last)(size_t count, const lzb_jumps *to, double h, const double *c,
                            const double *x)
{
    turn_after(count, to, false, h, c, x);
}

static void WIDE(turn_last_counting)(size_t count, const lzb_jumps *to, double h, const double *c,
                                     const double *x)
{
    turn_after(count, to, true, h, c, x);
}

static void WIDE(leave_linear)(size_t count, double h, leavers *to)
{
    leave(count, LZB_LINEAR, h, to);
}

static void WIDE(leave_hertz)(size_t count, double h, leavers *to)
{
    leave(count, LZB_HERTZ, h, to);
}

static void WIDE(leave_power)(size_t count, double h, leavers *to)
{
    leave(count, LZB_POWER, h, to);
}

static void WIDE(make_way)(size_t count, const double *restrict back, double *restrict x)
{
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        x[k] = made_way(x[k], -back[k]);
    }
}

/* The commonest case in fewer passes: a line of contacts with linear or Hertz' law. */

static void WIDE(make_way_linear)(size_t count, const double *restrict stiffness,
                                  const double *restrict below, const double *restrict diagonal,
                                  const double *restrict above, const double *restrict ease,
                                  double *restrict x, double *restrict force)
{
    make_way_on_line(count, LZB_LINEAR, stiffness, below, diagonal, above, ease, x, force);
}

static void WIDE(make_way_hertz)(size_t count, const double *restrict stiffness,
                                 const double *restrict below, const double *restrict diagonal,
                                 const double *restrict above, const double *restrict ease,
                                 double *restrict x, double *restrict force)
{
    make_way_on_line(count, LZB_HERTZ, stiffness, below, diagonal, above, ease, x, force);
}

static void WIDE(kick_line)(size_t count, double h, const double *restrict below,
                            const double *restrict diagonal, const double *restrict above,
                            const double *restrict f0, const double *restrict f1,
                            const double *restrict lack, double *restrict a, double *restrict c,
                            double *restrict p)
{
    double half = 0.5 * h;
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        double around = below[k] * f1[k - 1] + above[k] * f1[k + 1];
        double missing = below[k] * lack[k - 1] + above[k] * lack[k + 1];
        double a1 = -(diagonal[k] * f1[k] + around);
        c[k] += half * (a[k] + a1) - (diagonal[k] * lack[k] + missing);
        p[k] += half * (f0[k] + f1[k]) + lack[k];
        a[k] = a1;
    }
}
