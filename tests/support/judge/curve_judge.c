/* The judge of curves: see curve_judge.h. */
#include "curve_judge.h"

#include <math.h>
#include <string.h>

#include "dense.h"
#include "fehlberg.h"

typedef long double real;

enum { STAGES = FEHLBERG_STAGES, STATE = 2 * SMALL };

static const real TOLERANCE = 1e-15L, DEAD = 1e-17L, END = 1e-11L;
static const unsigned long MOST_STEPS = 60000;

typedef enum phase { OPEN, LOADING, EXPANDING, UNLOADED } phase;

typedef struct run {
    curve_system given; /* with the slopes of tables */
    const curve_system *of;
    size_t n, s;
    bool mono;
    real d[SMALL * SMALL], to_velocity[SMALL * SMALL], c0[SMALL];
    real speed, depth[SMALL];
    phase phases[SMALL];
    real e[SMALL], open_at[SMALL]; /* of the present expansion */
    real far[SMALL], high[SMALL];  /* largest x, and y, with an unloading curve */
    size_t below[SMALL];           /* knots below x at the start of the step */
    real peak[SMALL], y[STATE];    /* x, p */
    bool rises[SMALL];             /* c was last above 0 */
    unsigned compressions;
} run;

/* ---- Curves ---------------------------------------------------------------------------------- */

typedef struct point {
    real force, slope, energy;
} point;

/* Fritsch and Carlson's slopes at the points of the table. */
static void find_slopes(drawn_curve *c)
{
    if (c->kind != CURVE_POINTS_TABLE) {
        return;
    }
    real *m = c->slope, d[CURVE_POINTS] = {0};
    for (size_t i = 0; i + 1 < c->count; i++) {
        d[i] = ((real)c->b[i + 1] - c->b[i]) / ((real)c->a[i + 1] - c->a[i]);
    }
    for (size_t i = 0; i < c->count; i++) {
        m[i] = i == 0 ? d[0] : i + 1 == c->count ? d[i - 1] : (d[i - 1] + d[i]) / 2;
    }
    for (size_t i = 0; i + 1 < c->count; i++) {
        real a = m[i] / d[i], b = m[i + 1] / d[i], radius = sqrtl(a * a + b * b);
        if (radius > 3) {
            m[i] = 3 * a / radius * d[i];
            m[i + 1] = 3 * b / radius * d[i];
        }
    }
}

static point on_table(const drawn_curve *c, real x)
{
    point p = {0};
    for (size_t k = 0;; k++) {
        real m = c->slope[k], from = c->b[k];
        if (k + 1 == c->count) {
            real t = x - c->a[k];
            return (point){from + m * t, m, p.energy + t * (from + m * t / 2)};
        }
        real h = (real)c->a[k + 1] - c->a[k], to = c->b[k + 1], m1 = c->slope[k + 1];
        real t = fminl((x - c->a[k]) / h, 1);
        /* the integral of Hermite's four cubics, times h */
        p.energy +=
            h * (from * (t - t * t * t + t * t * t * t / 2) + to * (t * t * t - t * t * t * t / 2) +
                 m * h * t * t * (0.5L - 2 * t / 3 + t * t / 4) +
                 m1 * h * t * t * t * (t / 4 - 1 / 3.0L));
        if (x < c->a[k + 1]) {
            p.force = from * (1 + t * t * (2 * t - 3)) + to * t * t * (3 - 2 * t) +
                      m * h * t * (1 - t) * (1 - t) - m1 * h * t * t * (1 - t);
            p.slope = 6 * (to - from) / h * t * (1 - t) + m * (1 - t) * (1 - 3 * t) +
                      m1 * t * (3 * t - 2);
            return p;
        }
    }
}

static point on_powers(const drawn_curve *c, size_t count, real x)
{
    point p = {0};
    for (size_t k = 0; k < count; k++) {
        real eta = c->b[k], f = c->a[k] * (eta == 1      ? x
                                           : eta == 1.5L ? x * sqrtl(x)
                                                         : powl(x, eta));
        p.force += f;
        p.slope += eta * f / x;
        p.energy += f * x / (1 + eta);
    }
    return p;
}

