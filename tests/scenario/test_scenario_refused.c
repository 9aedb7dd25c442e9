/* Reading scenarios: what is refused, with which words, at which place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenario/scenario.h"
#include "scenario_text.h"

/* ---- What is refused ----------------------------------------------------------------------- */

static void values_out_of_range(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"chain:\n  count: 3\n  mass: -1",
         "s.yaml:3:9: chain.mass: mass is -1, must be a positive number (from 1e-60 to 1e60)"},
        {"chain:\n  count: 3\n  mass: [1, -1, 1]",
         "s.yaml:3:13: chain.mass[2]: mass is -1, must be a positive number (from 1e-60 to 1e60)"},
        {"chain: {count: 3, mass: .nan}",
         "s.yaml:1:25: chain.mass is .nan; must be a finite number: 0, or from 2.3e-308 to "
         "1.7e308 in size, in hexadecimal or octal digits up to 64 bits"},
        {"chain: {count: 3, mass: 1e999}",
         "s.yaml:1:25: chain.mass is 1e999; must be a finite number: 0, or from 2.3e-308 to "
         "1.7e308 in size, in hexadecimal or octal digits up to 64 bits"},
        {"chain: {count: 3, restitution: 1.2}",
         "s.yaml:1:32: chain.restitution: restitution is 1.2, must be between 0 and 1 (0, or from "
         "1e-14 on)"},
        {"chain: {count: 3, exponent: 0}", "s.yaml:1:29: chain.exponent: exponent is 0, must be a "
                                           "positive number (from 1e-4 to 100)"},
        {"chain: {count: 3, wall: {side: left, restitution: -1}}",
         "s.yaml:1:51: chain.wall.restitution: restitution is -1, must be between 0 and 1 (0, or "
         "from 1e-14 on)"},
        {"chain: {count: 2.5}",
         "s.yaml:1:16: chain.count is 2.5; must be a whole number from 1 to 100000000"},
        {"chain: {count: 2}\nhistory: {interval: 0}",
         "s.yaml:2:21: history.interval is 0; must be a time above 0, in seconds"},
        {"materials: {m: {young: 1, poisson: 0.6}}\nchain: {count: 2}",
         "s.yaml:1:36: materials.m.poisson is 0.6; must be a Poisson ratio above -1 and at most "
         "0.5"},
        {"laws:\n  - {law: lzb, tolerance: 5}\nchain: {count: 2}",
         "s.yaml:2:27: laws[1].tolerance: law lzb: tolerance is 5, must be a number between "
         "1e-13 and 0.1"},
        {"laws: [{law: lzb, stiffness_model: tri}]\nchain: {count: 2}",
         "s.yaml:1:36: laws[1].stiffness_model: law lzb: stiffness_model is 'tri', must be one of "
         "bi|mono"},
    };
    REFUSE_ALL(cases);
}

static void values_of_the_wrong_kind(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"chain: {count: 3, mass: abc}",
         "s.yaml:1:25: chain.mass is 'abc'; must be a finite number"},
        {"chain: {count: 3, mass: '1'}",
         "s.yaml:1:25: chain.mass is the text \"1\"; must be a number, without quotes"},
        {"chain: {count: 3, velocity: [1, [2]]}",
         "s.yaml:1:33: chain.velocity[2] is a list of 1; must be a finite number"},
        {"chain: {count: 3, wall: up}",
         "s.yaml:1:25: chain.wall is 'up'; must be none, left or right"},
        {"chain:", "s.yaml:1:7: chain is empty; must be a mapping; its fields are stiffness, "
                   "exponent, restitution, energy, force, loading, unloading, count, radius, "
                   "material, gap, gaps_close, mass, "
                   "velocity and "
                   "wall"},
        {"title: [1]\nchain: {count: 2}", "s.yaml:1:8: title is a list of 1; must be text"},
        {"title: \"a\\e[31mb\"\nchain: {count: 3}",
         "s.yaml:1:8: title is the text \"a\\u001b[31mb\"; must be one line without control or "
         "format "
         "characters"},
        {"- 1",
         "s.yaml:1:1: scenario is a list of 1; must be a mapping; its fields are title, "
         "laws, materials, chain, packing, bodies, gas, system, walls, contacts, pairs, springs, "
         "history, "
         "sweep, simulate, sensitivity, fit, design and admissible"},
        {"system: {mass: [1, 1], contacts: [{w: 1}]}",
         "s.yaml:1:39: system.contacts[1].w is 1; must be a list with one entry per coordinate, "
         "or a mapping {coordinate: value}"},
    };
    REFUSE_ALL(cases);
}

