/* friction of contacts between bodies: numbers, or those of the materials. */
#include <math.h>
#include <string.h>

#include "scenario/block/bodies/bodies.h"
#include "scenario/number/number.h"

static const char MATERIALS[] = "materials";

static bool is_of_materials(const crm_node *node)
{
    return node->kind == CRM_NODE_SCALAR && strcmp(node->text, MATERIALS) == 0;
}

static bool is_positive(const crm_node *node)
{
    double number;
    return node != NULL && crm_number_value(node, &number) && number > 0;
}

/* The friction that is asked for, if there is any above 0; NULL: none. */
static const crm_node *find_friction(const crm_reader *reader, const crm_bodies_nodes *nodes)
{
    const crm_node *all =
        nodes->contacts != NULL ? crm_yaml_find(nodes->contacts, "friction") : NULL;
    if (is_positive(all) || (all != NULL && is_of_materials(all))) {
        return all;
    }
    bool list = nodes->pairs != NULL && nodes->pairs->kind == CRM_NODE_SEQUENCE;
    for (size_t i = 0; list && i < nodes->pairs->count; i++) {
        const crm_node *own = crm_yaml_find(nodes->pairs->items[i], "friction");
        if (is_positive(own)) {
            return own;
        }
    }
    for (size_t i = 0; all == NULL && i < reader->material_friction_count; i++) {
        if (reader->material_friction[i].friction > 0) {
            return reader->material_friction_node;
        }
    }
    return NULL;
}

static bool is_mentioned(const crm_bodies_nodes *nodes)
{
    bool given = nodes->contacts != NULL && crm_yaml_find(nodes->contacts, "friction") != NULL;
    bool list = nodes->pairs != NULL && nodes->pairs->kind == CRM_NODE_SEQUENCE;
    for (size_t i = 0; list && i < nodes->pairs->count && !given; i++) {
        given = crm_yaml_find(nodes->pairs->items[i], "friction") != NULL;
    }
    return given;
}

static bool any_spin(const crm_node *bodies)
{
    bool list = bodies != NULL && bodies->kind == CRM_NODE_SEQUENCE, any = false;
    for (size_t i = 0; list && i < bodies->count && !any; i++) {
        any = crm_yaml_find(bodies->items[i], "spin") != NULL;
    }
    return any;
}

unsigned crm_friction_find_turns(const crm_reader *reader, const crm_bodies_nodes *nodes,
                                 unsigned dimension)
{
    static const unsigned turns[] = {0, 0, 1, 3};
    bool motion = reader->moves && reader->drawn == NULL;
    bool spins = !motion && is_mentioned(nodes) && any_spin(nodes->bodies);
    return find_friction(reader, nodes) != NULL || spins ? turns[dimension] : 0;
}

/* The scenario's own come first. */
static crm_status add_known(crm_reader *reader, crm_bodies_def *def)
{
    size_t own = reader->material_friction_count, known = crm_material_friction_count();
    crm_material_friction *all =
        CRM_ARENA_NEW(&reader->scratch, crm_material_friction, own + known);
    if (all == NULL) {
        return crm_reader_fail_memory(reader);
    }
    if (own > 0) {
        memcpy(all, reader->material_friction, own * sizeof *all);
    }
    for (size_t i = 0; i < known; i++) {
        const crm_named_friction *f = crm_material_friction_at(i);
        all[own + i] = (crm_material_friction){crm_material_called(reader, f->first),
                                               crm_material_called(reader, f->second), f->friction};
    }
    def->material_friction = all;
    def->material_friction_count = own + known;
    def->friction_of_materials = true;
    return CRM_OK;
}

crm_status crm_friction_read(crm_reader *reader, const crm_node *node, crm_bodies_def *def)
{
    double number;
    if (node == NULL) {
        return CRM_OK;
    }
    if (is_of_materials(node)) {
        return add_known(reader, def);
    }
    return crm_number_value(node, &number)
               ? crm_reader_number(reader, node, &def->contact.friction)
               : crm_reader_fail_value(reader, node,
                                       "a number, or materials: those of the pairs of materials");
}

crm_status crm_friction_refuse_motion(crm_reader *reader, const crm_bodies_nodes *nodes,
                                      const crm_bodies_def *def)
{
    const crm_node *node = find_friction(reader, nodes);
    if (node == NULL || def->dimension == 1) {
        return CRM_OK;
    }
    return crm_reader_fail(reader, node,
                           "is given, and motions, event-driven and by time-stepping, are without "
                           "friction so far; leave it out or set it to 0. Single impacts take it: "
                           "carom solve");
}
