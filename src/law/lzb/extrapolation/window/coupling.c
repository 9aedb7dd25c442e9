/* D between the contacts of a window. */
#include <stdlib.h>
#include <string.h>

#include "law/lzb/extrapolation/window/partition.h"

/* If fewer than one contact in this many is open, a list without them is not worth making. */
enum { FEW_OPEN = 10 };

typedef struct source {
    const lzb_state *state;
    lzb_window *w;
} source;

/* ---- Three diagonals ------------------------------------------------------------------------ */

void lzb_coupling_gather_piece(const lzb_state *state, lzb_window *w)
{
    const crm_model *model = state->model;
    lzb_coupling *d = &w->coupling;
    size_t first = w->contact[0], count = w->count;
    const double *row = model->d_value + (first == 0 ? 0 : 3 * first - 1);
    d->product = LZB_LINE;
    d->below[0] = first == 0 ? 0 : row[0];
    row = first == 0 ? row : row + 1;
    for (size_t k = 0; k < count; k++) {
        d->diagonal[k] = row[3 * k];
    }
    for (size_t k = 1; k < count; k++) {
        d->above[k - 1] = row[3 * k - 2];
        d->below[k] = row[3 * k - 1];
    }
    d->above[count - 1] = first + count < model->contacts ? row[3 * count - 2] : 0;
}

/* Is contact i in the window, and can it carry a force? */
static bool presses(const lzb_state *state, const lzb_window *w, uint32_t i)
{
    return lzb_window_has(w, i) && lzb_window_carries(state, w, i);
}

/* *found: are three diagonals all there is? */
static void gather_line_part(void *context, lzb_part part, void *found)
{
    const source *from = context;
    const lzb_window *w = from->w;
    const crm_model *model = from->state->model;
    const lzb_coupling *d = &w->coupling;
    bool *line = found;
    *line = true;
    for (size_t k = part.first, end = lzb_part_end(w, part); k < end && *line; k++) {
        uint32_t j = w->contact[k];
        d->below[k] = d->diagonal[k] = d->above[k] = 0;
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (!presses(from->state, w, i)) {
                continue;
            }
            size_t place = w->members.place[i];
            if (place == k) {
                d->diagonal[k] = model->d_value[l];
            } else if (place == k + 1) {
                d->above[k] = model->d_value[l];
            } else if (place + 1 == k) {
                d->below[k] = model->d_value[l];
            } else {
                *line = false;
                break;
            }
        }
    }
}

static void join_line(void *total, const void *found)
{
    bool *all = total;
    *all = *all && *(const bool *)found;
}

/* ---- Entry by entry ------------------------------------------------------------------------- */

static crm_status reserve_rows(lzb_coupling *d, size_t rows, crm_error *error)
{
    if (rows > d->start_room) {
        free(d->start);
        d->start_room = 0;
        d->start = CRM_NEW(size_t, 2 * (rows + rows / 2));
        if (d->start == NULL) {
            return crm_fail_memory(error);
        }
        d->start_room = rows + rows / 2;
        d->end = d->start + d->start_room;
    }
    return CRM_OK;
}

static crm_status reserve_entries(lzb_coupling *d, size_t entries, crm_error *error)
{
    if (entries > d->entry_room) {
        free(d->column);
        free(d->value);
        d->entry_room = 0;
        d->column = CRM_NEW(uint32_t, entries + entries / 2);
        d->value = CRM_NEW(double, entries + entries / 2);
        if (d->column == NULL || d->value == NULL) {
            return crm_fail_memory(error);
        }
        d->entry_room = entries + entries / 2;
    }
    return CRM_OK;
}

void lzb_coupling_release(lzb_coupling *d)
{
    free(d->start);
    free(d->column);
    free(d->value);
}

/* How many entries a part has at most, where its first row is to begin. */
static void count_part(void *context, lzb_part part, void *found)
{
    const source *from = context;
    const lzb_window *w = from->w;
    const size_t *start = from->state->model->d_start;
    size_t entries = 0;
    (void)found;
    for (size_t k = part.first, end = lzb_part_end(w, part); k < end; k++) {
        entries += start[w->contact[k] + 1] - start[w->contact[k]];
    }
    w->coupling.start[part.first] = entries;
}

/* Where each part begins; returns the number of entries. */
static size_t place_parts(const lzb_window *w)
{
    size_t entries = 0;
    for (size_t i = 0; i < w->partition.parts; i++) {
        size_t *start = &w->coupling.start[lzb_part_at(w, i).first], here = *start;
        *start = entries;
        entries += here;
    }
    return entries;
}

