/* From the right set, or nearly, to the solution.
 *
 * On a set F the equations D_FF p = -q_F are solved by proximal steps: p_{n+1} solves them with
 * delta diag(D)(p - p_n) added, which is definite, and p_n converges to the solution nearest to
 * where it began, in a few steps when delta is small compared to the eigenvalues of D_FF other than
 * 0 (R. T. Rockafellar, SIAM J. Control Optim. 14 (1976)). All steps share one factor. Only when
 * they have converged do contacts of wrong sign change sides: a sign that is wrong at the first
 * step is often right at the last, and an exchange too many among dependent contacts brings a
 * thousand others.
 */
#include <math.h>
#include <string.h>

#include "lcp/solver.h"

enum { MAX_STEPS = 12, MAX_CAUTIOUS = 60, MAX_CORRECTIONS = 8 };

static const double ENDLESS = 1e5;

/* A residual that is not worth single exchanges. */
static const double GOOD_ENOUGH = 1e-13;
/* From here single exchanges may be expected to lead to the end: a residual, and wrong signs. */
static const double NEAR = 1e-4;
enum { MAX_WRONG = 30 };

/* The least relative residual a rounded p can have, with some room. */
static const double ROUNDED = 4e-16;

/* |D d| / |d| of a direction that moves nothing. */
static const double NULL_TOLERANCE = 1e-13;

/* ---- Judging a p ----------------------------------------------------------------------------- */

double crm_lcp_residual(crm_lcp_solver *solver, const double *p)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    double largest = 0.0;
    crm_lcp_pivot_measure(pivoting, p);
    for (size_t k = 0; k < solver->matrix->size; k++) {
        double natural = fabs(fmin(solver->matrix->diagonal[k] * p[k], pivoting->w[k]));
        if (natural > 0.0) {
            largest = fmax(largest, natural / pivoting->size[k]);
        }
    }
    return largest;
}

double crm_lcp_offer(crm_lcp_solver *solver)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    size_t size = solver->matrix->size;
    for (size_t k = 0; k < size; k++) {
        pivoting->step[k] = fmax(pivoting->p[k], 0.0);
    }
    double residual = crm_lcp_residual(solver, pivoting->step);
    if (residual < solver->residual) {
        solver->residual = residual;
        memcpy(solver->p, pivoting->step, size * sizeof(double));
    }
    return residual;
}

/* Whether the direction is a d >= 0 with D d = 0, q'd < 0: then no p makes w >= 0, for d'w = d'q
 * whatever p is. Scales it to a largest entry of 1 and cuts off what is negative.
 */
static bool is_certificate(crm_lcp_solver *solver, double tolerance)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    size_t size = solver->matrix->size;
    double *d = solver->direction;
    double largest = 0.0;
    double product = 0.0;
    double terms = 0.0;
    for (size_t k = 0; k < size; k++) {
        largest = fmax(largest, d[k]);
    }
    for (size_t k = 0; largest > 0.0 && k < size; k++) {
        d[k] = fmax(d[k] / largest, 0.0);
        product += solver->q[k] * d[k];
        terms += fabs(solver->q[k]) * d[k];
        pivoting->step[k] = 0.0;
    }
    if (!(product < -tolerance * terms)) {
        return false;
    }
    pivoting->measured_valid = false; /* w is used for D d */
    crm_lcp_matrix_residual(solver->matrix, d, pivoting->step, solver->floor, pivoting->w,
                            pivoting->size);
    for (size_t k = 0; k < size; k++) {
        if (fabs(pivoting->w[k]) > NULL_TOLERANCE) {
            return false;
        }
    }
    return true;
}

/* Whether p is larger than that of a problem with a solution is likely to be: the largest |q| is
 * near 1, and so is D_kk.
 */
static bool is_endless(const crm_lcp_solver *solver)
{
    double largest = 0.0;
    for (size_t k = 0; k < solver->matrix->size; k++) {
        largest = fmax(largest, solver->pivoting.p[k]);
    }
    return largest > ENDLESS;
}

/* ---- On one set ------------------------------------------------------------------------------ */

/* One proximal step: the centre moves to p, the direction is the step. Returns the largest |w| over
 * the set, relative to its terms; INFINITY when the set is singular.
 */
static double step(crm_lcp_solver *solver)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    double largest = 0.0;
    if (!crm_lcp_pivot_basic(pivoting)) {
        return INFINITY;
    }
    for (size_t k = 0; k < solver->matrix->size; k++) {
        solver->direction[k] = pivoting->p[k] - pivoting->centre[k];
        pivoting->centre[k] = pivoting->p[k];
        if (pivoting->active[k] && pivoting->w[k] != 0.0) {
            largest = fmax(largest, fabs(pivoting->w[k]) / pivoting->size[k]);
        }
    }
    return largest;
}

/* Steps until the equations hold to rounding or no longer improve; false for a singular set. */
static bool iterate(crm_lcp_solver *solver)
{
    double residual = INFINITY;
    for (unsigned count = 0; count < MAX_STEPS; count++) {
        double last = residual;
        residual = step(solver);
        if (!isfinite(residual)) {
            return false;
        }
        if (residual <= ROUNDED || residual > 0.25 * last) {
            return true;
        }
    }
    return true;
}

/* ---- From set to set, boldly ----------------------------------------------------------------- */

