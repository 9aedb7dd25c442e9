#include "flight_call.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

judge_scene judge_scene_blank(unsigned dimension)
{
    judge_scene scene;
    memset(&scene, 0, sizeof scene);
    scene.dimension = dimension;
    return scene;
}

size_t judge_scene_ball(judge_scene *scene, double radius, double mass, double x, double y,
                        double z)
{
    size_t i = scene->balls++;
    assert_true(i < JUDGE_BALLS);
    scene->radius[i] = radius;
    scene->mass[i] = mass;
    scene->x[i][0] = x;
    scene->x[i][1] = y;
    scene->x[i][2] = z;
    return i;
}

size_t judge_scene_wall(judge_scene *scene, double nx, double ny, double nz, double offset)
{
    size_t k = scene->walls++;
    double length = sqrt(nx * nx + ny * ny + nz * nz);
    assert_true(k < JUDGE_WALLS);
    scene->normal[k][0] = nx / length;
    scene->normal[k][1] = ny / length;
    scene->normal[k][2] = nz / length;
    scene->offset[k] = offset;
    return k;
}

crm_settings *named_law(const char *name)
{
    crm_error error = {0};
    crm_settings *settings = NULL;
    assert_ok(crm_settings_create(crm_law_find(name), &settings, &error), &error);
    return settings;
}

static void fill_bodies(const judge_scene *scene, crm_body_def *body, double *velocity)
{
    size_t n = 0;
    for (size_t i = 0; i < scene->balls; i++) {
        body[i] = ball_at(scene->radius[i], scene->mass[i], scene->x[i][0], scene->x[i][1],
                          scene->x[i][2]);
        body[i].fixed = scene->fixed[i];
        for (unsigned d = 0; d < scene->dimension && !scene->fixed[i]; d++) {
            velocity[n++] = scene->v[i][d];
        }
    }
}

static void fill_walls(const judge_scene *scene, crm_wall_def *wall, crm_wall_motion *motion)
{
    const double turn = 6.28318530717958647692;
    for (size_t k = 0; k < scene->walls; k++) {
        wall[k] = crm_wall_def_default();
        for (unsigned d = 0; d < scene->dimension; d++) {
            wall[k].normal[d] = scene->normal[k][d];
            wall[k].point[d] = scene->normal[k][d] * scene->offset[k];
            wall[k].velocity[d] = scene->normal[k][d] * scene->speed[k];
        }
        motion[k] = (crm_wall_motion){scene->amplitude[k], scene->omega[k] / turn, scene->phase[k]};
    }
}

void flight_scene_parts(const judge_scene *scene, double restitution, scene_parts *parts)
{
    fill_bodies(scene, parts->body, parts->velocity);
    fill_walls(scene, parts->wall, parts->motion);
    parts->def = crm_scene_def_default();
    parts->def.bodies = bodies_def(scene->dimension, parts->body, scene->balls);
    parts->def.bodies.walls = parts->wall;
    parts->def.bodies.wall_count = scene->walls;
    parts->def.bodies.contact.restitution = restitution;
    parts->def.velocity = parts->velocity;
    parts->def.wall_motion = parts->motion;
    memcpy(parts->def.gravity, scene->gravity, sizeof parts->def.gravity);
}

crm_motion *flight_motion(const judge_scene *scene, double restitution,
                          const crm_motion_options *options)
{
    scene_parts parts;
    crm_error error = {0};
    crm_motion *made = NULL;
    flight_scene_parts(scene, restitution, &parts);
    assert_ok(crm_motion_from_scene(&parts.def, options, &made, &error), &error);
    return made;
}

void flight_run(crm_motion *motion, double time, crm_motion_stop expected)
{
    crm_error error = {0};
    crm_motion_stop stopped = CRM_MOTION_STOP_COUNT;
    assert_ok(crm_motion_run(motion, time, NULL, &stopped, &error), &error);
    if (stopped != expected) {
        print_message("stopped: %s (%s) at %.17g\n", crm_motion_stop_text(stopped),
                      crm_motion_reason(motion), crm_motion_time(motion));
    }
    assert_int_equal(stopped, expected);
}

void flight_scene_read(const crm_motion *motion, judge_scene *scene)
{
    double position[3 * JUDGE_BALLS], velocity[3 * JUDGE_BALLS];
    size_t n = 0;
    crm_motion_read(motion, position, velocity);
    for (size_t i = 0; i < scene->balls; i++) {
        for (unsigned d = 0; d < scene->dimension && !scene->fixed[i]; d++, n++) {
            scene->x[i][d] = position[n];
            scene->v[i][d] = velocity[n];
        }
    }
    scene->time = crm_motion_time(motion);
}

static crm_status see(void *context, const crm_impact_report *impact)
{
    seen_impact *seen = context;
    seen->seen = true;
    seen->time = impact->time;
    seen->contacts = impact->contacts;
    for (size_t j = 0; j < impact->contacts && j < 64; j++) {
        seen->party[j][0] = impact->party[j][0];
        seen->party[j][1] = impact->party[j][1];
        seen->closing_speed[j] = impact->closing_speed[j];
    }
    return CRM_ERROR_STOPPED;
}

seen_impact flight_next_impact(crm_motion *motion, double end)
{
    seen_impact seen = {0};
    crm_observer observer = {.context = &seen, .impact = see};
    crm_error error = {0};
    crm_motion_stop stopped = CRM_MOTION_STOP_COUNT;
    assert_ok(crm_motion_run(motion, end, &observer, &stopped, &error), &error);
    if (stopped == CRM_STOP_FAILED) {
        print_message("failed: %s\n", crm_motion_reason(motion));
    }
    assert_int_equal(stopped, seen.seen ? CRM_STOP_INTERRUPTED : CRM_STOP_DURATION);
    return seen;
}

crm_motion *motion_by(const judge_scene *scene, double e, const char *law, crm_settings **settings)
{
    crm_motion_options options = crm_motion_options_default();
    *settings = named_law(law);
    options.law = *settings;
    return flight_motion(scene, e, &options);
}

void end_motion(crm_motion *motion, crm_settings *settings)
{
    crm_motion_free(motion);
    crm_settings_free(settings);
}

judge_scene ball_over_floor(double height)
{
    judge_scene scene = judge_scene_blank(2);
    judge_scene_ball(&scene, 0.1, 1, 0, 0.1 + height, 0);
    judge_scene_wall(&scene, 0, 1, 0, 0);
    scene.gravity[1] = -9.81;
    return scene;
}
