/* The definition: which bodies can fly, and the first groups. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/bodies/bodies.h"
#include "motion/groups/groups.h"

/* A ball closer than this part of its radius to a fixed body that is no sphere leaves the flight.
 */
static const double FIXED_MARGIN = 0.25;

static void free_motion(crm_motion *motion)
{
    groups_motion *u = (groups_motion *)motion;
    for (size_t k = 0; k < u->groups; k++) {
        groups_group_free(u->group[k]);
    }
    flight_free(u->flight);
    void *const arrays[] = {u->nonflying,  u->wall,       u->wall_motion, u->spring, u->group,
                            u->membership, u->unassigned, u->queued,      u->queue,  u->candidate,
                            u->part_of,    u->found,      u->swept,       u->state};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        free(arrays[k]);
    }
    crm_motion_end(&u->motion);
    free(u);
}

static const crm_motion_kind KIND = {.name = "flight and groups",
                                     .run = groups_run,
                                     .read = groups_read,
                                     .summarize = groups_summarize,
                                     .free = free_motion,
                                     .archive = groups_archive};

crm_status groups_allocate(groups_motion *u, crm_error *error)
{
    if (u->membership != NULL) {
        return CRM_OK;
    }
    size_t n = u->bodies;
    u->queued = CRM_NEW(uint8_t, n);
    u->queue = CRM_NEW(uint32_t, n);
    u->candidate = CRM_NEW(uint32_t, n);
    u->part_of = CRM_NEW(uint32_t, n);
    u->found = CRM_NEW(uint32_t, n);
    u->swept = CRM_NEW(groups_swept_box, n);
    groups_membership *membership = CRM_NEW(groups_membership, n);
    if (u->queued == NULL || u->queue == NULL || u->candidate == NULL || u->part_of == NULL ||
        u->found == NULL || u->swept == NULL || membership == NULL) {
        free(membership);
        return crm_fail_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        membership[i] = (groups_membership){GROUPS_NONE, 0};
    }
    u->membership = membership;
    return CRM_OK;
}

/* ---- Bodies that cannot fly ------------------------------------------------------------------ */

static void mark_nonflying(const crm_scene_def *def, bool *nonflying)
{
    const crm_body_def *body = def->bodies.bodies;
    for (size_t i = 0; i < def->bodies.body_count; i++) {
        nonflying[i] = body[i].shape != CRM_SHAPE_SPHERE;
    }
    for (size_t k = 0; k < def->suspended_count; k++) {
        nonflying[def->suspended[k].body] = true;
    }
    for (size_t k = 0; k < def->spring_count; k++) {
        const crm_spring_def *s = &def->springs[k];
        nonflying[s->first] |= !body[s->first].fixed;
        if (s->second != SIZE_MAX) {
            nonflying[s->second] |= !body[s->second].fixed;
        }
    }
}

static size_t count_nonflying(const crm_scene_def *def)
{
    size_t count = def->suspended_count + 2 * def->spring_count;
    for (size_t i = 0; i < def->bodies.body_count; i++) {
        count += def->bodies.bodies[i].shape != CRM_SHAPE_SPHERE ? 1 : 0;
    }
    return count;
}

static void fill_nonflying(groups_motion *u, const crm_scene_def *def, const scene_system *s,
                           const bool *nonflying, uint8_t *velocities)
{
    for (size_t i = 0; i < u->bodies; i++) {
        if (!nonflying[i]) {
            continue;
        }
        u->nonflying[u->nonflying_count++] =
            (groups_nonflying){.body = (uint32_t)i,
                               .def = def->bodies.bodies[i],
                               .reach = scene_reach(s, i),
                               .positions = (uint32_t)s->body[i].positions,
                               .velocities = (uint32_t)s->body[i].velocities};
        velocities[i] = (uint8_t)s->body[i].velocities;
    }
    for (size_t k = 0; k < def->suspended_count; k++) {
        groups_nonflying *bob =
            (groups_nonflying *)groups_find_nonflying(u, def->suspended[k].body);
        bob->hung = true;
        bob->string = def->suspended[k];
    }
}

const groups_nonflying *groups_find_nonflying(const groups_motion *u, size_t body)
{
    size_t low = 0, high = u->nonflying_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (u->nonflying[middle].body < body) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < u->nonflying_count && u->nonflying[low].body == body ? &u->nonflying[low] : NULL;
}

