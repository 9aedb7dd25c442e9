#include <stdlib.h>
#include <string.h>

#include "law/lzb_group.h"
#include "law/lzb_parts.h"

enum { LEAST_WINDOW = 40 };
/* Parts of the window: in trouble, and drawn in by them, before it is better to go together. */
static const double MOST_TROUBLED = 0.15, MOST_DRAWN_IN = 0.7;

bool lzb_local_applies(const lzb_window *window)
{
    return window->count >= LEAST_WINDOW && window->product != LZB_OPERATOR;
}

/* ---- Making and freeing --------------------------------------------------------------------- */

crm_status lzb_local_begin(const lzb_state *state, lzb_local **local, crm_error *error)
{
    if (*local == NULL) {
        *local = CRM_NEW(lzb_local, 1);
        if (*local == NULL) {
            return crm_fail_memory(error);
        }
    }
    return lzb_window_begin(state, 0, 0, &(*local)->window, error);
}

static void free_by_place(lzb_local *local)
{
    free(local->near);
    free(local->queue);
    free(local->group);
    free(local->saved);
    free(local->change0);
    free(local->change);
}

void lzb_local_free(lzb_local *local)
{
    if (local != NULL) {
        lzb_window_release(&local->window);
        for (size_t i = 0; i < local->worker_count; i++) {
            lzb_worker_free(local->workers[i]);
        }
        free(local->workers);
        free_by_place(local);
        free(local);
    }
}

static crm_status reserve(lzb_local *local, size_t room, crm_error *error)
{
    if (room <= local->room) {
        return CRM_OK;
    }
    room += room / 2;
    free_by_place(local);
    local->room = 0;
    local->near = CRM_NEW(uint8_t, room);
    local->queue = CRM_NEW(uint32_t, room);
    local->group = CRM_NEW(uint32_t, room);
    local->saved = CRM_NEW(contact_state, room);
    local->change0 = CRM_NEW(double, room);
    local->change = CRM_NEW(double, room);
    if (local->near == NULL || local->queue == NULL || local->group == NULL ||
        local->saved == NULL || local->change0 == NULL || local->change == NULL) {
        return crm_fail_memory(error);
    }
    local->room = room;
    return CRM_OK;
}

/* ---- Who is in trouble, and whom that concerns ---------------------------------------------- */

static bool carries(const lzb_state *state, const lzb_window *w, size_t place)
{
    return state->mode[w->contact[place]] != LZB_OPEN;
}

/* Are all its neighbours in the window? */
static bool is_surrounded(const lzb_state *state, const lzb_window *w, size_t place)
{
    const crm_model *model = state->model;
    uint32_t j = w->contact[place];
    for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
        if (w->stamp[model->d_column[l]] != w->now) {
            return false;
        }
    }
    return true;
}

/* Mark those in trouble. */
static void mark_trouble(lzb_local *local, const lzb_stepper *s, size_t first, size_t end,
                         double length)
{
    const lzb_window *w = s->window;
    for (size_t k = first; k < end; k++) {
        bool troubled =
            !(w->error[k] <= 1) || lzb_events_is_late(s->state, w, k, length, s->tolerance);
        local->near[k] = troubled ? 0 : FAR;
    }
}

/* The step of a large window. */
typedef struct large_step {
    lzb_local *local;
    const lzb_stepper *s;
    double length;
} large_step;

static void mark_trouble_part(void *context, size_t index)
{
    const large_step *l = context;
    const lzb_window *w = l->s->window;
    lzb_part part = lzb_part_at(w, index);
    mark_trouble(l->local, l->s, part.first, lzb_part_end(w, part), l->length);
}

/* Start the queue. False: too many, or one that would press on contacts the window lacks. */
static bool find_trouble(lzb_local *local, const lzb_stepper *s, double length)
{
    const lzb_window *w = s->window;
    const lzb_state *state = s->state;
    local->drawn_in = 0;
    if (w->large) {
        large_step l = {.local = local, .s = s, .length = length};
        lzb_parts_run(w, mark_trouble_part, &l);
    } else {
        mark_trouble(local, s, 0, w->count, length);
    }
    for (size_t k = 0; k < w->count; k++) {
        if (local->near[k] == 0) {
            local->queue[local->drawn_in++] = (uint32_t)k;
            if (!carries(state, w, k) && !is_surrounded(state, w, k)) {
                return false;
            }
        }
    }
    return (double)local->drawn_in <= MOST_TROUBLED * (double)w->count;
}

