#include "scenario/scenario.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "scenario/reader.h"

enum { CRM_TOP_FIELDS(CRM_FIELD_INDEX) TOP_FIELDS };
enum { CRM_HISTORY_FIELDS(CRM_FIELD_INDEX) HISTORY_FIELDS };

static const char *top_name(size_t field)
{
    return crm_block_at(CRM_BLOCK_TOP)->fields[field].name;
}

/* ---- What is struck ----------------------------------------------------------------------- */

static crm_status find_definition(crm_reader *reader, const crm_node *const *fields, size_t *kind)
{
    static const size_t kinds[] = {TOP_CHAIN, TOP_PACKING, TOP_BODIES, TOP_GAS, TOP_SYSTEM};
    size_t found = TOP_FIELDS;
    for (size_t i = 0; i < CRM_COUNT(kinds); i++) {
        if (fields[kinds[i]] == NULL || (kinds[i] == TOP_GAS && found == TOP_BODIES)) {
            continue;
        }
        if (found != TOP_FIELDS) {
            return crm_reader_fail(reader, fields[kinds[i]],
                                   "is a second system besides '%s'; a scenario has exactly one of "
                                   "chain, packing, bodies and system",
                                   top_name(found));
        }
        found = kinds[i];
    }
    if (found == TOP_FIELDS) {
        return crm_reader_fail(
            reader, reader->tree->root,
            "describes no system; it needs one of chain, packing, bodies and system");
    }
    *kind = found;
    return CRM_OK;
}

/* Bodies, listed or at random. */
static bool is_of_bodies(size_t kind)
{
    return kind == TOP_BODIES || kind == TOP_GAS;
}

/* Nothing is ignored silently, except what another command reads. */
static crm_status refuse_misplaced(crm_reader *reader, const crm_node *const *fields, size_t kind)
{
    static const size_t of_bodies[] = {TOP_WALLS, TOP_CONTACTS, TOP_PAIRS, TOP_SPRINGS};
    for (size_t i = 0; i < CRM_COUNT(of_bodies) && !is_of_bodies(kind); i++) {
        if (fields[of_bodies[i]] != NULL) {
            return crm_reader_fail(reader, fields[of_bodies[i]],
                                   "belongs to 'bodies'; this scenario has '%s', which has its own "
                                   "contacts%s",
                                   top_name(kind),
                                   kind == TOP_CHAIN     ? " and wall"
                                   : kind == TOP_PACKING ? " and walls"
                                                         : "");
        }
    }
    if (fields[TOP_SIMULATE] != NULL && !is_of_bodies(kind) && kind != TOP_CHAIN) {
        return crm_reader_fail(
            reader, fields[TOP_SIMULATE],
            "is for bodies or a chain, which have a place; this scenario has '%s'", top_name(kind));
    }
    return CRM_OK;
}

static crm_status read_definition(crm_reader *reader, const crm_node *const *fields,
                                  crm_scenario *scenario)
{
    size_t kind = TOP_CHAIN;
    crm_status status = find_definition(reader, fields, &kind);
    if (status == CRM_OK) {
        status = refuse_misplaced(reader, fields, kind);
    }
    if (status != CRM_OK) {
        return status;
    }
    scenario->definition = fields[kind];
    scenario->generalized = kind == TOP_SYSTEM;
    bool moves = reader->moves && reader->drawn == NULL;
    if (moves && !is_of_bodies(kind) && kind != TOP_CHAIN) {
        return crm_reader_fail(reader, fields[kind],
                               "cannot be moved; carom simulate takes bodies or a chain");
    }
    if (kind == TOP_CHAIN) {
        reader->motion.scene.bodies.dimension = 1;
        return crm_chain_read(reader, fields[TOP_CHAIN], scenario);
    }
    if (kind == TOP_PACKING) {
        return crm_packing_read(reader, fields[TOP_PACKING], scenario);
    }
    if (kind == TOP_SYSTEM) {
        return crm_system_read(reader, fields[TOP_SYSTEM], scenario);
    }
    crm_bodies_nodes nodes = {.bodies = fields[TOP_BODIES],
                              .gas = fields[TOP_GAS],
                              .walls = fields[TOP_WALLS],
                              .contacts = fields[TOP_CONTACTS],
                              .pairs = fields[TOP_PAIRS],
                              .springs = fields[TOP_SPRINGS],
                              .simulate = fields[TOP_SIMULATE]};
    return crm_bodies_read(reader, &nodes, scenario);
}

/* What crm_solve would refuse, refused with its place in the file. */
static crm_status check_motion(crm_reader *reader, const crm_scenario *scenario)
{
    crm_error error = {0};
    double *u = CRM_NEW(double, crm_model_contacts(scenario->model));
    if (u == NULL) {
        return crm_reader_fail_memory(reader);
    }
    crm_model_gap_velocity(scenario->model, scenario->velocity, u);
    crm_status status = crm_ranges_check_impact(scenario->model, scenario->velocity, u, &error);
    free(u);
    return status == CRM_OK ? CRM_OK
                            : crm_reader_fail_library(reader, scenario->definition, &error);
}

