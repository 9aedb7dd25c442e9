/* The motion of balls in flight: gases, and what a motion promises. */
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
static const double ROUNDING = 1e-12;

/* ---- Gases ----------------------------------------------------------------------------------- */

enum { GAS = 1024 };

typedef struct gas {
    double side;
    crm_body_def body[GAS];
    crm_wall_def wall[4];
    double velocity[2 * GAS];
} gas;

static void make_gas(gas *g, double fraction, uint64_t seed)
{
    const double radius = 0.5;
    size_t across = 32;
    rng r = rng_seeded(seed);
    g->side = sqrt(GAS * PI * radius * radius / fraction);
    double step = g->side / (double)across, play = 0.99 * (0.5 * step - radius);
    for (size_t i = 0; i < GAS; i++) {
        g->body[i] = ball_at(radius, 1, ((double)(i % across) + 0.5) * step, 0, 0);
        g->body[i].position[0] += rng_uniform(&r, -play, play);
        g->body[i].position[1] = ((double)(i / across) + 0.5) * step + rng_uniform(&r, -play, play);
        g->velocity[2 * i] = rng_normal(&r);
        g->velocity[2 * i + 1] = rng_normal(&r);
    }
    for (size_t k = 0; k < 4; k++) {
        g->wall[k] = crm_wall_def_default();
        g->wall[k].normal[k / 2] = k % 2 == 0 ? 1 : -1;
        g->wall[k].point[k / 2] = k % 2 == 0 ? 0 : g->side;
    }
}

static crm_motion *gas_motion(const gas *g, double e, bool walls, crm_motion_options *options)
{
    crm_scene_def def = crm_scene_def_default();
    crm_error error = {0};
    crm_motion *motion = NULL;
    def.bodies = bodies_def(2, g->body, GAS);
    def.bodies.contact.restitution = e;
    def.bodies.walls = g->wall;
    def.bodies.wall_count = walls ? 4 : 0;
    def.velocity = g->velocity;
    assert_ok(crm_motion_from_scene(&def, options, &motion, &error), &error);
    return motion;
}

static double temperature(const crm_motion *motion)
{
    return crm_motion_summarize(motion).energy.kinetic_after / GAS;
}

static uint64_t pair_impacts;

static crm_status count_pairs(void *context, const crm_impact_report *impact)
{
    (void)context;
    pair_impacts += impact->party[0][1] < GAS;
    return CRM_OK;
}

/* Collisions per disc and second: 2 sqrt(pi) n sigma chi sqrt(T/m), to the noise of 10^5 of them
 * and the walls' share of a thousand discs. Each impact counts for two discs.
 */
static void a_gas_collides_at_enskogs_rate(void **state)
{
    (void)state;
    static gas g;
    const double phi = 0.2, time = 40;
    make_gas(&g, phi, 1);
    crm_motion *motion = gas_motion(&g, 1, true, NULL);
    crm_observer observer = {.impact = count_pairs};
    crm_error error = {0};
    flight_run(motion, 10, CRM_STOP_DURATION);
    pair_impacts = 0;
    assert_ok(crm_motion_run(motion, 10 + time, &observer, NULL, &error), &error);
    double n = GAS / (g.side * g.side), chi = (1 - 7 * phi / 16) / ((1 - phi) * (1 - phi));
    double rate = 2 * sqrt(PI) * n * chi * sqrt(temperature(motion));
    assert_near(2 * (double)pair_impacts / (GAS * time) / rate, 1, 0.06);
    crm_motion_free(motion);
}

/* T = T0 exp(-(1 - e^2) n/N), n impacts of pairs in the centre of mass' frame; N large, e near 1.
 */
static void a_gas_cools_with_its_impacts(void **state)
{
    (void)state;
    static gas g;
    const double e = 0.98;
    make_gas(&g, 0.2, 2);
    crm_motion_options options = crm_motion_options_default();
    options.stop_impacts = 20 * GAS;
    crm_motion *motion = gas_motion(&g, e, true, &options);
    double before = temperature(motion);
    flight_run(motion, 1e9, CRM_STOP_IMPACTS);
    double expected = exp(-(1 - e * e) * 20);
    assert_near(temperature(motion) / before / expected, 1, 0.03);
    crm_motion_summary s = crm_motion_summarize(motion);
    assert_near(s.energy.error, 0, 1e-10 * s.energy.kinetic_before);
    crm_motion_free(motion);
}

