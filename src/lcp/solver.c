/* Which method when.
 *
 * A definite D is pivoted on directly. For a semidefinite one the proximal problem with centre 0
 * is solved first, which has one solution, p_1; from there to a solution for D itself (polish.c).
 * The set of p_1 is found by exchanges when these settle at once, on a line directly
 * (tridiagonal.h), and in general from the end of the central path (interior.h).
 *
 * How far p is from least norm, |p|^2 = sum D_kk p_k^2. With f the programme's objective and s
 * any solution, f(p_1) + delta |p_1|^2 / 2 <= f(s) + delta |s|^2 / 2 and f(s) <= f(p_1), so
 * |p_1| <= |s|: p_1 bounds the least norm from below.
 */
#include "lcp/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lcp/interior/interior.h"
#include "lcp/interior/least_norm.h"
#include "lcp/pivoting/tridiagonal.h"

/* delta of the problem that singles out the p of least norm: with the larger one p is less spoilt
 * by rounding, which is to delta as the noise in p is to p; with the smaller one its solution is
 * one of the problem itself, to a part delta: hence the default tolerance (lcp.c).
 */
static const double NORM_DELTA = 1e-10;
static const double LEAST_DELTA = 1e-12;
/* delta that makes D solvable where it is singular: just above its rounding. */
static const double NEAR_DELTA = 1e-13;
/* delta that only keeps factors definite, on the way down the path; rounding is to delta as noise
 * in p is to p, and eigenvalues of D below delta have little effect.
 */
static const double PATH_DELTA = 1e-10;
/* The same for polishing, where there is little left to correct. */
static const double POLISH_DELTA = 1e-9;

/* Block exchanges without progress before giving up: from any set, from one that should be right,
 * and after a move of the centre.
 */
enum { FIRST_STALLS = 1, LAST_STALLS = 2, CENTRE_STALLS = 4 };

/* How often and how little the centre is moved. */
enum { MAX_CENTRES = 60 };
static const double LEAST_SHARE = 0.01;

/* Largest ratio of the scales of contacts, which go with the roots of masses, that counts as
 * similar. */
static const double SIMILAR = 32.0;

/* Numbers of contacts between which the method without exchanges is the faster one. In larger
 * packings the residual at the end of the path is too large to be removed without exchanges.
 */
static const size_t LARGE = 15000;
static const size_t TOO_LARGE = 150000;

/* A residual that needs no polishing. */
static const double GOOD_ENOUGH = 1e-13;

/* A residual that makes p worth starting from. */
static const double NEAR = 1e-4;

/* p_1 is exact to rather less than this. */
static const double NORM_ROUNDING = 1e-9;

/* The proximal problem, solved to rounding. */
static const crm_lcp_interior_options TO_ROUNDING = {.proximal = true, .to_rounding = true};

/* ---- Life ---------------------------------------------------------------------------------- */

crm_status crm_lcp_solver_create(const crm_lcp_matrix *matrix, crm_lcp_solver *solver,
                                 crm_error *error)
{
    size_t size = matrix->size;
    *solver = (crm_lcp_solver){.matrix = matrix};
    crm_status status = crm_lcp_pivoting_create(matrix, &solver->pivoting, error);
    solver->q = CRM_NEW(double, size);
    solver->floor = CRM_NEW(double, size);
    solver->start = CRM_NEW(double, size);
    solver->p = CRM_NEW(double, size);
    solver->kept = CRM_NEW(double, size);
    solver->direction = CRM_NEW(double, size);
    solver->set = CRM_NEW(bool, size);
    solver->multiplier = CRM_NEW(double, size);
    if (status == CRM_OK &&
        (solver->q == NULL || solver->floor == NULL || solver->start == NULL || solver->p == NULL ||
         solver->kept == NULL || solver->direction == NULL || solver->set == NULL ||
         solver->multiplier == NULL)) {
        status = crm_fail_memory(error);
    }
    solver->pivoting.q = solver->q;
    solver->pivoting.floor = solver->floor;
    if (status != CRM_OK) {
        crm_lcp_solver_free(solver);
    }
    return status;
}

