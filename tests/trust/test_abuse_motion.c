/* What definitions of motions can say wrongly: options, observers, springs, strings, walls that
 * swing, Lagrangian systems; and watches.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "abuse.h"
#include "support.h"

#define FIELDS(list) list, sizeof list / sizeof list[0]

/* ---- Scenes ---------------------------------------------------------------------------------- */

typedef struct scene_case {
    crm_scene_def def;
    crm_motion_options options;
    crm_body_def body[3];
    crm_wall_def wall;
    crm_wall_motion swing;
    crm_spring_def spring;
    crm_suspension bob;
    double velocity[6];
} scene_case;

static crm_status call_scene(void *copy, crm_error *error)
{
    scene_case *c = copy;
    crm_motion *motion = NULL;
    c->def.bodies.bodies = c->body;
    c->def.bodies.walls = &c->wall;
    c->def.wall_motion = &c->swing;
    c->def.springs = c->def.springs != NULL ? &c->spring : NULL;
    c->def.suspended = c->def.suspended != NULL ? &c->bob : NULL;
    c->def.velocity = c->velocity;
    crm_status status = crm_motion_from_scene(&c->def, &c->options, &motion, error);
    assert_true((status == CRM_OK) == (motion != NULL));
    crm_motion_free(motion);
    return status;
}

static scene_case good_scene(bool with_bob)
{
    scene_case c = {.def = crm_scene_def_default(),
                    .options = crm_motion_options_default(),
                    .wall = crm_wall_def_default(),
                    .swing = {0.01, 2, 0},
                    .spring = {.first = 0, .second = 1, .stiffness = 10, .damping = 1, .length = 1},
                    .bob = {.body = 2, .from = {20, 10}, .length = 5}};
    for (size_t i = 0; i < 3; i++) {
        c.body[i] = crm_body_def_default();
        c.body[i].radius = 0.1;
        c.body[i].mass = 1;
        c.body[i].position[0] = 2 * (double)i;
        c.body[i].position[1] = 3;
    }
    c.wall.normal[1] = 1;
    c.def.bodies.dimension = 2;
    c.def.bodies.body_count = 3;
    c.def.bodies.wall_count = 1;
    c.def.springs = &c.spring;
    c.def.spring_count = 1;
    c.def.gravity[1] = -9.81;
    if (with_bob) {
        c.def.suspended = &c.bob;
        c.def.suspended_count = 1;
    }
    return c;
}

#define SCENE(member, kind, may, place) ABUSE_FIELD(scene_case, member, kind, may, place)

static void scenes_with_a_bad_field(void **state)
{
    (void)state;
    static const abuse_field fields[] = {
        SCENE(def.bodies.dimension, CHOICE, 0, "bodies"),
        SCENE(def.gravity[1], NUMBER, ANY_PLACE, "gravity"),
        SCENE(velocity[0], NUMBER, ANY_PLACE, "velocity"),
        SCENE(swing.amplitude, NUMBER, ANY_PLACE, "motion"),
        SCENE(swing.frequency, NUMBER, MAY_BE_ZERO | MAY_BE_TINY, "motion"),
        SCENE(swing.phase, NUMBER, ANY_PLACE, "motion"),
        SCENE(spring.first, SIZE, MAY_BE_ZERO, "springs"),
        SCENE(spring.stiffness, NUMBER, MAY_BE_ZERO, "springs"),
        SCENE(spring.damping, NUMBER, MAY_BE_ZERO, "springs"),
        SCENE(spring.length, NUMBER, MAY_BE_ZERO, "springs"),
        SCENE(def.spring_count, SIZE, MAY_BE_ZERO, "springs"),
        SCENE(def.springs, POINTER, 0, "springs"),
    };
    scene_case good = good_scene(false);
    print_message("%zu abuses\n", abuse_all(&(abuse_case){"scene", &good, sizeof good, call_scene,
                                                          FIELDS(fields)}));
}