/* All contacts of wrong sign at once, as long as there are fewer each time. */
static bool exchange_boldly(crm_lcp_solver *solver, double tolerance)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    size_t fewest = SIZE_MAX;
    while (crm_lcp_pivot_may_go_on(pivoting) && iterate(solver)) {
        size_t wrong = crm_lcp_pivot_wrong(pivoting);
        bool fewer = 2 * wrong <= fewest;
        fewest = wrong;
        crm_lcp_pivot_exchange(pivoting);
        double residual = crm_lcp_offer(solver);
        if (is_endless(solver) && is_certificate(solver, tolerance)) {
            return true;
        }
        if (residual <= CRM_LCP_NEARLY_ROUNDED) {
            return false;
        }
        if (wrong == 0 || !fewer) {
            return false;
        }
    }
    return false;
}

/* ---- From set to set, cautiously ------------------------------------------------------------- */

/* The point moves towards x = pivoting->p as far as it stays >= 0; contacts that reach 0 leave the
 * set. Returns whether x was reached.
 */
static bool walk_towards(crm_lcp_pivoting *pivoting, double *point)
{
    double part = 1.0;
    for (size_t k = 0; k < pivoting->matrix->size; k++) {
        if (crm_lcp_pivot_pulls(pivoting, k)) {
            part = fmin(part, point[k] / (point[k] - pivoting->p[k]));
        }
    }
    for (size_t k = 0; k < pivoting->matrix->size; k++) {
        double moved = point[k] + part * (pivoting->p[k] - point[k]);
        bool leaves =
            crm_lcp_pivot_pulls(pivoting, k) && point[k] / (point[k] - pivoting->p[k]) <= part;
        pivoting->active[k] = pivoting->active[k] && !leaves;
        pivoting->pivots += leaves;
        point[k] = leaves ? 0.0 : fmax(moved, 0.0);
    }
    return part == 1.0;
}

/* The contact that closes fastest, relative to the terms of its speed, joins the set. */
static bool join_worst(crm_lcp_pivoting *pivoting)
{
    size_t worst = SIZE_MAX;
    double least = 0.0;
    for (size_t k = 0; k < pivoting->matrix->size; k++) {
        if (crm_lcp_pivot_closes(pivoting, k) && pivoting->w[k] < least * pivoting->size[k]) {
            least = pivoting->w[k] / pivoting->size[k];
            worst = k;
        }
    }
    if (worst != SIZE_MAX) {
        pivoting->active[worst] = true;
        pivoting->pivots++;
    }
    return worst != SIZE_MAX;
}

/* One contact at a time, in the manner of C. L. Lawson and R. J. Hanson (Solving Least Squares
 * Problems, 1974, ch. 23): from a p that solves the equations on its own set, one contact joins; p
 * moves towards the solution on the larger set until a contact is about to pull, which leaves.
 * p'Dp/2 + q'p falls from set to set, so no set comes back.
 */
static void exchange_cautiously(crm_lcp_solver *solver)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    size_t size = solver->matrix->size;
    double *point = pivoting->point_work;
    memcpy(point, solver->p, size * sizeof(double));
    for (size_t k = 0; k < size; k++) {
        pivoting->active[k] = point[k] > 0.0;
    }
    for (unsigned count = 0; count < MAX_CAUTIOUS; count++) {
        memcpy(pivoting->centre, point, size * sizeof(double));
        if (!crm_lcp_pivot_may_go_on(pivoting) || !iterate(solver)) {
            return;
        }
        if (crm_lcp_pivot_wrong(pivoting) > MAX_WRONG) {
            return;
        }
        if (!walk_towards(pivoting, point)) {
            continue;
        }
        if (crm_lcp_offer(solver) <= CRM_LCP_NEARLY_ROUNDED) {
            return;
        }
        crm_lcp_residual(solver, point);
        if (!join_worst(pivoting)) {
            return;
        }
    }
}

bool crm_lcp_polish(crm_lcp_solver *solver, double tolerance)
{
    if (exchange_boldly(solver, tolerance)) {
        return true;
    }
    if (solver->residual > GOOD_ENOUGH && solver->residual < NEAR) {
        exchange_cautiously(solver);
    }
    return false;
}

/* ---- Exactly --------------------------------------------------------------------------------- */

/* The largest step as a speed, relative to the terms of its contact. */
static double step_size(const crm_lcp_solver *solver)
{
    double largest = 0.0;
    for (size_t k = 0; k < solver->matrix->size; k++) {
        double speed = fabs(solver->matrix->diagonal[k] * solver->direction[k]);
        if (speed > 0.0) {
            largest = fmax(largest, speed / solver->pivoting.size[k]);
        }
    }
    return largest;
}

void crm_lcp_make_exact(crm_lcp_solver *solver)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    size_t size = solver->matrix->size;
    double last = INFINITY;
    pivoting->delta = 0.0;
    memcpy(pivoting->centre, solver->p, size * sizeof(double));
    for (size_t k = 0; k < size; k++) {
        pivoting->active[k] = solver->p[k] > 0.0;
    }
    for (unsigned count = 0; count < MAX_CORRECTIONS; count++) {
        if (!isfinite(step(solver))) {
            return;
        }
        double length = step_size(solver);
        double before = solver->residual;
        double residual = crm_lcp_offer(solver);
        if (residual > fmax(ROUNDED, before)) {
            return;
        }
        memcpy(solver->p, pivoting->step, size * sizeof(double));
        solver->residual = residual;
        if (length <= ROUNDED || length > 0.5 * last) {
            return;
        }
        last = length;
    }
}
