/* Random scenes of balls and walls beside the judge, from impact to impact: no meeting is missed,
 * none is too early, and one contact alone does what Newton's law says.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "flight_call.h"
#include "support.h"

/* Rounding of times and places, relative to the largest length in the scene. */
static const double ROUNDING = 2e-14;
/* The same of velocities, relative to the fastest. */
static const double SPEED_ROUNDING = 1e-12;

static double largest_length(const judge_scene *scene)
{
    double most = 0;
    for (size_t i = 0; i < scene->balls; i++) {
        most = fmax(most, scene->radius[i]);
        for (int d = 0; d < 3; d++) {
            most = fmax(most, fabs(scene->x[i][d]));
        }
    }
    for (size_t k = 0; k < scene->walls; k++) {
        most = fmax(most, fabs(scene->offset[k]));
    }
    return most;
}

static double largest_speed(const judge_scene *scene)
{
    double most = 0;
    for (size_t i = 0; i < scene->balls; i++) {
        for (int d = 0; d < 3; d++) {
            most = fmax(most, fabs(scene->v[i][d]));
        }
    }
    return most;
}

/* Lengths that are nothing: rounding of places, and of times at the speeds there are. */
static double length_noise(const judge_scene *scene, double time)
{
    return ROUNDING * (largest_length(scene) + largest_speed(scene) * fabs(time));
}

/* The judge's soonest meeting is not before what the library found, but for rounding: between its
 * time and the library's the gap is closed by no more than that.
 */
static void check_none_missed(const judge_scene *before, double time)
{
    double u, noise = length_noise(before, time);
    judge_meeting next = judge_next(before, (time - before->time) * (1 + 1e-9) + 1e-300);
    if (!(next.time < time)) {
        return;
    }
    double middle = judge_gap(before, next.first, next.second, 0.5 * (next.time + time), &u);
    double end = judge_gap(before, next.first, next.second, time, &u);
    if (!(fmin(middle, end) >= -noise)) {
        print_message("missed: %zu and %zu at %.17g, gaps %g and %g until %.17g (noise %g)\n",
                      next.first, next.second, next.time, middle, end, time, noise);
    }
    assert_true(fmin(middle, end) >= -noise);
}

static void check_struck(const judge_scene *before, const seen_impact *seen)
{
    double noise = length_noise(before, seen->time);
    bool closes = false;
    for (size_t j = 0; j < seen->contacts; j++) {
        double u, gap = judge_gap(before, seen->party[j][0], seen->party[j][1], seen->time, &u);
        double size = before->radius[seen->party[j][0]] +
                      (seen->party[j][1] < before->balls ? before->radius[seen->party[j][1]] : 0);
        bool closed = gap <= 1e-9 * size + noise && gap >= -noise;
        if (!closed) {
            print_message("%zu and %zu: gap %g, size %g, at %.17g (noise %g), gap velocity %g\n",
                          seen->party[j][0], seen->party[j][1], gap, size, seen->time, noise, u);
        }
        assert_true(closed);
        closes |= u < 0;
    }
    assert_true(closes);
}

static void check_after(const judge_scene *before, const judge_scene *after,
                        const seen_impact *seen, double e)
{
    double v[JUDGE_BALLS][3], none[3], noise = SPEED_ROUNDING * largest_speed(after);
    double s = seen->time - before->time;
    for (size_t i = 0; i < before->balls; i++) {
        for (unsigned d = 0; d < before->dimension; d++) {
            double g = before->fixed[i] ? 0 : before->gravity[d];
            v[i][d] = before->v[i][d] + s * g;
            double x = before->x[i][d] + s * (before->v[i][d] + 0.5 * s * g);
            assert_near(after->x[i][d], x, length_noise(after, seen->time));
        }
    }
    judge_meeting m = {seen->time, seen->party[0][0], seen->party[0][1]};
    judge_bounce(before, m, e, v[m.first], m.second < before->balls ? v[m.second] : none);
    for (size_t i = 0; i < before->balls && seen->contacts == 1; i++) {
        for (unsigned d = 0; d < before->dimension && !before->fixed[i]; d++) {
            assert_near(after->v[i][d], v[i][d], noise);
        }
    }
}

