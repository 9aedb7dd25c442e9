/* The motion of balls in flight: balls on floors, plates and each other, by closed forms
 * (docs/motion.md). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "flight_call.h"
#include "support.h"

static const double PI = 3.14159265358979323846;
/* What the tolerance of a motion allows, and rounding. */
static const double WITHIN = 1e-9, ROUNDING = 1e-12;

/* ---- A ball on a floor ----------------------------------------------------------------------- */

static void a_bouncing_ball_comes_to_rest_when_it_should(void **state)
{
    (void)state;
    const double h = 1, g = 9.81, e = 0.9;
    judge_scene scene = ball_over_floor(h);
    crm_settings *settings;
    crm_motion *motion = motion_by(&scene, e, "lzb", &settings);
    flight_run(motion, 8.5, CRM_STOP_DURATION);
    flight_scene_read(motion, &scene);
    assert_near(scene.x[0][1] - 0.1, 5.5655510e-6, 1e-12);
    assert_near(scene.v[0][1], -0.04166519581, 1e-10);
    assert_true(isnan(crm_motion_summarize(motion).at_rest_since));
    flight_run(motion, 10, CRM_STOP_DURATION);
    crm_motion_summary s = crm_motion_summarize(motion);
    assert_near(s.at_rest_since, sqrt(2 * h / g) * (1 + e) / (1 - e), WITHIN);
    assert_near(s.energy.lost, g * h, ROUNDING * 100);
    assert_near(s.energy.error, 0, ROUNDING * 100);
    end_motion(motion, settings);
}

static void its_apexes_are_a_geometric_series(void **state)
{
    (void)state;
    const double g = 9.81, e = 0.7;
    judge_scene scene = ball_over_floor(1);
    crm_settings *settings;
    crm_motion *motion = motion_by(&scene, e, "moreau", &settings);
    double t = sqrt(2 / g), v = sqrt(2 * g);
    for (int k = 1; k <= 20; k++) {
        v *= e;
        flight_run(motion, t + v / g, CRM_STOP_DURATION);
        flight_scene_read(motion, &scene);
        assert_near(scene.x[0][1] - 0.1, pow(e, 2 * k), ROUNDING);
        t += 2 * v / g;
    }
    end_motion(motion, settings);
}

static void a_ball_at_rest_stays_and_slides_along_an_incline(void **state)
{
    (void)state;
    judge_scene scene = ball_over_floor(0);
    crm_settings *settings;
    crm_motion_options options = crm_motion_options_default();
    options.stop_at_rest = true;
    crm_motion *motion = flight_motion(&scene, 0.5, &options);
    flight_run(motion, 10, CRM_STOP_AT_REST);
    assert_near(crm_motion_time(motion), 0, 0);
    crm_motion_free(motion);

    const double angle = 0.3;
    scene = judge_scene_blank(2);
    judge_scene_ball(&scene, 0.1, 2, -0.1 * sin(angle), 0.1 * cos(angle), 0);
    judge_scene_wall(&scene, -sin(angle), cos(angle), 0, 0);
    scene.gravity[1] = -9.81;
    motion = motion_by(&scene, 0.5, "lzb", &settings);
    flight_run(motion, 2, CRM_STOP_DURATION);
    flight_scene_read(motion, &scene);
    double way = 0.5 * 9.81 * sin(angle) * 4;
    assert_near(scene.x[0][0], -0.1 * sin(angle) - way * cos(angle), ROUNDING * 20);
    assert_near(scene.x[0][1], 0.1 * cos(angle) - way * sin(angle), ROUNDING * 20);
    assert_int_equal(crm_motion_summarize(motion).impacts, 0);
    end_motion(motion, settings);
}

