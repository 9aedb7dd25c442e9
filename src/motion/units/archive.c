/* What the units of a scene are, for archives: the flight, with the berths of all that is not in
 * it; the groups; and what those that are gone had booked. Seats follow from these.
 *
 * A group is made anew, of its part of the scene with the bodies where its pending step starts, and
 * then filled.
 */
#include "motion/archive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion/units/units.h"

/* ---- A body of a group ----------------------------------------------------------------------- */

/* Its coordinates, at the start of the pending step of `g`, if it is there. */
static units_loose member_of(const units *u, const units_group *g, size_t place, uint32_t body)
{
    const units_special *special = units_special_of(u, body);
    units_loose l = {.body = body};
    l.positions = special != NULL ? special->positions : u->flight->dimension;
    l.velocities = special != NULL ? special->velocities : u->flight->dimension;
    if (g != NULL) {
        const lag_motion *m = units_engine(g);
        const scene_body *b = &g->scene->body[place];
        memcpy(l.q, m->y + b->position, l.positions * sizeof *l.q);
        memcpy(l.v, m->y + m->positions + b->velocity, l.velocities * sizeof *l.v);
    }
    return l;
}

static bool is_finite(const units_loose *l)
{
    bool finite = true;
    for (size_t k = 0; k < sizeof l->q / sizeof l->q[0]; k++) {
        finite &= isfinite(l->q[k]) && isfinite(l->v[k]);
    }
    return finite;
}

static void add_member(crm_archive *a, units *u, const units_loose *member)
{
    if (!is_finite(member)) {
        crm_archive_refuse(a, "it is damaged: body %u is nowhere", member->body + 1);
        return;
    }
    units_loose *l = units_add_loose(u, member->body, NULL);
    if (l == NULL) {
        crm_archive_lacks_memory(a);
    } else {
        *l = *member;
    }
}

/* A body of the group that is read: u->found lists those before it. */
static bool may_join(const units *u, size_t place, uint32_t body)
{
    if (body == UNITS_NONE || (place > 0 && u->found[place - 1] >= body)) {
        return false;
    }
    return units_is_fixed(u, body) ||
           (u->flight->mode[body] == FLIGHT_AWAY && u->seat[body].group == UNITS_NONE);
}

/* `radius`: of the balls, when it is read. */
static void list_member(crm_archive *a, units *u, const units_group *g, size_t place,
                        const double *radius)
{
    uint32_t body = g != NULL ? g->body[place] : 0;
    crm_archive_index(a, &body, u->bodies);
    if (crm_archive_reads(a) && !may_join(u, place, body)) {
        crm_archive_refuse(a, "it is damaged: a body of a group cannot be in it");
    }
    if (!crm_archive_is_good(a)) {
        return;
    }
    u->found[place] = body;
    if (units_is_fixed(u, body)) {
        return;
    }
    units_loose member = member_of(u, g, place, body);
    crm_archive_numbers(a, member.q, member.positions);
    crm_archive_numbers(a, member.v, member.velocities);
    if (crm_archive_reads(a)) {
        member.reach = radius[body];
        add_member(a, u, &member);
    }
}

/* ---- A group --------------------------------------------------------------------------------- */

/* All that is loose takes its seat in it. */
static void seat_members(units *u, const units_group *g, size_t at)
{
    for (size_t k = 0; k < g->count; k++) {
        if (g->scene->body[k].hold != SCENE_FIXED) {
            u->seat[g->body[k]] = (units_seat){(uint32_t)at, (uint32_t)k};
        }
    }
    u->loose_count = 0;
    units_clear_queue(u);
}

/* Of u->found, from t on. */
static units_group *make_group(crm_archive *a, units *u, size_t count, double t)
{
    crm_error error = {0};
    units_group *g = NULL;
    crm_status status = units_room_for(u, 1, &error);
    status = status == CRM_OK ? units_group_create(u, u->found, count, t, &g, &error) : status;
    if (status == CRM_ERROR_MEMORY) {
        crm_archive_lacks_memory(a);
    } else if (status != CRM_OK) {
        crm_archive_refuse(a, "no group can be made of it: %s", error.message);
    } else {
        u->group[u->groups] = g;
        seat_members(u, g, u->groups++);
    }
    return g;
}

