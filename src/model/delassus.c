/* D = W' M^-1 W: how an impulse at one contact changes the gap velocity of another. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/elementary.h"
#include "base/precondition.h"
#include "model/mass/ldl.h"
#include "model/mass/symmetric.h"
#include "model/model.h"

/* D is kept as a matrix unless it would hold more than this many entries per contact and more
 * than LARGEST_FULL in all; then only the operator is there.
 */
enum { FULLEST_ROW = 64, LARGEST_FULL = 1 << 24 };

/* Up to this many contacts the rank comes from the eigenvalues of the full matrix. */
enum { DENSE_RANK = 400 };

/* Eigenvalues of D scaled to unit diagonal below this count as zero. A chain of n balls has true
 * ones down to (pi/n)^2 / 2, rounding leaves some 1e-16 of a zero one.
 */
static const double RANK_TOLERANCE = 1e-13;

/* W by rows: which contacts touch a coordinate. */
typedef struct by_rows {
    size_t *start;
    uint32_t *contact;
    double *value;
} by_rows;

static void release_rows(by_rows *rows)
{
    free(rows->start);
    free(rows->contact);
    free(rows->value);
    *rows = (by_rows){0};
}

static crm_status transpose_w(const crm_model *model, by_rows *rows, crm_error *error)
{
    size_t entries = model->w_start[model->contacts];
    rows->start = CRM_NEW(size_t, model->coordinates + 2);
    rows->contact = CRM_NEW(uint32_t, entries);
    rows->value = CRM_NEW(double, entries);
    if (rows->start == NULL || rows->contact == NULL || rows->value == NULL) {
        release_rows(rows);
        return crm_fail_memory(error);
    }
    /* start[i+2] counts, then start[i+1] walks from the row's beginning to its end. */
    for (size_t k = 0; k < entries; k++) {
        rows->start[model->w_row[k] + 2]++;
    }
    for (size_t i = 0; i < model->coordinates; i++) {
        rows->start[i + 2] += rows->start[i + 1];
    }
    for (size_t j = 0; j < model->contacts; j++) {
        for (size_t k = model->w_start[j]; k < model->w_start[j + 1]; k++) {
            size_t place = rows->start[model->w_row[k] + 1]++;
            rows->contact[place] = (uint32_t)j;
            rows->value[place] = model->w_value[k];
        }
    }
    return CRM_OK;
}

/* y = M^-1 w_j on the coordinates it reaches: `reach` lists them, y holds the values. */
typedef struct column_work {
    double *y;
    uint32_t *reach;
    size_t reached;
    bool *in_reach; /* by coordinate */
} column_work;

static void reach_coordinate(column_work *work, uint32_t coordinate, double value)
{
    if (!work->in_reach[coordinate]) {
        work->in_reach[coordinate] = true;
        work->reach[work->reached++] = coordinate;
        work->y[coordinate] = 0;
    }
    work->y[coordinate] += value;
}

static void clear_reach(column_work *work)
{
    for (size_t k = 0; k < work->reached; k++) {
        work->in_reach[work->reach[k]] = false;
    }
    work->reached = 0;
}

/* The blocks that w_j touches become full. `part` has room for the largest block. */
static void solve_touched_blocks(const crm_mass *mass, column_work *work, double *part)
{
    size_t seeds = work->reached;
    for (size_t k = 0; k < seeds; k++) {
        size_t block = mass->block_of[work->reach[k]];
        bool first = true;
        for (size_t l = 0; l < k && first; l++) {
            first = mass->block_of[work->reach[l]] != block;
        }
        if (!first) {
            continue;
        }
        const uint32_t *member = mass->member + mass->block_start[block];
        size_t size = mass->block_start[block + 1] - mass->block_start[block];
        for (size_t i = 0; i < size; i++) {
            part[i] = work->in_reach[member[i]] ? work->y[member[i]] : 0;
        }
        crm_mass_solve_block(mass, block, part);
        for (size_t i = 0; i < size; i++) {
            reach_coordinate(work, member[i], 0);
            work->y[member[i]] = part[i];
        }
    }
}

