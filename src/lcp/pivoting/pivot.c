/* Block principal pivoting: all contacts with the wrong sign change sides at once (M. M. Kostreva
 * 1978; J. J. Judice, F. M. Pires, Comput. Oper. Res. 21 (1994)).
 *
 * It is Newton's method for a piecewise linear equation. From a good set it ends in a few
 * exchanges; with many nearly dependent contacts and from a bad set it may not terminate.
 */
#include "lcp/pivoting/pivot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lcp/interior/interior.h"
#include "lcp/pivoting/tridiagonal.h"

/* A sign is wrong only beyond this part of the terms: far above the rounding of a residual that
 * is summed in twice the working precision, far below delta p, which decides among many p.
 */
static const double SIGN_TOLERANCE = 1e-14;

/* A solution of the linear system is refined until its residual is rounding. */
static const double REFINED = 2.3e-16;
enum { MAX_REFINEMENTS = 4 };

/* ---- Life ---------------------------------------------------------------------------------- */

crm_status crm_lcp_pivoting_create(const crm_lcp_matrix *matrix, crm_lcp_pivoting *pivoting,
                                   crm_error *error)
{
    size_t size = matrix->size;
    *pivoting = (crm_lcp_pivoting){.matrix = matrix};
    pivoting->centre = CRM_NEW(double, size);
    pivoting->active = CRM_NEW(bool, size);
    pivoting->factored = CRM_NEW(bool, size);
    pivoting->p = CRM_NEW(double, size);
    pivoting->w = CRM_NEW(double, size);
    pivoting->size = CRM_NEW(double, size);
    pivoting->measured = CRM_NEW(double, size);
    pivoting->step = CRM_NEW(double, size);
    pivoting->tridiagonal_work = crm_memory_allocate(1, crm_lcp_tridiagonal_bytes(matrix));
    pivoting->point_work = CRM_NEW(double, CRM_LCP_INTERIOR_VECTORS *size);
    crm_status status = CRM_OK;
    if (pivoting->centre == NULL || pivoting->active == NULL || pivoting->factored == NULL ||
        pivoting->p == NULL || pivoting->w == NULL || pivoting->size == NULL ||
        pivoting->measured == NULL || pivoting->step == NULL ||
        pivoting->tridiagonal_work == NULL || pivoting->point_work == NULL) {
        status = crm_fail_memory(error);
    } else {
        status = crm_lcp_factor_create(matrix, &pivoting->factor, error);
    }
    if (status != CRM_OK) {
        crm_lcp_pivoting_free(pivoting);
    }
    return status;
}

void crm_lcp_pivoting_free(crm_lcp_pivoting *pivoting)
{
    crm_lcp_factor_free(pivoting->factor);
    free(pivoting->centre);
    free(pivoting->active);
    free(pivoting->factored);
    free(pivoting->p);
    free(pivoting->w);
    free(pivoting->size);
    free(pivoting->measured);
    free(pivoting->step);
    free(pivoting->tridiagonal_work);
    free(pivoting->point_work);
    *pivoting = (crm_lcp_pivoting){0};
}

static bool is_interrupted(const crm_lcp_pivoting *pivoting)
{
    if (!crm_watch_due(pivoting->watching, pivoting->matrix->size)) {
        return false;
    }
    const crm_watch_report progress = {
        .time = NAN, .left = NAN, .working = pivoting->matrix->size, .steps = pivoting->iterations};
    return crm_watch_ends(pivoting->watching, &progress);
}

/* ---- The solution that belongs to a set ------------------------------------------------------ */

void crm_lcp_pivot_factor(crm_lcp_pivoting *pivoting, const bool *active, double delta)
{
    size_t bytes = pivoting->matrix->size * sizeof *active;
    if (pivoting->factored_valid && pivoting->factored_delta == delta &&
        memcmp(pivoting->factored, active, bytes) == 0) {
        return;
    }
    pivoting->smallest_pivot = crm_lcp_factor_set(pivoting->factor, active, delta, NULL);
    memcpy(pivoting->factored, active, bytes);
    pivoting->factored_delta = delta;
    pivoting->factored_valid = pivoting->watching == NULL || !pivoting->watching->over;
}

/* v_k of p, w as they are. */
static double proximal_w(const crm_lcp_pivoting *pivoting, size_t k)
{
    return pivoting->w[k] +
           pivoting->delta * pivoting->matrix->diagonal[k] * (pivoting->p[k] - pivoting->centre[k]);
}

void crm_lcp_pivot_begin(crm_lcp_pivoting *pivoting)
{
    pivoting->measured_valid = false;
}

void crm_lcp_pivot_measure(crm_lcp_pivoting *pivoting, const double *p)
{
    size_t bytes = pivoting->matrix->size * sizeof *p;
    if (pivoting->measured_valid && memcmp(pivoting->measured, p, bytes) == 0) {
        return;
    }
    crm_lcp_matrix_residual(pivoting->matrix, p, pivoting->q, pivoting->floor, pivoting->w,
                            pivoting->size);
    memcpy(pivoting->measured, p, bytes);
    pivoting->measured_valid = true;
}