void crm_lcp_solver_free(crm_lcp_solver *solver)
{
    crm_lcp_pivoting_free(&solver->pivoting);
    free(solver->q);
    free(solver->floor);
    free(solver->start);
    free(solver->p);
    free(solver->kept);
    free(solver->direction);
    free(solver->set);
    free(solver->multiplier);
    *solver = (crm_lcp_solver){0};
}

/* ---- Properties of D ------------------------------------------------------------------------- */

/* Whether D itself is definite; found once. */
static void find_definiteness(crm_lcp_solver *solver)
{
    if (solver->definiteness != CRM_LCP_UNKNOWN) {
        return;
    }
    for (size_t k = 0; k < solver->matrix->size; k++) {
        solver->set[k] = true;
    }
    crm_lcp_pivot_factor(&solver->pivoting, solver->set, 0.0);
    if (!solver->pivoting.factored_valid) { /* interrupted: found by the next call */
        return;
    }
    bool definite = solver->pivoting.smallest_pivot >= crm_lcp_pivot_zero(solver->matrix);
    solver->definiteness = definite ? CRM_LCP_DEFINITE : CRM_LCP_SEMIDEFINITE;
    solver->pivoting.definite = definite;
}

/* W. W. Hager's estimate of |D^-1|, one step of it (SIAM J. Sci. Stat. Comput. 5 (1984)): the
 * answer to ones, and to the signs of that answer.
 */
double crm_lcp_condition_scaled(crm_lcp_solver *solver)
{
    size_t size = solver->matrix->size;
    double *x = solver->direction;
    find_definiteness(solver);
    if (solver->definiteness != CRM_LCP_DEFINITE) {
        return INFINITY;
    }
    for (size_t k = 0; k < size; k++) {
        solver->set[k] = true;
        x[k] = 1.0;
    }
    crm_lcp_pivot_factor(&solver->pivoting, solver->set, 0.0);
    double largest = 1.0 / solver->pivoting.smallest_pivot;
    for (unsigned count = 0; count < 2; count++) {
        crm_lcp_factor_solve(solver->pivoting.factor, x);
        for (size_t k = 0; k < size; k++) {
            largest = fmax(largest, fabs(x[k]));
            x[k] = x[k] < 0.0 ? -1.0 : 1.0;
        }
    }
    return largest;
}

void crm_lcp_solve_near_scaled(crm_lcp_solver *solver, double *p)
{
    for (size_t k = 0; k < solver->matrix->size; k++) {
        solver->set[k] = true;
    }
    crm_lcp_pivot_factor(&solver->pivoting, solver->set, NEAR_DELTA);
    crm_lcp_factor_solve(solver->pivoting.factor, p);
}

/* Whether the contacts with w = 0 are independent: then p is the only solution. */
static bool is_unique(crm_lcp_solver *solver, double tolerance)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    if (solver->definiteness == CRM_LCP_DEFINITE) {
        return true;
    }
    crm_lcp_residual(solver, solver->p);
    for (size_t k = 0; k < solver->matrix->size; k++) {
        solver->set[k] = solver->p[k] > 0.0 || pivoting->w[k] <= tolerance * pivoting->size[k];
    }
    crm_lcp_pivot_factor(pivoting, solver->set, 0.0);
    return pivoting->smallest_pivot >= crm_lcp_pivot_zero(solver->matrix);
}

/* ---- Norms ----------------------------------------------------------------------------------- */

static double squared_norm(const crm_lcp_matrix *matrix, const double *p)
{
    double sum = 0.0;
    for (size_t k = 0; k < matrix->size; k++) {
        sum += matrix->diagonal[k] * p[k] * p[k];
    }
    return sum;
}

/* p solves the proximal problem with centre 0. */
static void bound_norm(crm_lcp_solver *solver, const double *p)
{
    double bound = squared_norm(solver->matrix, p) * (1.0 - NORM_ROUNDING);
    solver->least_norm = fmax(solver->least_norm, bound);
}

