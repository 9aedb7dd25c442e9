/* The mass matrix: what a user may bring (diagonal, full, sparse) and the two things the rest of
 * the library asks of it, M^-1 x and v'Mv.
 *
 * A sparse M is first split into the coordinates it really couples: a multibody mass matrix falls
 * apart into small blocks, and then D stays sparse. Only a large connected M is factorized as a
 * whole (CHOLMOD, simplicial).
 */
#include <cholmod.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "model/symmetric.h"

/* Blocks up to this many coordinates are kept as dense matrices. */
enum { LARGEST_DENSE_BLOCK = 512 };

/* M must be symmetric to this relative accuracy. */
static const double SYMMETRY_TOLERANCE = 1e-12;

struct crm_mass_factor {
    cholmod_sparse *matrix; /* lower triangle */
    cholmod_factor *factor;
};

/* Off the diagonal the size follows: |m_ij|^2 < m_ii m_jj in a definite matrix. */
static crm_status check_entry(double value, size_t row, size_t column, crm_error *error)
{
    if (row == column) {
        return crm_check_datum(CRM_DATUM_MASS, value, "mass[%1$zu][%1$zu]", row + 1, error);
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

/* ---- Diagonal ----------------------------------------------------------------------------- */

static crm_status create_diagonal(const double *diagonal, crm_mass *mass, crm_error *error)
{
    for (size_t i = 0; i < mass->size; i++) {
        crm_status status = crm_check_datum(CRM_DATUM_MASS, diagonal[i], "mass[%zu]", i + 1, error);
        if (status != CRM_OK) {
            return status;
        }
    }
    mass->form = CRM_MASS_DIAGONAL;
    mass->diagonal = crm_copy_doubles(diagonal, mass->size);
    return mass->diagonal != NULL ? CRM_OK : crm_fail_memory(error);
}

/* ---- Dense blocks --------------------------------------------------------------------------- */

static size_t block_size(const crm_mass *mass, size_t block)
{
    return mass->block_start[block + 1] - mass->block_start[block];
}

/* A pivot this small beside its row means a matrix that is singular to rounding. */
static crm_status factorize_block(crm_mass *mass, size_t block, crm_error *error)
{
    size_t size = block_size(mass, block);
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
    mass->matrix = crm_copy_doubles(dense, n * n);
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

/* ---- Sparse: split into what is coupled ---------------------------------------------------------
 */

static uint32_t find_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Number the components of M's graph 0, 1, ... in order of their first coordinate; returns how
 * many there are. `block_of` serves as the union-find forest and holds the numbers at the end.
 */
static size_t label_components(const crm_sparse_view *sparse, size_t n, uint32_t *block_of,
                               uint32_t *label)
{
    for (size_t i = 0; i < n; i++) {
        block_of[i] = (uint32_t)i;
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t k = sparse->column_start[j]; k < sparse->column_start[j + 1]; k++) {
            uint32_t a = find_root(block_of, sparse->row[k]);
            uint32_t b = find_root(block_of, (uint32_t)j);
            if (a != b) {
                block_of[a < b ? b : a] = a < b ? a : b;
            }
        }
    }
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t root = find_root(block_of, (uint32_t)i);
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
        size_t size = block_size(mass, block);
        for (size_t k = sparse->column_start[j]; k < sparse->column_start[j + 1]; k++) {
            mass->matrix[mass->matrix_start[block] + mass->place_of[j] * size +
                         mass->place_of[sparse->row[k]]] += sparse->value[k];
        }
    }
    for (size_t b = 0; b < mass->block_count; b++) {
        size_t size = block_size(mass, b);
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

/* CHOLMOD keeps its settings in a structure of ours: no globals, and one per call keeps a shared
 * model safe between threads. Only its LGPL modules are used (simplicial factorization).
 */
static void start_cholmod(cholmod_common *common)
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
    start_cholmod(&common);
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
    crm_status status = crm_check_sparse(sparse, n, n, "mass", error);
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
        start_cholmod(&common);
        cholmod_l_free_sparse(&mass->factor->matrix, &common);
        cholmod_l_free_factor(&mass->factor->factor, &common);
        cholmod_l_finish(&common);
        free(mass->factor);
    }
}

/* ---- Use ---------------------------------------------------------------------------------------
 */

void crm_mass_solve_block(const crm_mass *mass, size_t block, double *x)
{
    size_t size = block_size(mass, block);
    const double *cholesky = mass->cholesky + mass->matrix_start[block];
    crm_symmetric_solve(size, cholesky, x);
}

static void solve_blocks(const crm_mass *mass, double *x, double *part)
{
    for (size_t b = 0; b < mass->block_count; b++) {
        const uint32_t *member = mass->member + mass->block_start[b];
        size_t size = block_size(mass, b);
        for (size_t i = 0; i < size; i++) {
            part[i] = x[member[i]];
        }
        crm_mass_solve_block(mass, b, part);
        for (size_t i = 0; i < size; i++) {
            x[member[i]] = part[i];
        }
    }
}

static crm_status solve_factor(const crm_mass *mass, double *x, crm_error *error)
{
    cholmod_common common;
    start_cholmod(&common);
    cholmod_dense right = {.nrow = mass->size,
                           .ncol = 1,
                           .nzmax = mass->size,
                           .d = mass->size,
                           .x = x,
                           .xtype = CHOLMOD_REAL,
                           .dtype = CHOLMOD_DOUBLE};
    cholmod_dense *solution = cholmod_l_solve(CHOLMOD_A, mass->factor->factor, &right, &common);
    if (solution != NULL) {
        memcpy(x, solution->x, mass->size * sizeof *x);
    }
    crm_status status = solution != NULL ? CRM_OK : crm_fail_memory(error);
    cholmod_l_free_dense(&solution, &common);
    cholmod_l_finish(&common);
    return status;
}

crm_status crm_mass_solve(const crm_mass *mass, double *x, crm_error *error)
{
    double *work = mass->form == CRM_MASS_BLOCKS ? CRM_NEW(double, mass->size) : NULL;
    if (mass->form == CRM_MASS_BLOCKS && work == NULL) {
        return crm_fail_memory(error);
    }
    crm_status status = crm_mass_solve_in(mass, x, work, error);
    free(work);
    return status;
}

crm_status crm_mass_solve_in(const crm_mass *mass, double *x, double *work, crm_error *error)
{
    switch (mass->form) {
    case CRM_MASS_DIAGONAL:
        for (size_t i = 0; i < mass->size; i++) {
            x[i] /= mass->diagonal[i];
        }
        return CRM_OK;
    case CRM_MASS_BLOCKS:
        solve_blocks(mass, x, work);
        return CRM_OK;
    case CRM_MASS_FACTOR:
        return solve_factor(mass, x, error);
    }
    return CRM_ERROR_ARGUMENT;
}

static double square_blocks(const crm_mass *mass, const double *v, size_t first, size_t last)
{
    double sum = 0;
    for (size_t i = first; i < last; i++) {
        size_t block = mass->block_of[i];
        size_t size = block_size(mass, block);
        const uint32_t *member = mass->member + mass->block_start[block];
        const double *column = mass->matrix + mass->matrix_start[block] + mass->place_of[i] * size;
        double product = 0;
        for (size_t k = 0; k < size; k++) {
            if (member[k] >= first && member[k] < last) {
                product += column[k] * v[member[k]];
            }
        }
        sum += v[i] * product;
    }
    return sum;
}

static double square_factor(const crm_mass *mass, const double *v, size_t first, size_t last)
{
    const cholmod_sparse *matrix = mass->factor->matrix;
    const SuiteSparse_long *start = matrix->p, *row = matrix->i;
    const double *value = matrix->x;
    double sum = 0;
    for (size_t j = first; j < last; j++) {
        for (SuiteSparse_long k = start[j]; k < start[j + 1]; k++) {
            size_t i = (size_t)row[k];
            if (i >= first && i < last) {
                sum += (i == j ? 1.0 : 2.0) * v[i] * value[k] * v[j];
            }
        }
    }
    return sum;
}

double crm_mass_square(const crm_mass *mass, const double *v, size_t first, size_t last)
{
    double sum = 0;
    switch (mass->form) {
    case CRM_MASS_DIAGONAL:
        for (size_t i = first; i < last; i++) {
            sum += mass->diagonal[i] * v[i] * v[i];
        }
        return sum;
    case CRM_MASS_BLOCKS:
        return square_blocks(mass, v, first, last);
    case CRM_MASS_FACTOR:
        return square_factor(mass, v, first, last);
    }
    return sum;
}

/* One triangle is kept. */
static double entry_of_factor(const crm_mass *mass, size_t row, size_t column)
{
    const cholmod_sparse *matrix = mass->factor->matrix;
    const SuiteSparse_long *start = matrix->p, *rows = matrix->i;
    const double *value = matrix->x;
    const size_t places[2][2] = {{row, column}, {column, row}};
    for (int side = 0; side < 2; side++) {
        size_t j = places[side][1];
        for (SuiteSparse_long k = start[j]; k < start[j + 1]; k++) {
            if ((size_t)rows[k] == places[side][0]) {
                return value[k];
            }
        }
    }
    return 0;
}

double crm_mass_entry(const crm_mass *mass, size_t row, size_t column)
{
    switch (mass->form) {
    case CRM_MASS_DIAGONAL:
        return row == column ? mass->diagonal[row] : 0;
    case CRM_MASS_BLOCKS: {
        size_t block = mass->block_of[row];
        size_t at = mass->place_of[row] * block_size(mass, block) + mass->place_of[column];
        return mass->block_of[column] == block ? mass->matrix[mass->matrix_start[block] + at] : 0;
    }
    case CRM_MASS_FACTOR:
        return entry_of_factor(mass, row, column);
    }
    return 0;
}

static double bound_of_factor(const crm_mass *mass, const double *v)
{
    const cholmod_sparse *matrix = mass->factor->matrix;
    const SuiteSparse_long *start = matrix->p, *row = matrix->i;
    const double *value = matrix->x;
    double sum = 0;
    for (size_t j = 0; j < mass->size; j++) {
        for (SuiteSparse_long k = start[j]; k < start[j + 1]; k++) {
            size_t i = (size_t)row[k];
            sum += fabs(value[k]) * (fabs(v[j]) + (i == j ? 0 : fabs(v[i])));
        }
    }
    return sum;
}

double crm_mass_momentum_bound(const crm_mass *mass, const double *v)
{
    double sum = 0;
    switch (mass->form) {
    case CRM_MASS_DIAGONAL:
        for (size_t i = 0; i < mass->size; i++) {
            sum += mass->diagonal[i] * fabs(v[i]);
        }
        return sum;
    case CRM_MASS_BLOCKS:
        for (size_t i = 0; i < mass->size; i++) {
            size_t block = mass->block_of[i], size = block_size(mass, block);
            const double *column =
                mass->matrix + mass->matrix_start[block] + mass->place_of[i] * size;
            for (size_t k = 0; k < size; k++) {
                sum += fabs(column[k]) * fabs(v[i]);
            }
        }
        return sum;
    case CRM_MASS_FACTOR:
        return bound_of_factor(mass, v);
    }
    return sum;
}

/* ---- Its inverse, where that is simple ---------------------------------------------------------
 */

double crm_mass_alone(const crm_mass *mass, size_t i)
{
    if (mass->form == CRM_MASS_DIAGONAL) {
        return mass->diagonal[i];
    }
    if (mass->form != CRM_MASS_BLOCKS) {
        return 0;
    }
    size_t block = mass->block_of[i], place = mass->place_of[i];
    size_t size = mass->block_start[block + 1] - mass->block_start[block];
    const double *row = mass->matrix + mass->matrix_start[block] + place * size;
    bool alone = true;
    for (size_t k = 0; k < size; k++) {
        alone &= k == place || row[k] == 0;
    }
    return alone ? row[place] : 0;
}

bool crm_mass_invert_diagonal(const crm_mass *mass, crm_twofold *per_mass)
{
    for (size_t i = 0; i < mass->size; i++) {
        double m = crm_mass_alone(mass, i);
        if (!(m > 0)) {
            return false;
        }
        per_mass[i] = crm_twofold_inverse(m);
    }
    return true;
}
