/* From event to event; telling the observer; reading. */
#include <math.h>

#include "motion/flight/flight.h"

/* ---- Reading -------------------------------------------------------------------------------- */

static void read_at(const flight *f, double t, double *position, double *velocity)
{
    size_t n = 0;
    for (size_t i = 0; i < f->balls; i++) {
        double x[3], v[3];
        if (f->mode[i] == FLIGHT_FIXED) {
            continue;
        }
        flight_at(f, i, t, x, v);
        for (unsigned d = 0; d < f->dimension; d++, n++) {
            position[n] = x[d];
            velocity[n] = v[d];
        }
    }
}

static void read(const crm_motion *motion, double *position, double *velocity)
{
    read_at((const flight *)motion, motion->time, position, velocity);
}

/* Nothing moves. Walls that do may still strike something: then nothing may be predicted either. */
static bool is_at_rest(const flight *f)
{
    bool still = true;
    for (size_t k = 0; k < f->walls; k++) {
        still &= f->wall[k].speed == 0 && f->wall[k].amplitude == 0;
    }
    return f->started && f->moving == 0 &&
           (still || !(flight_agenda_soonest(&f->agenda) < INFINITY));
}

static crm_motion_summary summarize(const crm_motion *motion)
{
    const flight *f = (const flight *)motion;
    double work;
    bool rests = is_at_rest(f) && f->rest_since <= motion->time;
    crm_motion_summary s = {.impacts = f->impacts,
                            .at_rest_since = rests ? f->rest_since : NAN,
                            .max_penetration = f->max_penetration};
    crm_motion_account *e = &s.energy;
    e->kinetic_before = f->kinetic_before;
    e->potential_before = f->potential_before;
    flight_energies(f, motion->time, &e->kinetic_after, &e->potential_after, &work);
    e->lost = f->lost.sum + f->lost.rest;
    e->work = f->work.sum + f->work.rest + work;
    e->error = (e->kinetic_before - e->kinetic_after) + (e->potential_before - e->potential_after) +
               e->work - e->lost;
    return s;
}

/* ---- The start ------------------------------------------------------------------------------ */

static bool anything_presses(const flight *f)
{
    bool presses = !f->weightless;
    for (size_t k = 0; k < f->walls; k++) {
        presses |= f->wall[k].amplitude != 0;
    }
    return presses;
}

/* What a ball touches that does not move. */
static crm_status find_supports(flight *f, size_t ball, crm_error *error)
{
    crm_status status = CRM_OK;
    flight_look(f, ball, 0, &f->near[0]);
    for (size_t n = 0; n < f->near[0].count && status == CRM_OK; n++) {
        size_t k = f->near[0].ball[n];
        if (f->mode[k] == FLIGHT_FIXED) {
            flight_contact c = flight_contact_at(f, ball, k, 0);
            status = c.gap <= flight_closure(f, &c, 0) ? flight_cluster_add(f, &c, error) : CRM_OK;
        }
    }
    for (size_t k = 0; k < f->walls && status == CRM_OK; k++) {
        flight_contact c = flight_contact_at(f, ball, f->balls + k, 0);
        status = c.gap <= flight_closure(f, &c, 0) ? flight_cluster_add(f, &c, error) : CRM_OK;
    }
    return status;
}

static crm_status start(flight *f, crm_error *error)
{
    bool presses = anything_presses(f);
    for (size_t i = 0; i < f->balls; i++) {
        if (f->mode[i] == FLIGHT_FIXED) {
            continue;
        }
        crm_status status = presses ? find_supports(f, i, error) : CRM_OK;
        if (status != CRM_OK) {
            return status;
        }
        flight_settle(f, i, f->cluster.contact, f->cluster.contacts, 0, 0);
        flight_cluster_clear(f);
    }
    for (size_t i = 0; i < f->balls; i++) {
        if (f->mode[i] != FLIGHT_FIXED) {
            flight_predict(f, i, 0, NULL);
        }
    }
    f->started = true;
    return CRM_OK;
}

/* ---- Events --------------------------------------------------------------------------------- */

