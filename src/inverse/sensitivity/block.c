/* The block `sensitivity` of a scenario. */
#include <math.h>
#include <string.h>

#include "inverse/sensitivity/sensitivity.h"

enum { CRM_SENSITIVITY_FIELDS(CRM_FIELD_INDEX) SENSITIVITY_FIELDS };
enum { SAMPLES = 1000, SAMPLES_MOST = 1000000 };

/* ---- Fields --------------------------------------------------------------------------------- */

static crm_status read_to(crm_sensitivity_problem *p, crm_reader *reader, const crm_node *node)
{
    bool list = node->kind == CRM_NODE_SEQUENCE;
    size_t items = list ? node->count : 1, first, count;
    if (items == 0) {
        return crm_reader_fail_value(reader, node, "a list of fields, such as chain.mass");
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < items && status == CRM_OK; i++) {
        status = crm_mistakes_pass(
            reader,
            crm_map_add_field(&p->map, reader, list ? node->items[i] : node, 0, &first, &count));
    }
    return status;
}

/* The unknowns of this path, if it is one to derive by. */
static bool find_field(const crm_map *map, const char *path, size_t *first, size_t *count)
{
    *first = *count = 0;
    for (size_t i = 0; i < map->unknown_count; i++) {
        if (strcmp(map->unknowns[i].node->text, path) == 0) {
            *first = *count == 0 ? i : *first;
            (*count)++;
        }
    }
    return *count > 0;
}

/* One for all entries, or one each. */
static crm_status read_deviations(crm_reader *reader, const crm_node *node, size_t count,
                                  double *deviation)
{
    static const crm_range above = {0, INFINITY, true, "a number above 0, one standard deviation"};
    bool list = node->kind == CRM_NODE_SEQUENCE;
    crm_status status = CRM_OK;
    if (list && node->count != count) {
        return crm_reader_fail(reader, node,
                               "has %zu entries; must have %zu, one per entry of the field",
                               node->count, count);
    }
    for (size_t i = 0; i < count && status == CRM_OK; i++) {
        status = crm_reader_in_range(reader, list ? node->items[i] : node, above, &deviation[i]);
    }
    return status;
}

typedef struct field_range {
    size_t first, count;
} field_range;

static crm_status read_uncertainty(crm_sensitivity_problem *p, crm_reader *reader,
                                   const crm_node *node)
{
    crm_arena *arena = &p->map.tree->arena;
    if (node->kind != CRM_NODE_MAPPING || node->count == 0) {
        return crm_reader_fail_value(reader, node,
                                     "a mapping of fields, such as chain.mass, to their standard "
                                     "deviations");
    }
    field_range *of = CRM_ARENA_NEW(arena, field_range, node->count);
    crm_status status = of != NULL ? CRM_OK : crm_reader_fail_memory(reader);
    for (size_t i = 0; i < node->count && status == CRM_OK; i++) {
        if (!find_field(&p->map, node->keys[i]->text, &of[i].first, &of[i].count)) {
            status =
                crm_map_add_field(&p->map, reader, node->keys[i], 0, &of[i].first, &of[i].count);
        }
    }
    p->deviation =
        status == CRM_OK ? CRM_ARENA_NEW(arena, double, p->map.unknown_count) : p->deviation;
    if (status == CRM_OK && p->deviation == NULL) {
        return crm_reader_fail_memory(reader);
    }
    for (size_t i = 0; i < node->count && status == CRM_OK; i++) {
        status = read_deviations(reader, node->items[i], of[i].count, p->deviation + of[i].first);
    }
    return status;
}

static crm_status read_fields(crm_sensitivity_problem *p, crm_reader *reader, const crm_node *node,
                              const crm_node *const *fields)
{
    const crm_node *to = fields[SENSITIVITY_TO], *uncertain = fields[SENSITIVITY_UNCERTAINTY];
    if (to == NULL && uncertain == NULL) {
        return crm_reader_fail(reader, node,
                               "names no fields; it needs 'to', a list of fields to differentiate "
                               "with respect to, or 'uncertainty'");
    }
    crm_status status = to != NULL ? read_to(p, reader, to) : CRM_OK;
    p->to_count = p->map.unknown_count;
    if (status == CRM_OK && uncertain != NULL) {
        status = read_uncertainty(p, reader, uncertain);
    }
    p->to_count = to != NULL ? p->to_count : p->map.unknown_count;
    return status;
}

