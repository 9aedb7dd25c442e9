/* A point near the answer by the interior-point method: Mehrotra's predictor and corrector
 * (S. Mehrotra, SIAM J. Optim. 2 (1992)) for
 *
 *     x = C p,   C'x - b = s,   p, s > 0,   p_j s_j -> 0.
 *
 * Newton's step, with the residuals of the three on the right: dx from
 * (I + C diag(p/s) C') dx = r_x + C (r_c + p r_s)/s, ds = C'dx - r_s, dp = (r_c - p ds)/s. The
 * number of steps hardly grows with the number of contacts and does not depend on how they depend
 * on each other. Exchanges of sets have no such bound, but are exact, which this is not.
 */
#include <math.h>
#include <string.h>

#include "motion/stepping/primal/internal.h"

/* Steps at most, and without the mean product falling by half. */
enum { MAX_STEPS = 60, STEPS_WITHOUT_GAIN = 4 };
/* The end: p s is this squared, in the mean. */
static const double NEAR = 1e-9;
/* Largest residual of the equations then. */
static const double ON_PATH = 1e-9;
/* The least p and s at the start: relative to the error of the guess, and absolute. */
static const double INSIDE = 0.1, LEAST = 1e-4;
/* The weights p/s are bounded by its inverse. */
static const double DELTA = 1e-14;
/* The part of the way to the boundary that a step may go. */
static const double NEARLY = 0.995;

typedef struct path {
    crm_primal *primal;
    const crm_primal_problem *problem;
    size_t contacts, size;
    double *p, *s, *dp, *ds, *residual; /* residual: r_s */
    double *r_c;
    double *x, *dx, *right; /* right: r_x, then what the factor is asked for */
} path;

/* r_x = C p - x to `right`, r_s = b - C'x + s to `residual`; the largest entry. */
static double find_residual(path *at)
{
    double largest = 0;
    crm_primal_apply(at->problem, at->p, at->right);
    for (size_t i = 0; i < at->size; i++) {
        at->right[i] -= at->x[i];
        largest = fmax(largest, fabs(at->right[i]));
    }
    crm_primal_slack(at->primal, at->problem, at->x, at->residual);
    for (size_t j = 0; j < at->contacts; j++) {
        at->residual[j] = at->s[j] - at->residual[j];
        largest = fmax(largest, fabs(at->residual[j]));
    }
    return largest;
}

static bool factor(path *at)
{
    double *weight = at->primal->weight;
    for (size_t j = 0; j < at->contacts; j++) {
        weight[j] = 1 / (at->s[j] / at->p[j] + DELTA);
    }
    at->primal->has_factor = false;
    at->primal->info->factorizations++;
    return crm_primal_factor_set(at->primal->factor, at->problem, weight);
}

/* The step for the right-hand sides in `right` (kept), `residual` and r_c. */
static void find_step(path *at)
{
    const double *weight = at->primal->weight;
    for (size_t j = 0; j < at->contacts; j++) {
        at->dp[j] = weight[j] * (at->residual[j] + at->r_c[j] / at->p[j]);
    }
    crm_primal_apply(at->problem, at->dp, at->dx);
    for (size_t i = 0; i < at->size; i++) {
        at->dx[i] += at->right[i];
    }
    crm_primal_factor_solve(at->primal->factor, at->dx);
    for (size_t j = 0; j < at->contacts; j++) {
        double along = crm_primal_dot(at->problem, j, at->dx);
        at->dp[j] -= weight[j] * along;
        at->ds[j] = along - at->residual[j];
    }
}

/* How far along the step all stay positive, at most 1. */
static double reach(const path *at)
{
    double way = 1;
    for (size_t j = 0; j < at->contacts; j++) {
        way = at->dp[j] < 0 ? fmin(way, -at->p[j] / at->dp[j]) : way;
        way = at->ds[j] < 0 ? fmin(way, -at->s[j] / at->ds[j]) : way;
    }
    return way;
}

static double mean(const path *at, double way)
{
    double sum = 0;
    for (size_t j = 0; j < at->contacts; j++) {
        sum += (at->p[j] + way * at->dp[j]) * (at->s[j] + way * at->ds[j]);
    }
    return sum / (double)at->contacts;
}

