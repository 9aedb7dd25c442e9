/* The public face of the complementarity solver: units in and out, residuals of the answer. */
#include "carom/lcp.h"

#include <math.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/precondition.h"
#include "lcp/solver.h"
#include "model/model.h"

struct crm_lcp {
    size_t size;
    crm_lcp_matrix matrix;
    size_t fixed_count; /* contacts that move nothing: not in the matrix */
    size_t *fixed;
    crm_lcp_solver solver;
};

/* What is called solved by default. A solution p of the problem with delta D_kk p_k added to w_k,
 * D_kk p_k w'_k = 0 and w'_k = w_k + delta D_kk p_k, has w_k = -delta D_kk p_k where p_k > 0. That
 * is delta of a term of w_k at most, so its relative residual is at most delta, however large the
 * packing. 1e-12 is the smallest delta in use (LEAST_DELTA of solver.c), which the rounding of p,
 * 1e-16 / delta, keeps from being less. Smaller tolerances, down to that of a rounded p (ROUNDED of
 * pivoting/polish.c), are met where proximal steps and exchanges converge.
 */
static const double TOLERANCE = 1e-12;

const char *crm_lcp_result_text(crm_lcp_result result)
{
#define TEXT(name, text) text,
    static const char *const texts[] = {CRM_LCP_RESULT_LIST(TEXT)};
#undef TEXT
    return (unsigned)result < sizeof texts / sizeof texts[0] ? texts[result] : "unknown result";
}

crm_lcp_options crm_lcp_options_default(void)
{
    return (crm_lcp_options){.tolerance = TOLERANCE, .max_iterations = 2000, .least_norm = true};
}

/* ---- Life ---------------------------------------------------------------------------------- */

static crm_status find_fixed(crm_lcp *lcp, crm_error *error)
{
    bool *movable = CRM_NEW(bool, lcp->size);
    lcp->fixed = CRM_NEW(size_t, lcp->size - lcp->matrix.size);
    if (movable == NULL || lcp->fixed == NULL) {
        free(movable);
        return crm_fail_memory(error);
    }
    for (size_t k = 0; k < lcp->matrix.size; k++) {
        movable[lcp->matrix.contact[k]] = true;
    }
    for (size_t j = 0; j < lcp->size; j++) {
        if (!movable[j]) {
            lcp->fixed[lcp->fixed_count++] = j;
        }
    }
    free(movable);
    return CRM_OK;
}

static crm_status build(crm_lcp *lcp, const crm_sparse_view *d, crm_lcp_limits limits,
                        crm_error *error)
{
    crm_status status = crm_lcp_matrix_create(lcp->size, d, limits, &lcp->matrix, error);
    if (status == CRM_OK) {
        status = find_fixed(lcp, error);
    }
    if (status == CRM_OK) {
        status = crm_lcp_solver_create(&lcp->matrix, &lcp->solver, error);
    }
    return status;
}

crm_status crm_lcp_create(size_t size, const crm_sparse_view *d, crm_lcp **out, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    return crm_lcp_create_within(size, d, (crm_lcp_limits){0}, out, error);
}