/* A ball that bounces down an incline: along it free fall, across it a bouncing ball. */
static void bounces_on_an_incline_end_in_sliding(void **state)
{
    (void)state;
    const double angle = 0.4, g = 9.81, h = 0.5, e = 0.6;
    const double n[2] = {-sin(angle), cos(angle)}, along[2] = {cos(angle), sin(angle)};
    judge_scene scene = judge_scene_blank(2);
    judge_scene_ball(&scene, 0.1, 1, n[0] * (h + 0.1), n[1] * (h + 0.1), 0);
    judge_scene_wall(&scene, n[0], n[1], 0, 0);
    scene.gravity[1] = -g;
    crm_settings *settings;
    crm_motion *motion = motion_by(&scene, e, "lzb", &settings);
    double rest = sqrt(2 * h / (g * cos(angle))) * (1 + e) / (1 - e), t = rest + 1;
    flight_run(motion, t, CRM_STOP_DURATION);
    flight_scene_read(motion, &scene);
    double across = scene.x[0][0] * n[0] + scene.x[0][1] * n[1];
    double way = scene.x[0][0] * along[0] + scene.x[0][1] * along[1];
    assert_near(across, 0.1, WITHIN);
    assert_near(way, -0.5 * g * sin(angle) * t * t, WITHIN);
    assert_near(crm_motion_summarize(motion).energy.error, 0, ROUNDING * 1000);
    end_motion(motion, settings);
}

static void between_floor_and_ceiling_it_rests_before_ten_seconds(void **state)
{
    (void)state;
    const double g = 10, e = 0.8;
    judge_scene scene = judge_scene_blank(1);
    judge_scene_ball(&scene, 0.05, 1, 1.05, 0, 0);
    judge_scene_wall(&scene, 1, 0, 0, 0);
    judge_scene_wall(&scene, -1, 0, 0, -1.6);
    scene.gravity[0] = -g;
    scene.v[0][0] = 10;
    crm_settings *settings;
    crm_motion *motion = motion_by(&scene, e, "lzb", &settings);
    /* By hand: gap z from 0 to 1.5, from wall to wall while it has the speed for it. */
    double z = 1, v = 10, t = 0;
    while (v * v > 2 * g * (1.5 - z)) {
        double top = sqrt(v * v - 2 * g * (1.5 - z));
        t += (v - top) / g;
        double down = e * top, bottom = sqrt(down * down + 2 * g * 1.5);
        t += (bottom - down) / g;
        z = 0;
        v = e * bottom;
    }
    t += 2 * v / (g * (1 - e));
    flight_run(motion, 10, CRM_STOP_DURATION);
    crm_motion_summary s = crm_motion_summarize(motion);
    assert_near(s.at_rest_since, t, WITHIN);
    assert_true(s.at_rest_since < 10);
    end_motion(motion, settings);
}

/* The ball falls into a right angle that stands on its corner, and stays. */
static void a_corner_holds_a_ball(void **state)
{
    (void)state;
    judge_scene scene = judge_scene_blank(2);
    judge_scene_ball(&scene, 0.1, 1, 0.01, 1, 0);
    judge_scene_wall(&scene, 1, 1, 0, 0);
    judge_scene_wall(&scene, -1, 1, 0, 0);
    scene.gravity[1] = -9.81;
    crm_motion_options options = crm_motion_options_default();
    options.stop_at_rest = true;
    crm_motion *motion = flight_motion(&scene, 0.5, &options);
    flight_run(motion, 100, CRM_STOP_AT_REST);
    flight_scene_read(motion, &scene);
    assert_near(scene.x[0][0], 0, WITHIN);
    assert_near(scene.x[0][1], 0.1 * sqrt(2), WITHIN);
    assert_near(crm_motion_summarize(motion).energy.error, 0, ROUNDING * 100);
    crm_motion_free(motion);
}

/* ---- A ball on a plate that swings ----------------------------------------------------------- */

typedef struct plate {
    double omega, amplitude, phase;
} plate;

static plate plate_of(double gamma, double g)
{
    double omega = 2 * PI * 25;
    return (plate){.omega = omega, .amplitude = gamma * g / (omega * omega)};
}

static judge_scene ball_on_plate(plate p, double z, double v)
{
    judge_scene scene = judge_scene_blank(1);
    judge_scene_ball(&scene, 0.01, 1, z + 0.01, 0, 0);
    judge_scene_wall(&scene, 1, 0, 0, 0);
    scene.gravity[0] = -9.81;
    scene.amplitude[0] = p.amplitude;
    scene.omega[0] = p.omega;
    scene.phase[0] = p.phase;
    scene.v[0][0] = v;
    return scene;
}

