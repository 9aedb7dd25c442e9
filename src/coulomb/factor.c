#include "coulomb/factor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lcp/order/order.h"

/* ---- Which blocks there will be ---------------------------------------------------------- */

static crm_status find_order(crm_coulomb_factor *factor, crm_error *error)
{
    const crm_coulomb_matrix *matrix = factor->matrix;
    const crm_lcp_pattern pattern = {matrix->contacts, matrix->start, matrix->column};
    crm_lcp_structure structure;
    crm_status status = crm_lcp_order(&pattern, NULL, factor->order, &structure, error);
    for (size_t k = 0; status == CRM_OK && k < matrix->contacts; k++) {
        factor->place[factor->order[k]] = k;
    }
    return status;
}

/* The blocks below pivot k: those of the matrix, and those below every pivot whose first block
 * below is k. mark: places seen for k. Returns how many; writes them if `below` is not NULL.
 */
typedef struct columns {
    size_t *first_child, *next_child; /* SIZE_MAX: none */
    size_t *mark;
    uint32_t *list; /* of all columns so far, one after another */
    size_t *start;
    size_t room;
} columns;

static bool append(columns *found, size_t *count, size_t k, size_t place)
{
    if (place <= k || found->mark[place] == k) {
        return true;
    }
    if (*count == found->room) {
        size_t room = 2 * found->room + 64;
        uint32_t *more = crm_memory_resize(found->list, room, sizeof *more);
        if (more == NULL) {
            return false;
        }
        found->list = more;
        found->room = room;
    }
    found->mark[place] = k;
    found->list[(*count)++] = (uint32_t)place;
    return true;
}

static bool find_column(const crm_coulomb_factor *factor, columns *found, size_t k)
{
    const crm_coulomb_matrix *matrix = factor->matrix;
    size_t i = factor->order[k], count = found->start[k];
    for (size_t m = matrix->start[i]; m < matrix->start[i + 1]; m++) {
        if (!append(found, &count, k, factor->place[matrix->column[m]])) {
            return false;
        }
    }
    for (size_t c = found->first_child[k]; c != SIZE_MAX; c = found->next_child[c]) {
        for (size_t m = found->start[c]; m < found->start[c + 1]; m++) {
            if (!append(found, &count, k, found->list[m])) {
                return false;
            }
        }
    }
    size_t first = found->start[k];
    found->start[k + 1] = count;
    if (count > first) {
        qsort(found->list + first, count - first, sizeof *found->list, crm_compare_uint32);
        size_t parent = found->list[first];
        found->next_child[k] = found->first_child[parent];
        found->first_child[parent] = k;
    }
    return true;
}

static crm_status find_columns(crm_coulomb_factor *factor, crm_error *error)
{
    size_t contacts = factor->matrix->contacts;
    columns found = {CRM_NEW(size_t, contacts),
                     CRM_NEW(size_t, contacts),
                     CRM_NEW(size_t, contacts),
                     NULL,
                     factor->start,
                     0};
    bool well = found.first_child != NULL && found.next_child != NULL && found.mark != NULL;
    for (size_t k = 0; well && k < contacts; k++) {
        found.first_child[k] = found.next_child[k] = found.mark[k] = SIZE_MAX;
    }
    for (size_t k = 0; well && k < contacts; k++) {
        well = find_column(factor, &found, k);
    }
    for (size_t k = 0; well && k < contacts; k++) {
        double count = (double)(found.start[k + 1] - found.start[k]);
        factor->work += (count + 1) * (count + 1);
    }
    free(found.first_child);
    free(found.next_child);
    free(found.mark);
    factor->below = found.list;
    return well ? CRM_OK : crm_fail_memory(error);
}

/* Where the block of row i, column j lies, by places. */
static size_t find_home(const crm_coulomb_factor *factor, size_t i, size_t j)
{
    size_t contacts = factor->matrix->contacts, entries = factor->matrix->dim * factor->matrix->dim;
    if (i == j) {
        return i * entries;
    }
    size_t pivot = i < j ? i : j, other = i < j ? j : i;
    size_t found =
        crm_coulomb_find(factor->below, factor->start[pivot], factor->start[pivot + 1], other);
    return (contacts + (i < j ? factor->start[contacts] : 0) + found) * entries;
}

