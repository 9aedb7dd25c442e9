/* The block `fit` of a scenario. */
#include <math.h>

#include "inverse/fit/fit.h"

enum { CRM_FIT_FIELDS(CRM_FIELD_INDEX) FIT_FIELDS };
enum { CRM_MEASURED_FIELDS(CRM_FIELD_INDEX) MEASURED_FIELDS };
enum { STARTS_MOST = 10000 };

static crm_status read_parameters(crm_fit_problem *p, crm_reader *reader, const crm_node *node)
{
    if (node->kind != CRM_NODE_MAPPING || node->count == 0) {
        return crm_reader_fail_value(
            reader, node,
            "a mapping of fields, such as chain.restitution, to ranges {from, "
            "to, start}");
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < node->count && status == CRM_OK; i++) {
        status = crm_mistakes_pass(reader, crm_map_add_ranged(&p->map, reader, node->keys[i],
                                                              node->items[i], CRM_BLOCK_PARAMETER));
    }
    return status;
}

static crm_status read_uncertainty(crm_reader *reader, const crm_node *node, double *value)
{
    static const crm_range above = {0, INFINITY, true, "a number above 0"};
    return crm_reader_in_range(reader, node, above, value);
}

static crm_status read_measured(crm_fit_problem *p, crm_reader *reader, const crm_node *node,
                                double *measured, double *uncertainty)
{
    const crm_node *fields[MEASURED_FIELDS];
    const char *what = NULL;
    size_t trial = 0;
    *uncertainty = NAN;
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_MEASURED, fields);
    for (size_t i = 0; i <= MEASURED_VALUE && status == CRM_OK; i++) {
        if (fields[i] == NULL) {
            status = crm_reader_fail_missing(reader, node,
                                             crm_block_at(CRM_BLOCK_MEASURED)->fields[i].name);
        }
    }
    if (status == CRM_OK) {
        status = crm_reader_text(reader, fields[MEASURED_WHAT], &what);
    }
    if (status == CRM_OK) {
        status = crm_reader_number(reader, fields[MEASURED_VALUE], measured);
    }
    if (status == CRM_OK && fields[MEASURED_UNCERTAINTY] != NULL) {
        status = read_uncertainty(reader, fields[MEASURED_UNCERTAINTY], uncertainty);
    }
    if (status == CRM_OK) {
        status = crm_map_add_trial(&p->map, reader, fields[MEASURED_SET], &trial);
    }
    return status == CRM_OK
               ? crm_map_add_output(&p->map, reader, fields[MEASURED_WHAT], what, trial)
               : status;
}

/* All have an uncertainty, or none has. */
static crm_status check_uncertainties(crm_fit_problem *p, crm_reader *reader, const crm_node *node)
{
    p->weighed = !isnan(p->uncertainty[0]);
    for (size_t i = 1; i < node->count; i++) {
        if (isnan(p->uncertainty[i]) == p->weighed) {
            return crm_reader_fail(
                reader, node->items[i],
                "has %s uncertainty, and fit.measured[1] has %s; all must have one, or "
                "none",
                p->weighed ? "no" : "an", p->weighed ? "one" : "none");
        }
    }
    return CRM_OK;
}

static crm_status read_data(crm_fit_problem *p, crm_reader *reader, const crm_node *node)
{
    if (node->kind != CRM_NODE_SEQUENCE || node->count == 0) {
        return crm_reader_fail_value(
            reader, node,
            "a list of measured quantities, such as {what: velocity[1], value: "
            "1, uncertainty: 0.1}");
    }
    crm_arena *arena = &p->map.tree->arena;
    p->measured = CRM_ARENA_NEW(arena, double, node->count);
    p->uncertainty = CRM_ARENA_NEW(arena, double, node->count);
    if (p->measured == NULL || p->uncertainty == NULL) {
        return crm_reader_fail_memory(reader);
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < node->count && status == CRM_OK; i++) {
        status = crm_mistakes_pass(
            reader, read_measured(p, reader, node->items[i], &p->measured[i], &p->uncertainty[i]));
    }
    return status == CRM_OK && !crm_mistakes_any(reader) ? check_uncertainties(p, reader, node)
                                                         : status;
}

static crm_status check_counts(const crm_fit_problem *p, crm_reader *reader, const crm_node *node)
{
    size_t unknowns = p->map.unknown_count, data = p->map.output_count;
    return data >= unknowns
               ? CRM_OK
               : crm_reader_fail(
                     reader, node,
                     "has %zu %s to estimate from %zu measured %s; there must be at least as "
                     "many values as parameters",
                     unknowns, unknowns == 1 ? "parameter" : "parameters", data,
                     data == 1 ? "value" : "values");
}

static crm_status read_block(crm_fit_problem *p, crm_reader *reader, const crm_node *node)
{
    const crm_node *fields[FIT_FIELDS];
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_FIT, fields);
    for (size_t i = 0; i <= FIT_MEASURED && status == CRM_OK; i++) {
        if (fields[i] == NULL) {
            status =
                crm_reader_fail_missing(reader, node, crm_block_at(CRM_BLOCK_FIT)->fields[i].name);
        }
    }
    p->starts = 0;
    p->seed = 1;
    if (status == CRM_OK && fields[FIT_STARTS] != NULL) {
        status = crm_mistakes_pass(
            reader, crm_reader_count(reader, fields[FIT_STARTS], STARTS_MOST, &p->starts));
    }
    if (status == CRM_OK && fields[FIT_SEED] != NULL) {
        status = crm_reader_seed(reader, fields[FIT_SEED], &p->seed);
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, read_parameters(p, reader, fields[FIT_PARAMETERS]));
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, read_data(p, reader, fields[FIT_MEASURED]));
    }
    return status == CRM_OK && !crm_mistakes_any(reader) ? check_counts(p, reader, node) : status;
}

crm_status crm_fit_open(crm_fit_problem *problem, const crm_study_def *def, crm_read_error *error)
{
    crm_status status = crm_map_open(&problem->map, def, error);
    if (status != CRM_OK) {
        return status;
    }
    crm_reader reader = {.tree = problem->map.tree, .error = error};
    crm_mistakes mistakes;
    crm_mistakes_begin(&reader, &mistakes);
    const crm_node *node = crm_yaml_find(problem->map.tree->root, "fit");
    status = node != NULL ? read_block(problem, &reader, node)
                          : crm_yaml_fail_at(error, CRM_ERROR_MODEL, def->source, 0, 0,
                                             "scenario has no field 'fit', which says what to "
                                             "estimate and what was measured; see docs/inverse.md");
    status = crm_mistakes_end(&reader, status);
    crm_arena_free(&reader.scratch);
    return status == CRM_OK ? crm_map_prepare(&problem->map, error) : status;
}

void crm_fit_close(crm_fit_problem *problem)
{
    crm_map_close(&problem->map);
    *problem = (crm_fit_problem){0};
}
