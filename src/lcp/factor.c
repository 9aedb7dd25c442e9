/* Factorizations of active submatrices: full, tridiagonal, sparse.
 *
 * The sparse one is CHOLMOD's simplicial LDL' (Y. Chen, T. A. Davis, W. W. Hager, S.
 * Rajamanickam, ACM Trans. Math. Softw. 35 (2008)); only its Core and Cholesky modules are used.
 */
#include "lcp/factor.h"

#include <cholmod.h>
#include <math.h>
#include <stdlib.h>

struct crm_lcp_factor {
    const crm_lcp_matrix *matrix;
    size_t count;   /* |F| */
    size_t *member; /* F, ascending */
    int *place;     /* contact -> place in F; -1 outside */
    double *x;      /* |F| work entries */
    size_t factorizations;
    double delta;        /* of the set being factored */
    const double *added; /* borrowed during crm_lcp_factor_set */

    double *pivot;    /* dense and tridiagonal: d */
    double *triangle; /* dense: L by rows, stride size; tridiagonal: L(k, k-1) */

    cholmod_common common; /* sparse */
    cholmod_sparse *upper;
    cholmod_factor *l;
};

static double diagonal_entry(const crm_lcp_factor *factor, size_t i)
{
    double entry = factor->matrix->diagonal[i] * (1.0 + factor->delta);
    return factor->added != NULL ? entry + factor->added[i] : entry;
}

/* ---- Dense --------------------------------------------------------------------------------- */

static double factor_dense(crm_lcp_factor *factor)
{
    const crm_lcp_matrix *matrix = factor->matrix;
    size_t stride = matrix->size;
    double smallest = 1.0;
    for (size_t k = 0; k < factor->count; k++) {
        double *row = factor->triangle + k * stride;
        size_t i = factor->member[k];
        for (size_t j = 0; j < k; j++) {
            row[j] = 0.0;
        }
        for (size_t m = matrix->start[i]; m < matrix->start[i + 1] && matrix->column[m] < i; m++) {
            int j = factor->place[matrix->column[m]];
            if (j >= 0) {
                row[j] = matrix->value[m];
            }
        }
        double pivot = diagonal_entry(factor, i);
        for (size_t j = 0; j < k; j++) { /* row[j] holds (L d)_kj until divided */
            const double *other = factor->triangle + j * stride;
            for (size_t m = 0; m < j; m++) {
                row[j] -= row[m] * other[m];
            }
        }
        for (size_t j = 0; j < k; j++) {
            double scaled = row[j];
            row[j] = scaled / factor->pivot[j];
            pivot -= scaled * row[j];
        }
        smallest = fmin(smallest, pivot / matrix->diagonal[i]);
        if (!(smallest > 0.0)) {
            return 0.0;
        }
        factor->pivot[k] = pivot;
    }
    return smallest;
}

static void solve_dense(const crm_lcp_factor *factor, double *x)
{
    size_t stride = factor->matrix->size;
    for (size_t k = 0; k < factor->count; k++) {
        for (size_t j = 0; j < k; j++) {
            x[k] -= factor->triangle[k * stride + j] * x[j];
        }
    }
    for (size_t k = factor->count; k-- > 0;) {
        x[k] /= factor->pivot[k];
        for (size_t m = k + 1; m < factor->count; m++) {
            x[k] -= factor->triangle[m * stride + k] * x[m];
        }
    }
}

/* ---- Tridiagonal --------------------------------------------------------------------------- */

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
    for (size_t k = 0; k < factor->count; k++) {
        size_t i = factor->member[k];
        bool joined = k > 0 && factor->member[k - 1] + 1 == i;
        double coupling = joined ? coupling_before(matrix, i) : 0.0;
        double pivot = diagonal_entry(factor, i);
        if (coupling != 0.0) {
            factor->triangle[k] = coupling / factor->pivot[k - 1];
            pivot -= factor->triangle[k] * coupling;
        } else {
            factor->triangle[k] = 0.0;
        }
        smallest = fmin(smallest, pivot / matrix->diagonal[i]);
        if (!(smallest > 0.0)) {
            return 0.0;
        }
        factor->pivot[k] = pivot;
    }
    return smallest;
}

