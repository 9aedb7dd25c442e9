#include <stdlib.h>
#include <string.h>

#include "law/lzb/course/group.h"
#include "law/lzb/kernel/parts.h"

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
    free(local->taken);
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
    local->taken = CRM_NEW(uint8_t, room);
    local->queue = CRM_NEW(uint32_t, room);
    local->group = CRM_NEW(uint32_t, room);
    local->saved = CRM_NEW(contact_state, room);
    local->change0 = CRM_NEW(double, room);
    local->change = CRM_NEW(double, room);
    if (local->near == NULL || local->taken == NULL || local->queue == NULL ||
        local->group == NULL || local->saved == NULL || local->change0 == NULL ||
        local->change == NULL) {
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

/* Mark those in trouble; returns how many. */
static size_t mark_trouble(lzb_local *local, const lzb_stepper *s, size_t first, size_t end,
                           double length)
{
    const lzb_window *w = s->window;
    size_t count = 0;
    for (size_t k = first; k < end; k++) {
        bool troubled =
            !(w->error[k] <= 1) || lzb_events_is_late(s->state, w, k, length, s->tolerance);
        local->near[k] = troubled ? 0 : FAR;
        count += troubled;
    }
    return count;
}

/* The step of a large window. */
typedef struct large_step {
    lzb_local *local;
    lzb_stepper *s;
    double length;
    size_t first, end; /* of the queue */
} large_step;

static void mark_trouble_part(void *context, size_t index)
{
    const large_step *l = context;
    const lzb_window *w = l->s->window;
    lzb_part part = lzb_part_at(w, index);
    size_t *troubled = lzb_part_tally(w, index);
    *troubled = mark_trouble(l->local, l->s, part.first, lzb_part_end(w, part), l->length);
}

/* List those in trouble. False: one would press on contacts the window lacks. */
static bool list_trouble(lzb_local *local, const lzb_stepper *s, size_t first, size_t end)
{
    const lzb_window *w = s->window;
    for (size_t k = first; k < end; k++) {
        if (local->near[k] == 0) {
            local->queue[local->drawn_in++] = (uint32_t)k;
            if (!carries(s->state, w, k) && !is_surrounded(s->state, w, k)) {
                return false;
            }
        }
    }
    return true;
}

/* Start the queue. False: too many, or one that would press on contacts the window lacks. */
static bool find_trouble(lzb_local *local, lzb_stepper *s, double length)
{
    const lzb_window *w = s->window;
    bool good = true;
    local->drawn_in = 0;
    if (w->large) {
        large_step l = {.local = local, .s = s, .length = length};
        lzb_parts_run(w, mark_trouble_part, &l);
        for (size_t i = 0; i < w->parts && good; i++) {
            lzb_part part = lzb_part_at(w, i);
            const size_t *troubled = lzb_part_tally(w, i);
            good = *troubled == 0 || list_trouble(local, s, part.first, lzb_part_end(w, part));
        }
    } else {
        mark_trouble(local, s, 0, w->count, length);
        good = list_trouble(local, s, 0, w->count);
    }
    return good && (double)local->drawn_in <= MOST_TROUBLED * (double)w->count;
}

/* ---- Parts of the queue: what is done with each of those drawn in ---------------------------- */

/* Do it for the places first to end of the queue, in parts. */
static void run_through_queue(large_step *l, size_t first, size_t end, crm_team_part *part)
{
    const lzb_window *w = l->s->window;
    l->first = first;
    l->end = end;
    crm_team_run(w->large ? w->team : NULL, (end - first + LZB_PART - 1) / LZB_PART, part, l);
}

static size_t queue_first(const large_step *l, size_t index)
{
    return l->first + index * LZB_PART;
}

static size_t queue_end(const large_step *l, size_t index)
{
    size_t end = queue_first(l, index) + LZB_PART;
    return end < l->end ? end : l->end;
}

/* Is it this thread that draws the contact in? */
static bool draws_in(uint8_t *near, uint8_t distance)
{
    uint8_t far = FAR;
    return __atomic_load_n(near, __ATOMIC_RELAXED) == FAR &&
           __atomic_compare_exchange_n(near, &far, distance, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
}

static void draw_in_part(void *context, size_t index)
{
    const large_step *l = context;
    lzb_local *local = l->local;
    const lzb_window *w = l->s->window;
    const crm_model *model = l->s->state->model;
    for (size_t q = queue_first(l, index); q < queue_end(l, index); q++) {
        size_t k = local->queue[q];
        uint8_t near = __atomic_load_n(&local->near[k], __ATOMIC_RELAXED);
        local->taken[k] = false;
        if (near == CORE + BUFFER || (near > 0 && !carries(l->s->state, w, k))) {
            continue;
        }
        uint32_t j = w->contact[k];
        for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
            uint32_t i = model->d_column[e];
            if (w->stamp[i] == w->now && draws_in(&local->near[w->place[i]], (uint8_t)(near + 1))) {
                size_t end = __atomic_fetch_add(&local->drawn_in, 1, __ATOMIC_RELAXED);
                local->queue[end] = w->place[i];
            }
        }
    }
}

/* The neighbourhood: breadth first through contacts that carry a force, or will. In what order
 * those equally near are listed may be chance.
 */
static bool draw_in(lzb_local *local, lzb_stepper *s)
{
    large_step l = {.local = local, .s = s};
    for (size_t first = 0, end = local->drawn_in; first < end; end = local->drawn_in) {
        run_through_queue(&l, first, end, draw_in_part);
        first = end;
    }
    return (double)local->drawn_in <= MOST_DRAWN_IN * (double)s->window->count;
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
    local->taken[from] = true;
    for (size_t g = 0; g < count; g++) {
        uint32_t j = w->contact[places[g]];
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (w->stamp[i] == w->now && lzb_is_drawn_in(local, w->place[i]) &&
                !local->taken[w->place[i]]) {
                local->taken[w->place[i]] = true;
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
    size_t listed;   /* contacts put into groups so far */
    size_t looked;   /* at in the queue */
    size_t most;     /* groups in the next batch */
    unsigned now;    /* batch that is computed; the other one is collected meanwhile */
    size_t count[2]; /* of their groups */
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

static void collect_batch(batch *b, unsigned which)
{
    lzb_local *local = b->local;
    size_t count = 0;
    for (; b->looked < local->drawn_in && count < b->most; b->looked++) {
        uint32_t place = local->queue[b->looked];
        if (!local->taken[place]) {
            lzb_group group = collect_group(local, b->s, place, b->listed);
            local->batch[which][count++] = group;
            b->listed += group.count;
        }
    }
    b->count[which] = count;
}

/* The first part is to collect the next batch. */
static void batch_part(void *context, size_t index)
{
    batch *b = context;
    if (index == 0) {
        collect_batch(b, 1 - b->now);
        return;
    }
    lzb_worker *worker = take_worker(b->local);
    lzb_group_compute(b->local, worker, b->s, &b->local->batch[b->now][index - 1], b->length);
    atomic_store(&worker->busy, false);
}

/* What the groups found, in their order. */
static crm_status take_account(const batch *b, lzb_stepper *s, bool *good, crm_error *error)
{
    for (size_t i = 0; i < b->count[b->now]; i++) {
        const lzb_group *group = &b->local->batch[b->now][i];
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
    /* more when it goes well: one that fails makes all vain */
    batch b = {.local = local, .s = s, .length = length, .most = large ? 4 : 1};
    crm_status status = reserve_workers(local, crm_team_threads(team), error);
    *good = true;
    collect_batch(&b, b.now);
    while (status == CRM_OK && *good && b.count[b.now] > 0) {
        b.most = large && b.most < LZB_BATCH ? 2 * b.most : b.most;
        crm_team_run(team, 1 + b.count[b.now], batch_part, &b);
        status = take_account(&b, s, good, error);
        b.now = 1 - b.now;
    }
    return status;
}

/* ---- All together --------------------------------------------------------------------------- */

static void take_over_part(void *context, size_t index)
{
    const large_step *l = context;
    lzb_local *local = l->local;
    lzb_state *state = l->s->state;
    lzb_window *w = l->s->window;
    for (size_t q = queue_first(l, index); q < queue_end(l, index); q++) {
        size_t k = local->queue[q];
        uint32_t j = w->contact[k];
        if (lzb_is_core(local, k)) {
            w->x[k] = state->x[j];
            w->p[k] = state->p[j] - local->saved[q].p;
            w->offset[k] = state->x_open[j];
            w->settled[k] = true;
        } else {
            restore(state, j, &local->saved[q]);
        }
    }
}

static void follow_impulses_part(void *context, size_t index)
{
    const large_step *l = context;
    lzb_window *w = l->s->window;
    const crm_model *model = l->s->state->model;
    for (size_t q = queue_first(l, index); q < queue_end(l, index); q++) {
        size_t k = l->local->queue[q];
        uint32_t j = w->contact[k];
        double sum = 0;
        for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
            uint32_t i = model->d_column[e];
            sum += w->stamp[i] == w->now ? model->d_value[e] * w->p[w->place[i]] : 0;
        }
        w->c[k] = w->c0[k] - sum;
    }
}

/* Take over the core; the buffer is as the outer window has it. Closing speeds follow from the
 * impulses, so that no momentum is lost between the two computations.
 */
static void take_over(lzb_local *local, lzb_stepper *s)
{
    large_step l = {.local = local, .s = s};
    s->window->any_settled |= local->drawn_in > 0;
    run_through_queue(&l, 0, local->drawn_in, take_over_part);
    run_through_queue(&l, 0, local->drawn_in, follow_impulses_part);
}

static void save_part(void *context, size_t index)
{
    const large_step *l = context;
    for (size_t q = queue_first(l, index); q < queue_end(l, index); q++) {
        save(l->s->state, l->s->window->contact[l->local->queue[q]], &l->local->saved[q]);
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

static void prepare(lzb_local *local, lzb_stepper *s)
{
    const lzb_window *w = s->window;
    large_step l = {.local = local, .s = s};
    if (w->large) {
        lzb_parts_run(w, prepare_part, &l);
    } else {
        prepare_places(local, w, 0, w->count);
    }
    run_through_queue(&l, 0, local->drawn_in, save_part);
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
    if (local->drawn_in == 0) {
        *done = true;
        return CRM_OK;
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