static crm_status make_room(crm_coulomb_factor *factor, crm_error *error)
{
    const crm_coulomb_matrix *matrix = factor->matrix;
    size_t contacts = matrix->contacts, entries = matrix->dim * matrix->dim;
    factor->block = CRM_NEW(double, (contacts + 2 * factor->start[contacts]) * entries);
    factor->home = CRM_NEW(size_t, matrix->start[contacts]);
    factor->vector = CRM_NEW(double, contacts * matrix->dim);
    factor->active = CRM_NEW(bool, contacts);
    if (factor->block == NULL || factor->home == NULL || factor->vector == NULL ||
        factor->active == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t i = 0; i < contacts; i++) {
        for (size_t k = matrix->start[i]; k < matrix->start[i + 1]; k++) {
            factor->home[k] = find_home(factor, factor->place[i], factor->place[matrix->column[k]]);
        }
    }
    return CRM_OK;
}

crm_status crm_coulomb_factor_create(const crm_coulomb_matrix *matrix, crm_coulomb_factor *factor,
                                     crm_error *error)
{
    size_t contacts = matrix->contacts;
    *factor = (crm_coulomb_factor){.matrix = matrix};
    factor->order = CRM_NEW(size_t, contacts);
    factor->place = CRM_NEW(size_t, contacts);
    factor->start = CRM_NEW(size_t, contacts + 1);
    if (factor->order == NULL || factor->place == NULL || factor->start == NULL) {
        return crm_fail_memory(error);
    }
    crm_status status = find_order(factor, error);
    if (status == CRM_OK) {
        status = find_columns(factor, error);
    }
    return status == CRM_OK ? make_room(factor, error) : status;
}

void crm_coulomb_factor_free(crm_coulomb_factor *factor)
{
    free(factor->order);
    free(factor->place);
    free(factor->start);
    free(factor->below);
    free(factor->home);
    free(factor->block);
    free(factor->vector);
    free(factor->active);
    *factor = (crm_coulomb_factor){0};
}

void crm_coulomb_factor_clear(crm_coulomb_factor *factor, const bool *active)
{
    size_t contacts = factor->matrix->contacts, entries = factor->matrix->dim * factor->matrix->dim;
    memset(factor->block, 0,
           (contacts + 2 * factor->start[contacts]) * entries * sizeof *factor->block);
    for (size_t k = 0; k < contacts; k++) {
        factor->active[k] = active == NULL || active[factor->order[k]];
    }
}

/* ---- Elimination --------------------------------------------------------------------------- */

/* The largest entry of the rows and columns that are left. */
static double find_pivot(size_t n, const double *a, const bool *used, size_t *row, size_t *column)
{
    double largest = -1;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            if (!used[i] && !used[j] && fabs(a[i * n + j]) > largest) {
                largest = fabs(a[i * n + j]);
                *row = i;
                *column = j;
            }
        }
    }
    return largest;
}

/* One step of Gauss-Jordan with the pivot at (c, c). */
static void pivot_at(size_t n, double *a, size_t c, double least)
{
    double value = a[c * n + c];
    if (!(fabs(value) > least)) {
        value = value < 0 ? -least : least;
    }
    a[c * n + c] = 1;
    for (size_t j = 0; j < n; j++) {
        a[c * n + j] /= value;
    }
    for (size_t i = 0; i < n; i++) {
        double factor = i == c ? 0 : a[i * n + c];
        if (factor == 0) {
            continue;
        }
        a[i * n + c] = 0;
        for (size_t j = 0; j < n; j++) {
            a[i * n + j] -= factor * a[c * n + j];
        }
    }
}

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* A = A^-1 by Gauss-Jordan; a pivot that is less than `least` becomes it. */
static void invert(size_t n, double *a, double least)
{
    size_t row[CRM_COULOMB_MOST] = {0}, column[CRM_COULOMB_MOST] = {0};
    bool used[CRM_COULOMB_MOST] = {false};
    for (size_t step = 0; step < n; step++) {
        if (find_pivot(n, a, used, &row[step], &column[step]) < 0) {
            return; /* not numbers */
        }
        for (size_t j = 0; j < n && row[step] != column[step]; j++) {
            swap(&a[row[step] * n + j], &a[column[step] * n + j]);
        }
        used[column[step]] = true;
        pivot_at(n, a, column[step], least);
    }
    for (size_t step = n; step-- > 0;) {
        for (size_t i = 0; i < n && row[step] != column[step]; i++) {
            swap(&a[i * n + row[step]], &a[i * n + column[step]]);
        }
    }
}

