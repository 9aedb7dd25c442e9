/* chain: balls in a line, touching. */
#include <math.h>
#include <stdio.h>

#include "model/compliance/compliance.h"
#include "model/values.h"
#include "scenario/reader.h"

/* ---- The wall ----------------------------------------------------------------------------- */

enum { CRM_CHAIN_WALL_FIELDS(CRM_FIELD_INDEX) WALL_FIELDS };

static crm_status read_side(crm_reader *reader, const crm_node *node, crm_chain_def *def)
{
    static const char *const sides[] = {
        [CRM_WALL_NONE] = "none", [CRM_WALL_LEFT] = "left", [CRM_WALL_RIGHT] = "right"};
    size_t side = CRM_WALL_NONE;
    crm_status status = crm_reader_choice(reader, node, sides, CRM_COUNT(sides), &side);
    def->wall_side = (crm_wall_side)side;
    return status;
}

/* Said better than that the field is unknown. */
static crm_status refuse_friction(crm_reader *reader, const crm_node *node)
{
    const crm_node *friction = crm_yaml_find(node, "friction");
    return friction != NULL
               ? crm_reader_fail(reader, friction, "is given, but %s", CRM_CHAIN_NO_FRICTION)
               : CRM_OK;
}

static crm_status read_wall(crm_reader *reader, const crm_node *node, crm_chain_def *def)
{
    if (node == NULL) {
        return CRM_OK;
    }
    if (node->kind == CRM_NODE_SCALAR) {
        return read_side(reader, node, def);
    }
    const crm_node *fields[WALL_FIELDS];
    crm_status status = refuse_friction(reader, node);
    if (status == CRM_OK) {
        status = crm_reader_block(reader, node, CRM_BLOCK_CHAIN_WALL, fields);
    }
    if (status == CRM_OK && fields[WALL_SIDE] == NULL) {
        status = crm_reader_fail_missing(reader, node, "side");
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, read_side(reader, fields[WALL_SIDE], def));
    }
    if (status == CRM_OK) {
        status = crm_reader_contact(reader, fields, &def->wall);
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(
            reader, crm_material_read(reader, fields[WALL_MATERIAL], &def->wall_material));
    }
    if (status == CRM_OK && fields[WALL_VELOCITY] != NULL) {
        status = crm_reader_number(reader, fields[WALL_VELOCITY], &def->wall_velocity);
    }
    if (status == CRM_OK && fields[WALL_GAP] != NULL) {
        status = crm_reader_number(reader, fields[WALL_GAP], &def->wall_gap);
    }
    return status;
}

/* ---- The balls ---------------------------------------------------------------------------- */

enum { CRM_CHAIN_FIELDS(CRM_FIELD_INDEX) CHAIN_FIELDS };

static bool is_list(const crm_node *node)
{
    return node != NULL && node->kind == CRM_NODE_SEQUENCE && node->count > 0;
}

/* Given, or as many as there are masses or radii. */
static crm_status read_ball_count(crm_reader *reader, const crm_node *chain,
                                  const crm_node *const *fields, size_t *count)
{
    if (fields[CHAIN_COUNT] != NULL) {
        const crm_node *node = fields[CHAIN_COUNT];
        crm_status status = crm_reader_count(reader, node, reader->tree->limits.bodies, count);
        crm_chain_def asked = {.count = *count};
        return status == CRM_OK ? crm_reader_check_bytes(reader, node, crm_chain_memory(&asked))
                                : status;
    }
    const crm_node *list = is_list(fields[CHAIN_MASS]) ? fields[CHAIN_MASS] : fields[CHAIN_RADIUS];
    if (!is_list(list)) {
        return crm_reader_fail(
            reader, chain,
            "has no field 'count', which is required when neither mass nor radius is a list");
    }
    *count = list->count;
    return CRM_OK;
}

static const crm_field *chain_field(size_t field)
{
    return &crm_block_at(CRM_BLOCK_CHAIN)->fields[field];
}

static crm_status read_values(crm_reader *reader, const crm_node *const *fields, size_t field,
                              size_t count, const char *per, crm_values *values)
{
    return crm_reader_values(reader, fields[field], chain_field(field), count, per, values);
}

