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

enum { MAX_STEPS = 150, MAX_WARM_STEPS = 30 };

/* End of the path: the smaller of D_kk p_k and w_k, relative to the largest |q| and the terms of w.
 * What is below it on both sides may be put on either.
 */
static const double RESOLVED = 1e-17;

/* A contact's side is clear when one is this part of the other, or both are this small. */
static const double CLEAR = 1e-3;
static const double BOTH_SMALL = 1e-7;
/* ... and D p + q - w is this small. */
static const double ON_PATH = 1e-11;

/* Also the end: neither the mean product nor the residual has fallen by half in so many steps. */
enum { MAX_IDLE_STEPS = 10 };

/* The least product a warm start begins with; the largest |q| is near 1. */
static const double WARM_LEAST = 1e-16;

/* Newton's equations are solved well enough when their residual is this part of w. */
static const double SOLVED = 0.03;
enum { MAX_CORRECTIONS = 4 };

/* Part of the way to the nearest bound. */
static const double STEP_FRACTION = 0.995;
static const double SHORTEST_STEP = 1e-8;

/* Products are drawn into [NARROW, WIDE] times their aim, by so many corrections at most. */
static const double NARROW = 0.1;
static const double WIDE = 10.0;
enum { MAX_CENTRALITY = 3 };

/* Parts of a correction that are tried. */
enum { PARTS = 8 };

typedef struct interior {
    crm_lcp_pivoting *pivoting;
    const crm_lcp_matrix *matrix;
    size_t size;
    double delta;  /* in A: 0 unless anchored */
    double *p, *w; /* the point */
    double *b;
    double *residual; /* A p + b - w */
    double *dp, *dw;  /* predictor, then the step */
    double *cp, *cw;  /* a correction of it */
    double *right;    /* work */
    double *ratio;    /* w / p */
} interior;