/* ---- The whole ---------------------------------------------------------------------------- */

static crm_status read_history(crm_reader *reader, const crm_node *node, crm_scenario *scenario)
{
    static const crm_range positive = {0, DBL_MAX, true, "a time above 0, in seconds"};
    const crm_node *fields[HISTORY_FIELDS];
    if (node == NULL) {
        return CRM_OK;
    }
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_HISTORY, fields);
    if (status == CRM_OK && fields[HISTORY_OF] != NULL) {
        status = crm_reader_text(reader, fields[HISTORY_OF], &scenario->history_of);
    }
    return status == CRM_OK && fields[HISTORY_INTERVAL] != NULL
               ? crm_reader_in_range(reader, fields[HISTORY_INTERVAL], positive,
                                     &scenario->history_interval)
               : status;
}

static crm_status read_simulate(crm_reader *reader, const crm_node *node,
                                const crm_scenario *scenario)
{
    reader->motion.scene.velocity = scenario->velocity;
    if (node != NULL) {
        return crm_simulate_read(reader, node);
    }
    return reader->moves ? crm_reader_fail(reader, reader->tree->root,
                                           "has no field 'simulate', which carom simulate needs "
                                           "for the duration and gravity")
                         : CRM_OK;
}

crm_status crm_scenario_read_definition(crm_reader *reader, crm_scenario *scenario)
{
    const crm_node *fields[TOP_FIELDS];
    crm_status status = crm_reader_block(reader, reader->tree->root, CRM_BLOCK_TOP, fields);
    if (status == CRM_OK) {
        status = crm_materials_read(reader, fields[TOP_MATERIALS]);
    }
    return status == CRM_OK ? read_definition(reader, fields, scenario) : status;
}

/* What is struck. A mistake in materials may be all that is wrong with it. */
static crm_status read_struck(crm_reader *reader, const crm_node *const *fields,
                              crm_scenario *scenario)
{
    crm_mistakes_mark(reader);
    crm_status status =
        crm_mistakes_pass(reader, crm_materials_read(reader, fields[TOP_MATERIALS]));
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, read_definition(reader, fields, scenario));
    }
    static const size_t parts[] = {TOP_CHAIN, TOP_PACKING, TOP_BODIES,   TOP_GAS,
                                   TOP_WALLS, TOP_SYSTEM,  TOP_CONTACTS, TOP_PAIRS};
    for (size_t i = 0; i < CRM_COUNT(parts) && status == CRM_OK; i++) {
        crm_mistakes_check_ranges(reader, fields[parts[i]]);
    }
    return status == CRM_OK && !reader->moves && !crm_mistakes_any(reader)
               ? crm_mistakes_pass(reader, check_motion(reader, scenario))
               : status;
}

static crm_status read_all(crm_reader *reader, crm_scenario *scenario)
{
    const crm_node *fields[TOP_FIELDS];
    crm_status status = crm_reader_block(reader, reader->tree->root, CRM_BLOCK_TOP, fields);
    if (status == CRM_OK && fields[TOP_TITLE] != NULL) {
        status =
            crm_mistakes_pass(reader, crm_reader_text(reader, fields[TOP_TITLE], &scenario->title));
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, read_history(reader, fields[TOP_HISTORY], scenario));
    }
    if (status == CRM_OK) {
        status = read_struck(reader, fields, scenario);
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, read_simulate(reader, fields[TOP_SIMULATE], scenario));
    }
    return status == CRM_OK ? crm_laws_read(reader, fields[TOP_LAWS], scenario) : status;
}

/* The motion keeps what its scene points to; of an impact nothing is kept. */
static crm_status keep_motion(crm_reader *reader, crm_scenario *scenario)
{
    scenario->motion = CRM_NEW(crm_scenario_motion, 1);
    if (scenario->motion == NULL) {
        return crm_reader_fail_memory(reader);
    }
    *scenario->motion = reader->motion;
    scenario->motion->memory = reader->scratch;
    reader->scratch = (crm_arena){0};
    reader->motion.law.settings = NULL;
    return CRM_OK;
}