static void unknown_fields_and_names(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"chain:\n  count: 3\n  restituton: 1",
         "s.yaml:3:3: unknown field 'restituton' in chain; did you mean 'restitution'?"},
        {"chain: {count: 3}\ntilte: x",
         "s.yaml:2:1: unknown field 'tilte' in scenario; did you mean 'title'?"},
        {"chain: {count: 3, wall: {side: left, velocty: 1}}",
         "s.yaml:1:38: unknown field 'velocty' in chain.wall; did you mean 'velocity'?"},
        {"bodies:\n  - {radius: 1, mass: 1, positon: [0]}",
         "s.yaml:2:26: unknown field 'positon' in bodies[1]; did you mean 'position'?"},
        {"system: {mass: [1], contacts: [{w: [1], boundary_velocty: 1}]}",
         "s.yaml:1:41: unknown field 'boundary_velocty' in system.contacts[1]; did you mean "
         "'boundary_velocity'?"},
        {"laws: [{law: lzb, tolerence: 1}]\nchain: {count: 3}",
         "s.yaml:1:19: unknown field 'tolerence' in laws[1]; did you mean 'tolerance'?"},
        {"laws: [lzbb]\nchain: {count: 3}",
         "s.yaml:1:8: laws[1] is 'lzbb'; must be a law (see 'carom laws'); did you mean 'lzb'?"},
        {"materials: {steel: {density: 1}}\nchain: {count: 3, material: stel}",
         "s.yaml:2:29: chain.material is 'stel'; must be a name from 'materials' or one that "
         "'carom materials' lists; did you mean 'steel'?"},
        {"bodies:\n  - {name: cue, radius: 1, mass: 1, position: 0}\n"
         "pairs:\n  - {between: [cu, 1]}",
         "s.yaml:4:16: pairs[1].between[1] is 'cu'; must be the name of a body or wall, or a whole "
         "number from 1 to 1 (bodies first, then walls); did you mean 'cue'?"},
        {"bodies:\n  - {name: cue, radius: 1, mass: 1, position: 0}\n"
         "pairs:\n  - {between: [ball, 1]}",
         "s.yaml:4:16: pairs[1].between[1] is 'ball'; must be the name of a body or wall, or a "
         "whole number from 1 to 1 (bodies first, then walls)"},
        {"bodies:\n  - {radius: 1, mass: 1, position: 0, friction: 0.3}",
         "s.yaml:2:39: unknown field 'friction' in bodies[1]; it is a field of materials.NAME, packing, "
         "packing.walls, packing.projectile, contacts, pairs[] and system.contacts[]"},
        {"count: 3\nchain: {count: 3}",
         "s.yaml:1:1: unknown field 'count' in scenario; it is a field of chain and gas"},
        {"chain: {count: 3}\nsimulate: {duration: 1, law: lzb, laws: [lzb]}",
         "s.yaml:2:35: unknown field 'laws' in simulate; did you mean 'law'?"},
        {"chain: {count: 3, gravity: 9.81}",
         "s.yaml:1:19: unknown field 'gravity' in chain; it is a field of simulate"},
        {"chain: {count: 3, title: x}",
         "s.yaml:1:19: unknown field 'title' in chain; it is a field of scenario"},
        {"chain: {count: 2, young: 5}", /* rather than `count`, two letters away */
         "s.yaml:1:19: unknown field 'young' in chain; it is a field of materials.NAME"},
        {"laws: {lzb: {tolerance: 1e-9}}\nchain: {count: 3}",
         "s.yaml:1:7: laws has no field 'law', which is required: {law: lzb, ...}"},
        {"laws: moreau, lzb\nchain: {count: 3}",
         "s.yaml:1:7: laws is 'moreau, lzb'; must be a law; several are a list: [moreau, lzb]"},
        {"materials: {m: {youngs_modulus: 1}}\nchain: {count: 3}",
         "s.yaml:1:17: unknown field 'youngs_modulus' in materials.m; did you mean 'young'?"},
        {"system: {mass: [1, 1], contacts: [{w: {3: 1}}]}",
         "s.yaml:1:40: system.contacts[1].w.3 is about coordinate '3'; must be a whole number from "
         "1 to 2 or one of 'names'"},
    };
    REFUSE_ALL(cases);
}

