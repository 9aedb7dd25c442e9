/* The definition: what flies, what does not, the first groups. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/bodies/bodies.h"
#include "motion/units/units.h"

/* A ball that is so near to a fixed body which the flight does not know, as a part of its radius,
 * is taken out of the flight.
 */
static const double FIXED_MARGIN = 0.25;

static const crm_motion_kind kind = {.name = "units",
                                     .run = units_run,
                                     .read = units_read,
                                     .summarize = units_summarize,
                                     .free = units_free,
                                     .archive = units_archive};

void units_free(crm_motion *motion)
{
    units *u = (units *)motion;
    for (size_t k = 0; k < u->groups; k++) {
        units_group_free(u->group[k]);
    }
    flight_free(u->flight);
    void *const arrays[] = {u->special, u->wall,  u->wall_motion, u->spring, u->group,
                            u->seat,    u->loose, u->queued,      u->queue,  u->pool,
                            u->part_of, u->found, u->shadow,      u->state};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        free(arrays[k]);
    }
    crm_motion_end(&u->motion);
    free(u);
}

crm_status units_prepare(units *u, crm_error *error)
{
    if (u->seat != NULL) {
        return CRM_OK;
    }
    size_t n = u->bodies;
    u->queued = CRM_NEW(uint8_t, n);
    u->queue = CRM_NEW(uint32_t, n);
    u->pool = CRM_NEW(uint32_t, n);
    u->part_of = CRM_NEW(uint32_t, n);
    u->found = CRM_NEW(uint32_t, n);
    u->shadow = CRM_NEW(units_shadow, n);
    units_seat *seat = CRM_NEW(units_seat, n);
    if (u->queued == NULL || u->queue == NULL || u->pool == NULL || u->part_of == NULL ||
        u->found == NULL || u->shadow == NULL || seat == NULL) {
        free(seat);
        return crm_fail_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        seat[i] = (units_seat){UNITS_NONE, 0};
    }
    u->seat = seat;
    return CRM_OK;
}

/* ---- What never flies ------------------------------------------------------------------------ */

static void mark_specials(const crm_scene_def *def, bool *special)
{
    const crm_body_def *body = def->bodies.bodies;
    for (size_t i = 0; i < def->bodies.body_count; i++) {
        special[i] = body[i].shape != CRM_SHAPE_SPHERE;
    }
    for (size_t k = 0; k < def->suspended_count; k++) {
        special[def->suspended[k].body] = true;
    }
    for (size_t k = 0; k < def->spring_count; k++) {
        const crm_spring_def *s = &def->springs[k];
        special[s->first] |= !body[s->first].fixed;
        if (s->second != SIZE_MAX) {
            special[s->second] |= !body[s->second].fixed;
        }
    }
}

static size_t count_specials(const crm_scene_def *def)
{
    size_t count = def->suspended_count + 2 * def->spring_count;
    for (size_t i = 0; i < def->bodies.body_count; i++) {
        count += def->bodies.bodies[i].shape != CRM_SHAPE_SPHERE ? 1 : 0;
    }
    return count;
}

static void fill_specials(units *u, const crm_scene_def *def, const scene_system *s,
                          const bool *special, uint8_t *velocities)
{
    for (size_t i = 0; i < u->bodies; i++) {
        if (!special[i]) {
            continue;
        }
        u->special[u->specials++] = (units_special){.body = (uint32_t)i,
                                                    .def = def->bodies.bodies[i],
                                                    .reach = scene_reach(s, i),
                                                    .positions = (uint32_t)s->body[i].positions,
                                                    .velocities = (uint32_t)s->body[i].velocities};
        velocities[i] = (uint8_t)s->body[i].velocities;
    }
    for (size_t k = 0; k < def->suspended_count; k++) {
        units_special *bob = (units_special *)units_special_of(u, def->suspended[k].body);
        bob->hung = true;
        bob->string = def->suspended[k];
    }
}