static void reversed_a_gas_returns(void **state)
{
    (void)state;
    static gas g, back;
    static double x[2 * GAS], v[2 * GAS];
    make_gas(&g, 0.2, 3);
    crm_motion *motion = gas_motion(&g, 1, true, NULL);
    flight_run(motion, 1.5, CRM_STOP_DURATION);
    uint64_t impacts = crm_motion_summarize(motion).impacts;
    assert_true(impacts > GAS / 2);
    crm_motion_read(motion, x, v);
    crm_motion_free(motion);
    back = g;
    for (size_t i = 0; i < GAS; i++) {
        back.body[i].position[0] = x[2 * i];
        back.body[i].position[1] = x[2 * i + 1];
        back.velocity[2 * i] = -v[2 * i];
        back.velocity[2 * i + 1] = -v[2 * i + 1];
    }
    motion = gas_motion(&back, 1, true, NULL);
    flight_run(motion, 1.5, CRM_STOP_DURATION);
    assert_int_equal(crm_motion_summarize(motion).impacts, impacts);
    crm_motion_read(motion, x, v);
    for (size_t i = 0; i < GAS; i++) {
        assert_near(x[2 * i], g.body[i].position[0], 1e-8);
        assert_near(v[2 * i], -g.velocity[2 * i], 1e-8);
    }
    crm_motion_free(motion);
}

/* 10^6 impacts: energy, and without walls momentum and the centre of mass, are what they were; no
 * overlap beyond rounding.
 */
static void what_is_conserved_stays_so_over_a_million_impacts(void **state)
{
    (void)state;
    static gas g;
    make_gas(&g, 0.3, 4);
    crm_motion_options options = crm_motion_options_default();
    options.stop_impacts = 1000000;
    crm_motion *motion = gas_motion(&g, 1, true, &options);
    flight_run(motion, 1e9, CRM_STOP_IMPACTS);
    crm_motion_summary s = crm_motion_summarize(motion);
    assert_near(s.energy.kinetic_after / s.energy.kinetic_before, 1, 1e-12);
    assert_true(s.max_penetration <= 1e-12);
    crm_motion_free(motion);
}

/* ---- What a motion promises ------------------------------------------------------------------ */

static crm_status ignore_state(void *context, double t, const double *x, const double *v)
{
    size_t *count = context;
    (void)t;
    (void)x;
    (void)v;
    *count += 1;
    return CRM_OK;
}

