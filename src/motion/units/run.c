/* Unit by unit, in the order of time: the flight until the next event of a group, then that. */
#include <math.h>

#include "motion/units/units.h"

/* What an event of a group, or a look, costs at least, in contacts gone through. */
enum { LOOK_WORK = 1000 };

/* ---- The observer ---------------------------------------------------------------------------- */

/* Units count for themselves; what is told is counted over all. */
static crm_status tell_impact(void *context, const crm_impact_report *impact)
{
    const units *u = context;
    crm_impact_report report = *impact;
    report.number = units_impacts(u);
    return u->observer->impact(u->observer->context, &report);
}

/* The next of its multiples; INFINITY: none. */
static double next_sample(const units *u)
{
    double before = nextafter(u->motion.time, -INFINITY);
    return crm_motion_next_sample(u->observer, fmax(u->sampled, before));
}

static crm_status tell_state(units *u, double t, crm_motion_stop *stopped, bool *go_on,
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
    units_state_at(u, t, u->state, u->state + positions);
    u->sampled = u->motion.time = t;
    *go_on = o->state(o->context, t, u->state, u->state + positions) == CRM_OK;
    *stopped = CRM_STOP_INTERRUPTED;
    return CRM_OK;
}

/* ---- Failures -------------------------------------------------------------------------------- */

