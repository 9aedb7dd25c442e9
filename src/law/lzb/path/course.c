/* A path from its start to its end: who is at work, one step after the other. */
#include <stdlib.h>
#include <string.h>

#include "law/lzb/path/events.h"

/* Contacts slower than this, relative, are left alone. */
static const double QUIET_SHARE = 1e-11;
/* When no contact at work is faster than this, relative, or could become so, the path ends: what is
 * left is a tail, in which changes have died away as speeds have.
 */
static const double END_SHARE = 1e-9;
static const size_t MOST_STEPS = 1000000;
/* A step that is this part of the shortest time of a contact is not shortened for its error. */
static const double LEAST_SHARE = 1e-13;

typedef struct course {
    lzb_path *path;
    double proposal, least; /* lengths of steps */
    uint32_t *list;         /* contacts at work, then those that feel them */
    uint8_t *listed;        /* by contact */
    uint8_t *overrun;       /* by contact: the present step presses it */
    double *force;          /* by contact; 0 for those that are not listed */
} course;

/* ---- The start ------------------------------------------------------------------------------- */

static bool path_arrays(lzb_path *path, course *on, crm_pool *pool)
{
    size_t s = path->model->contacts;
    double **numbers[] = {&path->x,         &path->c,         &path->p,       &path->x_open,
                          &path->x_top,     &path->x_scale,   &path->x_quiet, &path->x_end,
                          &path->turned_at, &path->turned_by, &path->rate,    &path->entered,
                          &path->unfelt,    &path->before,    &on->force};
    bool got = true;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i] = CRM_TAKE(pool, double, s);
        got = got && *numbers[i] != NULL;
    }
    path->mode = CRM_TAKE(pool, uint8_t, s);
    path->resting = CRM_TAKE(pool, uint8_t, s);
    path->stopped = CRM_TAKE(pool, uint8_t, s);
    path->peak = CRM_TAKE(pool, size_t, s);
    on->list = CRM_TAKE(pool, uint32_t, s);
    on->listed = CRM_TAKE(pool, uint8_t, s);
    on->overrun = CRM_TAKE(pool, uint8_t, s);
    return got && path->mode != NULL && path->resting != NULL && path->stopped != NULL &&
           path->peak != NULL && on->list != NULL && on->listed != NULL && on->overrun != NULL;
}

static double indentation(const crm_model *model, size_t j, double speed)
{
    return lzb_contact_indentation(model->stiffness[j], model->exponent[j],
                                   speed * speed / (2.0 * model->d_diagonal[j]));
}

static double force_at(const lzb_path *path, size_t j)
{
    return lzb_contact_force(path->model->stiffness[j], path->model->exponent[j], path->x[j]);
}

/* c' by the forces of all that have one. */
static double rate_of_speed(const course *on, size_t j)
{
    const crm_model *model = on->path->model;
    double a = 0;
    for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
        a -= model->d_value[e] * on->force[model->d_column[e]];
    }
    return a;
}

/* A precompressed contact that is let go starts in expansion; at rest the forces decide. */
static crm_status start_stored(course *on, size_t j, crm_error *error)
{
    lzb_path *path = on->path;
    double c = path->c[j], a = rate_of_speed(on, j);
    crm_status status = lzb_events_happen(path, j, LZB_PATH_START, a, error);
    path->mode[j] = LZB_COMPRESSING;
    if (status != CRM_OK || c > 0 || (c == 0 && a >= 0)) {
        if (!lzb_events_located(path, j)) {
            path->mode[j] = LZB_EXPANDING;
        }
        return status;
    }
    return lzb_events_happen(
        path, j, path->model->restitution[j] == 0 ? LZB_PATH_LOSE : LZB_PATH_TOP, a, error);
}

static crm_status start(course *on, const crm_problem *problem, crm_error *error)
{
    lzb_path *path = on->path;
    const crm_model *model = path->model;
    crm_status status = CRM_OK;
    on->least = INFINITY;
    for (size_t j = 0; j < model->contacts; j++) {
        path->c[j] = path->before[j] = -problem->gap_velocity[j];
        path->x_scale[j] = indentation(model, j, path->speed);
        path->x_quiet[j] = indentation(model, j, path->quiet);
        path->x_end[j] = indentation(model, j, END_SHARE * path->speed);
        path->peak[j] = SIZE_MAX;
        path->mode[j] =
            (uint8_t)(path->c[j] > path->quiet ? lzb_events_closing_mode(path, j) : LZB_OPEN);
        if (model->stored_energy[j] > 0) {
            path->x[j] = lzb_contact_indentation(model->stiffness[j], model->exponent[j],
                                                 model->stored_energy[j]);
            on->force[j] = force_at(path, j);
        }
        on->least = fmin(on->least, path->x_scale[j] / path->speed);
    }
    on->proposal = 0.02 * on->least;
    on->least *= LEAST_SHARE;
    for (size_t j = 0; status == CRM_OK && j < model->contacts; j++) {
        if (path->x[j] > 0) {
            status = start_stored(on, j, error);
        }
    }
    memset(on->force, 0, model->contacts * sizeof *on->force);
    return status;
}

