/* Mehrotra's predictor-corrector method (S. Mehrotra, SIAM J. Optim. 2 (1992)) for the strictly
 * convex proximal problem
 *     w = A p + b,  A = D + delta diag(D),  b = q - delta diag(D) c,   p, w > 0,  p_k w_k -> 0,
 * or, with delta = 0 in A and b but not in the factor, for the problem itself.
 *
 * The number of its steps hardly depends on the number of contacts or on how many of them are
 * dependent, which is what pivoting cannot promise; pivoting is exact, which is what this is not.
 */
#include "lcp/interior/interior.h"

#include <math.h>
#include <string.h>

#include "base/extreme.h"
#include "lcp/interior/pairs.h"

enum { MAX_STEPS = 150, MAX_WARM_STEPS = 30, MAX_WARM_LEAST_STEPS = 45 };

/* End of the path: the smaller of D_kk p_k and w_k, relative to the largest |q| and the terms of w.
 * What is below it on both sides may be put on either.
 */
static const double RESOLVED = 1e-17;

/* A contact's side is clear when one is this part of the other, or both are this small. */
static const double CLEAR = 1e-3;
static const double BOTH_SMALL = 1e-7;
/* ... and D p + q - w is this small. */
static const double ON_PATH = 1e-11;

/* Near the least norm: p'w relative to delta |p|^2. */
static const double SMALL_GAP = 1e-9;

/* Shares of the allowed residual: what may remain of min(D_kk p_k, w_k), and what may be truncated
 * of p (about ten neighbours contribute to each w).
 */
static const double SHARE_OF_LEFT = 0.7;
static const double SHARE_OF_CUT = 0.02;

/* Also the end: neither the mean product nor the residual has halved in this many steps. */
enum { MAX_IDLE_STEPS = 10 };

/* The least product a warm start begins with; the largest |q| is near 1. */
static const double WARM_LEAST = 1e-16;

/* Newton's equations are solved well enough when their residual is this part of w. */
static const double SOLVED = 0.03;
enum { MAX_CORRECTIONS = 4 };

/* A step that is none. */
static const double SHORTEST_STEP = 1e-8;

typedef struct interior {
    crm_lcp_pivoting *pivoting;
    const crm_lcp_matrix *matrix;
    size_t size;
    double delta;        /* in A: 0 unless anchored */
    crm_lcp_pairs pairs; /* the point and the step; `right` also is work */
    double *b;
    double *residual; /* A p + b - w */
    double *ratio;    /* w / p */
} interior;

static interior lay_out(crm_lcp_pivoting *pivoting, bool proximal)
{
    size_t size = pivoting->matrix->size;
    double *work = pivoting->point_work;
    interior path = {.pivoting = pivoting,
                     .matrix = pivoting->matrix,
                     .size = size,
                     .pairs = {.size = size, .team = crm_lcp_factor_team(pivoting->factor)},
                     .delta = proximal ? pivoting->delta : 0.0};
    double **vectors[CRM_LCP_INTERIOR_VECTORS] = {
        &path.pairs.p,  &path.pairs.w,     &path.b,        &path.pairs.dp, &path.pairs.dw,
        &path.residual, &path.pairs.right, &path.pairs.cp, &path.pairs.cw, &path.ratio};
    for (size_t v = 0; v < CRM_LCP_INTERIOR_VECTORS; v++) {
        *vectors[v] = work + v * size;
    }
    return path;
}

/* ---- Going through all contacts, piece by piece ---------------------------------------------- */

enum { PIECE = 8192 };

/* What is done with each piece, maybe at the same time. */
typedef struct pass {
    const interior *path;
    const double *right, *x;
    double *out;
    crm_extreme largest;
} pass;

static void go_through(const interior *path, crm_team_part *part, pass *y)
{
    crm_team *team = crm_lcp_factor_team(path->pivoting->factor);
    crm_team_run(team, (path->size + PIECE - 1) / PIECE, part, y);
}

static size_t piece_end(const interior *path, size_t part)
{
    size_t end = (part + 1) * PIECE;
    return end < path->size ? end : path->size;
}

static void product_part(void *context, size_t part)
{
    const pass *y = context;
    const interior *path = y->path;
    const crm_lcp_matrix *matrix = path->matrix;
    for (size_t k = part * PIECE; k < piece_end(path, part); k++) {
        double sum = path->b[k] + path->delta * matrix->diagonal[k] * path->pairs.p[k];
        double terms = path->pivoting->floor[k];
        for (size_t m = matrix->start[k]; m < matrix->start[k + 1]; m++) {
            double term = matrix->value[m] * path->pairs.p[matrix->column[m]];
            sum += term;
            terms += fabs(term);
        }
        y->out[k] = sum;
        path->pivoting->size[k] = terms;
    }
}

/* out = A p + b, and the size of its terms where the pivoting keeps that. */
static void product(const interior *path, double *out)
{
    pass y = {.path = path, .out = out};
    path->pivoting->measured_valid = false;
    go_through(path, product_part, &y);
}