/* C -= A B, with n known to the compiler. */
__attribute__((always_inline)) static inline void
multiply_subtract(size_t n, const double *restrict a, const double *restrict b, double *restrict c)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++) {
                sum += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] -= sum;
        }
    }
}

/* What pivot k takes from the rows and columns of one of the contacts below it: s of its list. */
__attribute__((always_inline)) static inline void
update(crm_coulomb_factor *factor, size_t n, size_t k, size_t s, double *lower, double *upper)
{
    size_t entries = n * n, i = factor->below[s], end = factor->start[k + 1];
    multiply_subtract(n, lower + s * entries, upper + s * entries, factor->block + i * entries);
    const uint32_t *below = factor->below;
    size_t t = factor->start[i];
    for (size_t m = s + 1; m < end; m++) {
        uint32_t j = below[m];
        if (!factor->active[j]) {
            continue;
        }
        while (below[t] != j) {
            t++;
        }
        multiply_subtract(n, lower + s * entries, upper + m * entries, upper + t * entries);
        multiply_subtract(n, lower + m * entries, upper + s * entries, lower + t * entries);
    }
}

__attribute__((always_inline)) static inline void eliminate(crm_coulomb_factor *factor, size_t n,
                                                            double least)
{
    size_t contacts = factor->matrix->contacts, entries = n * n;
    double *lower = factor->block + contacts * entries;
    double *upper = lower + factor->start[contacts] * entries;
    for (size_t k = 0; k < contacts; k++) {
        if (!factor->active[k]) {
            continue;
        }
        double *pivot = factor->block + k * entries;
        invert(n, pivot, least);
        for (size_t s = factor->start[k]; s < factor->start[k + 1]; s++) {
            double product[CRM_COULOMB_MOST * CRM_COULOMB_MOST] = {0};
            multiply_subtract(n, lower + s * entries, pivot, product);
            for (size_t a = 0; a < entries; a++) {
                lower[s * entries + a] = -product[a];
            }
        }
        for (size_t s = factor->start[k]; s < factor->start[k + 1]; s++) {
            if (factor->active[factor->below[s]]) {
                update(factor, n, k, s, lower, upper);
            }
        }
    }
}

void crm_coulomb_factor_eliminate(crm_coulomb_factor *factor, double least)
{
    if (factor->matrix->dim == 3) {
        eliminate(factor, 3, least);
    } else {
        eliminate(factor, 2, least);
    }
}

void crm_coulomb_factor_solve(crm_coulomb_factor *factor, double *x)
{
    size_t contacts = factor->matrix->contacts, n = factor->matrix->dim, entries = n * n;
    const double *lower = factor->block + contacts * entries;
    const double *upper = lower + factor->start[contacts] * entries;
    double *y = factor->vector;
    for (size_t k = 0; k < contacts; k++) {
        for (size_t a = 0; a < n; a++) {
            y[k * n + a] = factor->active[k] ? x[factor->order[k] * n + a] : 0;
        }
    }
    for (size_t k = 0; k < contacts; k++) {
        for (size_t s = factor->start[k]; factor->active[k] && s < factor->start[k + 1]; s++) {
            if (factor->active[factor->below[s]]) {
                crm_coulomb_subtract(n, lower + s * entries, y + k * n, y + factor->below[s] * n);
            }
        }
    }
    for (size_t k = contacts; k-- > 0;) {
        double result[CRM_COULOMB_MOST] = {0};
        for (size_t s = factor->start[k]; factor->active[k] && s < factor->start[k + 1]; s++) {
            if (factor->active[factor->below[s]]) {
                crm_coulomb_subtract(n, upper + s * entries, y + factor->below[s] * n, y + k * n);
            }
        }
        if (factor->active[k]) {
            crm_coulomb_subtract(n, factor->block + k * entries, y + k * n, result);
        }
        for (size_t a = 0; a < n; a++) {
            y[k * n + a] = -result[a];
            x[factor->order[k] * n + a] = -result[a];
        }
    }
}
