/* Scenes moved as flight and groups, compared with one dense Lagrangian system of all their bodies
 * (crm_scene_create).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "flight_call.h"
#include "motion/groups/groups.h"
#include "motion_beside.h"
#include "motion_call.h"
#include "support.h"

static const double WITHIN = 1e-9; /* what is promised of positions and times */

static crm_motion *by_units(const crm_scene_def *def, const crm_motion_options *options)
{
    crm_motion *motion = NULL;
    crm_error error = {0};
    assert_ok(crm_motion_from_scene(def, options, &motion, &error), &error);
    return motion;
}

static crm_motion *by_judge(const crm_scene_def *def, const crm_motion_options *options)
{
    crm_motion *motion = NULL;
    crm_error error = {0};
    assert_ok(crm_scene_create(def, options, &motion, &error), &error);
    return motion;
}

static crm_body_def rod_at(double length, double radius, double x, double y, double angle)
{
    return (crm_body_def){.shape = CRM_SHAPE_ROD,
                          .mass = 1,
                          .radius = radius,
                          .length = length,
                          .position = {x, y, 0},
                          .angle = angle,
                          .inertia = NAN};
}

static size_t count_groups(const crm_motion *motion)
{
    return ((const groups_motion *)motion)->groups;
}

/* ---- Heaps ----------------------------------------------------------------------------------- */

/* Between two walls that rise by `slope` from the origin. */
static judge_scene valley(double slope)
{
    judge_scene scene = judge_scene_blank(2);
    double length = hypot(1, slope);
    judge_scene_wall(&scene, -slope / length, 1 / length, 0, 0);
    judge_scene_wall(&scene, slope / length, 1 / length, 0, 0);
    scene.gravity[1] = -10;
    return scene;
}

static void rest_alike(const judge_scene *scene, double e, double end)
{
    scene_parts parts;
    flight_scene_parts(scene, e, &parts);
    const crm_motion_options options = crm_motion_options_default();
    crm_motion *motion[2] = {by_units(&parts.def, &options), by_judge(&parts.def, &options)};
    for (int m = 0; m < 2; m++) {
        flight_run(motion[m], end, CRM_STOP_DURATION);
        assert_false(isnan(crm_motion_summarize(motion[m]).at_rest_since));
        assert_account_closes(motion[m], WITHIN);
    }
    assert_true(motions_apart(motion[0], motion[1]) < 10 * WITHIN);
    crm_motion_free(motion[0]);
    crm_motion_free(motion[1]);
}

/* Symmetric, so that the place of rest does not depend on the order of impacts. */
static void three_balls_come_to_rest_in_a_valley(void **state)
{
    (void)state;
    const double e[] = {0, 0.3};
    for (int k = 0; k < 2; k++) {
        judge_scene scene = valley(1);
        judge_scene_ball(&scene, 0.1, 1, 0, 0.1 * sqrt(2) + 0.05, 0);
        judge_scene_ball(&scene, 0.1, 1, -0.5, 0.5 + 0.1 * sqrt(2) + 0.02, 0);
        judge_scene_ball(&scene, 0.1, 1, 0.5, 0.5 + 0.1 * sqrt(2) + 0.02, 0);
        rest_alike(&scene, e[k], 10);
    }
}

/* N beads at rest on each other: the first at r, each next 2 r higher. */
static void a_column_of_beads_comes_to_rest(void **state)
{
    (void)state;
    const double r = 0.01;
    for (size_t beads = 2; beads <= 5; beads++) {
        judge_scene scene = judge_scene_blank(1);
        judge_scene_wall(&scene, 1, 0, 0, 0);
        scene.gravity[0] = -10;
        for (size_t i = 0; i < beads; i++) {
            judge_scene_ball(&scene, r, 1, 0.1 + 2 * r * (double)i, 0, 0);
        }
        crm_settings *law;
        crm_motion *motion = motion_by(&scene, 0.4, "newton", &law);
        flight_run(motion, 5, CRM_STOP_DURATION);
        flight_scene_read(motion, &scene);
        for (size_t i = 0; i < beads; i++) {
            assert_near(scene.x[i][0], r * (2 * (double)i + 1), WITHIN);
            assert_near(scene.v[i][0], 0, WITHIN);
        }
        /* By Newton's law, with equal e, they bounce as one: sqrt(2 h / g) (1 + e) / (1 - e). */
        assert_near(crm_motion_summarize(motion).at_rest_since, sqrt(0.018) * 1.4 / 0.6, 1e-8);
        assert_int_equal(count_groups(motion), 1);
        end_motion(motion, law);
    }
}

