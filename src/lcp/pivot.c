/* Block principal pivoting, and what to do when it does not settle.
 *
 * All contacts with the wrong sign change sides at once (M. M. Kostreva 1978; J. J. Judice, F. M.
 * Pires, Comput. Oper. Res. 21 (1994)). From a good set this ends in a few exchanges; with many
 * nearly dependent contacts it may wander for ever. As soon as the number of wrong signs no longer
 * falls, a good set is fetched elsewhere: on a line of contacts directly (line.h), in general
 * from an interior point (interior.h), and if need be from there downhill (descent.h).
 */
#include "lcp/pivot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lcp/descent.h"
#include "lcp/interior.h"
#include "lcp/line.h"

/* A sign is wrong only beyond this part of the terms: far above the rounding of a residual that
 * is summed in twice the working precision, far below delta p, which decides among many p.
 */
static const double SIGN_TOLERANCE = 1e-14;

/* Block exchanges without progress: before a better set is fetched, and after. */
enum { FIRST_PATIENCE = 1, LAST_PATIENCE = 5 };

/* Sets tried in the descent, times contacts: what may be spent on it. */
static const size_t DESCENT_WORK = 300000;

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
    pivoting->step = CRM_NEW(double, size);
    pivoting->line_work = crm_allocate(1, crm_lcp_line_bytes(size));
    pivoting->point_work = CRM_NEW(double, CRM_LCP_INTERIOR_VECTORS *size);
    pivoting->path_store = CRM_NEW(double, 2 * size);
    crm_status status = CRM_OK;
    if (pivoting->centre == NULL || pivoting->path_store == NULL || pivoting->active == NULL ||
        pivoting->factored == NULL || pivoting->p == NULL || pivoting->w == NULL ||
        pivoting->size == NULL || pivoting->step == NULL || pivoting->line_work == NULL ||
        pivoting->point_work == NULL) {
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
    free(pivoting->step);
    free(pivoting->line_work);
    free(pivoting->point_work);
    free(pivoting->path_store);
    *pivoting = (crm_lcp_pivoting){0};
}

/* ---- The solution that belongs to a set ------------------------------------------------------ */

crm_status crm_lcp_pivot_factor(crm_lcp_pivoting *pivoting, const bool *active, double delta,
                                crm_error *error)
{
    size_t bytes = pivoting->matrix->size * sizeof *active;
    if (pivoting->factored_valid && pivoting->factored_delta == delta &&
        memcmp(pivoting->factored, active, bytes) == 0) {
        return CRM_OK;
    }
    pivoting->factored_valid = false;
    crm_status status =
        crm_lcp_factor_set(pivoting->factor, active, delta, NULL, &pivoting->smallest_pivot, error);
    if (status == CRM_OK) {
        memcpy(pivoting->factored, active, bytes);
        pivoting->factored_delta = delta;
        pivoting->factored_valid = true;
    }
    return status;
}

double crm_lcp_pivot_v(const crm_lcp_pivoting *pivoting, size_t k)
{
    return pivoting->w[k] +
           pivoting->delta * pivoting->matrix->diagonal[k] * (pivoting->p[k] - pivoting->centre[k]);
}

static void find_w(crm_lcp_pivoting *pivoting)
{
    crm_lcp_matrix_residual(pivoting->matrix, pivoting->p, pivoting->q, pivoting->floor,
                            pivoting->w, pivoting->size);
}