/* Returns how many impacts there were. */
static size_t check_scene(judge_scene scene, double e, double end, size_t most, const char *law)
{
    crm_settings *settings = named_law(law);
    crm_motion_options options = crm_motion_options_default();
    options.law = settings;
    crm_motion *motion = flight_motion(&scene, e, &options);
    size_t count = 0;
    for (; count < most; count++) {
        judge_scene before = scene;
        seen_impact seen = flight_next_impact(motion, end);
        check_none_missed(&before, seen.seen ? seen.time : end);
        if (!seen.seen) {
            break;
        }
        check_struck(&before, &seen);
        flight_scene_read(motion, &scene);
        check_after(&before, &scene, &seen, e);
        assert_true(judge_overlap(&scene) <= length_noise(&scene, scene.time));
    }
    crm_motion_summary summary = crm_motion_summarize(motion);
    assert_true(summary.max_penetration <= length_noise(&scene, scene.time));
    double energy = fabs(summary.energy.kinetic_before) + fabs(summary.energy.potential_before) +
                    fabs(summary.energy.work);
    assert_near(summary.energy.error, 0, 1e-11 * (energy + 1e-300));
    crm_motion_free(motion);
    crm_settings_free(settings);
    return count;
}

/* ---- Scenes ---------------------------------------------------------------------------------- */

/* `spread`: radii from 1/spread to 1, in a box of half width `box`. Places are tried until nothing
 * overlaps; `margin` may be tiny, so that balls nearly touch.
 */
static bool place_ball(judge_scene *scene, rng *r, double radius, double box, double nearly)
{
    for (int attempt = 0; attempt < 200; attempt++) {
        double x[3] = {0, 0, 0};
        for (unsigned d = 0; d < scene->dimension; d++) {
            x[d] = rng_uniform(r, radius - box, box - radius);
        }
        bool near = scene->balls > 0 && rng_uniform(r, 0, 1) < 0.5 && nearly > 0;
        size_t other = near ? rng_below(r, scene->balls) : 0;
        double length = 0, way[3] = {0, 0, 0};
        for (unsigned d = 0; d < scene->dimension; d++) {
            way[d] = x[d] - scene->x[other][d];
            length += way[d] * way[d];
        }
        double reach = near ? (scene->radius[other] + radius) * (1 + nearly) / sqrt(length) : 0;
        bool free = true;
        for (unsigned d = 0; d < scene->dimension; d++) {
            x[d] = near ? scene->x[other][d] + reach * way[d] : x[d];
            free &= fabs(x[d]) <= box - radius;
        }
        for (size_t k = 0; k < scene->balls; k++) {
            double square = 0;
            for (int d = 0; d < 3; d++) {
                square += (x[d] - scene->x[k][d]) * (x[d] - scene->x[k][d]);
            }
            free &= sqrt(square) > (radius + scene->radius[k]) * (1 + 0.5 * nearly);
        }
        if (free) {
            judge_scene_ball(scene, radius, rng_log(r, 0.1, 10), x[0], x[1], x[2]);
            return true;
        }
    }
    return false;
}

static void add_box(judge_scene *scene, double box)
{
    for (unsigned d = 0; d < scene->dimension; d++) {
        judge_scene_wall(scene, d == 0, d == 1, d == 2, -box);
        judge_scene_wall(scene, -(d == 0), -(d == 1), -(d == 2), -box);
    }
}

typedef struct choice {
    size_t balls;
    double spread, box, nearly, gravity, obstacles;
    bool walls;
} choice;

static judge_scene random_scene(rng *r, choice c)
{
    judge_scene scene = judge_scene_blank(1 + (unsigned)rng_below(r, 3));
    for (size_t i = 0; i < c.balls; i++) {
        size_t before = scene.balls;
        double largest = scene.dimension == 1 ? c.box / (2.0 * (double)c.balls) : 1;
        place_ball(&scene, r, rng_log(r, largest / c.spread, largest), c.box, c.nearly);
        if (scene.balls > before) {
            scene.fixed[before] = before > 0 && rng_uniform(r, 0, 1) < c.obstacles;
        }
    }
    for (size_t i = 0; i < scene.balls; i++) {
        for (unsigned d = 0; d < scene.dimension && !scene.fixed[i]; d++) {
            scene.v[i][d] = rng_normal(r);
        }
    }
    for (unsigned d = 0; d < scene.dimension; d++) {
        scene.gravity[d] = c.gravity * rng_normal(r);
    }
    if (c.walls) {
        add_box(&scene, c.box);
    }
    return scene;
}

