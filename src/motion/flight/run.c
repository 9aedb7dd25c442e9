/* From event to event. */
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
           (!flight_walls_move(f) || !(flight_agenda_soonest(&f->agenda) < INFINITY));
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

crm_status flight_find_supports(flight *f, size_t ball, double t, crm_error *error)
{
    crm_status status = CRM_OK;
    flight_look(f, ball, t, &f->near[0]);
    for (size_t n = 0; n < f->near[0].count && status == CRM_OK; n++) {
        size_t k = f->near[0].ball[n];
        if (f->mode[k] == FLIGHT_FIXED) {
            flight_contact c = flight_contact_at(f, ball, k, t);
            status = c.gap <= flight_closure(f, &c, 0) ? flight_cluster_add(f, &c, error) : CRM_OK;
        }
    }
    for (size_t k = 0; k < f->walls && status == CRM_OK; k++) {
        flight_contact c = flight_contact_at(f, ball, f->balls + k, t);
        status = c.gap <= flight_closure(f, &c, 0) ? flight_cluster_add(f, &c, error) : CRM_OK;
    }
    return status;
}

static bool flies(const flight *f, size_t i)
{
    return f->mode[i] == FLIGHT_FREE || f->mode[i] == FLIGHT_HELD;
}

/* Balls that lie on one that lies on something. */
static void find_piles(flight *f, size_t ball)
{
    flight_look(f, ball, 0, &f->near[0]);
    for (size_t n = 0; n < f->near[0].count && f->mode[ball] == FLIGHT_HELD; n++) {
        flight_contact c = flight_contact_at(f, ball, f->near[0].ball[n], 0);
        if (c.gap <= flight_closure(f, &c, 0) && c.u >= -flight_contact_noise(f, &c) &&
            flight_presses(f, &c, 0, 0)) {
            flight_ask_about(f, c.first, FLIGHT_NONE);
            flight_ask_about(f, c.second, FLIGHT_NONE);
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
        flight_settle(f, i, f->cluster.contact, f->cluster.contacts, 0, 0);
        flight_cluster_clear(f);
    }
    for (size_t i = 0; i < f->balls; i++) {
        if (flies(f, i)) {
            flight_predict(f, i, 0, NULL);
        }
        if (f->mode[i] == FLIGHT_HELD) {
            find_piles(f, i);
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
        if (f->mode[slot->partner] == FLIGHT_AWAY) {
            flight_ask_about(f, ball, slot->partner);
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

/* What an event costs, in contacts gone through. */
enum { EVENT_WORK = 500 };

/* ---- The run -------------------------------------------------------------------------------- */

crm_status flight_fly(flight *f, double until, uint64_t most, bool enough, crm_error *error)
{
    crm_status status = CRM_OK;
    while (status == CRM_OK && !f->motion.failed && !f->interrupted && f->asks == 0 &&
           f->impacts < most) {
        double soonest = flight_agenda_soonest(&f->agenda);
        if (!(soonest <= until) || (enough && f->moving == 0 && flight_is_at_rest(f))) {
            break;
        }
        if (crm_motion_ends(&f->motion, EVENT_WORK)) {
            f->interrupted = true;
            break;
        }
        status = next_event(f, soonest, error);
    }
    return status;
}
