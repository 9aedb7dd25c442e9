/* packing: equal balls on a lattice, struck by a projectile. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/packing/packing.h"
#include "scenario/number/number.h"
#include "scenario/reader.h"

/* ---- The walls ---------------------------------------------------------------------------- */

enum { CRM_PACKING_WALLS_FIELDS(CRM_FIELD_INDEX) WALLS_FIELDS };

static crm_status read_kind(crm_reader *reader, const crm_node *node, crm_packing_def *def)
{
    static const char *const kinds[] = {
        [CRM_PACKING_OPEN] = "none", [CRM_PACKING_FLOOR] = "floor", [CRM_PACKING_BOX] = "box"};
    size_t kind = CRM_PACKING_OPEN;
    crm_status status = crm_reader_choice(reader, node, kinds, CRM_COUNT(kinds), &kind);
    def->walls = (crm_packing_walls)kind;
    return status;
}

static crm_status read_walls(crm_reader *reader, const crm_node *node, crm_packing_def *def)
{
    if (node == NULL) {
        return CRM_OK;
    }
    if (node->kind == CRM_NODE_SCALAR) {
        return read_kind(reader, node, def);
    }
    const crm_node *fields[WALLS_FIELDS];
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_PACKING_WALLS, fields);
    if (status == CRM_OK && fields[WALLS_KIND] == NULL) {
        status = crm_reader_fail_missing(reader, node, "kind");
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, read_kind(reader, fields[WALLS_KIND], def));
    }
    if (status == CRM_OK) {
        status = crm_reader_contact(reader, fields, &def->wall);
    }
    if (status == CRM_OK) {
        status = crm_reader_friction(reader, fields[WALLS_FRICTION], &def->wall);
    }
    return status == CRM_OK ? crm_material_read(reader, fields[WALLS_MATERIAL], &def->wall_material)
                            : status;
}

/* ---- The projectile ----------------------------------------------------------------------- */

enum { CRM_PROJECTILE_FIELDS(CRM_FIELD_INDEX) PROJECTILE_FIELDS };

/* "middle", a number in the plane, two in space. */
static crm_status read_over(crm_reader *reader, const crm_node *node, unsigned dimension,
                            crm_projectile_def *projectile)
{
    static const char *const middle[] = {"middle"};
    size_t ignored;
    double number;
    if (node == NULL) {
        return CRM_OK;
    }
    if (node->kind == CRM_NODE_SCALAR && !crm_number_value(node, &number)) {
        return crm_reader_choice(reader, node, middle, 1, &ignored);
    }
    return crm_reader_vector(reader, node, dimension - 1, projectile->over);
}

static crm_status read_projectile(crm_reader *reader, const crm_node *node, unsigned dimension,
                                  crm_projectile_def *projectile, double *velocity)
{
    const crm_node *fields[PROJECTILE_FIELDS];
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_PROJECTILE, fields);
    if (status == CRM_OK && fields[PROJECTILE_VELOCITY] == NULL) {
        status = crm_reader_fail_missing(reader, node, "velocity");
    }
    if (status == CRM_OK) {
        status = crm_reader_velocity(reader, fields[PROJECTILE_VELOCITY], dimension, velocity);
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(
            reader, read_over(reader, fields[PROJECTILE_OVER], dimension, projectile));
    }
    if (status == CRM_OK && fields[PROJECTILE_RADIUS] != NULL) {
        status = crm_reader_number(reader, fields[PROJECTILE_RADIUS], &projectile->radius);
    }
    if (status == CRM_OK && fields[PROJECTILE_MASS] != NULL) {
        status = crm_reader_number(reader, fields[PROJECTILE_MASS], &projectile->mass);
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(
            reader, crm_material_read(reader, fields[PROJECTILE_MATERIAL], &projectile->material));
    }
    if (status == CRM_OK) {
        status = crm_reader_contact(reader, fields, &projectile->contact);
    }
    return status == CRM_OK
               ? crm_reader_friction(reader, fields[PROJECTILE_FRICTION], &projectile->contact)
               : status;
}

/* ---- The balls ---------------------------------------------------------------------------- */

enum { CRM_PACKING_FIELDS(CRM_FIELD_INDEX) PACKING_FIELDS };

