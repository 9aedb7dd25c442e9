#include "law/lzb_window.h"

#include <stdlib.h>
#include <string.h>

static bool grow(double **array, size_t room)
{
    double *more = realloc(*array, room * sizeof **array);
    if (more != NULL) {
        *array = more;
    }
    return more != NULL;
}

static crm_status reserve(lzb_window *w, size_t room, crm_error *error)
{
    if (room <= w->room) {
        return CRM_OK;
    }
    room = room + room / 2;
    double **arrays[] = {&w->stiffness, &w->exponent, &w->rate,  &w->x0,         &w->c0, &w->x,
                         &w->c,         &w->p,        &w->force, &w->correction, &w->a0, &w->a};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        if (!grow(arrays[i], room)) {
            return crm_fail_memory(error);
        }
    }
    uint32_t *contact = realloc(w->contact, room * sizeof *contact);
    w->contact = contact != NULL ? contact : w->contact;
    uint8_t *edge = realloc(w->edge, room * sizeof *edge);
    w->edge = edge != NULL ? edge : w->edge;
    size_t *row_start = realloc(w->row_start, (room + 1) * sizeof *row_start);
    w->row_start = row_start != NULL ? row_start : w->row_start;
    if (contact == NULL || edge == NULL || row_start == NULL ||
        !grow(&w->tableau, (size_t)3 * LZB_ROWS * room)) {
        return crm_fail_memory(error);
    }
    w->room = room;
    return CRM_OK;
}

static crm_status reserve_entries(lzb_window *w, size_t room, crm_error *error)
{
    if (room <= w->entry_room) {
        return CRM_OK;
    }
    room = room + room / 2;
    uint32_t *column = realloc(w->column, room * sizeof *column);
    w->column = column != NULL ? column : w->column;
    if (column == NULL || !grow(&w->value, room)) {
        return crm_fail_memory(error);
    }
    w->entry_room = room;
    return CRM_OK;
}

crm_status lzb_window_create(const lzb_state *state, double quiet, double faint, lzb_window *window,
                             crm_error *error)
{
    size_t s = state->contacts;
    *window = (lzb_window){.halo = 3,
                           .quiet = quiet,
                           .faint = faint,
                           .all = true,
                           .whole = !crm_model_has_delassus(state->model)};
    window->stamp = CRM_NEW(uint32_t, s);
    window->place = CRM_NEW(uint32_t, s);
    window->depth = CRM_NEW(uint32_t, s);
    window->working = CRM_NEW(uint32_t, s);
    window->spread = window->whole ? CRM_NEW(double, 2 * s) : NULL;
    if (window->stamp == NULL || window->place == NULL || window->depth == NULL ||
        window->working == NULL || (window->whole && window->spread == NULL)) {
        return crm_fail_memory(error);
    }
    return reserve(window, 64, error);
}

void lzb_window_release(lzb_window *w)
{
    free(w->contact);
    free(w->edge);
    free(w->stiffness);
    free(w->exponent);
    free(w->rate);
    free(w->x0);
    free(w->c0);
    free(w->x);
    free(w->c);
    free(w->p);
    free(w->a0);
    free(w->a);
    free(w->force);
    free(w->tableau);
    free(w->correction);
    free(w->row_start);
    free(w->column);
    free(w->value);
    free(w->stamp);
    free(w->place);
    free(w->depth);
    free(w->working);
    free(w->spread);
}

/* ---- Who is in --------------------------------------------------------------------------------
 */

/* (x / x_scale)^power <= limit, without a power where the answer is plain. */
static bool is_below(const lzb_state *state, size_t j, double x, double power, double limit)
{
    if (!(x > 0)) {
        return true;
    }
    double ratio = x / state->x_scale[j];
    return ratio < 1 && pow(ratio, power) <= limit;
}

/* The energy E stored at x could open the contact at sqrt(2 E D) = speed (x/x_scale)^((1+eta)/2).
 */
static bool at_work(const lzb_state *state, const lzb_window *w, size_t j)
{
    double power = 0.5 * (1.0 + state->model->exponent[j]);
    return state->c[j] > w->quiet * state->speed ||
           !is_below(state, j, state->x[j], power, w->quiet);
}

static bool carries(const lzb_state *state, size_t j)
{
    return state->mode[j] != LZB_OPEN;
}

