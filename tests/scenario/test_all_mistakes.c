/* All that is wrong with a scenario is told at once: what does not follow from something else that
 * is, each with its place, up to ten.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carom/inverse.h"
#include "carom/scenario.h"
#include "carom/study.h"
#include "scenario_text.h"

static void expect_all(const char *text, const char *told)
{
    static crm_read_error error;
    char all[sizeof error.text + sizeof error.more];
    crm_scenario *scenario = read_with(text, NULL, 0, &error);
    if (scenario != NULL) {
        crm_scenario_free(scenario);
        fail_msg("accepted: %s", text);
    }
    snprintf(all, sizeof all, "%s%s%s", error.text, error.more[0] != '\0' ? "\n" : "", error.more);
    assert_string_equal(all, told);
}

/* ---- Each by itself ------------------------------------------------------------------------ */

static void mistakes_of_all_blocks_are_told(void **state)
{
    (void)state;
    expect_all(
        "title: [1]\n"
        "laws: [lzb, {law: morau}, {law: lzb, tolerance: 5, scheme: fast}]\n"
        "materials: {m: {young: -1, poisson: 0.3}}\n"
        "chain:\n"
        "  cuont: 3\n"
        "  mass: [1, -1, x]\n"
        "  wall: {side: up}\n"
        "history: {interval: 0}\n",
        "s.yaml:1:8: title is a list of 1; must be text\n"
        "s.yaml:8:21: history.interval is 0; must be a time above 0, in seconds\n"
        "s.yaml:3:24: materials.m.young is -1; must be a modulus above 0, in Pa\n"
        "s.yaml:5:3: unknown field 'cuont' in chain; did you mean 'count'?\n"
        "s.yaml:6:17: chain.mass[3] is 'x'; must be a finite number\n"
        "s.yaml:7:16: chain.wall.side is 'up'; must be none, left or right\n"
        "s.yaml:6:13: chain.mass[2]: mass is -1, must be a positive number (from 1e-60 to "
        "1e60)\n"
        "s.yaml:2:19: laws[2].law is 'morau'; must be a law (see 'carom laws'); did you mean "
        "'moreau'?\n"
        "s.yaml:2:60: laws[3].scheme: law lzb: scheme is 'fast', must be one of "
        "auto|impulse-euler|time-euler|gauss\n"
        "s.yaml:2:49: laws[3].tolerance: law lzb: tolerance is 5, must be a number between "
        "1e-13 and 0.1");
}

static void ten_are_told_and_the_others_counted(void **state)
{
    (void)state;
    char text[512] = "chain: {count: 20, mass: [", told[4096] = "";
    for (int i = 0; i < 20; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s-1", i > 0 ? ", " : "");
    }
    snprintf(text + strlen(text), sizeof text - strlen(text), "]}");
    for (int i = 0; i < 10; i++) {
        snprintf(
            told + strlen(told), sizeof told - strlen(told),
            "s.yaml:1:%d: chain.mass[%d]: mass is -1, must be a positive number (from 1e-60 to "
            "1e60)\n",
            27 + 4 * i, i + 1);
    }
    snprintf(told + strlen(told), sizeof told - strlen(told), "and 10 more");
    expect_all(text, told);
}

static void very_many_end_the_reading(void **state)
{
    (void)state;
    enum { FIELDS = 20000 };
    char *text = malloc(64 + 16 * FIELDS);
    static crm_read_error error;
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "chain: {count: 2");
    for (int i = 0; i < FIELDS; i++) {
        used += (size_t)sprintf(text + used, ", zz%d: 1", i);
    }
    sprintf(text + used, "}");
    assert_null(read_with(text, NULL, 0, &error));
    assert_non_null(strstr(error.more, "\nand 90 more at least"));
    free(text);
}

