/* From active sets to solutions, for a definite D and for a semidefinite one.
 *
 * A definite D is pivoted on directly. For a semidefinite one proximal steps are made from p = 0:
 * p_{k+1} solves the problem with delta diag(D)(p - p_k) added, which is definite and has one
 * solution; p_k converges to a solution for D itself, in a few steps when delta is small compared
 * to the eigenvalues of D other than 0 (R. T. Rockafellar, SIAM J. Control Optim. 14 (1976)).
 *
 * How far p is from least norm, |p|^2 = sum D_kk p_k^2. With f the programme's objective and s
 * any solution, f(p_1) + delta |p_1|^2 / 2 <= f(s) + delta |s|^2 / 2 and f(s) <= f(p_1), so
 * |p_1| <= |s|: the first step bounds the least norm from below.
 */
#include "lcp/proximal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lcp/interior.h"
#include "lcp/line.h"

/* delta falls from one to the other when steps converge slowly: D then has eigenvalues near it
 * (long chains between walls, masses of very different size).
 */
static const double FIRST_DELTA = 1e-10;
static const double LAST_DELTA = 1e-12;
static const double DELTA_FACTOR = 0.01;

enum { MAX_PROXIMAL_STEPS = 60, MAX_SLOW_STEPS = 3, MAX_CORRECTIONS = 8 };

/* |D d| / |d| of a direction that moves nothing. */
static const double NULL_TOLERANCE = 1e-13;

/* The least relative residual a rounded p can have, with some room; and what is as good when it
 * does not fall further.
 */
static const double ROUNDED = 4e-16;
static const double NEARLY_ROUNDED = 1e-14;

/* The first step is exact to rather less than this. */
static const double NORM_ROUNDING = 1e-9;

/* ---- Life ---------------------------------------------------------------------------------- */

crm_status crm_lcp_proximal_create(const crm_lcp_matrix *matrix, crm_lcp_proximal *proximal,
                                   crm_error *error)
{
    size_t size = matrix->size;
    *proximal = (crm_lcp_proximal){.matrix = matrix};
    crm_status status = crm_lcp_pivoting_create(matrix, &proximal->pivoting, error);
    proximal->q = CRM_NEW(double, size);
    proximal->floor = CRM_NEW(double, size);
    proximal->p = CRM_NEW(double, size);
    proximal->direction = CRM_NEW(double, size);
    proximal->set = CRM_NEW(bool, size);
    if (status == CRM_OK &&
        (proximal->q == NULL || proximal->floor == NULL || proximal->p == NULL ||
         proximal->direction == NULL || proximal->set == NULL)) {
        status = crm_fail_memory(error);
    }
    proximal->pivoting.q = proximal->q;
    proximal->pivoting.floor = proximal->floor;
    if (status != CRM_OK) {
        crm_lcp_proximal_free(proximal);
    }
    return status;
}

void crm_lcp_proximal_free(crm_lcp_proximal *proximal)
{
    crm_lcp_pivoting_free(&proximal->pivoting);
    free(proximal->q);
    free(proximal->floor);
    free(proximal->p);
    free(proximal->direction);
    free(proximal->set);
    *proximal = (crm_lcp_proximal){0};
}

/* ---- Judging a p ----------------------------------------------------------------------------- */

static double squared_norm(const crm_lcp_matrix *matrix, const double *p)
{
    double sum = 0.0;
    for (size_t k = 0; k < matrix->size; k++) {
        sum += matrix->diagonal[k] * p[k] * p[k];
    }
    return sum;
}

/* max |min(D_kk p_k, w_k)| / size_k, with w and size left in the pivoting's arrays. */
static double relative_residual(crm_lcp_proximal *proximal, const double *p)
{
    crm_lcp_pivoting *pivoting = &proximal->pivoting;
    double largest = 0.0;
    crm_lcp_matrix_residual(proximal->matrix, p, proximal->q, proximal->floor, pivoting->w,
                            pivoting->size);
    for (size_t k = 0; k < proximal->matrix->size; k++) {
        double natural = fabs(fmin(proximal->matrix->diagonal[k] * p[k], pivoting->w[k]));
        if (natural > 0.0) {
            largest = fmax(largest, natural / pivoting->size[k]);
        }
    }
    return largest;
}

