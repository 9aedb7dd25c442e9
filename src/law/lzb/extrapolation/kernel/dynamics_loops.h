/* Forces, and their effect: the loops of dynamics.c, for each width of vectors (base/loops.h). */

static void WIDE(force_linear)(size_t blocks, const double *restrict stiffness,
                               const double *restrict x, double *restrict force)
{
    for (size_t block = 0; block < blocks; block++) {
        for (EACH(k)) {
            force[k] = stiffness[k] * positive(x[k]);
        }
    }
}

static void WIDE(force_hertz)(size_t blocks, const double *restrict stiffness,
                              const double *restrict x, double *restrict force)
{
    for (size_t block = 0; block < blocks; block++) {
        for (EACH(k)) {
            double indentation = positive(x[k]);
            force[k] = stiffness[k] * indentation * __builtin_sqrt(indentation);
        }
    }
}

static void WIDE(force_power)(size_t blocks, const double *restrict stiffness,
                              const double *restrict exponent, const double *restrict offset,
                              const double *restrict x, double *restrict force)
{
    for (size_t block = 0; block < blocks; block++) {
        for (EACH(k)) {
            force[k] = stiffness[k] * lzb_power(x[k] + offset[k], exponent[k]);
        }
    }
}

/* Hertz' law, from the point of opening. */
static void WIDE(force_shifted)(size_t blocks, const double *restrict stiffness,
                                const double *restrict offset, const double *restrict x,
                                double *restrict force)
{
    for (size_t block = 0; block < blocks; block++) {
        for (EACH(k)) {
            double indentation = positive(x[k] + offset[k]);
            force[k] = stiffness[k] * indentation * __builtin_sqrt(indentation);
        }
    }
}

static void WIDE(gather_impulse)(size_t blocks, double h, const double *restrict force,
                                 double *restrict p)
{
    for (size_t block = 0; block < blocks; block++) {
        for (EACH(k)) {
            p[k] += h * force[k];
        }
    }
}

static void WIDE(kick_line)(size_t blocks, double h, const double *restrict below,
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
