/* The present state of the contacts of a window, gathered into its flat arrays. */
#include <stdlib.h>
#include <string.h>

#include "law/lzb/kernel/parts.h"
#include "law/lzb/kernel/wide.h"

/* ---- Room ----------------------------------------------------------------------------------- */

/* Where the next whole block begins: vectors that cross the lines of the cache cost time. */
static double *align(double *memory)
{
    const uintptr_t block = LZB_BLOCK * sizeof *memory;
    uintptr_t past = (uintptr_t)memory % block;
    return past == 0 ? memory : memory + (block - past) / sizeof *memory;
}

/* One piece of memory for all arrays of numbers: growing it loses their contents, so room is made
 * before anything is gathered.
 */
static crm_status reserve(lzb_window *w, crm_error *error)
{
    w->blocks = (w->count + LZB_BLOCK - 1) / LZB_BLOCK;
    size_t room = w->blocks * LZB_BLOCK;
    if (room <= w->room) {
        return CRM_OK;
    }
    room += room / 2 / LZB_BLOCK * LZB_BLOCK;
    double **arrays[] = {&w->stiffness, &w->exponent, &w->rate,  &w->offset,     &w->per_scale,
                         &w->back,      &w->x0,       &w->c0,    &w->x,          &w->c,
                         &w->p,         &w->a0,       &w->a,     &w->per_power,  &w->error,
                         &w->below,     &w->diagonal, &w->above, &w->correction, &w->low,
                         &w->high,      &w->scale,    &w->own};
    size_t count = sizeof arrays / sizeof arrays[0];
    size_t bordered = room + 2 * (size_t)LZB_BLOCK; /* neighbours of the first and the last */
    size_t doubles = (count + 3 * (size_t)LZB_ROWS) * room + (LZB_ROWS + 2) * bordered;
    free(w->memory);
    free(w->edge);
    w->room = 0;
    w->memory = CRM_NEW(double, doubles + LZB_BLOCK);
    w->edge = CRM_NEW(uint8_t, 2 * room);
    if (w->memory == NULL || w->edge == NULL) {
        return crm_fail_memory(error);
    }
    w->settled = w->edge + room;
    double *first = align(w->memory);
    w->force = first + LZB_BLOCK;
    w->f0 = w->force + LZB_ROWS * bordered;
    w->f = w->f0 + bordered;
    w->bordered = bordered;
    double *next = first + (LZB_ROWS + 2) * bordered;
    for (size_t i = 0; i < count; i++, next += room) {
        *arrays[i] = next;
    }
    w->tableau = next;
    w->room = room;
    return CRM_OK;
}

crm_status lzb_window_reserve_rows(lzb_window *w, size_t rows, size_t entries, crm_error *error)
{
    if (rows + 1 > w->row_room) {
        free(w->row_start);
        w->row_room = 0;
        w->row_start = CRM_NEW(size_t, 2 * (rows + rows / 2 + 1));
        if (w->row_start == NULL) {
            return crm_fail_memory(error);
        }
        w->row_room = rows + rows / 2 + 1;
        w->row_end = w->row_start + w->row_room;
    }
    if (entries > w->entry_room) {
        free(w->column);
        free(w->value);
        w->entry_room = 0;
        w->column = CRM_NEW(uint32_t, entries + entries / 2);
        w->value = CRM_NEW(double, entries + entries / 2);
        if (w->column == NULL || w->value == NULL) {
            return crm_fail_memory(error);
        }
        w->entry_room = entries + entries / 2;
    }
    w->rows = (lzb_rows){w->row_start, w->row_end, w->column, w->value};
    return CRM_OK;
}

/* ---- Contact by contact --------------------------------------------------------------------- */

/* The window was cut behind a contact that could pass on a force. */
static bool is_edge(const lzb_state *state, const lzb_window *w, uint32_t j)
{
    if (w->drive != NULL || w->product == LZB_OPERATOR || !lzb_window_carries(state, w, j)) {
        return false;
    }
    return w->line ? (j > 0 && w->stamp[j - 1] != w->now) ||
                         (j + 1 < state->contacts && w->stamp[j + 1] != w->now)
                   : w->depth[j] == w->halo;
}