static crm_status read_lattice(crm_reader *reader, const crm_node *packing,
                               const crm_node *const *fields, crm_packing_def *def)
{
    static const char *const lattices[] = {[CRM_LATTICE_SQUARE] = "square",
                                           [CRM_LATTICE_HEXAGONAL] = "hexagonal",
                                           [CRM_LATTICE_CUBIC] = "cubic",
                                           [CRM_LATTICE_FCC] = "fcc",
                                           [CRM_LATTICE_RACK] = "rack"};
    size_t lattice = CRM_LATTICE_HEXAGONAL;
    if (fields[PACKING_LATTICE] == NULL) {
        return crm_reader_fail_missing(reader, packing, "lattice");
    }
    crm_status status =
        crm_reader_choice(reader, fields[PACKING_LATTICE], lattices, CRM_COUNT(lattices), &lattice);
    def->lattice = (crm_lattice)lattice;
    if (status == CRM_OK && fields[PACKING_LAYERS] != NULL &&
        crm_lattice_dimension(def->lattice) == 2) {
        status =
            crm_reader_fail(reader, fields[PACKING_LAYERS],
                            "is given for the lattice '%s', which is in the plane and has columns "
                            "and rows only",
                            lattices[lattice]);
    }
    if (status == CRM_OK && fields[PACKING_COLUMNS] != NULL && lattice == CRM_LATTICE_RACK) {
        status =
            crm_reader_fail(reader, fields[PACKING_COLUMNS],
                            "is given for a rack, whose rows are one ball shorter each, down to 1");
    }
    return status;
}

/* Each number by itself, then what they make together. */
static crm_status read_sizes(crm_reader *reader, const crm_node *packing,
                             const crm_node *const *fields, crm_packing_def *def)
{
    const crm_field *names = crm_block_at(CRM_BLOCK_PACKING)->fields + PACKING_COLUMNS;
    size_t *const sizes[] = {&def->columns, &def->rows, &def->layers};
    size_t most = reader->tree->limits.bodies;
    crm_status status = CRM_OK;
    size_t first = def->lattice == CRM_LATTICE_RACK ? 1 : 0; /* it has rows only */
    for (size_t d = first; d < crm_lattice_dimension(def->lattice) && status == CRM_OK; d++) {
        const crm_node *node = fields[PACKING_COLUMNS + d];
        status = node == NULL ? crm_reader_fail_missing(reader, packing, names[d].name)
                              : crm_reader_count(reader, node, most, sizes[d]);
    }
    if (status != CRM_OK) {
        return status;
    }
    size_t balls = crm_packing_balls(def), contacts = crm_packing_contacts(def);
    if (balls > most || contacts > most) {
        return crm_reader_fail(reader, packing,
                               "has %zu balls and %zu contacts; at most %zu of each are allowed",
                               balls, contacts, most);
    }
    if (balls == 0) { /* too many or too few; the library says which */
        crm_error error = {0};
        crm_model_from_packing(def, &(crm_model *){NULL}, &error);
        return crm_reader_fail_library(reader, packing, &error);
    }
    return crm_reader_check_bytes(reader, packing, crm_packing_memory(def));
}

static crm_status read_contact_values(crm_reader *reader, const crm_node *const *fields,
                                      crm_packing_def *def)
{
    crm_values *const values[CRM_CONTACT_NUMBERS] = {
        [CRM_CONTACT_STIFFNESS] = &def->stiffness,
        [CRM_CONTACT_EXPONENT] = &def->exponent,
        [CRM_CONTACT_RESTITUTION] = &def->restitution,
        [CRM_CONTACT_ENERGY] = &def->stored_energy,
        [CRM_CONTACT_FORCE] = &def->force,
    };
    size_t contacts = crm_packing_contacts(def);
    crm_status status = crm_compliance_read(reader, fields, &def->compliance);
    for (size_t i = 0; i < CRM_CONTACT_NUMBERS && status == CRM_OK; i++) {
        if (i == CRM_CONTACT_RESTITUTION && crm_compliance_is_by_impact(fields[i])) {
            continue;
        }
        status = crm_reader_values(reader, fields[i], &crm_block_at(CRM_BLOCK_PACKING)->fields[i],
                                   contacts, "contact between balls", values[i]);
    }
    return status == CRM_OK
               ? crm_reader_values(reader, fields[PACKING_FRICTION],
                                   &crm_block_at(CRM_BLOCK_PACKING)->fields[PACKING_FRICTION],
                                   contacts, "contact between balls", &def->friction)
               : status;
}

