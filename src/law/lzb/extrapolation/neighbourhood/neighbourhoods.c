#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "law/lzb/extrapolation/neighbourhood/neighbourhood.h"

enum { LEAST_WINDOW = 40 };
/* Neighbourhoods that a window in parts computes at first. */
enum { FIRST_ROUND = 4 };
/* Parts of the window that may be unresolved, and included with them, before all contacts had
 * better go together.
 */
static const double MOST_UNRESOLVED = 0.15, MOST_INCLUDED = 0.7;

bool lzb_neighbourhoods_suit(const lzb_window *window)
{
    return window->count >= LEAST_WINDOW && window->coupling.product != LZB_OPERATOR;
}

/* ---- Making and freeing --------------------------------------------------------------------- */

crm_status lzb_neighbourhoods_begin(const lzb_state *state, lzb_neighbourhoods **all,
                                    crm_error *error)
{
    if (*all == NULL) {
        *all = CRM_NEW(lzb_neighbourhoods, 1);
        if (*all == NULL) {
            return crm_fail_memory(error);
        }
    }
    return lzb_window_begin(state, 0, 0, NULL, &(*all)->window, error);
}

static void free_by_place(lzb_neighbourhoods *all)
{
    free(all->hops);
    free(all->taken);
    free(all->queue);
    free(all->listed);
    free(all->saved);
    free(all->change0);
    free(all->change);
}

void lzb_neighbourhoods_free(lzb_neighbourhoods *all)
{
    if (all != NULL) {
        lzb_window_release(&all->window);
        for (size_t i = 0; i < all->worker_count; i++) {
            lzb_neighbourhood_worker_free(all->workers[i]);
        }
        free(all->workers);
        free_by_place(all);
        free(all);
    }
}

static crm_status reserve(lzb_neighbourhoods *all, size_t room, crm_error *error)
{
    if (room <= all->room) {
        return CRM_OK;
    }
    room += room / 2;
    free_by_place(all);
    all->room = 0;
    all->hops = CRM_NEW(uint8_t, room);
    all->taken = CRM_NEW(uint8_t, room);
    all->queue = CRM_NEW(uint32_t, room);
    all->listed = CRM_NEW(uint32_t, room);
    all->saved = CRM_NEW(contact_state, room);
    all->change0 = CRM_NEW(double, room);
    all->change = CRM_NEW(double, room);
    if (all->hops == NULL || all->taken == NULL || all->queue == NULL || all->listed == NULL ||
        all->saved == NULL || all->change0 == NULL || all->change == NULL) {
        return crm_fail_memory(error);
    }
    all->room = room;
    return CRM_OK;
}

/* ---- Unresolved contacts --------------------------------------------------------------------- */

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

/* A step that does not resolve some contacts. */
typedef struct refined_step {
    lzb_neighbourhoods *all;
    lzb_stepper *s;
    double length;
    size_t first, end;      /* of the queue */
    atomic_size_t included; /* listed in it */
} refined_step;

/* Mark those unresolved; *found: how many. */
static void mark_part(void *context, lzb_part part, void *found)
{
    const refined_step *l = context;
    const lzb_stepper *s = l->s;
    const lzb_window *w = s->window;
    size_t count = 0;
    for (size_t k = part.first, end = lzb_part_end(w, part); k < end; k++) {
        bool unresolved = !(w->trial.error[k] <= 1) ||
                          lzb_events_is_late(s->state, w, k, l->length, s->tolerance);
        l->all->hops[k] = unresolved ? 0 : FAR;
        count += unresolved;
    }
    *(size_t *)found = count;
}

static void join_count(void *total, const void *found)
{
    *(size_t *)total += *(const size_t *)found;
}

/* List them. False: one would press on contacts the window lacks. */
static bool list_unresolved(lzb_neighbourhoods *all, const lzb_stepper *s)
{
    const lzb_window *w = s->window;
    const uint8_t *next = all->hops, *end = all->hops + w->count;
    while (next < end && (next = memchr(next, 0, (size_t)(end - next))) != NULL) {
        size_t k = (size_t)(next++ - all->hops);
        all->queue[all->included++] = (uint32_t)k;
        if (!carries(s->state, w, k) && !is_surrounded(s->state, w, k)) {
            return false;
        }
    }
    return true;
}