/* The same bits for any chunks, with and without an observer. */
static void chunks_do_not_matter(void **state)
{
    (void)state;
    static gas g;
    static double x[2][2 * GAS], v[2][2 * GAS];
    make_gas(&g, 0.3, 5);
    for (int pass = 0; pass < 2; pass++) {
        crm_motion *motion = gas_motion(&g, 0.95, true, NULL);
        size_t told = 0;
        crm_observer observer = {.context = &told, .every = 0.07, .state = ignore_state};
        crm_error error = {0};
        for (double t = 0.013; pass == 1 && t < 10; t += 0.237) {
            assert_ok(crm_motion_run(motion, t, &observer, NULL, &error), &error);
        }
        assert_ok(crm_motion_run(motion, 10, pass == 1 ? &observer : NULL, NULL, &error), &error);
        assert_int_equal(told, pass == 1 ? 143 : 0);
        crm_motion_read(motion, x[pass], v[pass]);
        crm_motion_free(motion);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    assert_memory_equal(v[0], v[1], sizeof v[0]);
}

/* Balls that fly apart for ever do not cost more the farther they are. */
static void a_gas_may_fly_apart(void **state)
{
    (void)state;
    static gas g;
    make_gas(&g, 0.3, 6);
    crm_motion *motion = gas_motion(&g, 1, false, NULL);
    flight_run(motion, 1e9, CRM_STOP_DURATION);
    crm_motion_summary s = crm_motion_summarize(motion);
    assert_true(s.impacts > GAS);
    assert_near(s.energy.kinetic_after / s.energy.kinetic_before, 1, 1e-12);
    crm_motion_free(motion);
}

/* Two that touch at the start and approach, touch and part, touch and go together. */
static void balls_may_touch_at_the_start(void **state)
{
    (void)state;
    const double speed[] = {-1, 1, 0};
    for (int k = 0; k < 3; k++) {
        judge_scene scene = judge_scene_blank(2);
        judge_scene_ball(&scene, 0.1, 1, 0, 0, 0);
        judge_scene_ball(&scene, 0.1, 1, 0.2, 0, 0);
        scene.v[1][0] = speed[k];
        crm_settings *settings;
        crm_motion *motion = motion_by(&scene, 1, "lzb", &settings);
        flight_run(motion, 1, CRM_STOP_DURATION);
        flight_scene_read(motion, &scene);
        assert_int_equal(crm_motion_summarize(motion).impacts, speed[k] < 0);
        assert_near(scene.x[0][0], speed[k] < 0 ? -1 : 0, ROUNDING);
        end_motion(motion, settings);
    }
}

/* A row of touching balls that is struck is one impact, which is that of the law. */
static void a_struck_row_is_one_impact(void **state)
{
    (void)state;
    enum { ROW = 5 };
    const char *const laws[] = {"lzb", "moreau", "binary", "newton", "poisson"};
    for (size_t law = 0; law < sizeof laws / sizeof laws[0]; law++) {
        judge_scene scene = judge_scene_blank(2);
        judge_scene_ball(&scene, 0.5, 1, -3, 0, 0);
        for (int i = 1; i < ROW; i++) {
            judge_scene_ball(&scene, 0.5, 1, i, 0, 0);
        }
        scene.v[0][0] = 1;
        crm_settings *settings;
        crm_motion *motion = motion_by(&scene, 0.9, laws[law], &settings);
        seen_impact seen = flight_next_impact(motion, 100);
        assert_int_equal(seen.contacts, ROW - 1);
        assert_near(seen.time, 3, ROUNDING);
        flight_scene_read(motion, &scene);
        crm_chain_def chain = crm_chain_def_default();
        chain.count = ROW;
        chain.restitution.all = 0.9;
        crm_model *model = chain_model(&chain);
        const double v[ROW] = {1, 0, 0, 0, 0};
        crm_outcome *outcome;
        crm_error error = {0};
        assert_ok(crm_solve(model, v, settings, NULL, &outcome, &error), &error);
        for (int i = 0; i < ROW; i++) {
            assert_near(scene.v[i][0], outcome->velocity[i], 1e-8);
        }
        crm_outcome_free(outcome);
        crm_model_free(model);
        end_motion(motion, settings);
    }
}

/* Two impacts at one instant in different places are two. */
static void impacts_in_different_places_are_apart(void **state)
{
    (void)state;
    judge_scene scene = judge_scene_blank(2);
    for (int k = 0; k < 2; k++) {
        judge_scene_ball(&scene, 0.5, 1, 0, 10.0 * k, 0);
        judge_scene_ball(&scene, 0.5, 1, 3, 10.0 * k, 0);
        scene.v[2 * k][0] = 1;
    }
    crm_settings *settings;
    crm_motion *motion = motion_by(&scene, 1, "lzb", &settings);
    for (int k = 0; k < 2; k++) {
        seen_impact seen = flight_next_impact(motion, 10);
        assert_int_equal(seen.contacts, 1);
        assert_near(seen.time, 2, ROUNDING);
    }
    assert_false(flight_next_impact(motion, 10).seen);
    end_motion(motion, settings);
}

/* By indentation a cradle with small gaps is one impact, by distance a cascade. */
static void indentation_makes_one_impact_of_a_cradle_with_gaps(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        judge_scene scene = judge_scene_blank(1);
        judge_scene_ball(&scene, 0.5, 1, -2, 0, 0);
        judge_scene_ball(&scene, 0.5, 1, 0, 0, 0);
        judge_scene_ball(&scene, 0.5, 1, 1 + 1e-4, 0, 0);
        scene.v[0][0] = 1;
        crm_motion_options options = crm_motion_options_default();
        options.closure_kind = kind == 0 ? CRM_CLOSURE_DISTANCE : CRM_CLOSURE_INDENTATION;
        crm_motion *motion = flight_motion(&scene, 1, &options);
        /* K = 1: indentation (2.5 * 1/2 * 1 / 2)^(2/5) = 0.83 of a radius of 0.5: far beyond the
         * gap; a hundredth of the size is taken.
         */
        assert_int_equal(flight_next_impact(motion, 10).contacts, kind == 0 ? 1 : 2);
        crm_motion_free(motion);
    }
}