bool groups_is_fixed(const groups_motion *u, size_t body)
{
    if (u->flight->mode[body] != FLIGHT_EXTERNAL) {
        return u->flight->mode[body] == FLIGHT_FIXED;
    }
    const groups_nonflying *nonflying = groups_find_nonflying(u, body);
    return nonflying != NULL && nonflying->def.fixed;
}

/* ---- The scene, copied ----------------------------------------------------------------------- */

static bool copy_parts(groups_motion *u, const crm_scene_def *def)
{
    u->bodies = def->bodies.body_count;
    u->walls = def->bodies.wall_count;
    u->springs = def->spring_count;
    u->tolerance = def->bodies.tolerance;
    u->wall = CRM_NEW(crm_wall_def, u->walls);
    u->spring = CRM_NEW(crm_spring_def, u->springs);
    u->nonflying = CRM_NEW(groups_nonflying, count_nonflying(def));
    bool swings = def->wall_motion != NULL;
    u->wall_motion = swings ? CRM_NEW(crm_wall_motion, u->walls) : NULL;
    if (u->wall == NULL || u->spring == NULL || u->nonflying == NULL ||
        (swings && u->wall_motion == NULL)) {
        return false;
    }
    for (size_t k = 0; k < u->walls; k++) {
        u->wall[k] = def->bodies.walls[k];
        if (swings) {
            u->wall_motion[k] = def->wall_motion[k];
        }
    }
    for (size_t k = 0; k < u->springs; k++) {
        u->spring[k] = def->springs[k];
    }
    for (size_t i = 0; i < u->bodies; i++) {
        u->fixed += def->bodies.bodies[i].fixed ? 1 : 0;
    }
    return true;
}

/* Names and materials point to the flight's copies. */
static void point_to_copies(groups_motion *u)
{
    const flight *f = u->flight;
    for (size_t k = 0; k < u->walls; k++) {
        u->wall[k].name = f->name[u->bodies + k];
        u->wall[k].material = f->material != NULL ? &f->material[u->bodies + k] : NULL;
    }
}

/* ---- The first groups ------------------------------------------------------------------------ */

static double smallest_ball(const groups_motion *u)
{
    double least = INFINITY;
    for (size_t i = 0; i < u->bodies; i++) {
        bool flies = u->flight->mode[i] != FLIGHT_EXTERNAL && u->flight->mode[i] != FLIGHT_FIXED;
        least = flies ? fmin(least, u->flight->ball[i].radius) : least;
    }
    return least;
}

/* Balls that are within it from the start leave the flight at once. */
static crm_status set_fixed_clearance(groups_motion *u, const groups_nonflying *nonflying,
                                      crm_error *error)
{
    flight *f = u->flight;
    flight_neighbours *neighbours = &f->neighbours[1];
    const double *x = f->ball[nonflying->body].x;
    double radius = nonflying->reach + FIXED_MARGIN * fmin(nonflying->reach, smallest_ball(u));
    flight_set_clearance(f, nonflying->body, 0, nonflying->def.position, radius);
    flight_search_cells(f, x, radius, 0.5, neighbours);
    crm_status status = CRM_OK;
    for (size_t n = 0; n < neighbours->count && status == CRM_OK; n++) {
        size_t ball = neighbours->ball[n];
        flight_contact c = flight_contact_at(f, ball, nonflying->body, 0);
        if (f->mode[ball] != FLIGHT_FIXED && c.gap <= 0) {
            status = groups_take_from_flight(u, ball, 0, error);
        }
    }
    return status;
}

static crm_status unassign(groups_motion *u, const groups_nonflying *nonflying,
                           const scene_system *s, const double *q, const double *v,
                           crm_error *error)
{
    groups_unassigned *l = groups_add_unassigned(u, nonflying->body, error);
    if (l == NULL) {
        return CRM_ERROR_MEMORY;
    }
    const scene_body *b = &s->body[nonflying->body];
    crm_solid solid = scene_solid(s, nonflying->body, q);
    l->reach = nonflying->reach;
    l->positions = nonflying->positions;
    l->velocities = nonflying->velocities;
    memcpy(l->x, solid.centre, sizeof l->x);
    memcpy(l->q, q + b->position, l->positions * sizeof *q);
    memcpy(l->v, v + b->velocity, l->velocities * sizeof *v);
    flight_set_clearance(u->flight, nonflying->body, 0, l->x, l->reach);
    return CRM_OK;
}