/* The largest |v| over the active contacts, relative to its terms. */
static double equation_residual(const crm_lcp_pivoting *pivoting)
{
    double largest = 0.0;
    for (size_t k = 0; k < pivoting->matrix->size; k++) {
        if (pivoting->active[k] && pivoting->size[k] > 0.0) {
            largest = fmax(largest, fabs(proximal_w(pivoting, k)) / pivoting->size[k]);
        }
    }
    return largest;
}

/* Started from the centre, so that near the end only a small correction is computed, with a
 * correspondingly small error.
 */
static void solve_and_refine(crm_lcp_pivoting *pivoting)
{
    size_t size = pivoting->matrix->size;
    double residual = INFINITY;
    for (size_t k = 0; k < size; k++) {
        pivoting->p[k] = pivoting->active[k] ? pivoting->centre[k] : 0.0;
    }
    crm_lcp_pivot_measure(pivoting, pivoting->p);
    for (unsigned round = 0; round <= MAX_REFINEMENTS; round++) {
        for (size_t k = 0; k < size; k++) {
            pivoting->step[k] = -proximal_w(pivoting, k);
        }
        crm_lcp_factor_solve(pivoting->factor, pivoting->step);
        for (size_t k = 0; k < size; k++) {
            pivoting->p[k] += pivoting->step[k];
        }
        crm_lcp_pivot_measure(pivoting, pivoting->p);
        double last = residual;
        residual = equation_residual(pivoting);
        if (residual <= REFINED || residual > 0.5 * last || is_interrupted(pivoting)) {
            return;
        }
    }
}

bool crm_lcp_pivot_basic(crm_lcp_pivoting *pivoting)
{
    /* With delta > 0 every pivot is >= delta but for rounding. */
    double least =
        pivoting->delta > 0.0 ? 0.1 * pivoting->delta : crm_lcp_pivot_zero(pivoting->matrix);
    crm_lcp_pivot_factor(pivoting, pivoting->active, pivoting->delta);
    if (!(pivoting->smallest_pivot >= least)) {
        return false;
    }
    solve_and_refine(pivoting);
    return true;
}

double crm_lcp_pivot_zero(const crm_lcp_matrix *matrix)
{
    /* The pivots of a tridiagonal D are accurate, and truly small where masses differ greatly. */
    bool line = matrix->structure == CRM_LCP_TRIDIAGONAL;
    return line ? fmin(1e-14 + 1e-17 * (double)matrix->size, 1e-11) : 1e-11;
}

/* ---- Exchanges ------------------------------------------------------------------------------- */

bool crm_lcp_pivot_pulls(const crm_lcp_pivoting *pivoting, size_t k)
{
    return pivoting->active[k] &&
           pivoting->matrix->diagonal[k] * pivoting->p[k] < -SIGN_TOLERANCE * pivoting->size[k];
}

bool crm_lcp_pivot_closes(const crm_lcp_pivoting *pivoting, size_t k)
{
    return !pivoting->active[k] && proximal_w(pivoting, k) < -SIGN_TOLERANCE * pivoting->size[k];
}

static bool is_wrong(const crm_lcp_pivoting *pivoting, size_t k)
{
    return crm_lcp_pivot_pulls(pivoting, k) || crm_lcp_pivot_closes(pivoting, k);
}

size_t crm_lcp_pivot_wrong(const crm_lcp_pivoting *pivoting)
{
    size_t count = 0;
    for (size_t k = 0; k < pivoting->matrix->size; k++) {
        count += is_wrong(pivoting, k);
    }
    return count;
}

void crm_lcp_pivot_exchange(crm_lcp_pivoting *pivoting)
{
    for (size_t k = 0; k < pivoting->matrix->size; k++) {
        if (is_wrong(pivoting, k)) {
            pivoting->active[k] = !pivoting->active[k];
            pivoting->pivots++;
        }
    }
}

bool crm_lcp_pivot_may_go_on(crm_lcp_pivoting *pivoting)
{
    if (pivoting->iterations >= pivoting->max_iterations || is_interrupted(pivoting)) {
        return false;
    }
    pivoting->iterations++;
    return true;
}

static bool exchange_blocks(crm_lcp_pivoting *pivoting, unsigned max_stalls)
{
    size_t fewest = SIZE_MAX;
    unsigned idle = 0;
    while (crm_lcp_pivot_may_go_on(pivoting) && crm_lcp_pivot_basic(pivoting)) {
        size_t wrong = crm_lcp_pivot_wrong(pivoting);
        idle = wrong < fewest ? 0 : idle + 1;
        fewest = wrong < fewest ? wrong : fewest;
        if (wrong == 0 || idle >= max_stalls) {
            return wrong == 0;
        }
        crm_lcp_pivot_exchange(pivoting);
    }
    return false;
}

bool crm_lcp_pivot(crm_lcp_pivoting *pivoting, unsigned max_stalls)
{
    return exchange_blocks(pivoting, max_stalls) ||
           (crm_lcp_tridiagonal(pivoting->matrix, pivoting->q, pivoting->delta, pivoting->centre,
                                pivoting->definite, pivoting->tridiagonal_work, pivoting->active) &&
            exchange_blocks(pivoting, max_stalls));
}