static crm_status solve_column(const crm_model *model, size_t contact, column_work *work,
                               double *part, crm_error *error)
{
    clear_reach(work);
    for (size_t k = model->w_start[contact]; k < model->w_start[contact + 1]; k++) {
        reach_coordinate(work, model->w_row[k], model->w_value[k]);
    }
    switch (model->mass.form) {
    case CRM_MASS_DIAGONAL:
        for (size_t k = 0; k < work->reached; k++) {
            work->y[work->reach[k]] /= model->mass.diagonal[work->reach[k]];
        }
        return CRM_OK;
    case CRM_MASS_BLOCKS:
        solve_touched_blocks(&model->mass, work, part);
        return CRM_OK;
    case CRM_MASS_FACTOR:
        for (uint32_t i = 0; i < model->coordinates; i++) {
            reach_coordinate(work, i, 0);
        }
        return crm_mass_solve(&model->mass, work->y, error);
    }
    return CRM_OK;
}

/* Shorter rows are sorted by insertion, which is faster than qsort. */
enum { SHORT_ROW = 32 };

static void sort_columns(uint32_t *column, size_t count)
{
    if (count > SHORT_ROW) {
        qsort(column, count, sizeof *column, crm_compare_uint32);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        uint32_t moved = column[i];
        size_t k = i;
        for (; k > 0 && column[k - 1] > moved; k--) {
            column[k] = column[k - 1];
        }
        column[k] = moved;
    }
}

/* A growing list of D's entries. */
typedef struct entries {
    size_t count, room;
} entries;

static bool make_room(crm_model *model, entries *list, size_t more)
{
    if (list->count + more <= list->room) {
        return true;
    }
    size_t room = 2 * list->room + more;
    uint32_t *column = crm_memory_resize(model->d_column, room, sizeof *column);
    if (column != NULL) {
        model->d_column = column;
    }
    double *value = crm_memory_resize(model->d_value, room, sizeof *value);
    if (value != NULL) {
        model->d_value = value;
    }
    list->room = column != NULL && value != NULL ? room : list->room;
    return column != NULL && value != NULL;
}

/* Frees the unused rest of the list's memory. */
static void fit_matrix(crm_model *model, size_t count)
{
    count = count > 0 ? count : 1;
    uint32_t *column = crm_memory_resize(model->d_column, count, sizeof *column);
    double *value = crm_memory_resize(model->d_value, count, sizeof *value);
    model->d_column = column != NULL ? column : model->d_column;
    model->d_value = value != NULL ? value : model->d_value;
}

static void drop_matrix(crm_model *model)
{
    free(model->d_start);
    free(model->d_column);
    free(model->d_value);
    model->d_start = NULL;
    model->d_column = NULL;
    model->d_value = NULL;
}

/* Row j of D from y = M^-1 w_j: gather over the contacts that share a reached coordinate. */
static bool append_row(crm_model *model, const by_rows *rows, const column_work *work, double *sum,
                       bool *seen, entries *list)
{
    size_t begin = list->count;
    for (size_t k = 0; k < work->reached; k++) {
        uint32_t i = work->reach[k];
        if (!make_room(model, list, rows->start[i + 1] - rows->start[i])) {
            return false;
        }
        for (size_t l = rows->start[i]; l < rows->start[i + 1]; l++) {
            uint32_t contact = rows->contact[l];
            if (!seen[contact]) {
                seen[contact] = true;
                sum[contact] = 0;
                model->d_column[list->count++] = contact;
            }
            sum[contact] += rows->value[l] * work->y[i];
        }
    }
    sort_columns(model->d_column + begin, list->count - begin);
    for (size_t l = begin; l < list->count; l++) {
        model->d_value[l] = sum[model->d_column[l]];
        seen[model->d_column[l]] = false;
    }
    return true;
}

static double dot_column(const crm_model *model, size_t contact, const double *y)
{
    double sum = 0;
    for (size_t k = model->w_start[contact]; k < model->w_start[contact + 1]; k++) {
        sum += model->w_value[k] * y[model->w_row[k]];
    }
    return sum;
}

/* Makes D symmetric to the last bit. The two entries of a pair are sums in different orders; with
 * different rounding a contact could act on one that does not act on it. Rows are ascending, so the
 * entries of row i below the diagonal come in the order of the rows above it. `next` has s entries.
 */
static void mirror(crm_model *model, size_t *next)
{
    memcpy(next, model->d_start, model->contacts * sizeof *next);
    for (size_t j = 0; j < model->contacts; j++) {
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            size_t i = model->d_column[l];
            if (i > j) {
                model->d_value[next[i]++] = model->d_value[l];
            }
        }
    }
}

