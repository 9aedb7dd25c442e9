/* One step by extrapolated leapfrogs, its change with the data, and the transpose of that.
 *
 * A leapfrog of n substeps of length H drifts by H/2, x += rate c H/2; then kicks, p += lambda(x) H
 * and c -= D lambda(x) H, and drifts by H in turn; and drifts by H/2 at last. It is symmetric, so
 * that its error is a series in H^2, and results with n = 1 ... N together have order 2N. Every
 * part of it is a shear, whose transpose is one.
 */
#include <math.h>
#include <string.h>

#include "law/lzb/path/path.h"

enum { N = LZB_PATH_COLUMNS };

/* w_n = product over m != n of n^2 / (n^2 - m^2), for all columns and for all but the last. */
static const double weights[N] = {1.0 / 8640, -64.0 / 945, 6561.0 / 4480, -16384.0 / 2835,
                                  390625.0 / 72576};
static const double weights_before[N] = {-1.0 / 360, 16.0 / 45, -729.0 / 280, 1024.0 / 315, 0};

/* The error of a step that is allowed in the closing speeds and indentations, ... */
static const double ALLOWED = 1e-12;
/* ... and in the slopes of the forces, which changes of the data feel, of a contact about to open.
 */
static const double ALLOWED_SLOPE = 1e-11;

/* What the sum of columns rounds off, relative. */
static const double ROUNDING = 1e-14;

static void forces_of(const lzb_band *band, const double *x, double *force, double *slope)
{
    for (size_t i = 0; i < band->active; i++) {
        double k = band->stiffness[i], depth = x[i] > 0 ? x[i] : 0;
        if (band->kind[i] == LZB_HERTZ) {
            double root = sqrt(depth);
            force[i] = k * depth * root;
            slope[i] = 1.5 * k * root;
        } else if (band->kind[i] == LZB_LINEAR) { /* goes on below 0: a trial may end there */
            force[i] = k * x[i];
            slope[i] = k;
        } else {
            force[i] = depth > 0 ? k * crm_pow(depth, band->exponent[i]) : 0;
            slope[i] = depth > 0 ? band->exponent[i] * force[i] / depth : 0;
        }
    }
}

/* c -= H D force */
static void kick(const lzb_band *band, const double *force, double length, double *c)
{
    for (size_t k = 0; k < band->active; k++) {
        double impulse = length * force[k];
        for (size_t e = band->row_start[k]; e < band->row_start[k + 1]; e++) {
            c[band->column[e]] -= band->d[e] * impulse;
        }
    }
}

void lzb_leap_rates(const lzb_band *band, const double *x, double *a)
{
    memset(a, 0, band->count * sizeof *a);
    forces_of(band, x, band->work, band->work + band->active);
    for (size_t i = 0; i < band->active; i++) {
        band->work[i] = x[i] > 0 ? band->work[i] : 0;
    }
    kick(band, band->work, 1, a);
}

/* The end of column n: x, c, the impulse, the integrals of the slope and of force log x. */
static double *end_of(const lzb_band *band, size_t n, size_t what)
{
    return band->ends + (LZB_PATH_ENDS * n + what) * band->count;
}

static void run_column(lzb_band *band, size_t n, size_t first, double h)
{
    size_t active = band->active, count = band->count;
    double *x = end_of(band, n, 0), *c = end_of(band, n, 1), *p = end_of(band, n, 2),
           *slopes = end_of(band, n, 3), *logs = end_of(band, n, 4);
    memcpy(c, band->c0, count * sizeof *c);
    memset(p, 0, count * sizeof *p);
    memset(slopes, 0, count * sizeof *slopes);
    memset(logs, 0, count * sizeof *logs);
    for (size_t i = 0; i < active; i++) {
        x[i] = band->x0[i] + 0.5 * h * band->rate[i] * c[i];
    }
    for (size_t s = 0; s <= n; s++) {
        size_t at = (first + s) * count;
        double *force = band->force + at, *slope = band->slope + at;
        double drift = s < n ? h : 0.5 * h;
        memcpy(band->x + at, x, active * sizeof *x);
        forces_of(band, x, force, slope);
        kick(band, force, h, c);
        memcpy(band->c + at, c, active * sizeof *c);
        for (size_t i = 0; i < active; i++) {
            p[i] += h * force[i];
            slopes[i] += h * slope[i];
            if (band->logs && x[i] > 0) {
                logs[i] += h * force[i] * crm_log(x[i]);
            }
            x[i] += drift * band->rate[i] * c[i];
        }
    }
}

