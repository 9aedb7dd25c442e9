/* The first event within a step of the third judge: none can hide. Internal: see series.c. */
#ifndef CAROM_TEST_SERIES_EVENTS_H
#define CAROM_TEST_SERIES_EVENTS_H

#include <string.h>

#include "series_step.h"

/* g is at most 0 at first. */
typedef struct watched {
    real g[MOST_ORDER + 1];
    unsigned order;
    real finest; /* no need to look closer */
} watched;

static real root_between(const watched *w, real a, real b)
{
    for (int i = 0; i < 120 && b - a > rounding * b; i++) {
        real middle = a + (b - a) / 2;
        *(value(w->g, w->order, middle) > 0 ? &b : &a) = middle;
    }
    return b;
}

/* The first t in [a, b] with g > 0, or -1. Round the middle g is a polynomial with coefficients s
 * in units of the half width: where their sum is below 0 there is none; where one part outweighs
 * the rest of the slope there is one at most, and the end tells; else both halves are looked at.
 */
static real first_above(const watched *w, real a, real b)
{
    real half = (b - a) / 2, middle = a + half, s[MOST_ORDER + 1], unit = 1, above = 0, rest = 0;
    memcpy(s, w->g, sizeof s);
    for (unsigned i = 0; i < w->order; i++) {
        for (unsigned m = w->order; m-- > i;) {
            s[m] += middle * s[m + 1];
        }
    }
    for (unsigned m = 1; m <= w->order; m++) {
        unit *= half;
        s[m] *= unit;
        above += SIZE_OF(s[m]);
        rest += m > 1 ? m * SIZE_OF(s[m]) : (real)0;
    }
    if (s[0] + above <= 0) {
        return -1;
    }
    if (SIZE_OF(s[1]) > rest || half < w->finest) {
        return value(w->g, w->order, b) > 0 ? root_between(w, a, b) : (real)-1;
    }
    real first = first_above(w, a, middle);
    return first >= 0 ? first : first_above(w, middle, b);
}

static real first_in(const watched *w, real h)
{
    return w->g[0] + highest(w->g, w->order, h) <= 0 ? (real)-1 : first_above(w, 0, h);
}

static void watch(watched *w, const real *series, unsigned order, int sign, real level, real h)
{
    w->order = order;
    w->finest = 1e-13L * h;
    for (unsigned m = 0; m <= order; m++) {
        w->g[m] = sign > 0 ? series[m] : -series[m];
    }
    w->g[0] = smaller(w->g[0] - level, 0);
}

typedef struct event {
    size_t contact; /* s: none */
    bool opening;   /* else its speed has changed sign */
} event;

/* Lowers *h to the first event. */
static event find_event(const run *r, real *h)
{
    event found = {.contact = r->s};
    for (size_t j = 0; j < r->s; j++) {
        const contact *k = &r->contacts[j];
        watched w;
        if (k->phase != ELASTIC) {
            watch(&w, k->cs, r->order, k->phase == COMPRESSED ? -1 : 1, r->band, *h);
            real t = first_in(&w, *h);
            if (t >= 0) {
                *h = t;
                found = (event){j, false};
            }
        }
        if (k->phase == ELASTIC || k->phase == EXPANDING) {
            watch(&w, k->xs, r->order, -1, -k->open_at, *h);
            real t = first_in(&w, *h);
            if (t >= 0) {
                *h = t;
                found = (event){j, true};
            }
        }
    }
    return found;
}

#endif
