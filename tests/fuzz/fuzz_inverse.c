/* The blocks `sensitivity`, `fit` and `design` must survive any bytes: a problem whose every part
 * can be asked for, or a complaint.
 *
 * The input is a scenario. What each of its blocks asks for is read and tried at its start; nothing
 * is solved.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "inverse/design/design.h"
#include "inverse/fit/fit.h"
#include "inverse/sensitivity/sensitivity.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void require_complaint(crm_status status, const crm_read_error *error)
{
    require(status == CRM_OK || (error->status != CRM_OK && strstr(error->text, ": ") != NULL));
}

static void require_map(const crm_map *map)
{
    require(map->unknown_count > 0 && map->output_count > 0 && map->trial_count > 0);
    require(crm_map_law(map)[0] != '\0' && crm_map_title(map) != NULL);
    for (size_t j = 0; j < map->unknown_count; j++) {
        const crm_unknown *u = &map->unknowns[j];
        require(u->name[0] != '\0' && u->slots > 0 && u->slot + u->slots <= map->slot_count);
        require(u->from <= u->start && u->start <= u->to && isfinite(u->start));
    }
    for (size_t i = 0; i < map->output_count; i++) {
        require(map->outputs[i].what.name[0] != '\0' && map->outputs[i].trial < map->trial_count);
    }
}

static void read_sensitivity(const crm_study_def *def, crm_read_error *error)
{
    crm_sensitivity_problem problem = {0};
    crm_status status = crm_sensitivity_open(&problem, def, error);
    require_complaint(status, error);
    if (status == CRM_OK) {
        require_map(&problem.map);
        require(problem.to_count > 0 && problem.to_count <= problem.map.unknown_count);
        require(problem.samples >= 2);
    }
    crm_sensitivity_close(&problem);
}

static void read_fit(const crm_study_def *def, crm_read_error *error)
{
    crm_fit_problem problem = {0};
    crm_status status = crm_fit_open(&problem, def, error);
    require_complaint(status, error);
    if (status == CRM_OK) {
        require_map(&problem.map);
        require(problem.starts <= 10000);
        for (size_t i = 0; i < problem.map.output_count; i++) {
            require(isfinite(problem.measured[i]));
            require(problem.weighed ? problem.uncertainty[i] > 0 : isnan(problem.uncertainty[i]));
        }
    }
    crm_fit_close(&problem);
}

/* Rules are kept at the start, can be, or cannot; whichever it is, the answer keeps to the bounds.
 */
static void try_rules(const crm_design_problem *problem)
{
    const crm_map *map = &problem->map;
    size_t n = map->unknown_count;
    double *x = calloc(2 * n + problem->constraints.count, sizeof *x);
    for (size_t j = 0; x != NULL && j < n; j++) {
        x[j] = map->unknowns[j].start;
    }
    if (x != NULL && crm_constraints_project(&problem->constraints, map, x, x + n)) {
        require(crm_constraints_violation(&problem->constraints, map, x) <=
                CRM_CONSTRAINTS_TOLERANCE);
        for (size_t j = 0; j < n; j++) {
            require(x[j] >= map->unknowns[j].from && x[j] <= map->unknowns[j].to);
        }
    }
    free(x);
}

static void read_design(const crm_study_def *def, crm_read_error *error)
{
    crm_design_problem problem = {0};
    crm_status status = crm_design_open(&problem, def, error);
    require_complaint(status, error);
    if (status == CRM_OK) {
        require_map(&problem.map);
        require(problem.starts > 0 && problem.map.output_count == 1);
        try_rules(&problem);
    }
    crm_design_close(&problem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct {
        const char *name;
        void (*read)(const crm_study_def *def, crm_read_error *error);
    } blocks[] = {{"sensitivity", read_sensitivity}, {"fit", read_fit}, {"design", read_design}};
    static crm_read_error error;
    const crm_yaml_limits limits = {.depth = CRM_DEPTH_MOST, .nodes = 2000, .bodies = 100};
    const crm_study_def def = {
        .text = (const char *)data, .length = size, .source = "fuzz", .limits = &limits};
    crm_tree *tree = NULL;
    crm_status status = crm_yaml_parse((const char *)data, size, "fuzz", &limits, &tree, &error);
    for (size_t i = 0; status == CRM_OK && i < sizeof blocks / sizeof blocks[0]; i++) {
        error = (crm_read_error){0};
        if (crm_yaml_find(tree->root, blocks[i].name) != NULL) {
            blocks[i].read(&def, &error);
        }
    }
    crm_tree_free(tree);
    return 0;
}
