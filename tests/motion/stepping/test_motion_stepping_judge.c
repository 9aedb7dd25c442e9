/* Random scenes of balls and walls in equal steps, each step beside the judge. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "flight_call.h"
#include "motion_call.h"
#include "stepping_judge.h"
#include "support.h"

/* Both solve to rounding, 1e-15 of the largest speed asked for; the velocities of light bodies
 * between heavy ones may be wrong by the root of the ratio of masses more.
 */
static const double SOLVED = 1e-12;
/* Energies are sums of as many terms as there are steps and contacts. */
static const double ACCOUNT = 1e-11;
/* What is promised of overlaps, by the size of the smaller body. */
static const double OVERLAP = 1e-8;

typedef struct choice {
    unsigned dimension;
    double spread;  /* of radii, largest by smallest */
    double heavier; /* of masses besides */
    bool walls_move;
    bool fixed;
    double gravity;
    double longest; /* step; 0: 1/64 */
} choice;

/* ---- Scenes ---------------------------------------------------------------------------------- */

/* Balls at places of a grid, so that none overlap, in a box without a lid. */
static judge_scene random_scene(rng *r, const choice *c)
{
    judge_scene scene = judge_scene_blank(c->dimension);
    size_t across = c->dimension == 1 ? 1 : 2, most = SMALL / c->dimension;
    size_t balls = 2 + rng_below(r, most - 1);
    for (size_t i = 0; i < balls; i++) {
        double radius = rng_log(r, 1 / c->spread, 1), at[3] = {0};
        size_t cell = i;
        for (unsigned d = 0; d + 1 < c->dimension; d++) {
            at[d] = (double)(cell % across) * 2.1 + 1.05 + rng_uniform(r, -0.05, 0.05);
            cell /= across;
        }
        at[c->dimension - 1] = 2.1 * (double)cell + 1.05 + rng_uniform(r, -0.05, 0.05);
        judge_scene_ball(&scene, radius, pow(radius, c->dimension) * rng_log(r, 1, c->heavier),
                         at[0], at[1], at[2]);
        for (unsigned d = 0; d < c->dimension; d++) {
            scene.v[i][d] = rng_normal(r);
        }
    }
    for (unsigned d = 0; d < c->dimension; d++) {
        double normal[3] = {0};
        normal[d] = 1;
        judge_scene_wall(&scene, normal[0], normal[1], normal[2], 0);
        if (d + 1 < c->dimension) {
            judge_scene_wall(&scene, -normal[0], -normal[1], -normal[2], -2.1 * (double)across);
        }
    }
    scene.gravity[c->dimension - 1] = -c->gravity;
    return scene;
}

static void add_ugliness(judge_scene *scene, rng *r, const choice *c)
{
    if (c->walls_move) { /* the floor, which has nothing opposite */
        size_t floor = 2 * (c->dimension - 1);
        scene->amplitude[floor] = 0.2;
        scene->omega[floor] = rng_uniform(r, 1, 12);
        scene->phase[floor] = 3.14159265358979323846; /* downwards at first, from where it is */
    }
    if (c->fixed) {
        size_t ball = rng_below(r, scene->balls);
        scene->fixed[ball] = true;
        memset(scene->v[ball], 0, sizeof scene->v[ball]);
    }
}

/* ---- A step beside the judge ----------------------------------------------------------------- */

typedef struct tally {
    size_t steps, judged, loaded, parted;
    double velocity, position;
} tally;

static double mass_ratio(const judge_scene *scene)
{
    double most = 0, least = INFINITY;
    for (size_t i = 0; i < scene->balls; i++) {
        most = fmax(most, scene->mass[i]);
        least = fmin(least, scene->mass[i]);
    }
    return most / least;
}

static double fastest(const judge_scene *scene, double h)
{
    double most = fabs(scene->gravity[scene->dimension - 1]) * h;
    for (size_t i = 0; i < scene->balls; i++) {
        for (unsigned d = 0; d < scene->dimension; d++) {
            most = fmax(most, fabs(scene->v[i][d]));
        }
    }
    for (size_t k = 0; k < scene->walls; k++) {
        most = fmax(most, fabs(scene->amplitude[k] * scene->omega[k]));
    }
    return most;
}

static void compare(const stepping_verdict *want, const judge_scene *got, const judge_scene *before,
                    double h, tally *t)
{
    double speed = fmax(fastest(before, h), fastest(got, h));
    double noise = SOLVED * sqrt(mass_ratio(got));
    for (size_t i = 0; i < got->balls; i++) {
        for (unsigned d = 0; d < got->dimension && !got->fixed[i]; d++) {
            double dv = fabs(got->v[i][d] - want->end.v[i][d]) / speed;
            double dx = fabs(got->x[i][d] - want->end.x[i][d]);
            t->velocity = fmax(t->velocity, dv);
            t->position = fmax(t->position, dx);
            assert_near(got->v[i][d], want->end.v[i][d], noise * speed);
            assert_near(got->x[i][d], want->end.x[i][d], noise * (1 + speed * h));
        }
    }
}

static double overlap_of(const judge_scene *scene)
{
    double least = INFINITY;
    for (size_t i = 0; i < scene->balls; i++) {
        least = fmin(least, scene->radius[i]);
    }
    return judge_overlap(scene) / least;
}