const units_special *units_special_of(const units *u, size_t body)
{
    size_t low = 0, high = u->specials;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (u->special[middle].body < body) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < u->specials && u->special[low].body == body ? &u->special[low] : NULL;
}

bool units_is_fixed(const units *u, size_t body)
{
    if (u->flight->mode[body] != FLIGHT_AWAY) {
        return u->flight->mode[body] == FLIGHT_FIXED;
    }
    const units_special *special = units_special_of(u, body);
    return special != NULL && special->def.fixed;
}

/* ---- The scene, copied ----------------------------------------------------------------------- */

static bool copy_parts(units *u, const crm_scene_def *def)
{
    u->bodies = def->bodies.body_count;
    u->walls = def->bodies.wall_count;
    u->springs = def->spring_count;
    u->tolerance = def->bodies.tolerance;
    u->wall = CRM_NEW(crm_wall_def, u->walls);
    u->spring = CRM_NEW(crm_spring_def, u->springs);
    u->special = CRM_NEW(units_special, count_specials(def));
    bool swings = def->wall_motion != NULL;
    u->wall_motion = swings ? CRM_NEW(crm_wall_motion, u->walls) : NULL;
    if (u->wall == NULL || u->spring == NULL || u->special == NULL ||
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

/* Names and materials are the flight's copies. */
static void point_to_copies(units *u)
{
    const flight *f = u->flight;
    for (size_t k = 0; k < u->walls; k++) {
        u->wall[k].name = f->name[u->bodies + k];
        u->wall[k].material = f->material != NULL ? &f->material[u->bodies + k] : NULL;
    }
}

/* ---- The first groups ------------------------------------------------------------------------ */

static double smallest_ball(const units *u)
{
    double least = INFINITY;
    for (size_t i = 0; i < u->bodies; i++) {
        bool flies = u->flight->mode[i] != FLIGHT_AWAY && u->flight->mode[i] != FLIGHT_FIXED;
        least = flies ? fmin(least, u->flight->ball[i].radius) : least;
    }
    return least;
}

/* Balls that are there from the start are taken out at once. */
static crm_status set_fixed_berth(units *u, const units_special *special, crm_error *error)
{
    flight *f = u->flight;
    flight_near *near = &f->near[1];
    const double *x = f->ball[special->body].x;
    double radius = special->reach + FIXED_MARGIN * fmin(special->reach, smallest_ball(u));
    flight_set_berth(f, special->body, 0, special->def.position, radius);
    flight_search(f, x, radius, 0.5, near);
    crm_status status = CRM_OK;
    for (size_t n = 0; n < near->count && status == CRM_OK; n++) {
        size_t ball = near->ball[n];
        flight_contact c = flight_contact_at(f, ball, special->body, 0);
        if (f->mode[ball] != FLIGHT_FIXED && c.gap <= 0) {
            status = units_take(u, ball, 0, error);
        }
    }
    return status;
}

static crm_status loosen(units *u, const units_special *special, const scene_system *s,
                         const double *q, const double *v, crm_error *error)
{
    units_loose *l = units_add_loose(u, special->body, error);
    if (l == NULL) {
        return CRM_ERROR_MEMORY;
    }
    const scene_body *b = &s->body[special->body];
    crm_solid solid = scene_solid(s, special->body, q);
    l->reach = special->reach;
    l->positions = special->positions;
    l->velocities = special->velocities;
    memcpy(l->x, solid.centre, sizeof l->x);
    memcpy(l->q, q + b->position, l->positions * sizeof *q);
    memcpy(l->v, v + b->velocity, l->velocities * sizeof *v);
    flight_set_berth(u->flight, special->body, 0, l->x, l->reach);
    return CRM_OK;
}

/* Wherever they are now, they may meet: what cannot be is refused at the start. */
static crm_status check_specials(const units *u, const crm_scene_def *def, const scene_system *s,
                                 const double *q, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t k = 0; k < u->specials; k++) {
        for (size_t i = 0; i < k && status == CRM_OK; i++) {
            status =
                scene_check_pair(s, &def->bodies, u->special[i].body, u->special[k].body, q, error);
        }
    }
    return status;
}

static crm_status first_groups(units *u, const crm_scene_def *def, const scene_system *s,
                               crm_error *error)
{
    double *q = CRM_NEW(double, s->positions), *v = CRM_NEW(double, s->velocities);
    crm_status status = q != NULL && v != NULL ? units_prepare(u, error) : crm_fail_memory(error);
    if (status == CRM_OK) {
        scene_start(s, def, q, v);
        status = check_specials(u, def, s, q, error);
    }
    for (size_t k = 0; k < u->specials && status == CRM_OK; k++) {
        if (u->special[k].def.fixed) {
            status = set_fixed_berth(u, &u->special[k], error);
        } else {
            status = loosen(u, &u->special[k], s, q, v, error);
        }
    }
    free(q);
    free(v);
    return status == CRM_OK ? units_regroup(u, 0, error) : status;
}

/* ---- Together -------------------------------------------------------------------------------- */

static void find_size(units *u, const crm_scene_def *def)
{
    for (size_t i = 0; i < u->bodies; i++) {
        const crm_body_def *body = &def->bodies.bodies[i];
        const units_special *special = units_special_of(u, i);
        double reach = special != NULL ? special->reach : body->radius;
        u->size = body->fixed ? u->size : fmax(u->size, reach);
        size_t plain = body->fixed ? 0 : def->bodies.dimension;
        u->motion.positions += special != NULL ? special->positions : plain;
        u->motion.velocities += special != NULL ? special->velocities : plain;
    }
}

static crm_status fill_flight(units *u, const crm_scene_def *def, const flight_others *others,
                              crm_error *error)
{
    u->part = u->motion.options;
    u->part.law = u->motion.law;
    u->part.stop_at_rest = false;
    u->part.stop_impacts = 0;
    crm_status status = flight_create(def, others, &u->part, &u->flight, error);
    if (status == CRM_OK) {
        point_to_copies(u);
        find_size(u, def);
    }
    return status;
}

static crm_status fill_mixed(units *u, const crm_scene_def *def, crm_error *error)
{
    bool *special = CRM_NEW(bool, u->bodies);
    uint8_t *velocities = CRM_NEW(uint8_t, u->bodies);
    scene_system *s = NULL;
    crm_status status =
        special != NULL && velocities != NULL ? scene_make(def, &s, error) : crm_fail_memory(error);
    if (status == CRM_OK) {
        mark_specials(def, special);
        fill_specials(u, def, s, special, velocities);
        const flight_others others = {special, velocities};
        status = fill_flight(u, def, &others, error);
    }
    status = status == CRM_OK ? first_groups(u, def, s, error) : status;
    scene_free(s);
    free(special);
    free(velocities);
    return status;
}

static crm_status fill(units *u, const crm_scene_def *def, const crm_motion_options *options,
                       crm_error *error)
{
    crm_status status = crm_motion_begin(&u->motion, options, error);
    if (status == CRM_OK && !copy_parts(u, def)) {
        status = crm_fail_memory(error);
    }
    if (status != CRM_OK) {
        return status;
    }
    return count_specials(def) > 0 ? fill_mixed(u, def, error) : fill_flight(u, def, NULL, error);
}

crm_status crm_units_create(const crm_scene_def *def, const crm_motion_options *options,
                            crm_motion **motion, crm_error *error)
{
    *motion = NULL;
    units *u = CRM_NEW(units, 1);
    if (u == NULL) {
        return crm_fail_memory(error);
    }
    u->motion.kind = &kind;
    u->sampled = nextafter(0, -INFINITY);
    crm_status status = fill(u, def, options, error);
    if (status != CRM_OK) {
        units_free(&u->motion);
        return status;
    }
    crm_motion_account start = units_energies(u);
    u->motion.kinetic_before = start.kinetic_after;
    u->motion.potential_before = start.potential_after;
    *motion = &u->motion;
    return CRM_OK;
}
