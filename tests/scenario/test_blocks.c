/* The description of a scenario's fields: the readers read what it lists, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/inverse/check.h"
#include "scenario/block/blocks.h"
#include "study/study.h"

static const char CHAIN[] = "title: 1\n"
                            "laws: [{law: lzb}]\n"
                            "materials: {steel: {density: 1}}\n"
                            "history: {}\n"
                            "chain: {count: 2, wall: {side: left}}\n";
static const char BY_RULE[] =
    "chain: {count: 2, mass: {formula: i, disorder: {normal: [1, 0.01]}}}";
static const char PACKING[] = "packing: {lattice: cubic, columns: 1, rows: 1, layers: 2,\n"
                              "          walls: {kind: floor}, projectile: {velocity: [0, 0, -1]}}";
static const char BODIES[] = "bodies: [{shape: rod, length: 2, mass: 1, position: [0, 1]}]\n"
                             "walls: [{point: [0, 1], normal: [0, 1]}]\n"
                             "contacts: {}\n"
                             "pairs: [{between: [1, 2]}]\n";
static const char CURVES[] =
    "chain:\n"
    "  count: 2\n"
    "  restitution: {yield_speed: 1}\n"
    "  loading: {sum: [{stiffness: 1}]}\n"
    "  wall: {side: right, loading: {bounded: {stiffness: 1, yield: 1}}}\n";
static const char MOTION[] =
    "bodies: [{radius: 1, mass: 1, suspended: {from: [0, 0], length: 1}}]\n"
    "walls: [{point: [0, -5], normal: [0, 1], motion: {amplitude: 1, frequency: 1}}]\n"
    "springs: [{between: [1, [0, 2]], stiffness: 1}]\n"
    "simulate: {duration: 1, stop: {}}";
static const char GAS[] = "gas: {count: 2, radius: 0.1, box: [1, 1]}\n"
                          "simulate: {duration: 1}";
static const char SYSTEM[] = "system: {mass: [1, 1], contacts: [{w: [-1, 1]}]}";
static const char GRID[] = "title: 1\n"
                           "chain: {count: 2}\n"
                           "sweep: {grid: {title: {from: 1, to: 2, steps: 2}}}";
static const char SAMPLE[] = "title: 1\n"
                             "chain: {count: 2}\n"
                             "sweep: {sample: {points: 1, of: {title: {uniform: [1, 2]}}}}";

static const char INVERSE[] =
    "chain: {count: 2, velocity: [1], restitution: 0.5}\n"
    "title: 1\n"
    "sensitivity: {to: chain.restitution}\n"
    "fit: {parameters: {title: {from: 0, to: 2}}, measured: [{what: duration, value: 1}]}\n"
    "design: {maximize: duration, over: {title: {from: 0, to: 2}}}\n"
    "admissible: {of: velocity}\n";

/* A scenario that has the block, and at which end it stands there. */
static const struct {
    const char *text, *path;
} places[CRM_BLOCKS] = {
    [CRM_BLOCK_TOP] = {CHAIN, ""},
    [CRM_BLOCK_LAW] = {CHAIN, "laws[1]."},
    [CRM_BLOCK_MATERIAL] = {CHAIN, "materials.steel."},
    [CRM_BLOCK_HISTORY] = {CHAIN, "history."},
    [CRM_BLOCK_CHAIN] = {CHAIN, "chain."},
    [CRM_BLOCK_CHAIN_WALL] = {CHAIN, "chain.wall."},
    [CRM_BLOCK_SERIES] = {BY_RULE, "chain.mass."},
    [CRM_BLOCK_DISORDER] = {BY_RULE, "chain.mass.disorder."},
    [CRM_BLOCK_PACKING] = {PACKING, "packing."},
    [CRM_BLOCK_PACKING_WALLS] = {PACKING, "packing.walls."},
    [CRM_BLOCK_PROJECTILE] = {PACKING, "packing.projectile."},
    [CRM_BLOCK_BODY] = {BODIES, "bodies[1]."},
    [CRM_BLOCK_WALL] = {BODIES, "walls[1]."},
    [CRM_BLOCK_CONTACTS] = {BODIES, "contacts."},
    [CRM_BLOCK_PAIR] = {BODIES, "pairs[1]."},
    [CRM_BLOCK_CURVE] = {CURVES, "chain.loading."},
    [CRM_BLOCK_TERM] = {CURVES, "chain.loading.sum[1]."},
    [CRM_BLOCK_BOUNDED] = {CURVES, "chain.wall.loading.bounded."},
    [CRM_BLOCK_RESTITUTION] = {CURVES, "chain.restitution."},
    [CRM_BLOCK_GAS] = {GAS, "gas."},
    [CRM_BLOCK_SUSPENDED] = {MOTION, "bodies[1].suspended."},
    [CRM_BLOCK_WALL_MOTION] = {MOTION, "walls[1].motion."},
    [CRM_BLOCK_SPRING] = {MOTION, "springs[1]."},
    [CRM_BLOCK_SIMULATE] = {MOTION, "simulate."},
    [CRM_BLOCK_STOP] = {MOTION, "simulate.stop."},
    [CRM_BLOCK_SYSTEM] = {SYSTEM, "system."},
    [CRM_BLOCK_SYSTEM_CONTACT] = {SYSTEM, "system.contacts[1]."},
    [CRM_BLOCK_SWEEP] = {GRID, "sweep."},
    [CRM_BLOCK_RANGE] = {GRID, "sweep.grid.title."},
    [CRM_BLOCK_SAMPLE] = {SAMPLE, "sweep.sample."},
    [CRM_BLOCK_DRAW] = {SAMPLE, "sweep.sample.of.title."},
    [CRM_BLOCK_SENSITIVITY] = {INVERSE, "sensitivity."},
    [CRM_BLOCK_FIT] = {INVERSE, "fit."},
    [CRM_BLOCK_PARAMETER] = {INVERSE, "fit.parameters.title."},
    [CRM_BLOCK_MEASURED] = {INVERSE, "fit.measured[1]."},
    [CRM_BLOCK_DESIGN] = {INVERSE, "design."},
    [CRM_BLOCK_CHOSEN] = {INVERSE, "design.over.title."},
    [CRM_BLOCK_ADMISSIBLE] = {INVERSE, "admissible."},
};

