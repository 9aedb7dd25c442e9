/* gas: bodies at random positions with random velocities. What is exact is asked for to rounding;
 * what is drawn, within five standard deviations of a mean of so many draws.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenario/scenario.h"
#include "support.h"

#define EXAMPLE(name) CAROM_SOURCE_DIR "/examples/" name ".yaml"
static const double PI = 3.14159265358979323846;
static const double DEVIATIONS = 5;

static bool is_read(const char *text, crm_scenario **scenario, crm_read_error *error)
{
    crm_tree *tree = NULL;
    crm_yaml_limits limits = crm_yaml_limits_default();
    *error = (crm_read_error){0};
    assert_int_equal(crm_yaml_parse(text, strlen(text), "s.yaml", &limits, &tree, error), CRM_OK);
    bool good = crm_scenario_motion_from_tree(tree, scenario, error) == CRM_OK;
    if (!good) {
        crm_tree_free(tree);
    }
    return good;
}

/* Fields of `gas`, and what else there is. */
static crm_scenario *gas_of(const char *fields, const char *more)
{
    static crm_read_error error;
    crm_scenario *scenario = NULL;
    char text[1024];
    snprintf(text, sizeof text, "gas: {%s}\nsimulate: {duration: 1}\n%s", fields, more);
    if (!is_read(text, &scenario, &error)) {
        fail_msg("%s", error.text);
    }
    return scenario;
}

static const crm_bodies_def *bodies_of(const crm_scenario *scenario)
{
    return &scenario->motion->scene.bodies;
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* In the box, apart, and as many in each half as there should be. */
static void check_places(const crm_bodies_def *def, const double *corner, const double *box)
{
    size_t right[3] = {0};
    for (size_t i = 0; i < def->body_count; i++) {
        const crm_body_def *a = &def->bodies[i];
        for (unsigned d = 0; d < def->dimension; d++) {
            double from = a->position[d] - corner[d];
            assert_true(from >= a->radius && from <= box[d] - a->radius);
            right[d] += from > 0.5 * box[d];
        }
        for (size_t j = 0; j < i; j++) {
            const crm_body_def *b = &def->bodies[j];
            double x = a->position[0] - b->position[0], y = a->position[1] - b->position[1],
                   z = a->position[2] - b->position[2];
            assert_true(sqrt(x * x + y * y + z * z) > a->radius + b->radius);
        }
    }
    for (unsigned d = 0; d < def->dimension; d++) {
        double half = 0.5 * (double)def->body_count;
        assert_near((double)right[d], half, DEVIATIONS * sqrt(0.5 * half));
    }
}

static void bodies_are_in_the_box_and_apart(void **state)
{
    (void)state;
    static const struct {
        const char *fields;
        double corner[3], box[3];
        unsigned dimension;
        size_t count, walls;
    } cases[] = {
        {"count: 500, box: [2, 1], corner: [-3, 5], fraction: 0.45", {-3, 5}, {2, 1}, 2, 500, 4},
        {"count: 400, box: [1, 2, 3], fraction: 0.25, walls: open", {0}, {1, 2, 3}, 3, 400, 5},
        {"count: 50, box: 10, radius: [0.01, 0.1], walls: none", {0}, {10}, 1, 50, 0},
        {"count: 300, box: [1, 1000], radius: 1e-3", {0}, {1, 1000}, 2, 300, 4},
        {"count: 150, box: [1, 1], radius: [1e-4, 0.05]", {0}, {1, 1}, 2, 150, 4},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        crm_scenario *scenario = gas_of(cases[k].fields, "");
        const crm_bodies_def *def = bodies_of(scenario);
        assert_int_equal(def->dimension, cases[k].dimension);
        assert_int_equal(def->body_count, cases[k].count);
        assert_int_equal(def->wall_count, cases[k].walls);
        check_places(def, cases[k].corner, cases[k].box);
        crm_scenario_free(scenario);
    }
}

static void a_fraction_gives_the_radius(void **state)
{
    (void)state;
    crm_scenario *plane = gas_of("count: 100, box: [2, 3], fraction: 0.3", "");
    assert_near(100 * PI * pow(bodies_of(plane)->bodies[7].radius, 2), 0.3 * 6, 1e-13);
    crm_scenario *space = gas_of("count: 100, box: [1, 2, 3], fraction: 0.1", "");
    assert_near(100 * 4 * PI / 3 * pow(bodies_of(space)->bodies[7].radius, 3), 0.1 * 6, 1e-13);
    crm_scenario_free(plane);
    crm_scenario_free(space);
}

/* Of equal density; from the largest on. */
static void sizes_and_masses_go_together(void **state)
{
    (void)state;
    crm_scenario *scenario = gas_of("count: 200, box: [9, 9], radius: [0.1, 0.2], mass: 4", "");
    const crm_bodies_def *def = bodies_of(scenario);
    double mean = 0;
    for (size_t i = 0; i < def->body_count; i++) {
        double radius = def->bodies[i].radius;
        assert_true(radius >= 0.1 && radius <= (i > 0 ? def->bodies[i - 1].radius : 0.2));
        assert_near(def->bodies[i].mass, 4 * radius * radius / 0.04, 1e-13);
        mean += radius / 200;
    }
    assert_near(mean, 0.15, DEVIATIONS * 0.1 / sqrt(12 * 200));
    crm_scenario_free(scenario);
    scenario = gas_of("count: 2, box: [9, 9], radius: 0.1, material: {density: 1000}", "");
    assert_near(bodies_of(scenario)->bodies[1].mass, 4e3 * PI / 3 * 1e-3, 1e-13);
    crm_scenario_free(scenario);
}

static void other_bodies_are_left_free(void **state)
{
    (void)state;
    crm_scenario *scenario = gas_of(
        "count: 300, box: [1, 1], fraction: 0.3",
        "bodies: [{name: cue, radius: 0.2, mass: 9, position: [0.5, 0.5], velocity: [1, 2]}]\n"
        "walls: [{point: [-1, 0], normal: [1, 0]}]\n"
        "pairs: [{between: [cue, ceiling], restitution: 0.5}]\n");
    const crm_bodies_def *def = bodies_of(scenario);
    assert_int_equal(def->body_count, 301);
    assert_int_equal(def->wall_count, 5);
    assert_string_equal(def->walls[4].name, "ceiling");
    assert_int_equal(def->pairs[0].second, 305);
    assert_true(scenario->velocity[1] == 2);
    for (size_t i = 1; i < 301; i++) {
        const crm_body_def *b = &def->bodies[i];
        assert_true(hypot(b->position[0] - 0.5, b->position[1] - 0.5) > 0.2 + b->radius);
    }
    crm_scenario_free(scenario);
}

/* ---- Velocities ------------------------------------------------------------------------------ */

/* sum (v_k - mean)^power m^(power/2) of all coordinates, by their number. */
static double moment(const crm_scenario *scenario, const double *mean, double power)
{
    const crm_bodies_def *def = bodies_of(scenario);
    size_t count = def->body_count * def->dimension;
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        double v = scenario->velocity[k] - mean[k % def->dimension];
        sum += pow(sqrt(def->bodies[k / def->dimension].mass) * v, power) / (double)count;
    }
    return sum;
}