/* Inlined where small windows need it; a large one calls it by the name below. */
static inline __attribute__((always_inline)) void
gather_places(const lzb_state *state, lzb_window *w, size_t first, size_t end, lzb_gathered *found)
{
    const crm_model *model = state->model;
    bool linear = true, hertz = true;
    bool shifted = false, edged = false;
    for (size_t k = first; k < end; k++) {
        uint32_t j = w->contact[k];
        w->place[j] = (uint32_t)k;
        w->stiffness[k] = model->stiffness[j];
        w->exponent[k] = model->exponent[j];
        w->rate[k] = lzb_rate(state, j, (lzb_mode)state->mode[j]);
        w->back[k] = w->rate[k] > 0 ? 1.0 / w->rate[k] : 0;
        w->per_power[k] = 1.0 / (1.0 + w->exponent[k]);
        w->offset[k] = state->x_open[j];
        w->scale[k] = state->x_scale[j];
        w->per_scale[k] = 1.0 / w->scale[k];
        w->own[k] = model->d_diagonal[j];
        w->x0[k] = state->x[j];
        w->c0[k] = state->c[j];
        w->edge[k] = is_edge(state, w, j);
        edged |= w->edge[k];
        w->settled[k] = false;
        shifted |= w->offset[k] > 0;
        linear &= lzb_kind_of(w->exponent[k]) == LZB_LINEAR;
        hertz &= lzb_kind_of(w->exponent[k]) == LZB_HERTZ;
    }
    found->edged |= edged;
    found->shifted |= shifted;
    found->not_linear |= !linear;
    found->not_hertz |= !hertz;
}

void lzb_window_gather_places(const lzb_state *state, lzb_window *w, size_t first, size_t end,
                              lzb_gathered *found)
{
    gather_places(state, w, first, end, found);
}

void lzb_window_note_gathered(lzb_window *w, lzb_gathered found)
{
    w->edged = found.edged;
    w->kind = found.shifted       ? LZB_POWER
              : !found.not_linear ? LZB_LINEAR
              : !found.not_hertz  ? LZB_HERTZ
                                  : LZB_POWER;
}

static void gather_contacts(const lzb_state *state, lzb_window *w)
{
    lzb_gathered found = {0};
    gather_places(state, w, 0, w->count, &found);
    lzb_window_note_gathered(w, found);
}

/* The same for a piece of a line, without looking anything up; and its three diagonals. A contact
 * that is open has force 0, so that its entries of D need not be taken out.
 */
static WIDE void gather_piece(const lzb_state *state, lzb_window *w)
{
    const crm_model *model = state->model;
    size_t first = w->contact[0], count = w->count;
    bool bi = state->stiffness == LZB_BI, shifted = false;
    const uint8_t *mode = state->mode + first;
    const double *x_open = state->x_open + first, *x_scale = state->x_scale + first;
    const double *restitution = model->restitution + first;
    const double *stiffness = model->stiffness + first, *exponent = model->exponent + first;
    const double *own = model->d_diagonal + first, *x = state->x + first, *c = state->c + first;
    for (size_t k = 0; k < count; k++) {
        w->stiffness[k] = stiffness[k];
        w->exponent[k] = exponent[k];
        w->per_power[k] = 1.0 / (1.0 + exponent[k]);
        w->offset[k] = x_open[k];
        w->scale[k] = x_scale[k];
        w->per_scale[k] = 1.0 / x_scale[k];
        w->own[k] = own[k];
        w->x0[k] = x[k];
        w->c0[k] = c[k];
        shifted |= x_open[k] > 0;
    }
    for (size_t k = 0; k < count; k++) {
        bool eased = bi && mode[k] == LZB_EXPANDING;
        double square = restitution[k] * restitution[k];
        w->rate[k] = mode[k] == LZB_OPEN ? 0 : eased ? 1.0 / square : 1;
        w->back[k] = mode[k] == LZB_OPEN ? 0 : eased ? square : 1;
        w->settled[k] = w->edge[k] = false;
        w->place[first + k] = (uint32_t)k;
    }
    w->edge[0] = is_edge(state, w, (uint32_t)first);
    w->edge[count - 1] = is_edge(state, w, (uint32_t)(first + count - 1));
    w->edged = w->edge[0] || w->edge[count - 1];
    const double *row = model->d_value + (first == 0 ? 0 : 3 * first - 1);
    w->below[0] = first == 0 ? 0 : row[0];
    row = first == 0 ? row : row + 1;
    for (size_t k = 0; k < count; k++) {
        w->diagonal[k] = row[3 * k];
    }
    for (size_t k = 1; k < count; k++) {
        w->above[k - 1] = row[3 * k - 2];
        w->below[k] = row[3 * k - 1];
    }
    w->above[count - 1] = first + count < model->contacts ? row[3 * count - 2] : 0;
    w->kind = shifted ? LZB_POWER : w->model_kind;
}