/* Far inside: every p_k and w_k as large as the largest |b|. */
static void begin_far(interior *path)
{
    double largest = 0.0;
    for (size_t k = 0; k < path->size; k++) {
        largest = fmax(largest, fabs(path->b[k]));
    }
    for (size_t k = 0; k < path->size; k++) {
        path->pairs.p[k] = largest;
    }
    product(path, path->pairs.w);
    for (size_t k = 0; k < path->size; k++) {
        path->pairs.w[k] = fmax(path->pairs.w[k], largest);
    }
}

/* On the path, as far as a p near the solution determines it: the larger of D_kk p_k and w_k is
 * kept, the smaller is what the common product makes it. The product is the mean square of the
 * start's residual.
 */
static void begin_at(interior *path, const double *guess)
{
    const double *diagonal = path->matrix->diagonal;
    double sum = 0.0;
    memcpy(path->pairs.p, guess, path->size * sizeof(double));
    product(path, path->pairs.w);
    for (size_t k = 0; k < path->size; k++) {
        double residual = fmin(diagonal[k] * path->pairs.p[k], path->pairs.w[k]);
        sum += residual * residual;
    }
    double common = fmax(sum / (double)path->size, WARM_LEAST);
    for (size_t k = 0; k < path->size; k++) {
        double speed = diagonal[k] * path->pairs.p[k];
        bool loaded = speed > path->pairs.w[k];
        double larger = fmax(fmax(speed, path->pairs.w[k]), sqrt(common));
        path->pairs.p[k] = (loaded ? larger : common / larger) / diagonal[k];
        path->pairs.w[k] = loaded ? common / larger : larger;
    }
}

static void begin(interior *path, const double *guess)
{
    const crm_lcp_pivoting *pivoting = path->pivoting;
    for (size_t k = 0; k < path->size; k++) {
        path->pairs.dp[k] = path->pairs.dw[k] = path->pairs.cp[k] = path->pairs.cw[k] = 0.0;
        path->b[k] = pivoting->q[k] - path->delta * path->matrix->diagonal[k] * pivoting->centre[k];
    }
    if (guess != NULL) {
        begin_at(path, guess);
    } else {
        begin_far(path);
    }
}

static void newton_residual_part(void *context, size_t part)
{
    pass *y = context;
    const interior *path = y->path;
    const crm_lcp_matrix *matrix = path->matrix;
    double largest = 0.0;
    for (size_t k = part * PIECE; k < piece_end(path, part); k++) {
        double sum = y->right[k] - (path->ratio[k] + path->delta * matrix->diagonal[k]) * y->x[k];
        for (size_t m = matrix->start[k]; m < matrix->start[k + 1]; m++) {
            sum -= matrix->value[m] * y->x[matrix->column[m]];
        }
        y->out[k] = sum;
        largest = fmax(largest, fabs(sum) / path->pairs.w[k]);
    }
    crm_extreme_offer(&y->largest, largest);
}

/* rest = right - (A + ratio) x. Returns the largest relative to w: what is left here adds to the
 * residual, which must become small beside w.
 */
static double newton_residual(const interior *path, const double *right, const double *x,
                              double *rest)
{
    pass y = {.path = path, .right = right, .x = x, .out = rest};
    crm_extreme_begin(&y.largest, false, 0.0);
    go_through(path, newton_residual_part, &y);
    return crm_extreme_value(&y.largest);
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
        if (left <= SOLVED || left > 0.5 * last || crm_lcp_pivot_is_over(path->pivoting)) {
            break;
        }
    }
}

/* Newton's step to the end of the path: A dp - dw = -residual, w dp + p dw = -p w. */
static void predict(interior *path)
{
    for (size_t k = 0; k < path->size; k++) {
        path->pairs.right[k] = -path->residual[k] - path->pairs.w[k];
    }
    solve_newton(path, path->pairs.right, path->pairs.dp);
    for (size_t k = 0; k < path->size; k++) {
        path->pairs.dw[k] = -path->pairs.w[k] - path->ratio[k] * path->pairs.dp[k];
    }
}

/* What a change of the products' aim by `right` adds: A cp - cw = 0, w cp + p cw = right. */
static void find_correction(void *context)
{
    interior *path = context;
    for (size_t k = 0; k < path->size; k++) {
        path->pairs.right[k] /= path->pairs.p[k];
    }
    solve_newton(path, path->pairs.right, path->pairs.cp);
    for (size_t k = 0; k < path->size; k++) {
        path->pairs.cw[k] = path->pairs.right[k] - path->ratio[k] * path->pairs.cp[k];
    }
}

