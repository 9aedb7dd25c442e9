#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "law/lzb/course/group.h"

enum { LEAST_WINDOW = 40 };
/* Groups that a window in parts computes at first. */
enum { FIRST_GROUPS = 4 };
/* Parts of the window: in trouble, and drawn in by them, before it is better to go together. */
static const double MOST_TROUBLED = 0.15, MOST_DRAWN_IN = 0.7;

bool lzb_local_applies(const lzb_window *window)
{
    return window->count >= LEAST_WINDOW && window->coupling.product != LZB_OPERATOR;
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
    return lzb_window_begin(state, 0, 0, NULL, &(*local)->window, error);
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
            lzb_group_worker_free(local->workers[i]);
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
        if (!lzb_window_has(w, model->d_column[l])) {
            return false;
        }
    }
    return true;
}

/* A step with some contacts in trouble. */
typedef struct troubled_step {
    lzb_local *local;
    lzb_stepper *s;
    double length;
    size_t first, end;      /* of the queue */
    atomic_size_t drawn_in; /* listed in it */
} troubled_step;

/* Mark those in trouble; *found: how many. */
static void mark_trouble_part(void *context, lzb_part part, void *found)
{
    const troubled_step *l = context;
    const lzb_stepper *s = l->s;
    const lzb_window *w = s->window;
    size_t count = 0;
    for (size_t k = part.first, end = lzb_part_end(w, part); k < end; k++) {
        bool troubled = !(w->trial.error[k] <= 1) ||
                        lzb_events_is_late(s->state, w, k, l->length, s->tolerance);
        l->local->near[k] = troubled ? 0 : FAR;
        count += troubled;
    }
    *(size_t *)found = count;
}

static void join_count(void *total, const void *found)
{
    *(size_t *)total += *(const size_t *)found;
}

/* List those in trouble. False: one would press on contacts the window lacks. */
static bool list_trouble(lzb_local *local, const lzb_stepper *s)
{
    const lzb_window *w = s->window;
    const uint8_t *next = local->near, *end = local->near + w->count;
    while (next < end && (next = memchr(next, 0, (size_t)(end - next))) != NULL) {
        size_t k = (size_t)(next++ - local->near);
        local->queue[local->drawn_in++] = (uint32_t)k;
        if (!carries(s->state, w, k) && !is_surrounded(s->state, w, k)) {
            return false;
        }
    }
    return true;
}

/* Start the queue. False: too many, or one that would press on contacts the window lacks. */
static bool find_trouble(lzb_local *local, lzb_stepper *s, double length)
{
    const lzb_window *w = s->window;
    troubled_step l = {.local = local, .s = s, .length = length};
    size_t count = 0;
    local->drawn_in = 0;
    lzb_partition_do(w, mark_trouble_part, join_count, &l, &count);
    return (double)count <= MOST_TROUBLED * (double)w->count && list_trouble(local, s);
}

/* ---- Parts of the queue: what is done with each of those drawn in ---------------------------- */

/* Do it for the places first to end of the queue, in parts. */
static void run_through_queue(troubled_step *l, size_t first, size_t end, crm_team_part *part)
{
    const lzb_window *w = l->s->window;
    l->first = first;
    l->end = end;
    crm_team_run(w->partition.team, (end - first + LZB_PART - 1) / LZB_PART, part, l);
}

static size_t queue_first(const troubled_step *l, size_t index)
{
    return l->first + index * LZB_PART;
}

static size_t queue_end(const troubled_step *l, size_t index)
{
    size_t end = queue_first(l, index) + LZB_PART;
    return end < l->end ? end : l->end;
}

_Static_assert(sizeof(_Atomic uint8_t) == sizeof(uint8_t), "distances may be shared as they are");

/* Is it this thread that draws the contact in? */
static bool draws_in(_Atomic uint8_t *near, uint8_t distance)
{
    uint8_t far = FAR;
    return atomic_load_explicit(near, memory_order_relaxed) == FAR &&
           atomic_compare_exchange_strong_explicit(near, &far, distance, memory_order_relaxed,
                                                   memory_order_relaxed);
}

static void draw_in_part(void *context, size_t index)
{
    troubled_step *l = context;
    lzb_local *local = l->local;
    const lzb_window *w = l->s->window;
    const crm_model *model = l->s->state->model;
    _Atomic uint8_t *nearness = (_Atomic uint8_t *)local->near;
    for (size_t q = queue_first(l, index); q < queue_end(l, index); q++) {
        size_t k = local->queue[q];
        uint8_t near = atomic_load_explicit(&nearness[k], memory_order_relaxed);
        local->taken[k] = false;
        if (near == CORE + BUFFER || (near > 0 && !carries(l->s->state, w, k))) {
            continue;
        }
        uint32_t j = w->contact[k];
        for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
            uint32_t i = model->d_column[e];
            if (lzb_window_has(w, i) &&
                draws_in(&nearness[w->members.place[i]], (uint8_t)(near + 1))) {
                size_t at = atomic_fetch_add_explicit(&l->drawn_in, 1, memory_order_relaxed);
                local->queue[at] = w->members.place[i];
            }
        }
    }
}

/* The neighbourhood: breadth first through contacts that carry a force, or will. In what order
 * those equally near are listed may be chance.
 */
