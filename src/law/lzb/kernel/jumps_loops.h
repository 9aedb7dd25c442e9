/* Contacts that let go: the loops of jumps.c, for each width of vectors (base/loops.h). */

/* marks[k] = 1 if contact k comes to its brink in the substep; its x is left as it is. Whether it
 * comes there is told by squares, so that roots are taken of the few that do.
 */
static size_t WIDE(move)(size_t count, double h, const double *restrict lets_go,
                         const double *restrict a, const double *restrict c,
                         const double *restrict brink, double *restrict x, double *restrict marks)
{
    size_t found = 0;
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        double c0 = c[k], c1 = c0 + h * a[k], square = c0 * c0, far = 1.0;
        double end = x[k] + 0.5 * h * (c0 + c1), cut = end > 0 ? end : 0.0;
        /* left of the way to the brink: all the time on the way out, turned round before its end,
         * or on the way out only after the end of a compression
         */
        double left = end - brink[k], least = 2 * a[k] * (x[k] - brink[k]) - square;
        double fallen = -2 * a[k] * (end - lets_go[k] * x[k]) - lets_go[k] * square;
        double out = c1 > 0 ? (c0 > 0 ? far : least) : left;
        double in = c0 > 0 ? (c1 < 0 ? fallen : far) : far;
        double way = brink[k] > 0 ? out : in;
        /* open, and closed again */
        double touch = c0 < 0 ? 2 * a[k] * x[k] - square : far;
        double reach = c1 > 0 ? touch : far;
        double anew = 0.5 * c1 * c1 / (reach < 0 ? a[k] : 1.0);
        double after = reach < 0 ? anew : cut;
        x[k] = way <= 0 ? x[k] : after;
        marks[k] = way <= 0 ? 1.0 : 0.0;
        found += way <= 0 ? 1 : 0;
    }
    return found;
}

static void WIDE(make_way)(size_t count, const double *restrict back, double *restrict x)
{
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        x[k] = made_way(x[k], -back[k]);
    }
}

/* Has any turned? Those are marked. */
static bool WIDE(turn)(size_t count, const double *restrict lets_go, const double *restrict c,
                       const double *restrict x, double *restrict brink, double *restrict marks)
{
    uint64_t found = 0; /* bits of all marks */
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        double out = brink[k];
        double mark = turns(lets_go[k], c[k], x[k], out);
        brink[k] = x[k] > 0 ? out : 0.0;
        marks[k] = mark;
        found |= lzb_to_bits(mark);
    }
    return found != 0;
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

/* Likewise. */
static bool WIDE(kick_line)(size_t count, double h, const double *restrict below,
                            const double *restrict diagonal, const double *restrict above,
                            const double *restrict lets_go, const double *restrict x,
                            const double *restrict f0, const double *restrict f1,
                            const double *restrict lack, double *restrict a, double *restrict c,
                            double *restrict p, double *restrict before, double *restrict brink,
                            double *restrict marks)
{
    double half = 0.5 * h;
    uint64_t found = 0; /* bits of all marks */
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        double around = below[k] * f1[k - 1] + above[k] * f1[k + 1];
        double missing = below[k] * lack[k - 1] + above[k] * lack[k + 1];
        double a1 = -(diagonal[k] * f1[k] + around), c0 = c[k], out = brink[k];
        double c1 = c0 + half * (a[k] + a1) - (diagonal[k] * lack[k] + missing);
        p[k] += half * (f0[k] + f1[k]) + lack[k];
        a[k] = a1;
        c[k] = c1;
        before[k] = c0;
        double mark = turns(lets_go[k], c1, x[k], out);
        brink[k] = x[k] > 0 ? out : 0.0;
        marks[k] = mark;
        found |= lzb_to_bits(mark);
    }
    return found != 0;
}