static crm_status read_contact_values(crm_reader *reader, const crm_node *const *fields,
                                      crm_chain_def *def)
{
    crm_values *const values[CRM_CONTACT_NUMBERS] = {
        [CRM_CONTACT_STIFFNESS] = &def->stiffness,
        [CRM_CONTACT_EXPONENT] = &def->exponent,
        [CRM_CONTACT_RESTITUTION] = &def->restitution,
        [CRM_CONTACT_ENERGY] = &def->stored_energy,
        [CRM_CONTACT_FORCE] = &def->force,
    };
    const char *per = def->wall_side == CRM_WALL_NONE
                          ? "contact"
                          : "contact between balls (the wall's own value goes into chain.wall)";
    crm_status status = crm_compliance_read(reader, fields, &def->compliance);
    for (size_t i = 0; i < CRM_CONTACT_NUMBERS && status == CRM_OK; i++) {
        if (i == CRM_CONTACT_RESTITUTION && crm_compliance_is_by_impact(fields[i])) {
            continue;
        }
        status = read_values(reader, fields, i, def->count - 1, per, values[i]);
    }
    return status;
}

/* A number for all, a rule, or a list from the first ball on; the balls after it are at rest. */
static crm_status read_velocity(crm_reader *reader, const crm_node *node, size_t count,
                                crm_scenario *scenario)
{
    scenario->velocity = CRM_NEW(double, count);
    if (scenario->velocity == NULL) {
        return crm_reader_fail_memory(reader);
    }
    if (node == NULL) {
        return CRM_OK;
    }
    if (node->kind == CRM_NODE_MAPPING) {
        return crm_series_read(reader, node, chain_field(CHAIN_VELOCITY)->unit, count,
                               scenario->velocity);
    }
    if (node->kind != CRM_NODE_SEQUENCE) {
        double all = 0;
        crm_status status = crm_reader_number(reader, node, &all);
        for (size_t i = 0; i < count; i++) {
            scenario->velocity[i] = all;
        }
        return status;
    }
    if (node->count > count) {
        return crm_mistakes_pass(
            reader,
            crm_reader_fail(reader, node, "has %zu entries; must have at most %zu, one per ball",
                            node->count, count));
    }
    return crm_reader_list(reader, node, node->count, "ball", scenario->velocity);
}

/* One for all, or a list of them. */
static crm_status read_materials(crm_reader *reader, const crm_node *node, crm_chain_def *def)
{
    if (node == NULL || node->kind != CRM_NODE_SEQUENCE) {
        return crm_material_read(reader, node, &def->material);
    }
    if (node->count != def->count) {
        return crm_reader_fail(reader, node, "has %zu entries; must have %zu, one per ball",
                               node->count, def->count);
    }
    const crm_material **each = CRM_ARENA_NEW(&reader->scratch, const crm_material *, def->count);
    if (each == NULL) {
        return crm_reader_fail_memory(reader);
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < def->count && status == CRM_OK; i++) {
        status = crm_material_read(reader, node->items[i], &each[i]);
    }
    def->materials = each;
    return status;
}

/* A material that has no effect would be a stiffness of 1 N/m^1.5 by surprise. */
static crm_status refuse_idle_material(crm_reader *reader, const crm_node *const *fields,
                                       const crm_chain_def *def)
{
    bool elastic = false;
    for (size_t i = 0; i < def->count && !elastic; i++) {
        const crm_material *material = crm_chain_material(def, i);
        elastic = material != NULL && material->young > 0;
    }
    if (elastic && fields[CHAIN_RADIUS] == NULL && fields[CRM_CONTACT_STIFFNESS] == NULL) {
        return crm_reader_fail(
            reader, fields[CHAIN_MATERIAL],
            "gives a contact stiffness only with a radius; give radius or stiffness");
    }
    return CRM_OK;
}

static crm_status read_definition(crm_reader *reader, const crm_node *node,
                                  const crm_node *const *fields, crm_chain_def *def)
{
    crm_status status = read_ball_count(reader, node, fields, &def->count);
    if (status == CRM_OK) {
        status = read_values(reader, fields, CHAIN_MASS, def->count, "ball", &def->mass);
    }
    if (status == CRM_OK) {
        status = read_values(reader, fields, CHAIN_RADIUS, def->count, "ball", &def->radius);
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, read_materials(reader, fields[CHAIN_MATERIAL], def));
    }
    if (status == CRM_OK && !crm_mistakes_any(reader)) {
        status = crm_mistakes_pass(reader, refuse_idle_material(reader, fields, def));
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, read_wall(reader, fields[CHAIN_WALL], def));
    }
    if (status == CRM_OK) {
        status = read_values(reader, fields, CHAIN_GAP, def->count - 1, "contact", &def->gap);
    }
    if (status == CRM_OK) {
        status = crm_reader_flag(reader, fields[CHAIN_GAPS_CLOSE], &def->gaps_close);
    }
    return status == CRM_OK ? read_contact_values(reader, fields, def) : status;
}

/* The deepest that a contact would be pressed by its closing speed alone, as part of a radius.
 * Hertz's law is that of small indentations.
 */
