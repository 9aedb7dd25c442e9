#include "law/lzb_local.h"

#include <stdlib.h>
#include <string.h>

/* Contacts up to CORE away from one in trouble are taken from the second computation, those up to
 * CORE + BUFFER take part in it.
 */
enum { CORE = 2, BUFFER = 2, FAR = 0x7f, TAKEN = 0x80, LEAST_WINDOW = 40, MOST_STEPS = 2000 };
/* Parts of the window: in trouble, and drawn in by them, before it is better to go together. */
static const double MOST_TROUBLED = 0.15, MOST_DRAWN_IN = 0.7;

/* What a local computation may change of a contact. */
typedef struct contact_state {
    double x, c, p, x_open, doubt, loss, peak, held;
    uint32_t compressions;
    uint8_t mode;
} contact_state;

struct lzb_local {
    lzb_window window;
    lzb_drive drive;
    size_t room;      /* of the arrays by place in the outer window */
    uint8_t *near;    /* contacts between this one and the next in trouble, FAR: more than enough;
                         TAKEN: it has been put into a group */
    uint32_t *source; /* of the drive that stands for it, + 1; 0: none */
    uint32_t *queue;  /* places drawn in, nearest to trouble first */
    uint32_t *group;  /* places of the contacts that are computed together */
    contact_state *saved;
    double *change0, *change; /* d(force)/dt at the start of the step and at its end */
    size_t drawn_in;
};

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
        (*local)->window.drive = &(*local)->drive;
    }
    return lzb_window_begin(state, 0, 0, &(*local)->window, error);
}

static void free_by_place(lzb_local *local)
{
    free(local->near);
    free(local->source);
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
        free(local->drive.source);
        free(local->drive.link);
        free(local->drive.force);
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
    local->source = CRM_NEW(uint32_t, room);
    local->queue = CRM_NEW(uint32_t, room);
    local->group = CRM_NEW(uint32_t, room);
    local->saved = CRM_NEW(contact_state, room);
    local->change0 = CRM_NEW(double, room);
    local->change = CRM_NEW(double, room);
    if (local->near == NULL || local->source == NULL || local->queue == NULL ||
        local->group == NULL || local->saved == NULL || local->change0 == NULL ||
        local->change == NULL) {
        return crm_fail_memory(error);
    }
    local->room = room;
    return CRM_OK;
}