static void balls_rest_on_one_another(void **state)
{
    (void)state;
    judge_scene scene = ball_over_floor(0);
    judge_scene_ball(&scene, 0.1, 1, 0, 0.9, 0);
    crm_settings *settings;
    crm_motion *motion = motion_by(&scene, 0.5, "moreau", &settings);
    flight_run(motion, 100, CRM_STOP_DURATION);
    double x[4], v[4];
    crm_motion_read(motion, x, v);
    assert_near(x[1], 0.1, 1e-9);
    assert_near(x[3], 0.3, 1e-9);
    assert_true(crm_motion_summarize(motion).at_rest_since < 10);
    end_motion(motion, settings);
}

/* The number that a law gives for one contact is what it does. */
static void laws_know_what_one_contact_does(void **state)
{
    (void)state;
    rng r = rng_seeded(7);
    for (size_t k = 0; k < crm_law_count(); k++) {
        const crm_law *law = crm_law_at(k);
        crm_settings *settings = named_law(law->name);
        for (int trial = 0; trial < 20; trial++) {
            small_system s = small_system_blank(2, 1);
            s.mass[0] = rng_log(&r, 0.1, 10);
            s.mass[3] = rng_log(&r, 0.1, 10);
            s.w[0] = -1;
            s.w[1] = 1;
            s.stiffness[0] = rng_log(&r, 0.01, 100);
            s.exponent[0] = rng_uniform(&r, 1, 2);
            s.restitution[0] = trial == 0 ? 0 : rng_uniform(&r, 0, 1);
            s.boundary_velocity[0] = rng_uniform(&r, -1, 1);
            s.velocity[0] = 5;
            s.velocity[1] = rng_uniform(&r, -1, 1);
            double e = law->single != NULL ? law->single(settings, s.restitution[0]) : NAN;
            if (isnan(e)) {
                continue;
            }
            crm_model *model = small_system_model(&s);
            crm_outcome *outcome;
            crm_error error = {0};
            double u;
            small_system_gap_velocity(&s, s.velocity, &u);
            assert_ok(crm_solve(model, s.velocity, settings, NULL, &outcome, &error), &error);
            assert_near(outcome->gap_velocity[0], -e * u, 1e-7);
            crm_outcome_free(outcome);
            crm_model_free(model);
        }
        crm_settings_free(settings);
    }
    crm_settings *own = named_law("moreau");
    crm_error error = {0};
    assert_ok(crm_settings_set_number(own, "restitution", 0.3, &error), &error);
    assert_near(crm_law_find("moreau")->single(own, 0.9), 0.3, 0);
    crm_settings_free(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gas_collides_at_enskogs_rate),
        cmocka_unit_test(a_gas_cools_with_its_impacts),
        cmocka_unit_test(reversed_a_gas_returns),
        cmocka_unit_test(what_is_conserved_stays_so_over_a_million_impacts),
        cmocka_unit_test(chunks_do_not_matter),
        cmocka_unit_test(a_gas_may_fly_apart),
        cmocka_unit_test(balls_may_touch_at_the_start),
        cmocka_unit_test(a_struck_row_is_one_impact),
        cmocka_unit_test(impacts_in_different_places_are_apart),
        cmocka_unit_test(indentation_makes_one_impact_of_a_cradle_with_gaps),
        cmocka_unit_test(balls_rest_on_one_another),
        cmocka_unit_test(laws_know_what_one_contact_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
