#include "admissible_judge.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { S = ADMISSIBLE_JUDGE_MOST, ROWS = 3 * S };

/* A x = b by Gauss with pivots over all; false: singular. */
static bool solve(size_t n, double a[ROWS][ROWS + 1])
{
    size_t column[ROWS];
    for (size_t i = 0; i < n; i++) {
        column[i] = i;
    }
    for (size_t k = 0; k < n; k++) {
        size_t row = k, best = k;
        for (size_t i = k; i < n; i++) {
            for (size_t j = k; j < n; j++) {
                if (fabs(a[i][j]) > fabs(a[row][best])) {
                    row = i;
                    best = j;
                }
            }
        }
        if (!(fabs(a[row][best]) > 1e-11)) {
            return false;
        }
        for (size_t j = 0; j <= n; j++) {
            double t = a[k][j];
            a[k][j] = a[row][j];
            a[row][j] = t;
        }
        for (size_t i = 0; i < n; i++) {
            double t = a[i][k];
            a[i][k] = a[i][best];
            a[i][best] = t;
        }
        size_t c = column[k];
        column[k] = column[best];
        column[best] = c;
        for (size_t i = 0; i < n; i++) {
            double f = i != k ? a[i][k] / a[k][k] : 0;
            for (size_t j = k; j <= n && f != 0; j++) {
                a[i][j] -= f * a[k][j];
            }
        }
    }
    double x[ROWS];
    for (size_t k = 0; k < n; k++) {
        x[column[k]] = a[k][n] / a[k][k];
    }
    for (size_t k = 0; k < n; k++) {
        a[k][n] = x[k];
    }
    return true;
}

typedef struct judged {
    size_t s;
    const double *d, *u, *c;
    double limit, theta, slack, least;
} judged;

static double energy(const judged *g, const double *p)
{
    double sum = 0;
    for (size_t i = 0; i < g->s; i++) {
        double dp = 0;
        for (size_t j = 0; j < g->s; j++) {
            dp += g->d[i * g->s + j] * p[j];
        }
        sum += p[i] * (g->u[i] + dp / 2);
    }
    return sum;
}

static void offer(judged *g, const double *p)
{
    double value = g->theta * energy(g, p), terms = 0;
    for (size_t i = 0; i < g->s; i++) {
        double w = g->u[i];
        for (size_t j = 0; j < g->s; j++) {
            w += g->d[i * g->s + j] * p[j];
        }
        terms += fabs(p[i] * g->u[i]);
        if (p[i] < -g->slack || w < -g->slack) {
            return;
        }
        value += g->c[i] * p[i];
    }
    if (energy(g, p) <= g->limit + g->slack * (terms + fabs(g->limit)) && value < g->least) {
        g->least = value;
    }
}

/* min q'x + x'Dx/2 with the equalities of `active`: bit 0 p_j = 0, bit 1 w_j = 0. `homogeneous`:
 * their right sides are 0.
 */
static bool stationary(const judged *g, const unsigned *active, const double *q, bool homogeneous,
                       double *x)
{
    static const double none[ROWS][ROWS + 1];
    double a[ROWS][ROWS + 1];
    memcpy(a, none, sizeof a);
    size_t s = g->s, n = s;
    size_t rows[2 * S], kinds[2 * S], count = 0;
    for (size_t j = 0; j < s; j++) {
        for (unsigned kind = 0; kind < 2; kind++) {
            if (active[j] & (1u << kind)) {
                rows[count] = j;
                kinds[count++] = kind;
            }
        }
    }
    n += count;
    for (size_t i = 0; i < s; i++) {
        for (size_t j = 0; j < s; j++) {
            a[i][j] = g->d[i * s + j];
        }
        a[i][n] = -q[i];
    }
    for (size_t k = 0; k < count; k++) {
        for (size_t j = 0; j < s; j++) {
            double entry = kinds[k] == 0 ? (double)(j == rows[k]) : g->d[rows[k] * s + j];
            a[s + k][j] = a[j][s + k] = entry;
        }
        a[s + k][n] = kinds[k] == 0 || homogeneous ? 0 : -g->u[rows[k]];
    }
    if (count > s || !solve(n, a)) {
        return false;
    }
    for (size_t i = 0; i < s; i++) {
        x[i] = a[i][n];
    }
    return true;
}

static void try_set(judged *g, const unsigned *active)
{
    double centre[S], way[S], p[S], q[S];
    size_t s = g->s;
    if (!stationary(g, active, g->u, false, centre)) {
        return;
    }
    offer(g, centre);
    if (!stationary(g, active, g->c, true, way)) {
        return;
    }
    double square = 0;
    for (size_t i = 0; i < s; i++) {
        for (size_t j = 0; j < s; j++) {
            square += way[i] * g->d[i * s + j] * way[j];
        }
    }
    double room = g->limit - energy(g, centre);
    if (square > 0 && room >= 0) {
        for (size_t i = 0; i < s; i++) {
            p[i] = centre[i] + sqrt(2 * room / square) * way[i];
        }
        offer(g, p);
    }
    if (g->theta > 0) { /* the energy is not at its limit */
        for (size_t i = 0; i < s; i++) {
            q[i] = g->u[i] + g->c[i] / g->theta;
        }
        if (stationary(g, active, q, false, p)) {
            offer(g, p);
        }
    }
}

double admissible_judge_least(size_t s, const double *d, const double *u, double limit,
                              double theta, const double *c, double slack)
{
    judged g = {s, d, u, c, limit, theta, slack, INFINITY};
    size_t sets = (size_t)1 << (2 * s);
    for (size_t code = 0; code < sets; code++) {
        unsigned active[S];
        for (size_t j = 0; j < s; j++) {
            active[j] = (unsigned)(code >> (2 * j)) & 3u;
        }
        try_set(&g, active);
    }
    return g.least;
}
