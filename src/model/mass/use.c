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

crm_status crm_mass_solve(const crm_mass *mass, double *x, crm_error *error)
{
    bool works = mass->form != CRM_MASS_DIAGONAL;
    double *work = works ? CRM_NEW(double, mass->size) : NULL;
    if (works && work == NULL) {
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
        crm_ldl_solve(&mass->factor->ldl, x, work);
        return CRM_OK;
    }
    return crm_fail(error, CRM_ERROR_ARGUMENT, "mass", "M has no form that is known");
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
    const struct crm_mass_factor *m = mass->factor;
    double sum = 0;
    for (size_t j = first; j < last; j++) {
        double product = 0;
        for (size_t k = m->start[j]; k < m->start[j + 1]; k++) {
            if (m->row[k] >= first && m->row[k] < last) {
                product += m->value[k] * v[m->row[k]];
            }
        }
        sum += v[j] * product;
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

static double entry_of_factor(const crm_mass *mass, size_t row, size_t column)
{
    const struct crm_mass_factor *m = mass->factor;
    for (size_t k = m->start[column]; k < m->start[column + 1]; k++) {
        if (m->row[k] == row) {
            return m->value[k];
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
    const struct crm_mass_factor *m = mass->factor;
    double sum = 0;
    for (size_t j = 0; j < mass->size; j++) {
        for (size_t k = m->start[j]; k < m->start[j + 1]; k++) {
            sum += fabs(m->value[k]) * fabs(v[j]);
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