/* Started in the stable bounce of period one, it stays there, from impact to impact. */
static void on_a_plate_it_bounces_with_the_period_of_the_plate(void **state)
{
    (void)state;
    const double g = 9.81, e = 0.5;
    for (double gamma = 1.1; gamma < 1.5; gamma += 0.1) {
        plate p = plate_of(gamma, g);
        p.phase = acos(PI * (1 - e) / ((1 + e) * gamma));
        double v = PI * g / p.omega, period = 2 * PI / p.omega;
        judge_scene scene = ball_on_plate(p, p.amplitude * sin(p.phase), v);
        crm_settings *settings;
        crm_motion *motion = motion_by(&scene, e, "lzb", &settings);
        for (int k = 1; k <= 200; k++) {
            seen_impact seen = flight_next_impact(motion, 100);
            flight_scene_read(motion, &scene);
            assert_near(seen.time, k * period, 1e-11);
            assert_near(scene.v[0][0], v, 1e-10);
        }
        end_motion(motion, settings);
    }
}

/* The way of a long run: after so many impacts the times between them repeat with period `count`.
 */
static double interval_after(double gamma, double e, int skip, double *next)
{
    plate p = plate_of(gamma, 9.81);
    p.phase = acos(PI * (1 - e) / ((1 + e) * gamma));
    judge_scene scene = ball_on_plate(p, p.amplitude * sin(p.phase), 1.001 * PI * 9.81 / p.omega);
    crm_settings *settings;
    crm_motion *motion = motion_by(&scene, e, "lzb", &settings);
    double last = 0, interval[2] = {0, 0};
    for (int k = 0; k < skip + 2; k++) {
        seen_impact seen = flight_next_impact(motion, 1000);
        interval[k % 2] = seen.time - last;
        last = seen.time;
    }
    *next = interval[1];
    end_motion(motion, settings);
    return interval[0];
}

/* e = 1/2: the period doubles at 1.5268. */
static void just_above_the_limit_the_period_doubles(void **state)
{
    (void)state;
    const double e = 0.5, a = PI * (1 - e) / (1 + e), b = 2 * (1 + e * e) / ((1 + e) * (1 + e));
    const double limit = sqrt(a * a + b * b);
    double other, one = interval_after(limit - 0.03, e, 1000, &other);
    assert_near(one, other, 1e-9);
    one = interval_after(limit + 0.03, e, 1000, &other);
    assert_true(fabs(one - other) > 1e-3 * one);
    assert_near(one + other, 2.0 / 25, 1e-9);
}

static void it_leaves_the_plate_only_if_that_falls_faster(void **state)
{
    (void)state;
    const double g = 9.81;
    plate p = plate_of(0.99, g);
    judge_scene scene = ball_on_plate(p, 0, p.amplitude * p.omega);
    crm_settings *settings;
    crm_motion *motion = motion_by(&scene, 0.5, "lzb", &settings);
    for (double t = 0.0037; t < 20; t += 1.37) {
        flight_run(motion, t, CRM_STOP_DURATION);
        flight_scene_read(motion, &scene);
        assert_near(scene.x[0][0] - 0.01, p.amplitude * sin(p.omega * t), 1e-14);
        assert_near(scene.v[0][0], p.amplitude * p.omega * cos(p.omega * t), 1e-12);
    }
    assert_int_equal(crm_motion_summarize(motion).impacts, 0);
    assert_near(crm_motion_summarize(motion).energy.error, 0, 1e-14);
    end_motion(motion, settings);

    p = plate_of(1.2, g); /* leaves where sin = 1/1.2, and flies */
    double leaves = asin(1 / 1.2) / p.omega, later = leaves + 0.002;
    scene = ball_on_plate(p, 0, p.amplitude * p.omega);
    motion = motion_by(&scene, 0.5, "lzb", &settings);
    flight_run(motion, later, CRM_STOP_DURATION);
    flight_scene_read(motion, &scene);
    double v = p.amplitude * p.omega * cos(p.omega * leaves);
    assert_near(scene.v[0][0], v - g * 0.002, 1e-13);
    assert_near(scene.x[0][0] - 0.01, p.amplitude / 1.2 + 0.002 * v - 0.5 * g * 0.002 * 0.002,
                1e-14);
    end_motion(motion, settings);
}

