/* A substep through kinks: the loops of kinks.c, for each width of vectors (base/loops.h). */

static void WIDE(move)(size_t count, double h, const double *restrict returns,
                       const double *restrict a, const double *restrict c, double *restrict x)
{
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        x[k] = moved(h, returns[k], a[k], c[k], x[k]);
    }
}

/* Speeds and impulses from the forces at both ends; a becomes that at the end. */
static void WIDE(kick)(size_t count, double h, const double *restrict a1, const double *restrict f0,
                       const double *restrict f1, double *restrict a, double *restrict c,
                       double *restrict p)
{
    double half = 0.5 * h;
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        c[k] += half * (a[k] + a1[k]);
        p[k] += half * (f0[k] + f1[k]);
        a[k] = a1[k];
    }
}

static void WIDE(move_line_linear)(size_t count, double h, const double *restrict returns,
                                   const double *restrict stiffness, const double *restrict a,
                                   const double *restrict c, double *restrict x,
                                   double *restrict force)
{
    move_line(count, LZB_LINEAR, h, returns, stiffness, a, c, x, force);
}

static void WIDE(move_line_hertz)(size_t count, double h, const double *restrict returns,
                                  const double *restrict stiffness, const double *restrict a,
                                  const double *restrict c, double *restrict x,
                                  double *restrict force)
{
    move_line(count, LZB_HERTZ, h, returns, stiffness, a, c, x, force);
}

static void WIDE(kick_line)(size_t count, double h, const double *restrict below,
                            const double *restrict diagonal, const double *restrict above,
                            const double *restrict f0, const double *restrict f1,
                            double *restrict a, double *restrict c, double *restrict p)
{
    double half = 0.5 * h;
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        double around = below[k] * f1[k - 1] + above[k] * f1[k + 1];
        double a1 = -(diagonal[k] * f1[k] + around);
        c[k] += half * (a[k] + a1);
        p[k] += half * (f0[k] + f1[k]);
        a[k] = a1;
    }
}

/* What happened to each contact, x0 and c0 being those before the substep, a that at its start. */
static void WIDE(keep_account)(size_t count, double h, const double *restrict x0,
                               const double *restrict x, const double *restrict c0,
                               const double *restrict c, const double *restrict f0,
                               const double *restrict f1, const lzb_kinks to)
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
        double way = -0.5 * h * returns[k] * (c0[k] + c[k]);
        double part = way > 0 && x0[k] < way ? x0[k] / way : 1.0;
        held[k] += x[k] > 0 ? h : x0[k] > 0 ? h * part : 0.0;
        highest = highest > x[k] ? highest : x[k];
        peak[k] = peak[k] > highest ? peak[k] : highest;
        released[k] += c[k] < 0 || c0[k] < 0 ? 0.5 * (f0[k] + f1[k]) * fall : 0.0;
        turns[k] += c0[k] > 0 && c[k] <= 0 && highest > counted[k] ? 1.0 : 0.0;
    }
}
