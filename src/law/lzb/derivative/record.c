/* The course of an impact as the engine follows it, watched. */
#include <math.h>
#include <stdlib.h>

#include "base/width.h"
#include "law/lzb/derivative/path.h"
#include "law/lzb/state/bodies.h"

#define LOOPS "law/lzb/derivative/record_loops.h"
#include "base/loops.h"
LOOP(depths);
LOOP(changes);

/* Relative to the largest closing speed: the error of a step, ... */
static const double ALLOWED = 1e-13;
/* ... and that of what it hands on of a change as large as it may be. */
static const double ALLOWED_CHANGE = 1e-12;
/* Turns and openings are met so nearly, relative. */
static const double NEAR = 1e-11;
/* Contacts slower than this, relative, are left alone. */
static const double IGNORED_SHARE = 1e-11;
/* When no contact at work is faster than this, relative, or could become so, the path ends: what is
 * left is a tail, in which changes have died away as speeds have.
 */
static const double END_SHARE = 1e-9;
/* Closing speeds are found by way of the bodies where D does not tell them to this. */
static const double BODIES_TOLERANCE = 1e-8;
static const double MOST_STEPS = 1e6;
/* A step that is this part of the first one is not shortened for what changes make of it. */
static const double LEAST_SHARE = 1e-13;
/* Openings whose times differ by less than this, relative, are at one instant. */
static const double SAME_INSTANT = 1e-9;

/* ---- The error of a step --------------------------------------------------------------------- */

static double dot(const lzb_nodal *a, const lzb_nodal *b)
{
    double sum = 0;
    for (unsigned l = 0; l < LZB_NODES; l++) {
        sum += (*a)[l] * (*b)[l];
    }
    return sum;
}

/* As that of the forces (docs/theory/lzb-collocation.md), with the exponent of the slope. */
static double error_of(const lzb_engine *e, const lzb_member *member, const lzb_nodal *change)
{
    const lzb_table *table = lzb_engine_table(e);
    double impulse = e->trial.length * fabs(dot(&table->impulse, change));
    return lzb_engine_error(e, member, change, impulse, 6 * member->exponent - 1);
}

static double error_of_changes(void *self, lzb_engine *e)
{
    lzb_path *path = self;
    const lzb_state *state = &path->state;
    double worst = 0;
    depths[state->width](e, path->depth);
    if (e->trial.length < path->least) {
        return 0;
    }
    for (size_t i = 0; i < e->window.pressing; i++) {
        const lzb_member *member = &e->window.member[i];
        size_t j = member->contact;
        lzb_nodal change;
        if (member->kind != LZB_LINEAR) {
            changes[state->width](e, i, &path->depth[i], state->time - path->watch[j].entered,
                                  state->speed, state->x_scale[j], &change);
            worst = lzb_larger(worst, error_of(e, member, &change));
        }
        if (path->observer.logs) {
            for (unsigned l = 0; l < LZB_NODES; l++) {
                double depth = path->depth[i][l] / state->x_scale[j];
                change[l] = depth > 0 ? e->force[i][l] * crm_log(depth) : 0;
            }
            worst = lzb_larger(worst, error_of(e, member, &change));
        }
    }
    return worst * (ALLOWED / ALLOWED_CHANGE);
}

/* ---- What happens ---------------------------------------------------------------------------- */

static bool is_mono(const lzb_path *path, size_t j)
{
    return path->state.stiffness_model == LZB_MONO && path->model->restitution[j] < 1;
}

static void note_last(lzb_path *path)
{
    const lzb_path_event *events = lzb_path_events(path);
    size_t now = path->events.count - 1;
    path->last_is_tied = path->last != SIZE_MAX && events[now].time - events[path->last].time <=
                                                       SAME_INSTANT * events[now].time;
    path->last = now;
}

static void enter(lzb_path *path, const lzb_engine *e, const lzb_member *member)
{
    lzb_path_watch *watch = &path->watch[member->contact];
    double x = path->state.x[member->contact], c = member->c1;
    watch->top = 0;
    watch->reentered = false;
    lzb_rest_note_entry(path, member->contact);
    watch->entered = path->state.time;
    if (x > 0 && member->c < -e->ignored) {
        lzb_path_keep_event(path, (lzb_path_event){.kind = LZB_PATH_ENTER,
                                                   .contact = member->contact,
                                                   .step = path->steps.count,
                                                   .time = path->state.time,
                                                   .x = x,
                                                   .c = c,
                                                   .a = 0.5 * c * c / x,
                                                   .rate = 1});
    }
}

static lzb_path_kind kind_of(const lzb_path *path, lzb_change change)
{
    switch (change) {
    case LZB_TURNS:
        return LZB_PATH_TURN;
    case LZB_STOPS:
        return LZB_PATH_STOP;
    case LZB_REENTERS:
        return LZB_PATH_REENTER;
    case LZB_OPENS:
        return path->state.stiffness_model == LZB_MONO ? LZB_PATH_RELEASE : LZB_PATH_OPEN;
    default:
        return LZB_PATH_FADE;
    }
}

