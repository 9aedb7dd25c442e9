/* The matrix of the complementarity problem: checks, exact scaling, ordering, products.
 *
 * Twice-working-precision sums: T. Ogita, S. M. Rump, S. Oishi, Accurate sum and dot product,
 * SIAM J. Sci. Comput. 26 (2005).
 */
#include "lcp/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/twofold.h"

/* Couplings that differ by more than this, relative to sqrt(D_ii D_jj), are not rounding. */
static const double SYMMETRY_TOLERANCE = 1e-10;

/* ---- Checks ------------------------------------------------------------------------------ */

/* The arrays of the view with the columns sorted by two transpositions; the first of them is the
 * transpose, against which symmetry is checked.
 */
typedef struct csr {
    size_t *start;
    uint32_t *column;
    double *value;
} csr;

static void csr_free(csr *matrix)
{
    free(matrix->start);
    free(matrix->column);
    free(matrix->value);
    *matrix = (csr){0};
}

static bool csr_allocate(csr *matrix, size_t size, size_t entries)
{
    matrix->start = CRM_NEW(size_t, size + 2);
    matrix->column = CRM_NEW(uint32_t, entries);
    matrix->value = CRM_NEW(double, entries);
    return matrix->start != NULL && matrix->column != NULL && matrix->value != NULL;
}

/* false: interrupted. */
static bool transpose(size_t size, const size_t *start, const uint32_t *column, const double *value,
                      crm_watching *watching, csr *out)
{
    /* next[j + 1] counts row j, then becomes where its next entry goes: ends as start[j + 1]. */
    size_t *next = out->start + 1;
    for (size_t k = start[0]; k < start[size]; k++) {
        next[column[k] + 1]++;
    }
    for (size_t j = 0; j < size; j++) {
        next[j + 1] += next[j];
    }
    for (size_t i = 0; i < size; i++) {
        for (size_t k = start[i]; k < start[i + 1]; k++) {
            size_t place = next[column[k]]++;
            out->column[place] = (uint32_t)i;
            out->value[place] = value[k];
        }
        if (crm_watch_interrupts(watching, 1)) {
            return false;
        }
    }
    return true;
}

static crm_status check_entries(size_t size, const crm_sparse_view *d, crm_watching *watching,
                                crm_error *error)
{
    for (size_t i = 0; i < size; i++) {
        if (crm_watch_interrupts(watching, 1)) {
            return CRM_LCP_INTERRUPTED;
        }
        if (d->column_start[i + 1] < d->column_start[i]) {
            return crm_fail(error, CRM_ERROR_ARGUMENT, "D", "starts of row %zu decrease", i + 1);
        }
        for (size_t k = d->column_start[i]; k < d->column_start[i + 1]; k++) {
            if (d->row[k] >= size) {
                return crm_fail(error, CRM_ERROR_ARGUMENT, "D",
                                "row %zu has an entry in column %zu of %zu", i + 1,
                                (size_t)d->row[k] + 1, size);
            }
            if (!isfinite(d->value[k])) {
                return crm_fail(error, CRM_ERROR_MODEL, "D", "entry (%zu, %zu) is not finite",
                                i + 1, (size_t)d->row[k] + 1);
            }
        }
    }
    return CRM_OK;
}

static crm_status find_diagonal(size_t size, const csr *d, double *diagonal, crm_error *error)
{
    for (size_t i = 0; i < size; i++) {
        for (size_t k = d->start[i]; k < d->start[i + 1]; k++) {
            if (k > d->start[i] && d->column[k] == d->column[k - 1]) {
                return crm_fail(error, CRM_ERROR_ARGUMENT, "D", "entry (%zu, %zu) is given twice",
                                i + 1, (size_t)d->column[k] + 1);
            }
            if (d->column[k] == i) {
                diagonal[i] = d->value[k];
            }
        }
        if (diagonal[i] < 0.0) {
            return crm_fail(error, CRM_ERROR_MODEL, "D", "entry (%zu, %zu) is %g, must not be < 0",
                            i + 1, i + 1, diagonal[i]);
        }
    }
    return CRM_OK;
}