/* ---- Who is at work -------------------------------------------------------------------------- */

static bool is_reached(const course *on, size_t j)
{
    return lzb_rest_push(on->path, on->force, j) > 0;
}

static crm_status leave_alone(course *on, size_t j, crm_error *error)
{
    on->force[j] = 0;
    return lzb_events_happen(on->path, j, LZB_PATH_FAINT, 0, error);
}

/* Of `count` contacts in the list, those that go on. */
static crm_status keep_active(course *on, size_t *count, crm_error *error)
{
    lzb_path *path = on->path;
    crm_status status = CRM_OK;
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        size_t j = on->list[i];
        on->force[j] = path->mode[j] != LZB_OPEN ? force_at(path, j) : 0;
    }
    for (size_t i = 0; status == CRM_OK && i < *count; i++) {
        size_t j = on->list[i];
        if (path->mode[j] != LZB_OPEN && !lzb_path_is_working(path, j) &&
            !(path->c[j] >= -path->quiet && (on->overrun[j] || is_reached(on, j)))) {
            status = leave_alone(on, j, error);
        }
        if (path->mode[j] != LZB_OPEN) {
            path->x[j] = fmax(path->x[j], 0);
            on->list[kept++] = (uint32_t)j;
            on->listed[j] = 1;
        }
    }
    *count = kept;
    return status;
}

/* Contacts beside those in the list up to `count` are added: those at rest that a wave reaches, or
 * the open ones that feel it.
 */
static size_t add_beside(course *on, size_t count, bool reached)
{
    lzb_path *path = on->path;
    const crm_model *model = path->model;
    size_t end = count;
    for (size_t i = 0; i < count; i++) {
        size_t j = on->list[i];
        for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
            size_t k = model->d_column[e];
            if (on->listed[k] ||
                (reached && (fabs(path->c[k]) > path->quiet || !lzb_path_is_working(path, j) ||
                             !is_reached(on, k)))) {
                continue;
            }
            if (reached) {
                path->mode[k] = (uint8_t)lzb_events_closing_mode(path, k);
                path->x_top[k] = 0;
                path->entered[k] = path->time;
            }
            on->listed[k] = 1;
            on->list[end++] = (uint32_t)k;
        }
    }
    return end;
}

static bool is_same_band(const lzb_path *path, const uint32_t *list, size_t count, size_t active)
{
    const lzb_band *band = &path->band;
    if (path->band_count == 0 || band->count != count || band->active != active ||
        memcmp(band->member, list, count * sizeof *list) != 0) {
        return false;
    }
    const uint8_t *modes = path->modes + path->bands[path->band_count - 1].first;
    for (size_t i = 0; i < count; i++) {
        if (modes[i] != path->mode[list[i]]) {
            return false;
        }
    }
    return true;
}

/* The band for the present state, from `count` contacts in the list among which all are that may be
 * at work.
 */
static crm_status find_band(course *on, size_t count, crm_error *error)
{
    lzb_path *path = on->path;
    lzb_band *band = &path->band;
    crm_status status = keep_active(on, &count, error);
    size_t active = add_beside(on, count, true), end = add_beside(on, active, false);
    if (status == CRM_OK) {
        status = lzb_rest_note_reached(path, on->force, on->list, active, end, error);
    }
    for (size_t i = 0; i < end; i++) {
        on->listed[on->list[i]] = 0;
        on->force[on->list[i]] = 0;
    }
    if (status == CRM_OK && !is_same_band(path, on->list, end, active)) {
        status = lzb_path_keep_band(path, on->list, end, active, error);
        if (status == CRM_OK) {
            status =
                lzb_band_fill(band, on->list, path->modes + path->bands[path->band_count - 1].first,
                              end, active, path->stiffness, error);
        }
    }
    for (size_t i = 0; status == CRM_OK && i < band->count; i++) {
        band->x0[i] = i < band->active ? path->x[band->member[i]] : 0;
        band->c0[i] = path->c[band->member[i]];
    }
    if (status == CRM_OK) {
        lzb_leap_rates(band, band->x0, band->a0);
        status = lzb_events_note_breaks(path, error);
    }
    return status;
}

