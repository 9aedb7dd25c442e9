/* Motions, of every engine: run, saved, loaded into another and run on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion_balls.h"
#include "support.h"
#include "torture.h"

typedef struct course {
    const crm_lagrangian_def *lagrangian; /* or ... */
    const crm_scene_def *scene;
    const crm_motion_options *options;
    double until;
} course;

static crm_status see_impact(void *context, const crm_impact_report *report)
{
    torture_mix(context, &report->time, sizeof report->time);
    return CRM_OK;
}

static crm_status see_state(void *context, double time, const double *position,
                            const double *velocity)
{
    (void)position;
    torture_mix(context, &time, sizeof time);
    torture_mix(context, velocity, sizeof *velocity);
    return CRM_OK;
}

/* ---- Archives in an array -------------------------------------------------------------------- */

enum { ARCHIVE_MOST = 1 << 18, STATE_MOST = 512 };

typedef struct archive {
    char bytes[ARCHIVE_MOST];
    size_t size, at;
} archive;

static crm_status put(void *context, const void *bytes, size_t size)
{
    archive *a = context;
    if (size > ARCHIVE_MOST - a->size) {
        return CRM_ERROR_ARGUMENT;
    }
    memcpy(a->bytes + a->size, bytes, size);
    a->size += size;
    return CRM_OK;
}

static crm_status get(void *context, void *bytes, size_t size)
{
    archive *a = context;
    if (size > a->size - a->at) {
        return CRM_ERROR_ARGUMENT;
    }
    memcpy(bytes, a->bytes + a->at, size);
    a->at += size;
    return CRM_OK;
}

/* ---- Deeds ----------------------------------------------------------------------------------- */

static crm_status create(const course *c, crm_motion **motion, crm_error *error)
{
    return c->scene != NULL ? crm_motion_from_scene(c->scene, c->options, motion, error)
                            : crm_motion_from_lagrangian(c->lagrangian, c->options, motion, error);
}

static void mix_motion(uint64_t *hash, const crm_motion *motion)
{
    static double state[2][STATE_MOST];
    if (crm_motion_positions(motion) > STATE_MOST) {
        abort();
    }
    crm_motion_read(motion, state[0], state[1]);
    torture_mix(hash, state[0], crm_motion_positions(motion) * sizeof(double));
    torture_mix(hash, state[1], crm_motion_velocities(motion) * sizeof(double));
}

static crm_status move(const void *input, uint64_t *hash, crm_error *error)
{
    const course *c = input;
    crm_motion *motion = NULL;
    crm_motion_stop stopped = CRM_STOP_DURATION;
    uint64_t seen = 0;
    const crm_observer observer = {
        .context = &seen, .every = 0.25 * c->until, .state = see_state, .impact = see_impact};
    crm_status status = create(c, &motion, error);
    if (status == CRM_OK) {
        status = crm_motion_run(motion, c->until, &observer, &stopped, error);
    }
    if (status == CRM_OK) {
        mix_motion(hash, motion);
        torture_mix(hash, &seen, sizeof seen);
        torture_mix(hash, &stopped, sizeof stopped);
    }
    crm_motion_free(motion);
    return status;
}

/* Half of it, then the rest by a motion that is made anew. */
static crm_status relay(const void *input, uint64_t *hash, crm_error *error)
{
    static archive kept;
    const course *c = input;
    crm_motion *first = NULL, *second = NULL;
    crm_motion_stop stopped;
    kept.size = kept.at = 0;
    crm_status status = create(c, &first, error);
    if (status == CRM_OK) {
        status = crm_motion_run(first, 0.5 * c->until, NULL, &stopped, error);
    }
    if (status == CRM_OK) {
        status = crm_motion_save(first, put, &kept, error);
    }
    crm_motion_free(first);
    if (status == CRM_OK) {
        status = create(c, &second, error);
    }
    if (status == CRM_OK) {
        status = crm_motion_load(second, get, &kept, error);
    }
    if (status == CRM_OK) {
        status = crm_motion_run(second, c->until, NULL, &stopped, error);
    }
    if (status == CRM_OK) {
        mix_motion(hash, second);
        torture_mix(hash, kept.bytes, kept.size);
    }
    crm_motion_free(second);
    return status;
}

static void torture_course(const char *name, const course *c, const torture_plan *plan,
                           torture_tally *tally)
{
    char text[96];
    torture_call(&(torture_deed){name, move, c}, plan, tally);
    snprintf(text, sizeof text, "%s, saved and loaded", name);
    torture_call(&(torture_deed){text, relay, c}, plan, tally);
}

static void torture_scene(const char *name, const crm_scene_def *def, crm_motion_scheme scheme,
                          const torture_plan *plan, torture_tally *tally)
{
    crm_motion_options options = crm_motion_options_default();
    options.scheme = scheme;
    options.step = 0.01;
    const course c = {.scene = def, .options = &options, .until = 0.3};
    torture_course(name, &c, plan, tally);
}