static void lists_of_the_wrong_length(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"chain: {count: 3, mass: [1, 1]}",
         "s.yaml:1:25: chain.mass has 2 entries; must have 3, one per ball"},
        {"chain: {count: 3, velocity: [1, 2, 3, 4]}",
         "s.yaml:1:29: chain.velocity has 4 entries; must have at most 3, one per ball"},
        {"chain: {count: 3, restitution: [1]}",
         "s.yaml:1:32: chain.restitution has 1 entries; must have 2, one per contact"},
        {"chain: {count: 3, restitution: [1, 1, 1], wall: left}",
         "s.yaml:1:32: chain.restitution has 3 entries; must have 2, one per contact between balls "
         "(the wall's own value goes into chain.wall)"},
        {"bodies:\n  - {radius: 1, mass: 1, position: [0, 0], velocity: [1]}",
         "s.yaml:2:54: bodies[1].velocity has 1 entries; must have 2, one per coordinate"},
        {"bodies:\n  - {radius: 1, mass: 1, position: [0, 0, 0, 0]}",
         "s.yaml:2:36: bodies[1].position has 4 entries; must have 1, 2 or 3 coordinates"},
        {"system: {mass: [1, 1, 1], velocity: [1, 0], contacts: [{w: [1, 0, 0]}]}",
         "s.yaml:1:37: system.velocity has 2 entries; must have 3, one per coordinate"},
        {"system: {mass: [1, 1, 1], contacts: [{w: [1, 0]}]}",
         "s.yaml:1:42: system.contacts[1].w has 2 entries; must have 3, one per coordinate, or be "
         "a mapping {coordinate: value}"},
        {"system: {mass: [[1, 0], [0]], contacts: [{w: [1, 0]}]}",
         "s.yaml:1:25: system.mass[2] has 1 entries; must have 2, one per coordinate (the matrix "
         "is square)"},
        {"laws: []\nchain: {count: 2}", "s.yaml:1:7: laws has 0 entries; must have 1 to 1000 laws"},
    };
    REFUSE_ALL(cases);
}

static void things_that_are_no_mechanical_system(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"system:\n  mass: [[1, 1], [1, 1]]\n  contacts: [{w: [1, 0]}]",
         "s.yaml:2:18: system.mass[2]: mass matrix is singular or not positive definite (seen at "
         "row 2)"},
        {"system:\n  mass: [[1, 2], [1, 5]]\n  contacts: [{w: [1, 0]}]",
         "s.yaml:2:19: system.mass[2][1]: mass matrix is not symmetric: 1 here, 2 across the "
         "diagonal"},
        {"system: {mass: [1], contacts: [{w: [0]}]}",
         "s.yaml:1:36: system.contacts[1].w: the contact moves no coordinate: w has no entry other "
         "than 0"},
        {"system: {mass: [1, 1], contacts: [{w: {1: 1, 01: 1}}]}",
         "s.yaml:1:46: system.contacts[1].w.01 is about coordinate 1, which is given twice"},
        {"bodies:\n  - {radius: 1, mass: 1, position: [0, 0]}\n"
         "  - {radius: 1, mass: 1, position: [1, 0]}",
         "s.yaml:3:36: bodies[2].position: body 1 and body 2 overlap by 1; bodies must touch "
         "(within contacts.tolerance) or be apart"},
        {"bodies:\n  - {radius: 1, mass: 1, position: [0, 0]}\n"
         "  - {radius: 1, mass: 1, position: [0, 0]}",
         "s.yaml:3:36: bodies[2].position: body 1 and body 2 have the same centre: the contact "
         "normal is undefined"},
        {"bodies:\n  - {radius: 1, mass: 1, position: [0, 0]}\n"
         "walls:\n  - {point: [0, -1], normal: [0, 0]}",
         "s.yaml:4:30: walls[1].normal: normal is 0 long, must point into the free side of "
         "the wall, with a length from 1e-30 to 1e30"},
        {"bodies:\n  - {name: a, radius: 1, mass: 1, position: 0}\n"
         "  - {name: a, radius: 1, mass: 1, position: 2}",
         "s.yaml:3:12: bodies[2].name is 'a', which is already the name of another body or wall"},
        {"bodies:\n  - {radius: 1, position: 0}",
         "s.yaml:2:5: bodies[1]: no mass: give mass, or a material with a density"},
        {"bodies:\n  - {shape: cube, length: 1, mass: 1, position: 0}",
         "s.yaml:2:13: bodies[1].shape is 'cube'; must be sphere, disc, rod, box, ellipse or "
         "ellipsoid"},
        {"bodies:\n  - {shape: disc, radius: 1, position: 0}",
         "s.yaml:2:13: bodies[1].shape is disc, whose mass does not follow from a density; give "
         "mass"},
    };
    REFUSE_ALL(cases);
}