/* The members of the band as the list. */
static size_t list_members(course *on)
{
    const lzb_band *band = &on->path->band;
    memcpy(on->list, band->member, band->count * sizeof *on->list);
    return band->count;
}

/* ---- One step -------------------------------------------------------------------------------- */

static double try(lzb_path *path, double length)
{
    lzb_leap_columns(&path->band, length);
    return lzb_leap_end(&path->band, path, length);
}

/* When contacts that expand will have opened, if they go on as at present: the first of them. */
static lzb_crossing next_opening(const lzb_path *path)
{
    const lzb_band *band = &path->band;
    lzb_crossing first = {.place = SIZE_MAX, .t = INFINITY};
    for (size_t i = 0; i < band->active; i++) {
        size_t j = band->member[i];
        double left = band->x0[i] - path->x_open[j], v = -band->rate[i] * band->c0[i],
               b = band->rate[i] * band->a0[i], square = v * v - 2 * b * left;
        if (path->mode[j] != LZB_EXPANDING || !(v > 0) || square < 0 || !(left > 0)) {
            continue;
        }
        double t = 2 * left / (v + sqrt(square));
        if (t < first.t) {
            first = (lzb_crossing){i, lzb_events_opening(path, j), t};
        }
    }
    return first;
}

/* Has a wave gone beyond the band? Those it has reached are pressed from now on. */
static bool has_overrun(course *on)
{
    lzb_path *path = on->path;
    const lzb_band *band = &path->band;
    bool overrun = false;
    for (size_t i = band->active; i < band->count; i++) {
        size_t j = band->member[i];
        if (fabs(band->c0[i]) <= path->quiet && band->c1[i] > path->quiet) {
            path->mode[j] = (uint8_t)lzb_events_closing_mode(path, j);
            path->x_top[j] = 0;
            path->entered[j] = path->time;
            on->overrun[j] = 1;
            overrun = true;
        }
    }
    return overrun;
}

/* From a step of length *length that passes a change to one that ends at it. false: the step is
 * not good enough where it should end, which is at *length then.
 */
static bool locate(lzb_path *path, lzb_crossing *target, double *length, double *error)
{
    double low = 0, high = 2 * *length, t = target->t * *length;
    for (int i = 0; i < 60; i++) {
        *error = try(path, t);
        if (*error > 1) {
            break;
        }
        lzb_crossing other = lzb_events_first(path, t);
        if (other.place != SIZE_MAX &&
            (other.place != target->place || other.kind != target->kind)) {
            *target = other;
            high = t;
            low = 0;
            t *= other.t;
            if (t <= 0) {
                *error = try(path, 0);
                break;
            }
            continue;
        }
        lzb_distance to = lzb_events_distance(path, target->place, target->kind);
        if (fabs(to.value) <= to.near || high - low <= 1e-15 * high) {
            *length = t;
            return true;
        }
        *(to.value > 0 ? &low : &high) = t;
        t = to.slope < 0 ? t - to.value / to.slope : low;
        if (!(t > low && t < high)) {
            t = 0.5 * (low + high);
        }
    }
    *length = t;
    return *error <= 1;
}

/* A step that is good enough and ends at the first change, if there is one: its length, and the
 * change.
 */
static crm_status find_step(course *on, double *length, lzb_crossing *target, crm_error *error)
{
    lzb_path *path = on->path;
    double h = on->proposal;
    bool free = true;    /* no change has shortened it */
    bool may_aim = true; /* at an opening; not where that was not good enough */
    for (;;) {
        lzb_crossing opening = next_opening(path);
        bool aimed = may_aim && opening.t <= 1.5 * h;
        h = aimed ? opening.t : h;
        double off = try(path, h);
        if (off > 1 && h > on->least) {
            h *= fmax(0.2, 0.8 * crm_pow(off, -1.0 / 9));
            on->proposal = h;
            may_aim = false;
            continue;
        }
        if (has_overrun(on)) {
            crm_status status = find_band(on, list_members(on), error);
            if (status != CRM_OK) {
                return status;
            }
            continue;
        }
        *target = lzb_events_first(path, h);
        if (target->place == SIZE_MAX && aimed) {
            lzb_distance to = lzb_events_distance(path, opening.place, opening.kind);
            opening.t = 1 - to.value / (to.slope * h);
            *target = to.slope < 0 && opening.t < 1.1 ? opening : *target;
        }
        if (target->place != SIZE_MAX) {
            free = false;
            if (target->t <= 0) {
                try(path, 0);
                h = 0;
            } else if (!locate(path, target, &h, &off) && h > on->least) {
                h *= 0.5;
                on->proposal = h;
                may_aim = false;
                continue;
            }
        }
        double turn = lzb_events_near_turn(path, h);
        if (turn < 1) { /* how near, the end of a step tells */
            h *= turn;
            off = try(path, h);
            target->place = SIZE_MAX;
            free = false;
        }
        double longer = h * fmin(5, 0.8 * crm_pow(fmax(off, 1e-9), -1.0 / 9));
        on->proposal = free ? longer : fmax(longer, on->proposal);
        *length = h;
        return CRM_OK;
    }
}