static bool is_read_as_motion(const char *text, const char *set, crm_read_error *error)
{
    crm_tree *tree = NULL;
    crm_scenario *scenario = NULL;
    crm_yaml_limits limits = crm_yaml_limits_default();
    assert_int_equal(crm_yaml_parse(text, strlen(text), "s.yaml", &limits, &tree, error), CRM_OK);
    bool good = (set == NULL || crm_yaml_set(tree, set, error) == CRM_OK) &&
                crm_scenario_motion_from_tree(tree, &scenario, error) == CRM_OK;
    if (good) {
        crm_scenario_free(scenario);
    } else {
        crm_tree_free(tree);
    }
    return good;
}

/* What goes back from outcomes to fields, of what the scenario has. */
static bool is_read_backwards(const crm_study_def *def, crm_read_error *error)
{
    crm_tree *tree = NULL;
    crm_yaml_limits limits = crm_yaml_limits_default();
    crm_inverse_blocks blocks = {0};
    crm_status status = crm_yaml_parse(def->text, def->length, "s.yaml", &limits, &tree, error);
    for (size_t i = 0; i < def->override_count && status == CRM_OK; i++) {
        status = crm_yaml_set(tree, def->overrides[i], error);
    }
    status = status == CRM_OK ? crm_check_read(&blocks, def, tree, error) : status;
    crm_check_free(&blocks);
    crm_tree_free(tree);
    return status == CRM_OK;
}

/* A study reads the sweep, and the scenario of its first point. */
static bool is_read(const char *text, const char *set, crm_read_error *error)
{
    if (text == MOTION || text == GAS) {
        *error = (crm_read_error){0};
        return is_read_as_motion(text, set, error);
    }
    crm_study *study = NULL;
    crm_study_def def = {.text = text,
                         .length = strlen(text),
                         .source = "s.yaml",
                         .overrides = &set,
                         .override_count = set != NULL ? 1 : 0};
    *error = (crm_read_error){0};
    bool good = crm_study_read(&def, &study, error) == CRM_OK;
    crm_study_free(study);
    return good && is_read_backwards(&def, error);
}

