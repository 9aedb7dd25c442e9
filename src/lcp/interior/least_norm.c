/* The solutions are the p >= 0 with D p + q = 0 on the contacts that carry load in some of them.
 *
 * The path of the proximal problem with centre 0 comes near the one of least norm before each
 * contact is known to be loaded or not, and leaves D p + q = -delta D_kk p_k. Contacts that
 * changed sides to make that good would be thousands. Instead p moves by the c with D (p + c) + q =
 * 0 for which the sum of (c_k / p_k)^2 is least, or nearly: (D + diag(m / p_k^2)) c = -(D p + q)
 * with a small m, again and again. What is nearly 0 hardly moves, so that next to nothing becomes
 * negative; what does is cut off.
 */
#include "lcp/interior/least_norm.h"

#include <math.h>
#include <string.h>

/* m, with p_k relative to the terms of D p. Rounding is to it as the noise in c is to c; the
 * smaller, the fewer solves.
 */
static const double WEIGHT = 1e-11;

/* A p_k that is a smaller part of its terms moves as if it were that: the more may move the more
 * becomes negative, the fewer the less can be made good. More each time a factor does not lead to
 * the end.
 */
static const double FIRST_MOVABLE = 1e-5;
static const double MOVABLE_FACTOR = 10.0;

/* What the factor needs besides to be definite. */
static const double DELTA = 1e-13;

/* How often the weights are taken anew, and how often a factor is used. */
enum { MAX_FACTORS = 7, MAX_SOLVES = 6 };

/* Of D p + q, and of the answer: as good as rounding. */
static const double ROUNDED = 2e-16;
static const double ENOUGH = 2e-13;

/* w = D p + q; returns the largest |w_k| / size_k over the set. */
static double off_face(crm_lcp_solver *solver)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    double largest = 0.0;
    crm_lcp_pivot_measure(pivoting, pivoting->p);
    for (size_t k = 0; k < solver->matrix->size; k++) {
        if (solver->set[k]) {
            largest = fmax(largest, fabs(pivoting->w[k]) / pivoting->size[k]);
        }
    }
    return largest;
}

static bool factor_with_weights(crm_lcp_solver *solver, double movable)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    for (size_t k = 0; k < solver->matrix->size; k++) {
        double terms = pivoting->size[k] - solver->floor[k];
        double part = fmax(pivoting->p[k] / terms, movable);
        pivoting->centre[k] = solver->set[k] ? WEIGHT / (part * part) : 0.0;
    }
    pivoting->factored_valid = false;
    return crm_lcp_factor_set(pivoting->factor, solver->set, DELTA, pivoting->centre) > 0.0;
}

/* p moves by the step; what would become negative leaves the set. */
static void move(crm_lcp_solver *solver)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    for (size_t k = 0; k < solver->matrix->size; k++) {
        double moved = solver->set[k] ? pivoting->p[k] + pivoting->step[k] : 0.0;
        bool leaves = moved < 0.0;
        pivoting->p[k] = leaves ? 0.0 : moved;
        pivoting->pivots += leaves;
        solver->set[k] = solver->set[k] && !leaves;
    }
}

/* With one factor. Returns what is left. */
static double approach(crm_lcp_solver *solver, double left)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    double last = INFINITY;
    for (unsigned count = 0; count < MAX_SOLVES && left > ROUNDED && left <= 0.5 * last; count++) {
        for (size_t k = 0; k < solver->matrix->size; k++) {
            pivoting->step[k] = -pivoting->w[k];
        }
        crm_lcp_factor_solve(pivoting->factor, pivoting->step);
        move(solver);
        last = left;
        left = off_face(solver);
    }
    return left;
}

void crm_lcp_return_to_face(crm_lcp_solver *solver)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    size_t size = solver->matrix->size;
    for (size_t k = 0; k < size; k++) {
        solver->set[k] = pivoting->active[k] && pivoting->point_work[k] > 0.0;
        pivoting->p[k] = solver->set[k] ? pivoting->point_work[k] : 0.0;
    }
    double left = off_face(solver);
    double movable = FIRST_MOVABLE;
    for (unsigned count = 0; count < MAX_FACTORS && left > ROUNDED; count++) {
        if (!crm_lcp_pivot_may_go_on(pivoting) || !factor_with_weights(solver, movable)) {
            return;
        }
        left = approach(solver, left);
        crm_lcp_offer(solver);
        if (solver->residual <= ENOUGH) {
            return;
        }
        movable *= MOVABLE_FACTOR;
    }
}

/* (D x)_k */
static double product(const crm_lcp_matrix *matrix, const double *x, size_t k)
{
    double sum = 0.0;
    for (size_t m = matrix->start[k]; m < matrix->start[k + 1]; m++) {
        sum += matrix->value[m] * x[matrix->column[m]];
    }
    return sum;
}

/* With s the solution of least norm, |p|^2 = p'Gp, G = diag(D), and g = G p - D y, convexity and
 * D (p - s) = 0 give
 *     E = |p|^2 - |s|^2 <= 2 (G p)'(p - s) = 2 g'(p - s) + 2 y'w,   |p - s|^2 <= E,
 * the last because s is the point of a convex set that is nearest to 0. Where p_k = 0 and g_k >= 0,
 * or s_k = 0 because w_k > 0, g_k does not count; where g_k exceeds G p_k it counts by 2 g_k p_k;
 * all others together, by Cauchy's inequality, by 2 b sqrt(E). y'w is rounding.
 */
double crm_lcp_least_norm_excess(crm_lcp_solver *solver, double tolerance)
{
    const crm_lcp_matrix *matrix = solver->matrix;
    const crm_lcp_pivoting *pivoting = &solver->pivoting;
    double square = 0.0;
    double linear = 0.0;
    double rounding = 0.0;
    crm_lcp_residual(solver, solver->p);
    for (size_t k = 0; k < matrix->size; k++) {
        double weight = matrix->diagonal[k];
        double p = solver->p[k];
        double g = weight * p - product(matrix, solver->multiplier, k);
        bool open = p == 0.0 && (g >= 0.0 || pivoting->w[k] > tolerance * pivoting->size[k]);
        rounding += solver->multiplier[k] * pivoting->w[k];
        if (g > weight * p) {
            linear += g * p;
        } else if (!open) {
            square += g * g / weight;
        }
    }
    double root = sqrt(square) + sqrt(square + 2.0 * (linear + fabs(rounding)));
    return root * root;
}