void lzb_leap_columns(lzb_band *band, double length)
{
    size_t first = 0;
    for (size_t n = 0; n < N; n++) {
        run_column(band, n, first, length / (double)(n + 1));
        first += n + 1;
    }
}

static double extrapolated(const lzb_band *band, size_t what, size_t i, double *error)
{
    double value = 0, before = 0;
    for (size_t n = 0; n < N; n++) {
        double end = end_of(band, n, what)[i];
        value += weights[n] * end;
        before += weights_before[n] * end;
    }
    *error = fabs(value - before);
    return value;
}

/* How much the indentation may change with the data, at most, where they change by themselves: soon
 * after a contact has begun to close not by more than a change of speed makes of it.
 */
static double largest_change(const lzb_path *path, size_t i, double length)
{
    size_t j = path->band.member[i];
    double scale = path->x_scale[j];
    bool closing = path->mode[j] == LZB_COMPRESSING || path->band.c0[i] >= 0;
    return closing ? fmin(scale, path->speed * (path->time - path->entered[j] + length)) : scale;
}

double lzb_leap_end(lzb_band *band, const lzb_path *path, double length)
{
    double worst = 0, error;
    for (size_t i = 0; i < band->count; i++) {
        band->c1[i] = extrapolated(band, 1, i, &error);
        worst = fmax(worst, error / (ALLOWED * path->speed + ROUNDING * fabs(band->c0[i])));
    }
    for (size_t i = 0; i < band->active; i++) {
        size_t j = band->member[i];
        double scale = path->x_scale[j];
        band->x1[i] = extrapolated(band, 0, i, &error);
        worst = fmax(worst, error / (ALLOWED * scale + ROUNDING * band->x0[i]));
        band->impulse[i] = extrapolated(band, 2, i, &error);
        extrapolated(band, 3, i, &error);
        double change = band->model->d_diagonal[j] * error * largest_change(path, i, length);
        worst = fmax(worst, change / (ALLOWED_SLOPE * path->speed));
        if (band->logs) {
            extrapolated(band, 4, i, &error);
            change = band->model->d_diagonal[j] * error;
            worst = fmax(worst, change / (ALLOWED_SLOPE * path->speed));
        }
    }
    lzb_leap_rates(band, band->x1, band->a1);
    return worst;
}

/* ---- The change of a step -------------------------------------------------------------------- */

/* Changes of the forces at a kick, by x and by the data. */
static void change_forces(const lzb_band *band, const lzb_leap_data *data, size_t at,
                          const double *dx, double *df)
{
    const double *x = band->x + at, *force = band->force + at, *slope = band->slope + at;
    for (size_t i = 0; i < band->active; i++) {
        df[i] = slope[i] * dx[i];
    }
    for (size_t i = 0; data->stiffness != NULL && i < band->active; i++) {
        df[i] += force[i] * data->stiffness[i];
    }
    for (size_t i = 0; data->exponent != NULL && i < band->active; i++) {
        df[i] +=
            x[i] > 0 && data->exponent[i] != 0 ? force[i] * crm_log(x[i]) * data->exponent[i] : 0;
    }
}

static void change_kick(const lzb_band *band, const lzb_leap_data *data, size_t at, double h,
                        const double *df, double *dc)
{
    kick(band, df, h, dc);
    const double *force = band->force + at;
    for (size_t k = 0; data->d != NULL && k < band->active; k++) {
        for (size_t e = band->row_start[k]; e < band->row_start[k + 1]; e++) {
            dc[band->column[e]] -= h * data->d[e] * force[k];
        }
    }
}

static void change_drift(const lzb_band *band, const lzb_leap_data *data, const double *c, double h,
                         const double *dc, double *dx)
{
    for (size_t i = 0; i < band->active; i++) {
        dx[i] += h * band->rate[i] * dc[i];
    }
    for (size_t i = 0; data->rate != NULL && i < band->active; i++) {
        dx[i] += h * data->rate[i] * c[i];
    }
}