static crm_status read_tree(crm_tree *tree, bool moves, crm_scenario **scenario,
                            crm_read_error *error)
{
    *scenario = NULL;
    crm_scenario *made = CRM_NEW(crm_scenario, 1);
    if (made == NULL) {
        return crm_yaml_fail_memory(tree, error);
    }
    made->title = "";
    crm_reader reader = {.tree = tree, .error = error, .warnings = &made->warnings, .moves = moves};
    crm_mistakes mistakes;
    crm_mistakes_begin(&reader, &mistakes);
    reader.motion.scene = crm_scene_def_default();
    reader.motion.options = crm_motion_options_default();
    crm_status status = crm_mistakes_end(&reader, read_all(&reader, made));
    if (status == CRM_OK && moves) {
        status = keep_motion(&reader, made);
    }
    crm_settings_free(reader.motion.law.settings);
    crm_arena_free(&reader.scratch);
    if (status != CRM_OK) {
        crm_scenario_free(made);
        return status;
    }
    made->tree = tree;
    *scenario = made;
    return CRM_OK;
}

crm_status crm_scenario_from_tree(crm_tree *tree, crm_scenario **scenario, crm_read_error *error)
{
    return read_tree(tree, false, scenario, error);
}

crm_status crm_scenario_motion_from_tree(crm_tree *tree, crm_scenario **scenario,
                                         crm_read_error *error)
{
    return read_tree(tree, true, scenario, error);
}

static void free_motion(crm_scenario_motion *motion)
{
    if (motion != NULL) {
        crm_settings_free(motion->law.settings);
        crm_arena_free(&motion->memory);
        free(motion);
    }
}

void crm_scenario_free(crm_scenario *scenario)
{
    if (scenario == NULL) {
        return;
    }
    for (size_t i = 0; i < scenario->law_count; i++) {
        crm_settings_free(scenario->laws[i].settings);
    }
    free(scenario->laws);
    free(scenario->near_contacts);
    free(scenario->velocity);
    crm_model_free(scenario->model);
    free_motion(scenario->motion);
    free(scenario->text);
    crm_tree_free(scenario->tree);
    free(scenario);
}

/* ---- From a text or a file ------------------------------------------------------------------- */

static crm_status read_text(const crm_source *source, const char *text, size_t length,
                            const crm_yaml_limits *limits, bool moves, crm_scenario **scenario,
                            crm_read_error *error)
{
    crm_tree *tree = NULL;
    crm_status status =
        crm_yaml_parse(text, length, crm_load_source_name(source), limits, &tree, error);
    if (status == CRM_OK) {
        tree->own = (crm_own_laws){source->own_laws, source->own_law_count, source->own_functions,
                                   source->own_function_count};
    }
    for (size_t i = 0; i < source->override_count && status == CRM_OK; i++) {
        status = crm_yaml_set(tree, source->overrides[i], error);
    }
    if (status == CRM_OK) {
        status = read_tree(tree, moves, scenario, error);
    }
    if (status != CRM_OK) {
        crm_tree_free(tree);
    }
    return status;
}

/* A motion is by one law, whatever the file says of it. */
static crm_status choose_laws(crm_scenario *scenario, const char *names, crm_read_error *error)
{
    crm_status status = crm_scenario_choose_laws(scenario, names, error);
    if (status != CRM_OK || scenario->motion == NULL) {
        return status;
    }
    crm_settings_free(scenario->motion->law.settings);
    scenario->motion->law.settings = NULL;
    return scenario->law_count == 1
               ? CRM_OK
               : crm_yaml_fail_at(error, CRM_ERROR_OPTION, "laws", 0, 0,
                                  "'%.200s' names several laws; a motion takes one", names);
}

crm_status crm_scenario_read_source(const crm_source *source, const crm_yaml_limits *limits,
                                    bool moves, crm_scenario **scenario, crm_read_error *error)
{
    *scenario = NULL;
    crm_yaml_limits standard = crm_yaml_limits_default();
    standard.memory = source->bytes;
    const char *text;
    char *read;
    size_t length;
    crm_status status = crm_load_source_text(source, &text, &length, &read, error);
    if (status == CRM_OK) {
        status = read_text(source, text, length, limits != NULL ? limits : &standard, moves,
                           scenario, error);
    }
    if (status == CRM_OK) {
        (*scenario)->text = read;
    } else {
        free(read);
    }
    if (status == CRM_OK && source->laws != NULL) {
        status = choose_laws(*scenario, source->laws, error);
    }
    if (status != CRM_OK) {
        crm_scenario_free(*scenario);
        *scenario = NULL;
    }
    return status;
}

crm_status crm_scenario_read(const char *path, const char *const *overrides, size_t override_count,
                             const crm_yaml_limits *limits, crm_scenario **scenario,
                             crm_read_error *error)
{
    const crm_source source = {
        .path = path, .overrides = overrides, .override_count = override_count};
    return crm_scenario_read_source(&source, limits, false, scenario, error);
}

crm_status crm_scenario_motion_read(const char *path, const char *const *overrides,
                                    size_t override_count, const crm_yaml_limits *limits,
                                    crm_scenario **scenario, crm_read_error *error)
{
    const crm_source source = {
        .path = path, .overrides = overrides, .override_count = override_count};
    return crm_scenario_read_source(&source, limits, true, scenario, error);
}