/* Start the queue. False: too many, or one that would press on contacts the window lacks. */
static bool find_unresolved(lzb_neighbourhoods *all, lzb_stepper *s, double length)
{
    const lzb_window *w = s->window;
    refined_step l = {.all = all, .s = s, .length = length};
    size_t count = 0;
    all->included = 0;
    lzb_partition_do(w, mark_part, join_count, &l, &count);
    return (double)count <= MOST_UNRESOLVED * (double)w->count && list_unresolved(all, s);
}

/* ---- Parts of the queue ---------------------------------------------------------------------- */

/* Do it for the places first to end of the queue, in parts. */
static void run_through_queue(refined_step *l, size_t first, size_t end, crm_team_part *part)
{
    const lzb_window *w = l->s->window;
    l->first = first;
    l->end = end;
    crm_team_run(w->partition.team, (end - first + LZB_PART - 1) / LZB_PART, part, l);
}

static size_t queue_first(const refined_step *l, size_t index)
{
    return l->first + index * LZB_PART;
}

static size_t queue_end(const refined_step *l, size_t index)
{
    size_t end = queue_first(l, index) + LZB_PART;
    return end < l->end ? end : l->end;
}

_Static_assert(sizeof(_Atomic uint8_t) == sizeof(uint8_t), "distances may be shared as they are");

/* Is it this thread that includes the contact? */
static bool includes(_Atomic uint8_t *hops, uint8_t distance)
{
    uint8_t far = FAR;
    return atomic_load_explicit(hops, memory_order_relaxed) == FAR &&
           atomic_compare_exchange_strong_explicit(hops, &far, distance, memory_order_relaxed,
                                                   memory_order_relaxed);
}

static void include_part(void *context, size_t index)
{
    refined_step *l = context;
    lzb_neighbourhoods *all = l->all;
    const lzb_window *w = l->s->window;
    const crm_model *model = l->s->state->model;
    _Atomic uint8_t *shared_hops = (_Atomic uint8_t *)all->hops;
    for (size_t q = queue_first(l, index); q < queue_end(l, index); q++) {
        size_t k = all->queue[q];
        uint8_t hops = atomic_load_explicit(&shared_hops[k], memory_order_relaxed);
        all->taken[k] = false;
        if (hops == CORE + BUFFER || (hops > 0 && !carries(l->s->state, w, k))) {
            continue;
        }
        uint32_t j = w->contact[k];
        for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
            uint32_t i = model->d_column[e];
            if (lzb_window_has(w, i) &&
                includes(&shared_hops[w->members.place[i]], (uint8_t)(hops + 1))) {
                size_t at = atomic_fetch_add_explicit(&l->included, 1, memory_order_relaxed);
                all->queue[at] = w->members.place[i];
            }
        }
    }
}

/* The neighbourhoods: breadth first through contacts that carry a force, or will. In what order
 * those equally hops are listed may be chance.
 */
static bool include_near(lzb_neighbourhoods *all, lzb_stepper *s)
{
    refined_step l = {.all = all, .s = s};
    atomic_init(&l.included, all->included);
    for (size_t first = 0, end = all->included; first < end;) {
        run_through_queue(&l, first, end, include_part);
        first = end;
        end = atomic_load(&l.included);
    }
    all->included = atomic_load(&l.included);
    return (double)all->included <= MOST_INCLUDED * (double)s->window->count;
}

/* All that D connects with `from`, in ascending order, listed from `first` on. */
static lzb_neighbourhood collect_one(lzb_neighbourhoods *all, const lzb_stepper *s, uint32_t from,
                                     size_t first)
{
    const lzb_window *w = s->window;
    const crm_model *model = s->state->model;
    uint32_t *places = all->listed + first;
    size_t count = 0;
    places[count++] = from;
    all->taken[from] = true;
    for (size_t g = 0; g < count; g++) {
        uint32_t j = w->contact[places[g]];
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (lzb_window_has(w, i) && lzb_neighbourhood_has(all, w->members.place[i]) &&
                !all->taken[w->members.place[i]]) {
                all->taken[w->members.place[i]] = true;
                places[count++] = w->members.place[i];
            }
        }
    }
    qsort(places, count, sizeof *places, crm_compare_uint32);
    return (lzb_neighbourhood){.first = first, .count = count, .stamp = ++all->window.members.now};
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
                             .remainder = state->remainder[j],
                             .restitution = state->restitution[j],
                             .x_open = state->x_open[j],
                             .step_error = state->step_error[j],
                             .loss = state->loss[j],
                             .peak = state->peak[j],
                             .contact_time = state->contact_time[j],
                             .compressions = state->compressions[j],
                             .mode = state->mode[j]};
}

