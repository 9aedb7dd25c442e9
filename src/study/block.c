/* The sweep block of a scenario: what varies, and what is recorded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/parts.h"

/* The highest number of a range of recorded entries. */
enum { ENTRIES_MOST = 2000 };

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

/* ---- Quantities ------------------------------------------------------------------------------ */

static bool is_recorded(const crm_study *study, size_t before, const char *name)
{
    for (size_t i = 0; i < before; i++) {
        if (strcmp(study->quantities[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* "velocity[2..5]": entries 2 to 5. False: it is no such range. */
static bool is_range(const char *name, size_t *length, long *first, long *last)
{
    char *end;
    *length = strcspn(name, "[");
    if (name[*length] != '[') {
        return false;
    }
    *first = strtol(name + *length + 1, &end, 10);
    if (end == name + *length + 1 || strncmp(end, "..", 2) != 0) {
        return false;
    }
    const char *second = end + 2;
    *last = strtol(second, &end, 10);
    return end != second && strcmp(end, "]") == 0;
}

/* How many quantities an item names; 0: none. */
static crm_status count_quantities(crm_reader *reader, const crm_node *item, size_t *count)
{
    const char *name;
    size_t length;
    long first, last;
    crm_status status = crm_reader_text(reader, item, &name);
    *count = 1;
    if (status == CRM_OK && is_range(name, &length, &first, &last)) {
        if (first < 1 || last < first || last > ENTRIES_MOST) {
            return crm_reader_fail(reader, item, "must go from 1 or more upwards, to %d at most",
                                   ENTRIES_MOST);
        }
        *count = (size_t)(last - first + 1);
    }
    return status;
}

static crm_status add_quantity(crm_reader *reader, const crm_node *item, const char *name,
                               crm_study *study)
{
    char problem[256];
    size_t i = study->quantity_count++;
    study->quantity_nodes[i] = item;
    bool whole = crm_recorded_parse_list(study->recordable, name, &study->quantities[i]);
    if (!whole && !crm_recorded_parse(study->recordable, name, &study->quantities[i], problem,
                                      sizeof problem)) {
        char shown[64];
        crm_yaml_show_text(name, shown, sizeof shown);
        return crm_yaml_fail(reader->tree, item, reader->error, "'%s' %s", shown, problem);
    }
    return is_recorded(study, i, name) ? crm_reader_fail(reader, item, "is recorded already")
                                       : CRM_OK;
}

static crm_status add_quantities(crm_reader *reader, const crm_node *item, crm_study *study)
{
    const char *name;
    size_t length;
    long first, last;
    crm_status status = crm_reader_text(reader, item, &name);
    if (status != CRM_OK || !is_range(name, &length, &first, &last)) {
        return status == CRM_OK ? add_quantity(reader, item, name, study) : status;
    }
    for (long k = first; k <= last && status == CRM_OK; k++) {
        char entry[160];
        int used = snprintf(entry, sizeof entry, "%.*s[%ld]", (int)length, name, k);
        const char *kept = used > 0 && (size_t)used < sizeof entry
                               ? crm_arena_text(&study->tree->arena, entry, (size_t)used)
                               : name; /* which is then refused */
        status =
            kept != NULL ? add_quantity(reader, item, kept, study) : crm_reader_fail_memory(reader);
    }
    return status;
}

static crm_status read_record(crm_reader *reader, const crm_node *node, crm_study *study)
{
    bool list = node->kind == CRM_NODE_SEQUENCE;
    size_t items = list ? node->count : 1, all = 0;
    crm_status status = CRM_OK;
    if (items == 0) {
        return crm_reader_fail_value(reader, node, "a list of quantities, such as energy_ratio");
    }
    for (size_t i = 0; i < items && status == CRM_OK; i++) {
        size_t count;
        status = crm_mistakes_pass(reader,
                                   count_quantities(reader, list ? node->items[i] : node, &count));
        all += count;
    }
    if (status != CRM_OK) {
        return status;
    }
    study->quantities = CRM_ARENA_NEW(&study->tree->arena, crm_recorded, all);
    study->quantity_nodes = CRM_ARENA_NEW(&study->tree->arena, const crm_node *, all);
    if (study->quantities == NULL || study->quantity_nodes == NULL) {
        return crm_reader_fail_memory(reader);
    }
    for (size_t i = 0; i < items && status == CRM_OK; i++) {
        status =
            crm_mistakes_pass(reader, add_quantities(reader, list ? node->items[i] : node, study));
    }
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static bool make_slots(crm_study *study)
{
    study->slots = CRM_ARENA_NEW(&study->tree->arena, crm_variant_slot, study->field_count);
    for (size_t i = 0; i < study->field_count && study->slots != NULL; i++) {
        const crm_varied *field = &study->fields[i];
        bool drawn = field->axis == SIZE_MAX && field->entry == 0;
        study->slots[i] =
            (crm_variant_slot){.path = field->path,
                               .node = field->node,
                               .list = drawn ? study->variables[field->variable].each : 0};
    }
    return study->slots != NULL;
}

enum { CRM_SWEEP_FIELDS(CRM_FIELD_INDEX) SWEEP_FIELDS };

crm_status crm_study_read_sweep(crm_reader *reader, const crm_node *node, crm_study *study)
{
    study->grid_points = study->draws = study->points = 1;
    if (node == NULL) {
        return CRM_OK;
    }
    const crm_node *fields[SWEEP_FIELDS];
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_SWEEP, fields);
    if (status == CRM_OK && fields[SWEEP_GRID] == NULL && fields[SWEEP_SAMPLE] == NULL) {
        status = crm_reader_fail(reader, node, "varies nothing; it needs a grid, a sample or both");
    }
    if (status == CRM_OK && fields[SWEEP_GRID] != NULL) {
        status = crm_mistakes_pass(reader, crm_study_read_grid(reader, fields[SWEEP_GRID], study));
    }
    if (status == CRM_OK && fields[SWEEP_SAMPLE] != NULL) {
        status =
            crm_mistakes_pass(reader, crm_study_read_sample(reader, fields[SWEEP_SAMPLE], study));
    }
    bool good = !crm_mistakes_any(reader); /* else it is not known how many points there are */
    if (status == CRM_OK && good && study->grid_points > CRM_POINTS_MOST / study->draws) {
        status = crm_reader_fail(reader, node, "has more than %d points", CRM_POINTS_MOST);
    }
    study->points = study->grid_points * study->draws;
    if (status == CRM_OK && good) {
        status = make_slots(study)
                     ? crm_variant_check_slots(reader, study->slots, study->field_count)
                     : crm_reader_fail_memory(reader);
    }
    return status == CRM_OK && fields[SWEEP_RECORD] != NULL
               ? read_record(reader, fields[SWEEP_RECORD], study)
               : status;
}
