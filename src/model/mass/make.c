/* The mass matrix, from the forms that a user may give: diagonal, full, sparse.
 *
 * A sparse M is first split into blocks of coupled coordinates: a multibody mass matrix has many
 * small ones, and then D stays sparse. Only a large connected M is factorized as a whole (ldl.c).
 */
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

typedef struct columns {
    size_t *start;
    uint32_t *row;
    double *value;
} columns;

static void free_columns(columns *c)
{
    free(c->start);
    free(c->row);
    free(c->value);
}

static bool make_columns(size_t n, size_t entries, columns *c)
{
    c->start = CRM_NEW(size_t, n + 2);
    c->row = CRM_NEW(uint32_t, entries);
    c->value = CRM_NEW(double, entries);
    return c->start != NULL && c->row != NULL && c->value != NULL;
}

/* The columns of the transpose, with ascending rows; twice, and the rows of a matrix are sorted. */
static bool transpose(crm_sparse_view a, size_t n, columns *to)
{
    if (!make_columns(n, a.column_start[n] - a.column_start[0], to)) {
        return false;
    }
    for (size_t k = a.column_start[0]; k < a.column_start[n]; k++) {
        to->start[a.row[k] + 2]++;
    }
    for (size_t j = 0; j < n; j++) {
        to->start[j + 2] += to->start[j + 1];
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t k = a.column_start[j]; k < a.column_start[j + 1]; k++) {
            size_t place = to->start[a.row[k] + 1]++;
            to->row[place] = (uint32_t)j;
            to->value[place] = a.value[k];
        }
    }
    return true;
}

/* Column j of the lower triangle and of the transposed upper one. */
static crm_status compare_triangles(const columns *a, const columns *across, size_t j,
                                    const double *diagonal, crm_error *error)
{
    size_t k = a->start[j], l = across->start[j], k_end = a->start[j + 1],
           l_end = across->start[j + 1];
    while (k < k_end || l < l_end) {
        size_t here = k < k_end ? a->row[k] : SIZE_MAX,
               there = l < l_end ? across->row[l] : SIZE_MAX;
        size_t i = here < there ? here : there;
        double one = here == i ? a->value[k++] : 0, other = there == i ? across->value[l++] : 0;
        if (i > j && !same(one, other, fabs(diagonal[i]) + fabs(diagonal[j]))) {
            return fail_not_symmetric(one, other, i, j, error);
        }
    }
    return CRM_OK;
}

/* Both triangles, as the lower one has them. */
static void mirror_lower(const columns *a, const columns *across, size_t n,
                         struct crm_mass_factor *factor)
{
    size_t kept = 0;
    for (size_t j = 0; j < n; j++) {
        for (size_t k = across->start[j]; k < across->start[j + 1] && across->row[k] < j; k++) {
            factor->row[kept] = across->row[k];
            factor->value[kept++] = across->value[k];
        }
        for (size_t k = a->start[j]; k < a->start[j + 1]; k++) {
            if (a->row[k] >= j) {
                factor->row[kept] = a->row[k];
                factor->value[kept++] = a->value[k];
            }
        }
        factor->start[j + 1] = kept;
    }
}

static crm_status copy_symmetric(const crm_sparse_view *sparse, size_t n,
                                 struct crm_mass_factor *factor, crm_error *error)
{
    columns a = {0}, across = {0};
    size_t entries = 2 * (sparse->column_start[n] - sparse->column_start[0]);
    double *diagonal = CRM_NEW(double, n);
    factor->start = CRM_NEW(size_t, n + 1);
    factor->row = CRM_NEW(uint32_t, entries);
    factor->value = CRM_NEW(double, entries);
    bool there = diagonal != NULL && factor->start != NULL && factor->row != NULL &&
                 factor->value != NULL && transpose(*sparse, n, &across) &&
                 transpose((crm_sparse_view){across.start, across.row, across.value}, n, &a);
    crm_status status = there ? CRM_OK : crm_fail_memory(error);
    for (size_t j = 0; status == CRM_OK && j < n; j++) {
        for (size_t k = a.start[j]; k < a.start[j + 1]; k++) {
            diagonal[j] = a.row[k] == j ? a.value[k] : diagonal[j];
        }
    }
    for (size_t j = 0; status == CRM_OK && j < n; j++) {
        status = compare_triangles(&a, &across, j, diagonal, error);
    }
    if (status == CRM_OK) {
        mirror_lower(&a, &across, n, factor);
    }
    free_columns(&a);
    free_columns(&across);
    free(diagonal);
    return status;
}

static crm_status create_factor(const crm_sparse_view *sparse, crm_mass *mass, crm_error *error)
{
    struct crm_mass_factor *factor = CRM_NEW(struct crm_mass_factor, 1);
    mass->form = CRM_MASS_FACTOR;
    mass->factor = factor;
    crm_status status =
        factor != NULL ? copy_symmetric(sparse, mass->size, factor, error) : crm_fail_memory(error);
    if (status == CRM_OK) {
        crm_ldl_matrix matrix = {mass->size, factor->start, factor->row, factor->value};
        status = crm_ldl_create(&matrix, &factor->ldl, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    const crm_ldl *ldl = &factor->ldl;
    double least = INFINITY, most = 0;
    size_t at = 0;
    for (size_t k = 0; k < ldl->size; k++) {
        double pivot = k < ldl->pivots ? ldl->pivot[k] : 0;
        at = pivot < least ? k : at;
        least = fmin(least, pivot);
        most = fmax(most, pivot);
    }
    return least > 1e-14 * most ? CRM_OK : fail_not_definite(ldl->order[at], error);
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
        free(mass->factor->start);
        free(mass->factor->row);
        free(mass->factor->value);
        crm_ldl_release(&mass->factor->ldl);
        free(mass->factor);
    }
}