static void rods_and_fixed_bodies_that_make_no_sense(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"bodies:\n  - {shape: rod, length: 1, mass: 1, position: 0}",
         "s.yaml:2:13: bodies[1].shape: rods are for the plane, with 2 coordinates; here bodies "
         "have 1"},
        {"bodies:\n  - {shape: rod, length: 1, mass: 1, position: [0, 0, 0]}",
         "s.yaml:2:13: bodies[1].shape: rods are for the plane, with 2 coordinates; here bodies "
         "have 3"},
        {"bodies:\n  - {shape: rod, mass: 1, position: [0, 0]}",
         "s.yaml:2:5: bodies[1] has no field 'length', which is required"},
        {"bodies:\n  - {shape: rod, length: 0, mass: 1, position: [0, 0]}",
         "s.yaml:2:26: bodies[1].length: length is 0, must be a positive number (from 1e-30 to "
         "1e30)"},
        {"bodies:\n  - {shape: rod, length: 1, position: [0, 0]}",
         "s.yaml:2:5: bodies[1]: no mass: a rod needs its mass given"},
        {"bodies:\n  - {shape: rod, length: 1, mass: 1, inertia: -1, position: [0, 0]}",
         "s.yaml:2:47: bodies[1].inertia: inertia is -1, must be a positive number (from 1e-60 to "
         "1e60)"},
        {"bodies:\n  - {shape: rod, length: 1, mass: 1, radius: -1, position: [0, 0]}",
         "s.yaml:2:46: bodies[1].radius: radius is -1, must be 0 or positive (from 1e-30 to 1e30)"},
        {"materials: {m: {density: 1}}\n"
         "bodies:\n  - {shape: rod, length: 1, mass: 1, material: m, position: [0, 0]}",
         "s.yaml:3:48: bodies[1].material has no effect on a rod; give a mass, and a stiffness for "
         "its contacts"},
        {"bodies:\n  - {radius: 1, mass: 1, position: [0, 0], spin: 1}",
         "s.yaml:2:50: bodies[1].spin has no meaning for a sphere without friction"},
        {"bodies:\n  - {shape: disc, radius: 1, mass: 1, position: [0, 0], angle: 1}",
         "s.yaml:2:64: bodies[1].angle has no meaning for a disc without friction"},
        {"bodies:\n  - {radius: 1, fixed: yes, position: [0, 0]}",
         "s.yaml:2:24: bodies[1].fixed is 'yes'; must be false or true"},
        {"bodies:\n  - {radius: 1, fixed: true, position: [0, 0], velocity: [0, 0]}",
         "s.yaml:2:58: bodies[1].velocity is given for a fixed body, which does not move"},
        {"bodies:\n  - {radius: 1, fixed: true, position: [0, 0]}",
         "s.yaml:2:3: bodies: every body is fixed: nothing moves"},
        {"bodies:\n  - {name: a, shape: rod, length: 2, mass: 1, position: [0, 0]}\n"
         "  - {name: b, shape: rod, length: 2, mass: 1, position: [0.5, 0]}",
         "s.yaml:3:57: bodies[2].position: a and b have no thickness where they touch: the contact "
         "normal is undefined; give one of them a radius"},
    };
    REFUSE_ALL(cases);
}