/* Nothing happens to what rests from the start. */
static void what_lies_on_each_other_stays(void **state)
{
    (void)state;
    judge_scene scene = judge_scene_blank(2);
    judge_scene_wall(&scene, 0, 1, 0, 0);
    judge_scene_wall(&scene, 1, 0, 0, 0);
    judge_scene_wall(&scene, -1, 0, 0, -0.4);
    scene.gravity[1] = -10;
    judge_scene_ball(&scene, 0.1, 1, 0.1, 0.1, 0);
    judge_scene_ball(&scene, 0.1, 1, 0.3, 0.1, 0);
    judge_scene_ball(&scene, 0.1, 1, 0.2, 0.1 + 0.1 * sqrt(3), 0);
    const judge_scene before = scene;
    crm_motion_options options = crm_motion_options_default();
    options.stop_at_rest = true;
    crm_motion *motion = flight_motion(&scene, 0.5, &options);
    flight_run(motion, 10, CRM_STOP_AT_REST);
    flight_scene_read(motion, &scene);
    for (size_t i = 0; i < scene.balls; i++) {
        assert_all_near(scene.x[i], before.x[i], 2, WITHIN);
    }
    crm_motion_summary s = crm_motion_summarize(motion);
    assert_int_equal(s.impacts, 0);
    assert_near(s.at_rest_since, 0, WITHIN);
    crm_motion_free(motion);
}

/* ---- Random scenes --------------------------------------------------------------------------- */

enum { BODIES = 7 };

typedef struct mixture {
    crm_body_def body[BODIES];
    crm_wall_def wall[4];
    crm_suspension hung[1];
    crm_spring_def spring[1];
    double velocity[3 * BODIES];
    crm_scene_def def;
} mixture;

static void add_walls(mixture *x)
{
    for (int k = 0; k < 4; k++) {
        x->wall[k] = crm_wall_def_default();
        x->wall[k].normal[k / 2] = k % 2 == 0 ? 1 : -1;
        x->wall[k].point[k / 2] = k % 2 == 0 ? -3 : 3;
    }
}