static void restore(lzb_state *state, uint32_t j, const contact_state *saved)
{
    state->x[j] = saved->x;
    state->c[j] = saved->c;
    state->p[j] = saved->p;
    state->remainder[j] = saved->remainder;
    state->restitution[j] = saved->restitution;
    state->x_open[j] = saved->x_open;
    state->step_error[j] = saved->step_error;
    state->loss[j] = saved->loss;
    state->peak[j] = saved->peak;
    state->contact_time[j] = saved->contact_time;
    state->compressions[j] = saved->compressions;
    state->mode[j] = saved->mode;
}

/* ---- The second computation ----------------------------------------------------------------- */

typedef struct schedule {
    lzb_neighbourhoods *all;
    const lzb_stepper *s;
    double length;
    size_t placed;   /* contacts put into neighbourhoods so far */
    size_t looked;   /* at in the queue */
    size_t most;     /* neighbourhoods in the next round */
    unsigned now;    /* round that is computed; the other one is collected meanwhile */
    size_t count[2]; /* neighbourhoods of each */
} schedule;

/* One for each thread, so that there is always one that is free. */
static crm_status reserve_workers(lzb_neighbourhoods *all, size_t count, crm_error *error)
{
    if (count <= all->worker_count) {
        return CRM_OK;
    }
    lzb_worker **workers = crm_memory_resize(all->workers, count, sizeof(lzb_worker *));
    if (workers == NULL) {
        return crm_fail_memory(error);
    }
    all->workers = workers;
    for (; all->worker_count < count; all->worker_count++) {
        workers[all->worker_count] = CRM_NEW(lzb_worker, 1);
        if (workers[all->worker_count] == NULL) {
            return crm_fail_memory(error);
        }
    }
    return CRM_OK;
}

static lzb_worker *take_worker(lzb_neighbourhoods *all)
{
    for (size_t i = 0;; i = (i + 1) % all->worker_count) {
        if (!atomic_exchange(&all->workers[i]->busy, true)) {
            return all->workers[i];
        }
    }
}

static void collect_round(schedule *b, unsigned which)
{
    lzb_neighbourhoods *all = b->all;
    size_t count = 0;
    for (; b->looked < all->included && count < b->most; b->looked++) {
        uint32_t place = all->queue[b->looked];
        if (!all->taken[place]) {
            lzb_neighbourhood one = collect_one(all, b->s, place, b->placed);
            all->round[which][count++] = one;
            b->placed += one.count;
        }
    }
    b->count[which] = count;
}

/* The first part is to collect the next round. */
static void round_part(void *context, size_t index)
{
    schedule *b = context;
    if (index == 0) {
        collect_round(b, 1 - b->now);
        return;
    }
    lzb_worker *worker = take_worker(b->all);
    lzb_neighbourhood_compute(b->all, worker, b->s, &b->all->round[b->now][index - 1], b->length);
    atomic_store(&worker->busy, false);
}

/* Results of the neighbourhoods, in their order. */
static crm_status take_account(const schedule *b, lzb_stepper *s, bool *good, crm_error *error)
{
    for (size_t i = 0; i < b->count[b->now]; i++) {
        const lzb_neighbourhood *one = &b->all->round[b->now][i];
        if (one->status != CRM_OK) {
            return crm_fail(error, one->status, NULL, "%s", crm_status_text(one->status));
        }
        *good = *good && one->good;
        s->energy_apart += one->energy;
        s->error_late += one->error_late;
        s->evaluations += one->evaluations;
        s->state->opened = fmax(s->state->opened, one->opened);
    }
    return CRM_OK;
}