static void options_that_are_lists_or_matrices(void **state)
{
    (void)state;
    if (crm_law_find("generalized-newton") == NULL || crm_law_find("impulse-ratio") == NULL) {
        skip();
    }
    static const refusal cases[] = {
        {"laws: [{law: generalized-newton, restitution_matrix: 1}]\nchain: {count: 3}",
         "s.yaml:1:54: laws[1].restitution_matrix is 1; must be a list of 2 rows of 2 numbers, a "
         "row and a column per contact"},
        {"laws: [{law: generalized-newton, restitution_matrix: [[1, 0]]}]\nchain: {count: 3}",
         "s.yaml:1:54: laws[1].restitution_matrix is a list of 1; must be a list of 2 rows of 2 "
         "numbers, a row and a column per contact"},
        {"laws: [{law: generalized-newton, restitution_matrix: [[1, 0], [1]]}]\nchain: {count: 3}",
         "s.yaml:1:63: laws[1].restitution_matrix[2] has 1 entries; must have 2, one per contact"},
        {"laws: [{law: generalized-newton, restitution_matrix: [[1, 0], [1, x]]}]\n"
         "chain: {count: 3}",
         "s.yaml:1:67: laws[1].restitution_matrix[2][2] is 'x'; must be a finite number"},
        {"laws: [{law: impulse-ratio, ratios: [1]}]\nchain: {count: 3}",
         "s.yaml:1:37: laws[1].ratios has 1 entries; must have 2, one per contact"},
        {"laws: [{law: impulse-ratio, ratios: [1, -1]}]\nchain: {count: 3}",
         "s.yaml:1:41: laws[1].ratios[2]: law impulse-ratio: ratios[2] is -1, must be a number of "
         "at least 0"},
        {"laws: [{law: impulse-ratio, from: lbz}]\nchain: {count: 3}",
         "s.yaml:1:35: laws[1].from: law impulse-ratio: from is 'lbz', must be one of "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static crm_read_error error;
        crm_scenario *scenario = read_with(cases[i].text, NULL, 0, &error);
        assert_null(scenario);
        if (strncmp(error.text, cases[i].complaint, strlen(cases[i].complaint)) != 0) {
            fail_msg("'%s' does not begin with '%s'", error.text, cases[i].complaint);
        }
    }
}

static void incomplete_or_contradictory_scenarios(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"title: x",
         "s.yaml:1:1: scenario describes no system; it needs one of chain, packing, bodies and "
         "system"},
        {"chain: {count: 2}\nsystem: {mass: [1]}",
         "s.yaml:2:9: system is a second system besides 'chain'; a scenario has exactly one of "
         "chain, packing, bodies and system"},
        {"chain: {mass: 1}", "s.yaml:1:8: chain has no field 'count', which is required when "
                             "neither mass nor radius is a list"},
        {"chain: {count: 3, stiffness: [5, 6], wall: right}",
         "s.yaml:1:44: chain.wall: the wall has no stiffness: that of the chain is a list for the "
         "contacts between balls; give the wall its own"},
        {"chain: {count: 2, restitution: [0.5], wall: {side: left, stiffness: 3}}",
         "s.yaml:1:45: chain.wall: the wall has no restitution: that of the chain is a list for "
         "the contacts between balls; give the wall its own"},
        {"chain: {count: 2, wall: {restitution: 1}}",
         "s.yaml:1:25: chain.wall has no field 'side', which is required"},
        {"system: {mass: [1]}", "s.yaml:1:9: system has no field 'contacts', which is required"},
        {"laws: [{label: x}]\nchain: {count: 2}",
         "s.yaml:1:8: laws[1] has no field 'law', which is required"},
        {"chain: {count: 2}\nwalls: []",
         "s.yaml:2:8: walls belongs to 'bodies'; this scenario has 'chain', which has its own "
         "contacts and wall"},
        {"chain: {count: 2}\nsimulate: {}",
         "s.yaml:2:11: simulate has no field 'duration', which is required"},
        {"system: {mass: [1], contacts: [{w: [1]}]}\nsimulate: {duration: 1}",
         "s.yaml:2:11: simulate is for bodies or a chain, which have a place; this scenario has "
         "'system'"},
        {"bodies: [{radius: 1, mass: 1, suspended: {from: [0, 0], length: 1}}]",
         "s.yaml:1:42: bodies[1].suspended is for carom simulate; here bodies are free"},
        {"materials: {m: {young: 1}}\nchain: {count: 2}",
         "s.yaml:1:16: materials.m has young alone; a contact stiffness needs young and poisson"},
        {"materials: {m: {young: 1, poisson: 0.3}}\nchain: {count: 2, material: m}",
         "s.yaml:2:29: chain.material gives a contact stiffness only with a radius; give radius or "
         "stiffness"},
    };
    REFUSE_ALL(cases);
}

