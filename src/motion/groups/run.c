/* The run, in the order of time: the flight until the next event of a group, then that event. */
#include <math.h>

#include <string.h>

#include "motion/groups/groups.h"

/* Work of an event of a group at least, in contacts visited, for watches of a run. */
enum { REGROUP_WORK = 1000 };

/* ---- The observer ---------------------------------------------------------------------------- */

/* Flight and groups count impacts for themselves; reports number them over all. */
static crm_status notify_impact(void *context, const crm_impact_report *impact)
{
    const groups_motion *u = context;
    crm_impact_report report = *impact;
    report.number = groups_impacts(u);
    return u->observer->impact(u->observer->context, &report);
}

/* The next time at which the observer has a state; INFINITY: none. */
static double next_sample(const groups_motion *u)
{
    double before = nextafter(u->motion.time, -INFINITY);
    return crm_motion_next_sample(u->observer, fmax(u->sampled, before));
}

static crm_status notify_state(groups_motion *u, double t, crm_motion_stop *stopped, bool *go_on,
                               crm_error *error)
{
    size_t positions = u->motion.positions;
    if (u->state == NULL) {
        u->state = CRM_NEW(double, positions + u->motion.velocities);
    }
    if (u->state == NULL) {
        return crm_fail_memory(error);
    }
    const crm_observer *o = u->observer;
    groups_state_at(u, t, u->state, u->state + positions);
    u->sampled = u->motion.time = t;
    *go_on = o->state(o->context, t, u->state, u->state + positions) == CRM_OK;
    *stopped = CRM_STOP_INTERRUPTED;
    return CRM_OK;
}

/* ---- Failures -------------------------------------------------------------------------------- */

/* A group that cannot be made, because it would be too large, ends the motion with a reason. */
static crm_status run_status(groups_motion *u, crm_status status, crm_motion_stop *stopped,
                             bool *go_on, crm_error *error)
{
    *go_on &= status == CRM_OK;
    if (status == CRM_ERROR_MODEL && error != NULL && strncmp(error->place, "contacts[", 9) == 0) {
        return crm_motion_fail(&u->motion, stopped, "%s, in an impact", error->message);
    }
    if (status == CRM_ERROR_MODEL && error != NULL) {
        return crm_motion_fail(&u->motion, stopped,
                               "bodies that have come together cannot be moved event-driven from "
                               "time %.17g on (%s); time-stepping moves any number",
                               u->motion.time, error->message);
    }
    if (status != CRM_OK) {
        crm_motion_fail(&u->motion, stopped, "%s", error != NULL ? error->message : "");
    }
    return status;
}

/* ---- The flight ------------------------------------------------------------------------------ */

static crm_status serve_request(groups_motion *u, const flight_request *request, double t,
                                crm_error *error)
{
    flight *f = u->flight;
    if (f->mode[request->ball] == FLIGHT_EXTERNAL) {
        return CRM_OK;
    }
    if (request->body == FLIGHT_NONE || groups_is_fixed(u, request->body)) {
        return groups_take_from_flight(u, request->ball, t, error);
    }
    groups_queue_body(u, request->body);
    return CRM_OK;
}

static crm_status serve_requests(groups_motion *u, crm_error *error)
{
    flight *f = u->flight;
    size_t requests = f->requests;
    crm_status status = groups_allocate(u, error);
    for (size_t k = 0; k < requests && status == CRM_OK; k++) {
        status = serve_request(u, &f->request[k], f->now, error);
    }
    status = status == CRM_OK ? groups_regroup(u, f->now, error) : status;
    for (size_t k = 0; k < requests && status == CRM_OK; k++) {
        size_t ball = f->request[k].ball;
        if (f->mode[ball] != FLIGHT_EXTERNAL) {
            flight_predict_meeting(f, ball, f->now);
        }
    }
    f->requests -= requests;
    for (size_t k = 0; k < f->requests; k++) {
        f->request[k] = f->request[requests + k];
    }
    return status;
}

/* Impacts of the flight until the run is to stop. */
static uint64_t impacts_left(const groups_motion *u)
{
    uint64_t most = u->motion.options.stop_impacts, others = groups_impacts(u) - u->flight->impacts;
    return most == 0 ? UINT64_MAX : most - others;
}

static crm_status run_flight(groups_motion *u, double until, crm_motion_stop *stopped, bool *go_on,
                             crm_error *error)
{
    flight *f = u->flight;
    bool enough = u->motion.options.stop_at_rest;
    for (size_t k = 0; k < u->groups; k++) {
        enough &= !isnan(u->group[k]->motion->at_rest_since);
    }
    crm_status status = flight_run_until(f, until, impacts_left(u), enough, error);
    u->motion.time = fmax(u->motion.time, f->now);
    if (status == CRM_OK && f->motion.failed) {
        *go_on = false;
        return crm_motion_fail(&u->motion, stopped, "%s", f->motion.reason);
    }
    return run_status(u, status, stopped, go_on, error);
}

/* ---- A group --------------------------------------------------------------------------------- */

static crm_status step_group(groups_motion *u, groups_group *g, const crm_observer *observer,
                             crm_motion_stop *stopped, bool *go_on, crm_error *error)
{
    lagrange_motion *m = groups_engine(g);
    crm_error own = {0};
    m->common.watching = u->motion.watching;
    crm_status status = m->stepping ? lagrange_finish_step(m, &own) : CRM_OK;
    g->state_time = NAN;
    status = status == CRM_OK ? lagrange_begin_step(m, observer, stopped, go_on, &own) : status;
    status = lagrange_run_status(m, status, &own, stopped, error);
    if (m->common.failed) {
        *go_on = false;
        crm_motion_fail(&u->motion, stopped, "%s", m->common.reason);
    } else if (m->stepping) {
        groups_find_exit(u, g, m->t);
        groups_check_step(u, g);
    } else {
        *go_on = false; /* interrupted */
    }
    g->interrupted = !m->stepping;
    m->common.watching = NULL;
    return status;
}