static crm_status check_couplings(size_t size, const csr *d, const csr *transposed,
                                  const double *diagonal, crm_watching *watching, crm_error *error)
{
    for (size_t i = 0; i < size; i++) {
        if (crm_watch_interrupts(watching, 1)) {
            return CRM_LCP_INTERRUPTED;
        }
        bool same =
            d->start[i] == transposed->start[i] && d->start[i + 1] == transposed->start[i + 1];
        for (size_t k = d->start[i]; same && k < d->start[i + 1]; k++) {
            size_t j = d->column[k];
            /* Roots before the product: D_ii D_jj may leave the range of doubles. */
            double bound = sqrt(diagonal[i]) * sqrt(diagonal[j]);
            if (fabs(d->value[k]) > bound * (1.0 + SYMMETRY_TOLERANCE)) {
                return crm_fail(error, CRM_ERROR_MODEL, "D",
                                "entry (%zu, %zu) is %g: more than sqrt(D_ii D_jj) = %g allows",
                                i + 1, j + 1, d->value[k], bound);
            }
            same = transposed->column[k] == d->column[k] &&
                   fabs(transposed->value[k] - d->value[k]) <= SYMMETRY_TOLERANCE * bound;
        }
        if (!same) {
            return crm_fail(error, CRM_ERROR_MODEL, "D",
                            "row and column %zu differ: D must be "
                            "symmetric with both triangles stored",
                            i + 1);
        }
    }
    return CRM_OK;
}

/* The mean of both triangles, which rounding may have left different: an entry that is 0 in one of
 * them only would otherwise be there for its row and not for its column, and the factor be that of
 * another matrix. Halves first: the sum may leave the range of doubles.
 */
static void make_symmetric(size_t size, csr *d, const csr *transposed)
{
    for (size_t k = 0; k < d->start[size]; k++) {
        if (d->value[k] != transposed->value[k]) {
            d->value[k] = 0.5 * d->value[k] + 0.5 * transposed->value[k];
        }
    }
}

/* The caller's matrix, sorted and found in order. */
static crm_status read_view(size_t size, const crm_sparse_view *d, crm_watching *watching,
                            csr *sorted, double *diagonal, crm_error *error)
{
    crm_status status = check_entries(size, d, watching, error);
    if (status != CRM_OK) {
        return status;
    }
    size_t entries = d->column_start[size] - d->column_start[0];
    csr transposed = {0};
    if (!csr_allocate(&transposed, size, entries) || !csr_allocate(sorted, size, entries)) {
        csr_free(&transposed);
        crm_fail_memory(error);
        return CRM_ERROR_MEMORY;
    }
    bool interrupted =
        !transpose(size, d->column_start, d->row, d->value, watching, &transposed) ||
        !transpose(size, transposed.start, transposed.column, transposed.value, watching, sorted);
    status = interrupted ? CRM_LCP_INTERRUPTED : find_diagonal(size, sorted, diagonal, error);
    if (status == CRM_OK) {
        status = check_couplings(size, sorted, &transposed, diagonal, watching, error);
    }
    if (status == CRM_OK) {
        make_symmetric(size, sorted, &transposed);
    }
    csr_free(&transposed);
    return status;
}

/* ---- Scaling and ordering ------------------------------------------------------------------ */

/* The power of two nearest to 1/sqrt(d) from the side that keeps s^2 d in [1/2, 2). */
static double power_scale(double d)
{
    int exponent;
    frexp(d, &exponent); /* d = f 2^exponent, f in [1/2, 1) */
    int half = exponent >= 0 ? exponent / 2 : -((1 - exponent) / 2);
    return ldexp(1.0, -half);
}

/* The rows with a positive diagonal, in the caller's order. */
static crm_status keep_movable(size_t size, const csr *d, const double *diagonal,
                               crm_watching *watching, csr *kept, size_t *contact, size_t *count,
                               crm_error *error)
{
    uint32_t *place = CRM_NEW(uint32_t, size);
    if (place == NULL || !csr_allocate(kept, size, d->start[size])) {
        free(place);
        crm_fail_memory(error);
        return CRM_ERROR_MEMORY;
    }
    *count = 0;
    for (size_t i = 0; i < size; i++) {
        if (diagonal[i] > 0.0) {
            place[i] = (uint32_t)*count;
            contact[(*count)++] = i;
        }
    }
    size_t entry = 0;
    for (size_t r = 0; r < *count; r++) {
        size_t i = contact[r];
        for (size_t k = d->start[i]; k < d->start[i + 1]; k++) {
            if (d->value[k] != 0.0) { /* a coupling with a zero row was refused, or is 0 */
                kept->column[entry] = place[d->column[k]];
                kept->value[entry++] = d->value[k];
            }
        }
        kept->start[r + 1] = entry;
        if (crm_watch_interrupts(watching, 1)) {
            free(place);
            return CRM_LCP_INTERRUPTED;
        }
    }
    free(place);
    return CRM_OK;
}

