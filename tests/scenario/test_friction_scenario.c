/* Friction in scenarios: what is read, when there are spins, and every text that refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "scenario_text.h"
#include "support.h"

#define DISCS                                                                                      \
    "bodies:\n"                                                                                    \
    "  - {name: a, shape: disc, radius: 1, mass: 1, position: [0, 0], velocity: [1, 0]}\n"         \
    "  - {name: b, shape: disc, radius: 1, mass: 1, position: [2, 0]}\n"
#define MADE_OF(a, b)                                                                              \
    "bodies:\n"                                                                                    \
    "  - {name: a, radius: 1, mass: 1, position: [0, 0, 0], material: " a "}\n"                    \
    "  - {name: b, radius: 1, mass: 1, position: [2, 0, 0], material: " b "}\n"

static double friction_of(const char *text, const char *set, size_t contact)
{
    crm_scenario *scenario = good_with(text, set);
    const double *mu = crm_model_friction(scenario->model);
    double own = mu != NULL ? mu[contact] : 0;
    crm_scenario_free(scenario);
    return own;
}

static size_t coordinates_of(const char *text, const char *set)
{
    crm_scenario *scenario = good_with(text, set);
    size_t n = crm_model_coordinates(scenario->model);
    crm_scenario_free(scenario);
    return n;
}

static void contacts_pairs_and_materials(void **state)
{
    (void)state;
    static const char pairs[] = DISCS "contacts: {friction: 0.3}\n"
                                      "pairs: [{between: [a, b], friction: 0.1}]\n";
    static const char own[] = "materials:\n"
                              "  felt: {density: 200, friction: {steel: 0.25, felt: 0.5}}\n"
                              "  wood: {density: 600, friction: 0.6}\n" MADE_OF("felt", "steel");
    assert_near(friction_of(DISCS "contacts: {friction: 0.3}", NULL, 0), 0.3, 0);
    assert_near(friction_of(pairs, NULL, 0), 0.1, 0);
    assert_near(friction_of(own, "pairs=[{between: [a, b], stiffness: 1}]", 0), 0.25, 0);
    assert_near(friction_of(own, "bodies[b].material=felt", 0), 0.5, 0);
    assert_near(friction_of(own, "bodies[b].material=wood", 0), 0, 0);
    assert_near(friction_of(own, "contacts={friction: 0.7, stiffness: 1}", 0), 0.7, 0);
    assert_near(friction_of(MADE_OF("steel", "steel"), NULL, 0), 0, 0); /* not asked for */
    assert_near(friction_of(MADE_OF("steel", "steel") "contacts: {friction: materials}", NULL, 0),
                crm_material_friction_find("steel", "steel")->friction, 0);
    assert_near(friction_of(MADE_OF("glass", "glass") "contacts: {friction: materials}", NULL, 0),
                crm_material_friction_find("glass", "glass")->friction, 0);
}

static void spins_come_with_friction(void **state)
{
    (void)state;
    static const char spinning[] = "bodies:\n"
                                   "  - {radius: 1, mass: 1, position: [0, 0], spin: 3}\n"
                                   "  - {radius: 1, mass: 1, position: [2, 0], inertia: 0.2}\n"
                                   "contacts: {friction: 0.1}\n";
    assert_int_equal(coordinates_of(DISCS, NULL), 4);
    assert_int_equal(coordinates_of(DISCS, "contacts={friction: 0}"), 4);
    assert_int_equal(coordinates_of(DISCS, "contacts={friction: 0.1}"), 6);
    assert_int_equal(coordinates_of(spinning, NULL), 6);
    assert_int_equal(coordinates_of(spinning, "contacts.friction=0"), 6); /* a study begins here */
    crm_scenario *scenario = good(spinning);
    assert_all_near(scenario->velocity, ((double[]){0, 0, 3, 0, 0, 0}), 6, 0);
    assert_near(crm_model_mass(scenario->model, 2, 2), 0.5, 1e-15);
    assert_near(crm_model_mass(scenario->model, 5, 5), 0.2, 0);
    crm_scenario_free(scenario);
}

static void packings_and_gases_turn(void **state)
{
    (void)state;
    static const char rack[] = "packing: {lattice: rack, rows: 3, radius: 0.1, friction: 0.2,\n"
                               "  projectile: {velocity: [1, -2], over: middle}}\n";
    static const char gas[] = "gas: {count: 3, radius: 0.1, box: [1, 1], temperature: 1}\n"
                              "contacts: {friction: 0.2}\n";
    crm_scenario *scenario = good(rack);
    assert_int_equal(crm_model_coordinates(scenario->model), 7 * 3);
    assert_all_near(scenario->velocity + 18, ((double[]){1, -2, 0}), 3, 0);
    crm_scenario_free(scenario);
    scenario = good(gas);
    crm_scenario *smooth = good_with(gas, "contacts.friction=0");
    assert_int_equal(crm_model_coordinates(scenario->model), 9);
    for (size_t i = 0; i < 3; i++) {
        assert_all_near(scenario->velocity + 3 * i, smooth->velocity + 2 * i, 2, 0);
        assert_near(scenario->velocity[3 * i + 2], 0, 0);
    }
    crm_scenario_free(scenario);
    crm_scenario_free(smooth);
}

