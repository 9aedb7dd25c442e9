/* Time-stepping: orders, the account, rest, runs, and a judge that tries every set of contacts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "flight_call.h"
#include "motion_call.h"
#include "support.h"

/* What sums of some thousand terms may be wrong by. */
static const double ROUNDING = 1e-11;
/* Overlap that is promised, of the size of bodies. */
static const double OVERLAP = 1e-8;

enum { MOST = 64 };

typedef struct scene {
    crm_scene_def def;
    crm_body_def body[MOST];
    crm_wall_def wall[3];
    double velocity[2 * MOST];
} scene;

static crm_motion_options steps_of(double step)
{
    crm_motion_options options = crm_motion_options_default();
    options.scheme = CRM_TIME_STEPPING;
    options.step = step;
    return options;
}

static crm_motion *start(const crm_scene_def *def, const crm_motion_options *options)
{
    crm_error error = {0};
    crm_motion *motion = NULL;
    assert_ok(crm_motion_from_scene(def, options, &motion, &error), &error);
    return motion;
}

/* ---- Orders ---------------------------------------------------------------------------------- */

/* A ball on a line above a floor at 0, its lowest point at `height`. */
static crm_motion *bouncing_ball(scene *s, double height, double restitution, double step)
{
    *s = (scene){.def = crm_scene_def_default()};
    s->body[0] = ball_at(1, 1, 1 + height, 0, 0);
    s->wall[0] = crm_wall_def_default();
    s->wall[0].normal[0] = 1;
    s->def.bodies = bodies_def(1, s->body, 1);
    s->def.bodies.walls = s->wall;
    s->def.bodies.wall_count = 1;
    s->def.bodies.contact.restitution = restitution;
    s->def.gravity[0] = -9.81;
    crm_motion_options options = steps_of(step);
    return start(&s->def, &options);
}

/* After the first bounce from a height of 1, e = .9: x = 1 + .9 v tau - g tau^2/2. */
static double error_after_bounce(double step)
{
    scene s;
    double q, v, fall = sqrt(2 / 9.81), end = 0.8, tau = end - fall, up = 0.9 * 9.81 * fall;
    crm_motion *motion = bouncing_ball(&s, 1, 0.9, step);
    run_to(motion, end, NULL);
    crm_motion_read(motion, &q, &v);
    crm_motion_free(motion);
    return fabs(q - (1 + up * tau - 0.5 * 9.81 * tau * tau));
}

/* The instant of an impact is known to a step: errors are below a bound that goes with the step. */
static void test_impacts_are_of_first_order(void **state)
{
    (void)state;
    for (double step = 1e-2; step > 1e-5; step /= 4) {
        assert_true(error_after_bounce(step) <= 1.5 * (1 + 0.9) * sqrt(2 * 9.81) * step);
    }
}

static double error_of_pendulum(double step)
{
    scene s = {.def = crm_scene_def_default()};
    const crm_spring_def spring = {.second = SIZE_MAX, .stiffness = 4, .length = 0};
    double q[2], v[2];
    s.body[0] = ball_at(0.1, 1, 1, 0, 0);
    s.def.bodies = bodies_def(2, s.body, 1);
    s.def.springs = &spring;
    s.def.spring_count = 1;
    crm_motion_options options = steps_of(step);
    crm_motion *motion = start(&s.def, &options);
    run_to(motion, 1, NULL);
    crm_motion_read(motion, q, v);
    crm_motion_free(motion);
    return fabs(q[0] - cos(2));
}

static void test_free_motion_is_of_second_order(void **state)
{
    (void)state;
    double coarse = error_of_pendulum(1.0 / 64), fine = error_of_pendulum(1.0 / 128);
    assert_near(log2(coarse / fine), 2, 0.02);
}

