#include "lcp_judge.h"

#include <math.h>
#include <string.h>

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 quad;
#else
typedef long double quad; /* where long double is as wide */
#endif

/* Numbers of size 1 below this are 0 but for rounding; residuals must stay below `enough`. */
static const double nothing = 1e-29;
static const double enough = 1e-25;
/* Part of a contact's own D that is left when the others are taken out of it: below, dependent. */
static const double dependent = 1e-26;
/* Speeds that may be 0 but for the rounding of W. */
static const double rounded = 1e-12;

static quad size_of(quad x)
{
    return x < 0 ? -x : x;
}

static quad larger(quad a, quad b)
{
    return a > b ? a : b;
}

/* ---- The problem ----------------------------------------------------------------------------- */

/* In units in which D_jj = 1 and the largest |q| is 1, so that zeros can be told. */
typedef struct judged {
    size_t n, s;
    quad inverse_times_w[SMALL][SMALL]; /* M^-1 w_j by contacts */
    quad d[SMALL][SMALL];
} judged;

/* x := M^-1 x by elimination; M is definite. */
static void solve_mass(const small_system *system, quad *x)
{
    size_t n = system->n;
    quad a[SMALL][SMALL];
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            a[i][k] = system->mass[i * n + k];
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = i + 1; k < n; k++) {
            quad factor = a[k][i] / a[i][i];
            for (size_t l = i; l < n; l++) {
                a[k][l] -= factor * a[i][l];
            }
            x[k] -= factor * x[i];
        }
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++) {
            x[i] -= a[i][k] * x[k];
        }
        x[i] /= a[i][i];
    }
}

static quad along(const small_system *system, size_t contact, const quad *x)
{
    quad sum = 0;
    for (size_t i = 0; i < system->n; i++) {
        sum += (quad)system->w[contact * system->n + i] * x[i];
    }
    return sum;
}

static judged prepare(const small_system *system)
{
    judged problem = {.n = system->n, .s = system->s};
    for (size_t j = 0; j < system->s; j++) {
        for (size_t i = 0; i < system->n; i++) {
            problem.inverse_times_w[j][i] = system->w[j * system->n + i];
        }
        solve_mass(system, problem.inverse_times_w[j]);
    }
    for (size_t j = 0; j < system->s; j++) {
        for (size_t k = 0; k < system->s; k++) {
            problem.d[j][k] = along(system, j, problem.inverse_times_w[k]);
        }
    }
    return problem;
}

/* ---- Lemke's method -------------------------------------------------------------------------- */

/* Row i of the tableau is basic variable basis[i]: 0 .. s-1 for w, s .. 2s-1 for p, 2s for the
 * artificial one. The columns of w hold the inverse of the basis.
 */
typedef struct tableau {
    size_t s;
    size_t basis[SMALL];
    quad row[SMALL][2 * SMALL + 2];
} tableau;

static void pivot(tableau *t, size_t r, size_t column)
{
    size_t width = 2 * t->s + 2;
    quad by = t->row[r][column];
    for (size_t k = 0; k < width; k++) {
        t->row[r][k] /= by;
    }
    for (size_t i = 0; i < t->s; i++) {
        quad factor = t->row[i][column];
        for (size_t k = 0; i != r && factor != 0 && k < width; k++) {
            t->row[i][k] -= factor * t->row[r][k];
        }
    }
    t->basis[r] = column;
}

/* Whether row a, divided by its pivot, is before row b: by right-hand sides and, where these are
 * equal, by the inverse of the basis, so that no basis comes back.
 */
static bool leaves_before(const tableau *t, size_t a, size_t b, size_t column)
{
    size_t last = 2 * t->s + 1;
    for (size_t k = 0; k <= t->s; k++) {
        size_t place = k == 0 ? last : k - 1;
        quad x = t->row[a][place] / t->row[a][column], y = t->row[b][place] / t->row[b][column];
        if (size_of(x - y) > nothing * larger(1, larger(size_of(x), size_of(y)))) {
            return x < y;
        }
    }
    return false;
}