static void solve_path(const crm_lcp_factor *factor, double *x)
{
    for (size_t k = 1; k < factor->count; k++) {
        x[k] -= factor->triangle[k] * x[k - 1];
    }
    for (size_t k = factor->count; k-- > 0;) {
        x[k] /= factor->pivot[k];
        if (k + 1 < factor->count) {
            x[k] -= factor->triangle[k + 1] * x[k + 1];
        }
    }
}

/* ---- Sparse -------------------------------------------------------------------------------- */

static void gather_upper(crm_lcp_factor *factor)
{
    const crm_lcp_matrix *matrix = factor->matrix;
    int *p = factor->upper->p;
    int *row = factor->upper->i;
    double *value = factor->upper->x;
    int entry = 0;
    for (size_t k = 0; k < factor->count; k++) {
        size_t i = factor->member[k];
        p[k] = entry;
        for (size_t m = matrix->start[i]; m < matrix->start[i + 1] && matrix->column[m] < i; m++) {
            int j = factor->place[matrix->column[m]];
            if (j >= 0) {
                row[entry] = j;
                value[entry++] = matrix->value[m];
            }
        }
        row[entry] = (int)k;
        value[entry++] = diagonal_entry(factor, i);
    }
    p[factor->count] = entry;
    factor->upper->nrow = factor->count;
    factor->upper->ncol = factor->count;
}

static double smallest_pivot(const crm_lcp_factor *factor)
{
    const int *p = factor->l->p;
    const double *value = factor->l->x;
    double smallest = 1.0;
    for (size_t k = 0; k < factor->count; k++) {
        double pivot = value[p[k]] / factor->matrix->diagonal[factor->member[k]];
        smallest = pivot < smallest ? pivot : smallest;
        if (!(pivot > 0.0)) {
            return 0.0;
        }
    }
    return smallest;
}

static crm_status factor_sparse(crm_lcp_factor *factor, double *smallest, crm_error *error)
{
    cholmod_common *common = &factor->common;
    cholmod_free_factor(&factor->l, common);
    gather_upper(factor);
    factor->l = cholmod_analyze(factor->upper, common);
    if (factor->l == NULL || !cholmod_factorize(factor->upper, factor->l, common)) {
        return common->status == CHOLMOD_OUT_OF_MEMORY
                   ? crm_fail_memory(error)
                   : crm_fail(error, CRM_ERROR_NUMERICS, NULL,
                              "sparse factorization of %zu contacts failed (CHOLMOD status %d)",
                              factor->count, common->status);
    }
    bool broken = common->status == CHOLMOD_NOT_POSDEF || factor->l->minor < factor->count;
    *smallest = broken ? 0.0 : smallest_pivot(factor);
    return CRM_OK;
}

static void solve_sparse(const crm_lcp_factor *factor, double *x)
{
    const int *p = factor->l->p;
    const int *nz = factor->l->nz;
    const int *row = factor->l->i;
    const double *value = factor->l->x;
    for (size_t k = 0; k < factor->count; k++) {
        for (int m = p[k] + 1; m < p[k] + nz[k]; m++) {
            x[row[m]] -= value[m] * x[k];
        }
    }
    for (size_t k = factor->count; k-- > 0;) {
        double sum = x[k] / value[p[k]];
        for (int m = p[k] + 1; m < p[k] + nz[k]; m++) {
            sum -= value[m] * x[row[m]];
        }
        x[k] = sum;
    }
}