/* The largest |v| over the active contacts, relative to its terms. */
static double equation_residual(const crm_lcp_pivoting *pivoting)
{
    double largest = 0.0;
    for (size_t k = 0; k < pivoting->matrix->size; k++) {
        if (pivoting->active[k] && pivoting->size[k] > 0.0) {
            largest = fmax(largest, fabs(crm_lcp_pivot_v(pivoting, k)) / pivoting->size[k]);
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
    find_w(pivoting);
    for (unsigned round = 0; round <= MAX_REFINEMENTS; round++) {
        for (size_t k = 0; k < size; k++) {
            pivoting->step[k] = -crm_lcp_pivot_v(pivoting, k);
        }
        crm_lcp_factor_solve(pivoting->factor, pivoting->step);
        for (size_t k = 0; k < size; k++) {
            pivoting->p[k] += pivoting->step[k];
        }
        find_w(pivoting);
        double last = residual;
        residual = equation_residual(pivoting);
        if (residual <= REFINED || residual > 0.5 * last) {
            return;
        }
    }
}

crm_status crm_lcp_pivot_basic(crm_lcp_pivoting *pivoting, bool *regular, crm_error *error)
{
    crm_status status = crm_lcp_pivot_factor(pivoting, pivoting->active, pivoting->delta, error);
    /* With delta > 0 every pivot is >= delta but for rounding. */
    double least =
        pivoting->delta > 0.0 ? 0.1 * pivoting->delta : crm_lcp_pivot_zero(pivoting->matrix);
    *regular = status == CRM_OK && pivoting->smallest_pivot >= least;
    if (*regular) {
        solve_and_refine(pivoting);
    }
    return status;
}

double crm_lcp_pivot_zero(const crm_lcp_matrix *matrix)
{
    /* Along a line pivots are accurate, and small in earnest beside great differences of mass. */
    bool line = matrix->structure == CRM_LCP_PATH;
    return line ? fmin(1e-14 + 1e-17 * (double)matrix->size, 1e-11) : 1e-11;
}

/* ---- Pivoting -------------------------------------------------------------------------------- */

bool crm_lcp_pivot_wrong(const crm_lcp_pivoting *pivoting, size_t k)
{
    double value = pivoting->active[k] ? pivoting->matrix->diagonal[k] * pivoting->p[k]
                                       : crm_lcp_pivot_v(pivoting, k);
    return value < -SIGN_TOLERANCE * pivoting->size[k];
}

static size_t count_wrong(const crm_lcp_pivoting *pivoting)
{
    size_t count = 0;
    for (size_t k = 0; k < pivoting->matrix->size; k++) {
        count += crm_lcp_pivot_wrong(pivoting, k);
    }
    return count;
}

static void exchange_wrong(crm_lcp_pivoting *pivoting)
{
    for (size_t k = 0; k < pivoting->matrix->size; k++) {
        if (crm_lcp_pivot_wrong(pivoting, k)) {
            pivoting->active[k] = !pivoting->active[k];
            pivoting->pivots++;
        }
    }
}

/* Block exchanges until every sign is right, or their number has not fallen `patience` times.
 * *settled tells which.
 */
static crm_status exchange_blocks(crm_lcp_pivoting *pivoting, unsigned patience, bool *settled,
                                  crm_lcp_pivot_end *end, crm_error *error)
{
    size_t fewest = SIZE_MAX;
    unsigned idle = 0;
    *settled = false;
    *end = CRM_LCP_PIVOT_DONE;
    for (;;) {
        bool regular;
        crm_status status = crm_lcp_pivot_basic(pivoting, &regular, error);
        if (status != CRM_OK || !regular) {
            *end = CRM_LCP_PIVOT_SINGULAR;
            return status;
        }
        size_t wrong = count_wrong(pivoting);
        *settled = wrong == 0;
        idle = wrong < fewest ? 0 : idle + 1;
        fewest = wrong < fewest ? wrong : fewest;
        if (*settled || idle >= patience) {
            return CRM_OK;
        }
        if (pivoting->iterations >= pivoting->max_iterations) {
            *end = CRM_LCP_PIVOT_LIMIT;
            return CRM_OK;
        }
        pivoting->iterations++;
        exchange_wrong(pivoting);
    }
}

/* A better set: true when it was found without an interior point. */
static bool find_on_line(crm_lcp_pivoting *pivoting)
{
    return crm_lcp_line(pivoting->matrix, pivoting->q, pivoting->delta, pivoting->centre,
                        pivoting->definite, pivoting->line_work, pivoting->active);
}

crm_status crm_lcp_pivot(crm_lcp_pivoting *pivoting, bool thorough, crm_lcp_pivot_end *end,
                         crm_error *error)
{
    bool settled;
    crm_status status = exchange_blocks(pivoting, FIRST_PATIENCE, &settled, end, error);
    if (status != CRM_OK || settled || *end != CRM_LCP_PIVOT_DONE) {
        return status;
    }
    if (find_on_line(pivoting)) {
        status = exchange_blocks(pivoting, LAST_PATIENCE, &settled, end, error);
        if (status != CRM_OK || settled || *end != CRM_LCP_PIVOT_DONE) {
            return status;
        }
    }
    if (!thorough) {
        *end = CRM_LCP_PIVOT_UNSETTLED;
        return CRM_OK;
    }
    status = crm_lcp_interior(pivoting, true, error);
    if (status == CRM_OK) {
        status = exchange_blocks(pivoting, LAST_PATIENCE, &settled, end, error);
    }
    if (status != CRM_OK || settled || *end != CRM_LCP_PIVOT_DONE) {
        return status;
    }
    size_t budget = DESCENT_WORK / (pivoting->matrix->size + 1) + 1;
    return crm_lcp_descent(pivoting, budget, end, error);
}