/* The solution of the last proximal problem, negative rounding cut off, becomes the centre of the
 * next one, and the answer if it is the best so far. Returns its relative residual; `direction`
 * receives the step, which is where p runs to if the problem is infeasible.
 */
static double accept_step(crm_lcp_proximal *proximal)
{
    crm_lcp_pivoting *pivoting = &proximal->pivoting;
    size_t size = proximal->matrix->size;
    for (size_t k = 0; k < size; k++) {
        proximal->direction[k] = pivoting->p[k] - pivoting->centre[k];
        pivoting->centre[k] = fmax(pivoting->p[k], 0.0);
    }
    double residual = relative_residual(proximal, pivoting->centre);
    if (residual < proximal->residual) {
        proximal->residual = residual;
        memcpy(proximal->p, pivoting->centre, size * sizeof(double));
    }
    return residual;
}

/* d >= 0, D d = 0, q'd < 0: no p makes w >= 0, for d'w = d'q whatever p is. Scales the direction to
 * a largest entry of 1 and cuts off what is negative.
 */
static bool is_certificate(crm_lcp_proximal *proximal, double tolerance)
{
    crm_lcp_pivoting *pivoting = &proximal->pivoting;
    size_t size = proximal->matrix->size;
    double *d = proximal->direction;
    double largest = 0.0;
    double product = 0.0;
    double terms = 0.0;
    for (size_t k = 0; k < size; k++) {
        largest = fmax(largest, d[k]);
    }
    for (size_t k = 0; largest > 0.0 && k < size; k++) {
        d[k] = fmax(d[k] / largest, 0.0);
        product += proximal->q[k] * d[k];
        terms += fabs(proximal->q[k]) * d[k];
        pivoting->step[k] = 0.0;
    }
    if (!(product < -tolerance * terms)) {
        return false;
    }
    crm_lcp_matrix_residual(proximal->matrix, d, pivoting->step, proximal->floor, pivoting->w,
                            pivoting->size);
    for (size_t k = 0; k < size; k++) {
        if (fabs(pivoting->w[k]) > NULL_TOLERANCE) {
            return false;
        }
    }
    return true;
}

/* ---- Definite: once -------------------------------------------------------------------------- */

/* The set known beforehand, where there is one, instead of the one in hand. */
static void begin_from(crm_lcp_proximal *proximal, double delta)
{
    crm_lcp_pivoting *pivoting = &proximal->pivoting;
    pivoting->delta = delta;
    memset(pivoting->centre, 0, proximal->matrix->size * sizeof(double));
    crm_lcp_line(proximal->matrix, proximal->q, delta, pivoting->centre, pivoting->definite,
                 pivoting->line_work, pivoting->active);
}

/* The largest step as a speed, relative to the terms of its contact. */
static double step_size(const crm_lcp_proximal *proximal)
{
    double largest = 0.0;
    for (size_t k = 0; k < proximal->matrix->size; k++) {
        double speed = fabs(proximal->matrix->diagonal[k] * proximal->direction[k]);
        if (speed > 0.0) {
            largest = fmax(largest, speed / proximal->pivoting.size[k]);
        }
    }
    return largest;
}

/* The answer over its contacts under load, with delta = 0 and corrections until these are rounding:
 * p then is exact, not only w. For a unique solution; what does not improve it is not taken.
 */
static crm_status make_exact(crm_lcp_proximal *proximal, crm_error *error)
{
    crm_lcp_pivoting *pivoting = &proximal->pivoting;
    size_t size = proximal->matrix->size;
    double last = INFINITY;
    pivoting->delta = 0.0;
    memcpy(pivoting->centre, proximal->p, size * sizeof(double));
    for (size_t k = 0; k < size; k++) {
        pivoting->active[k] = proximal->p[k] > 0.0;
    }
    for (unsigned count = 0; count < MAX_CORRECTIONS; count++) {
        bool regular;
        crm_status status = crm_lcp_pivot_basic(pivoting, &regular, error);
        if (status != CRM_OK || !regular) {
            return status;
        }
        double residual = accept_step(proximal);
        if (residual > fmax(ROUNDED, proximal->residual)) {
            return CRM_OK;
        }
        memcpy(proximal->p, pivoting->centre, size * sizeof(double));
        double step = step_size(proximal);
        if (step <= ROUNDED || step > 0.5 * last) {
            return CRM_OK;
        }
        last = step;
    }
    return CRM_OK;
}

