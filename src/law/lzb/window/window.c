#include "law/lzb/window/window.h"

#include <stdlib.h>
#include <string.h>

#include "law/lzb/kernel/parts.h"

enum { LEAST_HALO = 3 };
/* The halo shrinks after so many steps that did not need it. */
enum { PATIENCE = 16 };

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
    window->model = state->model;
    window->model_reach = SIZE_MAX;
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
    free(w->abreast);
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
        if (!lzb_window_carries(state, w, j) || w->depth[j] >= w->halo) {
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
        while (before > least && j - before < w->halo && lzb_window_carries(state, w, before)) {
            before--;
        }
        for (uint32_t i = before; i <= j; i++) {
            take_in(w, i, j - i);
        }
        uint32_t end = k + 1 < w->working_count ? w->working[k + 1] : last + 1;
        for (uint32_t i = j; i + 1 < end && i - j < w->halo && lzb_window_carries(state, w, i);
             i++) {
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

/* ---- The whole, and its rims ------------------------------------------------------------------
 */

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
    if (w->count == state->contacts) {
        return; /* all are in */
    }
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
                /* it may have come to be at work unseen */
                w->all |= lzb_window_at_work(state, w, i, &w->is_quiet);
            }
        }
    }
}