/* The neighbourhood: breadth first through contacts that carry a force, or will. */
static bool draw_in(lzb_local *local, const lzb_stepper *s)
{
    const lzb_window *w = s->window;
    const crm_model *model = s->state->model;
    for (size_t q = 0; q < local->drawn_in; q++) {
        size_t k = local->queue[q];
        if (local->near[k] == CORE + BUFFER || (local->near[k] > 0 && !carries(s->state, w, k))) {
            continue;
        }
        uint32_t j = w->contact[k];
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (w->stamp[i] == w->now && local->near[w->place[i]] == FAR) {
                local->near[w->place[i]] = (uint8_t)(local->near[k] + 1);
                local->queue[local->drawn_in++] = w->place[i];
            }
        }
    }
    return (double)local->drawn_in <= MOST_DRAWN_IN * (double)w->count;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* All that hang together with `from`, in ascending order, listed from `first` on. */
static lzb_group collect_group(lzb_local *local, const lzb_stepper *s, uint32_t from, size_t first)
{
    const lzb_window *w = s->window;
    const crm_model *model = s->state->model;
    uint32_t *places = local->group + first;
    size_t count = 0;
    places[count++] = from;
    local->near[from] |= TAKEN;
    for (size_t g = 0; g < count; g++) {
        uint32_t j = w->contact[places[g]];
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (w->stamp[i] == w->now && lzb_is_drawn_in(local, w->place[i]) &&
                !(local->near[w->place[i]] & TAKEN)) {
                local->near[w->place[i]] |= TAKEN;
                places[count++] = w->place[i];
            }
        }
    }
    qsort(places, count, sizeof *places, ascending);
    return (lzb_group){.first = first, .count = count, .stamp = ++local->window.now};
}

/* ---- What is needed of all ------------------------------------------------------------------ */

/* d(force)/dt of all contacts of the outer window. */
static void force_changes(const lzb_window *w, size_t first, size_t end, const double *x,
                          const double *c, const double *force, double *change)
{
    for (size_t k = first; k < end; k++) {
        double depth = x[k] + w->offset[k];
        change[k] = depth > 0 ? w->exponent[k] * force[k] / depth * w->rate[k] * c[k] : 0;
    }
}

static void save(const lzb_state *state, uint32_t j, contact_state *saved)
{
    *saved = (contact_state){.x = state->x[j],
                             .c = state->c[j],
                             .p = state->p[j],
                             .x_open = state->x_open[j],
                             .doubt = state->doubt[j],
                             .loss = state->loss[j],
                             .peak = state->peak[j],
                             .held = state->held[j],
                             .compressions = state->compressions[j],
                             .mode = state->mode[j]};
}

static void restore(lzb_state *state, uint32_t j, const contact_state *saved)
{
    state->x[j] = saved->x;
    state->c[j] = saved->c;
    state->p[j] = saved->p;
    state->x_open[j] = saved->x_open;
    state->doubt[j] = saved->doubt;
    state->loss[j] = saved->loss;
    state->peak[j] = saved->peak;
    state->held[j] = saved->held;
    state->compressions[j] = saved->compressions;
    state->mode[j] = saved->mode;
}

/* ---- The groups ----------------------------------------------------------------------------- */

typedef struct batch {
    lzb_local *local;
    const lzb_stepper *s;
    double length;
    size_t listed; /* contacts put into groups so far */
    size_t looked; /* at in the queue */
    size_t count;
} batch;

/* One for each thread, so that there is always one that is free. */
static crm_status reserve_workers(lzb_local *local, size_t count, crm_error *error)
{
    if (count <= local->worker_count) {
        return CRM_OK;
    }
    lzb_worker **workers = realloc(local->workers, count * sizeof(lzb_worker *));
    if (workers == NULL) {
        return crm_fail_memory(error);
    }
    local->workers = workers;
    for (; local->worker_count < count; local->worker_count++) {
        workers[local->worker_count] = CRM_NEW(lzb_worker, 1);
        if (workers[local->worker_count] == NULL) {
            return crm_fail_memory(error);
        }
    }
    return CRM_OK;
}

static lzb_worker *take_worker(lzb_local *local)
{
    for (size_t i = 0;; i = (i + 1) % local->worker_count) {
        if (!atomic_exchange(&local->workers[i]->busy, true)) {
            return local->workers[i];
        }
    }
}

static void compute_group(void *context, size_t index)
{
    batch *b = context;
    lzb_worker *worker = take_worker(b->local);
    lzb_group_compute(b->local, worker, b->s, &b->local->batch[index], b->length);
    atomic_store(&worker->busy, false);
}