/* Balls that slide on a table between cushions are discs in the plane, to rounding, by any law. */
static void balls_on_a_table_are_discs(void **state)
{
    (void)state;
    judge_scene scene[2];
    rng r = rng_seeded(12);
    for (unsigned k = 0; k < 2; k++) {
        scene[k] = judge_scene_blank(2 + k);
        judge_scene_wall(&scene[k], 1, 0, 0, -2);
        judge_scene_wall(&scene[k], -1, 0, 0, -2);
        judge_scene_wall(&scene[k], 0, 1, 0, -1);
        judge_scene_wall(&scene[k], 0, -1, 0, -1);
    }
    judge_scene_wall(&scene[1], 0, 0, 1, 0);
    scene[1].gravity[2] = -9.81;
    for (int i = 0; i < 15; i++) {
        double x = -1.6 + 0.8 * (i % 5), y = -0.7 + 0.7 * (int)(i / 5);
        double v[2] = {rng_normal(&r), rng_normal(&r)};
        for (unsigned k = 0; k < 2; k++) {
            judge_scene_ball(&scene[k], 0.1, 1, x, y, k == 1 ? 0.1 : 0);
            memcpy(scene[k].v[i], v, sizeof v);
        }
    }
    crm_motion *motion[2];
    for (unsigned k = 0; k < 2; k++) {
        motion[k] = flight_motion(&scene[k], 0.95, NULL);
        flight_run(motion[k], 2, CRM_STOP_DURATION);
        flight_scene_read(motion[k], &scene[k]);
    }
    assert_true(crm_motion_summarize(motion[0]).impacts > 20);
    assert_int_equal(crm_motion_summarize(motion[0]).impacts,
                     crm_motion_summarize(motion[1]).impacts);
    for (int i = 0; i < 15; i++) {
        assert_near(scene[1].x[i][0], scene[0].x[i][0], WITHIN);
        assert_near(scene[1].v[i][1], scene[0].v[i][1], WITHIN);
        assert_near(scene[1].x[i][2], 0.1, 0);
    }
    crm_motion_free(motion[0]);
    crm_motion_free(motion[1]);
}

/* ---- Beads in a line ------------------------------------------------------------------------- */

static void galperin_counts_pi(void **state)
{
    (void)state;
    const unsigned counts[] = {3, 31, 314, 3141, 31415};
    const char *const laws[] = {"binary", "moreau"};
    for (int law = 0; law < 2; law++) {
        for (int k = 0; k < 5; k++) {
            judge_scene scene = judge_scene_blank(1);
            judge_scene_ball(&scene, 0.1, 1, 1, 0, 0);
            judge_scene_ball(&scene, 0.1, pow(100, k), 2, 0, 0);
            judge_scene_wall(&scene, 1, 0, 0, 0);
            scene.v[1][0] = -1;
            crm_settings *settings;
            crm_motion *motion = motion_by(&scene, 1, laws[law], &settings);
            flight_run(motion, 1e9, CRM_STOP_DURATION);
            crm_motion_summary s = crm_motion_summarize(motion);
            assert_int_equal(s.impacts, counts[k]);
            assert_near(s.energy.kinetic_after / s.energy.kinetic_before, 1, 1e-11);
            end_motion(motion, settings);
        }
    }
}

/* Beads 1 and 3 close in on bead 2 and on each other. Below the limit of e they meet without end,
 * and go on together; above it some impacts are all.
 */