static size_t find_leaving(const tableau *t, size_t column)
{
    size_t best = SIZE_MAX;
    quad largest = 0;
    for (size_t i = 0; i < t->s; i++) {
        largest = larger(largest, size_of(t->row[i][column]));
    }
    for (size_t i = 0; i < t->s; i++) {
        if (t->row[i][column] > nothing * larger(1, largest) &&
            (best == SIZE_MAX || leaves_before(t, i, best, column))) {
            best = i;
        }
    }
    return best;
}

/* The p that grow without end when `entering` does. */
static void follow_ray(const tableau *t, size_t entering, quad *p)
{
    memset(p, 0, t->s * sizeof *p);
    if (entering >= t->s) {
        p[entering - t->s] = 1;
    }
    for (size_t i = 0; i < t->s; i++) {
        if (t->basis[i] >= t->s && t->basis[i] < 2 * t->s) {
            p[t->basis[i] - t->s] = larger(-t->row[i][entering], 0);
        }
    }
}

/* w - D p - z0 = q. Returns whether p solves the problem; false: it is a ray. */
static bool lemke(const quad d[SMALL][SMALL], size_t s, const quad *q, quad *p)
{
    tableau t = {.s = s};
    size_t artificial = 2 * s, first = 0;
    memset(p, 0, s * sizeof *p);
    for (size_t i = 0; i < s; i++) {
        t.basis[i] = i;
        t.row[i][i] = 1;
        for (size_t k = 0; k < s; k++) {
            t.row[i][s + k] = -d[i][k];
        }
        t.row[i][artificial] = -1;
        t.row[i][artificial + 1] = q[i];
        first = q[i] < q[first] ? i : first;
    }
    if (s == 0 || q[first] >= 0) {
        return true;
    }
    size_t entering = s + first;
    pivot(&t, first, artificial);
    for (size_t count = 0; count < 1000; count++) {
        size_t r = find_leaving(&t, entering);
        if (r == SIZE_MAX) {
            follow_ray(&t, entering, p);
            return false;
        }
        /* z0 leaves wherever it may */
        for (size_t i = 0; i < s; i++) {
            bool may = t.basis[i] == artificial && t.row[i][entering] > nothing;
            quad mine = may ? t.row[i][artificial + 1] / t.row[i][entering] : 0;
            quad least = t.row[r][artificial + 1] / t.row[r][entering];
            r = may && mine <= least + nothing ? i : r;
        }
        size_t left = t.basis[r];
        pivot(&t, r, entering);
        if (left == artificial) {
            break;
        }
        entering = left < s ? left + s : left - s;
    }
    for (size_t i = 0; i < s; i++) {
        if (t.basis[i] >= s && t.basis[i] < artificial) {
            p[t.basis[i] - s] = larger(t.row[i][artificial + 1], 0);
        }
    }
    return true;
}

/* ---- Every set ------------------------------------------------------------------------------- */

static bool holds(const quad d[SMALL][SMALL], size_t s, const quad *q, const quad *p, quad *w);

/* D over the contacts chosen = L L', row by row. */
typedef struct choice {
    size_t count, member[SMALL];
    quad l[SMALL][SMALL];
} choice;

static quad root(quad x) /* by Newton's method from the double's */
{
    quad y = sqrt((double)x);
    return x > 0 ? (y + x / y) / 2 : 0;
}

/* false: depends on those chosen before. */
static bool choose(const quad d[SMALL][SMALL], size_t j, choice *c)
{
    quad *row = c->l[c->count];
    quad rest = d[j][j];
    for (size_t k = 0; k < c->count; k++) {
        row[k] = d[j][c->member[k]];
        for (size_t l = 0; l < k; l++) {
            row[k] -= row[l] * c->l[k][l];
        }
        row[k] /= c->l[k][k];
        rest -= row[k] * row[k];
    }
    if (!(rest > dependent)) {
        return false;
    }
    row[c->count] = root(rest);
    c->member[c->count++] = j;
    return true;
}

