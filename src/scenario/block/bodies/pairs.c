/* pairs: what sets one contact apart from the defaults. */
#include <math.h>
#include <stdio.h>

#include "scenario/reader.h"

enum { CRM_PAIR_FIELDS(CRM_FIELD_INDEX) PAIR_FIELDS };

static crm_status refuse_party(crm_reader *reader, const crm_node *node, const crm_names *names,
                               size_t things)
{
    double number;
    if (names->unsure && node->kind == CRM_NODE_SCALAR && !crm_yaml_number(node, &number)) {
        return CRM_ERROR_MODEL; /* it may be one that could not be read, which is reported */
    }
    char allowed[192], shown[64];
    const char *nearest = crm_names_nearest(names, node->kind == CRM_NODE_SCALAR ? node->text : "");
    crm_yaml_show_text(nearest, shown, sizeof shown);
    int used = snprintf(allowed, sizeof allowed,
                        "the name of a body or wall, or a whole number from 1 to %zu "
                        "(bodies first, then walls)",
                        things);
    if (shown[0] != '\0') {
        snprintf(allowed + used, sizeof allowed - (size_t)used, "; did you mean '%s'?", shown);
    }
    return crm_reader_fail_value(reader, node, allowed);
}

crm_status crm_pairs_read_party(crm_reader *reader, const crm_node *node, const crm_names *names,
                                size_t things, size_t *party)
{
    double number;
    if (crm_yaml_number(node, &number)) {
        if (!(number >= 1) || number > (double)things || number != floor(number)) {
            return refuse_party(reader, node, names, things);
        }
        *party = (size_t)number - 1;
        return CRM_OK;
    }
    const crm_name *name = node->kind == CRM_NODE_SCALAR ? crm_names_find(names, node->text) : NULL;
    if (name == NULL) {
        return refuse_party(reader, node, names, things);
    }
    *party = name->index;
    return CRM_OK;
}

static crm_status read_pair(crm_reader *reader, const crm_node *node, const crm_names *names,
                            size_t things, crm_pair_def *pair)
{
    const crm_node *fields[PAIR_FIELDS];
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_PAIR, fields);
    if (status != CRM_OK) {
        return status;
    }
    const crm_node *between = fields[PAIR_BETWEEN];
    if (between == NULL) {
        return crm_reader_fail_missing(reader, node, "between");
    }
    if (between->kind != CRM_NODE_SEQUENCE || between->count != 2) {
        return crm_reader_fail_value(reader, between, "a list of two: bodies or walls");
    }
    status = crm_pairs_read_party(reader, between->items[0], names, things, &pair->first);
    if (status == CRM_OK) {
        status = crm_pairs_read_party(reader, between->items[1], names, things, &pair->second);
    }
    if (status == CRM_OK) {
        status = crm_reader_contact(reader, fields, &pair->contact);
    }
    return status == CRM_OK ? crm_reader_friction(reader, fields[PAIR_FRICTION], &pair->contact)
                            : status;
}

crm_status crm_pairs_read(crm_reader *reader, const crm_node *node, const crm_names *names,
                          size_t things, crm_bodies_def *def)
{
    if (node == NULL) {
        return CRM_OK;
    }
    if (node->kind != CRM_NODE_SEQUENCE) {
        return crm_reader_fail_value(reader, node, "a list of pairs: - {between: [1, 2], ...}");
    }
    crm_pair_def *pairs = CRM_ARENA_NEW(&reader->scratch, crm_pair_def, node->count);
    if (pairs == NULL) {
        return crm_reader_fail_memory(reader);
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < node->count && status == CRM_OK; i++) {
        pairs[i].contact = crm_contact_def_default();
        status =
            crm_mistakes_pass(reader, read_pair(reader, node->items[i], names, things, &pairs[i]));
    }
    def->pairs = pairs;
    def->pair_count = node->count;
    return status;
}
