/* D reduced to the contacts that are no bonds. */
#include <stdlib.h>
#include <string.h>

#include "law/lzb/bonds/inner.h"

static crm_status reserve_entries(lzb_bonds *b, size_t entries, crm_error *error)
{
    if (entries <= b->entry_room) {
        return CRM_OK;
    }
    size_t room = 2 * entries;
    uint32_t *column = crm_memory_resize(b->column, room, sizeof *column);
    b->column = column != NULL ? column : b->column;
    double *value = crm_memory_resize(b->value, room, sizeof *value);
    b->value = value != NULL ? value : b->value;
    if (column == NULL || value == NULL) {
        return crm_fail_memory(error);
    }
    b->entry_room = room;
    return CRM_OK;
}

/* D_Sr, and whether there is any. The set is marked. */
static bool column_on_set(const lzb_bonds *b, size_t r, double *column)
{
    const crm_model *m = b->full;
    bool any = false;
    for (size_t l = m->d_start[r]; l < m->d_start[r + 1]; l++) {
        size_t place = b->place[m->d_column[l]];
        if (place != SIZE_MAX) {
            if (!any) {
                memset(column, 0, b->count * sizeof *column);
            }
            column[place] = m->d_value[l];
            any = true;
        }
    }
    return any;
}

/* Entry (r, i) of D_RS D_SS^-1 D_SR, from column r of the latter two. */
static double shortcut(const lzb_bonds *b, size_t i, const double *column)
{
    const crm_model *m = b->full;
    double sum = 0;
    for (size_t l = m->d_start[i]; l < m->d_start[i + 1]; l++) {
        size_t place = b->place[m->d_column[l]];
        sum += place != SIZE_MAX ? m->d_value[l] * column[place] : 0;
    }
    return sum;
}

/* Row r of D_eff: what D has, and what comes through bonds, in order. */
static crm_status append_row(lzb_bonds *b, size_t r, size_t *filled, crm_error *error)
{
    const crm_model *m = b->full;
    bool rim = column_on_set(b, r, b->work);
    crm_status status = reserve_entries(
        b, *filled + (rim ? m->contacts : m->d_start[r + 1] - m->d_start[r]), error);
    if (status != CRM_OK) {
        return status;
    }
    if (!rim) {
        for (size_t l = m->d_start[r]; l < m->d_start[r + 1]; l++) {
            b->column[*filled] = m->d_column[l];
            b->value[(*filled)++] = m->d_value[l];
        }
        return CRM_OK;
    }
    lzb_skyline_solve(&b->skyline, b->work);
    size_t l = m->d_start[r], end = m->d_start[r + 1];
    for (uint32_t i = 0; i < m->contacts; i++) {
        bool direct = l < end && m->d_column[l] == i;
        double d = direct ? m->d_value[l++] : 0;
        if (b->place[i] != SIZE_MAX) {
            continue;
        }
        double through = shortcut(b, i, b->work);
        if (direct || through != 0) {
            b->column[*filled] = i;
            b->value[(*filled)++] = d - through;
        }
    }
    return CRM_OK;
}

crm_status lzb_bonds_reduce(lzb_bonds *b, lzb_state *state, crm_error *error)
{
    size_t filled = 0;
    for (size_t j = 0; j < b->full->contacts; j++) {
        crm_status status = reserve_entries(b, filled + 1, error);
        if (status == CRM_OK && b->place[j] != SIZE_MAX) {
            b->column[filled] = (uint32_t)j;
            b->value[filled++] = b->full->d_diagonal[j];
        } else if (status == CRM_OK) {
            status = append_row(b, j, &filled, error);
        }
        if (status != CRM_OK) {
            return status;
        }
        b->reduced.d_start[j + 1] = filled;
    }
    b->reduced.d_column = b->column;
    b->reduced.d_value = b->value;
    state->model = b->count > 0 ? &b->reduced : b->full;
    return CRM_OK;
}
