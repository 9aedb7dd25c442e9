#include "law/lzb/bonds/skyline.h"

#include <math.h>
#include <stdlib.h>

/* A pivot below this part of its diagonal is 0 but for rounding. */
static const double DEPENDENT = 1e-12;

static crm_status reserve(lzb_skyline *s, size_t rows, size_t entries, crm_error *error)
{
    if (rows > s->row_room) {
        free(s->first);
        free(s->start);
        s->row_room = 0;
        s->first = CRM_NEW(size_t, 2 * rows);
        s->start = CRM_NEW(size_t, 2 * rows);
        if (s->first == NULL || s->start == NULL) {
            return crm_fail_memory(error);
        }
        s->row_room = 2 * rows;
    }
    if (entries > s->entry_room) {
        free(s->value);
        s->entry_room = 0;
        s->value = CRM_NEW(double, 2 * entries);
        if (s->value == NULL) {
            return crm_fail_memory(error);
        }
        s->entry_room = 2 * entries;
    }
    return CRM_OK;
}

static size_t first_column(const crm_model *model, const uint32_t *member, size_t i,
                           const size_t *place)
{
    size_t first = i, j = member[i];
    for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
        size_t column = place[model->d_column[l]];
        first = column < first ? column : first;
    }
    return first;
}

static crm_status copy_matrix(lzb_skyline *s, const crm_model *model, const uint32_t *member,
                              size_t size, const size_t *place, crm_error *error)
{
    crm_status status = reserve(s, size, 0, error);
    size_t entries = 0;
    for (size_t i = 0; status == CRM_OK && i < size; i++) {
        s->first[i] = first_column(model, member, i, place);
        s->start[i] = entries;
        entries += i + 1 - s->first[i];
    }
    if (status == CRM_OK) {
        status = reserve(s, size, entries, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    for (size_t k = 0; k < entries; k++) {
        s->value[k] = 0;
    }
    for (size_t i = 0; i < size; i++) {
        size_t j = member[i];
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            size_t column = place[model->d_column[l]];
            if (column <= i) {
                s->value[s->start[i] + column - s->first[i]] = model->d_value[l];
            }
        }
    }
    return CRM_OK;
}

crm_status lzb_skyline_factorize(lzb_skyline *s, const crm_model *model, const uint32_t *member,
                                 size_t size, const size_t *place, size_t *singular,
                                 crm_error *error)
{
    *singular = SIZE_MAX;
    s->size = 0;
    crm_status status = copy_matrix(s, model, member, size, place, error);
    if (status != CRM_OK) {
        return status;
    }
    for (size_t i = 0; i < size; i++) {
        double *row = s->value + s->start[i];
        size_t first = s->first[i];
        for (size_t j = first; j <= i; j++) {
            const double *other = s->value + s->start[j];
            size_t from = first > s->first[j] ? first : s->first[j];
            double sum = row[j - first];
            for (size_t k = from; k < j; k++) {
                sum -= row[k - first] * other[k - s->first[j]];
            }
            if (j < i) {
                row[j - first] = sum / other[j - s->first[j]];
            } else if (sum > DEPENDENT * model->d_diagonal[member[i]]) {
                row[j - first] = sqrt(sum);
            } else {
                *singular = i;
                return CRM_OK;
            }
        }
    }
    s->size = size;
    return CRM_OK;
}

void lzb_skyline_solve(const lzb_skyline *s, double *x)
{
    for (size_t i = 0; i < s->size; i++) {
        const double *row = s->value + s->start[i];
        double sum = x[i];
        for (size_t k = s->first[i]; k < i; k++) {
            sum -= row[k - s->first[i]] * x[k];
        }
        x[i] = sum / row[i - s->first[i]];
    }
    for (size_t i = s->size; i-- > 0;) {
        const double *row = s->value + s->start[i];
        x[i] /= row[i - s->first[i]];
        for (size_t k = s->first[i]; k < i; k++) {
            x[k] -= row[k - s->first[i]] * x[i];
        }
    }
}

void lzb_skyline_release(lzb_skyline *s)
{
    free(s->first);
    free(s->start);
    free(s->value);
}