static void bodies_are_read_one_by_one(void **state)
{
    (void)state;
    expect_all("bodies:\n"
               "  - {radius: 1, positon: [0, 0]}\n"
               "  - {radius: 1}\n"
               "  - {shape: blob, position: [0, 0]}\n"
               "  - {shape: rod, mass: -2, position: [9, 0, 0]}\n"
               "walls: [{point: [0, 0]}]\n"
               "contacts: {restitution: 2}\n"
               "pairs: [{between: [1, 9]}, {restitution: 0.5}]\n",
               "s.yaml:2:17: unknown field 'positon' in bodies[1]; did you mean 'position'?\n"
               "s.yaml:3:5: bodies[2] has no field 'position', which is required\n"
               "s.yaml:4:13: bodies[3].shape is 'blob'; must be sphere, disc, rod, box, ellipse or "
               "ellipsoid\n"
               "s.yaml:5:5: bodies[4] has no field 'length', which is required\n"
               "s.yaml:5:38: bodies[4].position has 3 entries; must have 2, one per coordinate\n"
               "s.yaml:6:9: walls[1] has no field 'normal', which is required\n"
               "s.yaml:8:23: pairs[1].between[2] is 9; must be the name of a body or wall, or a "
               "whole number from 1 to 5 (bodies first, then walls)\n"
               "s.yaml:8:28: pairs[2] has no field 'between', which is required\n"
               "s.yaml:5:24: bodies[4].mass: mass is -2, must be a positive number (from 1e-60 to "
               "1e60)\n"
               "s.yaml:7:25: contacts.restitution: restitution is 2, must be between 0 and 1 (0, "
               "or from 1e-14 on)");
}

/* What the model finds wrong does not hide what others are wrong in. */
static void a_model_that_is_refused_leaves_the_rest(void **state)
{
    (void)state;
    expect_all("bodies:\n"
               "  - {radius: 1, mass: 1, position: [0]}\n"
               "  - {radius: 1, mass: 1, position: [1]}\n"
               "history: {intervall: 1}\n"
               "laws: [lzbb]\n",
               "s.yaml:4:11: unknown field 'intervall' in history; did you mean 'interval'?\n"
               "s.yaml:3:36: bodies[2].position: body 1 and body 2 overlap by 1; bodies must touch "
               "(within contacts.tolerance) or be apart\n"
               "s.yaml:5:8: laws[1] is 'lzbb'; must be a law (see 'carom laws'); did you mean "
               "'lzb'?");
}

/* ---- No cascades ---------------------------------------------------------------------------- */