void lzb_leap_forward(lzb_band *band, double length, const lzb_leap_data *data, double *dx,
                      double *dc, double *dp)
{
    size_t count = band->count, active = band->active, first = 0;
    double *x = band->work, *c = x + count, *df = c + count, *x1 = df + count, *c1 = x1 + count;
    memset(x1, 0, count * sizeof *x1);
    memset(c1, 0, count * sizeof *c1);
    for (size_t n = 0; n < N; n++) {
        double h = length / (double)(n + 1);
        memcpy(x, dx, active * sizeof *x);
        memcpy(c, dc, count * sizeof *c);
        change_drift(band, data, band->c0, 0.5 * h, c, x);
        for (size_t s = 0; s <= n; s++) {
            size_t at = (first + s) * count;
            change_forces(band, data, at, x, df);
            change_kick(band, data, at, h, df, c);
            for (size_t i = 0; i < active; i++) {
                dp[i] += weights[n] * h * df[i];
            }
            change_drift(band, data, band->c + at, s < n ? h : 0.5 * h, c, x);
        }
        first += n + 1;
        for (size_t i = 0; i < active; i++) {
            x1[i] += weights[n] * x[i];
        }
        for (size_t i = 0; i < count; i++) {
            c1[i] += weights[n] * c[i];
        }
    }
    memcpy(dx, x1, active * sizeof *dx);
    memcpy(dc, c1, count * sizeof *dc);
}

/* ---- The transpose --------------------------------------------------------------------------- */

static void back_drift(const lzb_band *band, lzb_leap_data *gradient, const double *c, double h,
                       const double *of_x, double *of_c)
{
    for (size_t i = 0; i < band->active; i++) {
        of_c[i] += h * band->rate[i] * of_x[i];
    }
    for (size_t i = 0; gradient->rate != NULL && i < band->active; i++) {
        gradient->rate[i] += h * c[i] * of_x[i];
    }
}

/* Weight of an impulse at each contact: that of p, and of what it does to the closing speeds. */
static void weigh_impulses(const lzb_band *band, const double *of_p, double share,
                           const double *of_c, double *of_impulse)
{
    for (size_t k = 0; k < band->active; k++) {
        double sum = share * of_p[k];
        for (size_t e = band->row_start[k]; e < band->row_start[k + 1]; e++) {
            sum -= band->d[e] * of_c[band->column[e]];
        }
        of_impulse[k] = sum;
    }
}

static void back_forces(const lzb_band *band, lzb_leap_data *gradient, size_t at, double h,
                        const double *of_impulse, const double *of_c, double *of_x)
{
    const double *x = band->x + at, *force = band->force + at, *slope = band->slope + at;
    for (size_t i = 0; i < band->active; i++) {
        of_x[i] += h * slope[i] * of_impulse[i];
    }
    for (size_t i = 0; gradient->stiffness != NULL && i < band->active; i++) {
        gradient->stiffness[i] += h * force[i] * of_impulse[i];
    }
    for (size_t i = 0; gradient->exponent != NULL && i < band->active; i++) {
        gradient->exponent[i] += x[i] > 0 ? h * force[i] * crm_log(x[i]) * of_impulse[i] : 0;
    }
    for (size_t k = 0; gradient->d != NULL && k < band->active; k++) {
        double impulse = h * force[k];
        for (size_t e = band->row_start[k]; e < band->row_start[k + 1]; e++) {
            gradient->d[e] -= impulse * of_c[band->column[e]];
        }
    }
}

void lzb_leap_reverse(lzb_band *band, double length, lzb_leap_data *gradient, double *of_x,
                      double *of_c, const double *of_p)
{
    size_t count = band->count, active = band->active, first = 0;
    double *x = band->work, *c = x + count, *of_impulse = c + count, *x0 = of_impulse + count,
           *c0 = x0 + count;
    memset(x0, 0, count * sizeof *x0);
    memset(c0, 0, count * sizeof *c0);
    for (size_t n = 0; n < N; n++) {
        double h = length / (double)(n + 1);
        for (size_t i = 0; i < active; i++) {
            x[i] = weights[n] * of_x[i];
        }
        for (size_t i = 0; i < count; i++) {
            c[i] = weights[n] * of_c[i];
        }
        for (size_t s = n + 1; s-- > 0;) {
            size_t at = (first + s) * count;
            back_drift(band, gradient, band->c + at, s < n ? h : 0.5 * h, x, c);
            weigh_impulses(band, of_p, weights[n], c, of_impulse);
            back_forces(band, gradient, at, h, of_impulse, c, x);
        }
        back_drift(band, gradient, band->c0, 0.5 * h, x, c);
        first += n + 1;
        for (size_t i = 0; i < active; i++) {
            x0[i] += x[i];
        }
        for (size_t i = 0; i < count; i++) {
            c0[i] += c[i];
        }
    }
    memcpy(of_x, x0, active * sizeof *of_x);
    memcpy(of_c, c0, count * sizeof *of_c);
}
