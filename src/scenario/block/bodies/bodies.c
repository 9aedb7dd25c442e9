/* bodies and walls in the line, the plane or space. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/bodies/snap.h"
#include "scenario/block/bodies/bodies.h"
#include "scenario/block/bodies/gas.h"
#include "scenario/number/number.h"

enum { CRM_WALL_FIELDS(CRM_FIELD_INDEX) WALL_FIELDS };

enum { CRM_CONTACTS_FIELDS(CRM_FIELD_INDEX) CONTACTS_FIELDS };

/* Its position, if need be by a name that is taken for it. */
static const crm_node *find_position(const crm_node *body)
{
    const crm_node *suspended = crm_yaml_find(body, "suspended");
    const crm_node *found =
        suspended != NULL ? crm_yaml_find(suspended, "from") : crm_yaml_find(body, "position");
    for (size_t i = 0; body->kind == CRM_NODE_MAPPING && i < body->count && found == NULL; i++) {
        found = crm_text_is_near(body->keys[i]->text, "position") ? body->items[i] : NULL;
    }
    double number;
    bool usable =
        found != NULL && (found->kind == CRM_NODE_SEQUENCE || crm_number_value(found, &number));
    return usable ? found : NULL;
}

/* The first body's position says whether this is the line, the plane or space; else the box of the
 * gas. If it has none, which is reported later, that of another body.
 */
static crm_status read_dimension(crm_reader *reader, const crm_bodies_nodes *nodes,
                                 unsigned *dimension)
{
    const crm_node *bodies = nodes->bodies;
    const crm_node *position = bodies == NULL ? crm_yaml_find(nodes->gas, "box") : NULL;
    for (size_t i = 0; bodies != NULL && i < bodies->count && position == NULL; i++) {
        position = find_position(bodies->items[i]);
    }
    *dimension = 1;
    reader->coordinates_reported = position == NULL && reader->mistakes != NULL;
    if (position != NULL && position->kind == CRM_NODE_SEQUENCE) {
        if (position->count < 1 || position->count > 3) {
            return crm_reader_fail(reader, position,
                                   "has %zu entries; must have 1, 2 or 3 coordinates",
                                   position->count);
        }
        *dimension = (unsigned)position->count;
    }
    return CRM_OK;
}

/* Of an ellipsoid. */
enum { MOST_TURNS = 3 };

/* The velocities of a gas, one body's behind the other's, make room for spins of 0. */
static void make_room_for_spins(const crm_gas *gas, unsigned turns, double *velocity)
{
    size_t stride = gas->dimension + turns;
    for (size_t i = gas->count; i-- > 0 && turns > 0;) {
        memmove(velocity + i * stride, velocity + i * gas->dimension,
                gas->dimension * sizeof *velocity);
        for (size_t k = gas->dimension; k < stride; k++) {
            velocity[i * stride + k] = 0;
        }
    }
}

/* Those that are listed, then those of the gas. */
static crm_status read_body_list(crm_reader *reader, const crm_node *node, const crm_gas *gas,
                                 crm_names *names, crm_bodies_def *def, crm_scenario *scenario)
{
    size_t listed = node != NULL ? node->count : 0, count = listed + gas->count;
    crm_body_def *bodies = CRM_ARENA_NEW(&reader->scratch, crm_body_def, count);
    bool *hangs = CRM_ARENA_NEW(&reader->scratch, bool, listed);
    scenario->velocity = CRM_NEW(double, count *(def->dimension + MOST_TURNS));
    crm_scene_def *scene = &reader->motion.scene;
    reader->bobs = CRM_ARENA_NEW(&reader->scratch, crm_suspension, listed);
    if (bodies == NULL || hangs == NULL || scenario->velocity == NULL || reader->bobs == NULL) {
        return crm_reader_fail_memory(reader);
    }
    scene->suspended = reader->bobs;
    crm_status status = CRM_OK;
    double *velocity = scenario->velocity;
    for (size_t i = 0; i < listed && status == CRM_OK; i++) {
        bodies[i] = crm_body_def_default();
        status = crm_mistakes_pass(reader, crm_body_read(reader, node->items[i], i, def->dimension,
                                                         names, &bodies[i], velocity));
        hangs[i] =
            scene->suspended_count > 0 && scene->suspended[scene->suspended_count - 1].body == i;
        velocity += bodies[i].fixed ? 0
                    : hangs[i]      ? 1
                               : def->dimension + crm_body_turns(&bodies[i], reader->sphere_turns);
    }
    names->unsure = crm_mistakes_any(reader);
    if (status == CRM_OK && gas->count > 0 && !names->unsure) {
        const crm_gas_others others = {.count = listed, .bodies = bodies, .hangs = hangs};
        status = crm_gas_fill(reader, gas, &others, bodies + listed, velocity);
        make_room_for_spins(gas, reader->sphere_turns, velocity);
    }
    def->bodies = bodies;
    def->body_count = count;
    return status;
}

/* ---- Walls -------------------------------------------------------------------------------- */

