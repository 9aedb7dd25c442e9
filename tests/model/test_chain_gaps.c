/* Chains whose balls are apart, or of different materials. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carom/carom.h"
#include "program.h"
#include "read_json.h"
#include "support.h"

static const double ROUNDING = 1e-14;

static void assert_close(double value, double expected)
{
    assert_near(value, expected, ROUNDING * fabs(expected));
}

static void expect(const char *text, const char *words)
{
    if (strstr(text, words) == NULL) {
        fail_msg("'%s' is not in:\n%s", words, text);
    }
}

/* ---- Which touch ----------------------------------------------------------------------------- */

static crm_model *chain_with(crm_values gap, double radius, double wall_gap)
{
    crm_chain_def def = crm_chain_def_default();
    crm_model *model = NULL;
    crm_error error = {0};
    def.count = 4;
    def.radius.all = radius;
    def.gap = gap;
    def.wall_side = CRM_WALL_RIGHT;
    def.wall_gap = wall_gap;
    def.stiffness.each = (double[]){2, 3, 5};
    def.wall.stiffness = 7;
    if (crm_model_from_chain(&def, &model, &error) != CRM_OK) {
        fail_msg("%s: %s", error.place, error.message);
    }
    return model;
}

static void expect_contacts(crm_model *model, size_t count, const double *stiffness)
{
    assert_int_equal(crm_model_contacts(model), count);
    for (size_t j = 0; j < count; j++) {
        assert_near(crm_model_stiffness(model)[j], stiffness[j], 0);
    }
    crm_model_free(model);
}

/* Contacts keep their own values, whichever are left out before them. */
static void balls_that_are_apart_do_not_touch(void **state)
{
    (void)state;
    static const double gaps[] = {0, 0.1, 0};
    expect_contacts(chain_with((crm_values){NAN, NULL}, NAN, 0), 4, (double[]){2, 3, 5, 7});
    expect_contacts(chain_with((crm_values){NAN, gaps}, NAN, 0), 3, (double[]){2, 5, 7});
    expect_contacts(chain_with((crm_values){NAN, gaps}, NAN, 1e-3), 2, (double[]){2, 5});
    expect_contacts(chain_with((crm_values){0.1, NULL}, NAN, 0), 1, (double[]){7});
    /* Rounding is no gap where one knows what it is small beside: 1e-9 of both radii, as for
     * bodies.
     */
    static const double faint[] = {0.9e-9, 2.1e-9, 0};
    expect_contacts(chain_with((crm_values){NAN, faint}, 1, 0.9e-9), 3, (double[]){2, 5, 7});
}

static void gaps_that_cannot_be_are_refused(void **state)
{
    (void)state;
    crm_chain_def def = crm_chain_def_default();
    crm_model *model = NULL;
    crm_error error = {0};
    def.count = 3;
    def.gap.each = (double[]){0, -1};
    assert_int_equal(crm_model_from_chain(&def, &model, &error), CRM_ERROR_MODEL);
    assert_string_equal(error.place, "gap[2]");
    def.gap.each = (double[]){0, 1};
    def.stored_energy.all = 0.5;
    assert_int_equal(crm_model_from_chain(&def, &model, &error), CRM_ERROR_MODEL);
    expect(error.message, "balls 2 and 3 are apart, and cannot store energy");
}

/* ---- By every law, as bodies at the same places ---------------------------------------------- */

#define LAWS                                                                                       \
    "laws: [lzb, moreau, newton, poisson, binary, sequential, {law: icr, ratio: 0.1}, "            \
    "compliant]\n"

static const char APART[] =
    LAWS "chain: {count: 5, mass: [1, 2, 3, 2, 1], radius: 1, velocity: [1, "
         "0, -1], restitution: 0.8, gap: [0, 0, 0.01, 0]}\n";