static crm_status compute_all(lzb_neighbourhoods *all, lzb_stepper *s, double length, bool *good,
                              crm_error *error)
{
    bool several = lzb_partition_is_divided(s->window);
    crm_team *team = s->window->partition.team;
    /* more as long as all are good: one that is not makes the others useless */
    schedule b = {.all = all, .s = s, .length = length, .most = several ? FIRST_ROUND : 1};
    crm_status status = reserve_workers(all, crm_team_threads(team), error);
    *good = true;
    collect_round(&b, b.now);
    while (status == CRM_OK && *good && b.count[b.now] > 0) {
        b.most = several && b.most < LZB_ROUND ? 2 * b.most : b.most;
        crm_team_run(team, 1 + b.count[b.now], round_part, &b);
        status = take_account(&b, s, good, error);
        b.now = 1 - b.now;
    }
    return status;
}

/* ---- All together --------------------------------------------------------------------------- */

static void take_over_part(void *context, size_t index)
{
    const refined_step *l = context;
    lzb_neighbourhoods *all = l->all;
    lzb_state *state = l->s->state;
    lzb_window *w = l->s->window;
    for (size_t q = queue_first(l, index); q < queue_end(l, index); q++) {
        size_t k = all->queue[q];
        uint32_t j = w->contact[k];
        if (lzb_neighbourhood_is_core(all, k)) {
            w->trial.x[k] = state->x[j];
            w->trial.p[k] =
                (state->p[j] - all->saved[q].p) + (state->remainder[j] - all->saved[q].remainder);
            w->fixed.offset[k] = state->x_open[j];
            w->members.committed[k] = true;
        } else {
            restore(state, j, &all->saved[q]);
        }
    }
}

static void follow_impulses_part(void *context, size_t index)
{
    const refined_step *l = context;
    lzb_window *w = l->s->window;
    const crm_model *model = l->s->state->model;
    for (size_t q = queue_first(l, index); q < queue_end(l, index); q++) {
        size_t k = l->all->queue[q];
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
static void take_over(lzb_neighbourhoods *all, lzb_stepper *s)
{
    refined_step l = {.all = all, .s = s};
    s->window->members.any_committed |= all->included > 0;
    run_through_queue(&l, 0, all->included, take_over_part);
    run_through_queue(&l, 0, all->included, follow_impulses_part);
}

static void save_part(void *context, size_t index)
{
    const refined_step *l = context;
    for (size_t q = queue_first(l, index); q < queue_end(l, index); q++) {
        save(l->s->state, l->s->window->contact[l->all->queue[q]], &l->all->saved[q]);
    }
}

static void prepare_part(void *context, lzb_part part, void *found)
{
    const refined_step *l = context;
    const lzb_window *w = l->s->window;
    const lzb_trial *t = &w->trial;
    size_t end = lzb_part_end(w, part);
    (void)found;
    force_changes(w, part.first, end, t->x0, t->c0, t->f0, l->all->change0);
    force_changes(w, part.first, end, t->x, t->c, t->f, l->all->change);
}

static void prepare(lzb_neighbourhoods *all, lzb_stepper *s)
{
    refined_step l = {.all = all, .s = s};
    lzb_partition_do(s->window, prepare_part, NULL, &l, NULL);
    run_through_queue(&l, 0, all->included, save_part);
}

crm_status lzb_neighbourhoods_refine(lzb_neighbourhoods *all, lzb_stepper *s, double length,
                                     bool *done, crm_error *error)
{
    const lzb_window *w = s->window;
    *done = false;
    s->energy_apart = 0;
    crm_status status = reserve(all, w->count, error);
    if (status != CRM_OK || !find_unresolved(all, s, length) || !include_near(all, s)) {
        return status;
    }
    if (all->included == 0) {
        *done = true;
        return CRM_OK;
    }
    prepare(all, s);
    bool good;
    status = compute_all(all, s, length, &good, error);
    if (status == CRM_OK && good) {
        take_over(all, s);
        *done = true;
        return CRM_OK;
    }
    for (size_t q = 0; q < all->included; q++) {
        restore(s->state, w->contact[all->queue[q]], &all->saved[q]);
    }
    return status;
}