crm_status crm_lcp_create_within(size_t size, const crm_sparse_view *d, crm_lcp_limits limits,
                                 crm_lcp **out, crm_error *error)
{
    if (crm_fail_if_null(out, "lcp", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *out = NULL;
    crm_status status = crm_sparse_check(d, size, size, "D", error);
    if (status != CRM_OK) {
        return status;
    }
    crm_lcp *lcp = CRM_NEW(crm_lcp, 1);
    if (lcp == NULL) {
        return crm_fail_memory(error);
    }
    lcp->size = size;
    status = build(lcp, d, limits, error);
    if (status != CRM_OK) {
        crm_lcp_free(lcp);
        return status;
    }
    *out = lcp;
    return CRM_OK;
}

void crm_lcp_free(crm_lcp *lcp)
{
    if (lcp == NULL) {
        return;
    }
    crm_lcp_solver_free(&lcp->solver);
    crm_lcp_matrix_free(&lcp->matrix);
    free(lcp->fixed);
    free(lcp);
}

size_t crm_lcp_size(const crm_lcp *lcp)
{
    CRM_PRECONDITION(lcp != NULL);
    return lcp->size;
}

double crm_lcp_condition(crm_lcp *lcp)
{
    return crm_lcp_condition_scaled(&lcp->solver);
}

/* ---- Units ----------------------------------------------------------------------------------- */

static double largest_speed(const crm_lcp *lcp, const double *q)
{
    double largest = 0.0;
    for (size_t j = 0; j < lcp->size; j++) {
        largest = fmax(largest, fabs(q[j]));
    }
    return largest;
}

/* The problem in the matrix's scale, with the largest entry of q near 1. Everything is a power of
 * two, so nothing is rounded. Returns the unit of p.
 */
static double scale_in(crm_lcp *lcp, const double *q, double fastest)
{
    const crm_lcp_matrix *matrix = &lcp->matrix;
    double largest = 0.0;
    for (size_t k = 0; k < matrix->size; k++) {
        lcp->solver.q[k] = matrix->scale[k] * q[matrix->contact[k]];
        largest = fmax(largest, fabs(lcp->solver.q[k]));
    }
    int exponent = 0;
    frexp(largest, &exponent);
    double unit = ldexp(1.0, exponent);
    for (size_t k = 0; k < matrix->size; k++) {
        lcp->solver.q[k] /= unit;
        lcp->solver.floor[k] = matrix->scale[k] * fastest / unit;
    }
    crm_lcp_pivot_begin(&lcp->solver.pivoting);
    return unit;
}

static void scale_out(const crm_lcp *lcp, double unit, double *p)
{
    for (size_t f = 0; f < lcp->fixed_count; f++) {
        p[lcp->fixed[f]] = 0.0;
    }
    for (size_t k = 0; k < lcp->matrix.size; k++) {
        p[lcp->matrix.contact[k]] = lcp->matrix.scale[k] * lcp->solver.p[k] * unit;
    }
}

void crm_lcp_solve_near(crm_lcp *lcp, const double *q, double *p)
{
    for (size_t k = 0; k < lcp->matrix.size; k++) {
        lcp->solver.p[k] = lcp->matrix.scale[k] * q[lcp->matrix.contact[k]];
    }
    crm_lcp_solve_near_scaled(&lcp->solver, lcp->solver.p);
    scale_out(lcp, 1.0, p);
}

bool crm_lcp_solve_among(crm_lcp *lcp, const bool *set, const double *q, double *p)
{
    crm_lcp_solver *solver = &lcp->solver;
    for (size_t k = 0; k < lcp->matrix.size; k++) {
        solver->set[k] = set[lcp->matrix.contact[k]];
        solver->p[k] = lcp->matrix.scale[k] * q[lcp->matrix.contact[k]];
    }
    crm_lcp_pivot_factor(&solver->pivoting, solver->set, 0.0);
    if (!(solver->pivoting.smallest_pivot > 0)) {
        return false;
    }
    crm_lcp_factor_solve(solver->pivoting.factor, solver->p);
    scale_out(lcp, 1.0, p);
    return true;
}

/* ---- Contacts that move nothing -------------------------------------------------------------- */

/* w_j = q_j there: the first that closes faster than rounding of the largest speed, or SIZE_MAX. */
static size_t find_blocked(const crm_lcp *lcp, const double *q, double slack)
{
    for (size_t f = 0; f < lcp->fixed_count; f++) {
        if (q[lcp->fixed[f]] < -slack) {
            return lcp->fixed[f];
        }
    }
    return SIZE_MAX;
}

/* ---- Residuals ------------------------------------------------------------------------------- */

static void judge(double d, double p, double w, double size, crm_lcp_info *info)
{
    double natural = fabs(fmin(d * p, w));
    info->active += p > 0.0;
    info->min_p = fmin(info->min_p, p);
    info->min_w = fmin(info->min_w, w);
    info->max_product = fmax(info->max_product, fabs(p * w));
    info->natural_residual = fmax(info->natural_residual, natural);
    if (natural > 0.0 && size > 0.0) {
        info->relative_residual = fmax(info->relative_residual, natural / size);
    }
}

/* Writes w (may be NULL) and the residuals of p, which is lcp->solver.p in the caller's units. */
static void report(crm_lcp *lcp, const double *q, double fastest, double unit, const double *p,
                   double *w, crm_lcp_info *info)
{
    const crm_lcp_matrix *matrix = &lcp->matrix;
    double *scaled_w = lcp->solver.pivoting.w;
    double *size = lcp->solver.pivoting.size;
    crm_lcp_pivot_measure(&lcp->solver.pivoting, lcp->solver.p);
    info->min_p = lcp->size > 0 ? INFINITY : 0.0;
    info->min_w = info->min_p;
    for (size_t k = 0; k < matrix->size; k++) {
        size_t j = matrix->contact[k];
        double back = unit / matrix->scale[k];
        double d = matrix->diagonal[k] / (matrix->scale[k] * matrix->scale[k]);
        judge(d, p[j], scaled_w[k] * back, size[k] * back, info);
        if (w != NULL) {
            w[j] = scaled_w[k] * back;
        }
    }
    for (size_t f = 0; f < lcp->fixed_count; f++) {
        size_t j = lcp->fixed[f];
        judge(0.0, 0.0, q[j], fastest, info);
        if (w != NULL) {
            w[j] = q[j];
        }
    }
}

void crm_lcp_skip_correction(crm_lcp *lcp, bool skip_correction)
{
    lcp->solver.skip_correction = skip_correction;
}

void crm_lcp_watch(crm_lcp *lcp, crm_watching *watching)
{
    lcp->solver.pivoting.watching = watching;
    crm_lcp_factor_watch(lcp->solver.pivoting.factor, watching);
}

void crm_lcp_use_width(crm_lcp *lcp, crm_width width)
{
    crm_lcp_factor_use_width(lcp->solver.pivoting.factor, width);
}

void crm_lcp_use_threads(crm_lcp *lcp, crm_team_lazy *threads)
{
    crm_lcp_factor_use_threads(lcp->solver.pivoting.factor, threads);
}

/* ---- The call -------------------------------------------------------------------------------- */

static crm_status check_call(const crm_lcp *lcp, const double *q, const crm_lcp_options *options,
                             const double *p, crm_error *error)
{
    if (crm_fail_if_null(lcp, "lcp", error) ||
        (lcp->size > 0 && (crm_fail_if_null(q, "q", error) || crm_fail_if_null(p, "p", error)))) {
        return CRM_ERROR_ARGUMENT;
    }
    if (!(options->tolerance > 0.0) || !isfinite(options->tolerance)) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "tolerance", "tolerance is %g, must be positive",
                        options->tolerance);
    }
    for (size_t j = 0; j < lcp->size; j++) {
        if (!isfinite(q[j])) {
            return crm_fail(error, CRM_ERROR_ARGUMENT, "q", "entry %zu is not finite", j + 1);
        }
    }
    return CRM_OK;
}