static void list_motion(crm_archive *a, units *u, units_group *g, size_t at)
{
    crm_archive_number(a, &g->look);
    crm_archive_index(a, &g->leaver, u->bodies);
    crm_archive_flag(a, &g->alone);
    crm_archive_flag(a, &g->halted);
    if (g->look < INFINITY && (g->leaver == UNITS_NONE || u->seat[g->leaver].group != at)) {
        crm_archive_refuse(a, "it is damaged: a body leaves a group in which it is not");
    }
    crm_archive_motion(a, g->motion);
}

static void list_group(crm_archive *a, units *u, size_t at, const double *radius)
{
    units_group *g = crm_archive_reads(a) ? NULL : u->group[at];
    size_t count = g != NULL ? g->count : 0;
    double t = g != NULL ? units_engine(g)->t : 0;
    crm_archive_count(a, &count, u->bodies);
    crm_archive_number(a, &t);
    if (!isfinite(t)) {
        crm_archive_refuse(a, "it is damaged: a group is at time %g", t);
    }
    for (size_t k = 0; k < count && crm_archive_is_good(a); k++) {
        list_member(a, u, g, k, radius);
    }
    if (crm_archive_reads(a) && u->loose_count == 0) {
        crm_archive_refuse(a, "it is damaged: nothing moves in a group");
    }
    if (crm_archive_reads(a)) {
        g = make_group(a, u, count, t);
    }
    if (crm_archive_is_good(a)) {
        list_motion(a, u, g, at);
    }
}

static void list_groups(crm_archive *a, units *u, const double *radius)
{
    size_t groups = u->groups;
    crm_archive_count(a, &groups, u->bodies);
    for (size_t k = 0; k < groups && crm_archive_is_good(a); k++) {
        list_group(a, u, k, radius);
    }
}

/* ---- All ------------------------------------------------------------------------------------- */

/* What never flies is away, and what is away and moves has a seat. */
static void check_seats(crm_archive *a, const units *u)
{
    const flight *f = u->flight;
    bool good = true;
    for (size_t k = 0; k < u->specials; k++) {
        good &= f->mode[u->special[k].body] == FLIGHT_AWAY;
    }
    for (size_t k = 0; good && k < f->aways; k++) {
        good &= units_is_fixed(u, f->away[k]) || u->seat[f->away[k]].group < u->groups;
    }
    if (!good) {
        crm_archive_refuse(a, "it is damaged: a body is moved by none");
    }
}

static void list_units(crm_archive *a, units *u, const double *radius)
{
    double *const numbers[] = {&u->sampled, &u->gone.lost, &u->gone.work, &u->gone.max_penetration};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        crm_archive_number(a, numbers[k]);
    }
    crm_archive_long(a, &u->gone.impacts);
    crm_archive_flag(a, &u->started);
    flight_archive(u->flight, a);
    list_groups(a, u, radius);
    if (crm_archive_reads(a)) {
        check_seats(a, u);
    }
}

/* Balls are as large as they are, not as their berths. */
static double *find_radii(const units *u)
{
    double *radius = CRM_NEW(double, u->bodies);
    for (size_t i = 0; radius != NULL && i < u->bodies; i++) {
        radius[i] = units_reach(u, i);
    }
    return radius;
}

/* All that moved is in the flight, for the archive to take out what is not. */
static void forget(units *u, const double *radius)
{
    for (size_t k = 0; k < u->groups; k++) {
        units_group_free(u->group[k]);
    }
    u->groups = u->loose_count = 0;
    units_clear_queue(u);
    for (size_t i = 0; i < u->bodies; i++) {
        u->seat[i] = (units_seat){UNITS_NONE, 0};
        u->flight->ball[i].radius = radius[i];
    }
    u->flight->motion.failed = false;
}

static void read_units(crm_archive *a, units *u)
{
    double *radius = units_prepare(u, NULL) == CRM_OK ? find_radii(u) : NULL;
    if (radius == NULL) {
        crm_archive_lacks_memory(a);
        return;
    }
    forget(u, radius);
    list_units(a, u, radius);
    u->lost = !crm_archive_is_good(a);
    if (u->lost) {
        forget(u, radius);
    }
    free(radius);
}

void units_archive(crm_motion *motion, crm_archive *a)
{
    units *u = (units *)motion;
    if (crm_archive_reads(a)) {
        read_units(a, u);
    } else if (u->lost || u->loose_count > 0) {
        crm_archive_refuse(a, "a motion that has failed between two states cannot be saved");
    } else {
        list_units(a, u, NULL);
    }
}