void lzb_window_clear_borders(lzb_window *w)
{
    for (unsigned i = 0; i < LZB_ROWS + 2; i++) { /* force, f0 and f */
        double *force = w->force + i * w->bordered;
        force[-1] = force[w->blocks * LZB_BLOCK] = 0;
    }
}

/* The padding: contacts that carry nothing and go nowhere. */
static void gather_nothing(lzb_window *w)
{
    lzb_window_clear_borders(w);
    for (size_t k = w->count; k < w->blocks * LZB_BLOCK; k++) {
        w->stiffness[k] = w->rate[k] = w->offset[k] = w->per_scale[k] = w->exponent[k] = 0;
        w->x0[k] = w->c0[k] = w->x[k] = w->c[k] = w->p[k] = w->correction[k] = 0;
        w->below[k] = w->diagonal[k] = w->above[k] = w->back[k] = w->per_power[k] = 0;
        w->scale[k] = w->own[k] = 1;
        w->settled[k] = false;
    }
}

/* Is contact i in the window, and can it carry a force? */
static bool presses(const lzb_state *state, const lzb_window *w, uint32_t i)
{
    return w->stamp[i] == w->now && lzb_window_carries(state, w, i);
}

static inline __attribute__((always_inline)) bool gather_line(const lzb_state *state, lzb_window *w,
                                                              size_t first, size_t end)
{
    const crm_model *model = state->model;
    for (size_t k = first; k < end; k++) {
        uint32_t j = w->contact[k];
        w->below[k] = w->diagonal[k] = w->above[k] = 0;
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (!presses(state, w, i)) {
                continue;
            }
            size_t place = w->place[i];
            if (place == k) {
                w->diagonal[k] = model->d_value[l];
            } else if (place == k + 1) {
                w->above[k] = model->d_value[l];
            } else if (place + 1 == k) {
                w->below[k] = model->d_value[l];
            } else {
                return false;
            }
        }
    }
    return true;
}

bool lzb_window_gather_line(const lzb_state *state, lzb_window *w, size_t first, size_t end)
{
    return gather_line(state, w, first, end);
}

void lzb_window_gather_rows(const lzb_state *state, lzb_window *w, size_t first, size_t end,
                            size_t filled)
{
    const crm_model *model = state->model;
    for (size_t k = first; k < end; k++) {
        uint32_t j = w->contact[k];
        w->row_start[k] = filled;
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (presses(state, w, i)) {
                w->column[filled] = w->place[i];
                w->value[filled++] = model->d_value[l];
            }
        }
        w->row_end[k] = filled;
    }
}

static crm_status gather_rows(const lzb_state *state, lzb_window *w, crm_error *error)
{
    const crm_model *model = state->model;
    size_t most = 0;
    for (size_t k = 0; k < w->count; k++) {
        most += model->d_start[w->contact[k] + 1] - model->d_start[w->contact[k]];
    }
    crm_status status = lzb_window_reserve_rows(w, w->count, most, error);
    if (status == CRM_OK) {
        lzb_window_gather_rows(state, w, 0, w->count, 0);
    }
    return status;
}

crm_status lzb_window_gather(const lzb_state *state, lzb_window *w, crm_error *error)
{
    crm_status status = reserve(w, error);
    if (status != CRM_OK) {
        return status;
    }
    status = lzb_parts_begin(w, error);
    if (status != CRM_OK) {
        return status;
    }
    w->edged = w->any_settled = false;
    gather_nothing(w);
    if (w->large) {
        return lzb_parts_gather(state, w, error);
    }
    bool piece = lzb_window_is_piece(w);
    (piece ? gather_piece : gather_contacts)(state, w);
    if (piece) {
        w->product = LZB_LINE;
    } else if (w->product != LZB_OPERATOR) {
        w->product = gather_line(state, w, 0, w->count) ? LZB_LINE : LZB_SPARSE;
        status = w->product == LZB_LINE ? CRM_OK : gather_rows(state, w, error);
    }
    return status == CRM_OK ? lzb_window_accelerate(state, w, w->x0, 0, w->f0, w->a0, error)
                            : status;
}
