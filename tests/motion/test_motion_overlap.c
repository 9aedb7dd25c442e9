/* A motion that misses an impact must fail: these tests disable what finds impacts, and the overlap
 * check must report it. Its separations are compared with those of the judge.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "motion/groups/groups.h"
#include "motion_call.h"
#include "overlap.h"
#include "support.h"

static crm_body_def body_at(crm_shape shape, double x, double y)
{
    crm_body_def body = crm_body_def_default();
    body.shape = shape;
    body.mass = 1;
    body.length = 1;
    body.radius = 0.1;
    body.size[0] = body.size[1] = 0.5;
    body.position[0] = x;
    body.position[1] = y;
    return body;
}

/* Body 1 comes from the left at 1 m/s. */
static crm_motion *approach(crm_body_def *body, size_t bodies, const crm_wall_def *wall)
{
    static const double velocity[16] = {1};
    crm_scene_def def = crm_scene_def_default();
    def.bodies.dimension = 2;
    def.bodies.bodies = body;
    def.bodies.body_count = bodies;
    def.bodies.walls = wall;
    def.bodies.wall_count = wall != NULL ? 1 : 0;
    def.bodies.pairs_apart = true;
    def.velocity = velocity;
    crm_motion *motion = NULL;
    crm_error error = {0};
    assert_ok(crm_motion_from_scene(&def, NULL, &motion, &error), &error);
    run_to(motion, 0.01, NULL);
    return motion;
}

/* Groups no longer renew clearance spheres. */
static void ignore_exits(groups_motion *u)
{
    for (size_t k = 0; k < u->groups; k++) {
        u->group[k]->sole = true;
        u->group[k]->exit_time = INFINITY;
    }
}

/* Groups have no gaps, which could close. */
static void remove_gaps(groups_motion *u)
{
    for (size_t k = 0; k < u->groups; k++) {
        groups_engine(u->group[k])->gaps = 0;
    }
}

/* They touch at `time`; the check reports it before the overlap is deeper than it allows. */
static void must_be_found(crm_motion *motion, const char *first, const char *second, double time)
{
    crm_motion_stop stopped;
    crm_error error = {0};
    assert_ok(crm_motion_run(motion, 20, NULL, &stopped, &error), &error);
    assert_int_equal(stopped, CRM_STOP_FAILED);
    const groups_overlap *o = &((groups_motion *)motion)->overlap;
    const char *reason = crm_motion_reason(motion);
    assert_true(o->found);
    assert_in_range((int)(1e3 * (o->time - time) + 1), 1, 3);
    assert_near(o->depth, o->time - time, 1e-6);
    assert_non_null(strstr(reason, first));
    assert_non_null(strstr(reason, second));
    assert_non_null(strstr(reason, "overlap by"));
    crm_motion_free(motion);
}

static void two_groups_that_do_not_look(void **state)
{
    (void)state;
    crm_body_def body[3] = {body_at(CRM_SHAPE_ROD, 0, 0), body_at(CRM_SHAPE_BOX, 5, 0),
                            body_at(CRM_SHAPE_ROD, 0, 40)};
    crm_motion *motion = approach(body, 3, NULL);
    assert_int_equal(((groups_motion *)motion)->groups, 3);
    ignore_exits((groups_motion *)motion);
    must_be_found(motion, "body 1", "body 2", 5 - 0.25 - 0.6);
}

static void a_group_whose_gaps_are_not_there(void **state)
{
    (void)state;
    crm_body_def body[2] = {body_at(CRM_SHAPE_ROD, 0, 0), body_at(CRM_SHAPE_BOX, 0.9, 0)};
    crm_motion *motion = approach(body, 2, NULL);
    assert_int_equal(((groups_motion *)motion)->groups, 1);
    remove_gaps((groups_motion *)motion);
    must_be_found(motion, "body 1", "body 2", 0.9 - 0.25 - 0.6);
}

static void a_wall_that_is_not_there(void **state)
{
    (void)state;
    crm_body_def body[1] = {body_at(CRM_SHAPE_BOX, 0, 0)};
    crm_wall_def wall = crm_wall_def_default();
    wall.point[0] = 2;
    wall.normal[0] = -1;
    crm_motion *motion = approach(body, 1, &wall);
    remove_gaps((groups_motion *)motion);
    must_be_found(motion, "body 1", "wall 1", 2 - 0.25);
}

/* An obstacle that no group knows of. */
static void a_fixed_body_that_is_not_known(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        crm_body_def body[3] = {body_at(CRM_SHAPE_ROD, 0, 0),
                                body_at(k == 0 ? CRM_SHAPE_BOX : CRM_SHAPE_SPHERE, 7, 0),
                                body_at(CRM_SHAPE_ROD, 0, 40)};
        body[1].fixed = true;
        crm_motion *motion = approach(body, 3, NULL);
        ignore_exits((groups_motion *)motion);
        must_be_found(motion, "body 1", "body 2", 7 - 0.6 - (k == 0 ? 0.25 : 0.1));
    }
}