static void text_that_is_not_a_scenario(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"",
         "s.yaml:1:1: the file is empty; a scenario has one of chain, packing, bodies and system"},
        {"# only a comment\n",
         "s.yaml:1:1: the file is empty; a scenario has one of chain, packing, bodies and system"},
        {"a: b: c", "s.yaml:1:5: not valid YAML: mapping values are not allowed in this context"},
        {"chain:\n\tcount: 3",
         "s.yaml:2:1: not valid YAML: found character that cannot start any "
         "token while scanning for the next token; there is a tab before it; indent "
         "with spaces"},
        {"chain: \xff", "s.yaml:1:8: not valid YAML: invalid leading UTF-8 octet"},
        {"ok: 1\nx\x01: 2", "s.yaml:2:2: not valid YAML: control characters are not allowed"},
        {"---\nchain: {count: 3}\n---\nchain: {count: 2}",
         "s.yaml:3:1: a second document; a file is one scenario"},
        {"chain:\n  count: 3\n  count: 4", "s.yaml:3:3: field 'count' is given twice (first in "
                                           "line 2)"},
        {"chain: &a {count: *a}",
         "s.yaml:1:19: alias '*a' refers to a collection that contains it"},
        {"chain: {count: *b}", "s.yaml:1:16: alias '*b' is not defined above"},
        {"chain: {count: !foo 3}", "s.yaml:1:16: tag '!foo' has no meaning in a scenario"},
        {"chain: !foo {count: 3}", "s.yaml:1:8: tag '!foo' has no meaning in a scenario"},
        {"title: \"a\\0b\"", "s.yaml:1:8: a text must not contain the character NUL"},
        {"? [a]\n: b", "s.yaml:1:3: a key must be a single word, not a list or a mapping"},
    };
    REFUSE_ALL(cases);
}

static void overrides_that_lead_nowhere(void **state)
{
    (void)state;
    static const char *const text = "laws: [lzb, {law: lzb, label: mono}]\n"
                                    "chain: {count: 3, mass: 1}";
    static const struct {
        const char *set, *complaint;
    } cases[] = {
        {"chain.mass=-1", "--set chain.mass=-1: chain.mass: mass is -1, must be a positive number "
                          "(from 1e-60 to 1e60)"},
        {"chain.mass[1]=2", "--set chain.mass[1]=2: chain.mass is a single value and has no '1'"},
        {"chain.foo.bar=1", "--set chain.foo.bar=1: unknown field 'foo' in chain; known are "
                            "stiffness, exponent, restitution, energy, force, loading, unloading, "
                            "count, radius, material, "
                            "gap, gaps_close, mass, velocity and "
                            "wall"},
        {"chian.mass=1",
         "--set chian.mass=1: unknown field 'chian' in scenario; did you mean 'chain'?"},
        {"pairs[1].restitution=1", "--set pairs[1].restitution=1: scenario has no field 'pairs'"},
        {"chain.massive=1",
         "--set chain.massive=1: unknown field 'massive' in chain; did you mean 'mass'?"},
        {"laws[3]=lzb", "--set laws[3]=lzb: laws has no entry '3'; entries go from 1 to 2 (or from "
                        "-1, the last, to -2)"},
        {"laws[1e300]=lzb", "--set laws[1e300]=lzb: laws has no entry '1e300'; entries go from 1 "
                            "to 2 (or from -1, the last, to -2)"},
        {"laws.x=1", "--set laws.x=1: laws is a list: write laws[1], not laws.x"},
        {"laws[mono].tolerance=2",
         "--set laws[mono].tolerance=2: laws[2].tolerance: law lzb: tolerance is 2, must be a "
         "number between 1e-13 and 0.1"},
        {"chain=", "--set chain=: the value is empty"},
        {"chain..x=1", "--set chain..x=1: malformed path; write it like chain.restitution or "
                       "laws[1].tolerance"},
        {"laws[1=2", "--set laws[1=2: malformed path; write it like chain.restitution or "
                     "laws[1].tolerance"},
        {"nothing", "--set nothing: must be PATH=VALUE, such as chain.restitution=0.9"},
        {"chain.mass=[1", "--set chain.mass=[1: not valid YAML: did not find expected ',' or ']' "
                          "while parsing a flow sequence; the bracket of line 1, column 1 is not "
                          "closed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        refused_with(text, cases[i].set, cases[i].complaint);
    }
}

/* ---- Hostile files ------------------------------------------------------------------------- */

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    char text[201];
    memset(text, '[', 200);
    text[200] = '\0';
    refused_with(text, NULL, "s.yaml:1:65: nested deeper than 64 levels");
}