static void warn_of_indentation(crm_reader *reader, const crm_node *node, const crm_chain_def *def,
                                const crm_model *model, const double *velocity)
{
    static const double MOST = 0.1;
    double deepest = 0;
    size_t where = 0;
    for (size_t j = 0; j < crm_model_contacts(model); j++) {
        size_t ball = crm_model_party(model, j, 0);
        if (crm_model_party(model, j, 1) != ball + 1 || ball + 1 >= def->count) {
            continue; /* the wall */
        }
        double c = velocity[ball] - velocity[ball + 1];
        double radius = fmin(crm_value_at(def->radius, ball), crm_value_at(def->radius, ball + 1));
        const crm_contact_numbers numbers = {.stiffness = crm_model_stiffness(model)[j],
                                             .exponent = crm_model_exponent(model)[j]};
        double depth = crm_compliance_indentation(crm_model_contact_compliance(model, j), numbers,
                                                  0.5 * c * c / crm_model_delassus(model, j, j));
        if (c > 0 && depth / radius > deepest) {
            deepest = depth / radius;
            where = ball;
        }
    }
    if (deepest > MOST) {
        crm_reader_warn(reader, node,
                        "closes so fast that balls %zu and %zu would be indented by %.2g of their "
                        "radius; Hertz's law holds up to about %g",
                        where + 1, where + 2, deepest, MOST);
    }
}

/* Of a list; what is for all is the value of each. */
static const crm_node *entry_of(const crm_node *node, size_t i)
{
    return is_list(node) ? node->items[i] : node;
}

static void check_chain_sizes(crm_reader *reader, const crm_node *node,
                              const crm_node *const *fields, const crm_chain_def *def,
                              const crm_scenario *scenario)
{
    bool solid = fields[CHAIN_MATERIAL] != NULL && fields[CHAIN_RADIUS] != NULL;
    bool sized = false, weighed = false;
    for (size_t i = 0; solid && i < def->count; i++) {
        const crm_material *material = crm_chain_material(def, i);
        double radius = crm_value_at(def->radius, i);
        sized = sized || crm_warnings_check_radius(reader, entry_of(fields[CHAIN_RADIUS], i),
                                                   radius, material, CRM_BALL_LARGEST);
        weighed = weighed || crm_warnings_check_mass(reader, entry_of(fields[CHAIN_MASS], i),
                                                     crm_value_at(def->mass, i), radius, material);
    }
    if (solid) {
        warn_of_indentation(reader, node, def, scenario->model, scenario->velocity);
    }
}

/* One impact is over before anything gets anywhere. */
static void warn_of_gaps(crm_reader *reader, const crm_node *chain, const crm_chain_def *def,
                         const crm_model *model)
{
    size_t pairs = def->count - 1 + (def->wall_side != CRM_WALL_NONE);
    size_t apart = pairs - crm_model_contacts(model);
    if (apart > 0 && !reader->moves) {
        crm_reader_warn(
            reader, chain,
            "leaves %zu of %zu neighbours apart: they do not touch in a single impact, but may do "
            "so in carom simulate, or by the law compliant with gaps_close: true",
            apart, pairs);
    }
}

crm_status crm_chain_read(crm_reader *reader, const crm_node *node, crm_scenario *scenario)
{
    crm_chain_def def = crm_chain_def_default();
    const crm_node *fields[CHAIN_FIELDS];
    crm_status status = refuse_friction(reader, node);
    if (status == CRM_OK) {
        status = crm_reader_block(reader, node, CRM_BLOCK_CHAIN, fields);
    }
    if (status == CRM_OK) {
        status = read_definition(reader, node, fields, &def);
    }
    if (status == CRM_OK) {
        status = read_velocity(reader, fields[CHAIN_VELOCITY], def.count, scenario);
    }
    if (status != CRM_OK || crm_mistakes_any(reader)) {
        return status;
    }
    crm_error error = {0};
    if (crm_model_from_chain(&def, &scenario->model, &error) != CRM_OK) {
        return crm_reader_fail_library(reader, node, &error);
    }
    check_chain_sizes(reader, node, fields, &def, scenario);
    warn_of_gaps(reader, node, &def, scenario->model);
    if (!reader->moves) {
        return CRM_OK;
    }
    if (def.gaps_close) {
        return crm_reader_fail(
            reader, fields[CHAIN_GAPS_CLOSE],
            "is for carom solve by the law compliant; in a motion gaps close in flight, and an "
            "impact involves the contacts that are closed by then");
    }
    crm_model_free(scenario->model); /* it has found no fault, and is not needed */
    scenario->model = NULL;
    return crm_chain_motion_make(reader, &def);
}