static point on_curve(const drawn_curve *c, real x)
{
    if (!(x > 0)) {
        return (point){0};
    }
    if (c->kind == CURVE_POINTS_TABLE) {
        return on_table(c, x);
    }
    if (c->kind == CURVE_BOUNDED && x > c->yield) {
        point at = on_powers(c, 1, c->yield);
        real t = x - c->yield;
        return (point){at.force + t * at.slope, at.slope,
                       at.energy + t * (at.force + t * at.slope / 2)};
    }
    return on_powers(c, c->kind == CURVE_BOUNDED ? 1 : c->count, x);
}

/* The x with this energy (or force): by halving. */
static real inverse(const drawn_curve *c, real value, bool of_energy)
{
    real low = 0, high = 1;
    for (;;) {
        point p = on_curve(c, high);
        if ((of_energy ? p.energy : p.force) >= value) {
            break;
        }
        high *= 2;
    }
    for (int i = 0; i < 16000 && high - low > 1e-20L * high; i++) {
        real x = (low + high) / 2;
        point p = on_curve(c, x);
        *((of_energy ? p.energy : p.force) < value ? &low : &high) = x;
    }
    return high;
}

static const drawn_curve *curve_of(const run *r, size_t j)
{
    const drawn_contact *c = &r->of->contact[j];
    return r->phases[j] == UNLOADED ? &c->unloading : &c->loading;
}

/* ---- The differential equations -------------------------------------------------------------- */

static void closing(const run *r, const real *y, real *c)
{
    for (size_t j = 0; j < r->s; j++) {
        c[j] = r->c0[j];
        for (size_t k = 0; k < r->s; k++) {
            c[j] -= r->d[j * SMALL + k] * y[r->s + k];
        }
    }
}

static real rate_of(const run *r, size_t j)
{
    return r->phases[j] == OPEN                    ? 0
           : r->phases[j] == EXPANDING && !r->mono ? 1 / (r->e[j] * r->e[j])
                                                   : 1;
}

static real force_of(const run *r, size_t j, real x)
{
    return r->phases[j] == OPEN ? 0 : on_curve(curve_of(r, j), x).force;
}

static void rates(const run *r, const real *y, real *rate)
{
    real c[SMALL];
    closing(r, y, c);
    for (size_t j = 0; j < r->s; j++) {
        rate[j] = rate_of(r, j) * c[j];
        rate[r->s + j] = force_of(r, j, y[j]);
    }
}

static void accelerations(const run *r, const real *y, real *a)
{
    for (size_t j = 0; j < r->s; j++) {
        a[j] = 0;
        for (size_t k = 0; k < r->s; k++) {
            a[j] -= r->d[j * SMALL + k] * force_of(r, k, y[k]);
        }
    }
}

static real take(const run *r, real h, real *y1)
{
    real k[STAGES][STATE], y[STATE], worst = 0;
    size_t size = 2 * r->s;
    for (size_t i = 0; i < STAGES; i++) {
        for (size_t l = 0; l < size; l++) {
            y[l] = r->y[l];
            for (size_t m = 0; m < i; m++) {
                y[l] += h * fehlberg_stage[i][m] * k[m][l];
            }
        }
        rates(r, y, k[i]);
    }
    for (size_t l = 0; l < size; l++) {
        y1[l] = r->y[l];
        for (size_t i = 0; i < STAGES; i++) {
            y1[l] += h * fehlberg_weight[i] * k[i][l];
        }
        real error = fabsl(fehlberg_error_weight * h * (k[0][l] + k[10][l] - k[11][l] - k[12][l]));
        real scale = l < r->s ? r->depth[l] : r->speed / r->d[(l - r->s) * (SMALL + 1)];
        worst = fmaxl(worst, error / scale);
    }
    return worst;
}

