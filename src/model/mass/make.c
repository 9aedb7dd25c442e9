/* The mass matrix, from the forms that a user may give: diagonal, full, sparse.
 *
 * A sparse M is first split into blocks of coupled coordinates: a multibody mass matrix has many
 * small ones, and then D stays sparse. Only a large connected M is factorized as a whole (CHOLMOD,
 * simplicial).
 */
#include <cholmod.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/disjoint.h"
#include "model/mass/mass.h"
#include "model/mass/symmetric.h"

/* Blocks up to this many coordinates are kept as dense matrices. */
enum { LARGEST_DENSE_BLOCK = 512 };

/* M must be symmetric to this relative accuracy. */
static const double SYMMETRY_TOLERANCE = 1e-12;

/* Off the diagonal the size follows: |m_ij|^2 < m_ii m_jj in a definite matrix. */
static crm_status check_entry(double value, size_t row, size_t column, crm_error *error)
{
    if (row == column) {
        return crm_ranges_check(CRM_DATUM_MASS, value, "mass[%1$zu][%1$zu]", row + 1, error);
    }
    if (!isfinite(value)) {
        char place[64];
        snprintf(place, sizeof place, "mass[%zu][%zu]", row + 1, column + 1);
        return crm_fail(error, CRM_ERROR_MODEL, place, "mass is %g, must be a finite number",
                        value);
    }
    return CRM_OK;
}

static crm_status fail_not_symmetric(double a, double b, size_t row, size_t column,
                                     crm_error *error)
{
    char place[64];
    snprintf(place, sizeof place, "mass[%zu][%zu]", row + 1, column + 1);
    return crm_fail(error, CRM_ERROR_MODEL, place,
                    "mass matrix is not symmetric: %.17g here, %.17g across the diagonal", a, b);
}

static bool same(double a, double b, double scale)
{
    return fabs(a - b) <= SYMMETRY_TOLERANCE * scale;
}

static crm_status fail_not_definite(size_t row, crm_error *error)
{
    char place[64];
    snprintf(place, sizeof place, "mass[%zu]", row + 1);
    return crm_fail(error, CRM_ERROR_MODEL, place,
                    "mass matrix is singular or not positive definite (seen at row %zu)", row + 1);
}

/* ---- Diagonal -------------------------------------------------------------------------------- */

static crm_status create_diagonal(const double *diagonal, crm_mass *mass, crm_error *error)
{
    for (size_t i = 0; i < mass->size; i++) {
        crm_status status =
            crm_ranges_check(CRM_DATUM_MASS, diagonal[i], "mass[%zu]", i + 1, error);
        if (status != CRM_OK) {
            return status;
        }
    }
    mass->form = CRM_MASS_DIAGONAL;
    mass->diagonal = crm_memory_copy_doubles(diagonal, mass->size);
    return mass->diagonal != NULL ? CRM_OK : crm_fail_memory(error);
}

/* ---- Dense blocks ---------------------------------------------------------------------------- */

/* A smaller pivot relative to its row: the matrix is singular within rounding. */
static crm_status factorize_block(crm_mass *mass, size_t block, crm_error *error)
{
    size_t size = crm_mass_block_size(mass, block);
    const double *matrix = mass->matrix + mass->matrix_start[block];
    double *cholesky = mass->cholesky + mass->matrix_start[block];
    memcpy(cholesky, matrix, size * size * sizeof *cholesky);
    size_t done = crm_symmetric_factor(size, cholesky);
    if (done < size) {
        return fail_not_definite(mass->member[mass->block_start[block] + done], error);
    }
    for (size_t i = 0; i < size; i++) {
        double pivot = cholesky[i * size + i] * cholesky[i * size + i];
        if (!(pivot > 1e-14 * matrix[i * size + i])) {
            return fail_not_definite(mass->member[mass->block_start[block] + i], error);
        }
    }
    return CRM_OK;
}

static crm_status create_dense(const double *dense, crm_mass *mass, crm_error *error)
{
    size_t n = mass->size;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            crm_status status = check_entry(dense[i * n + j], i, j, error);
            if (status != CRM_OK) {
                return status;
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            double scale = fabs(dense[i * n + i]) + fabs(dense[j * n + j]);
            if (!same(dense[i * n + j], dense[j * n + i], scale)) {
                return fail_not_symmetric(dense[i * n + j], dense[j * n + i], i, j, error);
            }
        }
    }
    mass->form = CRM_MASS_BLOCKS;
    mass->block_count = 1;
    mass->block_start = CRM_NEW(size_t, 2);
    mass->matrix_start = CRM_NEW(size_t, 2);
    mass->member = CRM_NEW(uint32_t, n);
    mass->block_of = CRM_NEW(uint32_t, n);
    mass->place_of = CRM_NEW(uint32_t, n);
    mass->matrix = crm_memory_copy_doubles(dense, n * n);
    mass->cholesky = CRM_NEW(double, n *n);
    if (mass->block_start == NULL || mass->matrix_start == NULL || mass->member == NULL ||
        mass->block_of == NULL || mass->place_of == NULL || mass->matrix == NULL ||
        mass->cholesky == NULL) {
        return crm_fail_memory(error);
    }
    mass->block_start[1] = n;
    mass->matrix_start[1] = n * n;
    for (size_t i = 0; i < n; i++) {
        mass->member[i] = (uint32_t)i;
        mass->place_of[i] = (uint32_t)i;
    }
    return factorize_block(mass, 0, error);
}