static void collect_batch(batch *b, size_t most)
{
    lzb_local *local = b->local;
    for (b->count = 0; b->looked < local->drawn_in && b->count < most; b->looked++) {
        uint32_t place = local->queue[b->looked];
        if (!(local->near[place] & TAKEN)) {
            lzb_group group = collect_group(local, b->s, place, b->listed);
            local->batch[b->count++] = group;
            b->listed += group.count;
        }
    }
}

/* What the groups found, in their order. */
static crm_status take_account(const batch *b, lzb_stepper *s, bool *good, crm_error *error)
{
    for (size_t i = 0; i < b->count; i++) {
        const lzb_group *group = &b->local->batch[i];
        if (group->status != CRM_OK) {
            return crm_fail(error, group->status, NULL, "%s", crm_status_text(group->status));
        }
        *good = *good && group->good;
        s->energy_local += group->energy;
        s->error_late += group->error_late;
        s->evaluations += group->evaluations;
        s->state->opened = fmax(s->state->opened, group->opened);
    }
    return CRM_OK;
}

static crm_status compute_groups(lzb_local *local, lzb_stepper *s, double length, bool *good,
                                 crm_error *error)
{
    bool large = s->window->large;
    crm_team *team = large ? s->window->team : NULL;
    batch b = {.local = local, .s = s, .length = length};
    crm_status status = reserve_workers(local, crm_team_threads(team), error);
    size_t most = large ? 4 : 1; /* more when it goes well: one that fails makes all vain */
    *good = true;
    while (status == CRM_OK && *good) {
        collect_batch(&b, most);
        most = large && most < LZB_BATCH ? 2 * most : most;
        if (b.count == 0) {
            break;
        }
        crm_team_run(team, b.count, compute_group, &b);
        status = take_account(&b, s, good, error);
    }
    return status;
}

/* ---- All together --------------------------------------------------------------------------- */

/* Take over the core; the buffer is as the outer window has it. Closing speeds follow from the
 * impulses, so that no momentum is lost between the two computations.
 */
static void take_over(lzb_local *local, lzb_stepper *s)
{
    lzb_window *w = s->window;
    const crm_model *model = s->state->model;
    for (size_t q = 0; q < local->drawn_in; q++) {
        size_t k = local->queue[q];
        uint32_t j = w->contact[k];
        if (lzb_is_core(local, k)) {
            w->x[k] = s->state->x[j];
            w->p[k] = s->state->p[j] - local->saved[q].p;
            w->offset[k] = s->state->x_open[j];
            w->settled[k] = w->any_settled = true;
        } else {
            restore(s->state, j, &local->saved[q]);
        }
    }
    for (size_t q = 0; q < local->drawn_in; q++) {
        size_t k = local->queue[q];
        uint32_t j = w->contact[k];
        double sum = 0;
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            sum += w->stamp[i] == w->now ? model->d_value[l] * w->p[w->place[i]] : 0;
        }
        w->c[k] = w->c0[k] - sum;
    }
}

static void prepare_places(lzb_local *local, const lzb_window *w, size_t first, size_t end)
{
    force_changes(w, first, end, w->x0, w->c0, w->f0, local->change0);
    force_changes(w, first, end, w->x, w->c, w->f, local->change);
}

static void prepare_part(void *context, size_t index)
{
    const large_step *l = context;
    const lzb_window *w = l->s->window;
    lzb_part part = lzb_part_at(w, index);
    prepare_places(l->local, w, part.first, lzb_part_end(w, part));
}

static void prepare(lzb_local *local, const lzb_stepper *s)
{
    const lzb_window *w = s->window;
    if (w->large) {
        large_step l = {.local = local, .s = s};
        lzb_parts_run(w, prepare_part, &l);
    } else {
        prepare_places(local, w, 0, w->count);
    }
    for (size_t q = 0; q < local->drawn_in; q++) {
        save(s->state, w->contact[local->queue[q]], &local->saved[q]);
    }
}

crm_status lzb_local_settle(lzb_stepper *s, double length, bool *done, crm_error *error)
{
    lzb_local *local = s->local;
    const lzb_window *w = s->window;
    *done = false;
    s->energy_local = 0;
    crm_status status = reserve(local, w->count, error);
    if (status != CRM_OK || !find_trouble(local, s, length) || !draw_in(local, s)) {
        return status;
    }
    prepare(local, s);
    bool good;
    status = compute_groups(local, s, length, &good, error);
    if (status == CRM_OK && good) {
        take_over(local, s);
        *done = true;
        return CRM_OK;
    }
    for (size_t q = 0; q < local->drawn_in; q++) {
        restore(s->state, w->contact[local->queue[q]], &local->saved[q]);
    }
    return status;
}
