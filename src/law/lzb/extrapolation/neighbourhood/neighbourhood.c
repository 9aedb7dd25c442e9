#include "law/lzb/extrapolation/neighbourhood/neighbourhood.h"

#include <stdlib.h>

enum { MOST_STEPS = 2000 };

void lzb_neighbourhood_worker_free(lzb_worker *worker)
{
    if (worker != NULL) {
        lzb_window_release(&worker->window);
        free(worker->drive.source);
        free(worker->drive.link);
        free(worker->drive.force);
        free(worker->source);
        free(worker);
    }
}

static crm_status reserve(lzb_worker *worker, size_t room, crm_error *error)
{
    if (room > worker->room) {
        free(worker->source);
        worker->room = 0;
        worker->source = CRM_NEW(uint32_t, room);
        if (worker->source == NULL) {
            return crm_fail_memory(error);
        }
        worker->room = room;
    }
    return CRM_OK;
}

static bool carries(const lzb_state *state, const lzb_window *w, size_t place)
{
    return state->mode[w->contact[place]] != LZB_OPEN;
}

/* Room for one more source and one more link. */
static crm_status reserve_drive(lzb_drive *d, crm_error *error)
{
    if (d->sources == d->source_room) {
        size_t room = 2 * d->source_room + 8;
        lzb_drive_source *source = crm_memory_resize(d->source, room, sizeof *source);
        d->source = source != NULL ? source : d->source;
        double *force = crm_memory_resize(d->force, room, sizeof *force);
        d->force = force != NULL ? force : d->force;
        if (source == NULL || force == NULL) {
            return crm_fail_memory(error);
        }
        d->source_room = room;
    }
    if (d->links == d->link_room) {
        size_t room = 2 * d->link_room + 16;
        lzb_drive_link *link = crm_memory_resize(d->link, room, sizeof *link);
        if (link == NULL) {
            return crm_fail_memory(error);
        }
        d->link = link;
        d->link_room = room;
    }
    return CRM_OK;
}

/* ---- The force of the others -------------------------------------------------------------------
 */

/* The polynomial that has the value and the first three derivatives of x at both ends of the
 * step.
 */
static void fit_source(const lzb_neighbourhoods *all, const lzb_window *w, size_t k, double length,
                       lzb_drive_source *source)
{
    double rate = w->fixed.rate[k], h = length, *q = source->polynomial;
    double jerk0 = -lzb_coupling_product(w, k, all->change0);
    double jerk1 = -lzb_coupling_product(w, k, all->change);
    q[0] = w->trial.x0[k];
    q[1] = rate * w->trial.c0[k] * h;
    q[2] = rate * w->trial.a0[k] * h * h / 2;
    q[3] = rate * jerk0 * h * h * h / 6;
    double r0 = w->trial.x[k] - (q[0] + q[1] + q[2] + q[3]);
    double r1 = rate * w->trial.c[k] * h - (q[1] + 2 * q[2] + 3 * q[3]);
    double r2 = rate * w->trial.a[k] * h * h - (2 * q[2] + 6 * q[3]);
    double r3 = rate * jerk1 * h * h * h - 6 * q[3];
    q[4] = 35 * r0 - 15 * r1 + 2.5 * r2 - r3 / 6;
    q[5] = -84 * r0 + 39 * r1 - 7 * r2 + r3 / 2;
    q[6] = 70 * r0 - 34 * r1 + 6.5 * r2 - r3 / 2;
    q[7] = -20 * r0 + 10 * r1 - 2 * r2 + r3 / 6;
    source->offset = w->fixed.offset[k];
    source->stiffness = w->fixed.stiffness[k];
    source->exponent = w->fixed.exponent[k];
}

/* Contacts outside the neighbourhood that press on it. */
static crm_status surround(const lzb_neighbourhoods *all, lzb_worker *worker, const lzb_stepper *s,
                           const lzb_neighbourhood *one, double length, crm_error *error)
{
    const lzb_window *w = s->window;
    const crm_model *model = s->state->model;
    const uint32_t *places = all->listed + one->first;
    lzb_drive *drive = &worker->drive;
    drive->sources = drive->links = 0;
    drive->length = length;
    for (size_t g = 0; g < one->count; g++) {
        uint32_t j = w->contact[places[g]];
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (!lzb_window_has(w, i) || lzb_neighbourhood_has(all, w->members.place[i]) ||
                !carries(s->state, w, w->members.place[i])) {
                continue;
            }
            crm_status status = reserve_drive(drive, error);
            if (status != CRM_OK) {
                return status;
            }
            uint32_t *source = &worker->source[w->members.place[i]];
            if (*source == 0) {
                fit_source(all, w, w->members.place[i], length, &drive->source[drive->sources++]);
                *source = (uint32_t)drive->sources;
            }
            drive->link[drive->links++] =
                (lzb_drive_link){(uint32_t)g, *source - 1, model->d_value[l]};
        }
    }
    return CRM_OK;
}