static void run_beside_judge(const judge_scene *scene, double e, double h, size_t steps, tally *t)
{
    crm_motion_options options = crm_motion_options_default();
    options.scheme = CRM_TIME_STEPPING;
    options.step = h;
    stepping_judge *judge = calloc(1, sizeof *judge);
    assert_non_null(judge);
    *judge =
        (stepping_judge){.scene = *scene, .step = h, .closure = options.closure, .restitution = e};
    crm_motion *motion = flight_motion(scene, e, &options);
    double lost = 0, size = fmax(1, crm_motion_summarize(motion).energy.kinetic_before);
    bool known = true;
    for (size_t k = 0; k < steps && known; k++) {
        judge_scene before = judge->scene;
        stepping_verdict want = stepping_judge_step(judge);
        flight_run(motion, (double)(k + 1) * h, CRM_STOP_DURATION);
        flight_scene_read(motion, &judge->scene);
        crm_motion_account account = crm_motion_summarize(motion).energy;
        size = fmax(size, fabs(account.work) + account.correction + account.kinetic_after);
        assert_true(overlap_of(&judge->scene) <= OVERLAP);
        assert_true(account.lost >= lost - ACCOUNT * size);
        assert_near(account.error, 0, ACCOUNT * (size + fabs(account.potential_before)));
        lost = account.lost;
        known = want.known;
        t->steps++;
        if (want.sure) {
            t->judged++;
            t->loaded += want.contacts > 0;
            t->parted += want.overlap > 1e-11;
            compare(&want, &judge->scene, &before, h, t);
        }
    }
    crm_motion_free(motion);
    free(judge);
}

static void run_choice(const choice *c, uint64_t seed)
{
    rng r = rng_seeded(seed);
    tally t = {0};
    size_t trials = rounds(12, 4);
    double longest = c->longest > 0 ? c->longest : 1.0 / 64;
    for (size_t trial = 0; trial < trials; trial++) {
        const double restitution[] = {0, 0.5, 1, 0.9};
        double e = restitution[trial % 4], h = rng_log(&r, 1e-3, longest);
        judge_scene scene = random_scene(&r, c);
        add_ugliness(&scene, &r, c);
        run_beside_judge(&scene, e, h, 300, &t);
    }
    print_message("%zu steps, %zu judged, %zu with contacts, %zu brought apart; velocities %.1e, "
                  "positions %.1e\n",
                  t.steps, t.judged, t.loaded, t.parted, t.velocity, t.position);
    assert_true(t.judged > t.steps / 2);
    assert_true(t.loaded > t.judged / 10);
}

static void test_discs(void **state)
{
    (void)state;
    run_choice(&(choice){.dimension = 2, .spread = 2, .heavier = 1, .gravity = 9.81}, 1);
}

static void test_columns(void **state)
{
    (void)state;
    run_choice(&(choice){.dimension = 1, .spread = 3, .heavier = 10, .gravity = 9.81}, 2);
}

static void test_spheres(void **state)
{
    (void)state;
    run_choice(&(choice){.dimension = 3, .spread = 2, .heavier = 3, .gravity = 9.81}, 3);
}

/* Small ones are thrown out from between large ones: in longer steps they would go through. */
static void test_unlike_bodies(void **state)
{
    (void)state;
    const choice c = {
        .dimension = 2, .spread = 8, .heavier = 1000, .gravity = 9.81, .longest = 4e-3};
    run_choice(&c, 4);
}

static void test_swinging_floor(void **state)
{
    (void)state;
    const choice c = {
        .dimension = 2, .spread = 2, .heavier = 2, .gravity = 9.81, .walls_move = true};
    run_choice(&c, 5);
}

static void test_fixed_ball(void **state)
{
    (void)state;
    const choice c = {.dimension = 2, .spread = 2, .heavier = 2, .gravity = 9.81, .fixed = true};
    run_choice(&c, 6);
}

static void test_without_gravity(void **state)
{
    (void)state;
    run_choice(&(choice){.dimension = 2, .spread = 2, .heavier = 2}, 7);
}

/* ---- Momentum -------------------------------------------------------------------------------- */

/* Impulses between balls cancel; so do the ways of projections, in the metric of M. */
static void test_momentum_is_kept(void **state)
{
    (void)state;
    rng r = rng_seeded(8);
    for (size_t trial = 0; trial < 10; trial++) {
        judge_scene scene = random_scene(&r, &(choice){.dimension = 2, .spread = 3, .heavier = 10});
        double before[2] = {0}, after[2] = {0}, terms = 0;
        scene.walls = 0;
        for (size_t i = 0; i < scene.balls; i++) {
            for (unsigned d = 0; d < 2; d++) { /* towards the middle */
                scene.v[i][d] -= 2 * (scene.x[i][d] - 2.1);
                before[d] += scene.mass[i] * scene.v[i][d];
                terms += scene.mass[i] * fabs(scene.v[i][d]);
            }
        }
        crm_motion_options options = crm_motion_options_default();
        options.scheme = CRM_TIME_STEPPING;
        crm_motion *motion = flight_motion(&scene, 0.7, &options);
        flight_run(motion, 3, CRM_STOP_DURATION);
        assert_true(crm_motion_summarize(motion).impacts > 0);
        flight_scene_read(motion, &scene);
        for (size_t i = 0; i < scene.balls; i++) {
            after[0] += scene.mass[i] * scene.v[i][0];
            after[1] += scene.mass[i] * scene.v[i][1];
        }
        assert_all_near(after, before, 2, 1e-12 * terms);
        crm_motion_free(motion);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_discs),           cmocka_unit_test(test_columns),
        cmocka_unit_test(test_spheres),         cmocka_unit_test(test_unlike_bodies),
        cmocka_unit_test(test_swinging_floor),  cmocka_unit_test(test_fixed_ball),
        cmocka_unit_test(test_without_gravity), cmocka_unit_test(test_momentum_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