/* Pairs need not touch here; ten of the same two did not fit into the part of a group. */
static void scenes_with_pairs_that_are_none(void **state)
{
    (void)state;
    enum { TIMES = 10 };
    crm_error error = {0};
    scene_case c = good_scene(false);
    crm_pair_def pair[TIMES];
    for (size_t k = 0; k < TIMES; k++) {
        pair[k] = (crm_pair_def){k % 2, 1 - k % 2, crm_contact_def_default()};
    }
    c.def.bodies.pairs = pair;
    c.def.bodies.pair_count = 1;
    assert_int_equal(call_scene(&c, &error), CRM_OK);
    c.def.bodies.pair_count = TIMES;
    assert_int_equal(call_scene(&c, &error), CRM_ERROR_MODEL);
    assert_non_null(strstr(error.message, "pair 1 already"));
    pair[0] = (crm_pair_def){3, 3, crm_contact_def_default()}; /* of walls alone */
    c.def.bodies.pair_count = 1;
    assert_int_equal(call_scene(&c, &error), CRM_ERROR_MODEL);
}

static void strings_with_a_bad_field(void **state)
{
    (void)state;
    static const abuse_field fields[] = {
        SCENE(bob.body, SIZE, MAY_BE_ZERO, "suspended"),
        SCENE(bob.from[0], NUMBER, ANY_PLACE, "suspended"),
        SCENE(bob.length, NUMBER, 0, "suspended"),
        SCENE(bob.angle, NUMBER, ANY_PLACE, "suspended"),
        SCENE(bob.spin, NUMBER, ANY_PLACE, "suspended"),
        SCENE(def.suspended_count, SIZE, MAY_BE_ZERO, "suspended"),
        SCENE(def.suspended, POINTER, 0, "suspended"),
    };
    scene_case good = good_scene(true);
    print_message("%zu abuses\n", abuse_all(&(abuse_case){"string", &good, sizeof good, call_scene,
                                                          FIELDS(fields)}));
}

static void options_with_a_bad_field(void **state)
{
    (void)state;
    static const abuse_field shared[] = {
        SCENE(options.scheme, CHOICE, 0, "scheme"),
        SCENE(options.tolerance, NUMBER, 0, "tolerance"),
        SCENE(options.closure_kind, CHOICE, 0, "closure"),
        SCENE(options.closure, NUMBER, MAY_BE_ZERO | MAY_BE_TINY, "closure"),
    };
    static const abuse_field stepping[] = {
        SCENE(options.step, NUMBER, MAY_BE_TINY, "step"),
    };
    scene_case good = good_scene(false);
    abuse_all(&(abuse_case){"options", &good, sizeof good, call_scene, FIELDS(shared)});
    good.options.scheme = CRM_TIME_STEPPING;
    good.options.step = 1e-3;
    abuse_all(&(abuse_case){"stepping", &good, sizeof good, call_scene, FIELDS(stepping)});
}

/* ---- Lagrangian systems ---------------------------------------------------------------------- */

typedef struct lagrangian_case {
    crm_lagrangian_def def;
    double position[1], velocity[1], stiffness[1], exponent[1], restitution[1];
} lagrangian_case;

static crm_status unit_mass(void *context, const double *q, double *mass)
{
    (void)context, (void)q;
    mass[0] = 1;
    return CRM_OK;
}

static crm_status height(void *context, double t, const double *q, double *gap)
{
    (void)context, (void)t;
    gap[0] = q[0];
    return CRM_OK;
}

static crm_status call_lagrangian(void *copy, crm_error *error)
{
    lagrangian_case *c = copy;
    crm_motion *motion = NULL;
    c->def.position = c->def.position != NULL ? c->position : NULL;
    c->def.velocity = c->def.velocity != NULL ? c->velocity : NULL;
    c->def.stiffness = c->stiffness;
    c->def.exponent = c->exponent;
    c->def.restitution = c->restitution;
    crm_status status = crm_motion_from_lagrangian(&c->def, NULL, &motion, error);
    assert_true((status == CRM_OK) == (motion != NULL));
    crm_motion_free(motion);
    return status;
}

#define LAGRANGE(member, kind, may, place) ABUSE_FIELD(lagrangian_case, member, kind, may, place)