static void forget_surroundings(const lzb_neighbourhoods *all, lzb_worker *worker,
                                const lzb_stepper *s, const lzb_neighbourhood *one)
{
    const lzb_window *w = s->window;
    const crm_model *model = s->state->model;
    for (size_t g = 0; g < one->count; g++) {
        uint32_t j = w->contact[all->listed[one->first + g]];
        for (size_t l = model->d_start[j]; l < model->d_start[j + 1]; l++) {
            uint32_t i = model->d_column[l];
            if (lzb_window_has(w, i)) {
                worker->source[w->members.place[i]] = 0;
            }
        }
    }
}

/* ---- The second computation ----------------------------------------------------------------- */

/* Energy that the core takes up in a step of the neighbourhood. */
static double energy_taken(const lzb_neighbourhoods *all, const lzb_window *w,
                           const uint32_t *places)
{
    double sum = 0;
    for (size_t g = 0; g < w->count; g++) {
        sum += lzb_neighbourhood_is_core(all, places[g]) ? lzb_window_energy_taken(w, g) : 0;
    }
    return sum;
}

/* Arrays by contact of the model can be shared: neighbourhoods have no contact in common, nor does
 * one look at contacts of another.
 */
static void fill_window(const lzb_neighbourhoods *all, lzb_worker *worker, const lzb_window *outer,
                        const lzb_neighbourhood *one)
{
    lzb_window *w = &worker->window;
    w->coupling.drive = &worker->drive;
    w->coupling.product = LZB_SPARSE;
    w->whole.line = outer->whole.line;
    w->whole.kind = outer->whole.kind;
    w->contact = all->window.contact + one->first;
    w->members.stamp = all->window.members.stamp;
    w->members.place = all->window.members.place;
    w->members.depth = all->window.members.depth;
    w->members.now = one->stamp;
    w->count = one->count;
    for (size_t g = 0; g < one->count; g++) {
        w->contact[g] = outer->contact[all->listed[one->first + g]];
        w->members.stamp[w->contact[g]] = w->members.now;
    }
}

/* The neighbourhood goes through the step on its own. *state has a time of its own. */
static crm_status go_through(const lzb_neighbourhoods *all, lzb_worker *worker,
                             const lzb_stepper *outer, lzb_state *state, lzb_neighbourhood *one,
                             double length)
{
    lzb_window *w = &worker->window;
    lzb_stepper s = {.state = state,
                     .window = w,
                     .tolerance = outer->tolerance,
                     .length = length,
                     .rows =
                         outer->rows_used > LZB_FEWEST_ROWS ? outer->rows_used : LZB_FEWEST_ROWS};
    double done = 0;
    crm_status status = CRM_OK;
    fill_window(all, worker, outer->window, one);
    while (status == CRM_OK && done < length && s.steps < MOST_STEPS) {
        double made;
        worker->drive.begin = done;
        status = lzb_step_gather(&s, NULL);
        if (status == CRM_OK && lzb_commit_update_modes(s.state, w, s.tolerance) > 0) {
            status = lzb_step_gather(&s, NULL);
        }
        if (status == CRM_OK) {
            status = lzb_step_advance(&s, length - done, &made, NULL);
        }
        if (status == CRM_OK) {
            one->energy += energy_taken(all, w, all->listed + one->first);
            lzb_step_finish(&s, made);
            done = made < length - done ? done + made : length;
        }
    }
    one->good = done >= length;
    one->error_late = s.error_late;
    one->evaluations = s.evaluations * one->count / outer->window->count;
    return status;
}

/* How far both computations differ at the rim of the core, in units of the tolerance; that becomes
 * part of the error there.
 */
static double disagreement(const lzb_neighbourhoods *all, const lzb_stepper *s,
                           const lzb_neighbourhood *one)
{
    const lzb_window *w = s->window;
    double worst = 0;
    for (size_t g = 0; g < one->count; g++) {
        size_t k = all->listed[one->first + g], j = w->contact[k];
        if (all->hops[k] != CORE) {
            continue;
        }
        double depth = fmax(w->trial.x[k] + w->fixed.offset[k], 0);
        double dc = fabs(s->state->c[j] - w->trial.c[k]) / s->state->speed;
        double dx = fabs(lzb_state_depth(s->state, j) - depth) * w->fixed.per_scale[k];
        s->state->step_error[j] += fmax(dc, dx);
        worst = fmax(worst, fmax(dc, dx) / s->tolerance);
    }
    return worst;
}

void lzb_neighbourhood_compute(const lzb_neighbourhoods *all, lzb_worker *worker,
                               const lzb_stepper *outer, lzb_neighbourhood *one, double length)
{
    lzb_state state = *outer->state;
    one->status = reserve(worker, all->room, NULL);
    if (one->status != CRM_OK) {
        return;
    }
    one->status = surround(all, worker, outer, one, length, NULL);
    if (one->status == CRM_OK) {
        one->status = go_through(all, worker, outer, &state, one, length);
    }
    one->good = one->good && disagreement(all, outer, one) <= 1;
    one->opened = state.opened;
    forget_surroundings(all, worker, outer, one);
}