/* What the complaint about --set says, after its place; of a block that is left out, the file's. */
static const char *complaint(const char *text, const char *set)
{
    static crm_read_error error;
    if (is_read(text, set, &error)) {
        fail_msg("%s is not looked at", set);
    }
    const char *place = strstr(error.text, set);
    return place != NULL ? place + strlen(set) : error.text;
}

static void scenarios_are_good_as_they_are(void **state)
{
    (void)state;
    static crm_read_error error;
    for (size_t i = 0; i < CRM_BLOCKS; i++) {
        assert_non_null(places[i].text);
        if (!is_read(places[i].text, NULL, &error)) {
            fail_msg("%s: %s", crm_block_at(i)->name, error.text);
        }
    }
}

/* No field takes a mapping whose only key is zzz, so that one which is read is refused: by its
 * name, or for the key.
 */
static void every_field_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < CRM_BLOCKS; i++) {
        const crm_block *block = crm_block_at(i);
        for (size_t k = 0; k < block->count; k++) {
            char set[128], unknown[128];
            const char *name = block->fields[k].name;
            snprintf(set, sizeof set, "%s%s={zzz: 0}", places[i].path, name);
            snprintf(unknown, sizeof unknown, "unknown field '%s'", name);
            const char *said = complaint(places[i].text, set);
            bool told = strstr(said, name) != NULL || strstr(said, "'zzz'") != NULL;
            if (!told || strstr(said, unknown) != NULL) {
                fail_msg("%s of %s: %s", name, block->name, said);
            }
        }
    }
}

static void no_other_field_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < CRM_BLOCKS; i++) {
        char set[128];
        snprintf(set, sizeof set, "%szzzzzzzzz=0", places[i].path);
        const char *said = complaint(places[i].text, set);
        if (strstr(said, "unknown field 'zzzzzzzzz' in ") == NULL) {
            fail_msg("%s: %s", crm_block_at(i)->name, said);
        }
    }
}

/* Always, or as the text says. */
static bool is_needed(const crm_field *field)
{
    return field->standard == NULL || strncmp(field->standard, "required", 8) == 0;
}

/* Which field an empty block is refused for; NULL: it is none of that. */
static const crm_field *missing(const crm_block *block, const char *said)
{
    const crm_field *found = NULL;
    for (size_t k = 0; k < block->count; k++) {
        char words[80];
        snprintf(words, sizeof words, "has no field '%s', which is required",
                 block->fields[k].name);
        const char *at = strstr(said, words);
        found = at != NULL && strcmp(at, words) == 0 ? &block->fields[k] : found;
    }
    return found;
}

/* An empty block is refused for a field that is said to be needed, if there is one. */
static void needed_fields_are_needed(void **state)
{
    (void)state;
    for (size_t i = 1; i < CRM_BLOCKS; i++) { /* all but the top level, which is no field */
        const crm_block *block = crm_block_at(i);
        static crm_read_error error;
        char set[128];
        bool needs = false;
        for (size_t k = 0; k < block->count; k++) {
            needs = needs || is_needed(&block->fields[k]);
        }
        snprintf(set, sizeof set, "%.*s={}", (int)strlen(places[i].path) - 1, places[i].path);
        const crm_field *field =
            is_read(places[i].text, set, &error) ? NULL : missing(block, error.text);
        if (needs != (field != NULL) || (field != NULL && !is_needed(field))) {
            fail_msg("%s: %s", block->name, error.text);
        }
    }
}

static void descriptions_are_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < CRM_BLOCKS; i++) {
        const crm_block *block = crm_block_at(i);
        assert_true(block->count > 0 && block->count <= CRM_FIELDS_MOST);
        for (size_t k = 0; k < block->count; k++) {
            const crm_field *field = &block->fields[k];
            assert_true(field->text[0] != '\0');
            assert_true(crm_block_kind_text(field->kind)[0] != '\0' || field->allowed != NULL);
            assert_true(field->kind != CRM_KIND_WORD || field->allowed != NULL);
            for (size_t l = 0; l < k; l++) {
                assert_string_not_equal(field->name, block->fields[l].name);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenarios_are_good_as_they_are),
        cmocka_unit_test(every_field_is_read),
        cmocka_unit_test(no_other_field_is_read),
        cmocka_unit_test(needed_fields_are_needed),
        cmocka_unit_test(descriptions_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