/* Each body in a place of its own, of a lattice: a rod, a bob, two discs on a spring, discs. */
static void mix(mixture *x, rng *r)
{
    memset(x, 0, sizeof *x);
    add_walls(x);
    size_t place[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    rng_shuffle(r, place, 9);
    for (size_t i = 0; i < BODIES; i++) {
        double at[2] = {2.0 * (double)(place[i] % 3) - 2, 2.0 * (double)(place[i] / 3) - 2};
        x->body[i] = ball_at(rng_uniform(r, 0.1, 0.4), rng_log(r, 0.3, 3), at[0], at[1], 0);
        if (i == 0) {
            x->body[i] = rod_at(rng_uniform(r, 0.5, 1.2), rng_uniform(r, 0.02, 0.1), at[0], at[1],
                                rng_uniform(r, 0, 3));
        }
    }
    x->hung[0] = (crm_suspension){1, {0, 0}, 1, rng_uniform(r, -1, 1), rng_uniform(r, -2, 2)};
    x->hung[0].from[0] = x->body[1].position[0];
    x->hung[0].from[1] = x->body[1].position[1] + 1;
    x->hung[0].angle = 0;
    x->spring[0] = (crm_spring_def){2, 3, {0}, 5, 0.1, 2};
    for (size_t k = 0; k < 2 * BODIES; k++) {
        x->velocity[k] = rng_uniform(r, -2, 2);
    }
    x->def = crm_scene_def_default();
    x->def.bodies = bodies_def(2, x->body, BODIES);
    x->def.bodies.walls = x->wall;
    x->def.bodies.wall_count = 4;
    x->def.bodies.contact.restitution = rng_uniform(r, 0.5, 1);
    x->def.velocity = x->velocity;
    x->def.suspended = x->hung;
    x->def.suspended_count = 1;
    x->def.springs = x->spring;
    x->def.spring_count = rng_below(r, 2);
    x->def.gravity[1] = rng_below(r, 2) == 0 ? 0 : -rng_uniform(r, 0.5, 5);
}

static void mixtures_move_like_one_system(void **state)
{
    (void)state;
    static const double END = 2;
    rng r = rng_seeded(31);
    comparison all = {0};
    int scenes = (int)rounds(100, 15);
    size_t stopped = 0;
    for (int k = 0; k < scenes; k++) {
        mixture x, off;
        mix(&x, &r);
        off = x;
        off.def.bodies.bodies = off.body;
        off.def.velocity = off.velocity;
        for (size_t i = 0; i < 2 * BODIES; i++) {
            off.velocity[i] += i % 2 == 0 ? BESIDE_OFF : -BESIDE_OFF;
        }
        const crm_motion_options options = crm_motion_options_default();
        crm_motion *motion[3] = {by_units(&x.def, &options), by_judge(&x.def, &options),
                                 by_units(&off.def, &options)};
        follow_beside(motion, END, &all);
        stopped += strlen(crm_motion_reason(motion[0])) > 0 ? 1 : 0;
        for (int m = 0; m < 3; m++) {
            crm_motion_free(motion[m]);
        }
    }
    print_message("%zu impacts and %zu ends of %d mixtures, apart by at most %.1e; %zu stopped\n",
                  all.impacts, all.ends, scenes, all.worst, stopped);
    assert_true(all.worst < WITHIN);
    assert_true(all.impacts > (size_t)scenes);
}

/* ---- A rod far away -------------------------------------------------------------------------- */

enum { GAS = 1000 };

/* Discs in a box; below it, far away, a rod that rocks on two pegs. */
static crm_motion *gas_and_rod(bool rod)
{
    static crm_body_def body[GAS + 3];
    static double velocity[2 * GAS + 3];
    rng r = rng_seeded(5);
    crm_wall_def wall[4];
    for (int k = 0; k < 4; k++) {
        wall[k] = crm_wall_def_default();
        wall[k].normal[k / 2] = k % 2 == 0 ? 1 : -1;
        wall[k].point[k / 2] = k % 2 == 0 ? -1000 : 1000;
    }
    for (size_t i = 0; i < GAS; i++) {
        body[i] = ball_at(0.3, 1, (double)(i % 40), (double)(i / 40), 0);
        velocity[2 * i] = rng_normal(&r);
        velocity[2 * i + 1] = rng_normal(&r);
    }
    body[GAS] = ball_at(0.1, 1, -0.2, -100, 0);
    body[GAS + 1] = ball_at(0.1, 1, 0.2, -100, 0);
    body[GAS].fixed = body[GAS + 1].fixed = true;
    body[GAS + 2] = rod_at(2, 0.1, 0, -99.75, 0.1);
    velocity[2 * GAS] = velocity[2 * GAS + 1] = 0;
    velocity[2 * GAS + 2] = 1;
    crm_scene_def def = crm_scene_def_default();
    def.bodies = bodies_def(2, body, GAS + (rod ? 3 : 2));
    def.bodies.walls = wall;
    def.bodies.wall_count = 4;
    def.bodies.contact.restitution = 1;
    def.velocity = velocity;
    return by_units(&def, NULL);
}

static void a_rod_far_away_is_no_work_for_the_flight(void **state)
{
    (void)state;
    const flight *f[2];
    crm_motion *motion[2];
    for (int k = 0; k < 2; k++) {
        motion[k] = gas_and_rod(k == 1);
        flight_run(motion[k], 2, CRM_STOP_DURATION);
        f[k] = ((groups_motion *)motion[k])->flight;
    }
    assert_true(f[0]->impacts > GAS);
    assert_int_equal(f[0]->impacts, f[1]->impacts);
    assert_int_equal(f[0]->cell_use.searches, f[1]->cell_use.searches);
    assert_int_equal(f[0]->cell_use.crossings, f[1]->cell_use.crossings);
    assert_memory_equal(f[0]->ball, f[1]->ball, GAS * sizeof *f[0]->ball);
    assert_int_equal(count_groups(motion[1]), 1);
    crm_motion_free(motion[0]);
    crm_motion_free(motion[1]);
}

/* ---- Joining and leaving --------------------------------------------------------------------- */

/* A disc strikes a rod in its middle, elastically: both are as before the rod was there, but for
 * the velocities of two equal masses, exchanged. Then the disc is in nobody's way.
 */
static void a_disc_joins_a_rod_and_leaves(void **state)
{
    (void)state;
    crm_body_def body[3] = {rod_at(1, 0.1, 0, 0, 0), ball_at(0.1, 1, 0, 5, 0),
                            ball_at(0.1, 1, 50, 5, 0)};
    const double velocity[7] = {0, 0, 0, 0, -2, 0, 0};
    crm_scene_def def = crm_scene_def_default();
    def.bodies = bodies_def(2, body, 3);
    def.velocity = velocity;
    crm_settings *law = law_named("newton");
    crm_motion_options options = crm_motion_options_default();
    options.law = law;
    crm_motion *motion = by_units(&def, &options);
    const flight *f = ((groups_motion *)motion)->flight;
    flight_run(motion, 2.39, CRM_STOP_DURATION);
    assert_int_equal(f->mode[1], FLIGHT_EXTERNAL);
    flight_run(motion, 4, CRM_STOP_DURATION);
    assert_int_equal(f->mode[1], FLIGHT_FREE);
    double x[7], v[7];
    crm_motion_read(motion, x, v);
    assert_near(x[1], -2 * (4 - 2.4), WITHIN);
    assert_near(x[4], 0.2, WITHIN);
    assert_near(v[1], -2, WITHIN);
    assert_near(v[4], 0, WITHIN);
    assert_int_equal(crm_motion_summarize(motion).impacts, 1);
    assert_account_closes(motion, WITHIN);
    crm_motion_free(motion);
    crm_settings_free(law);
}

/* Two rods, each a group, strike end on, elastically, and exchange their velocities. */
static void two_groups_meet(void **state)
{
    (void)state;
    crm_body_def body[3] = {rod_at(1, 0.1, 0, 0, 0), rod_at(1, 0.1, 5, 0, 0),
                            ball_at(0.1, 1, 0, 50, 0)};
    const double velocity[8] = {1, 0, 0, -1, 0, 0, 0, 0};
    crm_scene_def def = crm_scene_def_default();
    def.bodies = bodies_def(2, body, 3);
    def.velocity = velocity;
    crm_settings *law = law_named("newton");
    crm_motion_options options = crm_motion_options_default();
    options.law = law;
    crm_motion *motion = by_units(&def, &options);
    assert_int_equal(count_groups(motion), 2);
    flight_run(motion, 1.899, CRM_STOP_DURATION);
    assert_int_equal(count_groups(motion), 1);
    flight_run(motion, 6, CRM_STOP_DURATION);
    assert_int_equal(count_groups(motion), 2);
    double x[8], v[8];
    crm_motion_read(motion, x, v);
    assert_near(x[0], 1.9 - 4.1, WITHIN); /* they meet when the centres are 1.2 apart, at 1.9 */
    assert_near(x[3], 3.1 + 4.1, WITHIN);
    assert_near(v[0], -1, WITHIN);
    crm_motion_free(motion);
    crm_settings_free(law);
}

/* ---- Runs, returns, limits ------------------------------------------------------------------- */

static crm_status see_state(void *context, double t, const double *x, const double *v)
{
    (void)t, (void)x, (void)v;
    ++*(size_t *)context;
    return CRM_OK;
}

static void runs_and_observers_change_no_bit(void **state)
{
    (void)state;
    rng r = rng_seeded(77);
    for (int k = 0; k < 10; k++) {
        mixture x;
        mix(&x, &r);
        size_t seen = 0;
        const crm_observer observer = {.context = &seen, .every = 0.037, .state = see_state};
        crm_motion *motion[2] = {by_units(&x.def, NULL), by_units(&x.def, NULL)};
        assert_int_equal(run_to(motion[0], 2, NULL), CRM_STOP_DURATION);
        for (int part = 1; part <= 7; part++) {
            run_to(motion[1], 2 * part / 7.0, &observer);
        }
        assert_int_equal(run_to(motion[1], 2, &observer), CRM_STOP_DURATION);
        assert_int_equal(seen, 55); /* 0, 0.037, ... 1.998 */
        assert_true(motions_apart(motion[0], motion[1]) == 0);
        crm_motion_summary a = crm_motion_summarize(motion[0]);
        crm_motion_summary b = crm_motion_summarize(motion[1]);
        assert_memory_equal(&a.energy, &b.energy, sizeof a.energy);
        assert_int_equal(a.impacts, b.impacts);
        crm_motion_free(motion[0]);
        crm_motion_free(motion[1]);
    }
}

/* Elastic, without dampers: reversed, it returns. */
static void elastic_mixtures_return(void **state)
{
    (void)state;
    static const double TIME = 1;
    rng r = rng_seeded(78);
    double worst = 0;
    for (int k = 0; k < 10; k++) {
        mixture x;
        mix(&x, &r);
        x.def.suspended_count = x.def.spring_count = 0;
        x.def.bodies.contact.restitution = 1;
        double velocity[3 * BODIES], q[3 * BODIES], v[3 * BODIES];
        crm_motion *motion = by_units(&x.def, NULL);
        assert_int_equal(run_to(motion, TIME, NULL), CRM_STOP_DURATION);
        crm_motion_read(motion, q, v);
        assert_account_closes(motion, 1e-8);
        crm_motion_free(motion);
        mixture back = x;
        back.def.bodies.bodies = back.body;
        for (size_t i = 0; i < BODIES; i++) {
            const double *from = q + 2 * i + (i > 0);
            memcpy(back.body[i].position, from, 2 * sizeof *from);
        }
        back.body[0].angle = q[2];
        for (size_t i = 0; i < 2 * BODIES + 1; i++) {
            velocity[i] = -v[i];
        }
        back.def.velocity = velocity;
        motion = by_units(&back.def, NULL);
        assert_int_equal(run_to(motion, TIME, NULL), CRM_STOP_DURATION);
        crm_motion_read(motion, q, v);
        for (size_t i = 0; i < BODIES; i++) {
            worst = fmax(worst, fabs(q[2 * i + (i > 0)] - x.body[i].position[0]));
        }
        crm_motion_free(motion);
    }
    print_message("mixtures return to %.1e\n", worst);
    assert_true(worst < 1e-6); /* what impacts make of 1e-9 */
}

/* Too many in one place: said, with the time and what to do. */
static void a_heap_too_large_is_refused(void **state)
{
    (void)state;
    judge_scene scene = judge_scene_blank(2);
    judge_scene_wall(&scene, 0, 1, 0, 0);
    scene.gravity[1] = -10;
    for (int i = 0; i < 24; i++) {
        judge_scene_ball(&scene, 0.1, 1, 0.2 * i, 0.1, 0);
        scene.v[i][0] = i < 12 ? 1e-3 : -1e-3;
    }
    judge_scene_ball(&scene, 0.1, 1, 2.3, 0.5, 0);
    crm_motion *motion = flight_motion(&scene, 0, NULL);
    flight_run(motion, 10, CRM_STOP_FAILED);
    assert_non_null(strstr(crm_motion_reason(motion), "time-stepping"));
    crm_motion_free(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_balls_come_to_rest_in_a_valley),
        cmocka_unit_test(a_column_of_beads_comes_to_rest),
        cmocka_unit_test(what_lies_on_each_other_stays),
        cmocka_unit_test(mixtures_move_like_one_system),
        cmocka_unit_test(a_rod_far_away_is_no_work_for_the_flight),
        cmocka_unit_test(a_disc_joins_a_rod_and_leaves),
        cmocka_unit_test(two_groups_meet),
        cmocka_unit_test(runs_and_observers_change_no_bit),
        cmocka_unit_test(elastic_mixtures_return),
        cmocka_unit_test(a_heap_too_large_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
