/* Which engine moves a scene; the definition, copied. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/bodies.h"
#include "motion/scene/scene.h"
#include "motion/units/units.h"

static const double TWO_PI = 6.28318530717958647692;

/* ---- Bodies ---------------------------------------------------------------------------------- */

void scene_free(scene_system *s)
{
    if (s != NULL) {
        free(s->body);
        free(s->wall);
        free(s->spring);
        free(s->inertia);
        free(s);
    }
}

static void place_bodies(scene_system *s, const crm_scene_def *def)
{
    for (size_t i = 0; i < s->bodies; i++) {
        const crm_body_def *body = &def->bodies.bodies[i];
        bool rod = body->shape == CRM_SHAPE_ROD;
        s->body[i] = (scene_body){.hold = body->fixed ? SCENE_FIXED : SCENE_FREE,
                                  .rod = rod,
                                  .half = rod ? 0.5 * body->length : 0,
                                  .radius = crm_body_radius(body),
                                  .angle = rod ? body->angle : 0};
        memcpy(s->body[i].place, body->position, s->dimension * sizeof(double));
    }
    for (size_t k = 0; k < def->suspended_count; k++) {
        const crm_suspension *hung = &def->suspended[k];
        scene_body *bob = &s->body[hung->body];
        bob->hold = SCENE_HUNG;
        bob->string = hung->length;
        memcpy(bob->place, hung->from, sizeof hung->from);
    }
}

static size_t coordinates_of(const scene_system *s, size_t i)
{
    const scene_body *b = &s->body[i];
    return b->hold == SCENE_FIXED ? 0 : b->hold == SCENE_HUNG ? 1 : (size_t)s->dimension + b->rod;
}

/* Mass of a sphere in each direction; of a bob m l^2; of a rod its moment of inertia, too. */
static crm_status fill_masses(scene_system *s, const crm_bodies_def *def, crm_error *error)
{
    for (size_t i = 0; i < s->bodies; i++) {
        scene_body *b = &s->body[i];
        size_t count = coordinates_of(s, i);
        b->position = s->positions;
        b->velocity = s->velocities;
        s->positions += count;
        s->velocities += count;
        if (b->hold == SCENE_FIXED) {
            continue;
        }
        crm_status status = crm_body_mass(def, i, &b->mass, error);
        if (status != CRM_OK) {
            return status;
        }
        for (size_t k = b->velocity; k < s->velocities; k++) {
            s->inertia[k] = b->hold == SCENE_HUNG ? b->mass * b->string * b->string : b->mass;
        }
        if (b->rod) {
            s->inertia[s->velocities - 1] = crm_rod_inertia(&def->bodies[i], b->mass);
        }
    }
    return CRM_OK;
}

static void fill_walls(scene_system *s, const crm_scene_def *def)
{
    for (size_t k = 0; k < s->walls; k++) {
        const crm_wall_def *wall = &def->bodies.walls[k];
        scene_wall *w = &s->wall[k];
        double length = sqrt(crm_dot(wall->normal, wall->normal, s->dimension));
        for (unsigned d = 0; d < s->dimension; d++) {
            w->normal[d] = wall->normal[d] / length;
            w->offset += w->normal[d] * wall->point[d];
            w->speed += w->normal[d] * wall->velocity[d];
        }
        if (def->wall_motion != NULL) {
            w->amplitude = def->wall_motion[k].amplitude;
            w->omega = TWO_PI * def->wall_motion[k].frequency;
            w->phase = def->wall_motion[k].phase;
        }
    }
}

/* Where nothing falls, down is against the second axis. */
static void fill_gravity(scene_system *s, const crm_scene_def *def)
{
    memcpy(s->gravity, def->gravity, s->dimension * sizeof(double));
    double strength = hypot(s->gravity[0], s->gravity[1]);
    s->down[0] = strength > 0 ? s->gravity[0] / strength : 0;
    s->down[1] = strength > 0 ? s->gravity[1] / strength : -1;
    s->across[0] = -s->down[1];
    s->across[1] = s->down[0];
}

/* ---- The scene ------------------------------------------------------------------------------- */