static void happen(void *self, const lzb_engine *e, const lzb_member *member, lzb_change change,
                   double accel)
{
    lzb_path *path = self;
    size_t j = member->contact;
    if (change == LZB_ENTERS) {
        enter(path, e, member);
        return;
    }
    lzb_path_watch *watch = &path->watch[j];
    lzb_path_kind kind = kind_of(path, change);
    kind = kind == LZB_PATH_RELEASE && !member->turns ? LZB_PATH_OPEN : kind;
    bool opens = change == LZB_OPENS;
    double above = opens ? member->x1 : member->x, x = above + member->open,
           c = opens ? member->c1 : member->c;
    double left = kind == LZB_PATH_OPEN ? -x / (member->rate * c) : 0; /* to the very opening */
    bool turns = change == LZB_TURNS || change == LZB_REENTERS;
    bool is_near = fabs(c) <= lzb_engine_band(e, member, c, accel, member->x);
    double a = turns && !is_near ? 0 : accel; /* it only begins on the other side */
    lzb_path_keep_event(path, (lzb_path_event){kind, member->contact, path->steps.count,
                                               path->state.time + left, x, c, a, member->rate,
                                               watch->top});
    if (path->status != CRM_OK) {
        return;
    }
    switch (change) {
    case LZB_TURNS:
        watch->top = x;
        lzb_marginal_turn(path, j);
        break;
    case LZB_REENTERS:
        lzb_marginal_reentry(path, j, above, c, accel);
        break;
    case LZB_STOPS:
        watch->top = x;
        lzb_marginal_stop(path, j, accel);
        note_last(path);
        break;
    case LZB_OPENS:
        lzb_marginal_opening(path, j, accel);
        note_last(path);
        if (is_mono(path, j)) {
            lzb_marginal_release(path, j);
        }
        break;
    default:
        if (x > 1e-2 * watch->ignored) {
            path->last = SIZE_MAX; /* it would have gone on */
        }
    }
}

static void keep_step(void *self, lzb_engine *e)
{
    lzb_path *path = self;
    const lzb_engine_window *w = &e->window;
    lzb_rest_note(path, e);
    lzb_path_keep_window(path, e);
    if (path->status == CRM_OK) {
        lzb_path_keep_step(path, e);
    }
    if (path->status == CRM_OK) {
        lzb_marginal_hidden(path, e);
    }
    for (size_t i = 0; i < w->count; i++) {
        const lzb_member *member = &w->member[i];
        lzb_path_watch *watch = &path->watch[member->contact];
        watch->rate = lzb_engine_accel_after(e, i, 0);
        if (i < w->pressing) {
            watch->top = lzb_larger(watch->top, member->x1 + member->open);
        }
    }
    path->seen = path->events.count;
}

/* ---- The start ------------------------------------------------------------------------------- */

static double indentation(const crm_model *model, size_t j, double speed)
{
    return lzb_contact_indentation(model->stiffness[j], model->exponent[j],
                                   speed * speed / (2.0 * model->d_diagonal[j]));
}

/* A precompressed contact that is let go starts in expansion, or has lost all. */
static void start_stored(lzb_path *path, size_t j)
{
    const crm_model *model = path->model;
    const lzb_state *state = &path->state;
    lzb_path_watch *watch = &path->watch[j];
    lzb_path_event event = {.kind = LZB_PATH_START,
                            .contact = (uint32_t)j,
                            .x = lzb_contact_indentation(model->stiffness[j], model->exponent[j],
                                                         model->stored_energy[j]),
                            .c = state->c[j],
                            .rate = 1};
    lzb_path_keep_event(path, event);
    bool lost = !(state->x[j] > 0);
    if (path->status != CRM_OK || (state->mode[j] != LZB_EXPANDING && !lost)) {
        return;
    }
    event.kind = lost ? LZB_PATH_LOSE : LZB_PATH_TURN;
    watch->top = event.x;
    lzb_path_keep_event(path, event);
    if (path->status == CRM_OK) {
        lzb_marginal_turn(path, j);
    }
}

static void start(lzb_path *path, double ignored)
{
    const crm_model *model = path->model;
    for (size_t j = 0; path->status == CRM_OK && j < model->contacts; j++) {
        path->before[j] = path->state.c[j];
        path->watch[j] =
            (lzb_path_watch){.ignored = indentation(model, j, ignored),
                             .end = indentation(model, j, END_SHARE * path->state.speed),
                             .peak = SIZE_MAX};
        if (model->stored_energy[j] > 0) {
            start_stored(path, j);
        }
    }
    path->ignored = ignored;
    lzb_rest_note_start(path, ignored);
}

