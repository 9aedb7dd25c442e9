#include "coulomb/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/twofold.h"
#include "model/model.h"

/* ---- Checks ------------------------------------------------------------------------------ */

static crm_status check_value(size_t i, size_t j, double value, crm_error *error)
{
    if (!(fabs(value) <= 1e150)) {
        return crm_fail(error, CRM_ERROR_MODEL, "D",
                        "entry (%zu, %zu) is %g, must be a number up to 1e150 in size", i + 1,
                        j + 1, value);
    }
    if (i == j && value < 0) {
        return crm_fail(error, CRM_ERROR_MODEL, "D", "entry (%zu, %zu) is %g, must not be < 0",
                        i + 1, j + 1, value);
    }
    return CRM_OK;
}

/* mark: `size` zeros. */
static crm_status check_values(size_t size, const crm_sparse_view *d, size_t *mark,
                               crm_error *error)
{
    for (size_t j = 0; j < size; j++) {
        for (size_t k = d->column_start[j]; k < d->column_start[j + 1]; k++) {
            size_t i = d->row[k];
            crm_status status = check_value(i, j, d->value[k], error);
            if (status != CRM_OK) {
                return status;
            }
            if (mark[i] == j + 1) {
                return crm_fail(error, CRM_ERROR_ARGUMENT, "D", "entry (%zu, %zu) is given twice",
                                i + 1, j + 1);
            }
            mark[i] = j + 1;
        }
    }
    return CRM_OK;
}

/* ---- Pattern ------------------------------------------------------------------------------- */

/* Marks of the contacts that a row was found to be coupled with, so that each is listed once. */
typedef struct pattern {
    size_t contacts, dim;
    const crm_sparse_view *d;
    size_t *mark; /* the last column that had contact i, + 1 */
} pattern;

/* Calls for each block (i, j) of D that has an entry and is not on the diagonal, once. */
static void visit(const pattern *seen, void (*found)(crm_coulomb_matrix *, size_t, size_t),
                  crm_coulomb_matrix *matrix)
{
    for (size_t i = 0; i < seen->contacts; i++) {
        seen->mark[i] = 0;
    }
    for (size_t c = 0; c < seen->contacts * seen->dim; c++) {
        size_t j = c / seen->dim;
        for (size_t k = seen->d->column_start[c]; k < seen->d->column_start[c + 1]; k++) {
            size_t i = seen->d->row[k] / seen->dim;
            if (seen->d->value[k] != 0 && i != j && seen->mark[i] != j + 1) {
                seen->mark[i] = j + 1;
                found(matrix, i, j);
            }
        }
    }
}

static void count_both(crm_coulomb_matrix *matrix, size_t i, size_t j)
{
    matrix->start[i + 1]++;
    matrix->start[j + 1]++;
}

/* start[i] is where the next block of row i goes. */
static void list_both(crm_coulomb_matrix *matrix, size_t i, size_t j)
{
    matrix->column[matrix->start[i]++] = (uint32_t)j;
    matrix->column[matrix->start[j]++] = (uint32_t)i;
}

/* Rows with their blocks in ascending order, each once. */
static void tidy(crm_coulomb_matrix *matrix)
{
    size_t kept = 0;
    for (size_t i = 0, first = 0; i < matrix->contacts; i++) {
        size_t last = matrix->start[i];
        qsort(matrix->column + first, last - first, sizeof *matrix->column, crm_compare_uint32);
        matrix->start[i] = kept;
        for (size_t k = first; k < last; k++) {
            if (k == first || matrix->column[k] != matrix->column[k - 1]) {
                if (matrix->column[k] == i) {
                    matrix->diagonal[i] = kept;
                }
                matrix->column[kept++] = matrix->column[k];
            }
        }
        first = last;
    }
    matrix->start[matrix->contacts] = kept;
}

static crm_status find_pattern(const crm_sparse_view *d, size_t *mark, crm_coulomb_matrix *matrix,
                               crm_error *error)
{
    const pattern seen = {matrix->contacts, matrix->dim, d, mark};
    size_t contacts = matrix->contacts;
    for (size_t i = 0; i < contacts; i++) {
        matrix->start[i + 1] = 1; /* the diagonal */
    }
    visit(&seen, count_both, matrix);
    for (size_t i = 0; i < contacts; i++) {
        matrix->start[i + 1] += matrix->start[i];
    }
    matrix->column = CRM_NEW(uint32_t, matrix->start[contacts]);
    if (matrix->column == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t i = 0; i < contacts; i++) {
        matrix->column[matrix->start[i]++] = (uint32_t)i;
    }
    visit(&seen, list_both, matrix);
    tidy(matrix);
    return CRM_OK;
}

/* ---- Values -------------------------------------------------------------------------------- */

static void scale_blocks(crm_coulomb_matrix *matrix)
{
    size_t dim = matrix->dim, entries = dim * dim;
    for (size_t i = 0; i < matrix->contacts; i++) {
        const double *own = matrix->block + entries * matrix->diagonal[i];
        double largest = 0;
        for (size_t a = 0; a < dim; a++) {
            largest = fmax(largest, own[a * dim + a]);
        }
        int exponent = 0;
        frexp(largest, &exponent);
        matrix->scale[i] = largest > 0 ? ldexp(1.0, -exponent / 2) : 1.0;
    }
    for (size_t i = 0; i < matrix->contacts; i++) {
        for (size_t k = matrix->start[i]; k < matrix->start[i + 1]; k++) {
            for (size_t a = 0; a < entries; a++) {
                matrix->block[entries * k + a] *=
                    matrix->scale[i] * matrix->scale[matrix->column[k]];
            }
        }
    }
}

