/* Factorizations of active submatrices: along lines, and in general. */
#include "lcp/factor/factor.h"

#include <math.h>
#include <stdlib.h>

#include "lcp/factor/fronts/fronts.h"

struct crm_lcp_factor {
    const crm_lcp_matrix *matrix;
    bool *active;     /* F */
    double *diagonal; /* of what is factored; on lines, the pivots */
    double *coupling; /* on lines: L(k, k-1) */
    crm_lcp_fronts *fronts;
    size_t factorizations;
};

/* ---- Lines --------------------------------------------------------------------------------- */

/* D(i, i-1) of a path; 0 when i is the first of its line. */
static double coupling_before(const crm_lcp_matrix *matrix, size_t i)
{
    size_t m = matrix->start[i];
    return matrix->column[m] < i ? matrix->value[m] : 0.0;
}

static double factor_path(crm_lcp_factor *factor)
{
    const crm_lcp_matrix *matrix = factor->matrix;
    double smallest = 1.0;
    for (size_t k = 0; k < matrix->size; k++) {
        factor->coupling[k] = 0.0;
        if (!factor->active[k]) {
            continue;
        }
        if (k > 0 && factor->active[k - 1]) {
            double coupling = coupling_before(matrix, k);
            factor->coupling[k] = coupling / factor->diagonal[k - 1];
            factor->diagonal[k] -= factor->coupling[k] * coupling;
        }
        smallest = fmin(smallest, factor->diagonal[k] / matrix->diagonal[k]);
        if (!(smallest > 0.0)) {
            return 0.0;
        }
    }
    return smallest;
}

static void solve_path(const crm_lcp_factor *factor, double *x)
{
    size_t size = factor->matrix->size;
    for (size_t k = 1; k < size; k++) {
        x[k] -= factor->coupling[k] * x[k - 1];
    }
    for (size_t k = size; k-- > 0;) {
        x[k] /= factor->diagonal[k];
        if (k + 1 < size) {
            x[k] -= factor->coupling[k + 1] * x[k + 1];
        }
    }
}

/* ---- The interface ------------------------------------------------------------------------- */

crm_status crm_lcp_factor_create(const crm_lcp_matrix *matrix, crm_lcp_factor **out,
                                 crm_error *error)
{
    bool path = matrix->structure == CRM_LCP_TRIDIAGONAL;
    *out = NULL;
    crm_lcp_factor *factor = CRM_NEW(crm_lcp_factor, 1);
    if (factor == NULL) {
        return crm_fail_memory(error);
    }
    factor->matrix = matrix;
    factor->active = CRM_NEW(bool, matrix->size);
    factor->diagonal = CRM_NEW(double, matrix->size);
    factor->coupling = CRM_NEW(double, path ? matrix->size : 0);
    crm_status status = CRM_OK;
    if (factor->active == NULL || factor->diagonal == NULL || factor->coupling == NULL) {
        status = crm_fail_memory(error);
    } else if (!path) {
        status = crm_lcp_fronts_create(matrix, &factor->fronts, error);
    }
    if (status != CRM_OK) {
        crm_lcp_factor_free(factor);
        return status;
    }
    *out = factor;
    return CRM_OK;
}

void crm_lcp_factor_free(crm_lcp_factor *factor)
{
    if (factor == NULL) {
        return;
    }
    crm_lcp_fronts_free(factor->fronts);
    free(factor->active);
    free(factor->diagonal);
    free(factor->coupling);
    free(factor);
}

double crm_lcp_factor_set(crm_lcp_factor *factor, const bool *active, double delta,
                          const double *added)
{
    const crm_lcp_matrix *matrix = factor->matrix;
    for (size_t k = 0; k < matrix->size; k++) {
        factor->active[k] = active == NULL || active[k];
        factor->diagonal[k] = factor->active[k] ? matrix->diagonal[k] * (1.0 + delta) : 1.0;
        if (factor->active[k] && added != NULL) {
            factor->diagonal[k] += added[k];
        }
    }
    factor->factorizations++;
    if (matrix->structure == CRM_LCP_TRIDIAGONAL) {
        return factor_path(factor);
    }
    return crm_lcp_fronts_factor(factor->fronts, factor->active, factor->diagonal);
}

void crm_lcp_factor_solve(crm_lcp_factor *factor, double *x)
{
    for (size_t k = 0; k < factor->matrix->size; k++) {
        x[k] = factor->active[k] ? x[k] : 0.0;
    }
    if (factor->matrix->structure == CRM_LCP_TRIDIAGONAL) {
        solve_path(factor, x);
    } else {
        crm_lcp_fronts_solve(factor->fronts, x);
    }
}

void crm_lcp_factor_watch(crm_lcp_factor *factor, crm_watching *watching)
{
    if (factor->fronts != NULL) {
        crm_lcp_fronts_watch(factor->fronts, watching);
    }
}

size_t crm_lcp_factor_count(const crm_lcp_factor *factor)
{
    return factor->factorizations;
}

void crm_lcp_factor_use_width(crm_lcp_factor *factor, crm_width width)
{
    if (factor->fronts != NULL) {
        crm_lcp_fronts_use_width(factor->fronts, width);
    }
}

void crm_lcp_factor_use_threads(crm_lcp_factor *factor, crm_team_lazy *threads)
{
    if (factor->fronts != NULL) {
        crm_lcp_fronts_use_threads(factor->fronts, threads);
    }
}

crm_team *crm_lcp_factor_team(const crm_lcp_factor *factor)
{
    return factor->fronts != NULL ? crm_lcp_fronts_team(factor->fronts) : NULL;
}
