/* The third judge's numbers, its contacts and how a run begins. Internal: see series.c.
 *
 * Numbers of 113 bits with SERIES_QUAD, else long double.
 */
#ifndef CAROM_TEST_SERIES_RUN_H
#define CAROM_TEST_SERIES_RUN_H

#include <math.h>
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
    real d[SMALL][SMALL], answer[SMALL][SMALL]; /* D; M^-1 w_j */
    contact contacts[SMALL];
    unsigned long events;
} run;

static real larger(real a, real b)
{
    return a > b ? a : b;
}

static real smaller(real a, real b)
{
    return a < b ? a : b;
}

/* ---- Setting up ------------------------------------------------------------------------------ */

static void factorize(real a[SMALL][SMALL], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k <= i; k++) {
            real sum = a[i][k];
            for (size_t l = 0; l < k; l++) {
                sum -= a[i][l] * a[k][l];
            }
            a[i][k] = i == k ? ROOT(sum) : sum / a[k][k];
        }
    }
}

static void solve(real a[SMALL][SMALL], size_t n, real *b)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t l = 0; l < i; l++) {
            b[i] -= a[i][l] * b[l];
        }
        b[i] /= a[i][i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t l = i + 1; l < n; l++) {
            b[i] -= a[l][i] * b[l];
        }
        b[i] /= a[i][i];
    }
}

static void set_couplings(run *r, const small_system *system)
{
    real mass[SMALL][SMALL];
    for (size_t i = 0; i < r->n; i++) {
        for (size_t k = 0; k < r->n; k++) {
            mass[i][k] = system->mass[i * r->n + k];
        }
    }
    factorize(mass, r->n);
    for (size_t i = 0; i < r->n; i++) {
        real unit[SMALL] = {0};
        unit[i] = 1;
        solve(mass, r->n, unit);
        r->lightest = larger(r->lightest, unit[i]); /* of (M^-1)_ii */
    }
    for (size_t j = 0; j < r->s; j++) {
        for (size_t i = 0; i < r->n; i++) {
            r->answer[j][i] = system->w[j * r->n + i];
        }
        solve(mass, r->n, r->answer[j]);
    }
    for (size_t j = 0; j < r->s; j++) {
        for (size_t k = 0; k < r->s; k++) {
            for (size_t i = 0; i < r->n; i++) {
                r->d[j][k] += (real)system->w[j * r->n + i] * r->answer[k][i];
            }
            r->contacts[k].strongest = larger(r->contacts[k].strongest, SIZE_OF(r->d[j][k]));
        }
    }
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

static void set_contact(run *r, const small_system *system, size_t j)
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
    r->speed = larger(r->speed, ROOT(2 * (real)system->stored_energy[j] * r->d[j][j]));
}

static void set_up(run *r, const small_system *system, series_options options)
{
    memset(r, 0, sizeof *r);
    r->n = system->n;
    r->s = system->s;
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
        k->depth = depth_of(k, r->speed * r->speed / (2 * r->d[j][j]));
    }
    r->band = 100 * rounding * r->speed;
}

#endif