/* Spheres enough for a grid of cells, in a box. */
static void torture_gas(const torture_plan *plan, torture_tally *tally)
{
    enum { SIDE = 6, COUNT = SIDE * SIDE };
    crm_body_def body[COUNT];
    double velocity[2 * COUNT];
    crm_wall_def wall[4];
    for (size_t i = 0; i < COUNT; i++) {
        body[i] = ball_at(0.1, 1, 0.25 * (double)(i % SIDE), 0.25 * (double)(i / SIDE), 0);
        velocity[2 * i] = (double)((7 * i) % 11) - 5;
        velocity[2 * i + 1] = (double)((5 * i) % 13) - 6;
    }
    for (size_t i = 0; i < 4; i++) {
        wall[i] = crm_wall_def_default();
        wall[i].normal[i / 2] = i % 2 == 0 ? 1 : -1;
        wall[i].point[i / 2] = i % 2 == 0 ? -0.2 : 0.25 * SIDE;
    }
    crm_scene_def scene = crm_scene_def_default();
    scene.bodies = bodies_def(2, body, COUNT);
    scene.bodies.walls = wall;
    scene.bodies.wall_count = 4;
    scene.velocity = velocity;
    torture_scene("motion of a gas", &scene, CRM_EVENT_DRIVEN, plan, tally);
}

/* Bodies with edges, joined by a spring, in equal steps; one that lands, from event to event. */
static void torture_boxes(const torture_plan *plan, torture_tally *tally)
{
    crm_body_def body[3] = {crm_body_def_default(), crm_body_def_default(),
                            ball_at(0.1, 1, 1, 0.1, 0)};
    for (size_t i = 0; i < 2; i++) {
        body[i].shape = CRM_SHAPE_BOX;
        body[i].size[0] = body[i].size[1] = 0.2;
        body[i].mass = 1;
        body[i].position[1] = 0.2 + 0.25 * (double)i;
        body[i].angle = 0.1;
    }
    const double velocity[] = {0, 0, 0, 0, -1, 0, -3, 0, 0};
    const crm_spring_def spring = {.first = 0, .second = 1, .stiffness = 10, .length = 0.2};
    crm_wall_def floor = crm_wall_def_default();
    floor.normal[1] = 1;
    crm_scene_def scene = crm_scene_def_default();
    scene.bodies = bodies_def(2, body, 3);
    scene.bodies.walls = &floor;
    scene.bodies.wall_count = 1;
    scene.bodies.contact.restitution = 0.5;
    scene.velocity = velocity;
    scene.gravity[1] = -9.81;
    scene.springs = &spring;
    scene.spring_count = 1;
    torture_scene("motion of boxes in steps", &scene, CRM_TIME_STEPPING, plan, tally);
    scene.springs = NULL;
    scene.spring_count = 0;
    scene.bodies.body_count = 1;
    torture_scene("motion of a box", &scene, CRM_EVENT_DRIVEN, plan, tally);
}

void torture_motions(const torture_plan *plan, torture_tally *tally)
{
    balls b = {.count = 2, .gravity = 9.81};
    const double position[] = {1, 0.5}, velocity[] = {0, 0}, restitution[] = {0.5, 0.5};
    crm_lagrangian_def def = balls_def(&b, position, velocity, restitution);
    const course bounce = {.lagrangian = &def, .until = 1};
    torture_course("motion of a Lagrangian system", &bounce, plan, tally);

    crm_body_def body[4] = {ball_at(0.1, 1, 0, 1, 0), ball_at(0.1, 1, 0.2, 1, 0),
                            ball_at(0.1, 2, 0.5, 0.5, 0), ball_at(0.1, 1, 0.5, 0.8, 0)};
    const double flying[8] = {1, 0, 0, 0, -1, 0.5, 0, -3};
    crm_wall_def floor = crm_wall_def_default();
    floor.normal[1] = 1;
    crm_scene_def scene = crm_scene_def_default();
    scene.bodies = bodies_def(2, body, 4);
    scene.bodies.walls = &floor;
    scene.bodies.wall_count = 1;
    scene.bodies.contact.restitution = 0.7;
    scene.velocity = flying;
    scene.gravity[1] = -9.81;
    torture_scene("motion of discs", &scene, CRM_EVENT_DRIVEN, plan, tally);
    torture_scene("motion of discs in steps", &scene, CRM_TIME_STEPPING, plan, tally);

    crm_spring_def spring = {.first = 0, .second = 1, .stiffness = 10, .length = 0.2};
    scene.springs = &spring;
    scene.spring_count = 1;
    torture_scene("motion with a spring", &scene, CRM_EVENT_DRIVEN, plan, tally);

    const crm_suspension hung[2] = {{.body = 0, .from = {0, 1.6}, .length = 0.5, .angle = -0.8},
                                    {.body = 1, .from = {0.2, 1.6}, .length = 0.5}};
    scene.springs = NULL;
    scene.spring_count = 0;
    scene.bodies.body_count = 2;
    scene.suspended = hung;
    scene.suspended_count = 2;
    torture_scene("motion of a cradle", &scene, CRM_EVENT_DRIVEN, plan, tally);
    torture_gas(plan, tally);
    torture_boxes(plan, tally);
}