/* |p|^2 / least - 1 */
static double norm_excess(crm_lcp_solver *solver, double tolerance)
{
    double norm = squared_norm(solver->matrix, solver->p);
    if (solver->has_multiplier) {
        double bound = norm - crm_lcp_least_norm_excess(solver, tolerance);
        solver->least_norm = fmax(solver->least_norm, bound);
    }
    if (solver->least_norm < 0.0) {
        return INFINITY;
    }
    return norm > 0.0 ? fmax(norm / solver->least_norm - 1.0, 0.0) : 0.0;
}

/* ---- Attempts -------------------------------------------------------------------------------- */

/* The proximal problem with centre 0, from the start's contacts or all; on a line from the set
 * known beforehand.
 */
static void begin_at_zero(crm_lcp_solver *solver, double delta, bool warm)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    pivoting->delta = delta;
    for (size_t k = 0; k < solver->matrix->size; k++) {
        pivoting->centre[k] = 0.0;
        pivoting->active[k] = !warm || solver->start[k] > 0.0;
    }
    crm_lcp_tridiagonal(solver->matrix, solver->q, delta, pivoting->centre, pivoting->definite,
                        pivoting->tridiagonal_work, pivoting->active);
}

static void centre_on(crm_lcp_solver *solver, const double *p)
{
    memcpy(solver->pivoting.centre, p, solver->matrix->size * sizeof(double));
}

/* Pivoting on D itself: when it is definite, and on a line because there the active set is known
 * beforehand and rarely reaches from wall to wall. Returns whether that has led to the only p.
 */
static bool solve_directly(crm_lcp_solver *solver, const crm_lcp_options *options)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    bool definite = solver->definiteness == CRM_LCP_DEFINITE;
    if (!definite && solver->matrix->structure != CRM_LCP_TRIDIAGONAL) {
        return false;
    }
    begin_at_zero(solver, 0.0, options->warm_start);
    bool found = crm_lcp_pivot(pivoting, FIRST_STALLS);
    if (!found && definite) {
        crm_lcp_interior(pivoting, TO_ROUNDING);
        found = crm_lcp_pivot(pivoting, LAST_STALLS);
    }
    if (found) {
        crm_lcp_offer(solver);
    }
    return solver->residual <= options->tolerance && is_unique(solver, options->tolerance);
}

/* The p in point_work is an answer, as good as rounding and delta let it be. From there on to a
 * better one. Returns whether the problem is infeasible.
 */
static bool polish_point(crm_lcp_solver *solver, double tolerance)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    memcpy(pivoting->p, pivoting->point_work, solver->matrix->size * sizeof(double));
    crm_lcp_offer(solver);
    centre_on(solver, pivoting->point_work);
    pivoting->delta = POLISH_DELTA;
    return !crm_lcp_pivot_is_over(pivoting) && crm_lcp_polish(solver, tolerance);
}

static bool polish_best(crm_lcp_solver *solver, double tolerance)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    for (size_t k = 0; k < solver->matrix->size; k++) {
        pivoting->point_work[k] = solver->p[k];
        pivoting->active[k] = solver->p[k] > 0.0;
    }
    return polish_point(solver, tolerance);
}

/* Each attempt starts without a p, so that its own best p is polished; the best of all is kept. */
static void begin_attempt(crm_lcp_solver *solver)
{
    if (solver->residual < solver->kept_residual) {
        memcpy(solver->kept, solver->p, solver->matrix->size * sizeof(double));
        solver->kept_residual = solver->residual;
    }
    solver->residual = INFINITY;
}

/* The next centre: a share of the way from the last one to p, which is exact for that. Whether the
 * new p could be found by exchanges from the set of the last; if not, the set is as it was.
 */