static void solve_chosen(const choice *c, size_t s, const quad *q, quad *p)
{
    quad x[SMALL];
    memset(p, 0, s * sizeof *p);
    for (size_t k = 0; k < c->count; k++) {
        x[k] = -q[c->member[k]];
        for (size_t l = 0; l < k; l++) {
            x[k] -= c->l[k][l] * x[l];
        }
        x[k] /= c->l[k][k];
    }
    for (size_t k = c->count; k-- > 0;) {
        for (size_t l = k + 1; l < c->count; l++) {
            x[k] -= c->l[l][k] * x[l];
        }
        x[k] /= c->l[k][k];
        p[c->member[k]] = x[k];
    }
}

/* If there is a solution there is one whose loaded contacts are independent. */
static bool try_sets(const quad d[SMALL][SMALL], size_t s, const quad *q, size_t next, choice *c,
                     quad *p)
{
    quad w[SMALL];
    if (next == s) {
        solve_chosen(c, s, q, p);
        return holds(d, s, q, p, w);
    }
    size_t count = c->count;
    if (choose(d, next, c) && try_sets(d, s, q, next + 1, c, p)) {
        return true;
    }
    c->count = count;
    return try_sets(d, s, q, next + 1, c, p);
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* min(p, w) to `enough` of the terms. */
static bool holds(const quad d[SMALL][SMALL], size_t s, const quad *q, const quad *p, quad *w)
{
    for (size_t j = 0; j < s; j++) {
        quad terms = 1;
        w[j] = q[j];
        for (size_t k = 0; k < s; k++) {
            w[j] += d[j][k] * p[k];
            terms += size_of(d[j][k] * p[k]);
        }
        quad least = p[j] < w[j] ? p[j] : w[j];
        if (size_of(least) > enough * terms) {
            return false;
        }
    }
    return true;
}

/* Whether p >= 0, D p = 0 and q'p < 0, by more than W may be rounded: then nothing solves the
 * problem.
 */
static bool forbids(const quad d[SMALL][SMALL], size_t s, const quad *q, const quad *p)
{
    quad product = 0, size = 0;
    for (size_t j = 0; j < s; j++) {
        product += q[j] * p[j];
        size += p[j];
    }
    for (size_t j = 0; j < s; j++) {
        quad sum = 0;
        for (size_t k = 0; k < s; k++) {
            sum += d[j][k] * p[k];
        }
        if (size_of(sum) > enough * size) {
            return false;
        }
    }
    return product < -rounded * size;
}

/* Diagonal pivoting of D over the contacts that stay together: at less than `still`. Returns the
 * least pivot, 0 where they are dependent.
 */
static double find_nearness(const quad given[SMALL][SMALL], size_t s, const quad *w, const quad *p,
                            double still)
{
    bool left[SMALL];
    quad d[SMALL][SMALL];
    double nearness = 1;
    memcpy(d, given, sizeof d);
    for (size_t j = 0; j < s; j++) {
        left[j] = p[j] > 0 || w[j] < still;
    }
    for (;;) {
        size_t best = SIZE_MAX;
        for (size_t j = 0; j < s; j++) {
            if (left[j] && (best == SIZE_MAX || d[j][j] > d[best][best])) {
                best = j;
            }
        }
        if (best == SIZE_MAX) {
            return nearness;
        }
        if (d[best][best] < dependent) {
            return 0;
        }
        nearness = fmin(nearness, (double)d[best][best]);
        left[best] = false;
        for (size_t j = 0; j < s; j++) {
            quad factor = left[j] ? d[j][best] / d[best][best] : 0;
            for (size_t k = 0; k < s; k++) {
                d[j][k] -= factor * d[best][k];
            }
        }
    }
}

/* 0 <= p, D p + q >= 0, in the caller's units; the verdict learns what there is to say. */
static void solve(const judged *problem, const quad *q, quad *p, lcp_verdict *verdict)
{
    size_t s = problem->s;
    quad d[SMALL][SMALL], scaled[SMALL], w[SMALL] = {0}, scale[SMALL], unit = 0;
    for (size_t j = 0; j < s; j++) {
        scale[j] = 1 / root(problem->d[j][j]);
        unit = larger(unit, size_of(q[j] * scale[j]));
    }
    unit = unit > 0 ? unit : 1;
    for (size_t j = 0; j < s; j++) {
        scaled[j] = q[j] * scale[j] / unit;
        for (size_t k = 0; k < s; k++) {
            d[j][k] = problem->d[j][k] * scale[j] * scale[k];
        }
    }
    const quad(*matrix)[SMALL] = (const quad(*)[SMALL])d;
    choice none = {.count = 0};
    if (!lemke(matrix, s, scaled, p) && forbids(matrix, s, scaled, p)) {
        verdict->feasible = false;
        return;
    }
    if (!holds(matrix, s, scaled, p, w) && !try_sets(matrix, s, scaled, 0, &none, p)) {
        verdict->sure = false;
        return;
    }
    verdict->sure &= holds(matrix, s, scaled, p, w);
    double strict = find_nearness(matrix, s, w, p, enough);
    double loose = find_nearness(matrix, s, w, p, rounded);
    verdict->independent &= strict > 0;
    verdict->nearness = fmin(verdict->nearness, strict);
    verdict->clear &= (strict > 0) == (loose > 0);
    for (size_t j = 0; j < s; j++) {
        p[j] *= scale[j] * unit;
    }
}

static void apply(const judged *problem, const quad *p, quad *v)
{
    for (size_t j = 0; j < problem->s; j++) {
        for (size_t i = 0; i < problem->n; i++) {
            v[i] += problem->inverse_times_w[j][i] * p[j];
        }
    }
}

static void find_gap_velocity(const small_system *system, const quad *v, quad *u)
{
    for (size_t j = 0; j < system->s; j++) {
        u[j] = along(system, j, v) + (quad)system->boundary_velocity[j];
    }
}

static void start(const small_system *system, quad *v, quad *u)
{
    for (size_t i = 0; i < system->n; i++) {
        v[i] = system->velocity[i];
    }
    find_gap_velocity(system, v, u);
}

static void conclude(const small_system *system, const judged *problem, const quad *p,
                     lcp_verdict *verdict)
{
    quad v[SMALL], before[SMALL], after[SMALL], gain = 0, work = 0;
    start(system, v, before);
    if (!verdict->feasible) {
        return;
    }
    apply(problem, p, v);
    find_gap_velocity(system, v, after);
    for (size_t i = 0; i < system->n; i++) {
        verdict->velocity[i] = (double)v[i];
    }
    for (size_t j = 0; j < system->s; j++) {
        verdict->gap_velocity[j] = (double)after[j];
        verdict->impulse[j] = (double)p[j];
        gain += p[j] * (before[j] + after[j]) / 2;
        work -= p[j] * (quad)system->boundary_velocity[j];
    }
    double available = small_system_energy(system, system->velocity) + fabs((double)work);
    verdict->energy_made = available > 0 ? (double)gain / available : 0;
}

static const lcp_verdict believed = {
    .sure = true, .clear = true, .feasible = true, .independent = true, .nearness = 1};

lcp_verdict lcp_judge_newton(const small_system *system, const double *matrix)
{
    lcp_verdict verdict = believed;
    judged problem = prepare(system);
    quad v[SMALL], u[SMALL], q[SMALL], p[SMALL] = {0};
    start(system, v, u);
    for (size_t j = 0; j < system->s; j++) {
        q[j] = u[j];
        for (size_t k = 0; k < system->s; k++) {
            double own = j == k ? system->restitution[j] : 0;
            q[j] += (quad)(matrix != NULL ? matrix[j * system->s + k] : own) * u[k];
        }
    }
    solve(&problem, q, p, &verdict);
    conclude(system, &problem, p, &verdict);
    return verdict;
}

lcp_verdict lcp_judge_poisson(const small_system *system)
{
    lcp_verdict verdict = believed;
    judged problem = prepare(system);
    quad v[SMALL], u[SMALL] = {0}, p[SMALL] = {0}, more[SMALL] = {0};
    start(system, v, u);
    solve(&problem, u, p, &verdict);
    for (size_t j = 0; j < system->s; j++) {
        p[j] *= 1 + (quad)system->restitution[j];
    }
    if (verdict.feasible) {
        apply(&problem, p, v);
        find_gap_velocity(system, v, u);
        solve(&problem, u, more, &verdict);
    }
    for (size_t j = 0; j < system->s; j++) {
        p[j] += more[j];
    }
    conclude(system, &problem, p, &verdict);
    return verdict;
}