static int compare_columns(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* matrix = S P kept P' S. */
static crm_status place_rows(crm_lcp_matrix *matrix, const csr *kept, const size_t *order,
                             const size_t *contact, const double *diagonal, uint32_t *inverse,
                             double *dense)
{
    for (size_t k = 0; k < matrix->size; k++) {
        inverse[order[k]] = (uint32_t)k;
        matrix->contact[k] = contact[order[k]];
        matrix->scale[k] = power_scale(diagonal[matrix->contact[k]]);
    }
    size_t entry = 0;
    for (size_t k = 0; k < matrix->size; k++) {
        matrix->start[k] = entry;
        for (size_t m = kept->start[order[k]]; m < kept->start[order[k] + 1]; m++) {
            uint32_t column = inverse[kept->column[m]];
            matrix->column[entry++] = column;
            dense[column] = matrix->scale[k] * kept->value[m] * matrix->scale[column];
        }
        qsort(matrix->column + matrix->start[k], entry - matrix->start[k], sizeof(uint32_t),
              compare_columns);
        for (size_t m = matrix->start[k]; m < entry; m++) {
            matrix->value[m] = dense[matrix->column[m]];
        }
        matrix->diagonal[k] = dense[k];
        if (crm_watch_interrupts(matrix->limits.watching, 1)) {
            return CRM_LCP_INTERRUPTED;
        }
    }
    matrix->start[matrix->size] = entry;
    return CRM_OK;
}

static crm_status order_and_scale(const csr *kept, const size_t *contact, const double *diagonal,
                                  crm_lcp_matrix *matrix, crm_error *error)
{
    size_t size = matrix->size;
    size_t entries = kept->start[size];
    size_t *order = CRM_NEW(size_t, size);
    uint32_t *inverse = CRM_NEW(uint32_t, size);
    double *dense = CRM_NEW(double, size);
    matrix->start = CRM_NEW(size_t, size + 1);
    matrix->column = CRM_NEW(uint32_t, entries);
    matrix->value = CRM_NEW(double, entries);
    matrix->diagonal = CRM_NEW(double, size);
    matrix->scale = CRM_NEW(double, size);
    matrix->contact = CRM_NEW(size_t, size);
    crm_status status = CRM_OK;
    if (order == NULL || inverse == NULL || dense == NULL || matrix->start == NULL ||
        matrix->column == NULL || matrix->value == NULL || matrix->diagonal == NULL ||
        matrix->scale == NULL || matrix->contact == NULL) {
        status = crm_fail_memory(error);
    }
    if (status == CRM_OK) {
        const crm_lcp_pattern pattern = {size, kept->start, kept->column};
        status = crm_lcp_order(&pattern, matrix->limits.watching, order, &matrix->structure, error);
    }
    if (status == CRM_OK) {
        status = place_rows(matrix, kept, order, contact, diagonal, inverse, dense);
    }
    free(order);
    free(inverse);
    free(dense);
    return status;
}

crm_status crm_lcp_matrix_create(size_t size, const crm_sparse_view *d, crm_lcp_limits limits,
                                 crm_lcp_matrix *matrix, crm_error *error)
{
    *matrix = (crm_lcp_matrix){.limits = limits};
    if (size > INT32_MAX) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "D", "%zu contacts are more than %d", size,
                        INT32_MAX);
    }
    csr sorted = {0};
    csr kept = {0};
    double *diagonal = CRM_NEW(double, size);
    size_t *contact = CRM_NEW(size_t, size);
    crm_status status = diagonal == NULL || contact == NULL ? crm_fail_memory(error) : CRM_OK;
    if (status == CRM_OK) {
        status = read_view(size, d, limits.watching, &sorted, diagonal, error);
    }
    if (status == CRM_OK) {
        status = keep_movable(size, &sorted, diagonal, limits.watching, &kept, contact,
                              &matrix->size, error);
    }
    if (status == CRM_OK) {
        status = order_and_scale(&kept, contact, diagonal, matrix, error);
    }
    csr_free(&sorted);
    csr_free(&kept);
    free(diagonal);
    free(contact);
    if (status != CRM_OK) {
        crm_lcp_matrix_free(matrix);
    }
    return status;
}

void crm_lcp_matrix_free(crm_lcp_matrix *matrix)
{
    free(matrix->start);
    free(matrix->column);
    free(matrix->value);
    free(matrix->diagonal);
    free(matrix->scale);
    free(matrix->contact);
    *matrix = (crm_lcp_matrix){0};
}

/* ---- Products ------------------------------------------------------------------------------ */

void crm_lcp_matrix_residual(const crm_lcp_matrix *matrix, const double *p, const double *q,
                             const double *floor, double *w, double *size)
{
    for (size_t k = 0; k < matrix->size; k++) {
        double sum = q[k];
        double rest = 0.0;
        double terms = floor[k];
        for (size_t m = matrix->start[k]; m < matrix->start[k + 1]; m++) {
            double p_m = p[matrix->column[m]];
            if (p_m == 0.0) {
                continue;
            }
            crm_twofold product = crm_two_product(matrix->value[m], p_m);
            crm_twofold both = crm_two_sum(sum, product.high);
            sum = both.high;
            rest += product.low + both.low;
            terms += fabs(product.high);
        }
        w[k] = sum + rest;
        size[k] = terms;
    }
}