static void lagrangian_systems_with_a_bad_field(void **state)
{
    (void)state;
    static const abuse_field fields[] = {
        LAGRANGE(def.positions, SIZE, 0, ""),
        LAGRANGE(def.velocities, SIZE, 0, ""),
        LAGRANGE(def.mass, POINTER, 0, "mass"),
        LAGRANGE(def.gap, POINTER, 0, "gap"),
        LAGRANGE(def.position, POINTER, 0, "position"),
        LAGRANGE(def.velocity, POINTER, 0, "velocity"),
        LAGRANGE(def.start, NUMBER, ANY_PLACE | MAY_BE_HUGE, "start"),
        LAGRANGE(def.size, NUMBER, MAY_BE_TINY | MAY_BE_HUGE, "size"),
        LAGRANGE(position[0], NUMBER, ANY_PLACE, "position"),
        LAGRANGE(velocity[0], NUMBER, ANY_PLACE, "velocity"),
        LAGRANGE(stiffness[0], NUMBER, 0, "stiffness"),
        LAGRANGE(exponent[0], NUMBER, 0, "exponent"),
        LAGRANGE(restitution[0], NUMBER, MAY_BE_ZERO, "restitution"),
    };
    lagrangian_case good = {.def = crm_lagrangian_def_default(),
                            .position = {1},
                            .stiffness = {1},
                            .exponent = {1.5},
                            .restitution = {1}};
    good.def.positions = good.def.velocities = good.def.gaps = 1;
    good.def.mass = unit_mass;
    good.def.gap = height;
    good.def.position = good.position;
    good.def.velocity = good.velocity;
    print_message("%zu abuses\n", abuse_all(&(abuse_case){"lagrangian", &good, sizeof good,
                                                          call_lagrangian, FIELDS(fields)}));
}

/* ---- Runs and watches ------------------------------------------------------------------------ */

static crm_status run_scene(double until, double every, crm_error *error)
{
    scene_case c = good_scene(false);
    const crm_observer observer = {.every = every};
    crm_motion *motion = NULL;
    c.def.bodies.bodies = c.body;
    c.def.bodies.walls = &c.wall;
    c.def.springs = &c.spring;
    assert_int_equal(crm_motion_from_scene(&c.def, &c.options, &motion, error), CRM_OK);
    crm_status status = crm_motion_run(motion, until, &observer, NULL, error);
    crm_motion_free(motion);
    return status;
}

static void runs_until_no_time(void **state)
{
    (void)state;
    crm_error error = {0};
    abuse_check("until NaN", run_scene(NAN, 0, &error), &error, "");
    abuse_check("until infinity", run_scene(INFINITY, 0, &error), &error, "");
    abuse_check("until before", run_scene(-1, 0, &error), &error, "");
    abuse_check("every NaN", run_scene(0.01, NAN, &error), &error, "every");
    abuse_check("every negative", run_scene(0.01, -1, &error), &error, "every");
}

/* What is not above 0 is no limit. */
static void a_watch_without_sense_does_not_watch(void **state)
{
    (void)state;
    static const double senseless[] = {NAN, -1, -INFINITY, 0, -5e-324};
    crm_chain_def chain = crm_chain_def_default();
    chain.count = 3;
    crm_model *model = chain_model(&chain);
    crm_settings *settings = law_settings(crm_law_find("moreau"));
    const double v[3] = {1};
    for (size_t i = 0; i < sizeof senseless / sizeof senseless[0]; i++) {
        const crm_watch watch = {
            .seconds = senseless[i], .bytes = senseless[i], .every = senseless[i]};
        crm_workspace *workspace = NULL;
        const crm_outcome *outcome = NULL;
        assert_int_equal(crm_workspace_create(&workspace, NULL), CRM_OK);
        crm_workspace_watch(workspace, &watch);
        assert_int_equal(crm_solve_with(workspace, model, v, settings, NULL, &outcome, NULL),
                         CRM_OK);
        assert_int_equal(outcome->result, CRM_SOLVED);
        crm_workspace_free(workspace);
    }
    crm_settings_free(settings);
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_with_a_bad_field),
        cmocka_unit_test(scenes_with_pairs_that_are_none),
        cmocka_unit_test(strings_with_a_bad_field),
        cmocka_unit_test(options_with_a_bad_field),
        cmocka_unit_test(lagrangian_systems_with_a_bad_field),
        cmocka_unit_test(runs_until_no_time),
        cmocka_unit_test(a_watch_without_sense_does_not_watch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