/* ---- Sparse: split into what is coupled ------------------------------------------------------ */

/* Number the components of M's graph 0, 1, ... in order of their first coordinate; returns how
 * many there are. `block_of` serves as the union-find forest and holds the numbers at the end.
 */
static size_t label_components(const crm_sparse_view *sparse, size_t n, uint32_t *block_of,
                               uint32_t *label)
{
    crm_disjoint_begin(block_of, n);
    for (size_t j = 0; j < n; j++) {
        for (size_t k = sparse->column_start[j]; k < sparse->column_start[j + 1]; k++) {
            crm_disjoint_join(block_of, sparse->row[k], (uint32_t)j);
        }
    }
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t root = crm_disjoint_find(block_of, (uint32_t)i);
        label[i] = root == i ? (uint32_t)count++ : label[root];
    }
    memcpy(block_of, label, n * sizeof *label);
    return count;
}

static size_t lay_out_blocks(crm_mass *mass)
{
    size_t largest = 0;
    for (size_t i = 0; i < mass->size; i++) {
        mass->block_start[mass->block_of[i] + 1]++;
    }
    for (size_t b = 0; b < mass->block_count; b++) {
        size_t size = mass->block_start[b + 1];
        largest = size > largest ? size : largest;
        mass->block_start[b + 1] += mass->block_start[b];
        mass->matrix_start[b + 1] = mass->matrix_start[b] + size * size;
    }
    return largest;
}

static crm_status fill_blocks(const crm_sparse_view *sparse, crm_mass *mass, crm_error *error)
{
    size_t total = mass->matrix_start[mass->block_count];
    mass->matrix = CRM_NEW(double, total);
    mass->cholesky = CRM_NEW(double, total);
    size_t *filled = CRM_NEW(size_t, mass->block_count);
    if (mass->matrix == NULL || mass->cholesky == NULL || filled == NULL) {
        free(filled);
        return crm_fail_memory(error);
    }
    for (size_t i = 0; i < mass->size; i++) {
        size_t block = mass->block_of[i];
        mass->place_of[i] = (uint32_t)filled[block];
        mass->member[mass->block_start[block] + filled[block]++] = (uint32_t)i;
    }
    free(filled);
    for (size_t j = 0; j < mass->size; j++) {
        size_t block = mass->block_of[j];
        size_t size = crm_mass_block_size(mass, block);
        for (size_t k = sparse->column_start[j]; k < sparse->column_start[j + 1]; k++) {
            mass->matrix[mass->matrix_start[block] + mass->place_of[j] * size +
                         mass->place_of[sparse->row[k]]] += sparse->value[k];
        }
    }
    for (size_t b = 0; b < mass->block_count; b++) {
        size_t size = crm_mass_block_size(mass, b);
        const double *matrix = mass->matrix + mass->matrix_start[b];
        const uint32_t *member = mass->member + mass->block_start[b];
        for (size_t i = 0; i < size; i++) {
            for (size_t j = 0; j < i; j++) {
                double scale = fabs(matrix[i * size + i]) + fabs(matrix[j * size + j]);
                if (!same(matrix[i * size + j], matrix[j * size + i], scale)) {
                    return fail_not_symmetric(matrix[i * size + j], matrix[j * size + i], member[i],
                                              member[j], error);
                }
            }
        }
        crm_status status = factorize_block(mass, b, error);
        if (status != CRM_OK) {
            return status;
        }
    }
    return CRM_OK;
}

void crm_mass_start_cholmod(cholmod_common *common)
{
    cholmod_l_start(common);
    common->supernodal = CHOLMOD_SIMPLICIAL;
    common->print = 0;
    common->try_catch = 1;
    /* One ordering: with several, one for which there was no memory is passed over in silence, and
     * the bits are others.
     */
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_AMD;
}