static bool take_arrays(lzb_path *path, crm_pool *pool)
{
    size_t s = path->model->contacts;
    path->before = CRM_TAKE(pool, double, s);
    path->watch = CRM_TAKE(pool, lzb_path_watch, s);
    path->resting = CRM_TAKE(pool, uint8_t, s);
    path->depth = CRM_TAKE(pool, lzb_nodal, s);
    path->kept_force = CRM_TAKE(pool, lzb_nodal, s);
    path->kept_member = CRM_TAKE(pool, lzb_member, s);
    return path->before != NULL && path->watch != NULL && path->resting != NULL &&
           path->depth != NULL && path->kept_force != NULL && path->kept_member != NULL;
}

/* ---- The course ------------------------------------------------------------------------------ */

static bool has_ended(lzb_path *path, const lzb_engine *e)
{
    const lzb_state *state = e->state;
    bool working = false;
    for (size_t i = 0; i < e->window.count; i++) {
        size_t j = e->window.member[i].contact;
        if (state->mode[j] != LZB_OPEN) {
            if (lzb_state_depth(state, j) > path->watch[j].end ||
                fabs(state->c[j]) > END_SHARE * state->speed) {
                return false;
            }
            working = true;
        }
    }
    path->last = working ? SIZE_MAX : path->last; /* it would go on */
    return true;
}

static crm_status follow(lzb_path *path, lzb_engine *e, crm_error *error)
{
    lzb_progress progress = LZB_MOVED;
    for (size_t steps = 0; progress == LZB_MOVED && (steps == 0 || !has_ended(path, e)); steps++) {
        if ((double)steps >= MOST_STEPS) {
            return crm_fail(error, CRM_ERROR_NUMERICS, NULL,
                            "the path of the impact needs more than %.0f steps; it has no "
                            "derivative here",
                            MOST_STEPS);
        }
        if (crm_watch_interrupts(path->state.watching, LZB_NODES * e->window.count)) {
            return crm_fail(error, CRM_ERROR_STOPPED, NULL, "told to end");
        }
        progress = lzb_engine_step(e, INFINITY);
        if (path->status != CRM_OK) {
            return path->status;
        }
    }
    return progress != LZB_STUCK
               ? CRM_OK
               : crm_fail(error, CRM_ERROR_NUMERICS, NULL,
                          "no step of the path of the impact could be found; it has no "
                          "derivative here");
}

/* The time for which the quickest contact would be held by itself, about. */
static double first_length(const lzb_state *state)
{
    double shortest = INFINITY;
    for (size_t j = 0; j < state->contacts; j++) {
        if (state->x[j] > 0 || state->c[j] > 0) {
            shortest = fmin(shortest, state->x_scale[j] / state->speed);
        }
    }
    return shortest;
}

static crm_status run(lzb_path *path, crm_error *error)
{
    lzb_state *state = &path->state;
    lzb_engine engine = {.state = state,
                         .observer = &path->observer,
                         .small = ALLOWED * state->speed,
                         .ignored = IGNORED_SHARE * state->speed,
                         .next_length = first_length(state)};
    path->least = LEAST_SHARE * engine.next_length;
    crm_status status = lzb_bodies_begin(state, BODIES_TOLERANCE, error);
    if (status == CRM_OK) {
        status = lzb_engine_create(&engine, error);
    }
    start(path, engine.ignored);
    if (status == CRM_OK) {
        status = path->status;
    }
    return status == CRM_OK ? follow(path, &engine, error) : status;
}

crm_status lzb_path_make(const crm_problem *problem, lzb_stiffness_model stiffness_model,
                         crm_trace_request request, lzb_path *path, crm_error *error)
{
    *path = (lzb_path){.model = problem->model, .jump = SIZE_MAX, .last = SIZE_MAX, .error = error};
    path->observer = (lzb_observer){.self = path,
                                    .turns = request.peaks || request.restitution,
                                    .logs = request.exponent,
                                    .accuracy = NEAR,
                                    .error = error_of_changes,
                                    .step = keep_step,
                                    .change = happen};
    crm_outcome outcome = {.impulse = CRM_TAKE(problem->pool, double, problem->model->contacts)};
    if (outcome.impulse == NULL || !take_arrays(path, problem->pool)) {
        return crm_fail_memory(error);
    }
    crm_status status = lzb_state_create(problem, stiffness_model, &path->state, &outcome, error);
    if (status != CRM_OK) {
        return status;
    }
    if (!(path->state.speed > 0)) {
        start(path, 0);
        return path->status;
    }
    status = run(path, error);
    for (size_t j = 0; j < path->state.contacts; j++) {
        path->state.p[j] += path->state.remainder[j];
    }
    path->last = path->last_is_tied ? SIZE_MAX : path->last;
    return status;
}

void lzb_path_release(lzb_path *path)
{
    const lzb_path_list lists[] = {path->steps,   path->events, path->windows, path->marginals,
                                   path->members, path->modes,  path->states};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        free(lists[i].items);
    }
}