/* The fourth moment of a normal distribution is 3, and its mean over n draws off by sqrt(96/n). */
static void velocities_have_the_temperature(void **state)
{
    (void)state;
    const double drift[2] = {3, -4}, temperature = 2.5;
    crm_scenario *scenario =
        gas_of("count: 4000, box: [1, 1], radius: [2e-3, 6e-3], mass: 0.3, temperature: 2.5, "
               "velocity: [3, -4]",
               "");
    assert_near(moment(scenario, drift, 2), temperature, 1e-12);
    assert_near(moment(scenario, drift, 4) / (temperature * temperature), 3,
                DEVIATIONS * sqrt(96 / 8000.0));
    for (unsigned d = 0; d < 2; d++) {
        double momentum = 0, mass = 0;
        for (size_t i = 0; i < 4000; i++) {
            momentum += bodies_of(scenario)->bodies[i].mass * scenario->velocity[2 * i + d];
            mass += bodies_of(scenario)->bodies[i].mass;
        }
        assert_near(momentum / mass, drift[d], 1e-12);
    }
    crm_scenario_free(scenario);
}

static bool are_same(const crm_scenario *a, const crm_scenario *b)
{
    const crm_bodies_def *x = bodies_of(a), *y = bodies_of(b);
    bool same = x->body_count == y->body_count;
    for (size_t i = 0; i < x->body_count && same; i++) {
        same = x->bodies[i].position[0] == y->bodies[i].position[0] &&
               a->velocity[2 * i] == b->velocity[2 * i];
    }
    return same;
}

static void a_seed_is_a_gas(void **state)
{
    (void)state;
    crm_scenario *first = gas_of("count: 9, box: [1, 1], radius: 0.01, temperature: 1", "");
    crm_scenario *same = gas_of("count: 9, box: [1, 1], radius: 0.01, temperature: 1, seed: 1", "");
    crm_scenario *other =
        gas_of("count: 9, box: [1, 1], radius: 0.01, temperature: 1, seed: 2", "");
    assert_true(are_same(first, same));
    assert_false(are_same(first, other));
    crm_scenario_free(first);
    crm_scenario_free(same);
    crm_scenario_free(other);
}

/* ---- Its motion ------------------------------------------------------------------------------ */