/* In the matrix's scale, too, q must leave room for what it is multiplied by. */
static crm_status check_sizes(const crm_lcp *lcp, const double *q, crm_error *error)
{
    static const double most = 0x1p1000;
    const crm_lcp_matrix *matrix = &lcp->matrix;
    double largest = largest_speed(lcp, q);
    for (size_t k = 0; k < matrix->size; k++) {
        largest = fmax(largest, matrix->scale[k] * fabs(q[matrix->contact[k]]));
    }
    return largest <= most ? CRM_OK
                           : crm_fail(error, CRM_ERROR_ARGUMENT, "q",
                                      "the largest entry, also over sqrt(D_jj), is %g, must be at "
                                      "most 1e301",
                                      largest);
}

/* With D and q at the ends of what is allowed p may be none that a double holds. */
static crm_status check_impulses(const crm_lcp *lcp, const double *p, crm_error *error)
{
    for (size_t j = 0; j < lcp->size; j++) {
        if (!isfinite(p[j])) {
            return crm_fail(error, CRM_ERROR_ARGUMENT, "q",
                            "p of contact %zu is beyond what numbers can hold", j + 1);
        }
    }
    return CRM_OK;
}

/* What is not a number or negative is no impulse. */
static void start_from(crm_lcp *lcp, const double *p, double unit)
{
    for (size_t k = 0; k < lcp->matrix.size; k++) {
        double start = p[lcp->matrix.contact[k]];
        bool usable = start > 0.0 && isfinite(start);
        lcp->solver.start[k] = usable ? start / (lcp->matrix.scale[k] * unit) : 0.0;
    }
}

/* A contact that moves nothing and closes: d is the unit vector. */
static void answer_blocked(crm_lcp *lcp, size_t blocked, double *p, crm_lcp_info *info)
{
    for (size_t k = 0; k < lcp->matrix.size; k++) {
        lcp->solver.p[k] = 0.0;
    }
    for (size_t j = 0; j < lcp->size; j++) {
        p[j] = j == blocked ? 1.0 : 0.0;
    }
    info->result = CRM_LCP_INFEASIBLE;
    info->norm_excess = NAN;
}

static crm_status solve(crm_lcp *lcp, const double *q, const crm_lcp_options *options, double *p,
                        double *w, crm_lcp_info *info, crm_error *error)
{
    crm_status status = check_call(lcp, q, options, p, error);
    status = status == CRM_OK ? check_sizes(lcp, q, error) : status;
    if (status != CRM_OK) {
        return status;
    }
    double fastest = largest_speed(lcp, q);
    double unit = scale_in(lcp, q, fastest);
    size_t blocked = find_blocked(lcp, q, options->tolerance * fastest);
    size_t factorizations = crm_lcp_factor_count(lcp->solver.pivoting.factor);
    if (blocked != SIZE_MAX) {
        answer_blocked(lcp, blocked, p, info);
    } else {
        if (options->warm_start) {
            start_from(lcp, p, unit);
        }
        crm_lcp_solver_solve(&lcp->solver, options, info);
        scale_out(lcp, info->result == CRM_LCP_INFEASIBLE ? 1.0 : unit, p);
        info->iterations = lcp->solver.pivoting.iterations;
        info->pivots = lcp->solver.pivoting.pivots;
    }
    info->factorizations = crm_lcp_factor_count(lcp->solver.pivoting.factor) - factorizations;
    report(lcp, q, fastest, unit, p, w, info);
    return check_impulses(lcp, p, error);
}

crm_status crm_lcp_solve(crm_lcp *lcp, const double *q, const crm_lcp_options *options, double *p,
                         double *w, crm_lcp_info *info, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    crm_lcp_options defaults = crm_lcp_options_default();
    crm_lcp_info unread;
    options = options != NULL ? options : &defaults;
    info = info != NULL ? info : &unread;
    *info = (crm_lcp_info){0};
    if (lcp == NULL || options->watch == NULL) {
        return solve(lcp, q, options, p, w, info, error);
    }
    crm_watching watching = crm_watch_begin(options->watch);
    crm_lcp_watch(lcp, &watching);
    crm_status status = solve(lcp, q, options, p, w, info, error);
    crm_lcp_watch(lcp, NULL);
    return status;
}