/* Where the curve is less smooth. */
static size_t knots_below(const drawn_curve *c, real x, real *nearest)
{
    size_t count = 0, all = c->kind == CURVE_POWERS ? 0 : c->kind == CURVE_BOUNDED ? 1 : c->count;
    *nearest = INFINITY;
    for (size_t k = 0; k < all; k++) {
        real knot = c->kind == CURVE_BOUNDED ? c->yield : c->a[k];
        count += knot > 0 && knot < x;
        *nearest = knot > 0 ? fminl(*nearest, fabsl(x - knot)) : *nearest;
    }
    return count;
}

/* Near x = 0, where a curve may be a broken power, x changes by a part of itself, down to where it
 * stores next to nothing.
 */
static real longest_near_zero(const run *r)
{
    real c[SMALL], a[SMALL], length = INFINITY;
    closing(r, r->y, c);
    accelerations(r, r->y, a);
    for (size_t j = 0; j < r->s; j++) {
        if (r->phases[j] != OPEN) {
            real change = fmaxl(0.3L * r->y[j], 1e-8L * r->depth[j]) / rate_of(r, j);
            length = fminl(length, fminl(change / fabsl(c[j]), sqrtl(change / fabsl(a[j]))));
        }
    }
    return length;
}

/* A part of the time in which the stiffest contact swings. */
static real longest(const run *r)
{
    real most = 0;
    for (size_t j = 0; j < r->s; j++) {
        real sum = 0;
        for (size_t k = 0; k < r->s; k++) {
            if (r->phases[k] != OPEN && r->y[k] > 0) {
                sum += fabsl(r->d[j * SMALL + k]) * on_curve(curve_of(r, k), r->y[k]).slope *
                       rate_of(r, k);
            }
        }
        most = fmaxl(most, sum);
    }
    real usual = INFINITY;
    for (size_t j = 0; j < r->s; j++) {
        usual = fminl(usual, r->depth[j] / r->speed);
    }
    return fminl(fminl(0.1L / sqrtl(most), 0.1L * usual), longest_near_zero(r));
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* > 0: past an event. */
static real past(const run *r, const real *y)
{
    real c[SMALL], worst = -INFINITY;
    closing(r, y, c);
    for (size_t j = 0; j < r->s; j++) {
        real v = c[j] / r->speed, near;
        if (r->phases[j] != OPEN && knots_below(curve_of(r, j), y[j], &near) != r->below[j]) {
            worst = fmaxl(worst, near / r->depth[j]);
        }
        real of_speed = r->phases[j] == LOADING ? -v : r->phases[j] == UNLOADED ? -INFINITY : v;
        worst = fmaxl(worst, of_speed - DEAD);
        if (r->phases[j] == EXPANDING) {
            worst = fmaxl(worst, (r->open_at[j] - y[j]) / r->depth[j]);
        } else if (r->phases[j] == UNLOADED) {
            worst = fmaxl(worst, (y[j] - r->high[j]) / r->depth[j]);
            worst = fmaxl(worst, c[j] < 0 ? -y[j] / r->depth[j] : -INFINITY);
        }
    }
    return worst;
}

static void end_compression(run *r, size_t j)
{
    const drawn_contact *contact = &r->of->contact[j];
    point at = on_curve(&contact->loading, r->y[j]);
    real s = sqrtl(2 * at.energy * r->d[j * (SMALL + 1)]), e = r->of->system.restitution[j];
    r->peak[j] = fmaxl(r->peak[j], at.force);
    if (contact->unloads) {
        r->far[j] = r->y[j];
        r->y[j] = r->high[j] = inverse(&contact->unloading, at.force, false);
        r->phases[j] = UNLOADED;
        return;
    }
    e = contact->plain || contact->form == DRAWN_NUMBER ? e
        : contact->form == DRAWN_YIELD        ? fminl(1, powl(s / contact->parameter, -0.25L))
        : contact->form == DRAWN_VISCOELASTIC ? 1 - contact->parameter * powl(s, 0.2L)
                                              : 1 / (1 + contact->parameter * at.energy);
    r->e[j] = e;
    r->phases[j] = e > 0 ? EXPANDING : OPEN;
    r->open_at[j] =
        r->mono && e < 1 ? inverse(&contact->loading, (1 - e * e) * at.energy, true) : 0;
    r->y[j] = e > 0 ? r->y[j] : 0;
}

static bool settle_one(run *r, size_t j, real c, real a)
{
    real sign = fabsl(c) > DEAD * r->speed ? c : a, near = 1e-18L * r->depth[j];
    phase old = r->phases[j];
    if (old == LOADING && sign < 0) {
        end_compression(r, j);
    } else if (old == EXPANDING && r->y[j] <= r->open_at[j] + near) {
        r->phases[j] = OPEN;
        r->y[j] = 0;
    } else if (old == EXPANDING && sign > 0) {
        r->phases[j] = LOADING;
    } else if (old == OPEN && sign > 0) {
        r->phases[j] = r->far[j] > 0 ? UNLOADED : LOADING;
    } else if (old == UNLOADED && r->y[j] >= r->high[j] - near && sign > 0) {
        r->phases[j] = LOADING;
        r->y[j] = r->far[j];
    } else if (old == UNLOADED && r->y[j] <= near && sign < 0) {
        r->phases[j] = OPEN;
        r->y[j] = 0;
    }
    return r->phases[j] != old;
}

static void settle(run *r)
{
    bool changed = true;
    for (int round = 0; changed && round < 8 * SMALL; round++) {
        changed = false;
        for (size_t j = 0; j < r->s; j++) {
            real c[SMALL], a[SMALL];
            closing(r, r->y, c);
            accelerations(r, r->y, a);
            changed |= settle_one(r, j, c[j], a[j]);
        }
    }
}

static real step(run *r, real h)
{
    real y1[STATE], y[STATE], low = 0, high = h, near;
    for (size_t j = 0; j < r->s; j++) {
        r->below[j] = knots_below(curve_of(r, j), r->y[j], &near);
    }
    real error = take(r, h, y1);
    for (int i = 0; error > TOLERANCE && i < 60; i++) {
        h *= fmaxl(0.2L, 0.8L * powl(TOLERANCE / error, 0.125L));
        error = take(r, h, y1);
    }
    high = h;
    if (past(r, y1) > 0) {
        for (int i = 0; i < 80 && high - low > 1e-18L * h; i++) {
            real middle = (low + high) / 2;
            take(r, middle, y);
            if (past(r, y) > 0) {
                high = middle;
                memcpy(y1, y, sizeof y);
            } else {
                low = middle;
            }
        }
    }
    memcpy(r->y, y1, sizeof y1);
    return error > 0 ? h * fminl(3, 0.8L * powl(TOLERANCE / error, 0.125L)) : 3 * h;
}

/* ---- From start to end ----------------------------------------------------------------------- */

static void set_delassus(run *r)
{
    const small_system *s = &r->of->system;
    real mass[SMALL * SMALL];
    for (size_t i = 0; i < r->n * r->n; i++) {
        mass[i / r->n * SMALL + i % r->n] = s->mass[i];
    }
    dense_factorize(mass, r->n);
    for (size_t j = 0; j < r->s; j++) {
        real column[SMALL];
        for (size_t i = 0; i < r->n; i++) {
            column[i] = s->w[j * r->n + i];
        }
        dense_solve(mass, r->n, column);
        for (size_t i = 0; i < r->n; i++) {
            r->to_velocity[i * SMALL + j] = column[i];
        }
        for (size_t k = 0; k < r->s; k++) {
            for (size_t i = 0; i < r->n; i++) {
                r->d[k * SMALL + j] += s->w[k * r->n + i] * column[i];
            }
        }
    }
}

static void set_up(run *r, const curve_system *of, bool mono, double shift)
{
    const small_system *s = &of->system;
    *r = (run){.given = *of, .of = &r->given, .n = s->n, .s = s->s, .mono = mono};
    for (size_t j = 0; j < r->s; j++) {
        find_slopes(&r->given.contact[j].loading);
        find_slopes(&r->given.contact[j].unloading);
    }
    set_delassus(r);
    for (size_t j = 0; j < r->s; j++) {
        real u = s->boundary_velocity[j];
        for (size_t i = 0; i < r->n; i++) {
            u += (real)s->w[j * r->n + i] * s->velocity[i] * (1 + (i % 2 ? shift : -shift));
        }
        r->c0[j] = -u;
        real stored = sqrtl(2 * s->stored_energy[j] * r->d[j * (SMALL + 1)]);
        r->speed = fmaxl(r->speed, fmaxl(-u, stored));
    }
    for (size_t j = 0; j < r->s; j++) {
        const drawn_curve *f = &r->of->contact[j].loading;
        r->depth[j] = inverse(f, r->speed * r->speed / (2 * r->d[j * (SMALL + 1)]), true);
        if (s->stored_energy[j] > 0) {
            r->y[j] = inverse(f, s->stored_energy[j], true);
            r->phases[j] = LOADING;
            r->peak[j] = on_curve(f, r->y[j]).force;
        }
    }
}

/* What could still change a gap velocity, relative; 0: nothing is at work. */
static real amplitude(const run *r)
{
    real c[SMALL], most = 0;
    closing(r, r->y, c);
    for (size_t j = 0; j < r->s; j++) {
        if (r->phases[j] != OPEN) {
            real stored = on_curve(curve_of(r, j), r->y[j]).energy;
            most = fmaxl(most, sqrtl(2 * stored * r->d[j * (SMALL + 1)]));
            most = fmaxl(most, c[j]);
        }
    }
    return most / r->speed;
}

/* Steps are short beside every swing. */
static void count_compressions(run *r)
{
    const real seen = 1e-9L * r->speed;
    real c[SMALL];
    closing(r, r->y, c);
    for (size_t j = 0; j < r->s; j++) {
        bool presses = r->phases[j] != OPEN && r->y[j] > 1e-9L * r->depth[j];
        r->compressions += presses && r->rises[j] && c[j] < -seen;
        r->rises[j] = presses && (c[j] > seen || (r->rises[j] && !(c[j] < -seen)));
    }
}

/* What is left of the tail is closed plastically. */
static void close_tail(run *r)
{
    real c[SMALL], p[SMALL];
    closing(r, r->y, c);
    dense_project(r->d, r->s, 1e-18L * r->speed, c, p);
    for (size_t j = 0; j < r->s; j++) {
        r->y[r->s + j] += p[j];
    }
}

curve_judgement curve_judge(const curve_system *of, bool mono, double shift)
{
    run r;
    curve_judgement result = {0};
    set_up(&r, of, mono, shift);
    real next = INFINITY, left = 1;
    for (; result.steps < MOST_STEPS && left > END; result.steps++) {
        settle(&r);
        left = amplitude(&r);
        if (left > END) {
            next = step(&r, fminl(next, longest(&r)));
            count_compressions(&r);
        }
    }
    result.finished = left <= END;
    result.left = (double)left;
    result.compressions = r.compressions;
    if (left > 0) {
        close_tail(&r);
    }
    for (size_t i = 0; i < r.n; i++) {
        real v = (real)of->system.velocity[i] * (1 + (i % 2 ? shift : -shift));
        for (size_t j = 0; j < r.s; j++) {
            v += r.to_velocity[i * SMALL + j] * r.y[r.s + j];
        }
        result.velocity[i] = (double)v;
    }
    for (size_t j = 0; j < r.s; j++) {
        result.impulse[j] = (double)r.y[r.s + j];
        result.peak_force[j] = (double)r.peak[j];
    }
    return result;
}
