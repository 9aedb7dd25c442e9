/* materials: {steel: {young: 203e9, poisson: 0.3, density: 7780}} */
#include <float.h>
#include <stdio.h>

#include "scenario/reader.h"

enum { CRM_MATERIAL_FIELDS(CRM_FIELD_INDEX) MATERIAL_FIELDS };

/* Gelatine and diamond, foam and osmium are on the safe side of these; steel in GPa or g/cm^3 is
 * not. */
static const double SOFTEST = 1e3, HARDEST = 2e12, LIGHTEST = 10, HEAVIEST = 25e3;

static void check_material_values(crm_reader *reader, const crm_node *const *fields,
                                  const crm_material *material)
{
    const crm_node *young = fields[MATERIAL_YOUNG], *density = fields[MATERIAL_DENSITY];
    if (young != NULL && (material->young < SOFTEST || material->young > HARDEST)) {
        crm_reader_warn(reader, young, "is %g Pa, which no solid has (steel: 203 GPa)",
                        material->young);
    }
    if (density != NULL && (material->density < LIGHTEST || material->density > HEAVIEST)) {
        crm_reader_warn(reader, density, "is %g kg/m^3, which no solid has (steel: 7780)",
                        material->density);
    }
}

static crm_status read_material_mapping(crm_reader *reader, const crm_node *node,
                                        crm_material *material)
{
    static const crm_range ranges[MATERIAL_FRICTION] = {
        [MATERIAL_YOUNG] = {0, DBL_MAX, true, "a modulus above 0, in Pa"},
        [MATERIAL_POISSON] = {-1, 0.5, true, "a Poisson ratio above -1 and at most 0.5"},
        [MATERIAL_DENSITY] = {0, DBL_MAX, true, "a density above 0, in kg/m^3"},
    };
    const crm_node *fields[MATERIAL_FIELDS];
    double *const values[MATERIAL_FRICTION] = {
        [MATERIAL_YOUNG] = &material->young,
        [MATERIAL_POISSON] = &material->poisson,
        [MATERIAL_DENSITY] = &material->density,
    };
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_MATERIAL, fields);
    for (size_t i = 0; i < MATERIAL_FRICTION && status == CRM_OK; i++) {
        if (fields[i] != NULL) {
            status = crm_reader_in_range(reader, fields[i], ranges[i], values[i]);
        }
    }
    if (status == CRM_OK &&
        (fields[MATERIAL_YOUNG] == NULL) != (fields[MATERIAL_POISSON] == NULL)) {
        status = crm_reader_fail(reader, node,
                                 "has %s alone; a contact stiffness needs young and poisson",
                                 fields[MATERIAL_YOUNG] != NULL ? "young" : "poisson");
    }
    if (status == CRM_OK) {
        check_material_values(reader, fields, material);
    }
    return status;
}

/* The nearest of the scenario's own and of those that carom knows; "" when none is near. */
static const char *nearest_material(const crm_reader *reader, const char *text)
{
    const char *nearest = crm_names_nearest(&reader->material_names, text);
    for (size_t i = 0; i < crm_material_count() && !crm_text_is_near(text, nearest); i++) {
        nearest = crm_material_at(i)->name;
    }
    return crm_text_is_near(text, nearest) ? nearest : "";
}

static crm_status refuse_unknown_material(crm_reader *reader, const crm_node *node)
{
    if (reader->material_names.unsure) {
        return CRM_ERROR_MODEL; /* that there are none has been reported */
    }
    const char *nearest = nearest_material(reader, node->text);
    char allowed[192], shown[64] = "";
    crm_yaml_show_text(nearest, shown, sizeof shown);
    snprintf(allowed, sizeof allowed,
             "a name from 'materials' or one that 'carom materials' lists%s%s%s",
             shown[0] != '\0' ? "; did you mean '" : "", shown, shown[0] != '\0' ? "'?" : "");
    return crm_reader_fail_value(reader, node, allowed);
}

const crm_material *crm_material_called(const crm_reader *reader, const char *text)
{
    const crm_name *own = crm_names_find(&reader->material_names, text);
    const crm_named_material *known = own == NULL ? crm_material_find(text) : NULL;
    return own != NULL ? &reader->materials[own->index] : known != NULL ? &known->properties : NULL;
}