/* A ball whose meeting with the clearance sphere of the box is removed. */
static void a_ball_without_its_meeting(void **state)
{
    (void)state;
    crm_body_def body[3] = {body_at(CRM_SHAPE_BOX, 0, 0), body_at(CRM_SHAPE_SPHERE, 5, 0),
                            body_at(CRM_SHAPE_ROD, 0, 40)};
    crm_motion *motion = approach(body, 3, NULL);
    groups_motion *u = (groups_motion *)motion;
    assert_int_equal(u->flight->mode[1], FLIGHT_FREE);
    ignore_exits(u);
    u->flight->events[1].meeting = INFINITY;
    flight_reschedule(u->flight, 1);
    must_be_found(motion, "body 1", "body 2", 5 - 0.25 - 0.1);
}

/* ---- The separation -------------------------------------------------------------------------- */

static crm_body_def draw(rng *r, unsigned dimension)
{
    static const crm_shape plane[] = {CRM_SHAPE_SPHERE, CRM_SHAPE_ROD, CRM_SHAPE_BOX,
                                      CRM_SHAPE_ELLIPSE};
    crm_body_def b = crm_body_def_default();
    b.shape = dimension == 2         ? plane[rng_below(r, 4)]
              : rng_below(r, 4) == 0 ? CRM_SHAPE_SPHERE
                                     : CRM_SHAPE_ELLIPSOID;
    b.radius = rng_uniform(r, 0.05, 0.5);
    b.length = rng_uniform(r, 0.2, 1);
    b.size[0] = rng_uniform(r, 0.2, 1);
    b.size[1] = rng_uniform(r, 0.2, 1);
    b.angle = rng_uniform(r, -3, 3);
    double square = 0;
    for (int k = 0; k < 4; k++) {
        b.semi_axes[k % 3] = rng_uniform(r, 0.2, 0.5);
        b.orientation[k] = rng_normal(r);
        square += b.orientation[k] * b.orientation[k];
    }
    for (int k = 0; k < 4; k++) {
        b.orientation[k] /= sqrt(square);
        b.position[k % 3] = k % 3 < (int)dimension ? rng_uniform(r, -0.5, 0.5) : 0;
    }
    return b;
}

/* The judge measures depths only: separate bodies are moved together by the separation of the
 * check, a little less and a little more.
 */
static void separations_are_those_of_the_judge(void **state)
{
    (void)state;
    static const double WITHIN = 1e-6;  /* accuracy where the slope of s jumps */
    static const double SHALLOW = 0.02; /* deep within each other, s has several hills */
    size_t apart = 0, count = rounds(4000, 400);
    rng r = rng_seeded(7);
    for (size_t k = 0; k < count; k++) {
        unsigned dimension = 2 + (unsigned)(k % 2);
        crm_body_def body[2] = {draw(&r, dimension), draw(&r, dimension)};
        body[1].fixed = true;
        crm_scene_def def = crm_scene_def_default();
        def.bodies.dimension = dimension;
        def.bodies.bodies = body;
        def.bodies.body_count = 2;
        double q[7], n[3] = {0};
        memcpy(q, body[0].position, dimension * sizeof *q);
        memcpy(q + dimension, dimension == 2 ? &body[0].angle : body[0].orientation,
               (dimension == 2 ? 1 : 4) * sizeof *q);
        crm_solid a = crm_solid_of(&body[0], dimension), b = crm_solid_of(&body[1], dimension);
        double room = crm_separation_find(&a, &b, INFINITY, n);
        assert_near(sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), 1, 1e-12);
        double depth = overlap_in_scene(&def, 0, q).depth;
        if (room > -SHALLOW) {
            assert_near(depth, fmax(0, -room), WITHIN);
        } else {
            assert_true(depth > 0.9 * SHALLOW);
        }
        if (room <= 0) {
            continue;
        }
        apart++;
        const double way[2] = {room - 2 * WITHIN, room + 2 * WITHIN}; /* along n */
        for (int side = 0; side < 2; side++) {
            for (unsigned d = 0; d < dimension; d++) {
                q[d] = body[0].position[d] + way[side] * n[d];
            }
            assert_true((overlap_in_scene(&def, 0, q).depth > 0) == (side == 1));
        }
    }
    assert_true(apart > count / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_groups_that_do_not_look),
        cmocka_unit_test(a_group_whose_gaps_are_not_there),
        cmocka_unit_test(a_wall_that_is_not_there),
        cmocka_unit_test(a_fixed_body_that_is_not_known),
        cmocka_unit_test(a_ball_without_its_meeting),
        cmocka_unit_test(separations_are_those_of_the_judge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