static void systems_have_tangents(void **state)
{
    (void)state;
    static const char plane[] =
        "system:\n"
        "  mass: [1, 1, 1]\n"
        "  names: [x, y, z]\n"
        "  contacts:\n"
        "    - {w: [1, 0, 0], t: {y: 2, 3: -1}, friction: 0.2, tangential_velocity: 5}\n"
        "    - {w: [0, 1, 0]}\n";
    static const char space[] = "system:\n"
                                "  mass: [1, 1, 1]\n"
                                "  contacts:\n"
                                "    - {w: [1, 0, 0], t: [[0, 1, 0], {3: 1}], friction: 0.2, "
                                "tangential_velocity: [1, 2]}\n";
    const double v[] = {1, 10, 100};
    double u[2];
    crm_scenario *scenario = good(plane);
    crm_model_slip_velocity(scenario->model, v, u);
    assert_all_near(u, ((double[]){20 - 100 + 5, 0}), 2, 0);
    crm_scenario_free(scenario);
    scenario = good(space);
    assert_int_equal(crm_model_tangents(scenario->model), 2);
    crm_model_slip_velocity(scenario->model, v, u);
    assert_all_near(u, ((double[]){11, 102}), 2, 0);
    crm_scenario_free(scenario);
}

static void what_is_refused(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"chain: {count: 3, friction: 0.1}",
         "s.yaml:1:29: chain.friction is given, but balls of a chain have one coordinate each, "
         "along the line, and cannot slip: for friction describe them as bodies in the plane or in "
         "space"},
        {"chain: {count: 3, wall: {side: left, friction: 0.1}}",
         "s.yaml:1:48: chain.wall.friction is given, but balls of a chain have one coordinate "
         "each, "
         "along the line, and cannot slip: for friction describe them as bodies in the plane or in "
         "space"},
        {"bodies:\n  - {radius: 1, mass: 1, position: 0}\ncontacts: {friction: 0.1}",
         "s.yaml:3:22: contacts.friction: there is no friction on a line, where nothing can slip: "
         "give bodies positions in the plane or in space"},
        {DISCS "contacts: {friction: -1}",
         "s.yaml:4:22: contacts.friction: friction is -1, must be between 0 and 1e6"},
        {DISCS "contacts: {friction: rough}",
         "s.yaml:4:22: contacts.friction is 'rough'; must be a number, or materials: those of the "
         "pairs of materials"},
        {DISCS "contacts: {friction: materials}",
         "s.yaml:4:22: contacts.friction: the friction of a on b is not known: give their "
         "materials one, or the pair"},
        {"materials: {a: {density: 1, friction: {b: 0.1}}, b: {density: 1, friction: {a: 0.2}}}\n"
         "chain: {count: 2}",
         "s.yaml:1:80: materials.b.friction.a is given twice, for either material"},
        {"materials: {a: {density: 1, friction: -2}}\nchain: {count: 2}",
         "s.yaml:1:39: materials.a.friction is -2; must be a friction from 0 to 1e6"},
        {"system: {mass: [1], contacts: [{w: [1], friction: 0.1}]}",
         "s.yaml:1:32: system.contacts[1] has friction and no field 't', the direction in which it "
         "slips"},
        {"system: {mass: [1], contacts: [{w: [1], tangential_velocity: 1}]}",
         "s.yaml:1:62: system.contacts[1].tangential_velocity is given without 't', to which it is "
         "added"},
        {"system: {mass: [1], contacts: [{w: [1], t: [1, 2]}]}",
         "s.yaml:1:44: system.contacts[1].t has 2 entries; must have 1, one per coordinate, or be "
         "a "
         "mapping {coordinate: value}"},
        {"system: {mass: [1], contacts: [{w: [1], t: [[1], [1], [1]]}]}",
         "s.yaml:1:44: system.contacts[1].t has 3 tangents; must be one (plane) or two (space)"},
        {"system: {mass: [1], contacts: [{w: [1], t: [1]}, {w: [1], t: [[1], [1]]}]}",
         "s.yaml:1:62: system.contacts[2].t has 2 tangents; those of contacts before have 1"},
        {"bodies:\n  - {radius: 1, mass: 1, position: [0, 0], angle: 1}\n"
         "contacts: {friction: 0.1}",
         "s.yaml:2:51: bodies[1].angle has no meaning for a sphere, which looks the same at any "
         "angle"},
        {"bodies:\n  - {radius: 1, mass: 1, position: [0, 0], inertia: 1}",
         "s.yaml:2:53: bodies[1].inertia has no meaning for a sphere without friction"},
        {"packing: {lattice: square, columns: 2, rows: 2, friction: 0.1}",
         "s.yaml:1:10: packing: balls with friction turn, and need a radius"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_pairs_and_materials),
        cmocka_unit_test(spins_come_with_friction),
        cmocka_unit_test(packings_and_gases_turn),
        cmocka_unit_test(systems_have_tangents),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
