/* Two engines move the same scenes of balls and judge each other: the flight, which knows parabolas
 * alone, and the Lagrangian engine, which integrates.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "flight_call.h"
#include "motion/scene/scene.h"
#include "motion_beside.h"
#include "support.h"

static const double WITHIN = 1e-9;

static crm_motion *integrated(const judge_scene *scene, double e, const crm_motion_options *options)
{
    scene_parts parts;
    crm_error error = {0};
    crm_motion *made = NULL;
    flight_scene_parts(scene, e, &parts);
    assert_ok(crm_scene_check(&parts.def, &error), &error);
    assert_ok(crm_scene_create(&parts.def, options, &made, &error), &error);
    return made;
}

/* ---- A bouncing ball ------------------------------------------------------------------------- */

static void a_ball_comes_to_rest_in_both(void **state)
{
    (void)state;
    judge_scene scene = judge_scene_blank(2);
    judge_scene_ball(&scene, 0.1, 1, 0, 1.1, 0);
    judge_scene_wall(&scene, 0, 1, 0, 0);
    scene.gravity[1] = -9.81;
    scene.v[0][0] = 0.3;
    const crm_motion_options options = crm_motion_options_default();
    crm_motion *motion[2] = {flight_motion(&scene, 0.8, &options),
                             integrated(&scene, 0.8, &options)};
    for (int k = 1; k <= 60; k++) {
        double x[2][2], v[2][2];
        for (int m = 0; m < 2; m++) {
            flight_run(motion[m], 0.1 * k, CRM_STOP_DURATION);
            crm_motion_read(motion[m], x[m], v[m]);
        }
        assert_all_near(x[0], x[1], 2, WITHIN);
        assert_all_near(v[0], v[1], 2, WITHIN);
    }
    crm_motion_summary flown = crm_motion_summarize(motion[0]);
    crm_motion_summary other = crm_motion_summarize(motion[1]);
    assert_near(flown.energy.lost, other.energy.lost, WITHIN);
    assert_near(flown.energy.potential_after - flown.energy.potential_before,
                other.energy.potential_after - other.energy.potential_before, WITHIN);
    crm_motion_free(motion[0]);
    crm_motion_free(motion[1]);
}

/* ---- Random scenes --------------------------------------------------------------------------- */

static bool is_free(const judge_scene *scene, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        double u;
        if (judge_gap(scene, k, i, 0, &u) < 0.02) {
            return false;
        }
    }
    return true;
}

/* A box of 2 from wall to wall, with or without gravity; some walls swing or move. */
static judge_scene random_scene(rng *r)
{
    judge_scene scene = judge_scene_blank(1 + (unsigned)rng_below(r, 3));
    unsigned n = scene.dimension;
    for (unsigned d = 0; d < n; d++) {
        double normal[3] = {0};
        normal[d] = 1;
        judge_scene_wall(&scene, normal[0], normal[1], normal[2], -1);
        judge_scene_wall(&scene, -normal[0], -normal[1], -normal[2], -1);
    }
    scene.gravity[n - 1] = rng_below(r, 3) > 0 ? -rng_uniform(r, 1, 10) : 0;
    if (rng_below(r, 3) == 0) {
        scene.amplitude[0] = 0.01;
        scene.omega[0] = rng_uniform(r, 5, 20);
        scene.phase[0] = rng_uniform(r, 0, 6);
    }
    scene.speed[1] = rng_below(r, 3) == 0 ? rng_uniform(r, 0, 0.1) : 0;
    size_t balls = 2 + rng_below(r, 4);
    for (size_t tries = 0; scene.balls < balls && tries < 200; tries++) {
        double radius = rng_uniform(r, 0.08, 0.2), x[3], edge = 0.95 - radius;
        for (int d = 0; d < 3; d++) {
            x[d] = rng_uniform(r, -edge, edge);
        }
        size_t i = judge_scene_ball(&scene, radius, rng_log(r, 0.2, 5), x[0], n > 1 ? x[1] : 0,
                                    n > 2 ? x[2] : 0);
        scene.fixed[i] = i > 0 && rng_below(r, 5) == 0;
        for (unsigned d = 0; d < n && !scene.fixed[i]; d++) {
            scene.v[i][d] = rng_uniform(r, -2, 2);
        }
        scene.balls -= is_free(&scene, i) ? 0 : 1;
    }
    return scene;
}

static void random_scenes_move_alike(void **state)
{
    (void)state;
    rng r = rng_seeded(20);
    comparison all = {0};
    for (int k = 0; k < 300; k++) {
        judge_scene scene = random_scene(&r);
        double e = rng_uniform(&r, 0.3, 1);
        const crm_motion_options options = crm_motion_options_default();
        judge_scene other = scene;
        for (size_t i = 0; i < scene.balls; i++) {
            for (unsigned d = 0; d < scene.dimension && !scene.fixed[i]; d++) {
                other.v[i][d] += (i + d) % 2 == 0 ? BESIDE_OFF : -BESIDE_OFF;
            }
        }
        crm_motion *motion[3] = {flight_motion(&scene, e, &options),
                                 integrated(&scene, e, &options),
                                 flight_motion(&other, e, &options)};
        follow_beside(motion, 3, &all);
        assert_true(all.worst < WITHIN);
        for (int m = 0; m < 3; m++) {
            crm_motion_free(motion[m]);
        }
    }
    print_message("%zu impacts and %zu ends compared, apart by at most %.1e\n", all.impacts,
                  all.ends, all.worst);
    assert_true(all.impacts > 1000 && all.ends > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_comes_to_rest_in_both),
        cmocka_unit_test(random_scenes_move_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