static void test_free_fall_is_exact(void **state)
{
    (void)state;
    scene s;
    double q, v;
    crm_motion *motion = bouncing_ball(&s, 100, 1, 0.01);
    run_to(motion, 2.003, NULL);
    crm_motion_read(motion, &q, &v);
    assert_near(q, 101 - 0.5 * 9.81 * 2.003 * 2.003, ROUNDING);
    assert_near(v, -9.81 * 2.003, ROUNDING);
    crm_motion_free(motion);
}

/* The end of a bouncing ball: sqrt(2h/g) (1 + e)/(1 - e). Each of the bounces is missed by a step
 * or so, and the last ones, of up to ten steps, are cut.
 */
static void test_ball_comes_to_rest(void **state)
{
    (void)state;
    const double restitution[] = {0.2, 0.5, 0.7, 0.8, 0.9};
    for (size_t k = 0; k < 5; k++) {
        scene s;
        double e = restitution[k], end = sqrt(2 / 9.81) * (1 + e) / (1 - e);
        crm_motion *motion = bouncing_ball(&s, 1, e, 1e-4);
        run_to(motion, 2 * end, NULL);
        crm_motion_summary summary = crm_motion_summarize(motion);
        print_message("e = %g: rest is missed by %.1e s\n", e, summary.at_rest_since - end);
        assert_near(summary.at_rest_since, end, 20e-4 / (1 - e));
        assert_account_closes(motion, ROUNDING);
        crm_motion_free(motion);
    }
}

/* ---- Discs in a box -------------------------------------------------------------------------- */

static void pour(scene *s, size_t count, double restitution, double least, uint64_t seed)
{
    rng r = rng_seeded(seed);
    *s = (scene){.def = crm_scene_def_default()};
    for (size_t i = 0; i < count; i++) {
        double radius = rng_uniform(&r, least, 1);
        s->body[i] = ball_at(radius, radius * radius, 1.1 + 2.2 * (double)(i % 5), 0, 0);
        s->body[i].position[0] += rng_uniform(&r, -0.09, 0.09);
        s->body[i].position[1] = 1.1 + 2.2 * (double)(i / 5);
        s->velocity[2 * i] = rng_normal(&r);
        s->velocity[2 * i + 1] = rng_normal(&r);
    }
    for (size_t k = 0; k < 3; k++) {
        s->wall[k] = crm_wall_def_default();
    }
    s->wall[0].normal[1] = s->wall[1].normal[0] = 1;
    s->wall[2].normal[0] = -1;
    s->wall[2].point[0] = 11;
    s->def.bodies = bodies_def(2, s->body, count);
    s->def.bodies.walls = s->wall;
    s->def.bodies.wall_count = 3;
    s->def.bodies.contact.restitution = restitution;
    s->def.velocity = s->velocity;
    s->def.gravity[1] = -9.81;
}

static double overlap_of(const scene *s, size_t count, const double *q)
{
    double deepest = 0;
    for (size_t i = 0; i < count; i++) {
        double own = s->body[i].radius;
        double wall = fmin(q[2 * i + 1], fmin(q[2 * i], 11 - q[2 * i])) - own;
        deepest = fmax(deepest, -wall / own);
        for (size_t j = i + 1; j < count; j++) {
            double reach = own + s->body[j].radius;
            double apart = hypot(q[2 * i] - q[2 * j], q[2 * i + 1] - q[2 * j + 1]);
            deepest = fmax(deepest, (reach - apart) / reach);
        }
    }
    return deepest;
}

typedef struct watch {
    const scene *s;
    size_t count;
    double overlap;
} watch;

static crm_status look(void *context, double time, const double *q, const double *v)
{
    watch *w = context;
    (void)time;
    (void)v;
    w->overlap = fmax(w->overlap, overlap_of(w->s, w->count, q));
    return CRM_OK;
}