static crm_status read_definition(crm_reader *reader, const crm_node *node,
                                  const crm_node *const *fields, crm_packing_def *def)
{
    crm_status status = read_lattice(reader, node, fields, def);
    if (status == CRM_OK) {
        status = read_sizes(reader, node, fields, def);
    }
    if (status == CRM_OK && fields[PACKING_RADIUS] != NULL) {
        status = crm_reader_number(reader, fields[PACKING_RADIUS], &def->radius);
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(
            reader, crm_material_read(reader, fields[PACKING_MATERIAL], &def->material));
    }
    if (status == CRM_OK) {
        status = crm_reader_values(reader, fields[PACKING_MASS],
                                   &crm_block_at(CRM_BLOCK_PACKING)->fields[PACKING_MASS],
                                   crm_packing_balls(def), "ball", &def->mass);
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, read_walls(reader, fields[PACKING_WALLS], def));
    }
    return status == CRM_OK ? read_contact_values(reader, fields, def) : status;
}

/* The same for every ball, and the projectile's at the end; with friction spins of 0 behind each.
 */
static crm_status read_velocities(crm_reader *reader, const crm_node *const *fields,
                                  crm_packing_def *def, crm_projectile_def *projectile,
                                  crm_scenario *scenario)
{
    unsigned dimension = crm_lattice_dimension(def->lattice);
    size_t balls = crm_packing_balls(def);
    double velocity[3] = {0}, last[3] = {0};
    crm_status status = crm_reader_velocity(reader, fields[PACKING_VELOCITY], dimension, velocity);
    if (status == CRM_OK && fields[PACKING_PROJECTILE] != NULL) {
        def->projectile = projectile;
        status = read_projectile(reader, fields[PACKING_PROJECTILE], dimension, projectile, last);
    }
    size_t stride = dimension + crm_packing_turns(def);
    scenario->velocity = CRM_NEW(double, (balls + 1) * stride);
    if (scenario->velocity == NULL) {
        return crm_reader_fail_memory(reader);
    }
    for (size_t i = 0; i <= balls; i++) {
        memcpy(scenario->velocity + i * stride, i < balls ? velocity : last,
               dimension * sizeof *velocity);
    }
    return status;
}

/* A projectile is of the balls' material, if it has none of its own. */
static void check_packing_sizes(crm_reader *reader, const crm_node *const *fields,
                                const crm_packing_def *def)
{
    const crm_node *mass = fields[PACKING_MASS];
    bool one = mass != NULL && mass->kind == CRM_NODE_SCALAR;
    crm_warnings_check_radius(reader, fields[PACKING_RADIUS], def->radius, def->material,
                              CRM_BALL_LARGEST);
    crm_warnings_check_mass(reader, one ? mass : NULL, def->mass.all, def->radius, def->material);
    if (def->projectile != NULL) {
        const crm_projectile_def *p = def->projectile;
        const crm_node *node = fields[PACKING_PROJECTILE];
        const crm_material *material = p->material != NULL ? p->material : def->material;
        double radius = isnan(p->radius) ? def->radius : p->radius;
        crm_warnings_check_radius(reader, crm_yaml_find(node, "radius"), p->radius, material,
                                  CRM_BALL_LARGEST);
        crm_warnings_check_mass(reader, crm_yaml_find(node, "mass"), p->mass, radius, material);
    }
}

crm_status crm_packing_read(crm_reader *reader, const crm_node *node, crm_scenario *scenario)
{
    crm_packing_def def = crm_packing_def_default();
    crm_projectile_def projectile = crm_projectile_def_default();
    const crm_node *fields[PACKING_FIELDS];
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_PACKING, fields);
    if (status == CRM_OK) {
        status = read_definition(reader, node, fields, &def);
    }
    if (status == CRM_OK) {
        status = read_velocities(reader, fields, &def, &projectile, scenario);
    }
    if (status != CRM_OK || crm_mistakes_any(reader)) {
        return status;
    }
    if (reader->drawn != NULL) {
        return crm_lattice_place_packing(reader, node, &def);
    }
    crm_error error = {0};
    if (crm_model_from_packing(&def, &scenario->model, &error) != CRM_OK) {
        return crm_reader_fail_library(reader, node, &error);
    }
    check_packing_sizes(reader, fields, &def);
    return CRM_OK;
}