static bool move_centre(crm_lcp_solver *solver, const double *from, const double *to, double share)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    size_t size = solver->matrix->size;
    memcpy(solver->set, pivoting->active, size * sizeof(bool));
    for (size_t k = 0; k < size; k++) {
        pivoting->centre[k] = from[k] + share * (to[k] - from[k]);
    }
    bool exact = crm_lcp_pivot(pivoting, CENTRE_STALLS);
    if (!exact) {
        memcpy(pivoting->active, solver->set, size * sizeof(bool));
    }
    return exact;
}

/* The proximal point method from p_1 (R. T. Rockafellar, SIAM J. Control Optim. 14 (1976)): p_{n+1}
 * solves the problem with centre p_n, exactly, by exchanges from the set of p_n, which lead to
 * their end because that set is nearly right. What is missing for D itself is delta (p_{n+1} -
 * p_n), and falls quickly. In very large packings the centre must move by less at a time.
 */
static void recentre(crm_lcp_solver *solver)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    size_t size = solver->matrix->size;
    double *from = pivoting->point_work; /* the path is done with */
    double *to = from + size;
    double share = 1.0;
    double enough = INFINITY; /* the residual that is worth going on */
    bool exact = true;
    for (unsigned count = 0; share >= LEAST_SHARE && count < MAX_CENTRES; count++) {
        if (exact) {
            double residual = crm_lcp_offer(solver);
            if (residual <= CRM_LCP_NEARLY_ROUNDED || residual > enough) {
                return;
            }
            memcpy(from, pivoting->centre, size * sizeof(double));
            memcpy(to, pivoting->p, size * sizeof(double));
        }
        exact = move_centre(solver, from, to, share);
        enough = (1.0 - 0.5 * share) * solver->residual;
        share = exact ? fmin(2.0 * share, 1.0) : 0.25 * share;
    }
}

/* Whether masses are similar. With great differences moving the centre does not converge. */
static bool has_similar_masses(const crm_lcp_matrix *matrix)
{
    double least = INFINITY;
    double most = 0.0;
    for (size_t k = 0; k < matrix->size; k++) {
        least = fmin(least, matrix->scale[k]);
        most = fmax(most, matrix->scale[k]);
    }
    return most <= SIMILAR * least;
}

/* p = p_1 + delta y solves the problem: y, from p_1 in its place. */
static void set_multiplier(crm_lcp_solver *solver)
{
    for (size_t k = 0; k < solver->matrix->size; k++) {
        double carries = solver->p[k] > 0.0 || solver->multiplier[k] > 0.0;
        solver->multiplier[k] = carries * (solver->p[k] - solver->multiplier[k]) / NORM_DELTA;
    }
    solver->has_multiplier = true;
}

/* p_1 by the path and exchanges at its end, and from there on by moving the centre. Returns whether
 * that has led to a solution.
 */
static bool solve_by_centres(crm_lcp_solver *solver, const crm_lcp_options *options)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    bool set_known = options->warm_start || solver->matrix->structure == CRM_LCP_TRIDIAGONAL;
    begin_at_zero(solver, NORM_DELTA, options->warm_start);
    bool exact = set_known && crm_lcp_pivot(pivoting, FIRST_STALLS);
    if (!exact && has_similar_masses(solver->matrix)) {
        crm_lcp_interior(pivoting, TO_ROUNDING);
        exact = crm_lcp_pivot(pivoting, LAST_STALLS);
    }
    if (exact) {
        bound_norm(solver, pivoting->p);
        memcpy(solver->multiplier, pivoting->p, solver->matrix->size * sizeof(double));
        recentre(solver);
        set_multiplier(solver);
    }
    return solver->residual <= options->tolerance;
}

/* The path only as far as p'w, which bounds how far p is from least norm, has become small, and
 * from there to a solution without asking which contacts are loaded. Where rounding ends the path
 * before, p is judged by what comes of it. Returns whether that is a solution.
 */
static bool solve_by_face(crm_lcp_solver *solver, const double *guess, double tolerance)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    crm_lcp_interior_options choice = {.proximal = true, .to_least_norm = true, .guess = guess};
    begin_at_zero(solver, NORM_DELTA, false);
    crm_lcp_interior(pivoting, choice);
    memcpy(solver->multiplier, pivoting->point_work, solver->matrix->size * sizeof(double));
    crm_lcp_return_to_face(solver);
    set_multiplier(solver);
    return solver->residual <= tolerance;
}