static crm_status create_factor(const crm_sparse_view *sparse, crm_mass *mass, crm_error *error)
{
    size_t n = mass->size;
    size_t entries = sparse->column_start[n];
    cholmod_common common;
    crm_mass_start_cholmod(&common);
    mass->form = CRM_MASS_FACTOR;
    mass->factor = CRM_NEW(struct crm_mass_factor, 1);
    cholmod_triplet *triplet = cholmod_l_allocate_triplet(n, n, entries, -1, CHOLMOD_REAL, &common);
    if (mass->factor == NULL || triplet == NULL) {
        cholmod_l_free_triplet(&triplet, &common);
        cholmod_l_finish(&common);
        return crm_fail_memory(error);
    }
    SuiteSparse_long *row = triplet->i, *column = triplet->j;
    double *value = triplet->x;
    size_t kept = 0;
    for (size_t j = 0; j < n; j++) {
        for (size_t k = sparse->column_start[j]; k < sparse->column_start[j + 1]; k++) {
            if (sparse->row[k] >= j) {
                row[kept] = (SuiteSparse_long)sparse->row[k];
                column[kept] = (SuiteSparse_long)j;
                value[kept++] = sparse->value[k];
            }
        }
    }
    triplet->nnz = kept;
    mass->factor->matrix = cholmod_l_triplet_to_sparse(triplet, kept, &common);
    cholmod_l_free_triplet(&triplet, &common);
    if (mass->factor->matrix != NULL) {
        mass->factor->factor = cholmod_l_analyze(mass->factor->matrix, &common);
    }
    if (mass->factor->factor != NULL) {
        cholmod_l_factorize(mass->factor->matrix, mass->factor->factor, &common);
    }
    int outcome = common.status;
    bool definite = mass->factor->factor != NULL && mass->factor->factor->minor == n &&
                    cholmod_l_rcond(mass->factor->factor, &common) > 1e-14;
    cholmod_l_finish(&common);
    if (outcome == CHOLMOD_OUT_OF_MEMORY || mass->factor->factor == NULL) {
        return crm_fail_memory(error);
    }
    return definite ? CRM_OK
                    : fail_not_definite(mass->factor->factor->minor % (n > 0 ? n : 1), error);
}

static crm_status create_sparse(const crm_sparse_view *sparse, crm_mass *mass, crm_error *error)
{
    size_t n = mass->size;
    crm_status status = crm_sparse_check(sparse, n, n, "mass", error);
    for (size_t j = 0; j < n && status == CRM_OK; j++) {
        for (size_t k = sparse->column_start[j];
             k < sparse->column_start[j + 1] && status == CRM_OK; k++) {
            status = check_entry(sparse->value[k], sparse->row[k], j, error);
        }
    }
    if (status != CRM_OK) {
        return status;
    }
    mass->form = CRM_MASS_BLOCKS;
    mass->block_of = CRM_NEW(uint32_t, n);
    mass->place_of = CRM_NEW(uint32_t, n);
    mass->member = CRM_NEW(uint32_t, n);
    if (mass->block_of == NULL || mass->place_of == NULL || mass->member == NULL) {
        return crm_fail_memory(error);
    }
    mass->block_count = label_components(sparse, n, mass->block_of, mass->place_of);
    mass->block_start = CRM_NEW(size_t, mass->block_count + 1);
    mass->matrix_start = CRM_NEW(size_t, mass->block_count + 1);
    if (mass->block_start == NULL || mass->matrix_start == NULL) {
        return crm_fail_memory(error);
    }
    if (lay_out_blocks(mass) <= LARGEST_DENSE_BLOCK) {
        return fill_blocks(sparse, mass, error);
    }
    return create_factor(sparse, mass, error);
}

crm_status crm_mass_create(const crm_system_def *def, crm_mass *mass, crm_error *error)
{
    memset(mass, 0, sizeof *mass);
    mass->size = def->coordinates;
    if (def->mass_diagonal != NULL) {
        return create_diagonal(def->mass_diagonal, mass, error);
    }
    if (def->mass_dense != NULL) {
        return create_dense(def->mass_dense, mass, error);
    }
    return create_sparse(def->mass_sparse, mass, error);
}

void crm_mass_release(crm_mass *mass)
{
    free(mass->diagonal);
    free(mass->block_start);
    free(mass->matrix_start);
    free(mass->member);
    free(mass->block_of);
    free(mass->place_of);
    free(mass->matrix);
    free(mass->cholesky);
    if (mass->factor != NULL) {
        cholmod_common common;
        crm_mass_start_cholmod(&common);
        cholmod_l_free_sparse(&mass->factor->matrix, &common);
        cholmod_l_free_factor(&mass->factor->factor, &common);
        cholmod_l_finish(&common);
        free(mass->factor);
    }
}