static void fill_blocks(const crm_sparse_view *d, crm_coulomb_matrix *matrix)
{
    size_t dim = matrix->dim;
    for (size_t c = 0; c < matrix->contacts * dim; c++) {
        for (size_t k = d->column_start[c]; k < d->column_start[c + 1]; k++) {
            size_t row = d->row[k];
            if (d->value[k] != 0) {
                size_t m = crm_coulomb_find(matrix->column, matrix->start[row / dim],
                                            matrix->start[row / dim + 1], c / dim);
                matrix->block[(m * dim + row % dim) * dim + c % dim] = d->value[k];
            }
        }
    }
    scale_blocks(matrix);
}

crm_status crm_coulomb_matrix_create(size_t contacts, size_t dim, const crm_sparse_view *d,
                                     crm_coulomb_matrix *matrix, crm_error *error)
{
    *matrix = (crm_coulomb_matrix){.contacts = contacts, .dim = dim};
    crm_status status = crm_sparse_check(d, contacts * dim, contacts * dim, "D", error);
    if (status != CRM_OK) {
        return status;
    }
    matrix->start = CRM_NEW(size_t, contacts + 1);
    matrix->diagonal = CRM_NEW(size_t, contacts);
    matrix->scale = CRM_NEW(double, contacts);
    size_t *mark = CRM_NEW(size_t, contacts * dim);
    if (matrix->start == NULL || matrix->diagonal == NULL || matrix->scale == NULL ||
        mark == NULL) {
        status = crm_fail_memory(error);
    }
    if (status == CRM_OK) {
        status = check_values(contacts * dim, d, mark, error);
    }
    if (status == CRM_OK) {
        status = find_pattern(d, mark, matrix, error);
    }
    free(mark);
    if (status == CRM_OK) {
        matrix->block = CRM_NEW(double, matrix->start[contacts] * dim * dim);
        status = matrix->block != NULL ? CRM_OK : crm_fail_memory(error);
    }
    if (status == CRM_OK) {
        fill_blocks(d, matrix);
    }
    return status;
}

bool crm_coulomb_matrix_covers(const crm_coulomb_matrix *matrix, const crm_sparse_view *d)
{
    size_t dim = matrix->dim;
    for (size_t c = 0; c < matrix->contacts * dim; c++) {
        for (size_t k = d->column_start[c]; k < d->column_start[c + 1]; k++) {
            size_t i = d->row[k] / dim;
            size_t m =
                crm_coulomb_find(matrix->column, matrix->start[i], matrix->start[i + 1], c / dim);
            if (d->value[k] != 0 && matrix->column[m] != c / dim) {
                return false;
            }
        }
    }
    return true;
}

crm_status crm_coulomb_matrix_refill(crm_coulomb_matrix *matrix, const crm_sparse_view *d,
                                     crm_error *error)
{
    size_t dim = matrix->dim;
    for (size_t c = 0; c < matrix->contacts * dim; c++) {
        for (size_t k = d->column_start[c]; k < d->column_start[c + 1]; k++) {
            crm_status status = check_value(d->row[k], c, d->value[k], error);
            if (status != CRM_OK) {
                return status;
            }
        }
    }
    memset(matrix->block, 0, matrix->start[matrix->contacts] * dim * dim * sizeof *matrix->block);
    fill_blocks(d, matrix);
    return CRM_OK;
}

void crm_coulomb_matrix_free(crm_coulomb_matrix *matrix)
{
    free(matrix->start);
    free(matrix->column);
    free(matrix->block);
    free(matrix->diagonal);
    free(matrix->scale);
    *matrix = (crm_coulomb_matrix){0};
}

/* ---- Products ------------------------------------------------------------------------------ */

void crm_coulomb_matrix_multiply(const crm_coulomb_matrix *matrix, const double *r, const double *q,
                                 double *u)
{
    size_t dim = matrix->dim;
    for (size_t i = 0; i < matrix->contacts; i++) {
        for (size_t a = 0; a < dim; a++) {
            double sum = q[i * dim + a];
            for (size_t k = matrix->start[i]; k < matrix->start[i + 1]; k++) {
                const double *row = matrix->block + (k * dim + a) * dim;
                const double *x = r + dim * matrix->column[k];
                for (size_t b = 0; b < dim; b++) {
                    sum += row[b] * x[b];
                }
            }
            u[i * dim + a] = sum;
        }
    }
}

/* Contacts that are open have no share. */
static bool is_zero(const double *x, size_t dim)
{
    return !(fabs(x[0]) > 0 || fabs(x[1]) > 0 || fabs(x[dim - 1]) > 0);
}

void crm_coulomb_matrix_multiply_exactly(const crm_coulomb_matrix *matrix, const double *r,
                                         const double *q, double *u, double *size)
{
    size_t dim = matrix->dim;
    for (size_t i = 0; i < matrix->contacts; i++) {
        crm_twofold sum[CRM_COULOMB_MOST];
        double terms[CRM_COULOMB_MOST];
        for (size_t a = 0; a < dim; a++) {
            sum[a] = crm_twofold_of(q[i * dim + a]);
            terms[a] = fabs(q[i * dim + a]);
        }
        for (size_t k = matrix->start[i]; k < matrix->start[i + 1]; k++) {
            const double *block = matrix->block + k * dim * dim;
            const double *x = r + dim * matrix->column[k];
            for (size_t a = 0; a < dim * dim && !is_zero(x, dim); a++) {
                double other = x[a % dim];
                sum[a / dim] =
                    crm_twofold_quick_sum(sum[a / dim], crm_two_product(block[a], other));
                terms[a / dim] += fabs(block[a] * other);
            }
        }
        for (size_t a = 0; a < dim; a++) {
            u[i * dim + a] = sum[a].high + sum[a].low;
            if (size != NULL) {
                size[i * dim + a] = terms[a];
            }
        }
    }
}