/* *found: how many parts away rows of a part look. */
static void find_reach_part(void *context, lzb_part part, void *found)
{
    const lzb_window *w = context;
    const lzb_sparse *d = &w->coupling.sparse;
    uint32_t least = UINT32_MAX, most = 0;
    for (size_t k = part.first, end = lzb_part_end(w, part); k < end; k++) {
        for (size_t l = d->start[k]; l < d->end[k]; l++) {
            uint32_t column = d->column[l];
            least = column < least ? column : least;
            most = column > most ? column : most;
        }
    }
    size_t index = part.first / LZB_PART;
    size_t before = least / LZB_PART < index ? index - least / LZB_PART : 0;
    size_t after = most / LZB_PART > index ? most / LZB_PART - index : 0;
    *(size_t *)found = before > after ? before : after;
}

static void join_reach(void *total, const void *found)
{
    size_t *most = total, here = *(const size_t *)found;
    *most = here > *most ? here : *most;
}

/* *found: how far its rows look. */
static void gather_sparse_part(void *context, lzb_part part, void *found)
{
    const source *from = context;
    const lzb_window *w = from->w;
    const crm_model *model = from->state->model;
    const lzb_coupling *d = &w->coupling;
    size_t filled = d->start[part.first];
    for (size_t k = part.first, end = lzb_part_end(w, part); k < end; k++) {
        uint32_t j = w->contact[k];
        d->start[k] = filled;
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (presses(from->state, w, i)) {
                d->column[filled] = w->members.place[i];
                d->value[filled++] = model->d_value[l];
            }
        }
        d->end[k] = filled;
    }
    if (lzb_partition_is_divided(w)) {
        find_reach_part(from->w, part, found);
    }
}

static crm_status gather_sparse(source *from, crm_error *error)
{
    lzb_window *w = from->w;
    lzb_coupling *d = &w->coupling;
    crm_status status = reserve_rows(d, w->count, error);
    if (status == CRM_OK) {
        lzb_partition_do(w, count_part, NULL, from, NULL);
        status = reserve_entries(d, place_parts(w), error);
    }
    if (status == CRM_OK) {
        d->sparse = (lzb_sparse){d->start, d->end, d->column, d->value};
        w->partition.reach = 0;
        lzb_partition_do(w, gather_sparse_part, join_reach, from, &w->partition.reach);
    }
    return status;
}

/* With all contacts in the window it is the model's own D. */
static void take_model(const crm_model *model, lzb_window *w)
{
    w->coupling.sparse =
        (lzb_sparse){model->d_start, model->d_start + 1, model->d_column, model->d_value};
    if (w->whole.reach == SIZE_MAX && lzb_partition_is_divided(w)) {
        w->whole.reach = 0;
        lzb_partition_do(w, find_reach_part, join_reach, w, &w->whole.reach);
    }
    w->partition.reach = w->whole.reach;
}

/* ---- All together --------------------------------------------------------------------------- */

crm_status lzb_coupling_gather(const lzb_state *state, lzb_window *w, size_t open, crm_error *error)
{
    lzb_coupling *d = &w->coupling;
    if (d->product == LZB_OPERATOR) {
        return CRM_OK;
    }
    source from = {.state = state, .w = w};
    bool line = true;
    lzb_partition_do(w, gather_line_part, join_line, &from, &line);
    d->product = line ? LZB_LINE : LZB_SPARSE;
    w->partition.reach = 1;
    if (line) {
        return CRM_OK;
    }
    /* open contacts carry no force, and a few of them need not be left out */
    bool all = w->count == state->contacts && open < w->count / FEW_OPEN;
    if (all && state->model == w->whole.model && d->drive == NULL) {
        take_model(state->model, w);
        return CRM_OK;
    }
    return gather_sparse(&from, error);
}

double lzb_coupling_product(const lzb_window *w, size_t k, const double *vector)
{
    const lzb_coupling *d = &w->coupling;
    if (d->product == LZB_LINE) {
        double before = k > 0 ? d->below[k] * vector[k - 1] : 0;
        double after = k + 1 < w->count ? d->above[k] * vector[k + 1] : 0;
        return d->diagonal[k] * vector[k] + (before + after);
    }
    double sum = 0;
    for (size_t l = d->sparse.start[k]; l < d->sparse.end[k]; l++) {
        sum += d->sparse.value[l] * vector[d->sparse.column[l]];
    }
    return sum;
}