static void find_working(const lzb_state *state, lzb_window *w)
{
    bool all = w->all;
    size_t candidates = all ? state->contacts : w->count;
    w->all = false;
    w->working_count = 0;
    for (size_t k = 0; k < candidates; k++) {
        uint32_t j = all ? (uint32_t)k : w->contact[k];
        if (at_work(state, w, j)) {
            w->working[w->working_count++] = j;
        }
    }
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_contacts(uint32_t *contact, size_t count)
{
    if (count > 64) {
        qsort(contact, count, sizeof *contact, ascending);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        uint32_t moving = contact[i];
        size_t k = i;
        for (; k > 0 && contact[k - 1] > moving; k--) {
            contact[k] = contact[k - 1];
        }
        contact[k] = moving;
    }
}

static crm_status take_in(lzb_window *w, uint32_t contact, uint32_t depth, crm_error *error)
{
    crm_status status = reserve(w, w->count + 1, error);
    if (status == CRM_OK) {
        w->stamp[contact] = w->now;
        w->depth[contact] = depth;
        w->contact[w->count++] = contact;
    }
    return status;
}

/* Breadth first over D's graph: through contacts that can carry a force, `halo` deep. */
static crm_status spread_out(const lzb_state *state, lzb_window *w, crm_error *error)
{
    const crm_model *model = state->model;
    w->now++;
    w->count = 0;
    for (size_t k = 0; k < w->working_count; k++) {
        crm_status status = take_in(w, w->working[k], 0, error);
        if (status != CRM_OK) {
            return status;
        }
    }
    for (size_t k = 0; k < w->count; k++) {
        uint32_t j = w->contact[k];
        if (!carries(state, j) || w->depth[j] >= w->halo) {
            continue;
        }
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (w->stamp[i] != w->now) {
                crm_status status = take_in(w, i, w->depth[j] + 1, error);
                if (status != CRM_OK) {
                    return status;
                }
            }
        }
    }
    sort_contacts(w->contact, w->count);
    return CRM_OK;
}

static crm_status take_in_all(const lzb_state *state, lzb_window *w, crm_error *error)
{
    w->now++;
    w->count = 0;
    for (uint32_t j = 0; j < state->contacts; j++) {
        crm_status status = take_in(w, j, 0, error);
        if (status != CRM_OK) {
            return status;
        }
    }
    return CRM_OK;
}

/* ---- Gathering ---------------------------------------------------------------------------------
 */

static void gather_contacts(const lzb_state *state, lzb_window *w)
{
    const crm_model *model = state->model;
    bool linear = true, hertz = true;
    for (size_t k = 0; k < w->count; k++) {
        uint32_t j = w->contact[k];
        w->place[j] = (uint32_t)k;
        w->stiffness[k] = model->stiffness[j];
        w->exponent[k] = model->exponent[j];
        w->rate[k] = lzb_rate(state, j, state->mode[j]);
        w->x0[k] = state->x[j];
        w->c0[k] = state->c[j];
        w->edge[k] = carries(state, j) && w->depth[j] == w->halo && !w->whole;
        linear &= lzb_kind_of(w->exponent[k]) == LZB_LINEAR;
        hertz &= lzb_kind_of(w->exponent[k]) == LZB_HERTZ;
    }
    w->kind = linear ? LZB_LINEAR : hertz ? LZB_HERTZ : LZB_POWER;
}

static crm_status gather_matrix(const lzb_state *state, lzb_window *w, crm_error *error)
{
    const crm_model *model = state->model;
    size_t filled = 0;
    w->row_start[0] = 0;
    for (size_t k = 0; k < w->count; k++) {
        uint32_t j = w->contact[k];
        crm_status status =
            reserve_entries(w, filled + model->d_start[j + 1] - model->d_start[j], error);
        if (status != CRM_OK) {
            return status;
        }
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (w->stamp[i] == w->now && carries(state, i)) {
                w->column[filled] = w->place[i];
                w->value[filled++] = model->d_value[l];
            }
        }
        w->row_start[k + 1] = filled;
    }
    return CRM_OK;
}

