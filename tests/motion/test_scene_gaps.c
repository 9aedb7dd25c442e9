/* Gaps of a scene against finite differences along random motions, and scenes that are refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "motion/scene/scene.h"
#include "support.h"

enum { COORDINATES = 16, BODIES = 8, GAPS = 100 };

static crm_body_def rod_at(double length, double radius, double x, double y, double angle)
{
    crm_body_def rod = crm_body_def_default();
    rod.shape = CRM_SHAPE_ROD;
    rod.length = length;
    rod.radius = radius;
    rod.mass = 2;
    rod.position[0] = x;
    rod.position[1] = y;
    rod.angle = angle;
    return rod;
}

/* ---- Differences ----------------------------------------------------------------------------- */

/* q + v t + a t^2 / 2 */
static double gap_on_the_way(const scene_system *s, const scene_gap *gap, double t0, double t,
                             const double *state)
{
    double q[COORDINATES];
    for (size_t i = 0; i < s->velocities; i++) {
        q[i] = state[i] + t * (state[COORDINATES + i] + 0.5 * t * state[2 * COORDINATES + i]);
    }
    return scene_measure_gap(s, gap, t0 + t, q, NULL).gap;
}

static const double STEP = 5e-4;

/* Where the second derivative jumps, at the end of a side, or is large, differences say nothing. */
static bool differences_tell(const scene_system *s, const scene_gap *gap, double t,
                             const double *state)
{
    double g[7];
    for (int k = 0; k < 7; k++) {
        g[k] = gap_on_the_way(s, gap, t, (k - 3) * STEP, state);
    }
    double third = 0;
    for (int k = 0; k < 4; k++) {
        third =
            fmax(third, fabs(g[k + 3] - 3 * g[k + 2] + 3 * g[k + 1] - g[k]) / (STEP * STEP * STEP));
    }
    return third < 100;
}

static void compare_gap(const scene_system *s, const scene_gap *gap, double t, const double *state)
{
    static const double FIRST = 1e-9, SECOND = 1e-6;
    double g[5], w[COORDINATES];
    for (int k = 0; k < 5; k++) {
        g[k] = gap_on_the_way(s, gap, t, (k - 2) * STEP, state);
    }
    scene_measure m = scene_measure_gap(s, gap, t, state, state + COORDINATES);
    scene_gap_gradient(s, gap, state, w);
    double u = m.rate, u_rate = m.bias;
    for (size_t i = 0; i < s->velocities; i++) {
        u += w[i] * state[COORDINATES + i];
        u_rate += w[i] * state[2 * COORDINATES + i];
    }
    double slope = (g[0] - 8 * g[1] + 8 * g[3] - g[4]) / (12 * STEP);
    double bend = (-g[0] + 16 * g[1] - 30 * g[2] + 16 * g[3] - g[4]) / (12 * STEP * STEP);
    assert_near(m.gap, g[2], 1e-15);
    assert_near(u, slope, FIRST * (1 + fabs(slope)));
    assert_near(u_rate, bend, SECOND * (1 + fabs(bend)));
}

/* Counts how many comparisons of each kind there were. */
static void compare_scene(const crm_scene_def *def, uint64_t seed, size_t seen[2])
{
    crm_error error = {0};
    scene_system *s;
    assert_ok(crm_scene_check(def, &error), &error);
    assert_ok(scene_make(def, &s, &error), &error);
    assert_true(s->velocities <= COORDINATES);
    scene_gap gap[GAPS];
    size_t gaps = 0;
    for (size_t i = 0; i < s->bodies; i++) {
        for (size_t j = i + 1; j < s->bodies + s->walls; j++) {
            gaps += scene_pair_gaps(s, i, j, gap + gaps);
            assert_true(gaps + SCENE_GAPS_MOST <= GAPS);
        }
    }
    rng r = rng_seeded(seed);
    for (int k = 0; k < 300; k++) {
        double state[3 * COORDINATES];
        for (size_t i = 0; i < 3 * COORDINATES; i++) {
            state[i] = rng_uniform(&r, -1.5, 1.5);
        }
        for (size_t j = 0; j < gaps; j++) {
            double t = rng_uniform(&r, 0, 3);
            if (differences_tell(s, &gap[j], t, state)) {
                compare_gap(s, &gap[j], t, state);
                seen[gap[j].second >= s->bodies]++;
            }
        }
    }
    scene_free(s);
}