crm_status crm_material_read(crm_reader *reader, const crm_node *node,
                             const crm_material **material)
{
    if (node == NULL) {
        return CRM_OK;
    }
    if (node->kind == CRM_NODE_SCALAR) {
        *material = crm_material_called(reader, node->text);
        return *material != NULL ? CRM_OK : refuse_unknown_material(reader, node);
    }
    crm_material *own = CRM_ARENA_NEW(&reader->scratch, crm_material, 1);
    if (own == NULL) {
        return crm_reader_fail_memory(reader);
    }
    *material = own;
    const crm_node *friction = crm_yaml_find(node, "friction");
    return friction != NULL
               ? crm_reader_fail(reader, friction,
                                 "is for materials that have a name, in materials; here give it to "
                                 "contacts or pairs")
               : read_material_mapping(reader, node, own);
}

/* ---- Friction -------------------------------------------------------------------------------- */

/* How many pairs it is of: a number is of the material with itself. */
static size_t count_pairs(const crm_node *friction)
{
    return friction == NULL ? 0 : friction->kind == CRM_NODE_MAPPING ? friction->count : 1;
}

static crm_status add_friction(crm_reader *reader, const crm_node *value, const crm_material *first,
                               const crm_material *second)
{
    static const crm_range range = {0, 1e6, false, "a friction from 0 to 1e6"};
    double friction = 0;
    crm_status status = crm_reader_in_range(reader, value, range, &friction);
    for (size_t i = 0; i < reader->material_friction_count && status == CRM_OK; i++) {
        const crm_material_friction *f = &reader->material_friction[i];
        if ((f->first == first && f->second == second) ||
            (f->first == second && f->second == first)) {
            status = crm_reader_fail(reader, value, "is given twice, for either material");
        }
    }
    reader->material_friction[reader->material_friction_count++] =
        (crm_material_friction){first, second, friction};
    return status;
}

static crm_status read_friction(crm_reader *reader, const crm_node *friction,
                                const crm_material *own)
{
    if (friction->kind != CRM_NODE_MAPPING) {
        return add_friction(reader, friction, own, own);
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < friction->count && status == CRM_OK; i++) {
        const crm_material *other = crm_material_called(reader, friction->keys[i]->text);
        status = other != NULL ? add_friction(reader, friction->items[i], own, other)
                               : refuse_unknown_material(reader, friction->keys[i]);
    }
    return status;
}

/* After all materials, since each may name any other. */
static crm_status read_frictions(crm_reader *reader, const crm_node *materials)
{
    size_t count = 0;
    for (size_t i = 0; i < materials->count; i++) {
        count += count_pairs(crm_yaml_find(materials->items[i], "friction"));
    }
    reader->material_friction = CRM_ARENA_NEW(&reader->scratch, crm_material_friction, count);
    if (reader->material_friction == NULL) {
        return crm_reader_fail_memory(reader);
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < materials->count && status == CRM_OK; i++) {
        const crm_node *friction = crm_yaml_find(materials->items[i], "friction");
        if (friction != NULL) {
            const crm_node *first = reader->material_friction_node;
            reader->material_friction_node = first != NULL ? first : friction;
            status =
                crm_mistakes_pass(reader, read_friction(reader, friction, &reader->materials[i]));
        }
    }
    return status;
}

crm_status crm_materials_read(crm_reader *reader, const crm_node *node)
{
    if (node == NULL) {
        return CRM_OK;
    }
    if (node->kind != CRM_NODE_MAPPING) {
        reader->material_names.unsure = true;
        return crm_reader_fail_value(reader, node,
                                     "a mapping from names to properties, such as {steel: {young: "
                                     "203e9, poisson: 0.3, density: 7780}}");
    }
    reader->materials = CRM_ARENA_NEW(&reader->scratch, crm_material, node->count);
    reader->material_names.sorted = CRM_ARENA_NEW(&reader->scratch, crm_name, node->count);
    if (reader->materials == NULL || reader->material_names.sorted == NULL) {
        return crm_reader_fail_memory(reader);
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < node->count && status == CRM_OK; i++) {
        reader->material_names.sorted[i] =
            (crm_name){.text = node->keys[i]->text, .index = i, .node = node->keys[i]};
        status = crm_mistakes_pass(
            reader, read_material_mapping(reader, node->items[i], &reader->materials[i]));
    }
    reader->material_names.count = node->count;
    if (status == CRM_OK) {
        status = crm_names_sort(reader, &reader->material_names, "material");
    }
    return status == CRM_OK && !crm_mistakes_any(reader) ? read_frictions(reader, node) : status;
}