/* The path for so small a delta that its end is a solution, and only that far: in the largest
 * packings exchanges need it followed to rounding, and what comes after p_1 does not settle. With f
 * and s as above, f(p) + delta |p|^2 / 2 exceeds that of s by p'w at most. Returns whether that is
 * a solution.
 */
static bool solve_along_path(crm_lcp_solver *solver, double tolerance)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    size_t size = solver->matrix->size;
    begin_at_zero(solver, LEAST_DELTA, false);
    crm_lcp_interior(pivoting,
                     (crm_lcp_interior_options){.proximal = true, .to_solution = tolerance});
    memcpy(pivoting->p, pivoting->point_work, size * sizeof(double));
    crm_lcp_offer(solver);
    solver->least_norm = squared_norm(solver->matrix, pivoting->p) * (1.0 - NORM_ROUNDING) -
                         2.0 * pivoting->gap / LEAST_DELTA;
    return solver->residual <= tolerance;
}

/* p_1 for a very small delta, so that the end of the path is an answer whatever comes after; then
 * p_1 is sought by exchanges for a larger one, which leaves less noise in p. Returns whether the
 * problem is infeasible.
 */
static bool solve_by_small_delta(crm_lcp_solver *solver, double tolerance)
{
    crm_lcp_pivoting *pivoting = &solver->pivoting;
    size_t size = solver->matrix->size;
    begin_at_zero(solver, LEAST_DELTA, false);
    if (crm_lcp_interior(pivoting, TO_ROUNDING)) {
        bound_norm(solver, pivoting->point_work);
    }
    memcpy(pivoting->p, pivoting->point_work, size * sizeof(double));
    crm_lcp_offer(solver);
    memcpy(solver->set, pivoting->active, size * sizeof(bool));
    pivoting->delta = NORM_DELTA;
    if (crm_lcp_pivot(pivoting, LAST_STALLS)) {
        bound_norm(solver, pivoting->p);
        memcpy(pivoting->point_work, pivoting->p, size * sizeof(double));
    } else {
        memcpy(pivoting->active, solver->set, size * sizeof(bool));
    }
    return polish_point(solver, tolerance);
}

static bool solve_from_inside(crm_lcp_solver *solver, crm_lcp_interior_options choice, double delta,
                              const double *centre, double tolerance)
{
    solver->pivoting.delta = delta;
    centre_on(solver, centre);
    crm_lcp_interior(&solver->pivoting, choice);
    return polish_point(solver, tolerance);
}

/* Whether there is no solution yet, and time to look for one. */
static bool goes_on(const crm_lcp_solver *solver, double tolerance)
{
    return solver->residual > tolerance && !crm_lcp_pivot_is_over(&solver->pivoting);
}

/* Returns whether the problem is infeasible. */
static bool solve_for_least_norm(crm_lcp_solver *solver, const crm_lcp_options *options)
{
    double tolerance = options->tolerance;
    size_t size = solver->matrix->size;
    bool large = size >= LARGE && size < TOO_LARGE && has_similar_masses(solver->matrix);
    if (large && options->warm_start && solve_by_face(solver, solver->start, tolerance)) {
        return false;
    }
    if (large && (!goes_on(solver, tolerance) || solve_by_face(solver, NULL, tolerance))) {
        return false;
    }
    bool larger = size >= TOO_LARGE && has_similar_masses(solver->matrix) && !options->warm_start;
    if (larger && goes_on(solver, tolerance) && solve_along_path(solver, tolerance)) {
        return false;
    }
    if (goes_on(solver, tolerance) && solve_by_centres(solver, options)) {
        return solver->residual > GOOD_ENOUGH && polish_best(solver, tolerance);
    }
    if (!goes_on(solver, tolerance)) {
        return false;
    }
    begin_attempt(solver);
    bool infeasible = false;
    if (solver->kept_residual < NEAR) { /* p_1 was found: on from there, to a solution beside it */
        crm_lcp_interior_options beside = {.guess = solver->kept};
        infeasible = solve_from_inside(solver, beside, PATH_DELTA, solver->kept, tolerance);
        if (infeasible || !goes_on(solver, tolerance)) {
            return infeasible;
        }
        begin_attempt(solver);
    }
    return solve_by_small_delta(solver, tolerance);
}