static crm_status read_wall(crm_reader *reader, const crm_node *node, size_t index,
                            unsigned dimension, crm_names *names, crm_wall_def *wall,
                            crm_wall_motion *motion)
{
    const crm_node *fields[WALL_FIELDS];
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_WALL, fields);
    if (status == CRM_OK) {
        status = crm_mistakes_pass(
            reader, crm_body_read_name(reader, fields[WALL_NAME], index, names, &wall->name));
    }
    if (status == CRM_OK && (fields[WALL_POINT] == NULL || fields[WALL_NORMAL] == NULL)) {
        status =
            crm_reader_fail_missing(reader, node, fields[WALL_POINT] == NULL ? "point" : "normal");
    }
    if (status == CRM_OK) {
        status = crm_reader_vector(reader, fields[WALL_POINT], dimension, wall->point);
    }
    if (status == CRM_OK) {
        status = crm_reader_vector(reader, fields[WALL_NORMAL], dimension, wall->normal);
    }
    if (status == CRM_OK) {
        status = crm_reader_vector(reader, fields[WALL_VELOCITY], dimension, wall->velocity);
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(
            reader, crm_material_read(reader, fields[WALL_MATERIAL], &wall->material));
    }
    if (status == CRM_OK && fields[WALL_MOTION] != NULL) {
        status = crm_simulate_read_wall_motion(reader, fields[WALL_MOTION], motion);
    }
    if (status == CRM_OK && !reader->moves) {
        crm_simulate_start_wall(motion, dimension, wall);
    }
    return status;
}

/* Those that are listed, then those of the gas's box. */
static crm_status read_wall_list(crm_reader *reader, const crm_node *node, const crm_gas *gas,
                                 crm_names *names, crm_bodies_def *def)
{
    if (node != NULL && node->kind != CRM_NODE_SEQUENCE) {
        return crm_reader_fail_value(reader, node, "a list of walls: - {point: ..., normal: ...}");
    }
    size_t listed = node != NULL ? node->count : 0, count = listed + crm_gas_wall_count(gas);
    if (count == 0) {
        return CRM_OK;
    }
    crm_wall_def *walls = CRM_ARENA_NEW(&reader->scratch, crm_wall_def, count);
    crm_wall_motion *motions = CRM_ARENA_NEW(&reader->scratch, crm_wall_motion, count);
    if (walls == NULL || motions == NULL) {
        return crm_reader_fail_memory(reader);
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < listed && status == CRM_OK; i++) {
        walls[i] = crm_wall_def_default();
        status =
            crm_mistakes_pass(reader, read_wall(reader, node->items[i], def->body_count + i,
                                                def->dimension, names, &walls[i], &motions[i]));
    }
    crm_gas_fill_walls(gas, walls + listed);
    for (size_t i = listed; i < count; i++) {
        names->sorted[names->count++] =
            (crm_name){.text = walls[i].name, .index = def->body_count + i, .node = gas->node};
    }
    reader->motion.scene.wall_motion = motions;
    def->walls = walls;
    def->wall_count = count;
    return status;
}

/* ---- Together ----------------------------------------------------------------------------- */

/* The bodies are the reader's own: they lie in its memory. */
static crm_status snap(crm_reader *reader, const crm_node *node, const crm_bodies_def *def)
{
    static const crm_range range = {0, 0.01, false, "a number from 0 to 0.01"};
    double within = 0;
    crm_error error = {0};
    crm_snapped snapped;
    crm_status status = crm_reader_in_range(reader, node, range, &within);
    if (status != CRM_OK || !(within > 0)) {
        return status;
    }
    if (reader->motion.scene.suspended_count > 0) {
        return crm_reader_fail(reader, node, "is for free bodies only, and some are suspended");
    }
    crm_body_def *bodies = (crm_body_def *)(uintptr_t)def->bodies;
    if (crm_snap_bodies(def, within, bodies, &snapped, &error) != CRM_OK) {
        return crm_reader_fail_library(reader, reader->tree->root, &error);
    }
    if (snapped.moved > 0) {
        char name[CRM_PARTY_NAME_SIZE];
        crm_bodies_party_name(def, snapped.farthest, name, sizeof name);
        crm_reader_warn(reader, node,
                        "moved %zu of %zu bodies so that %zu pairs touch, by at most %.3g m (%s)",
                        snapped.moved, def->body_count, snapped.pairs, snapped.distance, name);
    }
    return CRM_OK;
}

static crm_status read_contact_defaults(crm_reader *reader, const crm_node *node,
                                        crm_bodies_def *def)
{
    if (node == NULL) {
        return CRM_OK;
    }
    const crm_node *fields[CONTACTS_FIELDS];
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_CONTACTS, fields);
    if (status == CRM_OK) {
        status = crm_reader_contact(reader, fields, &def->contact);
    }
    if (status == CRM_OK) {
        status = crm_friction_read(reader, fields[CONTACTS_FRICTION], def);
    }
    if (status == CRM_OK && fields[CONTACTS_TOLERANCE] != NULL) {
        status = crm_reader_number(reader, fields[CONTACTS_TOLERANCE], &def->tolerance);
    }
    if (status == CRM_OK && fields[CONTACTS_SNAP] != NULL && !crm_mistakes_any(reader)) {
        status = snap(reader, fields[CONTACTS_SNAP], def);
    }
    return status == CRM_OK && fields[CONTACTS_CLOSURE] != NULL
               ? crm_simulate_read_closure(reader, fields[CONTACTS_CLOSURE])
               : status;
}

