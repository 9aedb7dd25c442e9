/* The block `design` of a scenario. */
#include "inverse/design/design.h"

enum { CRM_DESIGN_FIELDS(CRM_FIELD_INDEX) DESIGN_FIELDS };
enum { STARTS = 10, STARTS_MOST = 10000 };

static crm_status read_over(crm_design_problem *p, crm_reader *reader, const crm_node *node)
{
    if (node->kind != CRM_NODE_MAPPING || node->count == 0) {
        return crm_reader_fail_value(
            reader, node, "a mapping of fields, such as chain.mass, to ranges {from, to}");
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < node->count && status == CRM_OK; i++) {
        status = crm_mistakes_pass(reader, crm_map_add_ranged(&p->map, reader, node->keys[i],
                                                              node->items[i], CRM_BLOCK_CHOSEN));
    }
    return status;
}

static crm_status read_objective(crm_design_problem *p, crm_reader *reader, const crm_node *node,
                                 const crm_node *const *fields)
{
    const crm_node *most = fields[DESIGN_MAXIMIZE], *least = fields[DESIGN_MINIMIZE];
    const char *what = NULL;
    size_t trial;
    if ((most == NULL) == (least == NULL)) {
        return crm_reader_fail(reader, node,
                               "must have one of maximize and minimize, with a quantity such as "
                               "velocity[-1]");
    }
    p->largest = most != NULL;
    crm_status status = crm_reader_text(reader, most != NULL ? most : least, &what);
    if (status == CRM_OK) {
        status = crm_map_add_trial(&p->map, reader, NULL, &trial);
    }
    return status == CRM_OK
               ? crm_map_add_output(&p->map, reader, most != NULL ? most : least, what, trial)
               : status;
}

static crm_status read_block(crm_design_problem *p, crm_reader *reader, const crm_node *node)
{
    const crm_node *fields[DESIGN_FIELDS];
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_DESIGN, fields);
    p->starts = STARTS;
    p->seed = 1;
    if (status == CRM_OK && fields[DESIGN_OVER] == NULL) {
        status = crm_reader_fail_missing(reader, node, "over");
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, read_objective(p, reader, node, fields));
    }
    if (status == CRM_OK && fields[DESIGN_STARTS] != NULL) {
        status = crm_mistakes_pass(
            reader, crm_reader_count(reader, fields[DESIGN_STARTS], STARTS_MOST, &p->starts));
    }
    if (status == CRM_OK && fields[DESIGN_SEED] != NULL) {
        status = crm_reader_seed(reader, fields[DESIGN_SEED], &p->seed);
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, read_over(p, reader, fields[DESIGN_OVER]));
    }
    p->constraints_node = fields[DESIGN_SUBJECT_TO];
    return status == CRM_OK && p->constraints_node != NULL && !crm_mistakes_any(reader)
               ? crm_constraints_read(reader, p->constraints_node, &p->map, &p->constraints)
               : status;
}

crm_status crm_design_open(crm_design_problem *problem, const crm_study_def *def,
                           crm_read_error *error)
{
    crm_status status = crm_map_open(&problem->map, def, error);
    if (status != CRM_OK) {
        return status;
    }
    crm_reader reader = {.tree = problem->map.tree, .error = error};
    crm_mistakes mistakes;
    crm_mistakes_begin(&reader, &mistakes);
    const crm_node *node = crm_yaml_find(problem->map.tree->root, "design");
    status = node != NULL ? read_block(problem, &reader, node)
                          : crm_yaml_fail_at(error, CRM_ERROR_MODEL, def->source, 0, 0,
                                             "scenario has no field 'design', which says what to "
                                             "maximize or minimize; see docs/inverse.md");
    status = crm_mistakes_end(&reader, status);
    crm_arena_free(&reader.scratch);
    return status == CRM_OK ? crm_map_prepare(&problem->map, error) : status;
}

void crm_design_close(crm_design_problem *problem)
{
    crm_map_close(&problem->map);
    *problem = (crm_design_problem){0};
}
