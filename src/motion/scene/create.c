/* Which engine moves a scene; the definition, copied. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/elementary.h"
#include "model/bodies/bodies.h"
#include "motion/groups/groups.h"
#include "motion/scene/scene.h"
#include "motion/stepping/create.h"

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
        s->body[i] = (scene_body){.hold = body->fixed ? SCENE_FIXED : SCENE_FREE,
                                  .solid = crm_solid_of(body, s->dimension),
                                  .turns = crm_body_turns(body, 0)};
    }
    for (size_t k = 0; k < def->suspended_count; k++) {
        const crm_suspension *hung = &def->suspended[k];
        scene_body *bob = &s->body[hung->body];
        bob->hold = SCENE_HUNG;
        bob->string = hung->length;
        memcpy(bob->from, hung->from, sizeof hung->from);
    }
}

static void count_coordinates(scene_system *s)
{
    for (size_t i = 0; i < s->bodies; i++) {
        scene_body *b = &s->body[i];
        bool free = b->hold == SCENE_FREE;
        b->velocities = free ? (size_t)s->dimension + b->turns : b->hold == SCENE_HUNG;
        b->positions = b->velocities + (free && b->turns == 3);
        b->position = s->positions;
        b->velocity = s->velocities;
        s->positions += b->positions;
        s->velocities += b->velocities;
    }
}

/* Mass in each direction, then the moments of inertia; of a bob m l^2. */
static crm_status fill_masses(scene_system *s, const crm_bodies_def *def, crm_error *error)
{
    for (size_t i = 0; i < s->bodies; i++) {
        scene_body *b = &s->body[i];
        if (b->hold == SCENE_FIXED) {
            continue;
        }
        crm_status status = crm_body_mass(def, i, &b->mass, error);
        if (status != CRM_OK) {
            return status;
        }
        double *inertia = s->inertia + b->velocity;
        bool hung = b->hold == SCENE_HUNG;
        crm_body_moments(&def->bodies[i], 0, b->mass, b->moment);
        for (size_t k = 0; k < b->velocities; k++) {
            inertia[k] = hung               ? b->mass * b->string * b->string
                         : k < s->dimension ? b->mass
                                            : b->moment[k - s->dimension];
        }
    }
    return CRM_OK;
}

static void fill_walls(scene_system *s, const crm_scene_def *def)
{
    for (size_t k = 0; k < s->walls; k++) {
        const crm_wall_def *wall = &def->bodies.walls[k];
        crm_wall *w = &s->wall[k];
        double length = sqrt(crm_bodies_dot(wall->normal, wall->normal, s->dimension));
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
    double strength = crm_hypot(s->gravity[0], s->gravity[1]);
    s->down[0] = strength > 0 ? s->gravity[0] / strength : 0;
    s->down[1] = strength > 0 ? s->gravity[1] / strength : -1;
    s->across[0] = -s->down[1];
    s->across[1] = s->down[0];
}

/* ---- The scene ------------------------------------------------------------------------------- */

static crm_status fill(scene_system *s, const crm_scene_def *def, crm_error *error)
{
    s->body = CRM_NEW(scene_body, s->bodies);
    s->wall = CRM_NEW(crm_wall, s->walls);
    s->spring = CRM_NEW(crm_spring_def, s->springs);
    if (s->body == NULL || s->wall == NULL || s->spring == NULL) {
        return crm_fail_memory(error);
    }
    place_bodies(s, def);
    count_coordinates(s);
    s->inertia = CRM_NEW(double, s->velocities);
    if (s->inertia == NULL) {
        return crm_fail_memory(error);
    }
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
        const crm_body_def *body = &def->bodies.bodies[i];
        if (b->hold == SCENE_FREE) {
            double *own = position + b->position;
            memcpy(own, body->position, s->dimension * sizeof *own);
            memcpy(own + s->dimension, b->turns == 3 ? body->orientation : &body->angle,
                   (b->positions - s->dimension) * sizeof *own);
        }
    }
    scene_normalize(s, position);
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
        const crm_wall *w = &s->wall[k];
        move |= w->speed != 0 || (w->amplitude != 0 && w->omega != 0);
    }
    return move;
}

/* Two rods without thickness that lie on one another have no definite side. */
static bool both_thin(const crm_solid *a, const crm_solid *b)
{
    return crm_solid_corners(a) == 2 && crm_solid_corners(b) == 2 && a->radius + b->radius == 0;
}

static crm_status check_boxes(const scene_system *s, const crm_bodies_def *def, size_t first,
                              size_t second, const double *q, crm_error *error)
{
    crm_solid a = scene_solid(s, first, q), b = scene_solid(s, second, q);
    if (both_thin(&a, &b)) {
        return crm_bodies_fail_pair(
            def, first, second,
            "are rods without a radius, of which one moves: give one of them a "
            "radius",
            error);
    }
    double depth = crm_gap_depth(&a, &b), reach = a.radius + b.radius;
    return depth > def->tolerance * (crm_solid_reach(&a) + crm_solid_reach(&b))
               ? crm_bodies_fail_overlap(def, first, second, -depth - reach, error)
               : CRM_OK;
}

crm_status scene_check_pair(const scene_system *s, const crm_bodies_def *def, size_t first,
                            size_t second, const double *q, crm_error *error)
{
    scene_gap gap[SCENE_GAPS_MOST];
    size_t count = scene_pair_gaps(s, first, second, gap);
    bool wall = second >= s->bodies;
    double size = scene_reach(s, first) + (wall ? 0 : scene_reach(s, second));
    crm_status status = !wall && count > 1 ? check_boxes(s, def, first, second, q, error) : CRM_OK;
    for (size_t k = 0; k < count && status == CRM_OK; k++) {
        double distance = scene_measure_gap(s, &gap[k], 0, q, NULL).gap;
        if (!(distance >= -def->tolerance * size)) {
            status = crm_bodies_fail_overlap(def, first, second, distance, error);
        }
    }
    return status;
}

/* ---- Which kind of motion -------------------------------------------------------------------- */

crm_status crm_motion_from_scene(const crm_scene_def *def, const crm_motion_options *options,
                                 crm_motion **motion, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    const crm_motion_options standard = crm_motion_options_default();
    if (crm_fail_if_null(motion, "motion", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *motion = NULL;
    if (crm_fail_if_null(def, "def", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    options = options != NULL ? options : &standard;
    crm_status status = crm_scene_check(def, error);
    if (status != CRM_OK) {
        return status;
    }
    crm_scene_def with;
    struct crm_motion_rules *rules;
    status = crm_motion_rules_make(def, options, &with, &rules, error);
    if (status != CRM_OK) {
        return status;
    }
    status = options->scheme == CRM_TIME_STEPPING
                 ? crm_stepping_create(&with, options, motion, error)
                 : crm_groups_create(&with, options, motion, error);
    if (status != CRM_OK) {
        crm_motion_rules_free(rules);
        return status;
    }
    (*motion)->rules = rules;
    crm_motion_hash_scene(*motion, &with);
    return CRM_OK;
}
