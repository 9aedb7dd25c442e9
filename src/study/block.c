/* The sweep block of a scenario: what varies, and what is recorded. */
#include <string.h>

#include "study/parts.h"

crm_varied *crm_study_add_varied(crm_study *study)
{
    enum { FIRST = 8 };
    size_t count = study->field_count;
    if (count == 0 || (count >= FIRST && (count & (count - 1)) == 0)) {
        size_t room = count < FIRST ? FIRST : 2 * count;
        crm_varied *grown = CRM_ARENA_NEW(&study->tree->arena, crm_varied, room);
        if (grown == NULL) {
            return NULL;
        }
        if (count > 0) {
            memcpy(grown, study->fields, count * sizeof *grown);
        }
        study->fields = grown;
    }
    return &study->fields[study->field_count++];
}

/* ---- Quantities -------------------------------------------------------------------------------
 */

static bool is_recorded(const crm_study *study, size_t before, const char *name)
{
    for (size_t i = 0; i < before; i++) {
        if (strcmp(study->quantities[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static crm_status read_record(crm_reader *reader, const crm_node *node, crm_study *study)
{
    bool list = node->kind == CRM_NODE_SEQUENCE;
    size_t count = list ? node->count : 1;
    if (count == 0) {
        return crm_refuse_value(reader, node, "a list of quantities, such as energy_ratio");
    }
    study->quantities = CRM_ARENA_NEW(&study->tree->arena, crm_recorded, count);
    study->quantity_nodes = CRM_ARENA_NEW(&study->tree->arena, const crm_node *, count);
    if (study->quantities == NULL || study->quantity_nodes == NULL) {
        return crm_refuse_memory(reader);
    }
    study->quantity_count = count;
    for (size_t i = 0; i < count; i++) {
        const crm_node *item = list ? node->items[i] : node;
        const char *name;
        char problem[256];
        crm_status status = crm_read_text(reader, item, &name);
        if (status != CRM_OK) {
            return status;
        }
        study->quantity_nodes[i] = item;
        if (!crm_recorded_parse(study->recordable, name, &study->quantities[i], problem,
                                sizeof problem)) {
            char shown[64];
            crm_text_show(name, shown, sizeof shown);
            return crm_complain(reader->tree, item, reader->error, "'%s' %s", shown, problem);
        }
        if (is_recorded(study, i, name)) {
            return crm_refuse(reader, item, "is recorded already");
        }
    }
    return CRM_OK;
}

/* ---- The whole --------------------------------------------------------------------------------
 */

static bool make_slots(crm_study *study)
{
    study->slots = CRM_ARENA_NEW(&study->tree->arena, crm_slot, study->field_count);
    for (size_t i = 0; i < study->field_count && study->slots != NULL; i++) {
        const crm_varied *field = &study->fields[i];
        bool drawn = field->axis == SIZE_MAX && field->entry == 0;
        study->slots[i] = (crm_slot){.path = field->path,
                                     .node = field->node,
                                     .list = drawn ? study->variables[field->variable].each : 0};
    }
    return study->slots != NULL;
}

enum { CRM_SWEEP_FIELDS(CRM_FIELD_INDEX) SWEEP_FIELDS };

crm_status crm_read_sweep(crm_reader *reader, const crm_node *node, crm_study *study)
{
    study->grid_points = study->draws = study->points = 1;
    if (node == NULL) {
        return CRM_OK;
    }
    const crm_node *fields[SWEEP_FIELDS];
    crm_status status = crm_read_block(reader, node, CRM_BLOCK_SWEEP, fields);
    if (status == CRM_OK && fields[SWEEP_GRID] == NULL && fields[SWEEP_SAMPLE] == NULL) {
        status = crm_refuse(reader, node, "varies nothing; it needs a grid, a sample or both");
    }
    if (status == CRM_OK && fields[SWEEP_GRID] != NULL) {
        status = crm_read_grid(reader, fields[SWEEP_GRID], study);
    }
    if (status == CRM_OK && fields[SWEEP_SAMPLE] != NULL) {
        status = crm_read_sample(reader, fields[SWEEP_SAMPLE], study);
    }
    if (status == CRM_OK && study->grid_points > CRM_POINTS_MOST / study->draws) {
        status = crm_refuse(reader, node, "has more than %d points", CRM_POINTS_MOST);
    }
    study->points = study->grid_points * study->draws;
    if (status == CRM_OK) {
        status = make_slots(study) ? crm_slots_check(reader, study->slots, study->field_count)
                                   : crm_refuse_memory(reader);
    }
    return status == CRM_OK && fields[SWEEP_RECORD] != NULL
               ? read_record(reader, fields[SWEEP_RECORD], study)
               : status;
}