static crm_status fill(scene_system *s, const crm_scene_def *def, crm_error *error)
{
    size_t most = s->bodies * (s->dimension + 1);
    s->body = CRM_NEW(scene_body, s->bodies);
    s->wall = CRM_NEW(scene_wall, s->walls);
    s->spring = CRM_NEW(crm_spring_def, s->springs);
    s->inertia = CRM_NEW(double, most);
    if (s->body == NULL || s->wall == NULL || s->spring == NULL || s->inertia == NULL) {
        return crm_fail_memory(error);
    }
    place_bodies(s, def);
    fill_walls(s, def);
    fill_gravity(s, def);
    if (s->springs > 0) {
        memcpy(s->spring, def->springs, s->springs * sizeof *s->spring);
    }
    return fill_masses(s, &def->bodies, error);
}

crm_status scene_make(const crm_scene_def *def, scene_system **made, crm_error *error)
{
    *made = NULL;
    scene_system *s = CRM_NEW(scene_system, 1);
    if (s == NULL) {
        return crm_fail_memory(error);
    }
    s->dimension = def->bodies.dimension;
    s->bodies = def->bodies.body_count;
    s->walls = def->bodies.wall_count;
    s->springs = def->spring_count;
    crm_status status = fill(s, def, error);
    if (status != CRM_OK) {
        scene_free(s);
        return status;
    }
    *made = s;
    return CRM_OK;
}

/* ---- Of the whole ---------------------------------------------------------------------------- */

void scene_start(const scene_system *s, const crm_scene_def *def, double *position,
                 double *velocity)
{
    memset(position, 0, s->positions * sizeof *position);
    memset(velocity, 0, s->velocities * sizeof *velocity);
    if (def->velocity != NULL) {
        memcpy(velocity, def->velocity, s->velocities * sizeof *velocity);
    }
    for (size_t i = 0; i < s->bodies; i++) {
        const scene_body *b = &s->body[i];
        if (b->hold == SCENE_FREE) {
            memcpy(position + b->position, b->place, s->dimension * sizeof(double));
            if (b->rod) {
                position[b->position + 2] = b->angle;
            }
        }
    }
    for (size_t k = 0; k < def->suspended_count; k++) {
        const scene_body *b = &s->body[def->suspended[k].body];
        position[b->position] = def->suspended[k].angle;
        velocity[b->velocity] = def->suspended[k].spin;
    }
}

double scene_size(const scene_system *s)
{
    double size = 0;
    for (size_t i = 0; i < s->bodies; i++) {
        size = fmax(size, s->body[i].hold == SCENE_FIXED ? 0 : scene_reach(s, i));
    }
    return size;
}

bool scene_walls_move(const scene_system *s)
{
    bool move = false;
    for (size_t k = 0; k < s->walls; k++) {
        const scene_wall *w = &s->wall[k];
        move |= w->speed != 0 || (w->amplitude != 0 && w->omega != 0);
    }
    return move;
}

crm_status scene_check_pair(const scene_system *s, const crm_bodies_def *def, size_t first,
                            size_t second, const double *q, crm_error *error)
{
    scene_gap gap[SCENE_GAPS_MOST];
    size_t count = scene_pair_gaps(s, first, second, gap);
    double size = scene_reach(s, first) + (second < s->bodies ? scene_reach(s, second) : 0);
    if (second < s->bodies && s->body[first].rod && s->body[second].rod && count > 0) {
        return crm_fail_pair(def, first, second,
                             "are rods, of which one moves: the motion of a scene knows rods with "
                             "discs and walls only",
                             error);
    }
    for (size_t k = 0; k < count; k++) {
        double distance = scene_measure_gap(s, &gap[k], 0, q, NULL).gap;
        if (distance < -def->tolerance * size) {
            return crm_fail_overlap(def, first, second, distance, error);
        }
    }
    return CRM_OK;
}

/* ---- Which engine ---------------------------------------------------------------------------- */

crm_status crm_motion_from_scene(const crm_scene_def *def, const crm_motion_options *options,
                                 crm_motion **motion, crm_error *error)
{
    const crm_motion_options standard = crm_motion_options_default();
    *motion = NULL;
    options = options != NULL ? options : &standard;
    crm_status status = crm_scene_check(def, options, error);
    return status == CRM_OK ? crm_units_create(def, options, motion, error) : status;
}