static crm_status assemble_rows(crm_model *model, const by_rows *rows, column_work *work,
                                double *part, double *sum, bool *seen, crm_error *error)
{
    entries list = {0, 0};
    bool keep = true;
    for (size_t j = 0; j < model->contacts; j++) {
        crm_status status = solve_column(model, j, work, part, error);
        if (status != CRM_OK) {
            return status;
        }
        model->d_diagonal[j] = dot_column(model, j, work->y);
        if (keep && !append_row(model, rows, work, sum, seen, &list)) {
            return crm_fail_memory(error);
        }
        if (keep) {
            model->d_start[j + 1] = list.count;
            keep = list.count <= LARGEST_FULL || list.count <= FULLEST_ROW * (j + 1);
        }
    }
    size_t *next = keep ? CRM_NEW(size_t, model->contacts) : NULL;
    if (!keep) {
        drop_matrix(model);
        return CRM_OK;
    }
    if (next == NULL) {
        return crm_fail_memory(error);
    }
    fit_matrix(model, list.count);
    mirror(model, next);
    free(next);
    return CRM_OK;
}

crm_status crm_delassus_assemble(crm_model *model, crm_error *error)
{
    by_rows rows = {0};
    crm_status status = transpose_w(model, &rows, error);
    if (status != CRM_OK) {
        return status;
    }
    size_t n = model->coordinates, s = model->contacts;
    model->d_start = CRM_NEW(size_t, s + 1);
    model->d_column = CRM_NEW(uint32_t, 1);
    model->d_value = CRM_NEW(double, 1);
    model->d_diagonal = CRM_NEW(double, s);
    column_work work = {
        .y = CRM_NEW(double, n), .reach = CRM_NEW(uint32_t, n), .in_reach = CRM_NEW(bool, n)};
    double *part = CRM_NEW(double, n), *sum = CRM_NEW(double, s);
    bool *seen = CRM_NEW(bool, s);
    if (model->d_start != NULL && model->d_column != NULL && model->d_value != NULL &&
        model->d_diagonal != NULL && work.y != NULL && work.reach != NULL &&
        work.in_reach != NULL && part != NULL && sum != NULL && seen != NULL) {
        status = assemble_rows(model, &rows, &work, part, sum, seen, error);
    } else {
        status = crm_fail_memory(error);
    }
    release_rows(&rows);
    free(work.y);
    free(work.reach);
    free(work.in_reach);
    free(part);
    free(sum);
    free(seen);
    return status;
}

bool crm_model_has_delassus(const crm_model *model)
{
    CRM_PRECONDITION(model != NULL);
    return model->d_start != NULL;
}

void crm_model_delassus_row(const crm_model *model, size_t contact, size_t *count,
                            const uint32_t **column, const double **value)
{
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(contact < crm_model_contacts(model));
    CRM_PRECONDITION(count != NULL);
    if (model->d_start == NULL) {
        *count = 0;
        *column = NULL;
        *value = NULL;
        return;
    }
    size_t begin = model->d_start[contact];
    *count = model->d_start[contact + 1] - begin;
    *column = model->d_column + begin;
    *value = model->d_value + begin;
}

/* One entry without a matrix: w_row' M^-1 w_column. */
static double entry_by_operator(const crm_model *model, size_t row, size_t column)
{
    double *y = CRM_NEW(double, model->coordinates);
    double value = NAN;
    if (y != NULL) {
        for (size_t k = model->w_start[column]; k < model->w_start[column + 1]; k++) {
            y[model->w_row[k]] = model->w_value[k];
        }
        if (crm_mass_solve(&model->mass, y, NULL) == CRM_OK) {
            value = dot_column(model, row, y);
        }
    }
    free(y);
    return value;
}

double crm_model_delassus(const crm_model *model, size_t row, size_t column)
{
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(row < crm_model_contacts(model));
    CRM_PRECONDITION(column < crm_model_contacts(model));
    if (row == column) {
        return model->d_diagonal[row];
    }
    if (model->d_start == NULL) {
        return entry_by_operator(model, row, column);
    }
    uint32_t key = (uint32_t)column;
    size_t begin = model->d_start[row];
    const uint32_t *found = bsearch(&key, model->d_column + begin, model->d_start[row + 1] - begin,
                                    sizeof key, crm_compare_uint32);
    return found != NULL ? model->d_value[found - model->d_column] : 0;
}