/* Too many have come together, or something else that no group can be made of. */
static crm_status judge(units *u, crm_status status, crm_motion_stop *stopped, bool *go_on,
                        crm_error *error)
{
    *go_on &= status == CRM_OK;
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

static crm_status answer(units *u, const flight_ask *ask, double t, crm_error *error)
{
    flight *f = u->flight;
    if (f->mode[ask->ball] == FLIGHT_AWAY) {
        return CRM_OK;
    }
    if (ask->body == FLIGHT_NONE || units_is_fixed(u, ask->body)) {
        return units_take(u, ask->ball, t, error);
    }
    units_queue(u, ask->body);
    return CRM_OK;
}

static crm_status answer_all(units *u, crm_error *error)
{
    flight *f = u->flight;
    size_t asks = f->asks;
    crm_status status = units_prepare(u, error);
    for (size_t k = 0; k < asks && status == CRM_OK; k++) {
        status = answer(u, &f->ask[k], f->now, error);
    }
    status = status == CRM_OK ? units_regroup(u, f->now, error) : status;
    for (size_t k = 0; k < asks && status == CRM_OK; k++) {
        size_t ball = f->ask[k].ball;
        if (f->mode[ball] != FLIGHT_AWAY) {
            flight_predict_meeting(f, ball, f->now);
        }
    }
    f->asks -= asks;
    for (size_t k = 0; k < f->asks; k++) {
        f->ask[k] = f->ask[asks + k];
    }
    return status;
}

/* How many impacts the flight may still make. */
static uint64_t impacts_left(const units *u)
{
    uint64_t most = u->motion.options.stop_impacts, others = units_impacts(u) - u->flight->impacts;
    return most == 0 ? UINT64_MAX : most - others;
}

static crm_status fly(units *u, double until, crm_motion_stop *stopped, bool *go_on,
                      crm_error *error)
{
    flight *f = u->flight;
    bool enough = u->motion.options.stop_at_rest;
    for (size_t k = 0; k < u->groups; k++) {
        enough &= !isnan(u->group[k]->motion->at_rest_since);
    }
    crm_status status = flight_fly(f, until, impacts_left(u), enough, error);
    u->motion.time = fmax(u->motion.time, f->now);
    if (status == CRM_OK && f->motion.failed) {
        *go_on = false;
        return crm_motion_fail(&u->motion, stopped, "%s", f->motion.reason);
    }
    return judge(u, status, stopped, go_on, error);
}

/* ---- A group --------------------------------------------------------------------------------- */

static crm_status step_group(units *u, units_group *g, const crm_observer *observer,
                             crm_motion_stop *stopped, bool *go_on, crm_error *error)
{
    lag_motion *m = units_engine(g);
    crm_error own = {0};
    m->common.watching = u->motion.watching;
    crm_status status = m->stepping ? lag_finish_step(m, &own) : CRM_OK;
    g->state_time = NAN;
    status = status == CRM_OK ? lag_begin_step(m, observer, stopped, go_on, &own) : status;
    status = lag_judge(m, status, &own, stopped, error);
    if (m->common.failed) {
        *go_on = false;
        crm_motion_fail(&u->motion, stopped, "%s", m->common.reason);
    } else if (m->stepping) {
        units_find_look(u, g, m->t);
        units_guard_step(u, g);
    } else {
        *go_on = false; /* interrupted */
    }
    g->halted = !m->stepping;
    m->common.watching = NULL;
    return status;
}

static crm_status advance(units *u, units_group *g, const crm_observer *observer,
                          crm_motion_stop *stopped, bool *go_on, crm_error *error)
{
    const lag_motion *m = units_engine(g);
    u->motion.time = fmax(u->motion.time, units_group_next(g));
    if (m->stepping && g->look < m->t + m->h) {
        units_queue(u, g->leaver);
        return judge(u, units_regroup(u, g->look, error), stopped, go_on, error);
    }
    return step_group(u, g, observer, stopped, go_on, error);
}

static units_group *soonest_group(const units *u)
{
    units_group *soonest = NULL;
    for (size_t k = 0; k < u->groups; k++) {
        if (soonest == NULL || units_group_next(u->group[k]) < units_group_next(soonest)) {
            soonest = u->group[k];
        }
    }
    return soonest;
}

/* ---- The run --------------------------------------------------------------------------------- */

/* An instant is done to its end, however many impacts there have been. */
static bool stops(units *u, crm_motion_stop *stopped)
{
    const crm_motion_options *options = &u->motion.options;
    bool enough = options->stop_impacts > 0 && units_impacts(u) >= options->stop_impacts;
    for (size_t k = 0; k < u->groups; k++) {
        enough &= !u->group[k]->halted;
    }
    *stopped = u->flight->interrupted ? CRM_STOP_INTERRUPTED : CRM_STOP_IMPACTS;
    return u->flight->interrupted || enough;
}

/* The end of the run: that which was asked for, or rest before. */
static double find_end(const units *u, double end, crm_motion_stop *reason)
{
    double since;
    bool still = u->groups == 0 || !flight_walls_move(u->flight);
    *reason = CRM_STOP_DURATION;
    if (u->motion.options.stop_at_rest && units_are_at_rest(u, &since) && still && since <= end) {
        *reason = CRM_STOP_AT_REST;
        return fmax(u->motion.time, since);
    }
    return end;
}

/* It was not seen to come, and there is no going on. */
static crm_status stop_at_overlap(units *u, crm_motion_stop *stopped)
{
    const units_overlap *o = &u->overlap;
    char a[64], b[64];
    flight_party_name(u->flight, o->first, a, sizeof a);
    flight_party_name(u->flight, o->second, b, sizeof b);
    return crm_motion_fail(&u->motion, stopped,
                           "%s and %s overlap by %g at time %.17g: an impact was missed", a, b,
                           o->depth, o->time);
}

/* One thing after the other, until the run ends. */
static crm_status go(units *u, double asked, const crm_observer *observer, crm_motion_stop *stopped,
                     crm_error *error)
{
    flight *f = u->flight;
    for (bool go_on = true; go_on && !stops(u, stopped);) {
        crm_motion_stop reason;
        double end = find_end(u, asked, &reason), sample = next_sample(u);
        units_group *g = soonest_group(u);
        double next = g != NULL ? units_group_next(g) : INFINITY;
        double until = fmin(fmin(end, sample), next);
        crm_status status = CRM_OK;
        if (crm_motion_ends(&u->motion, LOOK_WORK)) {
            *stopped = CRM_STOP_INTERRUPTED;
            return CRM_OK;
        }
        if (f->asks > 0) {
            status = judge(u, answer_all(u, error), stopped, &go_on, error);
        } else if (flight_agenda_soonest(&f->agenda) <= until && reason != CRM_STOP_AT_REST) {
            status = fly(u, until, stopped, &go_on, error);
        } else if (next <= fmin(end, sample) && reason != CRM_STOP_AT_REST) {
            status = advance(u, g, observer, stopped, &go_on, error);
        } else if (sample <= end) {
            status = tell_state(u, sample, stopped, &go_on, error);
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

crm_status units_run(crm_motion *motion, double time, const crm_observer *observer,
                     crm_motion_stop *stopped, crm_error *error)
{
    units *u = (units *)motion;
    const crm_observer own = {.context = u, .impact = tell_impact};
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
    units_guard_begin(u);
    status = status == CRM_OK ? go(u, time, watched ? &own : NULL, stopped, error) : status;
    u->observer = u->flight->observer = NULL;
    u->flight->motion.watching = NULL;
    return status;
}