static void end_attempts(crm_lcp_solver *solver, double tolerance)
{
    if (solver->residual > tolerance && solver->kept_residual < solver->residual) {
        memcpy(solver->p, solver->kept, solver->matrix->size * sizeof(double));
        solver->residual = solver->kept_residual;
    }
}

/* One attempt after another until one finds a solution. Returns whether the problem is infeasible.
 */
static bool solve_semidefinite(crm_lcp_solver *solver, const crm_lcp_options *options)
{
    double tolerance = options->tolerance;
    bool infeasible = false;
    begin_attempt(solver);
    if (!options->least_norm) {
        crm_lcp_interior_options near_enough = {.guess =
                                                    options->warm_start ? solver->start : NULL};
        infeasible = solve_from_inside(solver, near_enough, PATH_DELTA, solver->start, tolerance);
    }
    if (!options->least_norm && !infeasible && goes_on(solver, tolerance)) {
        begin_attempt(solver);
        bool near = solver->kept_residual < NEAR;
        crm_lcp_interior_options further = {.guess = near ? solver->kept : NULL,
                                            .to_rounding = true};
        infeasible = solve_from_inside(solver, further, PATH_DELTA, solver->kept, tolerance);
    }
    if (!infeasible && goes_on(solver, tolerance)) {
        infeasible = solve_for_least_norm(solver, options);
    }
    if (!infeasible && goes_on(solver, tolerance)) {
        begin_attempt(solver);
        infeasible = solve_from_inside(solver, TO_ROUNDING, LEAST_DELTA, solver->kept, tolerance);
    }
    if (!infeasible && goes_on(solver, tolerance)) {
        crm_lcp_interior_options any = {.to_rounding = true};
        begin_attempt(solver);
        infeasible = solve_from_inside(solver, any, PATH_DELTA, solver->kept, tolerance);
    }
    end_attempts(solver, tolerance);
    return infeasible;
}

/* ---- The whole ------------------------------------------------------------------------------- */

void crm_lcp_solver_solve(crm_lcp_solver *solver, const crm_lcp_options *options,
                          crm_lcp_info *info)
{
    size_t size = solver->matrix->size;
    solver->residual = INFINITY;
    solver->kept_residual = INFINITY;
    solver->least_norm = -1.0;
    solver->has_multiplier = false;
    memset(solver->p, 0, size * sizeof(double));
    solver->pivoting.iterations = 0;
    solver->pivoting.pivots = 0;
    solver->pivoting.max_iterations = options->max_iterations;
    find_definiteness(solver);
    bool over = crm_lcp_pivot_is_over(&solver->pivoting);
    bool unique = !over && solve_directly(solver, options);
    over = crm_lcp_pivot_is_over(&solver->pivoting);
    bool done = over || unique || (solver->residual <= options->tolerance && !options->least_norm);
    if (!done && solve_semidefinite(solver, options)) {
        memcpy(solver->p, solver->direction, size * sizeof(double));
        info->result = CRM_LCP_INFEASIBLE;
        info->norm_excess = NAN;
        return;
    }
    bool solved = solver->residual <= options->tolerance;
    unique = unique || (solved && options->least_norm && is_unique(solver, options->tolerance));
    if (unique && !solver->skip_correction) {
        crm_lcp_make_exact(solver);
    }
    info->result = solved ? CRM_LCP_SOLVED : CRM_LCP_NOT_TERMINATED;
    info->unique = unique;
    info->norm_excess = !solved ? NAN : unique ? 0.0 : norm_excess(solver, options->tolerance);
}
