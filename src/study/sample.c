/* The random draws of a study. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenario/number/number.h"
#include "study/parts.h"

/* Entries of a list, each of them a column of the table. */
enum { EACH_MOST = 100000 };

double crm_sample_draw(const crm_variable *variable, uint64_t seed, size_t draw, size_t entry)
{
    return crm_distribution_draw(&variable->distribution,
                                 (crm_random_place){.seed = seed,
                                                    .draw = (uint32_t)draw,
                                                    .field = variable->number,
                                                    .entry = (uint32_t)entry});
}

/* ---- One variable --------------------------------------------------------------------------- */

enum { CRM_DRAW_FIELDS(CRM_FIELD_INDEX) DRAW_FIELDS };

/* true: as many as the scenario's list has; or their number. */
static crm_status read_each(crm_reader *reader, const crm_node *node, const crm_node *there,
                            crm_variable *v)
{
    bool scalar = node->kind == CRM_NODE_SCALAR;
    if (scalar && strcmp(node->text, "false") == 0) {
        return CRM_OK;
    }
    if (!scalar || strcmp(node->text, "true") != 0) {
        return crm_reader_count(reader, node, EACH_MOST, &v->each);
    }
    if (there == NULL || there->kind != CRM_NODE_SEQUENCE || there->count == 0) {
        return crm_reader_fail(reader, node,
                               "is true, but the scenario has no list there; give the "
                               "number of entries instead");
    }
    v->each = there->count;
    return v->each <= EACH_MOST ? CRM_OK
                                : crm_reader_fail(reader, node,
                                                  "is true for a list of %zu; must be at "
                                                  "most %d",
                                                  v->each, EACH_MOST);
}

static crm_status read_variable(crm_reader *reader, const crm_node *node, const crm_node *there,
                                crm_variable *v)
{
    static const char *const uses[] = {
        [CRM_DRAW_VALUE] = "value", [CRM_DRAW_FACTOR] = "factor", [CRM_DRAW_OFFSET] = "offset"};
    const crm_node *fields[DRAW_FIELDS];
    size_t use = CRM_DRAW_VALUE;
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_DRAW, fields);
    if (status == CRM_OK) {
        status = crm_distribution_read(reader, node, fields, &v->distribution);
    }
    if (status == CRM_OK && fields[DRAW_AS] != NULL) {
        status = crm_reader_choice(reader, fields[DRAW_AS], uses, CRM_COUNT(uses), &use);
    }
    v->use = (crm_draw_use)use;
    if (status == CRM_OK && fields[DRAW_EACH] != NULL) {
        status = read_each(reader, fields[DRAW_EACH], there, v);
    }
    return status;
}

/* ---- Its fields ----------------------------------------------------------------------------- */

/* The number that a factor or an offset changes. */
static crm_status read_base(crm_reader *reader, const crm_node *key, const crm_node *there,
                            crm_varied *field)
{
    const crm_node *node = there;
    if (node != NULL && node->kind == CRM_NODE_SEQUENCE) {
        node = field->entry < node->count ? node->items[field->entry] : NULL;
    }
    if (node == NULL || !crm_number_value(node, &field->base) || !isfinite(field->base)) {
        return crm_reader_fail(reader, key,
                               "has no number in the scenario that the draws could change");
    }
    return CRM_OK;
}

static crm_status add_field(crm_reader *reader, const crm_node *key, const crm_node *there,
                            size_t variable, size_t entry, crm_study *study)
{
    const crm_variable *v = &study->variables[variable];
    size_t size = key->count + 24;
    char *name = CRM_ARENA_NEW(&study->tree->arena, char, size);
    crm_varied *field = crm_study_add_varied(study);
    if (name == NULL || field == NULL) {
        return crm_reader_fail_memory(reader);
    }
    if (v->each > 0) {
        snprintf(name, size, "%s[%zu]", key->text, entry + 1);
    } else {
        snprintf(name, size, "%s", key->text);
    }
    *field = (crm_varied){.name = name,
                          .path = key->text,
                          .node = key,
                          .axis = SIZE_MAX,
                          .variable = variable,
                          .entry = entry};
    return v->use == CRM_DRAW_VALUE ? CRM_OK : read_base(reader, key, there, field);
}

static crm_status read_of(crm_reader *reader, const crm_node *node, crm_study *study)
{
    if (node->kind != CRM_NODE_MAPPING || node->count == 0) {
        return crm_reader_fail_value(reader, node,
                                     "a mapping of fields, such as chain.mass, to "
                                     "distributions");
    }
    study->variables = CRM_ARENA_NEW(&study->tree->arena, crm_variable, node->count);
    if (study->variables == NULL) {
        return crm_reader_fail_memory(reader);
    }
    study->variable_count = node->count;
    crm_status status = CRM_OK;
    for (size_t i = 0; i < node->count && status == CRM_OK; i++) {
        bool complete = false;
        crm_variable *v = &study->variables[i];
        const crm_node *there = crm_yaml_locate(study->tree->root, node->keys[i]->text, &complete);
        there = complete ? there : NULL;
        v->number = (uint32_t)i;
        status = crm_mistakes_pass(reader, read_variable(reader, node->items[i], there, v));
        for (size_t k = 0; (k == 0 || k < v->each) && status == CRM_OK; k++) {
            status =
                crm_mistakes_pass(reader, add_field(reader, node->keys[i], there, i, k, study));
        }
    }
    return status;
}

enum { CRM_SAMPLE_FIELDS(CRM_FIELD_INDEX) SAMPLE_FIELDS };

crm_status crm_study_read_sample(crm_reader *reader, const crm_node *node, crm_study *study)
{
    const crm_node *fields[SAMPLE_FIELDS];
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_SAMPLE, fields);
    if (status != CRM_OK) {
        return status;
    }
    if (fields[SAMPLE_POINTS] == NULL || fields[SAMPLE_OF] == NULL) {
        return crm_reader_fail_missing(reader, node, fields[SAMPLE_OF] == NULL ? "of" : "points");
    }
    status = crm_mistakes_pass(
        reader, crm_reader_count(reader, fields[SAMPLE_POINTS], CRM_POINTS_MOST, &study->draws));
    study->seed = 1;
    if (status == CRM_OK && fields[SAMPLE_SEED] != NULL) {
        status = crm_reader_seed(reader, fields[SAMPLE_SEED], &study->seed);
    }
    return status == CRM_OK ? read_of(reader, fields[SAMPLE_OF], study) : status;
}
