/* Mehrotra's predictor-corrector method (S. Mehrotra, SIAM J. Optim. 2 (1992)) for the strictly
 * convex proximal problem
 *     w = A p + b,  A = D + delta diag(D),  b = q - delta diag(D) c,   p, w > 0,  p_k w_k -> 0,
 * or, with delta = 0 in A and b but not in the factor, for the problem itself.
 *
 * The number of its steps hardly depends on the number of contacts or on how many of them are
 * dependent, which is what pivoting cannot promise; pivoting is exact, which is what this is not.
 */
#include "lcp/interior.h"

#include <math.h>
#include <string.h>

enum { MAX_STEPS = 100 };

/* End of the path: the smaller of D_kk p_k and w_k, relative to the largest |q| and the terms of w.
 * What is below it on both sides may be put on either.
 */
static const double RESOLVED = 1e-14;

/* Also the end: the mean product has not fallen by half in so many steps. */
enum { MAX_IDLE_STEPS = 10 };

/* Part of the way to the nearest bound. */
static const double STEP_FRACTION = 0.995;
static const double SHORTEST_STEP = 1e-8;

static const double STORE_MARGIN = 10.0;

/* Products are drawn into [NARROW, WIDE] times their aim, by so many corrections at most. */
static const double NARROW = 0.1;
static const double WIDE = 10.0;
enum { MAX_CENTRALITY = 3 };

typedef struct interior {
    crm_lcp_pivoting *pivoting;
    const crm_lcp_matrix *matrix;
    size_t size;
    double delta;  /* in A: 0 unless anchored */
    double *p, *w; /* the point */
    double *b;
    double *residual; /* A p + b - w */
    double *dp, *dw;  /* predictor, then the step */
    double *target;
    double *saved_dp, *saved_dw;
    double *ratio; /* w / p */
} interior;

static interior lay_out(crm_lcp_pivoting *pivoting, bool anchored)
{
    size_t size = pivoting->matrix->size;
    double *work = pivoting->point_work;
    interior path = {.pivoting = pivoting,
                     .matrix = pivoting->matrix,
                     .size = size,
                     .delta = anchored ? pivoting->delta : 0.0};
    double **vectors[CRM_LCP_INTERIOR_VECTORS] = {
        &path.p,        &path.w,      &path.b,        &path.dp,       &path.dw,
        &path.residual, &path.target, &path.saved_dp, &path.saved_dw, &path.ratio};
    for (size_t v = 0; v < CRM_LCP_INTERIOR_VECTORS; v++) {
        *vectors[v] = work + v * size;
    }
    return path;
}

/* out = A p + b, and the size of its terms where the pivoting keeps that. */
static void product(const interior *path, double *out)
{
    const crm_lcp_matrix *matrix = path->matrix;
    for (size_t k = 0; k < path->size; k++) {
        double sum = path->b[k] + path->delta * matrix->diagonal[k] * path->p[k];
        double terms = path->pivoting->floor[k];
        for (size_t m = matrix->start[k]; m < matrix->start[k + 1]; m++) {
            double term = matrix->value[m] * path->p[matrix->column[m]];
            sum += term;
            terms += fabs(term);
        }
        out[k] = sum;
        path->pivoting->size[k] = terms;
    }
}

/* The proximal problems of one q differ by delta diag(D)(p - p'). A point of the path at which
 * every w_k is larger than that is as good for all of them.
 */
static void store(interior *path, double mean)
{
    crm_lcp_pivoting *pivoting = path->pivoting;
    double largest = 0.0;
    for (size_t k = 0; k < path->size; k++) {
        largest = fmax(largest, path->p[k]);
    }
    if (path->delta > 0.0 && mean > STORE_MARGIN * path->delta * largest * largest) {
        memcpy(pivoting->path_store, path->p, path->size * sizeof(double));
        memcpy(pivoting->path_store + path->size, path->w, path->size * sizeof(double));
        pivoting->path_stored = true;
    }
}

static void begin(interior *path)
{
    const crm_lcp_pivoting *pivoting = path->pivoting;
    double largest = 0.0;
    for (size_t k = 0; k < path->size; k++) {
        path->b[k] = pivoting->q[k] - path->delta * path->matrix->diagonal[k] * pivoting->centre[k];
        largest = fmax(largest, fabs(path->b[k]));
    }
    if (path->delta > 0.0 && pivoting->path_stored) {
        memcpy(path->p, pivoting->path_store, path->size * sizeof(double));
        memcpy(path->w, pivoting->path_store + path->size, path->size * sizeof(double));
        return;
    }
    for (size_t k = 0; k < path->size; k++) {
        path->p[k] = largest;
    }
    product(path, path->w);
    for (size_t k = 0; k < path->size; k++) {
        path->w[k] = fmax(path->w[k], largest);
    }
}

static double mean_product(const interior *path, double step)
{
    double sum = 0.0;
    for (size_t k = 0; k < path->size; k++) {
        sum += (path->p[k] + step * path->dp[k]) * (path->w[k] + step * path->dw[k]);
    }
    return sum / (double)path->size;
}

/* Newton's step for A dp - dw = -residual, w dp + p dw = target - p w. */
static void newton_step(interior *path)
{
    double *right = path->pivoting->step;
    for (size_t k = 0; k < path->size; k++) {
        right[k] = -path->residual[k] - path->w[k] + path->target[k] / path->p[k];
    }
    crm_lcp_factor_solve(path->pivoting->factor, right);
    for (size_t k = 0; k < path->size; k++) {
        path->dp[k] = right[k];
        path->dw[k] = path->target[k] / path->p[k] - path->w[k] - path->ratio[k] * right[k];
    }
}

