/* The third judge's numbers, its contacts and how a run begins. Internal: see series.c.
 *
 * Numbers of 113 bits with SERIES_QUAD, else long double.
 */
#ifndef CAROM_TEST_SERIES_RUN_H
#define CAROM_TEST_SERIES_RUN_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "series.h"

#ifdef SERIES_QUAD
#include <quadmath.h>
typedef __float128 real;
#define SIZE_OF fabsq
#define POWER   powq
#define ROOT    sqrtq
#define NAME    series_judge_quad
static const real standard_tolerance = 1e-31L, rounding = 2e-34L;
enum { STANDARD_ORDER = 44 };
#else
typedef long double real;
#define SIZE_OF fabsl
#define POWER   powl
#define ROOT    sqrtl
#define NAME    series_judge_extended
static const real standard_tolerance = 2e-18L, rounding = 1.1e-19L;
enum { STANDARD_ORDER = 26 };
#endif

enum { MOST_ORDER = 48 };

typedef enum phase { OPEN, COMPRESSED, EXPANDING, ELASTIC } phase;

typedef struct contact {
    real stiffness, exponent, restitution;
    bool hertz;     /* the exponent is 3/2 */
    unsigned whole; /* the exponent, if it is 1, 2 or 3 */
    real depth;     /* scale of x */
    real strongest; /* of its couplings D */
    phase phase;
    real x, c, p, start_c;
    real open_at, since; /* x at which the expansion ends, and at which the phase began */
    real loss;
    bool faint; /* in this step */
    real rate, force, per_x;
    real xs[MOST_ORDER + 1], cs[MOST_ORDER + 1], fs[MOST_ORDER], squares[MOST_ORDER];
} contact;

typedef struct run {
    size_t n, s;
    real per[MOST_ORDER + 2]; /* 1 / m */
    bool mono;
    unsigned order;
    real tolerance, band, speed, lightest;
    real *d, *answer;        /* D, in rows of s; M^-1 w_j, in rows of n */
    size_t *start, *coupled; /* which D_jk are not 0: coupled[start[j]] ... */
    contact *contacts;
    unsigned long events;
} run;

/* Without memory there is no judge. */
static void *room(size_t count, size_t size)
{
    void *taken = calloc(count, size);
    if (taken == NULL) {
        abort();
    }
    return taken;
}

static real larger(real a, real b)
{
    return a > b ? a : b;
}

static real smaller(real a, real b)
{
    return a < b ? a : b;
}

/* ---- Setting up ------------------------------------------------------------------------------ */

static void factorize(real *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k <= i; k++) {
            real sum = a[i * n + k];
            for (size_t l = 0; l < k; l++) {
                sum -= a[i * n + l] * a[k * n + l];
            }
            a[i * n + k] = i == k ? ROOT(sum) : sum / a[k * n + k];
        }
    }
}

static void solve(const real *a, size_t n, real *b)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t l = 0; l < i; l++) {
            b[i] -= a[i * n + l] * b[l];
        }
        b[i] /= a[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t l = i + 1; l < n; l++) {
            b[i] -= a[l * n + i] * b[l];
        }
        b[i] /= a[i * n + i];
    }
}

static void list_coupled(run *r)
{
    size_t count = 0;
    for (size_t j = 0; j < r->s; j++) {
        r->start[j] = count;
        for (size_t k = 0; k < r->s; k++) {
            if (r->d[j * r->s + k] != 0 || r->d[k * r->s + j] != 0) {
                r->coupled[count++] = k;
            }
        }
    }
    r->start[r->s] = count;
}

static void set_couplings(run *r, const series_system *system)
{
    size_t n = r->n, s = r->s;
    real *mass = room(n * n, sizeof *mass), *unit = room(n, sizeof *unit);
    for (size_t i = 0; i < n * n; i++) {
        mass[i] = system->mass[i];
    }
    factorize(mass, n);
    for (size_t i = 0; i < n; i++) {
        memset(unit, 0, n * sizeof *unit);
        unit[i] = 1;
        solve(mass, n, unit);
        r->lightest = larger(r->lightest, unit[i]); /* of (M^-1)_ii */
    }
    for (size_t j = 0; j < s; j++) {
        for (size_t i = 0; i < n; i++) {
            r->answer[j * n + i] = system->w[j * n + i];
        }
        solve(mass, n, &r->answer[j * n]);
    }
    for (size_t j = 0; j < s; j++) {
        for (size_t k = 0; k < s; k++) {
            real *d = &r->d[j * s + k];
            for (size_t i = 0; i < n; i++) {
                *d += (real)system->w[j * n + i] * r->answer[k * n + i];
            }
            r->contacts[k].strongest = larger(r->contacts[k].strongest, SIZE_OF(*d));
        }
    }
    list_coupled(r);
    free(mass);
    free(unit);
}

static real energy_at(const contact *k, real x)
{
    return x > 0 ? k->stiffness * POWER(x, k->exponent + 1) / (k->exponent + 1) : (real)0;
}

static real depth_of(const contact *k, real energy)
{
    return energy > 0 ? POWER((k->exponent + 1) * energy / k->stiffness, 1 / (k->exponent + 1))
                      : (real)0;
}

static void set_contact(run *r, const series_system *system, size_t j)
{
    contact *k = &r->contacts[j];
    real u = system->boundary_velocity[j];
    for (size_t i = 0; i < r->n; i++) {
        u += (real)system->w[j * r->n + i] * (real)system->velocity[i];
    }
    k->start_c = k->c = -u;
    k->stiffness = system->stiffness[j];
    k->exponent = system->exponent[j];
    k->restitution = system->restitution[j];
    double eta = system->exponent[j];
    k->whole = eta == 1 || eta == 2 || eta == 3 ? (unsigned)eta : 0;
    k->hertz = eta == 1.5;
    k->x = k->since = depth_of(k, system->stored_energy[j]);
    k->phase = !(k->x > 0) ? OPEN : k->restitution == 1 ? ELASTIC : COMPRESSED;
    r->speed = larger(r->speed, k->c);
    real d = r->d[j * r->s + j];
    r->speed = larger(r->speed, ROOT(2 * (real)system->stored_energy[j] * d));
}

static void set_up(run *r, const series_system *system, series_options options)
{
    memset(r, 0, sizeof *r);
    r->n = system->n;
    r->s = system->s;
    r->d = room(r->s * r->s, sizeof *r->d);
    r->answer = room(r->s * r->n, sizeof *r->answer);
    r->start = room(r->s + 1, sizeof *r->start);
    r->coupled = room(r->s * r->s, sizeof *r->coupled);
    r->contacts = room(r->s, sizeof *r->contacts);
    r->mono = options.mono;
    r->order = options.order > 0 && options.order < MOST_ORDER ? options.order : STANDARD_ORDER;
    r->tolerance = options.tolerance > 0 ? (real)options.tolerance : standard_tolerance;
    for (unsigned m = 1; m < MOST_ORDER + 2; m++) {
        r->per[m] = (real)1 / m;
    }
    set_couplings(r, system);
    for (size_t j = 0; j < r->s; j++) {
        set_contact(r, system, j);
    }
    for (size_t j = 0; j < r->s; j++) {
        contact *k = &r->contacts[j];
        k->depth = depth_of(k, r->speed * r->speed / (2 * r->d[j * r->s + j]));
    }
    r->band = 100 * rounding * r->speed;
}

static void clear_away(run *r)
{
    free(r->d);
    free(r->answer);
    free(r->start);
    free(r->coupled);
    free(r->contacts);
}

#endif