/* T = T0 exp(-(1 - e^2) n/N): in the impacts of a gas in equilibrium m u^2/4 of a
 * pair, and m u^2/2 at a wall, is T times a number with the exponential distribution, whose mean
 * and deviation are 1. So ln T is off by (1 - e^2) sqrt(n)/N, in the mean of many gases by less. e
 * is near 1 and n/N moderate, so that what the gas itself deviates from equilibrium by is below
 * that.
 */
static void a_gas_of_a_scenario_cools(void **state)
{
    (void)state;
    static const char *const overrides[] = {"gas.count=2000", "contacts.restitution=0.98",
                                            "simulate.stop.impacts=10000", "gas.seed=7"};
    const double e = 0.98, n = 10000, bodies = 2000;
    static crm_read_error problem;
    crm_error error = {0};
    crm_scenario *scenario = NULL;
    crm_motion *motion = NULL;
    crm_motion_stop stopped;
    crm_yaml_limits limits = crm_yaml_limits_default();
    assert_int_equal(crm_scenario_motion_read(EXAMPLE("gas_cooling"), overrides, 4, &limits,
                                              &scenario, &problem),
                     CRM_OK);
    assert_int_equal(
        crm_scenario_begin_motion(scenario, crm_scenario_motion_law(scenario), &motion, &error),
        CRM_OK);
    assert_int_equal(crm_motion_run(motion, 100, NULL, &stopped, &error), CRM_OK);
    assert_int_equal(stopped, CRM_STOP_IMPACTS);
    crm_motion_summary s = crm_motion_summarize(motion);
    assert_int_equal(s.impacts, 10000);
    double deviation = (1 - e * e) * sqrt(n) / bodies;
    assert_near(s.energy.kinetic_before, bodies, 1e-9);
    assert_near(log(s.energy.kinetic_after / s.energy.kinetic_before), -(1 - e * e) * n / bodies,
                4 * deviation);
    crm_motion_free(motion);
    crm_scenario_free(scenario);
}

/* ---- What is refused ------------------------------------------------------------------------- */

static void nonsense_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *gas, *said;
    } cases[] = {
        {"count: 2, box: [1, 1]", "needs one of radius and fraction"},
        {"count: 2, box: [1, 1], radius: 0.1, fraction: 0.1", "is given beside radius"},
        {"count: 2, box: [1, 1], fraction: 1.5", "gas.fraction is 1.5; must be"},
        {"count: 2, box: [1, 1], radius: 0.5", "must be longer than the largest body, 1 m"},
        {"count: 2, box: [1, -1], radius: 0.1", "has a side of -1 m"},
        {"count: 2, box: [1, 1, 1, 1], radius: 0.1", "must have 1, 2 or 3 coordinates"},
        {"count: 0, box: [1, 1], radius: 0.1", "gas.count is 0"},
        {"count: 2, box: [1, 1], radius: [0.2, 0.1]", "the smaller radius must come first"},
        {"count: 2, box: [1, 1], radius: [0.2, -1]", "gas.radius[2] is -1"},
        {"count: 2, box: [1, 1], radius: 0.1, temperature: -1", "gas.temperature is -1"},
        {"count: 2, box: [1, 1], radius: 0.1, seed: 1.5", "gas.seed is 1.5"},
        {"count: 200, box: [1, 1], fraction: 0.7", "has room for "},
        {"count: 2, box: [1, 1], radius: 0.1, walls: lid", "gas.walls is 'lid'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        static crm_read_error error;
        crm_scenario *scenario = NULL;
        char text[256];
        snprintf(text, sizeof text, "gas: {%s}\nsimulate: {duration: 1}", cases[k].gas);
        assert_false(is_read(text, &scenario, &error));
        if (strstr(error.text, cases[k].said) == NULL) {
            fail_msg("%s: %s", cases[k].gas, error.text);
        }
    }
}

static void it_stands_beside_bodies_alone(void **state)
{
    (void)state;
    static crm_read_error error;
    crm_scenario *scenario = NULL;
    assert_false(is_read("gas: {count: 2, box: 1, radius: 0.1}\nchain: {count: 2}\n"
                         "simulate: {duration: 1}",
                         &scenario, &error));
    assert_non_null(strstr(error.text, "is a second system besides 'chain'"));
    assert_false(is_read("gas: {count: 2, box: [1, 1], radius: 0.1}\n"
                         "bodies: [{radius: 1, mass: 1, position: 5}]\nsimulate: {duration: 1}",
                         &scenario, &error));
    assert_non_null(strstr(error.text, "gas.box"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_in_the_box_and_apart),
        cmocka_unit_test(a_fraction_gives_the_radius),
        cmocka_unit_test(sizes_and_masses_go_together),
        cmocka_unit_test(other_bodies_are_left_free),
        cmocka_unit_test(velocities_have_the_temperature),
        cmocka_unit_test(a_seed_is_a_gas),
        cmocka_unit_test(a_gas_of_a_scenario_cools),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(it_stands_beside_bodies_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
