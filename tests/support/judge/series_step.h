/* A step of the third judge: its series, and how long it may be. Internal: see series.c. */
#ifndef CAROM_TEST_SERIES_STEP_H
#define CAROM_TEST_SERIES_STEP_H

#include <math.h>

#include "series_run.h"

static real force_at(const contact *k, real x)
{
    if (!(x > 0)) {
        return 0;
    }
    return k->stiffness * (k->hertz ? x * ROOT(x) : POWER(x, k->exponent));
}

static bool acts(const contact *k)
{
    return k->phase != OPEN && !k->faint;
}

static real product(const real *a, const real *b, unsigned order)
{
    real sum = 0;
    for (unsigned m = 0; m <= order; m++) {
        sum += a[m] * b[order - m];
    }
    return sum;
}

/* m x_0 f_m = sum over l = 1 .. m of ((eta + 1) l - m) x_l f_(m-l), from x f' = eta x' f; and
 * l x_l = rate c_(l-1).
 */
static void next_force(const run *r, contact *k, unsigned m)
{
    if (k->whole == 1) {
        k->fs[m] = k->stiffness * k->xs[m];
    } else if (k->whole == 2) {
        k->fs[m] = k->stiffness * product(k->xs, k->xs, m);
    } else if (k->whole == 3) {
        k->squares[m] = product(k->xs, k->xs, m);
        k->fs[m] = k->stiffness * product(k->squares, k->xs, m);
    } else if (m == 0) {
        k->fs[0] = k->force;
    } else {
        real by_c = product(k->cs, k->fs, m - 1), by_x = 0;
        for (unsigned l = 1; l <= m; l++) {
            by_x += k->xs[l] * k->fs[m - l];
        }
        k->fs[m] = ((k->exponent + 1) * k->rate * by_c * r->per[m] - by_x) * k->per_x;
    }
}

static void mark_faint(run *r)
{
    for (size_t j = 0; j < r->s; j++) {
        contact *k = &r->contacts[j];
        real e = k->restitution, pace;
        k->rate = k->phase == OPEN ? 0 : k->phase == EXPANDING && !r->mono ? 1 / (e * e) : (real)1;
        pace = SIZE_OF(k->rate * k->c);
        if (k->phase == OPEN || k->whole > 0) {
            k->faint = false;
            continue;
        }
        k->force = force_at(k, k->x);
        k->faint =
            !(k->x > 0) || k->strongest * k->force * k->x < 0.1L * r->tolerance * r->speed * pace;
        k->per_x = k->faint ? (real)0 : 1 / k->x;
    }
}

static void expand(run *r)
{
    for (size_t j = 0; j < r->s; j++) {
        contact *k = &r->contacts[j];
        k->xs[0] = k->x;
        k->cs[0] = k->c;
    }
    for (unsigned m = 0; m < r->order; m++) {
        for (size_t j = 0; j < r->s; j++) {
            contact *k = &r->contacts[j];
            k->xs[m + 1] = k->rate * k->cs[m] * r->per[m + 1];
            k->cs[m + 1] = 0;
            if (acts(k)) {
                next_force(r, k, m);
            }
        }
        for (size_t i = 0; i < r->s; i++) {
            contact *from = &r->contacts[i];
            real part = acts(from) ? from->fs[m] * r->per[m + 1] : (real)0;
            for (size_t l = r->start[i]; l < r->start[i + 1] && part != 0; l++) {
                size_t j = r->coupled[l];
                r->contacts[j].cs[m + 1] -= r->d[j * r->s + i] * part;
            }
        }
    }
}

static real value(const real *series, unsigned order, real t)
{
    real sum = series[order];
    for (unsigned m = order; m-- > 0;) {
        sum = sum * t + series[m];
    }
    return sum;
}

/* No value up to t is above. */
static real highest(const real *series, unsigned order, real t)
{
    real sum = 0;
    for (unsigned m = order + 1; m-- > 0;) {
        sum = sum * t + larger(series[m], 0);
    }
    return sum;
}

/* The last three terms are below the tolerance, and faint contacts stay so. */
static real step_length(const run *r)
{
    real h = HUGE_VALL;
    for (unsigned m = r->order - 2; m <= r->order; m++) {
        real most = 0;
        for (size_t j = 0; j < r->s; j++) {
            const contact *k = &r->contacts[j];
            most = larger(most, SIZE_OF(k->cs[m]) / r->speed);
            most = larger(most, SIZE_OF(k->xs[m]) / k->depth);
        }
        if (most > 0) {
            h = smaller(h, 0.9L * (real)expl(logl((long double)(r->tolerance / most)) / m));
        }
    }
    for (size_t j = 0; j < r->s; j++) {
        const contact *k = &r->contacts[j];
        if (!k->faint || k->phase == OPEN) {
            continue;
        }
        if (!(h < HUGE_VALL)) {
            h = k->depth / larger(k->c, r->band);
        }
        const real most = 0.1L * r->tolerance * r->speed;
        for (int round = 0; round < 200; round++) {
            real x = highest(k->xs, r->order, h);
            real impulse = k->strongest * force_at(k, x) * h;
            if (impulse <= most) {
                break;
            }
            h *= larger(0.1L, 0.9L * (real)powl((long double)(most / impulse),
                                                1.0L / (1.0L + (long double)k->exponent)));
        }
    }
    return h;
}

#endif