static void gaps_in_the_plane(void **state)
{
    (void)state;
    const crm_suspension hung[] = {{1, {0.1, 1.1}, 1.3, 0, 0}, {2, {-0.7, 0.6}, 0.8, 0, 0}};
    const crm_wall_motion swing[] = {{0.2, 0.7, 0.3}, {0, 0, 0}};
    crm_wall_def wall[2] = {crm_wall_def_default(), crm_wall_def_default()};
    wall[0].normal[0] = 0.6;
    wall[0].normal[1] = 3;
    wall[0].velocity[1] = 0.4;
    wall[1].normal[0] = -2;
    wall[1].point[0] = 3;
    crm_body_def body[5] = {ball_at(0.1, 1, 0, 0, 0), ball_at(0.2, 2, 0, 0, 0),
                            ball_at(0.15, 3, 0, 0, 0), rod_at(1.4, 0.05, 0, 0, 0),
                            ball_at(0.3, 1, 0.4, -0.3, 0)};
    size_t seen[2] = {0};
    body[4].fixed = true;
    crm_scene_def def = crm_scene_def_default();
    def.bodies = bodies_def(2, body, 5);
    def.bodies.walls = wall;
    def.bodies.wall_count = 2;
    def.wall_motion = swing;
    def.suspended = hung;
    def.suspended_count = 2;
    def.gravity[0] = 3;
    def.gravity[1] = -4;
    compare_scene(&def, 1, seen);
    body[3].fixed = true;
    body[3].angle = 0.7;
    compare_scene(&def, 2, seen);
    assert_true(seen[0] > 1000 && seen[1] > 500);
}

static void gaps_in_space(void **state)
{
    (void)state;
    crm_body_def body[3] = {ball_at(0.1, 1, 0, 0, 0), ball_at(0.2, 2, 0, 0, 0),
                            ball_at(0.15, 3, 0.3, 0.2, 0.1)};
    crm_wall_def wall = crm_wall_def_default();
    size_t seen[2] = {0};
    wall.normal[0] = 1;
    wall.normal[2] = 2;
    wall.velocity[2] = 0.3;
    body[2].fixed = true;
    crm_scene_def def = crm_scene_def_default();
    def.bodies = bodies_def(3, body, 3);
    def.bodies.walls = &wall;
    def.bodies.wall_count = 1;
    compare_scene(&def, 3, seen);
    assert_true(seen[0] > 500 && seen[1] == 600);
}

