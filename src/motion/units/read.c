/* States, and the account over all units. */
#include <math.h>

#include "motion/units/units.h"

/* ---- States ---------------------------------------------------------------------------------- */

/* Into an array that may be NULL. */
static void put(double **place, const double *values, size_t count)
{
    for (size_t k = 0; k < count && *place != NULL; k++) {
        *(*place)++ = values[k];
    }
}

/* Loose ones are left where a motion ended that cannot go on. */
static void read_member(units *u, size_t body, double t, double **position, double **velocity)
{
    units_seat seat = u->seat[body];
    if (seat.group == UNITS_LOOSE) {
        const units_loose *l = &u->loose[seat.place];
        put(position, l->q, l->positions);
        put(velocity, l->v, l->velocities);
        return;
    }
    units_group *g = u->group[seat.group];
    const scene_body *b = &g->scene->body[seat.place];
    const double *y = units_group_at(g, t), *v = y + units_engine(g)->positions;
    put(position, y + b->position, b->positions);
    put(velocity, v + b->velocity, b->velocities);
}

void units_state_at(units *u, double t, double *position, double *velocity)
{
    const flight *f = u->flight;
    for (size_t i = 0; i < u->bodies; i++) {
        double x[3], v[3];
        if (units_is_fixed(u, i)) {
            continue;
        }
        if (f->mode[i] == FLIGHT_AWAY) {
            read_member(u, i, t, &position, &velocity);
            continue;
        }
        flight_at(f, i, t, x, v);
        put(&position, x, f->dimension);
        put(&velocity, v, f->dimension);
    }
}

static void fill_unknown(double *values, size_t count)
{
    for (size_t k = 0; k < count && values != NULL; k++) {
        values[k] = NAN;
    }
}

void units_read(const crm_motion *motion, double *position, double *velocity)
{
    if (((const units *)motion)->lost) {
        fill_unknown(position, motion->positions);
        fill_unknown(velocity, motion->velocities);
        return;
    }
    units_state_at((units *)motion, motion->time, position, velocity); /* scratch is written to */
}

/* ---- The account ----------------------------------------------------------------------------- */

uint64_t units_impacts(const units *u)
{
    uint64_t impacts = u->flight->impacts + u->gone.impacts;
    for (size_t k = 0; k < u->groups; k++) {
        impacts += u->group[k]->motion->impacts;
    }
    return impacts;
}

bool units_are_at_rest(const units *u, double *since)
{
    bool rest = flight_is_at_rest(u->flight);
    *since = u->flight->rest_since;
    for (size_t k = 0; k < u->groups; k++) {
        double here = u->group[k]->motion->at_rest_since;
        rest &= !isnan(here);
        *since = fmax(*since, here);
    }
    return rest;
}

crm_motion_account units_energies(const units *u)
{
    const flight *f = u->flight;
    crm_motion_account e = {0};
    flight_energies(f, u->motion.time, &e.kinetic_after, &e.potential_after, &e.work);
    e.work += f->work.sum + f->work.rest + u->gone.work;
    e.lost = f->lost.sum + f->lost.rest + u->gone.lost;
    for (size_t k = 0; k < u->groups; k++) {
        crm_motion *motion = u->group[k]->motion;
        motion->time = u->motion.time;
        const crm_motion_account part = lag_summarize(motion).energy;
        e.kinetic_after += part.kinetic_after;
        e.potential_after += part.potential_after;
        e.work += part.work;
        e.lost += part.lost;
    }
    return e;
}

crm_motion_summary units_summarize(const crm_motion *motion)
{
    const units *u = (const units *)motion;
    double since;
    bool rests = units_are_at_rest(u, &since) && since <= motion->time;
    crm_motion_summary s = {.impacts = units_impacts(u),
                            .at_rest_since = rests ? since : NAN,
                            .max_penetration =
                                fmax(u->flight->max_penetration, u->gone.max_penetration),
                            .energy = units_energies(u)};
    for (size_t k = 0; k < u->groups; k++) {
        s.max_penetration = fmax(s.max_penetration, u->group[k]->motion->max_penetration);
    }
    crm_motion_account *e = &s.energy;
    e->kinetic_before = motion->kinetic_before;
    e->potential_before = motion->potential_before;
    e->error = (e->kinetic_before - e->kinetic_after) + (e->potential_before - e->potential_after) +
               e->work - e->lost;
    return s;
}