/* Any two of them may meet later: impossible pairs are refused at the start. */
static crm_status check_nonflying(const groups_motion *u, const crm_scene_def *def,
                                  const scene_system *s, const double *q, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t k = 0; k < u->nonflying_count; k++) {
        for (size_t i = 0; i < k && status == CRM_OK; i++) {
            status = scene_check_pair(s, &def->bodies, u->nonflying[i].body, u->nonflying[k].body,
                                      q, error);
        }
    }
    return status;
}

static crm_status first_groups(groups_motion *u, const crm_scene_def *def, const scene_system *s,
                               crm_error *error)
{
    double *q = CRM_NEW(double, s->positions), *v = CRM_NEW(double, s->velocities);
    crm_status status = q != NULL && v != NULL ? groups_allocate(u, error) : crm_fail_memory(error);
    if (status == CRM_OK) {
        scene_start(s, def, q, v);
        status = check_nonflying(u, def, s, q, error);
    }
    for (size_t k = 0; k < u->nonflying_count && status == CRM_OK; k++) {
        if (u->nonflying[k].def.fixed) {
            status = set_fixed_clearance(u, &u->nonflying[k], error);
        } else {
            status = unassign(u, &u->nonflying[k], s, q, v, error);
        }
    }
    free(q);
    free(v);
    return status == CRM_OK ? groups_regroup(u, 0, error) : status;
}

/* ---- Together -------------------------------------------------------------------------------- */

static void find_size(groups_motion *u, const crm_scene_def *def)
{
    for (size_t i = 0; i < u->bodies; i++) {
        const crm_body_def *body = &def->bodies.bodies[i];
        const groups_nonflying *nonflying = groups_find_nonflying(u, i);
        double reach = nonflying != NULL ? nonflying->reach : body->radius;
        u->size = body->fixed ? u->size : fmax(u->size, reach);
        size_t plain = body->fixed ? 0 : def->bodies.dimension;
        u->motion.positions += nonflying != NULL ? nonflying->positions : plain;
        u->motion.velocities += nonflying != NULL ? nonflying->velocities : plain;
    }
}

static crm_status fill_flight(groups_motion *u, const crm_scene_def *def,
                              const flight_externals *others, crm_error *error)
{
    u->group_options = u->motion.options;
    u->group_options.law = u->motion.law;
    u->group_options.stop_at_rest = false;
    u->group_options.stop_impacts = 0;
    crm_status status = flight_create(def, others, &u->group_options, &u->flight, error);
    if (status == CRM_OK) {
        point_to_copies(u);
        find_size(u, def);
    }
    return status;
}

static crm_status fill_mixed(groups_motion *u, const crm_scene_def *def, crm_error *error)
{
    bool *nonflying = CRM_NEW(bool, u->bodies);
    uint8_t *velocities = CRM_NEW(uint8_t, u->bodies);
    scene_system *s = NULL;
    crm_status status = nonflying != NULL && velocities != NULL ? scene_make(def, &s, error)
                                                                : crm_fail_memory(error);
    if (status == CRM_OK) {
        mark_nonflying(def, nonflying);
        fill_nonflying(u, def, s, nonflying, velocities);
        const flight_externals others = {nonflying, velocities};
        status = fill_flight(u, def, &others, error);
    }
    status = status == CRM_OK ? first_groups(u, def, s, error) : status;
    scene_free(s);
    free(nonflying);
    free(velocities);
    return status;
}

static crm_status fill(groups_motion *u, const crm_scene_def *def,
                       const crm_motion_options *options, crm_error *error)
{
    crm_status status = crm_motion_begin(&u->motion, options, error);
    if (status == CRM_OK && !copy_parts(u, def)) {
        status = crm_fail_memory(error);
    }
    if (status != CRM_OK) {
        return status;
    }
    return count_nonflying(def) > 0 ? fill_mixed(u, def, error) : fill_flight(u, def, NULL, error);
}

crm_status crm_groups_create(const crm_scene_def *def, const crm_motion_options *options,
                             crm_motion **motion, crm_error *error)
{
    *motion = NULL;
    groups_motion *u = CRM_NEW(groups_motion, 1);
    if (u == NULL) {
        return crm_fail_memory(error);
    }
    u->motion.kind = &KIND;
    u->sampled = nextafter(0, -INFINITY);
    crm_status status = fill(u, def, options, error);
    if (status != CRM_OK) {
        free_motion(&u->motion);
        return status;
    }
    crm_motion_account start = groups_energies(u);
    u->motion.kinetic_before = start.kinetic_after;
    u->motion.potential_before = start.potential_after;
    *motion = &u->motion;
    return CRM_OK;
}