static crm_status take_step(course *on, crm_error *error)
{
    lzb_path *path = on->path;
    lzb_band *band = &path->band;
    double length;
    lzb_crossing target;
    crm_status status = find_step(on, &length, &target, error);
    if (status == CRM_OK && length > 0) {
        status = lzb_path_keep_step(path, length, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    for (size_t i = 0; length > 0 && i < band->count; i++) {
        size_t j = band->member[i];
        path->c[j] = band->c1[i];
        path->rate[j] = band->a1[i];
        if (i < band->active) {
            path->x[j] = band->x1[i];
            path->x_top[j] = fmax(path->x_top[j], path->x[j]);
            path->p[j] += band->impulse[i];
        }
    }
    for (size_t i = 0; i < band->count; i++) {
        on->overrun[band->member[i]] = 0;
    }
    path->time += length;
    status = lzb_events_note_turns(path, length, error);
    if (status != CRM_OK) {
        return status;
    }
    size_t event = path->event_count;
    if (target.place != SIZE_MAX) {
        status = lzb_events_act(path, target, error);
    }
    if (status == CRM_OK) {
        status = find_band(on, list_members(on), error);
        lzb_rest_note_stopped(path, event);
    }
    return status;
}

static bool has_ended(lzb_path *path)
{
    const lzb_band *band = &path->band;
    for (size_t i = 0; i < band->active; i++) {
        size_t j = band->member[i];
        if (path->x[j] > path->x_end[j] || fabs(path->c[j]) > END_SHARE * path->speed) {
            return false;
        }
    }
    path->last = band->active > 0 ? SIZE_MAX : path->last; /* it would go on */
    return true;
}

static crm_status follow(course *on, crm_error *error)
{
    lzb_path *path = on->path;
    size_t s = path->model->contacts, count = 0;
    for (size_t j = 0; j < s; j++) {
        if (path->mode[j] != LZB_OPEN) {
            on->list[count++] = (uint32_t)j;
        }
    }
    crm_status status = find_band(on, count, error);
    lzb_rest_note_start(path);
    for (size_t i = 0; status == CRM_OK && !has_ended(path); i++) {
        if (i == MOST_STEPS) {
            return crm_fail(error, CRM_ERROR_NUMERICS, NULL,
                            "the path of the impact needs more than %zu steps; it has no "
                            "derivative here",
                            MOST_STEPS);
        }
        if (crm_watch_interrupts(path->watching, LZB_PATH_KICKS * path->band.count)) {
            return crm_fail(error, CRM_ERROR_STOPPED, NULL, "told to end");
        }
        status = take_step(on, error);
    }
    return status;
}

crm_status lzb_path_make(const crm_problem *problem, lzb_stiffness stiffness,
                         crm_trace_request request, lzb_path *path, crm_error *error)
{
    *path = (lzb_path){.model = problem->model,
                       .watching = problem->watching,
                       .stiffness = stiffness,
                       .tops = request.peaks || request.restitution,
                       .speed = lzb_state_speed(problem),
                       .jump = SIZE_MAX,
                       .last = SIZE_MAX};
    path->quiet = QUIET_SHARE * path->speed;
    course on = {.path = path};
    if (!path_arrays(path, &on, problem->pool)) {
        return crm_fail_memory(error);
    }
    crm_status status = lzb_band_create(&path->band, problem->model, problem->pool, error);
    path->band.logs = request.exponent;
    if (status == CRM_OK && path->speed > 0) {
        status = start(&on, problem, error);
        if (status == CRM_OK) {
            status = follow(&on, error);
        }
        path->last = path->last_is_tied ? SIZE_MAX : path->last;
    } else if (status == CRM_OK) {
        for (size_t j = 0; j < problem->model->contacts; j++) {
            path->c[j] = -problem->gap_velocity[j];
            path->peak[j] = SIZE_MAX;
        }
        lzb_rest_note_start(path);
    }
    return status;
}

void lzb_path_release(lzb_path *path)
{
    free(path->steps);
    free(path->events);
    free(path->bands);
    free(path->doubts);
    free(path->members);
    free(path->modes);
    free(path->states);
    lzb_band_release(&path->band);
}