/* The longest step that keeps p and w >= 0, up to a little more than 1. */
static double longest_step(const interior *path)
{
    double step = 1.0 / STEP_FRACTION;
    for (size_t k = 0; k < path->size; k++) {
        if (path->dp[k] < 0.0) {
            step = fmin(step, -path->p[k] / path->dp[k]);
        }
        if (path->dw[k] < 0.0) {
            step = fmin(step, -path->w[k] / path->dw[k]);
        }
    }
    return step;
}

static void advance(interior *path, double step)
{
    for (size_t k = 0; k < path->size; k++) {
        path->p[k] += step * path->dp[k];
        path->w[k] += step * path->dw[k];
    }
}

/* J. Gondzio's correction (Comput. Optim. Appl. 6 (1996)): aim for a longer step by moving the
 * products that would end far from the mean back towards it.
 */
static void correct_centrality(interior *path, double wanted, double centring)
{
    for (size_t k = 0; k < path->size; k++) {
        double end = (path->p[k] + wanted * path->dp[k]) * (path->w[k] + wanted * path->dw[k]);
        double aim = fmin(fmax(end, NARROW * centring), WIDE * centring);
        path->target[k] += fmax(aim - end, -WIDE * centring);
    }
    newton_step(path);
}

static void save_step(interior *path)
{
    memcpy(path->saved_dp, path->dp, path->size * sizeof(double));
    memcpy(path->saved_dw, path->dw, path->size * sizeof(double));
}

static void restore_step(interior *path)
{
    memcpy(path->dp, path->saved_dp, path->size * sizeof(double));
    memcpy(path->dw, path->saved_dw, path->size * sizeof(double));
}

/* Corrections as long as each buys a clearly longer step. Returns the longest step. */
static double correct_repeatedly(interior *path, double centring)
{
    double longest = longest_step(path);
    for (unsigned count = 0; count < MAX_CENTRALITY && longest < 0.95; count++) {
        double wanted = fmin(1.0, 1.5 * longest + 0.1);
        save_step(path);
        correct_centrality(path, wanted, centring);
        double corrected = longest_step(path);
        if (corrected < longest + 0.1 * (wanted - longest)) {
            if (corrected < longest) {
                restore_step(path);
            }
            return fmax(longest, corrected);
        }
        longest = corrected;
    }
    return longest;
}

/* Residual, ratio and factor at the point; *regular is false when rounding has spoilt them. */
static crm_status prepare(interior *path, bool *regular, crm_error *error)
{
    double smallest;
    product(path, path->residual);
    for (size_t k = 0; k < path->size; k++) {
        path->residual[k] -= path->w[k];
        path->ratio[k] = path->w[k] / path->p[k];
        path->target[k] = 0.0;
    }
    crm_status status = crm_lcp_factor_set(path->pivoting->factor, NULL, path->pivoting->delta,
                                           path->ratio, &smallest, error);
    *regular = status == CRM_OK && smallest > 0.0;
    return status;
}

/* One step down the path; *moved is false when rounding stops it. */
static crm_status descend(interior *path, bool *moved, crm_error *error)
{
    double mean = mean_product(path, 0.0);
    store(path, mean);
    crm_status status = prepare(path, moved, error);
    if (status != CRM_OK || !*moved) {
        return status;
    }
    newton_step(path);
    double reduced = mean_product(path, fmin(1.0, longest_step(path))) / mean;
    double centring = reduced * reduced * reduced * mean;
    for (size_t k = 0; k < path->size; k++) {
        path->target[k] = centring - path->dp[k] * path->dw[k];
    }
    newton_step(path);
    double longest = correct_repeatedly(path, centring);
    double step = fmin(1.0, fmax(STEP_FRACTION, 1.0 - reduced) * longest);
    *moved = step > SHORTEST_STEP && isfinite(step);
    if (*moved) {
        advance(path, step);
    }
    return CRM_OK;
}

/* Whether every contact can be told to be on one side or the other, as of the last product. */
static bool resolved(const interior *path)
{
    for (size_t k = 0; k < path->size; k++) {
        double smaller = fmin(path->matrix->diagonal[k] * path->p[k], path->w[k]);
        if (smaller > RESOLVED * path->pivoting->size[k]) {
            return false;
        }
    }
    return true;
}

/* Down the path as far as it leads. */
static crm_status follow(interior *path, crm_error *error)
{
    double halved = INFINITY;
    unsigned idle = 0;
    bool moved = true;
    for (unsigned count = 0; count < MAX_STEPS && moved && idle < MAX_IDLE_STEPS; count++) {
        crm_status status = descend(path, &moved, error);
        if (status != CRM_OK || resolved(path)) {
            return status;
        }
        double mean = mean_product(path, 0.0);
        idle = mean < 0.5 * halved ? 0 : idle + 1;
        halved = idle == 0 ? mean : halved;
    }
    return CRM_OK;
}

crm_status crm_lcp_interior(crm_lcp_pivoting *pivoting, bool anchored, crm_error *error)
{
    interior path = lay_out(pivoting, anchored);
    begin(&path);
    pivoting->factored_valid = false;
    crm_status status = follow(&path, error);
    for (size_t k = 0; k < path.size; k++) {
        pivoting->active[k] = path.matrix->diagonal[k] * path.p[k] > path.w[k];
        path.p[k] = pivoting->active[k] ? path.p[k] : 0.0;
    }
    return status;
}