/* ---- Semidefinite: step by step ---------------------------------------------------------------
 */

/* What a step, or all of them, came to. */
typedef enum verdict { GOING_ON, SOLVED, INFEASIBLE, GIVEN_UP } verdict;

/* `slow` steps in a row have hardly improved the residual. */
static verdict judge(crm_lcp_proximal *proximal, double residual, unsigned slow, double tolerance)
{
    if (residual <= ROUNDED || (slow > 0 && residual <= fmin(NEARLY_ROUNDED, tolerance))) {
        return SOLVED;
    }
    if (is_certificate(proximal, tolerance)) {
        return INFEASIBLE;
    }
    if (slow >= MAX_SLOW_STEPS && proximal->pivoting.delta <= LAST_DELTA) {
        return proximal->residual <= tolerance ? SOLVED : GIVEN_UP;
    }
    return GOING_ON;
}

/* What pivoting could not settle: the end of the central path of the problem itself. Of many
 * solutions it is one in the middle, where few contacts are on the verge.
 */
static crm_status settle(crm_lcp_proximal *proximal, crm_error *error)
{
    crm_lcp_pivoting *pivoting = &proximal->pivoting;
    crm_status status = crm_lcp_interior(pivoting, false, error);
    memcpy(pivoting->p, pivoting->point_work, proximal->matrix->size * sizeof(double));
    return status;
}

static void bound_norm(crm_lcp_proximal *proximal, const double *p)
{
    if (proximal->least_norm < 0.0) {
        proximal->least_norm = squared_norm(proximal->matrix, p) * (1.0 - NORM_ROUNDING);
    }
}

/* The next p, in the pivoting's arrays. */
static crm_status make_step(crm_lcp_proximal *proximal, crm_lcp_pivot_end *end, crm_error *error)
{
    crm_lcp_pivoting *pivoting = &proximal->pivoting;
    crm_status status = crm_lcp_pivot(pivoting, true, end, error);
    if (status == CRM_OK && *end == CRM_LCP_PIVOT_DONE) {
        bound_norm(proximal, pivoting->p);
    }
    if (status == CRM_OK && *end == CRM_LCP_PIVOT_UNSETTLED) {
        bound_norm(proximal, pivoting->point_work);
        status = settle(proximal, error);
    }
    return status;
}