crm_status lzb_window_build(const lzb_state *state, lzb_window *window, crm_error *error)
{
    find_working(state, window);
    if (window->working_count == 0) {
        window->count = 0;
        return CRM_OK;
    }
    crm_status status =
        window->whole ? take_in_all(state, window, error) : spread_out(state, window, error);
    if (status == CRM_OK) {
        gather_contacts(state, window);
        status = window->whole ? CRM_OK : gather_matrix(state, window, error);
    }
    return status == CRM_OK ? lzb_window_accelerate(state, window, window->x0, window->a0, error)
                            : status;
}

void lzb_window_look_closer(lzb_window *window, double quiet)
{
    window->quiet = quiet;
    window->all = true;
}

bool lzb_window_too_narrow(const lzb_state *state, const lzb_window *window)
{
    for (size_t k = 0; k < window->count; k++) {
        size_t j = window->contact[k];
        if (window->edge[k] &&
            !is_below(state, j, window->x[k], state->model->exponent[j], window->faint)) {
            return true;
        }
    }
    return false;
}

/* ---- The leapfrog --------------------------------------------------------------------------- */

static inline double positive(double x)
{
    return x > 0 ? x : 0;
}

static void forces(const lzb_window *w, const double *restrict x, double *restrict force)
{
    const double *restrict stiffness = w->stiffness;
    switch (w->kind) {
    case LZB_LINEAR:
        for (size_t k = 0; k < w->count; k++) {
            force[k] = stiffness[k] * positive(x[k]);
        }
        return;
    case LZB_HERTZ:
        for (size_t k = 0; k < w->count; k++) {
            double indentation = positive(x[k]);
            force[k] = stiffness[k] * indentation * sqrt(indentation);
        }
        return;
    case LZB_POWER:
        for (size_t k = 0; k < w->count; k++) {
            force[k] = lzb_force(stiffness[k], w->exponent[k], x[k]);
        }
    }
}

/* c -= h D force */
static crm_status subtract_product(const lzb_state *state, lzb_window *w, double h,
                                   const double *restrict force, double *restrict c,
                                   crm_error *error)
{
    if (w->whole) {
        crm_status status = crm_model_delassus_apply(state->model, force, w->spread, error);
        for (size_t k = 0; status == CRM_OK && k < w->count; k++) {
            c[k] -= h * w->spread[k];
        }
        return status;
    }
    const size_t *restrict row_start = w->row_start;
    const uint32_t *restrict column = w->column;
    const double *restrict value = w->value;
    for (size_t k = 0; k < w->count; k++) {
        double sum = 0;
        for (size_t l = row_start[k]; l < row_start[k + 1]; l++) {
            sum += value[l] * force[column[l]];
        }
        c[k] -= h * sum;
    }
    return CRM_OK;
}

crm_status lzb_window_kick(const lzb_state *state, lzb_window *window, double h,
                           const double *force, double *c, double *p, crm_error *error)
{
    for (size_t k = 0; k < window->count; k++) {
        p[k] += h * force[k];
    }
    return subtract_product(state, window, h, force, c, error);
}

static void drift(const lzb_window *w, double h, const double *restrict c, double *restrict x)
{
    const double *restrict rate = w->rate;
    for (size_t k = 0; k < w->count; k++) {
        x[k] += h * rate[k] * c[k];
    }
}

crm_status lzb_window_leapfrog(const lzb_state *state, lzb_window *window, double length,
                               unsigned substeps, unsigned row, crm_error *error)
{
    double h = length / substeps;
    double *x = window->tableau + (size_t)(3 * row) * window->room;
    double *c = x + window->room, *p = c + window->room;
    memcpy(x, window->x0, window->count * sizeof *x);
    memcpy(c, window->c0, window->count * sizeof *c);
    memset(p, 0, window->count * sizeof *p);
    drift(window, 0.5 * h, c, x);
    for (unsigned i = 0; i < substeps; i++) {
        forces(window, x, window->force);
        crm_status status = lzb_window_kick(state, window, h, window->force, c, p, error);
        if (status != CRM_OK) {
            return status;
        }
        drift(window, i + 1 < substeps ? h : 0.5 * h, c, x);
    }
    return CRM_OK;
}

crm_status lzb_window_accelerate(const lzb_state *state, lzb_window *window, const double *x,
                                 double *a, crm_error *error)
{
    forces(window, x, window->force);
    memset(a, 0, window->count * sizeof *a);
    return subtract_product(state, window, 1.0, window->force, a, error);
}
