#include "law/lzb_window.h"

#include <stdlib.h>
#include <string.h>

#include "law/lzb_parts.h"
#include "law/lzb_wide.h"

enum { LEAST_HALO = 3 };
/* The halo shrinks after so many steps that did not need it. */
enum { PATIENCE = 16 };

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
    return CRM_OK;
}

bool lzb_is_line(const crm_model *model)
{
    size_t s = model->contacts;
    bool line = s > 0 && model->d_start[s] == 3 * s - 2;
    for (size_t j = 0; j < s && line; j++) {
        size_t first = j == 0 ? 0 : 3 * j - 1, before = j > 0;
        line = model->d_start[j] == first && (j == 0 || model->d_column[first] == j - 1) &&
               model->d_column[first + before] == j &&
               (j + 1 == s || model->d_column[first + before + 1] == j + 1);
    }
    return line;
}

static lzb_kind kind_of_model(const crm_model *model)
{
    lzb_kind kind = lzb_kind_of(model->exponent[0]);
    for (size_t j = 1; j < model->contacts && kind != LZB_POWER; j++) {
        kind = lzb_kind_of(model->exponent[j]) == kind ? kind : LZB_POWER;
    }
    return kind;
}

crm_status lzb_window_begin(const lzb_state *state, double quiet, double faint, lzb_window *window,
                            crm_error *error)
{
    size_t s = state->contacts;
    bool stored = crm_model_has_delassus(state->model);
    window->count = window->blocks = window->working_count = 0;
    window->now = 0;
    window->halo = LEAST_HALO;
    window->spared = 0;
    window->quiet = quiet;
    window->faint = faint;
    window->all = true;
    window->through = false;
    window->edged = false;
    window->line = stored && lzb_is_line(state->model);
    window->model_kind = kind_of_model(state->model);
    window->large = false;
    window->product = stored ? LZB_SPARSE : LZB_OPERATOR;
    window->contact = CRM_TAKE(state->room, uint32_t, s);
    window->stamp = CRM_TAKE(state->room, uint32_t, s);
    window->place = CRM_TAKE(state->room, uint32_t, s);
    window->depth = CRM_TAKE(state->room, uint32_t, s);
    window->working = CRM_TAKE(state->room, uint32_t, s);
    window->spread = stored ? NULL : CRM_TAKE(state->room, double, s);
    if (window->contact == NULL || window->stamp == NULL || window->place == NULL ||
        window->depth == NULL || window->working == NULL || (!stored && window->spread == NULL)) {
        return crm_fail_memory(error);
    }
    return CRM_OK;
}

void lzb_window_release(lzb_window *w)
{
    free(w->memory);
    free(w->edge);
    free(w->row_start);
    free(w->column);
    free(w->value);
    free(w->other_memory);
    free(w->tally);
}

/* ---- Who is in --------------------------------------------------------------------------------
 */

static double threshold(lzb_threshold *t, double power, double limit)
{
    if (t->power != power || t->limit != limit) {
        *t = (lzb_threshold){power, limit, pow(limit, 1.0 / power)};
    }
    return t->ratio;
}

/* The energy E stored at x could open the contact at sqrt(2 E D) = speed (x/x_scale)^((1+eta)/2).
 */
bool lzb_window_at_work(const lzb_state *state, const lzb_window *w, size_t j,
                        lzb_threshold *is_quiet)
{
    double power = 0.5 * (1.0 + state->model->exponent[j]);
    return state->c[j] > w->quiet * state->speed ||
           lzb_depth(state, j) > state->x_scale[j] * threshold(is_quiet, power, w->quiet);
}

static bool carries(const lzb_state *state, const lzb_window *w, size_t j)
{
    return w->through || state->mode[j] != LZB_OPEN;
}

