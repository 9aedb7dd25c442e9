/* Where the bodies of a scene are in space, from its coordinates. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "report/motion.h"

/* Straight down, and that turned counterclockwise by a right angle: from these a bob's angle
 * counts. Where nothing falls, down is against the second axis.
 */
static void find_down(const crm_scene_def *scene, double down[2], double across[2])
{
    double strength = hypot(scene->gravity[0], scene->gravity[1]);
    down[0] = strength > 0 ? scene->gravity[0] / strength : 0;
    down[1] = strength > 0 ? scene->gravity[1] / strength : -1;
    across[0] = -down[1];
    across[1] = down[0];
}

static void place_bob(const crm_scene_def *scene, const crm_suspension *bob, const double *q,
                      const double *v, crm_pose *place)
{
    double down[2], across[2], c = cos(q[0]), s = sin(q[0]);
    find_down(scene, down, across);
    for (size_t d = 0; d < 2; d++) {
        place->x[d] = bob->from[d] + bob->length * (c * down[d] + s * across[d]);
        place->v[d] = bob->length * v[0] * (c * across[d] - s * down[d]);
    }
}

/* By an angle in the plane. */
static void turn(double angle, double spin, crm_pose *place)
{
    place->orientation[0] = cos(0.5 * angle);
    place->orientation[3] = sin(0.5 * angle);
    place->spin[2] = spin;
}

static void measure(const crm_body_def *body, crm_pose *place)
{
    double radius = isnan(body->radius) ? 0 : body->radius;
    bool rod = body->shape == CRM_SHAPE_ROD;
    place->radius = radius;
    place->extent[0] = radius + (rod ? 0.5 * body->length : 0);
    place->extent[1] = place->extent[2] = radius;
}

/* `q` and `v` are the body's own. */
static crm_pose place_body(const crm_scene_walk *walk, const double *q, const double *v)
{
    const crm_scene_def *scene = walk->scene;
    const crm_body_def *body = &scene->bodies.bodies[walk->body];
    const crm_suspension *bob = crm_scene_bob(walk);
    unsigned dimension = scene->bodies.dimension;
    crm_pose place = {.body = walk->body, .orientation = {1, 0, 0, 0}};
    bool rod = body->shape == CRM_SHAPE_ROD;
    measure(body, &place);
    if (bob != NULL) {
        place_bob(scene, bob, q, v, &place);
        return place;
    }
    memcpy(place.x, body->fixed ? body->position : q, dimension * sizeof(double));
    if (!body->fixed) {
        memcpy(place.v, v, dimension * sizeof(double));
    }
    if (rod) {
        turn(body->fixed ? body->angle : q[2], body->fixed ? 0 : v[2], &place);
    }
    return place;
}

void crm_scene_poses(const crm_scene_def *scene, const double *position, const double *velocity,
                     crm_pose *places)
{
    crm_scene_walk walk = {.scene = scene};
    for (; walk.body < scene->bodies.body_count; crm_scene_skip(&walk)) {
        places[walk.body] = place_body(&walk, position, velocity);
        position += crm_scene_components(&walk, false);
        velocity += crm_scene_components(&walk, true);
    }
}