static crm_status advance_group(groups_motion *u, groups_group *g, const crm_observer *observer,
                                crm_motion_stop *stopped, bool *go_on, crm_error *error)
{
    const lagrange_motion *m = groups_engine(g);
    u->motion.time = fmax(u->motion.time, groups_group_next_time(g));
    if (m->stepping && g->exit_time < m->t + m->h) {
        groups_queue_body(u, g->exit_body);
        return run_status(u, groups_regroup(u, g->exit_time, error), stopped, go_on, error);
    }
    return step_group(u, g, observer, stopped, go_on, error);
}

static groups_group *next_group(const groups_motion *u)
{
    groups_group *next = NULL;
    for (size_t k = 0; k < u->groups; k++) {
        if (next == NULL || groups_group_next_time(u->group[k]) < groups_group_next_time(next)) {
            next = u->group[k];
        }
    }
    return next;
}

/* ---- The run --------------------------------------------------------------------------------- */

/* Not between the impacts of one instant. */
static bool stops(groups_motion *u, crm_motion_stop *stopped)
{
    const crm_motion_options *options = &u->motion.options;
    bool enough = options->stop_impacts > 0 && groups_impacts(u) >= options->stop_impacts;
    for (size_t k = 0; k < u->groups; k++) {
        enough &= !u->group[k]->interrupted;
    }
    *stopped = u->flight->interrupted ? CRM_STOP_INTERRUPTED : CRM_STOP_IMPACTS;
    return u->flight->interrupted || enough;
}

/* The end of the run: the given time, or rest before. */
static double find_end(const groups_motion *u, double end, crm_motion_stop *reason)
{
    double since;
    bool still = u->groups == 0 || !flight_walls_move(u->flight);
    *reason = CRM_STOP_DURATION;
    if (u->motion.options.stop_at_rest && groups_are_at_rest(u, &since) && still && since <= end) {
        *reason = CRM_STOP_AT_REST;
        return fmax(u->motion.time, since);
    }
    return end;
}

/* Its impact was not found: the motion cannot go on. */
static crm_status stop_at_overlap(groups_motion *u, crm_motion_stop *stopped)
{
    const groups_overlap *o = &u->overlap;
    char a[64], b[64];
    flight_party_name(u->flight, o->first, a, sizeof a);
    flight_party_name(u->flight, o->second, b, sizeof b);
    return crm_motion_fail(&u->motion, stopped,
                           "%s and %s overlap by %g at time %.17g: an impact was missed", a, b,
                           o->depth, o->time);
}

/* Whatever comes next, until the run ends. */
static crm_status run_until(groups_motion *u, double asked, const crm_observer *observer,
                            crm_motion_stop *stopped, crm_error *error)
{
    flight *f = u->flight;
    for (bool go_on = true; go_on && !stops(u, stopped);) {
        crm_motion_stop reason;
        double end = find_end(u, asked, &reason), sample = next_sample(u);
        groups_group *g = next_group(u);
        double next = g != NULL ? groups_group_next_time(g) : INFINITY;
        double until = fmin(fmin(end, sample), next);
        crm_status status = CRM_OK;
        if (crm_motion_ends(&u->motion, REGROUP_WORK)) {
            *stopped = CRM_STOP_INTERRUPTED;
            return CRM_OK;
        }
        if (f->requests > 0) {
            status = run_status(u, serve_requests(u, error), stopped, &go_on, error);
        } else if (flight_queue_first_time(&f->queue) <= until && reason != CRM_STOP_AT_REST) {
            status = run_flight(u, until, stopped, &go_on, error);
        } else if (next <= fmin(end, sample) && reason != CRM_STOP_AT_REST) {
            status = advance_group(u, g, observer, stopped, &go_on, error);
        } else if (sample <= end) {
            status = notify_state(u, sample, stopped, &go_on, error);
        } else {
            u->motion.time = end;
            *stopped = reason;
            return CRM_OK;
        }
        if (status != CRM_OK) {
            return status;
        }
        if (u->overlap.found) {
            return stop_at_overlap(u, stopped);
        }
    }
    return CRM_OK;
}

crm_status groups_run(crm_motion *motion, double time, const crm_observer *observer,
                      crm_motion_stop *stopped, crm_error *error)
{
    groups_motion *u = (groups_motion *)motion;
    const crm_observer own = {.context = u, .impact = notify_impact};
    bool watched = observer != NULL && observer->impact != NULL;
    crm_error unwanted = {0};
    error = error != NULL ? error : &unwanted;
    u->observer = observer;
    u->flight->observer = watched ? &own : NULL;
    u->flight->interrupted = false;
    u->flight->motion.watching = u->motion.watching;
    crm_status status = CRM_OK;
    if (!u->started) {
        status = flight_start(u->flight, error);
        u->started = status == CRM_OK;
    }
    groups_check_begin(u);
    status = status == CRM_OK ? run_until(u, time, watched ? &own : NULL, stopped, error) : status;
    u->observer = u->flight->observer = NULL;
    u->flight->motion.watching = NULL;
    return status;
}