static crm_status solve_semidefinite(crm_lcp_proximal *proximal, double tolerance, verdict *outcome,
                                     crm_error *error)
{
    crm_lcp_pivoting *pivoting = &proximal->pivoting;
    double last = INFINITY;
    unsigned slow = 0;
    *outcome = GOING_ON;
    begin_from(proximal, FIRST_DELTA);
    for (unsigned count = 0; count < MAX_PROXIMAL_STEPS && *outcome == GOING_ON; count++) {
        crm_lcp_pivot_end end;
        crm_status status = make_step(proximal, &end, error);
        if (status != CRM_OK) {
            return status;
        }
        double residual = accept_step(proximal);
        if (end != CRM_LCP_PIVOT_DONE &&
            (end != CRM_LCP_PIVOT_UNSETTLED || residual <= tolerance)) {
            break;
        }
        slow = residual > 0.25 * last ? slow + 1 : 0;
        last = residual;
        *outcome = judge(proximal, residual, slow, tolerance);
        if (slow > 0) {
            pivoting->delta = fmax(DELTA_FACTOR * pivoting->delta, LAST_DELTA);
        }
    }
    if (*outcome == GOING_ON) {
        *outcome = proximal->residual <= tolerance ? SOLVED : GIVEN_UP;
    }
    return CRM_OK;
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* Whether D itself is definite: asked once. */
static crm_status find_definiteness(crm_lcp_proximal *proximal, crm_error *error)
{
    if (proximal->definiteness != CRM_LCP_UNKNOWN) {
        return CRM_OK;
    }
    for (size_t k = 0; k < proximal->matrix->size; k++) {
        proximal->set[k] = true;
    }
    crm_status status = crm_lcp_pivot_factor(&proximal->pivoting, proximal->set, 0.0, error);
    if (status == CRM_OK) {
        proximal->definiteness =
            proximal->pivoting.smallest_pivot >= crm_lcp_pivot_zero(proximal->matrix)
                ? CRM_LCP_DEFINITE
                : CRM_LCP_SEMIDEFINITE;
        proximal->pivoting.definite = proximal->definiteness == CRM_LCP_DEFINITE;
    }
    return status;
}

/* Whether the contacts with w = 0 are independent: then p is the only solution. */
static crm_status find_unique(crm_lcp_proximal *proximal, double tolerance, bool *unique,
                              crm_error *error)
{
    crm_lcp_pivoting *pivoting = &proximal->pivoting;
    *unique = proximal->definiteness == CRM_LCP_DEFINITE;
    if (*unique) {
        return CRM_OK;
    }
    relative_residual(proximal, proximal->p);
    for (size_t k = 0; k < proximal->matrix->size; k++) {
        proximal->set[k] = proximal->p[k] > 0.0 || pivoting->w[k] <= tolerance * pivoting->size[k];
    }
    crm_status status = crm_lcp_pivot_factor(pivoting, proximal->set, 0.0, error);
    *unique = status == CRM_OK && pivoting->smallest_pivot >= crm_lcp_pivot_zero(proximal->matrix);
    return status;
}

/* Pivoting on D itself: when it is definite, and on a line because there the active set is known
 * beforehand and rarely reaches from wall to wall.
 */
static crm_status solve_directly(crm_lcp_proximal *proximal, double tolerance, verdict *outcome,
                                 bool *unique, crm_error *error)
{
    crm_lcp_pivot_end end;
    bool definite = proximal->definiteness == CRM_LCP_DEFINITE;
    if (!definite && proximal->matrix->structure != CRM_LCP_PATH) {
        return CRM_OK;
    }
    begin_from(proximal, 0.0);
    crm_status status = crm_lcp_pivot(&proximal->pivoting, definite, &end, error);
    if (status != CRM_OK || end != CRM_LCP_PIVOT_DONE || accept_step(proximal) > tolerance) {
        return status;
    }
    *outcome = SOLVED;
    return find_unique(proximal, tolerance, unique, error);
}

static void begin(crm_lcp_proximal *proximal, const crm_lcp_options *options)
{
    proximal->residual = INFINITY;
    proximal->least_norm = -1.0;
    proximal->pivoting.iterations = 0;
    proximal->pivoting.pivots = 0;
    proximal->pivoting.path_stored = false;
    proximal->pivoting.max_iterations = options->max_iterations;
    for (size_t k = 0; !options->warm_start && k < proximal->matrix->size; k++) {
        proximal->pivoting.active[k] = true;
    }
}

static crm_status solve(crm_lcp_proximal *proximal, double tolerance, verdict *outcome,
                        bool *unique, crm_error *error)
{
    crm_status status = find_definiteness(proximal, error);
    if (status == CRM_OK) {
        status = solve_directly(proximal, tolerance, outcome, unique, error);
    }
    if (status == CRM_OK && !*unique) {
        status = solve_semidefinite(proximal, tolerance, outcome, error);
        if (status == CRM_OK && *outcome == SOLVED) {
            status = find_unique(proximal, tolerance, unique, error);
        }
    }
    return status == CRM_OK && *unique ? make_exact(proximal, error) : status;
}

/* |p|^2 / least - 1 */
static double norm_excess(const crm_lcp_proximal *proximal)
{
    double norm = squared_norm(proximal->matrix, proximal->p);
    if (proximal->least_norm < 0.0) {
        return INFINITY;
    }
    return norm > 0.0 ? fmax(norm / proximal->least_norm - 1.0, 0.0) : 0.0;
}

crm_status crm_lcp_proximal_solve(crm_lcp_proximal *proximal, const crm_lcp_options *options,
                                  crm_lcp_info *info, crm_error *error)
{
    verdict end = GIVEN_UP;
    bool unique = false;
    begin(proximal, options);
    crm_status status = solve(proximal, options->tolerance, &end, &unique, error);
    if (status != CRM_OK) {
        return status;
    }
    info->result = end == SOLVED       ? CRM_LCP_SOLVED
                   : end == INFEASIBLE ? CRM_LCP_INFEASIBLE
                                       : CRM_LCP_NOT_TERMINATED;
    info->unique = end == SOLVED && unique;
    if (end == INFEASIBLE) {
        memcpy(proximal->p, proximal->direction, proximal->matrix->size * sizeof(double));
    }
    info->norm_excess = end != SOLVED ? NAN : unique ? 0.0 : norm_excess(proximal);
    return CRM_OK;
}