static void what_follows_from_a_mistake_is_not_told(void **state)
{
    (void)state;
    static const refusal cases[] = {
        /* lists that depend on a count, options that depend on the contacts */
        {"laws: [{law: impulse-ratio, ratios: [1, 2]}]\n"
         "chain: {count: three, mass: [1, 2], restitution: [0.5, 0.5]}",
         "s.yaml:2:16: chain.count is 'three'; must be a whole number from 1 to 100000000"},
        /* a name that could not be read, and who refers to it */
        {"bodies:\n  - {name: [a], radius: 1, mass: 1, position: 0}\n"
         "pairs: [{between: [a, b]}]\nsprings: [{between: [a, [0]], stiffness: 1}]",
         "s.yaml:2:12: bodies[1].name is a list of 1; must be text"},
        /* a material without numbers, and the mass that should come of it */
        {"materials: {m: {density: heavy}}\nchain: {count: 2, radius: 1, material: m}",
         "s.yaml:1:26: materials.m.density is 'heavy'; must be a density above 0, in kg/m^3"},
        /* the unit and the number of one value */
        {"chain: {count: 2, radius: -1 kg}", "s.yaml:1:27: chain.radius is '-1 kg'; must be in m"},
        /* a missing field that was written wrong; a block without its colon */
        {"system: {mass: [1], contacts: [{ww: [1]}]}",
         "s.yaml:1:33: unknown field 'ww' in system.contacts[1]; did you mean 'w'?"},
        {"chain: {count:3, velocity: [1]}",
         "s.yaml:1:9: unknown field 'count:3' in chain; write a space after the colon: 'count: 3'"},
        /* the dimension of bodies, and gravity */
        {"bodies: [{radius: 1, mass: 1, position: [0, 0, 0, 0]}]\n"
         "simulate: {duration: 1, gravity: [0, -9.81]}",
         "s.yaml:1:41: bodies[1].position has 4 entries; must have 1, 2 or 3 coordinates"},
        /* how many coordinates there are: told once, wherever the mistake is */
        {"bodies: [{radius: 1, mass: 1, position: left, velocity: [1, 0]}]\n"
         "walls: [{point: [0, 0], normal: [0, 1]}]",
         "s.yaml:1:41: bodies[1].position is 'left'; must be a finite number"},
        {"bodies: [{radius: 1, mass: 1, position: [0]}, {radius: 1, mass: 1, position: [0, 2]}]\n"
         "walls: [{point: [0, 0], normal: [0, 1]}]",
         "s.yaml:1:78: bodies[2].position has 2 entries; must have 1, one per coordinate"},
        {"system: {mass: [1, 1, 1], velocity: [1, 0], names: [a, b], contacts: [{w: [-1, 1]}]}",
         "s.yaml:1:52: system.names is a list of 2; must be a list of 3 names, one per coordinate"},
        /* what is in a list that is refused; materials, walls that are none */
        {"chain: {count: 3, restitution: [1, 2, 3]}",
         "s.yaml:1:32: chain.restitution has 3 entries; must have 2, one per contact"},
        {"gas: {count: 3, box: [1, x], radius: 0.1}",
         "s.yaml:1:26: gas.box[2] is 'x'; must be a finite number"},
        {"materials: steel\nchain: {count: 2, radius: 1, material: m}",
         "s.yaml:1:12: materials is 'steel'; must be a mapping from names to properties, such as "
         "{steel: {young: 203e9, poisson: 0.3, density: 7780}}"},
        {"bodies: [{radius: 1, mass: 1, position: [0]}]\nwalls: floor\n"
         "pairs: [{between: [1, floor]}]",
         "s.yaml:2:8: walls is 'floor'; must be a list of walls: - {point: ..., normal: ...}"},
        {"bodies: [{position: [0, 0], spin: 1}]",
         "s.yaml:1:10: bodies[1] has no field 'radius', which is required"},
        {"gas: {count: 3, box: [1, 1], radius: [1]}",
         "s.yaml:1:38: gas.radius has 1 entries; must have 2, one per end of the range"},
        {"laws: [{law: lzb, label: [1]}, lzb]\nchain: {count: 2}",
         "s.yaml:1:26: laws[1].label is a list of 1; must be text"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_all(cases[i].text, cases[i].complaint);
    }
}

/* ---- Through the library -------------------------------------------------------------------- */

static const char STUDY[] = "chain: {count: 2, velocity: [1]}\n"
                            "sweep:\n"
                            "  grid: {chain.mass: {from: x, to: 1}, chain.count: []}\n"
                            "  record: [velocty, energy_ratio]\n"
                            "fit:\n"
                            "  parameters: {chain.mass: {from: 2, to: 1}}\n"
                            "  measured: [{what: speedy, value: 1}, {what: duration}]\n";

static void expect_listed(const char *all, const char *told)
{
    assert_string_equal(all, told);
}

static void callers_of_the_library_get_them_all(void **state)
{
    (void)state;
    char all[1024];
    crm_error error;
    crm_scenario *scenario;
    crm_study *study;
    crm_fit *fit;
    crm_source source = {.text = "chain: {count: 2, mass: -1, radius: 0}",
                         .mistakes = all,
                         .mistakes_size = sizeof all};
    source.length = strlen(source.text);
    assert_int_equal(crm_scenario_load(&source, &scenario, &error), CRM_ERROR_MODEL);
    assert_null(strchr(error.message, '\n'));
    assert_string_equal(error.place, "scenario:1:25");
    expect_listed(all, "scenario:1:25: chain.mass: mass is -1, must be a positive number (from "
                       "1e-60 to 1e60)\n"
                       "scenario:1:37: chain.radius: radius is 0, must be a positive number (from "
                       "1e-30 to 1e30)");
    source.mistakes_size = 100; /* whole lines only */
    assert_int_equal(crm_scenario_load(&source, &scenario, &error), CRM_ERROR_MODEL);
    assert_null(strchr(all, '\n'));
    source.mistakes_size = sizeof all;
    source.text = STUDY;
    source.length = strlen(STUDY);
    assert_int_equal(crm_study_load(&source, NULL, 0, &study, &error), CRM_ERROR_MODEL);
    expect_listed(all,
                  "scenario:3:22: sweep.grid.chain.mass has no field 'steps', which is required\n"
                  "scenario:3:53: sweep.grid.chain.count has no values; give a list, or {from, "
                  "to, steps}\n"
                  "scenario:4:12: 'velocty' is not a quantity of an outcome; did you mean "
                  "'velocity'?");
    assert_int_equal(crm_fit_solve(&source, NULL, &fit, &error), CRM_ERROR_MODEL);
    expect_listed(
        all, "scenario:6:28: fit.parameters.chain.mass goes from 2 to 1; 'from' must be "
             "below 'to'\n"
             "scenario:7:21: 'speedy' is not a quantity of an outcome; 'carom fields' lists them\n"
             "scenario:7:40: fit.measured[2] has no field 'value', which is required");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_of_all_blocks_are_told),
        cmocka_unit_test(ten_are_told_and_the_others_counted),
        cmocka_unit_test(very_many_end_the_reading),
        cmocka_unit_test(bodies_are_read_one_by_one),
        cmocka_unit_test(a_model_that_is_refused_leaves_the_rest),
        cmocka_unit_test(what_follows_from_a_mistake_is_not_told),
        cmocka_unit_test(callers_of_the_library_get_them_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