static void check_many(choice c, size_t scenes, double least_restitution, size_t impacts,
                       uint64_t seed)
{
    rng r = rng_seeded(seed);
    size_t all = 0;
    for (size_t k = 0; k < rounds(scenes, (scenes + 3) / 4); k++) {
        judge_scene scene = random_scene(&r, c);
        double e = rng_uniform(&r, least_restitution, 1);
        all += check_scene(scene, k % 3 == 0 ? 1 : e, 50, impacts, "newton");
    }
    assert_true(all > scenes);
}

static void balls_in_a_box(void **state)
{
    (void)state;
    check_many((choice){.balls = 40, .spread = 3, .box = 5, .walls = true}, 40, 0.5, 200, 1);
}

static void balls_that_nearly_touch(void **state)
{
    (void)state;
    for (int digits = 4; digits <= 12; digits += 4) {
        check_many(
            (choice){.balls = 35, .spread = 2, .box = 5, .nearly = pow(10, -digits), .walls = true},
            20, 0.5, 100, 2);
    }
}

static void radii_of_all_sizes(void **state)
{
    (void)state;
    check_many((choice){.balls = 25, .spread = 1e4, .box = 4, .walls = true}, 40, 0.5, 150, 3);
}

static void without_walls(void **state)
{
    (void)state;
    check_many((choice){.balls = 40, .spread = 10, .box = 5}, 60, 0.5, 150, 4);
}

static void in_gravity(void **state)
{
    (void)state;
    check_many((choice){.balls = 30, .spread = 3, .box = 5, .gravity = 1, .walls = true}, 40, 0.8,
               80, 5);
    check_many((choice){.balls = 30, .spread = 3, .box = 5, .gravity = 1000, .walls = true}, 40,
               0.8, 80, 6);
}

static void among_obstacles_in_gravity(void **state)
{
    (void)state;
    check_many(
        (choice){.balls = 26, .spread = 3, .box = 4, .gravity = 1, .obstacles = 0.5, .walls = true},
        5, 0.8, 15, 7);
}

static void between_walls_that_move(void **state)
{
    (void)state;
    rng r = rng_seeded(8);
    for (size_t k = 0; k < rounds(40, 10); k++) {
        judge_scene scene = random_scene(
            &r, (choice){
                    .balls = 10, .spread = 3, .box = 5, .gravity = (double)(k % 2), .walls = true});
        for (size_t wall = 0; wall < scene.walls; wall++) {
            scene.speed[wall] = rng_uniform(&r, -0.3, 0.1);
        }
        check_scene(scene, 0.9, 3, 80, "newton");
    }
}

static void between_walls_that_swing(void **state)
{
    (void)state;
    rng r = rng_seeded(9);
    for (size_t k = 0; k < rounds(10, 3); k++) {
        judge_scene scene = random_scene(
            &r,
            (choice){.balls = 4, .spread = 3, .box = 5, .gravity = (double)(k % 2), .walls = true});
        for (size_t wall = 0; wall < scene.walls; wall++) {
            scene.omega[wall] = rng_log(&r, 0.3, 30);
            scene.phase[wall] = rng_uniform(&r, 0, 6);
            scene.amplitude[wall] = rng_uniform(&r, -0.5, 0.5);
            scene.offset[wall] -= fabs(scene.amplitude[wall]);
        }
        check_scene(scene, 0.9, 10, 30, "newton");
    }
}

/* A lattice of balls that touch, struck by one: all at once, and whatever law resolves it, nothing
 * overlaps afterwards and energy and momentum are accounted for.
 */