/* Nothing overlaps in any step, the account closes, and what rests stays where it is. */
static void test_discs_are_poured(void **state)
{
    (void)state;
    const double restitution[] = {0, 0.5, 0.5}, least[] = {0.5, 0.5, 0.02};
    for (size_t k = 0; k < 3; k++) {
        scene s;
        pour(&s, 30, restitution[k], least[k], k + 1);
        crm_motion_options options = steps_of(1.0 / 512);
        crm_motion *motion = start(&s.def, &options);
        watch w = {.s = &s, .count = 30};
        const crm_observer observer = {.context = &w, .every = 1.0 / 512, .state = look};
        run_to(motion, 4, &observer);
        assert_true(w.overlap < OVERLAP);
        assert_account_closes(motion, 1e-8);
        crm_motion_free(motion);
    }
}

static void test_heap_rests(void **state)
{
    (void)state;
    scene s;
    double q[2 * MOST], v[2 * MOST], later[2 * MOST];
    pour(&s, 12, 0, 0.5, 7);
    crm_motion_options options = steps_of(1.0 / 512);
    crm_motion *motion = start(&s.def, &options);
    run_to(motion, 20, NULL);
    assert_false(isnan(crm_motion_summarize(motion).at_rest_since));
    crm_motion_read(motion, q, v);
    run_to(motion, 40, NULL); /* 10^4 steps */
    crm_motion_read(motion, later, v);
    for (size_t i = 0; i < 24; i++) {
        assert_near(later[i], q[i], ROUNDING);
    }
    crm_motion_free(motion);
}

/* Walls that stand and bodies without dampers do no work: what lifts a ball out of the floor that a
 * step has run it into is position correction, m g times the lift. A ball that comes to rest on the
 * floor has lost what it fell from, and that.
 */
static void test_position_correction_is_no_work_of_walls(void **state)
{
    (void)state;
    scene s;
    double q, v;
    crm_motion *motion = bouncing_ball(&s, 1, 0, 0.03);
    run_to(motion, 2, NULL);
    crm_motion_read(motion, &q, &v);
    crm_motion_account e = crm_motion_summarize(motion).energy;
    assert_true(e.work == 0);
    assert_near(q, 1, OVERLAP);
    assert_true(e.correction > 0.01); /* up to v h = 0.13 m deep */
    assert_near(e.lost, 9.81 * 1 + e.correction, ROUNDING * 9.81);
    assert_account_closes(motion, ROUNDING);
    crm_motion_free(motion);
}

/* A floor that rises lifts the ball on it: that is work, m g times its way, and no correction. */
static void test_walls_that_lift_do_work(void **state)
{
    (void)state;
    scene s;
    crm_motion *motion = bouncing_ball(&s, 0, 0, 0.01);
    crm_motion_free(motion);
    s.wall[0].velocity[0] = s.velocity[0] = 0.5;
    s.def.velocity = s.velocity;
    crm_motion_options options = steps_of(0.01);
    motion = start(&s.def, &options);
    run_to(motion, 2, NULL);
    crm_motion_account e = crm_motion_summarize(motion).energy;
    assert_near(e.work, 9.81 * 0.5 * 2, 1e-6);
    assert_near(e.correction, 0, 1e-6);
    assert_account_closes(motion, ROUNDING);
    crm_motion_free(motion);
}

static void test_two_runs_are_one(void **state)
{
    (void)state;
    scene s;
    double q[2][2 * MOST], v[2][2 * MOST];
    pour(&s, 20, 0.5, 0.5, 3);
    for (size_t k = 0; k < 2; k++) {
        crm_motion_options options = steps_of(1e-3);
        crm_motion *motion = start(&s.def, &options);
        for (double t = k == 0 ? 1 : 0.0137; t < 1; t += 0.0137) {
            run_to(motion, t, NULL);
        }
        run_to(motion, 1, NULL);
        crm_motion_read(motion, q[k], v[k]);
        crm_motion_free(motion);
    }
    assert_memory_equal(q[0], q[1], 40 * sizeof(double));
    assert_memory_equal(v[0], v[1], 40 * sizeof(double));
}

/* ---- The judge ------------------------------------------------------------------------------- */

/* A row of balls on a line that touch, no gravity: one step is Moreau's impact. The judge goes
 * round the contacts until nothing changes, in long doubles: p_j = max(0, p_j - w_j/D_jj).
 */