/* Residual, ratio and factor at the point; false when rounding has spoilt them. */
static bool prepare(interior *path)
{
    crm_lcp_pivoting *pivoting = path->pivoting;
    product(path, path->residual);
    for (size_t k = 0; k < path->size; k++) {
        path->residual[k] -= path->pairs.w[k];
        path->ratio[k] = path->pairs.w[k] / path->pairs.p[k];
    }
    pivoting->factored_valid = false;
    return crm_lcp_factor_set(pivoting->factor, NULL, pivoting->delta, path->ratio) > 0.0;
}

/* One step down the path; false when rounding stops it. */
static bool descend(interior *path)
{
    if (!prepare(path)) {
        return false;
    }
    predict(path);
    if (crm_lcp_pivot_is_over(path->pivoting)) {
        return false;
    }
    double step = crm_lcp_pairs_improve(&path->pairs, find_correction, path);
    if (crm_lcp_pivot_is_over(path->pivoting) || !(step > SHORTEST_STEP && isfinite(step))) {
        return false;
    }
    crm_lcp_pairs_advance(&path->pairs, step);
    return true;
}

/* Whether every contact can be assigned to one side or the other, as of the last product. */
static bool resolved(const interior *path, bool to_rounding)
{
    for (size_t k = 0; k < path->size; k++) {
        double speed = path->matrix->diagonal[k] * path->pairs.p[k];
        double smaller = fmin(speed, path->pairs.w[k]);
        double larger = fmax(speed, path->pairs.w[k]);
        double size = path->pivoting->size[k];
        bool clear = to_rounding ? smaller <= RESOLVED * size
                                 : (smaller <= CLEAR * larger || larger <= BOTH_SMALL * size) &&
                                       fabs(path->residual[k]) <= ON_PATH * size;
        if (!clear) {
            return false;
        }
    }
    return true;
}

/* Whether p'w is small as far as the least norm is concerned, and what is unloaded may be cut off:
 * beside delta p, of which multipliers are made (least_norm.h).
 */
static bool near_least_norm(const interior *path)
{
    double delta = path->pivoting->delta;
    double norm = 0.0;
    double cut = 0.0;
    for (size_t k = 0; k < path->size; k++) {
        double speed = path->matrix->diagonal[k] * path->pairs.p[k];
        norm += speed * path->pairs.p[k];
        cut += speed <= path->pairs.w[k] ? speed * path->pairs.p[k] : 0.0;
    }
    double products = crm_lcp_pairs_mean(&path->pairs, 0.0) * (double)path->size;
    return products <= SMALL_GAP * delta * norm && cut <= SMALL_GAP * delta * delta * norm;
}

/* Whether the point solves the problem itself, for which w is less by delta D_kk p_k. */
static bool is_solution(const interior *path, double tolerance)
{
    for (size_t k = 0; k < path->size; k++) {
        double speed = path->matrix->diagonal[k] * path->pairs.p[k];
        double left = fmin(speed, fabs(path->pairs.w[k] - path->delta * speed));
        if (left > SHARE_OF_LEFT * tolerance * path->pivoting->size[k]) {
            return false;
        }
    }
    return true;
}

static bool arrived(const interior *path, crm_lcp_interior_options options)
{
    if (options.to_solution > 0.0) {
        return is_solution(path, options.to_solution);
    }
    return options.to_least_norm ? near_least_norm(path) : resolved(path, options.to_rounding);
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
static bool follow(interior *path, crm_lcp_interior_options options)
{
    unsigned warm = options.to_least_norm ? MAX_WARM_LEAST_STEPS : MAX_WARM_STEPS;
    unsigned most = options.guess != NULL ? warm : MAX_STEPS;
    double mean = INFINITY;
    double residual = INFINITY;
    unsigned idle = 0;
    for (unsigned count = 0; count < most && idle < MAX_IDLE_STEPS; count++) {
        if (!crm_lcp_pivot_may_go_on(path->pivoting) || !descend(path)) {
            return false;
        }
        if (arrived(path, options)) {
            return true;
        }
        double new_mean = crm_lcp_pairs_mean(&path->pairs, 0.0);
        double new_residual = largest_residual(path);
        bool progress = new_mean < 0.5 * mean || new_residual < 0.5 * residual;
        idle = progress ? 0 : idle + 1;
        mean = progress ? new_mean : mean;
        residual = progress ? new_residual : residual;
    }
    return false;
}

bool crm_lcp_interior(crm_lcp_pivoting *pivoting, crm_lcp_interior_options options)
{
    interior path = lay_out(pivoting, options.proximal);
    begin(&path, options.guess);
    bool done = follow(&path, options);
    pivoting->gap = crm_lcp_pairs_mean(&path.pairs, 0.0) * (double)path.size;
    for (size_t k = 0; k < path.size; k++) {
        double speed = path.matrix->diagonal[k] * path.pairs.p[k];
        bool counts = options.to_solution > 0.0 &&
                      speed > SHARE_OF_CUT * options.to_solution * pivoting->size[k];
        pivoting->active[k] = speed > path.pairs.w[k];
        path.pairs.p[k] = pivoting->active[k] || counts ? path.pairs.p[k] : 0.0;
    }
    return done;
}