/* Room for one more source and one more link. */
static crm_status reserve_drive(lzb_drive *d, crm_error *error)
{
    if (d->sources == d->source_room) {
        size_t room = 2 * d->source_room + 8;
        lzb_drive_source *source = realloc(d->source, room * sizeof *source);
        d->source = source != NULL ? source : d->source;
        double *force = realloc(d->force, room * sizeof *force);
        d->force = force != NULL ? force : d->force;
        if (source == NULL || force == NULL) {
            return crm_fail_memory(error);
        }
        d->source_room = room;
    }
    if (d->links == d->link_room) {
        size_t room = 2 * d->link_room + 16;
        lzb_drive_link *link = realloc(d->link, room * sizeof *link);
        if (link == NULL) {
            return crm_fail_memory(error);
        }
        d->link = link;
        d->link_room = room;
    }
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

/* Start the queue. False: too many, or one that would press on contacts the window lacks. */
static bool find_trouble(lzb_local *local, const lzb_stepper *s, double length)
{
    const lzb_window *w = s->window;
    const lzb_state *state = s->state;
    local->drawn_in = 0;
    for (size_t k = 0; k < w->count; k++) {
        bool troubled =
            !(w->error[k] <= 1) || lzb_events_is_late(state, w, k, length, s->tolerance);
        local->near[k] = troubled ? 0 : FAR;
        if (troubled) {
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

static bool is_drawn_in(const lzb_local *local, size_t place)
{
    return (local->near[place] & ~TAKEN) != FAR;
}

/* All that hang together with `first`, in ascending order. */
static size_t collect_group(lzb_local *local, const lzb_stepper *s, uint32_t first)
{
    const lzb_window *w = s->window;
    const crm_model *model = s->state->model;
    size_t count = 0;
    local->group[count++] = first;
    local->near[first] |= TAKEN;
    for (size_t g = 0; g < count; g++) {
        uint32_t j = w->contact[local->group[g]];
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (w->stamp[i] == w->now && is_drawn_in(local, w->place[i]) &&
                !(local->near[w->place[i]] & TAKEN)) {
                local->near[w->place[i]] |= TAKEN;
                local->group[count++] = w->place[i];
            }
        }
    }
    qsort(local->group, count, sizeof *local->group, ascending);
    return count;
}

/* ---- How the others press ------------------------------------------------------------------- */

/* d(force)/dt of all contacts of the outer window. */
static void force_changes(const lzb_window *w, const double *x, const double *c,
                          const double *force, double *change)
{
    for (size_t k = 0; k < w->count; k++) {
        double depth = x[k] + w->offset[k];
        change[k] = depth > 0 ? w->exponent[k] * force[k] / depth * w->rate[k] * c[k] : 0;
    }
}

/* The polynomial that has the value and the first three derivatives of x at both ends of the
 * step.
 */
static void fit_source(const lzb_local *local, const lzb_window *w, size_t k, double length,
                       lzb_drive_source *source)
{
    double rate = w->rate[k], h = length, *q = source->polynomial;
    double jerk0 = -lzb_window_row_product(w, k, local->change0);
    double jerk1 = -lzb_window_row_product(w, k, local->change);
    q[0] = w->x0[k];
    q[1] = rate * w->c0[k] * h;
    q[2] = rate * w->a0[k] * h * h / 2;
    q[3] = rate * jerk0 * h * h * h / 6;
    double r0 = w->x[k] - (q[0] + q[1] + q[2] + q[3]);
    double r1 = rate * w->c[k] * h - (q[1] + 2 * q[2] + 3 * q[3]);
    double r2 = rate * w->a[k] * h * h - (2 * q[2] + 6 * q[3]);
    double r3 = rate * jerk1 * h * h * h - 6 * q[3];
    q[4] = 35 * r0 - 15 * r1 + 2.5 * r2 - r3 / 6;
    q[5] = -84 * r0 + 39 * r1 - 7 * r2 + r3 / 2;
    q[6] = 70 * r0 - 34 * r1 + 6.5 * r2 - r3 / 2;
    q[7] = -20 * r0 + 10 * r1 - 2 * r2 + r3 / 6;
    source->offset = w->offset[k];
    source->stiffness = w->stiffness[k];
    source->exponent = w->exponent[k];
}

/* Contacts outside the group that press on it. */
static crm_status surround(lzb_local *local, const lzb_stepper *s, size_t count, double length,
                           crm_error *error)
{
    const lzb_window *w = s->window;
    const crm_model *model = s->state->model;
    lzb_drive *drive = &local->drive;
    drive->sources = drive->links = 0;
    drive->length = length;
    for (size_t g = 0; g < count; g++) {
        uint32_t j = w->contact[local->group[g]];
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (w->stamp[i] != w->now || is_drawn_in(local, w->place[i]) ||
                !carries(s->state, w, w->place[i])) {
                continue;
            }
            crm_status status = reserve_drive(drive, error);
            if (status != CRM_OK) {
                return status;
            }
            uint32_t *source = &local->source[w->place[i]];
            if (*source == 0) {
                fit_source(local, w, w->place[i], length, &drive->source[drive->sources++]);
                *source = (uint32_t)drive->sources;
            }
            drive->link[drive->links++] =
                (lzb_drive_link){(uint32_t)g, *source - 1, model->d_value[l]};
        }
    }
    return CRM_OK;
}

static void forget_surroundings(lzb_local *local, const lzb_stepper *s, size_t count)
{
    const lzb_window *w = s->window;
    const crm_model *model = s->state->model;
    for (size_t g = 0; g < count; g++) {
        uint32_t j = w->contact[local->group[g]];
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (w->stamp[i] == w->now) {
                local->source[w->place[i]] = 0;
            }
        }
    }
}

/* ---- The second computation ----------------------------------------------------------------- */

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

static bool is_core(const lzb_local *local, size_t place)
{
    return (local->near[place] & ~TAKEN) <= CORE;
}

/* Energy that the core takes up in a step of the group. */
static double energy_taken(const lzb_local *local)
{
    double sum = 0;
    for (size_t g = 0; g < local->window.count; g++) {
        sum += is_core(local, local->group[g]) ? lzb_window_energy_taken(&local->window, g) : 0;
    }
    return sum;
}

/* The group goes through the step on its own. */
static crm_status go_through(lzb_local *local, lzb_stepper *outer, size_t count, double length,
                             bool *arrived, crm_error *error)
{
    lzb_window *w = &local->window;
    lzb_stepper s = {.state = outer->state,
                     .window = w,
                     .tolerance = outer->tolerance,
                     .length = length,
                     .longest = INFINITY,
                     .rows =
                         outer->rows_used > LZB_FEWEST_ROWS ? outer->rows_used : LZB_FEWEST_ROWS};
    double begin = outer->state->time, done = 0;
    crm_status status = CRM_OK;
    w->now++;
    w->count = count;
    for (size_t g = 0; g < count; g++) {
        w->contact[g] = outer->window->contact[local->group[g]];
        w->stamp[w->contact[g]] = w->now;
    }
    while (status == CRM_OK && done < length && s.steps < MOST_STEPS) {
        double made;
        local->drive.begin = done;
        status = lzb_window_gather(s.state, w, error);
        if (status == CRM_OK && lzb_events_refine(s.state, w, s.tolerance) > 0) {
            status = lzb_window_gather(s.state, w, error);
        }
        if (status == CRM_OK) {
            status = lzb_step_advance(&s, length - done, &made, error);
        }
        if (status == CRM_OK) {
            outer->energy_local += energy_taken(local);
            lzb_step_finish(&s, made);
            done = made < length - done ? done + made : length;
        }
    }
    *arrived = done >= length;
    outer->state->time = begin;
    outer->error_late += s.error_late;
    outer->evaluations += s.evaluations * count / outer->window->count;
    return status;
}

/* How far both computations differ at the rim of the core, in units of the tolerance; that is in
 * doubt there.
 */
static double disagreement(const lzb_local *local, lzb_stepper *s, size_t count)
{
    const lzb_window *w = s->window;
    double worst = 0;
    for (size_t g = 0; g < count; g++) {
        size_t k = local->group[g], j = w->contact[k];
        if ((local->near[k] & ~TAKEN) != CORE) {
            continue;
        }
        double depth = fmax(w->x[k] + w->offset[k], 0);
        double dc = fabs(s->state->c[j] - w->c[k]) / s->state->speed;
        double dx = fabs(lzb_depth(s->state, j) - depth) * w->per_scale[k];
        s->state->doubt[j] += fmax(dc, dx);
        worst = fmax(worst, fmax(dc, dx) / s->tolerance);
    }
    return worst;
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
        if (is_core(local, k)) {
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

static void prepare(lzb_local *local, const lzb_stepper *s)
{
    const lzb_window *w = s->window;
    force_changes(w, w->x0, w->c0, w->f0, local->change0);
    force_changes(w, w->x, w->c, w->f, local->change);
    memset(local->source, 0, w->count * sizeof *local->source);
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
    bool good = true;
    for (size_t q = 0; q < local->drawn_in && good && status == CRM_OK; q++) {
        if (local->near[local->queue[q]] & TAKEN) {
            continue;
        }
        size_t count = collect_group(local, s, local->queue[q]);
        status = surround(local, s, count, length, error);
        if (status == CRM_OK) {
            status = go_through(local, s, count, length, &good, error);
        }
        good = good && disagreement(local, s, count) <= 1;
        forget_surroundings(local, s, count);
    }
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