/* One step; false when there is none. */
static bool descend(path *at)
{
    if (!factor(at)) {
        return false;
    }
    for (size_t j = 0; j < at->contacts; j++) {
        at->r_c[j] = -at->p[j] * at->s[j];
    }
    find_step(at);
    double now = mean(at, 0), shrink = mean(at, reach(at)) / now;
    double common = now * shrink * shrink * shrink;
    for (size_t j = 0; j < at->contacts; j++) {
        at->r_c[j] = common - at->p[j] * at->s[j] - at->dp[j] * at->ds[j];
    }
    find_step(at);
    double way = fmin(1, NEARLY * reach(at));
    for (size_t j = 0; j < at->contacts; j++) {
        at->p[j] += way * at->dp[j];
        at->s[j] += way * at->ds[j];
    }
    for (size_t i = 0; i < at->size; i++) {
        at->x[i] += way * at->dx[i];
    }
    return way > 1e-8 && isfinite(mean(at, 0));
}

/* The equations are met. */
static bool is_feasible(const path *at, double residual)
{
    double most = 1;
    for (size_t j = 0; j < at->contacts; j++) {
        most = fmax(most, at->p[j]);
    }
    return residual <= ON_PATH * most;
}

/* The smaller of p and s, as a root of their mean product, is small beside the larger. */
static bool is_near(const path *at, double residual)
{
    return is_feasible(at, residual) && mean(at, 0) <= NEAR * NEAR;
}

/* Inside: what is known of p is kept, and no p or s is below a part of what it may be wrong by. */
static void begin(path *at)
{
    const double *start = at->primal->centre;
    double worst = 0;
    crm_primal_apply(at->problem, start, at->x);
    crm_primal_slack(at->primal, at->problem, at->x, at->s);
    for (size_t j = 0; j < at->contacts; j++) {
        worst = fmax(worst, fabs(fmin(start[j], at->s[j])));
    }
    double least = fmin(1, fmax(LEAST, INSIDE * worst));
    for (size_t j = 0; j < at->contacts; j++) {
        at->p[j] = fmax(least, start[j]);
        at->s[j] = fmax(least, at->s[j]);
    }
    crm_primal_apply(at->problem, at->p, at->x);
}

/* In the middle, as far inside as b is large. */
static void start_inside(path *at)
{
    for (size_t j = 0; j < at->contacts; j++) {
        at->p[j] = at->s[j] = 1;
    }
    crm_primal_apply(at->problem, at->p, at->x);
}

/* Steps until p s is small. False: no progress before the equations were satisfied. A step of the
 * length a reduces their residual by the factor 1 - a; steps remain short where the start is too
 * near to the boundary for its residual.
 */
static bool follow_path(path *at)
{
    double residual = find_residual(at), best = INFINITY;
    unsigned idle = 0;
    for (unsigned count = 0;
         count < MAX_STEPS && idle < STEPS_WITHOUT_GAIN && !is_near(at, residual); count++) {
        if (!descend(at)) {
            break;
        }
        residual = find_residual(at);
        double now = mean(at, 0);
        idle++;
        if (now < 0.5 * best) {
            best = now;
            idle = 0;
        }
    }
    return is_feasible(at, residual);
}

void crm_primal_interior(crm_primal *primal, const crm_primal_problem *problem)
{
    double *room = primal->interior;
    size_t n = problem->contacts;
    path at = {.primal = primal,
               .problem = problem,
               .contacts = n,
               .size = crm_primal_coordinates(&problem->shape),
               .p = primal->p,
               .s = primal->slack,
               .residual = primal->change,
               .dp = room,
               .ds = room + n,
               .r_c = room + 2 * n,
               .x = primal->x,
               .dx = primal->dx,
               .right = primal->target};
    begin(&at);
    if (!follow_path(&at)) {
        start_inside(&at);
        follow_path(&at);
    }
    for (size_t j = 0; j < n; j++) {
        primal->active[j] = at.p[j] > at.s[j];
        primal->centre[j] = primal->active[j] ? at.p[j] : 0;
    }
}