static bool draw_in(lzb_local *local, lzb_stepper *s)
{
    troubled_step l = {.local = local, .s = s};
    atomic_init(&l.drawn_in, local->drawn_in);
    for (size_t first = 0, end = local->drawn_in; first < end;) {
        run_through_queue(&l, first, end, draw_in_part);
        first = end;
        end = atomic_load(&l.drawn_in);
    }
    local->drawn_in = atomic_load(&l.drawn_in);
    return (double)local->drawn_in <= MOST_DRAWN_IN * (double)s->window->count;
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
            if (lzb_window_has(w, i) && lzb_group_has(local, w->members.place[i]) &&
                !local->taken[w->members.place[i]]) {
                local->taken[w->members.place[i]] = true;
                places[count++] = w->members.place[i];
            }
        }
    }
    qsort(places, count, sizeof *places, crm_compare_uint32);
    return (lzb_group){.first = first, .count = count, .stamp = ++local->window.members.now};
}

/* ---- What is needed of all ------------------------------------------------------------------ */

/* d(force)/dt of all contacts of the outer window. */
static void force_changes(const lzb_window *w, size_t first, size_t end, const double *x,
                          const double *c, const double *force, double *change)
{
    for (size_t k = first; k < end; k++) {
        double depth = x[k] + w->fixed.offset[k];
        change[k] =
            depth > 0 ? w->fixed.exponent[k] * force[k] / depth * w->fixed.rate[k] * c[k] : 0;
    }
}

static void save(const lzb_state *state, uint32_t j, contact_state *saved)
{
    *saved = (contact_state){.x = state->x[j],
                             .c = state->c[j],
                             .p = state->p[j],
                             .rest = state->rest[j],
                             .restitution = state->restitution[j],
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
    state->rest[j] = saved->rest;
    state->restitution[j] = saved->restitution;
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
    lzb_worker **workers = crm_memory_resize(local->workers, count, sizeof(lzb_worker *));
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
    bool several = lzb_partition_is_divided(s->window);
    crm_team *team = s->window->partition.team;
    /* more when it goes well: one that fails makes all vain */
    batch b = {.local = local, .s = s, .length = length, .most = several ? FIRST_GROUPS : 1};
    crm_status status = reserve_workers(local, crm_team_threads(team), error);
    *good = true;
    collect_batch(&b, b.now);
    while (status == CRM_OK && *good && b.count[b.now] > 0) {
        b.most = several && b.most < LZB_BATCH ? 2 * b.most : b.most;
        crm_team_run(team, 1 + b.count[b.now], batch_part, &b);
        status = take_account(&b, s, good, error);
        b.now = 1 - b.now;
    }
    return status;
}

/* ---- All together --------------------------------------------------------------------------- */

static void take_over_part(void *context, size_t index)
{
    const troubled_step *l = context;
    lzb_local *local = l->local;
    lzb_state *state = l->s->state;
    lzb_window *w = l->s->window;
    for (size_t q = queue_first(l, index); q < queue_end(l, index); q++) {
        size_t k = local->queue[q];
        uint32_t j = w->contact[k];
        if (lzb_group_is_core(local, k)) {
            w->trial.x[k] = state->x[j];
            w->trial.p[k] =
                (state->p[j] - local->saved[q].p) + (state->rest[j] - local->saved[q].rest);
            w->fixed.offset[k] = state->x_open[j];
            w->members.settled[k] = true;
        } else {
            restore(state, j, &local->saved[q]);
        }
    }
}

static void follow_impulses_part(void *context, size_t index)
{
    const troubled_step *l = context;
    lzb_window *w = l->s->window;
    const crm_model *model = l->s->state->model;
    for (size_t q = queue_first(l, index); q < queue_end(l, index); q++) {
        size_t k = l->local->queue[q];
        uint32_t j = w->contact[k];
        double sum = 0;
        for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
            uint32_t i = model->d_column[e];
            sum += lzb_window_has(w, i) ? model->d_value[e] * w->trial.p[w->members.place[i]] : 0;
        }
        w->trial.c[k] = w->trial.c0[k] - sum;
    }
}

/* Take over the core; the buffer is as the outer window has it. Closing speeds follow from the
 * impulses, so that no momentum is lost between the two computations.
 */
static void take_over(lzb_local *local, lzb_stepper *s)
{
    troubled_step l = {.local = local, .s = s};
    s->window->members.any_settled |= local->drawn_in > 0;
    run_through_queue(&l, 0, local->drawn_in, take_over_part);
    run_through_queue(&l, 0, local->drawn_in, follow_impulses_part);
}

static void save_part(void *context, size_t index)
{
    const troubled_step *l = context;
    for (size_t q = queue_first(l, index); q < queue_end(l, index); q++) {
        save(l->s->state, l->s->window->contact[l->local->queue[q]], &l->local->saved[q]);
    }
}

static void prepare_part(void *context, lzb_part part, void *found)
{
    const troubled_step *l = context;
    const lzb_window *w = l->s->window;
    const lzb_trial *t = &w->trial;
    size_t end = lzb_part_end(w, part);
    (void)found;
    force_changes(w, part.first, end, t->x0, t->c0, t->f0, l->local->change0);
    force_changes(w, part.first, end, t->x, t->c, t->f, l->local->change);
}

static void prepare(lzb_local *local, lzb_stepper *s)
{
    troubled_step l = {.local = local, .s = s};
    lzb_partition_do(s->window, prepare_part, NULL, &l, NULL);
    run_through_queue(&l, 0, local->drawn_in, save_part);
}

crm_status lzb_local_settle(lzb_local *local, lzb_stepper *s, double length, bool *done,
                            crm_error *error)
{
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