static void find_working(const lzb_state *state, lzb_window *w)
{
    bool all = w->all;
    if (w->large && !all) {
        lzb_parts_find_working(state, w);
        return;
    }
    size_t candidates = all ? state->contacts : w->count;
    w->all = false;
    w->working_count = 0;
    for (size_t k = 0; k < candidates; k++) {
        uint32_t j = all ? (uint32_t)k : w->contact[k];
        if (lzb_window_at_work(state, w, j, &w->is_quiet)) {
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

/* Those at work come first, in order. The few that were taken in beside them are sorted and filed
 * among them.
 */
void lzb_window_sort(lzb_window *w)
{
    size_t working = w->working_count, others = w->count - working;
    sort_contacts(w->contact + working, others);
    for (size_t i = 0, k = 0; k < others;) {
        uint32_t next = w->contact[working + k]; /* never written over: i <= working */
        while (i < working && w->working[i] < next) {
            w->contact[i + k] = w->working[i];
            i++;
        }
        w->contact[i + k++] = next;
        if (k == others) {
            memcpy(w->contact + i + k, w->working + i, (working - i) * sizeof *w->contact);
        }
    }
}

static void take_in(lzb_window *w, uint32_t contact, uint32_t depth)
{
    w->stamp[contact] = w->now;
    w->depth[contact] = depth;
    w->contact[w->count++] = contact;
}

/* Breadth first over D's graph: through contacts that can carry a force, `halo` deep. */
static void spread_out(const lzb_state *state, lzb_window *w)
{
    const crm_model *model = state->model;
    w->now++;
    w->count = 0;
    for (size_t k = 0; k < w->working_count; k++) {
        take_in(w, w->working[k], 0);
    }
    for (size_t k = 0; k < w->count; k++) {
        uint32_t j = w->contact[k];
        if (!carries(state, w, j) || w->depth[j] >= w->halo) {
            continue;
        }
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (w->stamp[i] != w->now) {
                take_in(w, i, w->depth[j] + 1);
            }
        }
    }
    lzb_window_sort(w);
}

/* The same on a line, where the contacts come out in order. */
static void spread_on_line(const lzb_state *state, lzb_window *w)
{
    uint32_t last = (uint32_t)state->contacts - 1;
    w->now++;
    w->count = 0;
    for (size_t k = 0; k < w->working_count; k++) {
        uint32_t j = w->working[k], before = j;
        uint32_t least = w->count > 0 ? w->contact[w->count - 1] + 1 : 0; /* not in yet */
        while (before > least && j - before < w->halo && carries(state, w, before)) {
            before--;
        }
        for (uint32_t i = before; i <= j; i++) {
            take_in(w, i, j - i);
        }
        uint32_t end = k + 1 < w->working_count ? w->working[k + 1] : last + 1;
        for (uint32_t i = j; i + 1 < end && i - j < w->halo && carries(state, w, i); i++) {
            take_in(w, i + 1, i + 1 - j);
        }
    }
}

static void take_in_all(const lzb_state *state, lzb_window *w)
{
    w->now++;
    w->count = 0;
    for (uint32_t j = 0; j < state->contacts; j++) {
        take_in(w, j, 0);
    }
}

/* ---- Gathering ---------------------------------------------------------------------------------
 */

/* The window was cut behind a contact that could pass on a force. */
static bool is_edge(const lzb_state *state, const lzb_window *w, uint32_t j)
{
    if (w->drive != NULL || w->product == LZB_OPERATOR || !carries(state, w, j)) {
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

/* The padding: contacts that carry nothing and go nowhere. */
static void gather_nothing(lzb_window *w)
{
    for (unsigned i = 0; i < LZB_ROWS + 2; i++) { /* force, f0 and f */
        double *force = w->force + i * w->bordered;
        force[-1] = force[w->blocks * LZB_BLOCK] = 0;
    }
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
    return w->stamp[i] == w->now && carries(state, w, i);
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

crm_status lzb_window_build(const lzb_state *state, lzb_window *window, crm_error *error)
{
    find_working(state, window);
    if (window->working_count == 0) {
        window->count = 0;
        return CRM_OK;
    }
    if (window->product == LZB_OPERATOR) {
        take_in_all(state, window);
    } else if (window->large && window->working_count >= LZB_LARGE) {
        lzb_parts_spread_out(state, window);
    } else {
        (window->line ? spread_on_line : spread_out)(state, window);
    }
    return lzb_window_gather(state, window, error);
}

void lzb_window_look_closer(lzb_window *window, double quiet)
{
    window->quiet = quiet;
    window->all = true;
}

static bool is_faint(lzb_window *w, size_t k)
{
    double faint = threshold(&w->is_faint, w->exponent[k], w->faint);
    return !((w->x[k] + w->offset[k]) * w->per_scale[k] > faint);
}

bool lzb_window_too_narrow(lzb_window *w)
{
    for (size_t k = 0; w->edged && k < w->count; k++) {
        if (w->edge[k] && !is_faint(w, k)) {
            return true;
        }
    }
    return false;
}

void lzb_window_narrow(lzb_window *w)
{
    uint32_t reached = 0;
    for (size_t k = 0; w->halo > LEAST_HALO && w->edged && k < w->count; k++) {
        uint32_t depth = w->depth[w->contact[k]];
        reached = depth > reached && !is_faint(w, k) ? depth : reached;
    }
    w->spared = reached + 1 < w->halo ? w->spared + 1 : 0;
    if (w->spared >= PATIENCE && w->halo > LEAST_HALO) {
        w->halo--;
        w->spared = 0;
    }
}

void lzb_window_pass_on(lzb_state *state, lzb_window *w)
{
    const crm_model *model = state->model;
    for (size_t k = 0; k < w->count; k++) {
        bool entered = w->rate[k] == 0; /* what lies behind an open contact was not taken in */
        if (!(w->edge[k] || entered) || w->p[k] == 0) {
            continue;
        }
        uint32_t j = w->contact[k];
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (w->stamp[i] != w->now) {
                state->c[i] -= model->d_value[l] * w->p[k];
                w->all |= lzb_window_at_work(state, w, i,
                                             &w->is_quiet); /* it has come to be at work unseen */
            }
        }
    }
}