/* ---- Quantities ----------------------------------------------------------------------------- */

static crm_status read_of(crm_sensitivity_problem *p, crm_reader *reader, const crm_node *block,
                          const crm_node *node)
{
    static const char *const of_impact[] = {"velocity", "impulse", "energy_after"};
    static const char *const of_motion[] = {"position", "velocity"};
    const char *const *standard = p->map.moves ? of_motion : of_impact;
    bool list = node != NULL && node->kind == CRM_NODE_SEQUENCE;
    size_t count = list           ? node->count
                   : node != NULL ? 1
                   : p->map.moves ? CRM_COUNT(of_motion)
                                  : CRM_COUNT(of_impact);
    if (count == 0) {
        return crm_reader_fail_value(reader, node, "a list of quantities, such as velocity");
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < count && status == CRM_OK; i++) {
        const crm_node *item = list ? node->items[i] : node != NULL ? node : block;
        const char *name = standard[node == NULL ? i : 0];
        status = node != NULL ? crm_reader_text(reader, item, &name) : CRM_OK;
        if (status == CRM_OK) {
            status = crm_map_add_outputs(&p->map, reader, item, name, 0);
        }
    }
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------ */

static crm_status read_samples(crm_sensitivity_problem *p, crm_reader *reader,
                               const crm_node *const *fields)
{
    p->samples = SAMPLES;
    p->seed = 1;
    crm_status status = CRM_OK;
    if (fields[SENSITIVITY_SAMPLES] != NULL) {
        status = crm_reader_count(reader, fields[SENSITIVITY_SAMPLES], SAMPLES_MOST, &p->samples);
    }
    if (status == CRM_OK && p->samples < 2) {
        status = crm_reader_fail_value(reader, fields[SENSITIVITY_SAMPLES], "at least 2");
    }
    if (status == CRM_OK && fields[SENSITIVITY_SEED] != NULL) {
        status = crm_reader_seed(reader, fields[SENSITIVITY_SEED], &p->seed);
    }
    return status;
}

static crm_status read_block(crm_sensitivity_problem *p, crm_reader *reader, const crm_node *node)
{
    const crm_node *fields[SENSITIVITY_FIELDS];
    size_t trial;
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_SENSITIVITY, fields);
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, read_samples(p, reader, fields));
    }
    if (status == CRM_OK) {
        status = read_fields(p, reader, node, fields);
    }
    if (status == CRM_OK) {
        status = crm_map_add_trial(&p->map, reader, NULL, &trial);
    }
    if (status == CRM_OK && !crm_mistakes_any(reader)) {
        status = crm_map_prepare(&p->map, reader->error);
    }
    return status == CRM_OK && !crm_mistakes_any(reader)
               ? read_of(p, reader, node, fields[SENSITIVITY_OF])
               : status;
}

crm_status crm_sensitivity_open(crm_sensitivity_problem *problem, const crm_study_def *def,
                                crm_read_error *error)
{
    crm_status status = crm_map_open(&problem->map, def, error);
    if (status != CRM_OK) {
        return status;
    }
    crm_reader reader = {.tree = problem->map.tree, .error = error};
    crm_mistakes mistakes;
    crm_mistakes_begin(&reader, &mistakes);
    const crm_node *node = crm_yaml_find(problem->map.tree->root, "sensitivity");
    status = node != NULL
                 ? read_block(problem, &reader, node)
                 : crm_yaml_fail_at(error, CRM_ERROR_MODEL, def->source, 0, 0,
                                    "scenario has no field 'sensitivity', which says what to "
                                    "differentiate, and with respect to what; see docs/inverse.md");
    status = crm_mistakes_end(&reader, status);
    crm_arena_free(&reader.scratch);
    return status;
}

void crm_sensitivity_close(crm_sensitivity_problem *problem)
{
    crm_map_close(&problem->map);
    *problem = (crm_sensitivity_problem){0};
}
