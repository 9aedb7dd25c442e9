/* States, and the energy account of flight and groups together. */
#include <math.h>

#include "motion/groups/groups.h"

/* ---- States ---------------------------------------------------------------------------------- */

/* Into an array that may be NULL. */
static void copy_values(double **place, const double *values, size_t count)
{
    for (size_t k = 0; k < count && *place != NULL; k++) {
        *(*place)++ = values[k];
    }
}

/* Bodies remain unassigned where a motion has failed. */
static void read_member(groups_motion *u, size_t body, double t, double **position,
                        double **velocity)
{
    groups_membership membership = u->membership[body];
    if (membership.group == GROUPS_UNASSIGNED) {
        const groups_unassigned *l = &u->unassigned[membership.place];
        copy_values(position, l->q, l->positions);
        copy_values(velocity, l->v, l->velocities);
        return;
    }
    groups_group *g = u->group[membership.group];
    const scene_body *b = &g->scene->body[membership.place];
    const double *y = groups_group_state(g, t), *v = y + groups_engine(g)->positions;
    copy_values(position, y + b->position, b->positions);
    copy_values(velocity, v + b->velocity, b->velocities);
}

void groups_state_at(groups_motion *u, double t, double *position, double *velocity)
{
    const flight *f = u->flight;
    for (size_t i = 0; i < u->bodies; i++) {
        double x[3], v[3];
        if (groups_is_fixed(u, i)) {
            continue;
        }
        if (f->mode[i] == FLIGHT_EXTERNAL) {
            read_member(u, i, t, &position, &velocity);
            continue;
        }
        flight_state_at(f, i, t, x, v);
        copy_values(&position, x, f->dimension);
        copy_values(&velocity, v, f->dimension);
    }
}

static void fill_unknown(double *values, size_t count)
{
    for (size_t k = 0; k < count && values != NULL; k++) {
        values[k] = NAN;
    }
}

void groups_read(const crm_motion *motion, double *position, double *velocity)
{
    if (((const groups_motion *)motion)->invalid) {
        fill_unknown(position, motion->positions);
        fill_unknown(velocity, motion->velocities);
        return;
    }
    groups_state_at((groups_motion *)motion, motion->time, position,
                    velocity); /* writes to scratch memory only */
}

/* ---- The account ----------------------------------------------------------------------------- */

uint64_t groups_impacts(const groups_motion *u)
{
    uint64_t impacts = u->flight->impacts + u->dissolved.impacts;
    for (size_t k = 0; k < u->groups; k++) {
        impacts += u->group[k]->motion->impacts;
    }
    return impacts;
}

bool groups_are_at_rest(const groups_motion *u, double *since)
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

crm_motion_account groups_energies(const groups_motion *u)
{
    const flight *f = u->flight;
    crm_motion_account e = {0};
    flight_energies(f, u->motion.time, &e.kinetic_after, &e.potential_after, &e.work);
    e.work += f->work.sum + f->work.remainder + u->dissolved.work;
    e.lost = f->lost.sum + f->lost.remainder + u->dissolved.lost;
    for (size_t k = 0; k < u->groups; k++) {
        crm_motion *motion = u->group[k]->motion;
        motion->time = u->motion.time;
        const crm_motion_account part = lagrange_summarize(motion).energy;
        e.kinetic_after += part.kinetic_after;
        e.potential_after += part.potential_after;
        e.work += part.work;
        e.lost += part.lost;
    }
    return e;
}

crm_motion_summary groups_summarize(const crm_motion *motion)
{
    const groups_motion *u = (const groups_motion *)motion;
    double since;
    bool rests = groups_are_at_rest(u, &since) && since <= motion->time;
    crm_motion_summary s = {.impacts = groups_impacts(u),
                            .at_rest_since = rests ? since : NAN,
                            .max_penetration =
                                fmax(u->flight->max_penetration, u->dissolved.max_penetration),
                            .energy = groups_energies(u)};
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