static void cross(flight *f, size_t ball, double t)
{
    f->traffic.crossings++;
    flight_cross(f, ball);
    if (flight_is_resolved(f, ball)) {
        flight_predict_crossed(f, ball, t);
        flight_mind_traffic(f, t);
        return;
    }
    char name[64];
    flight_party_name(f, ball, name, sizeof name);
    flight_fail(f, "%s has left the region in which positions are told to a part of its size",
                name);
}

/* What the ball whose turn it is has in mind, at time `key`. */
static crm_status do_event(flight *f, size_t ball, double key, crm_error *error)
{
    const flight_slot *slot = &f->slot[ball];
    double t = key > f->now ? key : f->now;
    f->now = t;
    if (slot->meeting == key) {
        if (slot->partner_stamp != f->stamp[slot->partner]) {
            flight_predict_meeting(f, ball, t);
            return CRM_OK;
        }
        return flight_meet(f, ball, slot->partner, t, slot->unsure, error);
    }
    if (slot->wall_meeting == key) {
        if (slot->wall != FLIGHT_NONE) {
            return flight_meet(f, ball, f->balls + slot->wall, t, slot->wall_unsure, error);
        }
        flight_let_go(f, ball, t);
        return CRM_OK;
    }
    cross(f, ball, t);
    return CRM_OK;
}

static crm_status next_event(flight *f, double soonest, crm_error *error)
{
    flight_foresee(f, soonest);
    return do_event(f, flight_agenda_first(&f->agenda), soonest, error);
}

/* ---- The observer --------------------------------------------------------------------------- */

/* The multiples of `every` that lie before `until` (or at it) and have not been told. */
static void tell_states(flight *f, double until, bool at_it)
{
    const crm_observer *o = f->observer;
    if (o == NULL || o->state == NULL || !(o->every > 0)) {
        return;
    }
    double k = ceil(f->motion.time / o->every);
    for (; !f->interrupted; k++) {
        double t = k * o->every;
        if (t <= f->reported || t < f->motion.time) {
            continue;
        }
        if (t > until || (t == until && !at_it)) {
            return;
        }
        read_at(f, t, f->state, f->state + f->motion.positions);
        f->reported = f->motion.time = t;
        f->interrupted |=
            o->state(o->context, t, f->state, f->state + f->motion.positions) != CRM_OK;
    }
}

/* ---- The run -------------------------------------------------------------------------------- */

static bool stops(const flight *f, crm_motion_stop *stopped)
{
    bool enough =
        f->motion.options.stop_impacts > 0 && f->impacts >= f->motion.options.stop_impacts;
    *stopped = f->motion.failed ? CRM_STOP_FAILED
               : f->interrupted ? CRM_STOP_INTERRUPTED
                                : CRM_STOP_IMPACTS;
    return f->motion.failed || f->interrupted || enough;
}

/* Until `end`, or until all is at rest before. */
static crm_motion_stop finish(flight *f, double end)
{
    crm_motion_stop reason = CRM_STOP_DURATION;
    if (f->motion.options.stop_at_rest && is_at_rest(f) && f->rest_since <= end) {
        end = fmax(f->motion.time, f->rest_since);
        reason = CRM_STOP_AT_REST;
    }
    tell_states(f, end, true);
    if (f->interrupted) {
        return CRM_STOP_INTERRUPTED;
    }
    f->motion.time = end;
    return reason;
}

static crm_status run(crm_motion *motion, double end, const crm_observer *observer,
                      crm_motion_stop *stopped, crm_error *error)
{
    flight *f = (flight *)motion;
    crm_status status = f->started ? CRM_OK : start(f, error);
    f->observer = observer;
    f->interrupted = false;
    while (status == CRM_OK && !stops(f, stopped)) {
        double soonest = flight_agenda_soonest(&f->agenda);
        bool rests = f->motion.options.stop_at_rest && f->moving == 0 && is_at_rest(f);
        if (rests || !(soonest <= end)) {
            *stopped = finish(f, end);
            break;
        }
        tell_states(f, soonest, false);
        if (!f->interrupted) {
            status = next_event(f, soonest, error);
            motion->time = fmax(motion->time, f->now);
        }
    }
    f->observer = NULL;
    return status;
}

const crm_motion_kind crm_flight_kind = {
    .run = run, .free = crm_flight_free, .read = read, .summarize = summarize};
