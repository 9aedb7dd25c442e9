/* Which engine moves a scene; the definition, copied. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/bodies.h"
#include "motion/flight/flight.h"
#include "motion/lagrange/lagrange.h"
#include "motion/scene/scene.h"

static const double TWO_PI = 6.28318530717958647692;
/* The Lagrangian engine is dense: its work grows with the cube of the gaps. */
enum { MOST_GAPS = 200 };

/* ---- Bodies ---------------------------------------------------------------------------------- */

void scene_free(void *context)
{
    scene_system *s = context;
    if (s != NULL) {
        free(s->body);
        free(s->wall);
        free(s->spring);
        free(s->gap);
        free(s->party);
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
        b->start = s->coordinates;
        s->coordinates += coordinates_of(s, i);
        if (b->hold == SCENE_FIXED) {
            continue;
        }
        crm_status status = crm_body_mass(def, i, &b->mass, error);
        if (status != CRM_OK) {
            return status;
        }
        for (size_t k = b->start; k < s->coordinates; k++) {
            s->inertia[k] = b->hold == SCENE_HUNG ? b->mass * b->string * b->string : b->mass;
        }
        if (b->rod) {
            s->inertia[s->coordinates - 1] = crm_rod_inertia(&def->bodies[i], b->mass);
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

/* ---- Gaps ------------------------------------------------------------------------------------ */

static size_t gaps_between(const scene_system *s, size_t i, size_t j)
{
    return s->body[i].hold != SCENE_FIXED || s->body[j].hold != SCENE_FIXED;
}

static size_t gaps_with_wall(const scene_system *s, size_t i)
{
    return s->body[i].hold == SCENE_FIXED ? 0 : s->body[i].rod ? 2 : 1;
}

static crm_status count_gaps(scene_system *s, const crm_bodies_def *def, crm_error *error)
{
    for (size_t i = 0; i < s->bodies; i++) {
        for (size_t j = i + 1; j < s->bodies; j++) {
            size_t count = gaps_between(s, i, j);
            s->gaps += count;
            if (count > 0 && s->body[i].rod && s->body[j].rod) {
                return crm_fail_pair(def, i, j,
                                     "are rods, of which one moves: the motion of a scene knows "
                                     "rods with discs and walls only",
                                     error);
            }
        }
        s->gaps += s->walls * gaps_with_wall(s, i);
    }
    return s->gaps <= MOST_GAPS
               ? CRM_OK
               : crm_fail(error, CRM_ERROR_MODEL, "bodies",
                          "the bodies and walls make %zu pairs that can meet; with rods, strings "
                          "or springs there may be at most %d",
                          s->gaps, MOST_GAPS);
}

static void add_gap(scene_system *s, scene_gap gap, size_t first, size_t second, size_t *filled)
{
    s->gap[*filled] = gap;
    s->party[*filled][0] = first;
    s->party[(*filled)++][1] = second;
}

static size_t fill_between(scene_system *s, size_t i, size_t j, size_t filled)
{
    if (gaps_between(s, i, j) > 0) {
        bool side = s->body[i].rod || s->body[j].rod;
        scene_gap gap = {.kind = side ? SCENE_SIDE : SCENE_CENTRES,
                         .first = s->body[j].rod ? j : i,
                         .second = s->body[j].rod ? i : j,
                         .reach = s->body[i].radius + s->body[j].radius};
        add_gap(s, gap, i, j, &filled);
    }
    return filled;
}

static size_t fill_with_wall(scene_system *s, size_t i, size_t k, size_t filled)
{
    size_t count = gaps_with_wall(s, i);
    for (size_t end = 0; end < count; end++) {
        double half = s->body[i].half;
        scene_gap gap = {.kind = SCENE_WALL,
                         .first = i,
                         .second = k,
                         .along = end == 0 ? -half : half,
                         .reach = s->body[i].radius};
        add_gap(s, gap, i, s->bodies + k, &filled);
    }
    return filled;
}

/* In the order of a model's contacts: (1,2), (1,3), ..., then walls. */
static bool fill_gaps(scene_system *s)
{
    size_t filled = 0;
    s->gap = CRM_NEW(scene_gap, s->gaps);
    s->party = (size_t(*)[2])crm_allocate(s->gaps, sizeof *s->party);
    if (s->gap == NULL || s->party == NULL) {
        return false;
    }
    for (size_t i = 0; i < s->bodies; i++) {
        for (size_t j = i + 1; j < s->bodies; j++) {
            filled = fill_between(s, i, j, filled);
        }
    }
    for (size_t k = 0; k < s->walls; k++) {
        for (size_t i = 0; i < s->bodies; i++) {
            filled = fill_with_wall(s, i, k, filled);
        }
    }
    return true;
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
    crm_status status = fill_masses(s, &def->bodies, error);
    status = status == CRM_OK ? count_gaps(s, &def->bodies, error) : status;
    return status == CRM_OK && !fill_gaps(s) ? crm_fail_memory(error) : status;
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

/* ---- Which engine ---------------------------------------------------------------------------- */

static bool all_fly(const crm_scene_def *def)
{
    bool fly = def->spring_count == 0 && def->suspended_count == 0;
    for (size_t i = 0; i < def->bodies.body_count; i++) {
        fly &= def->bodies.bodies[i].shape == CRM_SHAPE_SPHERE;
    }
    return fly;
}

crm_status crm_motion_from_scene(const crm_scene_def *def, const crm_motion_options *options,
                                 crm_motion **motion, crm_error *error)
{
    const crm_motion_options standard = crm_motion_options_default();
    if (crm_is_missing(motion, "motion", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *motion = NULL;
    if (crm_is_missing(def, "def", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    options = options != NULL ? options : &standard;
    crm_status status = crm_scene_check(def, options, error);
    if (status != CRM_OK) {
        return status;
    }
    return all_fly(def) ? crm_flight_create(def, options, motion, error)
                        : crm_scene_create(def, options, motion, error);
}