static crm_status read_things(crm_reader *reader, const crm_bodies_nodes *nodes,
                              crm_bodies_def *def, crm_scenario *scenario)
{
    bool walls = nodes->walls != NULL && nodes->walls->kind == CRM_NODE_SEQUENCE;
    size_t listed = nodes->bodies != NULL ? nodes->bodies->count : 0;
    crm_gas gas = {.walls = CRM_GAS_NONE};
    crm_status status = read_dimension(reader, nodes, &def->dimension);
    reader->sphere_turns = crm_friction_find_turns(reader, nodes, def->dimension);
    def->spheres_turn = reader->sphere_turns > 0;
    if (status == CRM_OK && nodes->gas != NULL) {
        status = crm_gas_read(reader, nodes->gas, def->dimension, &gas);
    }
    if (status != CRM_OK) {
        return status;
    }
    size_t things =
        listed + gas.count + (walls ? nodes->walls->count : 0) + crm_gas_wall_count(&gas);
    crm_names names = {.sorted = CRM_ARENA_NEW(&reader->scratch, crm_name, things)};
    if (names.sorted == NULL) {
        return crm_reader_fail_memory(reader);
    }
    status = read_body_list(reader, nodes->bodies, &gas, &names, def, scenario);
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, read_wall_list(reader, nodes->walls, &gas, &names, def));
        names.unsure = crm_mistakes_any(reader);
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, crm_names_sort(reader, &names, "body or wall"));
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, read_contact_defaults(reader, nodes->contacts, def));
    }
    if (status == CRM_OK) {
        status =
            crm_mistakes_pass(reader, crm_pairs_read(reader, nodes->pairs, &names, things, def));
    }
    return status == CRM_OK ? crm_simulate_read_springs(reader, nodes->springs, &names, def)
                            : status;
}

/* A hundredth of their size apart is near enough to have been meant to touch. */
static const double NEARLY = 0.01;

static crm_status keep_near_contacts(crm_reader *reader, const crm_bodies_def *def,
                                     crm_scenario *scenario)
{
    crm_error error = {0};
    scenario->near_contacts = CRM_NEW(crm_near_contacts, 1);
    if (scenario->near_contacts == NULL) {
        return crm_reader_fail_memory(reader);
    }
    return crm_near_contacts_find(def, NEARLY, scenario->near_contacts, &error) == CRM_OK
               ? CRM_OK
               : crm_reader_fail_library(reader, reader->tree->root, &error);
}

static crm_status read_model(crm_reader *reader, const crm_bodies_nodes *nodes,
                             crm_scenario *scenario)
{
    crm_bodies_def def = crm_bodies_def_default();
    def.pairs_apart = nodes->simulate != NULL;
    def.material_friction = reader->material_friction;
    def.material_friction_count = reader->material_friction_count;
    crm_status status = read_things(reader, nodes, &def, scenario);
    if (status == CRM_OK && reader->moves && reader->drawn == NULL) {
        status = crm_mistakes_pass(reader, crm_friction_refuse_motion(reader, nodes, &def));
    }
    reader->motion.scene.bodies = def;
    if (status == CRM_OK && !crm_mistakes_any(reader)) {
        crm_warnings_check_bodies(reader, nodes->bodies, &def);
    }
    if (status != CRM_OK || reader->moves || crm_mistakes_any(reader)) {
        return status;
    }
    crm_error error = {0};
    double most = 0.5 * reader->tree->limits.memory; /* and as much again for a law */
    status = crm_model_from_bodies_within(&def, most, &scenario->model, &error);
    if (status == CRM_ERROR_MEMORY && error.place[0] != '\0') {
        crm_reader_fail(reader, crm_yaml_locate(reader->tree->root, "contacts.tolerance", NULL),
                        "%s (half of --max-memory)", error.message);
        return reader->error->status = CRM_ERROR_MEMORY;
    }
    if (status != CRM_OK) {
        return crm_reader_fail_library(reader, reader->tree->root, &error);
    }
    return keep_near_contacts(reader, &def, scenario);
}

crm_status crm_bodies_read(crm_reader *reader, const crm_bodies_nodes *nodes,
                           crm_scenario *scenario)
{
    const crm_node *bodies = nodes->bodies;
    if (bodies == NULL) {
        return read_model(reader, nodes, scenario);
    }
    if (bodies->kind != CRM_NODE_SEQUENCE || bodies->count == 0) {
        return crm_reader_fail_value(reader, bodies,
                                     "a list of bodies: - {radius: ..., position: ...}");
    }
    if (bodies->count > reader->tree->limits.bodies) {
        return crm_reader_fail(reader, bodies, "has %zu entries; at most %zu are allowed",
                               bodies->count, reader->tree->limits.bodies);
    }
    return read_model(reader, nodes, scenario);
}
