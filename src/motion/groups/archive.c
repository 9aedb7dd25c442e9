/* The state of flight and groups, for archives: the flight, with the clearance spheres of external
 * bodies; the groups; and the totals of dissolved ones. Memberships follow from these.
 *
 * A group that is read is created from its part of the scene, with the bodies where its pending
 * step starts, and then takes its state.
 */
#include "motion/archive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion/groups/groups.h"

/* ---- A body of a group ----------------------------------------------------------------------- */

/* Its coordinates at the start of the pending step of `g`; g NULL: none yet. */
static groups_unassigned member_of(const groups_motion *u, const groups_group *g, size_t place,
                                   uint32_t body)
{
    const groups_nonflying *nonflying = groups_find_nonflying(u, body);
    groups_unassigned l = {.body = body};
    l.positions = nonflying != NULL ? nonflying->positions : u->flight->dimension;
    l.velocities = nonflying != NULL ? nonflying->velocities : u->flight->dimension;
    if (g != NULL) {
        const lagrange_motion *m = groups_engine(g);
        const scene_body *b = &g->scene->body[place];
        memcpy(l.q, m->y + b->position, l.positions * sizeof *l.q);
        memcpy(l.v, m->y + m->positions + b->velocity, l.velocities * sizeof *l.v);
    }
    return l;
}

static bool is_finite(const groups_unassigned *l)
{
    bool finite = true;
    for (size_t k = 0; k < sizeof l->q / sizeof l->q[0]; k++) {
        finite &= isfinite(l->q[k]) && isfinite(l->v[k]);
    }
    return finite;
}

static void add_member(crm_archive *a, groups_motion *u, const groups_unassigned *member)
{
    if (!is_finite(member)) {
        crm_archive_refuse(a, "it is damaged: body %u is nowhere", member->body + 1);
        return;
    }
    groups_unassigned *l = groups_add_unassigned(u, member->body, NULL);
    if (l == NULL) {
        crm_archive_fail_memory(a);
    } else {
        *l = *member;
    }
}

/* Whether a body that is read may be in the group; u->found lists those before it. */
static bool may_join(const groups_motion *u, size_t place, uint32_t body)
{
    if (body == GROUPS_NONE || (place > 0 && u->found[place - 1] >= body)) {
        return false;
    }
    return groups_is_fixed(u, body) ||
           (u->flight->mode[body] == FLIGHT_EXTERNAL && u->membership[body].group == GROUPS_NONE);
}

/* `radius`: of all balls, when it is read. */
static void list_member(crm_archive *a, groups_motion *u, const groups_group *g, size_t place,
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
    if (groups_is_fixed(u, body)) {
        return;
    }
    groups_unassigned member = member_of(u, g, place, body);
    crm_archive_numbers(a, member.q, member.positions);
    crm_archive_numbers(a, member.v, member.velocities);
    if (crm_archive_reads(a)) {
        member.reach = radius[body];
        add_member(a, u, &member);
    }
}

/* ---- A group --------------------------------------------------------------------------------- */

/* The unassigned become members of it. */
static void set_memberships(groups_motion *u, const groups_group *g, size_t at)
{
    for (size_t k = 0; k < g->count; k++) {
        if (g->scene->body[k].hold != SCENE_FIXED) {
            u->membership[g->body[k]] = (groups_membership){(uint32_t)at, (uint32_t)k};
        }
    }
    u->unassigned_count = 0;
    groups_clear_queue(u);
}

/* A group of the bodies in u->found, from t on. */
static groups_group *make_group(crm_archive *a, groups_motion *u, size_t count, double t)
{
    crm_error error = {0};
    groups_group *g = NULL;
    crm_status status = groups_reserve(u, 1, &error);
    status = status == CRM_OK ? groups_group_create(u, u->found, count, t, &g, &error) : status;
    if (status == CRM_ERROR_MEMORY) {
        crm_archive_fail_memory(a);
    } else if (status != CRM_OK) {
        crm_archive_refuse(a, "no group can be made of it: %s", error.message);
    } else {
        u->group[u->groups] = g;
        set_memberships(u, g, u->groups++);
    }
    return g;
}

static void list_motion(crm_archive *a, groups_motion *u, groups_group *g, size_t at)
{
    crm_archive_number(a, &g->exit_time);
    crm_archive_index(a, &g->exit_body, u->bodies);
    crm_archive_flag(a, &g->sole);
    crm_archive_flag(a, &g->interrupted);
    if (g->exit_time < INFINITY &&
        (g->exit_body == GROUPS_NONE || u->membership[g->exit_body].group != at)) {
        crm_archive_refuse(a, "it is damaged: a body leaves a group in which it is not");
    }
    crm_motion_archive_state(a, g->motion);
}

