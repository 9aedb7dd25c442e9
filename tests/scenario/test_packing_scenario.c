/* Packings in scenarios: every field, and what is refused, with its place. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenario/scenario.h"
#include "support.h"

static crm_scenario *read_text(const char *text, crm_read_error *error)
{
    crm_yaml_limits limits = crm_yaml_limits_default();
    crm_tree *tree = NULL;
    crm_scenario *scenario = NULL;
    crm_status status = crm_yaml_parse(text, strlen(text), "s.yaml", &limits, &tree, error);
    if (status == CRM_OK) {
        status = crm_scenario_from_tree(tree, &scenario, error);
    }
    if (status != CRM_OK) {
        crm_tree_free(tree);
    }
    return scenario;
}

static void a_scenario_gives_every_field(void **state)
{
    (void)state;
    static crm_read_error error;
    crm_scenario *s = read_text(
        "materials: {steel: {young: 203e9, poisson: 0.3, density: 7780}}\n"
        "packing:\n"
        "  {lattice: fcc, columns: 3, rows: 4, layers: 2, radius: 0.01, material: steel,\n"
        "   mass: 2, restitution: 0.9, velocity: [0, 0, 0.5],\n"
        "   walls: {kind: box, restitution: 0.8, stiffness: 3e9},\n"
        "   projectile: {over: [1, 2.5], radius: 0.02, mass: 5, velocity: [1, 2, -3],\n"
        "                restitution: 0.7}}\n",
        &error);
    if (s == NULL) {
        fail_msg("%s", error.text);
    }
    size_t balls = 3 * 4 + 2 * 3, between = 8 + 9 + 3 + 4 + 24, touched = 2;
    assert_int_equal(crm_model_bodies(s->model), balls + 1);
    size_t walls =
        12 + 2 * 4 + 2 * 3 + 1; /* the projectile is as far from the left as it is large */
    assert_int_equal(crm_model_contacts(s->model), between + touched + walls);
    for (size_t i = 0; i < 3 * balls; i++) {
        assert_near(s->velocity[i], i % 3 == 2 ? 0.5 : 0, 0);
    }
    assert_all_near(s->velocity + 3 * balls, ((const double[]){1, 2, -3}), 3, 0);
    const double *e = crm_model_restitution(s->model), *k = crm_model_stiffness(s->model);
    assert_near(e[between - 1], 0.9, 0);
    assert_near(e[between], 0.7, 0);
    assert_near(e[between + touched], 0.8, 0);
    assert_near(k[between + touched], 3e9, 0);
    double moving[3 * 19] = {0};
    moving[3 * balls] = 1;
    assert_near(2 * crm_model_kinetic_energy(s->model, moving), 5, 1e-13);
    crm_scenario_free(s);
}