static void a_million_characters_in_one_line(void **state)
{
    (void)state;
    enum { LENGTH = 1000000 };
    char *text = malloc(LENGTH + 1);
    assert_non_null(text);
    memset(text, '9', LENGTH);
    memcpy(text, "chain: {count: ", 15);
    text[LENGTH - 1] = '}';
    text[LENGTH] = '\0';
    refused_with(text, NULL,
                 "s.yaml:1:16: chain.count is 99999999999999999999999999999999999999999999...; "
                 "must be a whole number from 1 to 100000000");
    free(text);
}

/* Nine levels of nine aliases are 2 * 9^9 numbers; after seven there are 16.8 million values, and
 * the eighth has nine times the 14.9 million of the seventh.
 */
static void aliases_that_multiply_are_refused(void **state)
{
    (void)state;
    char text[2048] = "title: &a0 [1, 1]\n";
    size_t used = strlen(text);
    for (int i = 1; i <= 9; i++) {
        used +=
            (size_t)snprintf(text + used, sizeof text - used,
                             "k%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n",
                             i, i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    }
    crm_read_error error;
    assert_null(read_with(text, NULL, 0, &error));
    assert_non_null(strstr(error.text, "s.yaml:9:20: more than 50000000 values"));
}

static void limits_hold(void **state)
{
    (void)state;
    static const char text[] = "chain: {count: 5, mass: [1, 1, 1, 1, 1]}";
    crm_yaml_limits limits = crm_yaml_limits_default();
    crm_tree *tree;
    crm_scenario *scenario;
    crm_read_error error;
    limits.nodes = 8;
    assert_int_not_equal(crm_yaml_parse(text, strlen(text), "s", &limits, &tree, &error), CRM_OK);
    assert_string_equal(error.text, "s:1:29: more than 8 values");
    limits.nodes = 100;
    limits.bodies = 4;
    assert_int_equal(crm_yaml_parse(text, strlen(text), "s", &limits, &tree, &error), CRM_OK);
    assert_int_not_equal(crm_scenario_from_tree(tree, &scenario, &error), CRM_OK);
    assert_string_equal(error.text, "s:1:16: chain.count is 5; must be a whole number from 1 to 4");
    crm_tree_free(tree);
}

static void missing_files_and_directories(void **state)
{
    (void)state;
    crm_scenario *scenario;
    crm_read_error error;
    assert_int_not_equal(crm_scenario_read("no/such.yaml", NULL, 0, NULL, &scenario, &error),
                         CRM_OK);
    assert_string_equal(error.text, "no/such.yaml: cannot be read: No such file or directory");
    assert_int_not_equal(crm_scenario_read(CAROM_SOURCE_DIR, NULL, 0, NULL, &scenario, &error),
                         CRM_OK);
    assert_non_null(strstr(error.text, ": cannot be read: Is a directory"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_out_of_range),
        cmocka_unit_test(values_of_the_wrong_kind),
        cmocka_unit_test(unknown_fields_and_names),
        cmocka_unit_test(lists_of_the_wrong_length),
        cmocka_unit_test(things_that_are_no_mechanical_system),
        cmocka_unit_test(rods_and_fixed_bodies_that_make_no_sense),
        cmocka_unit_test(options_that_are_lists_or_matrices),
        cmocka_unit_test(incomplete_or_contradictory_scenarios),
        cmocka_unit_test(text_that_is_not_a_scenario),
        cmocka_unit_test(overrides_that_lead_nowhere),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(a_million_characters_in_one_line),
        cmocka_unit_test(aliases_that_multiply_are_refused),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(missing_files_and_directories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