static const char BODIES[] =
    LAWS "bodies:\n"
         "  - {name: ball 1, shape: sphere, radius: 1, mass: 1, position: [0], velocity: [1]}\n"
         "  - {name: ball 2, shape: sphere, radius: 1, mass: 2, position: [2], velocity: [0]}\n"
         "  - {name: ball 3, shape: sphere, radius: 1, mass: 3, position: [4], velocity: [-1]}\n"
         "  - {name: ball 4, shape: sphere, radius: 1, mass: 2, position: [6.01], velocity: [0]}\n"
         "  - {name: ball 5, shape: sphere, radius: 1, mass: 1, position: [8.01], velocity: [0]}\n"
         "contacts: {restitution: 0.8}\n";

static void laws_see_bodies_at_these_places(void **state)
{
    fixture *f = *state;
    put_file(f, "chain.yaml", APART);
    put_file(f, "bodies.yaml", BODIES);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom solve bodies.yaml -f csv"), 0);
    char *bodies = strdup(f->out);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom solve chain.yaml -f csv"), 0);
    assert_string_equal(f->out, bodies);
    free(bodies);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom solve chain.yaml"), 0);
    expect(f->out, "leaves 1 of 4 neighbours apart");
}

/* ---- Closed during the impact ---------------------------------------------------------------- */

/* As a system whose contacts are as far apart. */
static void compliant_follows_the_gaps_of_a_chain(void **state)
{
    fixture *f = *state;
    put_file(f, "chain.yaml",
             "laws: [compliant]\n"
             "chain: {mass: [1, 2, 3], velocity: [1], gap: [0, 0.3], gaps_close: true,\n"
             "        wall: {side: right, gap: 0.7}}\n");
    put_file(
        f, "system.yaml",
        "laws: [compliant]\n"
        "system:\n"
        "  mass: [1, 2, 3]\n"
        "  velocity: [1, 0, 0]\n"
        "  contacts: [{w: [-1, 1, 0]}, {w: [0, -1, 1], gap: 0.3}, {w: [0, 0, -1], gap: 0.7}]\n");
    assert_int_equal(run_carom(f, "solve chain.yaml -f json"), 0);
    json_t *chain = parse(f->out);
    assert_int_equal(run_carom(f, "solve system.yaml -f json"), 0);
    json_t *system = parse(f->out);
    for (size_t i = 0; i < 3; i++) {
        assert_near(number_at(result_of(chain, 0), "velocity", i),
                    number_at(result_of(system, 0), "velocity", i), 1e-12);
        assert_near(number_at(chain, "gap", i), number_at(system, "gap", i), 0);
    }
    assert_near(number_at(chain, "gap", 1), 0.3, 0);
    json_decref(chain);
    json_decref(system);
    assert_int_equal(run_carom(f, "check chain.yaml"), 0);
    expect(f->out, "gap, m");
    assert_int_equal(run_carom(f, "check chain.yaml --law lzb"), 3);
    expect(f->err, "law lzb knows contacts that touch alone, but contact 2 is 0.3 apart");
    assert_int_equal(run_carom(f, "check chain.yaml --set chain.gaps_close=maybe"), 3);
    expect(f->err, "false or true");
}

/* ---- Motion ---------------------------------------------------------------------------------- */

/* Equal elastic balls pass the speed on: v = 1 over gaps of 0.5, 0.25 and one of 0.125 to the wall,
 * back through all of them: impacts at 0.5, 0.75, 0.875 (the wall), 1 and 1.25, after
 * which the first ball leaves.
 */
static void motion_closes_the_gaps(void **state)
{
    static const double times[] = {0.5, 0.75, 0.875, 1, 1.25};
    fixture *f = *state;
    put_file(f, "m.yaml",
             "chain: {count: 3, velocity: [1], gap: [0.5, 0.25], wall: {side: right, gap: 0.125}}\n"
             "simulate: {duration: 2}\n");
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom simulate m.yaml --impacts i.csv -q"), 0);
    char *text = get_file(f, "i.csv"), *rest = NULL;
    strtok_r(text, "\n", &rest);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        double time;
        char *line = strtok_r(NULL, "\n", &rest);
        assert_non_null(line);
        assert_int_equal(sscanf(line, "%*u,%lf", &time), 1);
        assert_near(time, times[i], 1e-9);
    }
    assert_null(strtok_r(NULL, "\n", &rest));
    free(text);
}