static uint64_t collapse_beads(double e, bool wall, const char *law, double *apart)
{
    judge_scene scene = judge_scene_blank(1);
    judge_scene_ball(&scene, 0.1, 1, 0.5, 0, 0);
    judge_scene_ball(&scene, 0.1, 1, 2, 0, 0);
    scene.v[0][0] = wall ? -1 : 1;
    scene.v[1][0] = wall ? -1 : 0;
    if (wall) {
        judge_scene_wall(&scene, 1, 0, 0, 0);
    } else {
        judge_scene_ball(&scene, 0.1, 1, 3.5, 0, 0);
        scene.v[2][0] = -1 - 1e-3;
    }
    crm_settings *settings;
    crm_motion *motion = motion_by(&scene, e, law, &settings);
    flight_run(motion, 1e5, CRM_STOP_DURATION);
    flight_scene_read(motion, &scene);
    uint64_t impacts = crm_motion_summarize(motion).impacts;
    *apart = scene.x[scene.balls - 1][0] - scene.x[0][0] - 0.2 * (double)(scene.balls - 1);
    double error = crm_motion_summarize(motion).energy.error;
    assert_near(error, 0, 1e-12);
    end_motion(motion, settings);
    return impacts;
}

/* Below the limits pairs meet ever faster until all gaps are closed within the closure; what then
 * happens is the law's to say. By collisions of pairs, and by lzb, they go on together; the laws
 * that take all contacts at once let them part once more. All end after some impacts.
 */
static void beads_collapse_below_the_limit_of_e(void **state)
{
    (void)state;
    const char *const laws[] = {"binary", "lzb", "moreau", "newton", "poisson"};
    const double three = 7 - 4 * sqrt(3), two = 3 - 2 * sqrt(2);
    double apart;
    for (size_t law = 0; law < sizeof laws / sizeof laws[0]; law++) {
        bool together = law < 2;
        assert_true(collapse_beads(0.8 * three, false, laws[law], &apart) < 100);
        assert_true(!together || fabs(apart) < 1e-6);
        assert_true(collapse_beads(1.5 * three, false, laws[law], &apart) < 20);
        assert_true(apart > 1);
        assert_true(collapse_beads(0.8 * two, true, laws[law], &apart) < 100);
        assert_true(!together || fabs(apart) < 1e-6);
        assert_true(collapse_beads(1.2 * two, true, laws[law], &apart) < 20);
        assert_true(apart > 1);
    }
}

/* Gravity does not press it onto the wall; the slope does. */
static void slides_to_rest_at_an_upright_wall(void **state)
{
    (void)state;
    static const char *const laws[] = {"newton", "binary", "lzb", "poisson"};
    for (int k = 0; k < 8; k++) {
        double tilt = 0.3, e = k < 4 ? 0.17 : 0.6, r = 0.1, end = 0.5;
        judge_scene scene = judge_scene_blank(2);
        judge_scene_wall(&scene, sin(tilt), cos(tilt), 0, 0);
        judge_scene_wall(&scene, -1, 0, 0, -end);
        scene.gravity[1] = -9.81;
        judge_scene_ball(&scene, r, 1, -0.3, (r + 0.3 * sin(tilt)) / cos(tilt) + 0.2, 0);
        crm_settings *law;
        crm_motion *motion = motion_by(&scene, e, laws[k % 4], &law);
        flight_run(motion, 20, CRM_STOP_DURATION);
        flight_scene_read(motion, &scene);
        assert_false(isnan(crm_motion_summarize(motion).at_rest_since));
        assert_near(scene.x[0][0], end - r, 1e-9);
        assert_near(scene.x[0][1], (r - (end - r) * sin(tilt)) / cos(tilt), 1e-9);
        end_motion(motion, law);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bouncing_ball_comes_to_rest_when_it_should),
        cmocka_unit_test(its_apexes_are_a_geometric_series),
        cmocka_unit_test(a_ball_at_rest_stays_and_slides_along_an_incline),
        cmocka_unit_test(bounces_on_an_incline_end_in_sliding),
        cmocka_unit_test(between_floor_and_ceiling_it_rests_before_ten_seconds),
        cmocka_unit_test(a_corner_holds_a_ball),
        cmocka_unit_test(on_a_plate_it_bounces_with_the_period_of_the_plate),
        cmocka_unit_test(just_above_the_limit_the_period_doubles),
        cmocka_unit_test(it_leaves_the_plate_only_if_that_falls_faster),
        cmocka_unit_test(balls_on_a_table_are_discs),
        cmocka_unit_test(galperin_counts_pi),
        cmocka_unit_test(beads_collapse_below_the_limit_of_e),
        cmocka_unit_test(slides_to_rest_at_an_upright_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