/* The force of springs and gravity is minus the gradient of the potential, without dampers. */
static void forces_have_their_potential(void **state)
{
    (void)state;
    static const double H = 1e-5;
    crm_body_def body[3] = {ball_at(0.1, 1, 0, 0, 0), ball_at(0.2, 2, 0, 0, 0),
                            rod_at(1.4, 0.05, 0, 0, 0)};
    const crm_suspension hung = {1, {0.1, 1.1}, 1.3, 0, 0};
    const crm_spring_def spring[] = {
        {0, 1, {0}, 3, 0, 0.4}, {2, SIZE_MAX, {0.3, 4, 0}, 2, 0, 1}, {1, 2, {0}, 5, 0, 0.2}};
    crm_scene_def def = crm_scene_def_default();
    def.bodies = bodies_def(2, body, 3);
    def.suspended = &hung;
    def.suspended_count = 1;
    def.springs = spring;
    def.spring_count = 3;
    def.gravity[1] = -9.81;
    crm_error error = {0};
    scene_system *s;
    assert_ok(scene_make(&def, &s, &error), &error);
    assert_int_equal(s->velocities, 6);
    rng r = rng_seeded(4);
    for (int k = 0; k < 100; k++) {
        double q[6], v[6] = {0}, force[6];
        for (size_t i = 0; i < 6; i++) {
            q[i] = rng_uniform(&r, -1.5, 1.5);
        }
        scene_forces(s, q, v, force);
        for (size_t i = 0; i < 6; i++) {
            double there = q[i];
            q[i] = there + H;
            double above = scene_potential(s, q);
            q[i] = there - H;
            double below = scene_potential(s, q);
            q[i] = there;
            assert_near(force[i], -(above - below) / (2 * H), 1e-6);
        }
    }
    scene_free(s);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

typedef struct trial {
    crm_body_def body[BODIES];
    crm_suspension hung[2];
    crm_spring_def spring[2];
    crm_scene_def def;
} trial;

static void begin_trial(trial *t)
{
    memset(t, 0, sizeof *t);
    t->body[0] = ball_at(0.1, 1, 0, 0, 0);
    t->body[1] = ball_at(0.1, 1, 3, 0, 0);
    t->body[2] = ball_at(0.1, 1, 6, 0, 0);
    t->hung[0] = (crm_suspension){0, {0, 1}, 1, 0, 0};
    t->hung[1] = (crm_suspension){1, {3, 1}, 1, 0, 0};
    t->spring[0] = (crm_spring_def){0, 2, {0}, 1, 0, 1};
    t->spring[1] = (crm_spring_def){1, SIZE_MAX, {3, 5, 0}, 1, 0, 1};
    t->def = crm_scene_def_default();
    t->def.bodies = bodies_def(2, t->body, 3);
    t->def.suspended = t->hung;
    t->def.suspended_count = 2;
    t->def.springs = t->spring;
    t->def.spring_count = 2;
}

static void refused(const trial *t, const char *place, const char *words)
{
    crm_error error = {0};
    crm_motion *motion = NULL;
    assert_int_not_equal(crm_motion_from_scene(&t->def, NULL, &motion, &error), CRM_OK);
    assert_null(motion);
    assert_string_equal(error.place, place);
    if (strstr(error.message, words) == NULL) {
        print_error("\"%s\" does not say \"%s\"\n", error.message, words);
        fail();
    }
}

static void strings_that_cannot_be(void **state)
{
    (void)state;
    trial t;
    begin_trial(&t);
    t.hung[1].body = 0;
    refused(&t, "suspended[2].body", "body 1 hangs already, by suspended[1]");
    begin_trial(&t);
    t.hung[0].length = 0;
    refused(&t, "suspended[1].length", "length is 0, must be a positive number");
    t.hung[0].length = -1;
    refused(&t, "suspended[1].length", "length is -1, must be a positive number");
    begin_trial(&t);
    t.hung[1].body = 3;
    refused(&t, "suspended[2].body", "body is 4, must be from 1 to 3");
    begin_trial(&t);
    t.hung[1].angle = NAN;
    refused(&t, "suspended[2].angle", "nan");
    begin_trial(&t);
    t.body[1].fixed = true;
    refused(&t, "suspended[2].body", "body 2 is fixed");
    begin_trial(&t);
    t.body[1] = rod_at(1, 0.1, 3, 0, 0);
    refused(&t, "suspended[2].body", "body 2 is a rod");
    begin_trial(&t);
    t.def.bodies.dimension = 3;
    refused(&t, "suspended", "here bodies have 3");
}

static void springs_that_cannot_be(void **state)
{
    (void)state;
    trial t;
    begin_trial(&t);
    t.spring[1].stiffness = NAN;
    refused(&t, "springs[2].stiffness", "stiffness is nan, must be 0 or positive");
    begin_trial(&t);
    t.spring[0].damping = -2;
    refused(&t, "springs[1].damping", "damping is -2");
    begin_trial(&t);
    t.spring[0].length = INFINITY;
    refused(&t, "springs[1].length", "length is inf");
    begin_trial(&t);
    t.spring[1].point[1] = NAN;
    refused(&t, "springs[2].point[2]", "nan");
    begin_trial(&t);
    t.spring[0].second = 3;
    refused(&t, "springs[1].second", "body is 4, must be from 1 to 3");
    begin_trial(&t);
    t.spring[0].second = 0;
    refused(&t, "springs[1].second", "body is 1, as the first");
}

static void scenes_that_cannot_be(void **state)
{
    (void)state;
    trial t;
    begin_trial(&t);
    t.hung[1].from[0] = 0.15;
    refused(&t, "bodies[2].position", "body 1 and body 2 overlap by 0.05");
    begin_trial(&t);
    t.body[2] = rod_at(1, 0, 6, 0, 0);
    t.body[3] = rod_at(1, 0, 9, 0, 0);
    t.def.bodies.body_count = 4;
    refused(&t, "bodies[4].position", "body 3 and body 4 are rods without a radius");
    crm_body_def many[21];
    begin_trial(&t);
    for (size_t i = 0; i < 21; i++) {
        many[i] = ball_at(0.1, 1, 3.0 * (double)i, 0, 0);
    }
    crm_spring_def chain[20];
    for (size_t i = 0; i < 20; i++) {
        chain[i] = (crm_spring_def){i, i + 1, {0}, 1, 0, 3};
    }
    t.def.bodies = bodies_def(2, many, 21);
    t.def.springs = chain;
    t.def.spring_count = 20;
    refused(&t, "bodies", "make 210 pairs that can meet");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_in_the_plane),           cmocka_unit_test(gaps_in_space),
        cmocka_unit_test(forces_have_their_potential), cmocka_unit_test(strings_that_cannot_be),
        cmocka_unit_test(springs_that_cannot_be),      cmocka_unit_test(scenes_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
