/* Using a mass matrix: M^-1 x, v'Mv, its entries. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/mass/mass.h"
#include "model/mass/symmetric.h"

void crm_mass_solve_block(const crm_mass *mass, size_t block, double *x)
{
    size_t size = crm_mass_block_size(mass, block);
    const double *cholesky = mass->cholesky + mass->matrix_start[block];
    crm_symmetric_solve(size, cholesky, x);
}

static void solve_blocks(const crm_mass *mass, double *x, double *part)
{
    for (size_t b = 0; b < mass->block_count; b++) {
        const uint32_t *member = mass->member + mass->block_start[b];
        size_t size = crm_mass_block_size(mass, b);
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
    crm_mass_start_cholmod(&common);
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
        size_t size = crm_mass_block_size(mass, block);
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

/* Only one triangle is stored. */
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
        size_t at = mass->place_of[row] * crm_mass_block_size(mass, block) + mass->place_of[column];
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
            size_t block = mass->block_of[i], size = crm_mass_block_size(mass, block);
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

/* ---- Its inverse, where that is simple ------------------------------------------------------- */

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