static crm_status create_sparse(crm_lcp_factor *factor, crm_error *error)
{
    cholmod_common *common = &factor->common;
    size_t size = factor->matrix->size;
    size_t upper_entries = (factor->matrix->start[size] + size) / 2 + 1;
    common->print = 0;
    common->supernodal = CHOLMOD_SIMPLICIAL;
    common->final_ll = 0;
    common->nmethods = 1; /* the matrix is in its elimination order already */
    common->method[0].ordering = CHOLMOD_NATURAL;
    common->postorder = 0;
    factor->upper =
        cholmod_allocate_sparse(size, size, upper_entries, 1, 1, 1, CHOLMOD_REAL, common);
    return factor->upper == NULL ? crm_fail_memory(error) : CRM_OK;
}

/* ---- The interface ------------------------------------------------------------------------- */

crm_status crm_lcp_factor_create(const crm_lcp_matrix *matrix, crm_lcp_factor **out,
                                 crm_error *error)
{
    size_t size = matrix->size;
    *out = NULL;
    crm_lcp_factor *factor = CRM_NEW(crm_lcp_factor, 1);
    if (factor == NULL) {
        return crm_fail_memory(error);
    }
    cholmod_start(&factor->common);
    factor->matrix = matrix;
    factor->member = CRM_NEW(size_t, size);
    factor->place = CRM_NEW(int, size);
    factor->x = CRM_NEW(double, size);
    factor->pivot = CRM_NEW(double, size);
    factor->triangle = CRM_NEW(double, matrix->structure == CRM_LCP_DENSE ? size * size : size);
    crm_status status = CRM_OK;
    if (factor->member == NULL || factor->place == NULL || factor->x == NULL ||
        factor->pivot == NULL || factor->triangle == NULL) {
        status = crm_fail_memory(error);
    } else if (matrix->structure == CRM_LCP_SPARSE) {
        status = create_sparse(factor, error);
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
    cholmod_free_sparse(&factor->upper, &factor->common);
    cholmod_free_factor(&factor->l, &factor->common);
    cholmod_finish(&factor->common);
    free(factor->member);
    free(factor->place);
    free(factor->x);
    free(factor->pivot);
    free(factor->triangle);
    free(factor);
}

crm_status crm_lcp_factor_set(crm_lcp_factor *factor, const bool *active, double delta,
                              const double *added, double *smallest, crm_error *error)
{
    factor->delta = delta;
    factor->added = added;
    factor->count = 0;
    for (size_t k = 0; k < factor->matrix->size; k++) {
        bool member = active == NULL || active[k];
        factor->place[k] = member ? (int)factor->count : -1;
        if (member) {
            factor->member[factor->count++] = k;
        }
    }
    *smallest = 1.0;
    if (factor->count == 0) {
        return CRM_OK;
    }
    factor->factorizations++;
    switch (factor->matrix->structure) {
    case CRM_LCP_DENSE:
        *smallest = factor_dense(factor);
        return CRM_OK;
    case CRM_LCP_PATH:
        *smallest = factor_path(factor);
        return CRM_OK;
    case CRM_LCP_SPARSE:
        break;
    }
    return factor_sparse(factor, smallest, error);
}

void crm_lcp_factor_solve(crm_lcp_factor *factor, double *x)
{
    for (size_t k = 0; k < factor->count; k++) {
        factor->x[k] = x[factor->member[k]];
    }
    if (factor->count > 0) {
        switch (factor->matrix->structure) {
        case CRM_LCP_DENSE:
            solve_dense(factor, factor->x);
            break;
        case CRM_LCP_PATH:
            solve_path(factor, factor->x);
            break;
        case CRM_LCP_SPARSE:
            solve_sparse(factor, factor->x);
            break;
        }
    }
    for (size_t k = 0; k < factor->matrix->size; k++) {
        x[k] = factor->place[k] >= 0 ? factor->x[factor->place[k]] : 0.0;
    }
}

size_t crm_lcp_factor_count(const crm_lcp_factor *factor)
{
    return factor->factorizations;
}