static void bad_packings_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *complaint;
    } cases[] = {
        {"packing: {columns: 3, rows: 2}",
         "s.yaml:1:10: packing has no field 'lattice', which is required"},
        {"packing: {lattice: hex, columns: 3, rows: 2}",
         "s.yaml:1:20: packing.lattice is 'hex'; must be square, hexagonal, cubic, fcc or rack"},
        {"packing: {lattice: rack, rows: 3, columns: 4}",
         "s.yaml:1:44: packing.columns is given for a rack, whose rows are one ball shorter each, "
         "down to 1"},
        {"packing: {lattice: square, columns: 3}",
         "s.yaml:1:10: packing has no field 'rows', which is required"},
        {"packing: {lattice: fcc, columns: 3, rows: 3}",
         "s.yaml:1:10: packing has no field 'layers', which is required"},
        {"packing: {lattice: square, columns: 3, rows: 2,\n  layers: 4}",
         "s.yaml:2:11: packing.layers is given for the lattice 'square', which is in the plane and "
         "has columns and rows only"},
        {"packing: {lattice: square, columns: 0, rows: 2}",
         "s.yaml:1:37: packing.columns is 0; must be a whole number from 1 to 100000000"},
        {"packing: {lattice: hexagonal, columns: 1, rows: 2}",
         "s.yaml:1:40: packing.columns: columns is 1, must be 2 or more: balls lie in hollows"},
        {"packing: {lattice: square, columns: 10000, rows: 10000}",
         "s.yaml:1:10: packing has 100000000 balls and 199980000 contacts; at most 100000000 of "
         "each are allowed"},
        {"packing: {lattice: cubic, columns: 100000000, rows: 100000000, layers: 100000000}",
         "s.yaml:1:53: packing.rows: rows is 100000000, which makes more balls than can be "
         "numbered (715827882)"},
        {"packing: {lattice: square, columns: 2, rows: 2, mass: [1, 2]}",
         "s.yaml:1:55: packing.mass has 2 entries; must have 4, one per ball"},
        {"packing: {lattice: square, columns: 2, rows: 2, mass: [1, 2, -1, 1]}",
         "s.yaml:1:62: packing.mass[3]: mass is -1, must be a positive number (from 1e-60 to "
         "1e60)"},
        {"packing: {lattice: square, columns: 2, rows: 2, stiffness: [1]}",
         "s.yaml:1:60: packing.stiffness has 1 entries; must have 4, one per contact between "
         "balls"},
        {"packing: {lattice: square, columns: 2, rows: 2, restitution: 2}",
         "s.yaml:1:62: packing.restitution: restitution is 2, must be between 0 and 1 (0, or from "
         "1e-14 on)"},
        {"packing: {lattice: square, columns: 2, rows: 2, walls: cage}",
         "s.yaml:1:56: packing.walls is 'cage'; must be none, floor or box"},
        {"packing: {lattice: square, columns: 2, rows: 2, walls: {restitution: 1}}",
         "s.yaml:1:56: packing.walls has no field 'kind', which is required"},
        {"packing: {lattice: square, columns: 2, rows: 2, radius: 0}",
         "s.yaml:1:57: packing.radius: radius is 0, must be a positive number (from 1e-30 to "
         "1e30)"},
        {"packing: {lattice: square, columns: 2, rows: 2, material: {young: 1e9, poisson: 0}}",
         "s.yaml:1:59: packing.material: a material gives mass and stiffness only together with a "
         "radius"},
        {"packing: {lattice: square, columns: 2, rows: 2, projectile: {mass: 1}}",
         "s.yaml:1:61: packing.projectile has no field 'velocity', which is required"},
        {"packing: {lattice: square, columns: 2, rows: 2, projectile: {velocity: [0, 0, -1]}}",
         "s.yaml:1:72: packing.projectile.velocity has 3 entries; must have 2, one per coordinate"},
        {"packing: {lattice: square, columns: 2, rows: 2,\n"
         "  projectile: {velocity: [0, -1], over: 3}}",
         "s.yaml:2:41: packing.projectile.over: over is 3, must be from 1 to 2, the balls of the "
         "top row"},
        {"packing: {lattice: square, columns: 2, rows: 2,\n"
         "  projectile: {velocity: [0, -1], over: centre}}",
         "s.yaml:2:41: packing.projectile.over is 'centre'; must be middle"},
        {"packing: {lattice: square, columns: 2, rows: 2,\n"
         "  projectile: {velocity: [0, -1], radius: 2}}",
         "s.yaml:2:43: packing.projectile.radius: radius is 2, but the balls have none: give both "
         "or neither"},
        {"packing: {lattice: square, columns: 2, rows: 2, radius: 1,\n"
         "  projectile: {velocity: [0, -1], radius: 2}}",
         "s.yaml:2:15: packing.projectile: the projectile has no mass: give it a mass, or a "
         "material with a density"},
        {"packing: {lattice: cubic, columns: 2, rows: 2, layers: 1, radius: 1,\n"
         "  projectile: {velocity: [0, 0, -1], radius: 0.4, mass: 1}}",
         "s.yaml:2:46: packing.projectile.radius: radius is 0.4, so small that the projectile "
         "falls "
         "between the balls; put it over a ball, or make it larger"},
        {"packing: {lattice: square, columns: 2, rows: 2, radius: 1, walls: box,\n"
         "  projectile: {velocity: [0, -1], radius: 3, mass: 1}}",
         "s.yaml:2:15: packing.projectile: the projectile stands out of the box: move it inwards, "
         "or make it smaller"},
        {"packing: {lattice: square, columns: 2, rows: 2, radius: 1, exponent: 2,\n"
         "  material: {young: 1e9, poisson: 0.3, density: 1}}",
         "s.yaml:1:70: packing.exponent: a stiffness from materials is Hertz', with exponent 1.5; "
         "for exponent 2 give stiffness as well"},
        {"packing: {lattice: square, columns: 2, rows: 2, radius: 1,\n"
         "  material: {young: 1e9, poisson: 0.3, density: 1},\n"
         "  projectile: {velocity: [0, -1], material: {density: 3}}}",
         "s.yaml:3:45: packing.projectile.material: the projectile has no elasticity and touches "
         "what has: give a material with young and poisson, or the contact a stiffness"},
        {"packing: {lattice: square, columns: 2, rows: 2}\ncontacts: {restitution: 1}",
         "s.yaml:2:11: contacts belongs to 'bodies'; this scenario has 'packing', which has its "
         "own contacts and walls"},
        {"chain: {count: 2}\npacking: {lattice: square, columns: 2, rows: 2}",
         "s.yaml:2:10: packing is a second system besides 'chain'; a scenario has exactly one of "
         "chain, packing, bodies and system"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static crm_read_error error;
        error.text[0] = '\0';
        crm_scenario *scenario = read_text(cases[i].text, &error);
        if (scenario != NULL) {
            crm_scenario_free(scenario);
            fail_msg("accepted: %s", cases[i].text);
        }
        assert_string_equal(error.text, cases[i].complaint);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scenario_gives_every_field),
        cmocka_unit_test(bad_packings_are_refused_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
