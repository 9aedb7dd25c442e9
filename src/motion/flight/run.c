/* The loop over events. */
#include <math.h>

#include "motion/flight/flight.h"

bool flight_walls_move(const flight *f)
{
    bool move = false;
    for (size_t k = 0; k < f->walls; k++) {
        move |= f->wall[k].speed != 0 || f->wall[k].amplitude != 0;
    }
    return move;
}

bool flight_is_at_rest(const flight *f)
{
    return f->started && f->moving == 0 &&
           (!flight_walls_move(f) || !(flight_queue_first_time(&f->queue) < INFINITY));
}

/* ---- The start ------------------------------------------------------------------------------- */

static bool anything_presses(const flight *f)
{
    bool presses = !f->weightless;
    for (size_t k = 0; k < f->walls; k++) {
        presses |= f->wall[k].amplitude != 0;
    }
    return presses;
}

crm_status flight_find_supports(flight *f, size_t ball, double t, crm_error *error)
{
    crm_status status = CRM_OK;
    flight_find_neighbours(f, ball, t, &f->neighbours[0]);
    for (size_t n = 0; n < f->neighbours[0].count && status == CRM_OK; n++) {
        size_t k = f->neighbours[0].ball[n];
        if (f->mode[k] == FLIGHT_FIXED) {
            flight_contact c = flight_contact_at(f, ball, k, t);
            status =
                c.gap <= flight_closure_gap(f, &c, 0) ? flight_cluster_add(f, &c, error) : CRM_OK;
        }
    }
    for (size_t k = 0; k < f->walls && status == CRM_OK; k++) {
        flight_contact c = flight_contact_at(f, ball, f->balls + k, t);
        status = c.gap <= flight_closure_gap(f, &c, 0) ? flight_cluster_add(f, &c, error) : CRM_OK;
    }
    return status;
}

static bool flies(const flight *f, size_t i)
{
    return f->mode[i] == FLIGHT_FREE || f->mode[i] == FLIGHT_SUPPORTED;
}

/* Requests for balls that press a supported one. */
static void request_pressed(flight *f, size_t ball)
{
    flight_find_neighbours(f, ball, 0, &f->neighbours[0]);
    for (size_t n = 0; n < f->neighbours[0].count && f->mode[ball] == FLIGHT_SUPPORTED; n++) {
        flight_contact c = flight_contact_at(f, ball, f->neighbours[0].ball[n], 0);
        if (c.gap <= flight_closure_gap(f, &c, 0) && c.u >= -flight_contact_noise(f, &c) &&
            flight_stays_closed(f, &c, 0, 0)) {
            flight_add_request(f, c.first, FLIGHT_NONE);
            flight_add_request(f, c.second, FLIGHT_NONE);
        }
    }
}

crm_status flight_start(flight *f, crm_error *error)
{
    bool presses = anything_presses(f);
    for (size_t i = 0; i < f->balls; i++) {
        if (!flies(f, i)) {
            continue;
        }
        crm_status status = presses ? flight_find_supports(f, i, 0, error) : CRM_OK;
        if (status != CRM_OK) {
            return status;
        }
        flight_update_support(f, i, f->cluster.contact, f->cluster.contacts, 0, 0);
        flight_cluster_clear(f);
    }
    for (size_t i = 0; i < f->balls; i++) {
        if (flies(f, i)) {
            flight_predict(f, i, 0, NULL);
        }
        if (f->mode[i] == FLIGHT_SUPPORTED) {
            request_pressed(f, i);
        }
    }
    f->started = true;
    return CRM_OK;
}

/* ---- Events ---------------------------------------------------------------------------------- */

static void cross_cell(flight *f, size_t ball, double t)
{
    f->cell_use.crossings++;
    flight_cross_cell(f, ball);
    if (flight_is_resolved(f, ball)) {
        flight_predict_crossed(f, ball, t);
        flight_adapt_cells(f, t);
        return;
    }
    char name[64];
    flight_party_name(f, ball, name, sizeof name);
    flight_fail(f, "%s has left the region in which double precision resolves its size", name);
}

/* The event of the ball that is due at time `key`. */
static crm_status do_event(flight *f, size_t ball, double key, crm_error *error)
{
    const flight_events *events = &f->events[ball];
    double t = key > f->now ? key : f->now;
    f->now = t;
    if (events->meeting == key) {
        if (events->partner_version != f->version[events->partner]) {
            flight_predict_meeting(f, ball, t);
            return CRM_OK;
        }
        if (f->mode[events->partner] == FLIGHT_EXTERNAL) {
            flight_add_request(f, ball, events->partner);
            return CRM_OK;
        }
        return flight_handle_meeting(f, ball, events->partner, t, events->provisional, error);
    }
    if (events->wall_meeting == key) {
        if (events->wall != FLIGHT_NONE) {
            return flight_handle_meeting(f, ball, f->balls + events->wall, t,
                                         events->wall_provisional, error);
        }
        flight_release(f, ball, t);
        return CRM_OK;
    }
    cross_cell(f, ball, t);
    return CRM_OK;
}

static crm_status next_event(flight *f, double earliest, crm_error *error)
{
    flight_prefetch(f, earliest);
    return do_event(f, flight_queue_first_ball(&f->queue), earliest, error);
}

/* Work of an event, in contacts visited, for watches of a run. */
enum { EVENT_WORK = 500 };

/* ---- The run --------------------------------------------------------------------------------- */

crm_status flight_run_until(flight *f, double until, uint64_t most, bool stop_at_rest,
                            crm_error *error)
{
    crm_status status = CRM_OK;
    while (status == CRM_OK && !f->motion.failed && !f->interrupted && f->requests == 0 &&
           f->impacts < most) {
        double earliest = flight_queue_first_time(&f->queue);
        if (!(earliest <= until) || (stop_at_rest && f->moving == 0 && flight_is_at_rest(f))) {
            break;
        }
        if (crm_motion_ends(&f->motion, EVENT_WORK)) {
            f->interrupted = true;
            break;
        }
        status = next_event(f, earliest, error);
    }
    return status;
}