static void a_lattice_that_is_struck(void **state)
{
    (void)state;
    const char *const laws[] = {"newton", "binary", "lzb", "poisson"};
    for (int k = 0; k < 12; k++) {
        judge_scene scene = judge_scene_blank(2 + (unsigned)(k % 2));
        for (int i = 0; i < 25; i++) {
            judge_scene_ball(&scene, 0.5, 1, i % 5, (int)(i / 5), 0);
        }
        judge_scene_ball(&scene, 0.5, 2, -3, 2 + 0.1 * k, 0);
        scene.v[25][0] = 1;
        crm_settings *settings = named_law(laws[k % 4]);
        crm_motion_options options = crm_motion_options_default();
        options.law = settings;
        crm_motion *motion = flight_motion(&scene, 0.8, &options);
        flight_run(motion, 30, CRM_STOP_DURATION);
        flight_scene_read(motion, &scene);
        double momentum = 0;
        for (size_t i = 0; i < scene.balls; i++) {
            momentum += scene.mass[i] * scene.v[i][0];
        }
        crm_motion_summary s = crm_motion_summarize(motion);
        assert_near(momentum, 2, 1e-11);
        assert_near(s.energy.error, 0, 1e-11);
        assert_true(s.energy.lost >= 0 && s.impacts > 0);
        assert_true(judge_overlap(&scene) <= 1e-8); /* closed within the closure counts as closed */
        crm_motion_free(motion);
        crm_settings_free(settings);
    }
}

/* Dissipative balls in a box with gravity end at rest on walls and on each other, unless there are
 * too many impacts on the way: accumulations within accumulations. No motion fails, overlaps or
 * loses energy without saying so.
 */
static void heaps_end_in_rest(void **state)
{
    (void)state;
    static const uint64_t ENOUGH = 1000;
    rng r = rng_seeded(11);
    size_t rested = 0;
    for (size_t k = 0; k < rounds(60, 15); k++) {
        judge_scene scene = random_scene(&r, (choice){.balls = 1 + rng_below(&r, 4),
                                                      .spread = 3,
                                                      .box = 5,
                                                      .gravity = 1,
                                                      .obstacles = 0.2,
                                                      .walls = true});
        double e = rng_uniform(&r, 0, 0.9);
        crm_motion_options options = crm_motion_options_default();
        options.stop_at_rest = true;
        options.stop_impacts = ENOUGH;
        crm_motion *motion = flight_motion(&scene, k % 5 == 0 ? 0 : e, &options);
        crm_motion_stop stopped;
        crm_error error = {0};
        assert_ok(crm_motion_run(motion, 1e4, NULL, &stopped, &error), &error);
        crm_motion_summary s = crm_motion_summarize(motion);
        double energy = s.energy.kinetic_before + fabs(s.energy.potential_before) + s.energy.lost;
        assert_near(s.energy.error, 0, 1e-9 * energy);
        flight_scene_read(motion, &scene);
        assert_true(judge_overlap(&scene) <= 1e-8);
        if (stopped != CRM_STOP_AT_REST && stopped != CRM_STOP_IMPACTS) {
            print_message("scene %zu: %s, %llu impacts, dimension %u, restitution %g\n", k,
                          crm_motion_stop_text(stopped), (unsigned long long)s.impacts,
                          scene.dimension, e);
            for (size_t i = 0; i < scene.balls; i++) {
                print_message("  %d r %g x %g %g %g v %g %g %g\n", scene.fixed[i], scene.radius[i],
                              scene.x[i][0], scene.x[i][1], scene.x[i][2], scene.v[i][0],
                              scene.v[i][1], scene.v[i][2]);
            }
            print_message("  g %g %g %g\n", scene.gravity[0], scene.gravity[1], scene.gravity[2]);
        }
        rested += stopped == CRM_STOP_AT_REST;
        assert_true(stopped == CRM_STOP_AT_REST || stopped == CRM_STOP_IMPACTS);
        crm_motion_free(motion);
    }
    assert_true(rested > rounds(30, 6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_in_a_box),
        cmocka_unit_test(balls_that_nearly_touch),
        cmocka_unit_test(radii_of_all_sizes),
        cmocka_unit_test(without_walls),
        cmocka_unit_test(in_gravity),
        cmocka_unit_test(among_obstacles_in_gravity),
        cmocka_unit_test(between_walls_that_move),
        cmocka_unit_test(between_walls_that_swing),
        cmocka_unit_test(a_lattice_that_is_struck),
        cmocka_unit_test(heaps_end_in_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