crm_status crm_model_delassus_apply(const crm_model *model, const double *p, double *out,
                                    crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(model, "model", error) ||
        (model->contacts > 0 &&
         (crm_fail_if_null(p, "p", error) || crm_fail_if_null(out, "out", error)))) {
        return CRM_ERROR_ARGUMENT;
    }
    if (model->d_start != NULL) {
        for (size_t j = 0; j < model->contacts; j++) {
            double sum = 0;
            for (size_t k = model->d_start[j]; k < model->d_start[j + 1]; k++) {
                sum += model->d_value[k] * p[model->d_column[k]];
            }
            out[j] = sum;
        }
        return CRM_OK;
    }
    double *velocity = CRM_NEW(double, model->coordinates);
    if (velocity == NULL) {
        return crm_fail_memory(error);
    }
    crm_status status = crm_model_apply_impulse(model, p, velocity, error);
    for (size_t j = 0; status == CRM_OK && j < model->contacts; j++) {
        out[j] = dot_column(model, j, velocity);
    }
    free(velocity);
    return status;
}

double crm_model_kinetic_angle(const crm_model *model, size_t i, size_t j)
{
    CRM_USUAL_ARITHMETIC;
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(i < crm_model_contacts(model));
    CRM_PRECONDITION(j < crm_model_contacts(model));
    double cosine =
        crm_model_delassus(model, i, j) / sqrt(model->d_diagonal[i] * model->d_diagonal[j]);
    return crm_acos(fmax(-1.0, fmin(1.0, cosine)));
}

/* ---- Rank ------------------------------------------------------------------------------------ */

static crm_status rank_by_eigenvalues(const crm_model *model, size_t *rank, crm_error *error)
{
    size_t s = model->contacts;
    double *matrix = CRM_NEW(double, s *s), *work = CRM_NEW(double, 2 * s);
    if (matrix == NULL || work == NULL) {
        free(matrix);
        free(work);
        return crm_fail_memory(error);
    }
    for (size_t i = 0; i < s; i++) {
        for (size_t j = 0; j < s; j++) {
            matrix[i * s + j] =
                crm_model_delassus(model, i, j) / sqrt(model->d_diagonal[i] * model->d_diagonal[j]);
        }
    }
    *rank = crm_symmetric_count_above(s, matrix, RANK_TOLERANCE, work);
    free(matrix);
    free(work);
    return CRM_OK;
}

/* Sylvester: D - tolerance I has as many negative pivots in LDL' as D has eigenvalues below the
 * tolerance, so one sparse factorization counts them.
 */
static crm_status rank_by_inertia(const crm_model *model, size_t *rank, crm_error *error)
{
    size_t s = model->contacts;
    double *value = CRM_NEW(double, model->d_start[s]);
    if (value == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < s; j++) {
        for (size_t k = model->d_start[j]; k < model->d_start[j + 1]; k++) {
            size_t i = model->d_column[k];
            value[k] = model->d_value[k] / sqrt(model->d_diagonal[i] * model->d_diagonal[j]) -
                       (i == j ? RANK_TOLERANCE : 0.0);
        }
    }
    crm_ldl_matrix matrix = {s, model->d_start, model->d_column, value};
    crm_ldl ldl;
    crm_status status = crm_ldl_create(&matrix, &ldl, error);
    if (status == CRM_OK && ldl.pivots < s) {
        status = crm_fail(error, CRM_ERROR_NUMERICS, NULL, "D could not be factorized");
    }
    *rank = 0;
    for (size_t j = 0; status == CRM_OK && j < s; j++) {
        *rank += ldl.pivot[j] > 0;
    }
    crm_ldl_release(&ldl);
    free(value);
    return status;
}

crm_status crm_model_rank(const crm_model *model, size_t *rank, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(model, "model", error) || crm_fail_if_null(rank, "rank", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    if (model->contacts == 0) {
        *rank = 0;
        return CRM_OK;
    }
    if (model->contacts <= DENSE_RANK) {
        return rank_by_eigenvalues(model, rank, error);
    }
    if (model->d_start == NULL) {
        return crm_fail(error, CRM_ERROR_NUMERICS, NULL,
                        "rank of D: not available when D is too full to be stored");
    }
    return rank_by_inertia(model, rank, error);
}