/* ---- Materials ------------------------------------------------------------------------------- */

/* Hertz: K = 4/3 sqrt(R1 R2 / (R1 + R2)) / ((1 - n1^2)/E1 + (1 - n2^2)/E2). */
static double hertz(crm_material a, double ra, crm_material b, double rb)
{
    double compliance =
        (1 - a.poisson * a.poisson) / a.young + (1 - b.poisson * b.poisson) / b.young;
    double radius = isinf(rb) ? ra : ra * rb / (ra + rb);
    return 4.0 / 3.0 * sqrt(radius) / compliance;
}

static void every_ball_may_have_a_material(void **state)
{
    (void)state;
    static const crm_material hard = {200e9, 0.25, 8000}, soft = {5e9, 0.5, 1000};
    const crm_material *const each[] = {&hard, &soft, &hard};
    static const double radius[] = {0.01, 0.02, 0.01};
    crm_chain_def def = crm_chain_def_default();
    crm_model *model = NULL;
    def.count = 3;
    def.materials = each;
    def.radius.each = radius;
    def.wall_side = CRM_WALL_RIGHT; /* of what the last ball is made of */
    assert_int_equal(crm_model_from_chain(&def, &model, NULL), CRM_OK);
    const double *k = crm_model_stiffness(model);
    assert_close(k[0], hertz(hard, 0.01, soft, 0.02));
    assert_close(k[1], hertz(soft, 0.02, hard, 0.01));
    assert_close(k[2], hertz(hard, 0.01, hard, INFINITY));
    const double pi = acos(-1);
    for (size_t i = 0; i < 3; i++) {
        double mass = 4.0 / 3.0 * pi * pow(radius[i], 3) * each[i]->density;
        assert_close(crm_model_mass(model, i, i), mass);
    }
    crm_model_free(model);
}

static void materials_are_read_as_a_list(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml",
             "materials:\n"
             "  hard: {young: 200e9, poisson: 0.25, density: 8000}\n"
             "  soft: {young: 5e9, poisson: 0.5, density: 1000}\n"
             "chain: {count: 2, radius: 1 cm, velocity: [1], material: [hard, soft]}\n");
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom check c.yaml"), 0);
    char stiffness[32];
    static const crm_material hard = {200e9, 0.25, 8000}, soft = {5e9, 0.5, 1000};
    snprintf(stiffness, sizeof stiffness, " %.6g ", hertz(hard, 0.01, soft, 0.01));
    expect(f->out, stiffness);
    assert_int_equal(
        shell_with(f, CAROM_PROGRAM, "$carom check c.yaml --set 'chain.material=[hard]'"), 3);
    expect(f->err, "chain.material has 1 entries; must have 2, one per ball");
    assert_int_equal(
        shell_with(f, CAROM_PROGRAM, "$carom check c.yaml --set 'chain.material=[hard, sotf]'"), 3);
    expect(f->err, "did you mean 'soft'?");
    /* The same balls in a motion. */
    assert_int_equal(shell_with(f, CAROM_PROGRAM,
                                "$carom simulate c.yaml --set simulate.duration=1e-3 "
                                "--impacts i.csv -f json"),
                     0);
    char *text = get_file(f, "i.csv");
    expect(text, "ball 1 - ball 2");
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_that_are_apart_do_not_touch),
        cmocka_unit_test(gaps_that_cannot_be_are_refused),
        TEST(laws_see_bodies_at_these_places),
        TEST(compliant_follows_the_gaps_of_a_chain),
        TEST(motion_closes_the_gaps),
        cmocka_unit_test(every_ball_may_have_a_material),
        TEST(materials_are_read_as_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