static void judge_row(size_t balls, const double *mass, const double *v, double e, double *after)
{
    long double p[MOST] = {0}, u[MOST];
    for (size_t round = 0; round < 200000; round++) {
        for (size_t i = 0; i < balls; i++) {
            u[i] = v[i];
            u[i] += ((i > 0 ? p[i - 1] : 0) - (i + 1 < balls ? p[i] : 0)) / mass[i];
        }
        long double change = 0;
        for (size_t j = 0; j + 1 < balls; j++) {
            long double w = u[j + 1] - u[j] + (long double)e * ((long double)v[j + 1] - v[j]);
            long double next = p[j] - w / (1 / (long double)mass[j] + 1 / (long double)mass[j + 1]);
            next = next > 0 ? next : 0;
            u[j] -= (next - p[j]) / mass[j];
            u[j + 1] += (next - p[j]) / mass[j + 1];
            change = fmaxl(change, fabsl(next - p[j]));
            p[j] = next;
        }
        if (change == 0) {
            break;
        }
    }
    for (size_t i = 0; i < balls; i++) {
        after[i] = (double)u[i];
    }
}

static void test_rows_agree_with_judge(void **state)
{
    (void)state;
    rng r = rng_seeded(11);
    for (size_t trial = 0; trial < 200; trial++) {
        scene s = {.def = crm_scene_def_default()};
        size_t balls = 2 + (size_t)rng_uniform(&r, 0, 6);
        double mass[MOST], v[MOST], want[MOST], got[MOST], q[MOST], e = rng_uniform(&r, 0, 1);
        double unit = pow(10, rng_uniform(&r, -8, 8)), fastest = 0;
        for (size_t i = 0; i < balls; i++) {
            mass[i] = pow(10, rng_uniform(&r, -1, 1)) * unit;
            v[i] = 2.0 * (double)(balls - i) + rng_uniform(&r, 0, 1); /* all close */
            fastest = fmax(fastest, fabs(v[i]));
            s.body[i] = ball_at(1, mass[i], 2 * (double)i, 0, 0);
        }
        s.def.bodies = bodies_def(1, s.body, balls);
        s.def.bodies.contact.restitution = e;
        s.def.velocity = v;
        crm_motion_options options = steps_of(1e-6);
        crm_motion *motion = start(&s.def, &options);
        run_to(motion, 1e-6, NULL);
        crm_motion_read(motion, q, got);
        judge_row(balls, mass, v, e, want);
        for (size_t i = 0; i < balls; i++) {
            assert_near(got[i], want[i], 1e-10 * fastest);
        }
        assert_account_closes(motion, 1e-9 * unit);
        crm_motion_free(motion);
    }
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void test_other_laws_are_refused(void **state)
{
    (void)state;
    scene s;
    crm_error error = {0};
    crm_motion *motion = NULL;
    crm_settings *law = law_named("lzb");
    crm_motion_options options = steps_of(1e-3);
    pour(&s, 3, 0.5, 0.5, 1);
    options.law = law;
    assert_int_equal(crm_motion_from_scene(&s.def, &options, &motion, &error), CRM_ERROR_ARGUMENT);
    assert_string_equal(error.place, "law");
    assert_null(motion);
    crm_settings_free(law);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_impacts_are_of_first_order),
        cmocka_unit_test(test_free_motion_is_of_second_order),
        cmocka_unit_test(test_free_fall_is_exact),
        cmocka_unit_test(test_ball_comes_to_rest),
        cmocka_unit_test(test_discs_are_poured),
        cmocka_unit_test(test_heap_rests),
        cmocka_unit_test(test_position_correction_is_no_work_of_walls),
        cmocka_unit_test(test_walls_that_lift_do_work),
        cmocka_unit_test(test_two_runs_are_one),
        cmocka_unit_test(test_rows_agree_with_judge),
        cmocka_unit_test(test_other_laws_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