static void list_group(crm_archive *a, groups_motion *u, size_t at, const double *radius)
{
    groups_group *g = crm_archive_reads(a) ? NULL : u->group[at];
    size_t count = g != NULL ? g->count : 0;
    double t = g != NULL ? groups_engine(g)->t : 0;
    crm_archive_count(a, &count, u->bodies);
    crm_archive_number(a, &t);
    if (!isfinite(t)) {
        crm_archive_refuse(a, "it is damaged: a group is at time %g", t);
    }
    for (size_t k = 0; k < count && crm_archive_is_good(a); k++) {
        list_member(a, u, g, k, radius);
    }
    if (crm_archive_reads(a) && u->unassigned_count == 0) {
        crm_archive_refuse(a, "it is damaged: nothing moves in a group");
    }
    if (crm_archive_reads(a)) {
        g = make_group(a, u, count, t);
    }
    if (crm_archive_is_good(a)) {
        list_motion(a, u, g, at);
    }
}

static void list_groups(crm_archive *a, groups_motion *u, const double *radius)
{
    size_t groups = u->groups;
    crm_archive_count(a, &groups, u->bodies);
    for (size_t k = 0; k < groups && crm_archive_is_good(a); k++) {
        list_group(a, u, k, radius);
    }
}

/* ---- All ------------------------------------------------------------------------------------- */

/* Bodies that cannot fly must be external, and external ones that move in a group. */
static void check_memberships(crm_archive *a, const groups_motion *u)
{
    const flight *f = u->flight;
    bool good = true;
    for (size_t k = 0; k < u->nonflying_count; k++) {
        good &= f->mode[u->nonflying[k].body] == FLIGHT_EXTERNAL;
    }
    for (size_t k = 0; good && k < f->externals; k++) {
        good &=
            groups_is_fixed(u, f->external[k]) || u->membership[f->external[k]].group < u->groups;
    }
    if (!good) {
        crm_archive_refuse(a, "it is damaged: a body is moved by none");
    }
}

static void list_all(crm_archive *a, groups_motion *u, const double *radius)
{
    double *const numbers[] = {&u->sampled, &u->dissolved.lost, &u->dissolved.work,
                               &u->dissolved.max_penetration};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        crm_archive_number(a, numbers[k]);
    }
    crm_archive_long(a, &u->dissolved.impacts);
    crm_archive_flag(a, &u->started);
    flight_archive(u->flight, a);
    list_groups(a, u, radius);
    if (crm_archive_reads(a)) {
        check_memberships(a, u);
    }
}

/* Radii of bodies, not of their clearance spheres. */
static double *find_radii(const groups_motion *u)
{
    double *radius = CRM_NEW(double, u->bodies);
    for (size_t i = 0; radius != NULL && i < u->bodies; i++) {
        radius[i] = groups_reach(u, i);
    }
    return radius;
}

/* All balls are in the flight, until the archive tells which are not. */
static void clear_groups(groups_motion *u, const double *radius)
{
    for (size_t k = 0; k < u->groups; k++) {
        groups_group_free(u->group[k]);
    }
    u->groups = u->unassigned_count = 0;
    groups_clear_queue(u);
    for (size_t i = 0; i < u->bodies; i++) {
        u->membership[i] = (groups_membership){GROUPS_NONE, 0};
        u->flight->ball[i].radius = radius[i];
    }
    u->flight->motion.failed = false;
}

static void read_all(crm_archive *a, groups_motion *u)
{
    double *radius = groups_allocate(u, NULL) == CRM_OK ? find_radii(u) : NULL;
    if (radius == NULL) {
        crm_archive_fail_memory(a);
        return;
    }
    clear_groups(u, radius);
    list_all(a, u, radius);
    u->invalid = !crm_archive_is_good(a);
    if (u->invalid) {
        clear_groups(u, radius);
    }
    free(radius);
}

void groups_archive(crm_motion *motion, crm_archive *a)
{
    groups_motion *u = (groups_motion *)motion;
    if (crm_archive_reads(a)) {
        read_all(a, u);
    } else if (u->invalid || u->unassigned_count > 0) {
        crm_archive_refuse(a, "a motion that has failed between two states cannot be saved");
    } else {
        list_all(a, u, NULL);
    }
}
