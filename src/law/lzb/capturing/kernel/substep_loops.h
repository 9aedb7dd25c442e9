/* A substep: the loops of substep.c, for each width of vectors (base/loops.h). */

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

static void WIDE(keep_account)(size_t count, double h, const double *restrict x0,
                               const double *restrict x, const double *restrict c0,
                               const double *restrict c, const double *restrict f0,
                               const double *restrict f1, const lzb_account to)
{
    account(count, h, x0, x, c0, c, f0, f1, to);
}
