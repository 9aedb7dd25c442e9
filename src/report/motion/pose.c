/* Poses of the bodies of a scene in space, from its coordinates. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "base/elementary.h"
#include "model/bodies/bodies.h"
#include "report/motion.h"

/* Straight down, and that turned counterclockwise by a right angle: the axes of a bob's
 * angle. Without gravity, down is against the second axis.
 */
static void find_down(const crm_scene_def *scene, double down[2], double across[2])
{
    double strength = crm_hypot(scene->gravity[0], scene->gravity[1]);
    down[0] = strength > 0 ? scene->gravity[0] / strength : 0;
    down[1] = strength > 0 ? scene->gravity[1] / strength : -1;
    across[0] = -down[1];
    across[1] = down[0];
}

static void place_bob(const crm_scene_def *scene, const crm_suspension *bob, const double *q,
                      const double *v, crm_pose *pose)
{
    double down[2], across[2], c = crm_cos(q[0]), s = crm_sin(q[0]);
    find_down(scene, down, across);
    for (size_t d = 0; d < 2; d++) {
        pose->x[d] = bob->from[d] + bob->length * (c * down[d] + s * across[d]);
        pose->v[d] = bob->length * v[0] * (c * across[d] - s * down[d]);
    }
}

/* By an angle in the plane. */
static void turn(double angle, double spin, crm_pose *pose)
{
    pose->orientation[0] = crm_cos(0.5 * angle);
    pose->orientation[3] = crm_sin(0.5 * angle);
    pose->spin[2] = spin;
}

/* By q / |q|; the spin is given in the axes of space, the body's own w becoming
 * w + 2 r x (q0 w + r x w), r = (q1, q2, q3).
 */
static void orient(const double q[4], const double own[3], crm_pose *pose)
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    double *o = pose->orientation, turned[3];
    for (size_t k = 0; k < 4; k++) {
        o[k] = q[k] / length;
    }
    const double *r = o + 1;
    for (size_t d = 0; d < 3; d++) {
        size_t e = (d + 1) % 3, f = (d + 2) % 3;
        turned[d] = o[0] * own[d] + r[e] * own[f] - r[f] * own[e];
    }
    for (size_t d = 0; d < 3; d++) {
        size_t e = (d + 1) % 3, f = (d + 2) % 3;
        pose->spin[d] = own[d] + 2 * (r[e] * turned[f] - r[f] * turned[e]);
    }
}

static void measure(const crm_body_def *body, crm_pose *pose)
{
    double *extent = pose->extent;
    bool round = body->shape == CRM_SHAPE_SPHERE || body->shape == CRM_SHAPE_ROD;
    pose->radius = round && !isnan(body->radius) ? body->radius : 0;
    extent[0] = extent[1] = extent[2] = pose->radius;
    if (body->shape == CRM_SHAPE_ROD) {
        extent[0] += 0.5 * body->length;
    } else if (body->shape == CRM_SHAPE_BOX) {
        extent[0] = 0.5 * body->size[0];
        extent[1] = 0.5 * body->size[1];
    } else if (!round) {
        size_t axes = body->shape == CRM_SHAPE_ELLIPSE ? 2 : 3;
        memcpy(extent, body->semi_axes, axes * sizeof *extent);
    }
}

static void turn_body(const crm_body_def *body, const double *q, const double *v, crm_pose *pose)
{
    static const double still[3] = {0, 0, 0};
    unsigned turns = crm_body_turns(body, 0);
    if (turns == 1) {
        turn(body->fixed ? body->angle : q[2], body->fixed ? 0 : v[2], pose);
    } else if (turns == 3) {
        orient(body->fixed ? body->orientation : q + 3, body->fixed ? still : v + 3, pose);
    }
}

/* `q` and `v` are the body's own. */
static crm_pose place_body(const crm_scene_walk *walk, const double *q, const double *v)
{
    const crm_scene_def *scene = walk->scene;
    const crm_body_def *body = &scene->bodies.bodies[walk->body];
    const crm_suspension *bob = crm_scene_bob(walk);
    unsigned dimension = scene->bodies.dimension;
    crm_pose pose = {.body = walk->body, .orientation = {1, 0, 0, 0}};
    measure(body, &pose);
    if (bob != NULL) {
        place_bob(scene, bob, q, v, &pose);
        return pose;
    }
    memcpy(pose.x, body->fixed ? body->position : q, dimension * sizeof(double));
    if (!body->fixed) {
        memcpy(pose.v, v, dimension * sizeof(double));
    }
    turn_body(body, q, v, &pose);
    return pose;
}

void crm_poses_compute(const crm_scene_def *scene, const double *position, const double *velocity,
                       crm_pose *poses)
{
    crm_scene_walk walk = {.scene = scene};
    for (; walk.body < scene->bodies.body_count; crm_scene_skip(&walk)) {
        poses[walk.body] = place_body(&walk, position, velocity);
        position += crm_scene_components(&walk, false);
        velocity += crm_scene_components(&walk, true);
    }
}