static interior lay_out(crm_lcp_pivoting *pivoting, bool anchored)
{
    size_t size = pivoting->matrix->size;
    double *work = pivoting->point_work;
    interior path = {.pivoting = pivoting,
                     .matrix = pivoting->matrix,
                     .size = size,
                     .delta = anchored ? pivoting->delta : 0.0};
    double **vectors[CRM_LCP_INTERIOR_VECTORS] = {&path.p,  &path.w,        &path.b,     &path.dp,
                                                  &path.dw, &path.residual, &path.right, &path.cp,
                                                  &path.cw, &path.ratio};
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

/* Far inside: every p_k and w_k as large as the largest |b|. */
static void begin_far(interior *path)
{
    double largest = 0.0;
    for (size_t k = 0; k < path->size; k++) {
        largest = fmax(largest, fabs(path->b[k]));
    }
    for (size_t k = 0; k < path->size; k++) {
        path->p[k] = largest;
    }
    product(path, path->w);
    for (size_t k = 0; k < path->size; k++) {
        path->w[k] = fmax(path->w[k], largest);
    }
}

/* On the path as far as can be told from a p near the solution: the larger of D_kk p_k and w_k is
 * kept, the smaller is what the common product makes it. The product is the mean square of the
 * start's residual.
 */
static void begin_near(interior *path)
{
    const double *diagonal = path->matrix->diagonal;
    double sum = 0.0;
    memcpy(path->p, path->pivoting->centre, path->size * sizeof(double));
    product(path, path->w);
    for (size_t k = 0; k < path->size; k++) {
        double residual = fmin(diagonal[k] * path->p[k], path->w[k]);
        sum += residual * residual;
    }
    double common = fmax(sum / (double)path->size, WARM_LEAST);
    for (size_t k = 0; k < path->size; k++) {
        double speed = diagonal[k] * path->p[k];
        bool loaded = speed > path->w[k];
        double larger = fmax(fmax(speed, path->w[k]), sqrt(common));
        path->p[k] = (loaded ? larger : common / larger) / diagonal[k];
        path->w[k] = loaded ? common / larger : larger;
    }
}

static void begin(interior *path, bool warm)
{
    const crm_lcp_pivoting *pivoting = path->pivoting;
    for (size_t k = 0; k < path->size; k++) {
        path->dp[k] = path->dw[k] = path->cp[k] = path->cw[k] = 0.0;
        path->b[k] = pivoting->q[k] - path->delta * path->matrix->diagonal[k] * pivoting->centre[k];
    }
    if (warm) {
        begin_near(path);
    } else {
        begin_far(path);
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

/* rest = right - (A + ratio) x. Returns the largest relative to w: what is left here adds to the
 * residual, which must become small beside w.
 */
static double newton_residual(const interior *path, const double *right, const double *x,
                              double *rest)
{
    const crm_lcp_matrix *matrix = path->matrix;
    double largest = 0.0;
    for (size_t k = 0; k < path->size; k++) {
        double sum = right[k] - (path->ratio[k] + path->delta * matrix->diagonal[k]) * x[k];
        for (size_t m = matrix->start[k]; m < matrix->start[k + 1]; m++) {
            sum -= matrix->value[m] * x[matrix->column[m]];
        }
        rest[k] = sum;
        largest = fmax(largest, fabs(sum) / path->w[k]);
    }
    return largest;
}

/* (A + ratio) x = right. The factor's delta, where it is not A's, and rounding are made good by
 * corrections.
 */
static void solve_newton(const interior *path, const double *right, double *x)
{
    double *rest = path->pivoting->step;
    double left = INFINITY;
    memcpy(rest, right, path->size * sizeof(double));
    memset(x, 0, path->size * sizeof(double));
    for (unsigned count = 0; count <= MAX_CORRECTIONS; count++) {
        crm_lcp_factor_solve(path->pivoting->factor, rest);
        for (size_t k = 0; k < path->size; k++) {
            x[k] += rest[k];
        }
        double last = left;
        left = newton_residual(path, right, x, rest);
        if (left <= SOLVED || left > 0.5 * last) {
            break;
        }
    }
}

/* Newton's step to the end of the path: A dp - dw = -residual, w dp + p dw = -p w. */
static void predict(interior *path)
{
    for (size_t k = 0; k < path->size; k++) {
        path->right[k] = -path->residual[k] - path->w[k];
    }
    solve_newton(path, path->right, path->dp);
    for (size_t k = 0; k < path->size; k++) {
        path->dw[k] = -path->w[k] - path->ratio[k] * path->dp[k];
    }
}

/* What a change of the products' aim by `right` adds: A cp - cw = 0, w cp + p cw = right. */
static void find_correction(interior *path)
{
    for (size_t k = 0; k < path->size; k++) {
        path->right[k] /= path->p[k];
    }
    solve_newton(path, path->right, path->cp);
    for (size_t k = 0; k < path->size; k++) {
        path->cw[k] = path->right[k] - path->ratio[k] * path->cp[k];
    }
}

/* The longest step that keeps p and w >= 0, up to a little more than 1. */
static double longest_step(const interior *path)
{
    double step = 1.0 / STEP_FRACTION;
    for (size_t k = 0; k < path->size; k++) {
        if (path->p[k] + step * path->dp[k] < 0.0) {
            step = -path->p[k] / path->dp[k];
        }
        if (path->w[k] + step * path->dw[k] < 0.0) {
            step = -path->w[k] / path->dw[k];
        }
    }
    return step;
}

/* The same with part[m] of the correction added. */
static void longest_steps(const interior *path, const double *part, double *step)
{
    for (size_t m = 0; m < PARTS; m++) {
        step[m] = 1.0 / STEP_FRACTION;
    }
    for (size_t k = 0; k < path->size; k++) {
        for (size_t m = 0; m < PARTS; m++) {
            double dp = path->dp[k] + part[m] * path->cp[k];
            double dw = path->dw[k] + part[m] * path->cw[k];
            if (path->p[k] + step[m] * dp < 0.0) {
                step[m] = -path->p[k] / dp;
            }
            if (path->w[k] + step[m] * dw < 0.0) {
                step[m] = -path->w[k] / dw;
            }
        }
    }
}

/* Adds that part of the correction, least to 1, that allows the longest step (M. Colombo, J.
 * Gondzio, Comput. Optim. Appl. 41 (2008)): a correction is made for a long step, and all of it may
 * spoil a short one. Returns the step.
 */
static double add_correction(interior *path, double least)
{
    double part[PARTS];
    double step[PARTS];
    size_t best = 0;
    for (size_t m = 0; m < PARTS; m++) {
        part[m] = 1.0 - (1.0 - least) * (double)m / (PARTS - 1);
    }
    longest_steps(path, part, step);
    for (size_t m = 1; m < PARTS && step[0] < 1.0; m++) {
        best = step[m] > step[best] ? m : best;
    }
    for (size_t k = 0; k < path->size; k++) {
        path->dp[k] += part[best] * path->cp[k];
        path->dw[k] += part[best] * path->cw[k];
    }
    return step[best];
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
static void aim_at_centre(interior *path, double wanted, double centring)
{
    for (size_t k = 0; k < path->size; k++) {
        double end = (path->p[k] + wanted * path->dp[k]) * (path->w[k] + wanted * path->dw[k]);
        double aim = fmin(fmax(end, NARROW * centring), WIDE * centring);
        path->right[k] = fmax(aim - end, -WIDE * centring);
    }
}

/* Corrections as long as each buys a clearly longer step. Returns the longest step. */
static double correct_repeatedly(interior *path, double longest, double centring)
{
    for (unsigned count = 0; count < MAX_CENTRALITY && longest < 0.95; count++) {
        double wanted = fmin(1.0, 1.5 * longest + 0.1);
        aim_at_centre(path, wanted, centring);
        find_correction(path);
        double corrected = add_correction(path, 0.0);
        if (corrected < longest + 0.1 * (wanted - longest)) {
            return corrected;
        }
        longest = corrected;
    }
    return longest;
}

/* Residual, ratio and factor at the point; false when rounding has spoilt them. */
static bool prepare(interior *path)
{
    crm_lcp_pivoting *pivoting = path->pivoting;
    product(path, path->residual);
    for (size_t k = 0; k < path->size; k++) {
        path->residual[k] -= path->w[k];
        path->ratio[k] = path->w[k] / path->p[k];
    }
    pivoting->factored_valid = false;
    return crm_lcp_factor_set(pivoting->factor, NULL, pivoting->delta, path->ratio) > 0.0;
}

/* One step down the path; false when rounding stops it. */
static bool descend(interior *path)
{
    double mean = mean_product(path, 0.0);
    if (!prepare(path)) {
        return false;
    }
    predict(path);
    double longest = fmin(1.0, longest_step(path));
    double reduced = mean_product(path, longest) / mean;
    double centring = reduced * reduced * reduced * mean;
    for (size_t k = 0; k < path->size; k++) {
        path->right[k] = centring - path->dp[k] * path->dw[k];
    }
    find_correction(path);
    longest = add_correction(path, longest * longest);
    longest = correct_repeatedly(path, longest, centring);
    double step = fmin(1.0, fmax(STEP_FRACTION, 1.0 - reduced) * longest);
    if (!(step > SHORTEST_STEP && isfinite(step))) {
        return false;
    }
    advance(path, step);
    return true;
}

/* Whether every contact can be told to be on one side or the other, as of the last product. */
static bool resolved(const interior *path, bool to_the_end)
{
    for (size_t k = 0; k < path->size; k++) {
        double speed = path->matrix->diagonal[k] * path->p[k];
        double smaller = fmin(speed, path->w[k]);
        double larger = fmax(speed, path->w[k]);
        double size = path->pivoting->size[k];
        bool clear = to_the_end ? smaller <= RESOLVED * size
                                : (smaller <= CLEAR * larger || larger <= BOTH_SMALL * size) &&
                                      fabs(path->residual[k]) <= ON_PATH * size;
        if (!clear) {
            return false;
        }
    }
    return true;
}

static double largest_residual(const interior *path)
{
    double largest = 0.0;
    for (size_t k = 0; k < path->size; k++) {
        largest = fmax(largest, fabs(path->residual[k]));
    }
    return largest;
}

/* Down the path as far as it leads. */
static bool follow(interior *path, bool to_the_end, unsigned most)
{
    double mean = INFINITY;
    double residual = INFINITY;
    unsigned idle = 0;
    for (unsigned count = 0; count < most && idle < MAX_IDLE_STEPS; count++) {
        if (!crm_lcp_pivot_may_go_on(path->pivoting) || !descend(path)) {
            return false;
        }
        if (resolved(path, to_the_end)) {
            return true;
        }
        double new_mean = mean_product(path, 0.0);
        double new_residual = largest_residual(path);
        bool progress = new_mean < 0.5 * mean || new_residual < 0.5 * residual;
        idle = progress ? 0 : idle + 1;
        mean = progress ? new_mean : mean;
        residual = progress ? new_residual : residual;
    }
    return false;
}

bool crm_lcp_interior(crm_lcp_pivoting *pivoting, crm_lcp_interior_choice choice)
{
    interior path = lay_out(pivoting, choice.anchored);
    begin(&path, choice.warm);
    bool arrived = follow(&path, choice.to_the_end, choice.warm ? MAX_WARM_STEPS : MAX_STEPS);
    for (size_t k = 0; k < path.size; k++) {
        pivoting->active[k] = path.matrix->diagonal[k] * path.p[k] > path.w[k];
        path.p[k] = pivoting->active[k] ? path.p[k] : 0.0;
    }
    return arrived;
}
