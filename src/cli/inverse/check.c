/* How the blocks sensitivity, fit, design and admissible of a scenario were read. */

#include "cli/inverse/check.h"

#include "base/base.h"

#include "report/text/sheet.h"

/* A scenario of its own, as it stands; one that cannot be read as an impact is reported elsewhere.
 */
static crm_status read_admissible(crm_inverse_blocks *blocks, const crm_study_def *def,
                                  const crm_tree *tree, crm_read_error *error)
{
    const crm_source source = {.path = def->source,
                               .text = def->text,
                               .length = def->length,
                               .overrides = def->overrides,
                               .override_count = def->override_count,
                               .laws = def->laws};
    crm_error ignored;
    crm_status status = crm_scenario_load(&source, &blocks->scenario, &ignored);
    if (status != CRM_OK) {
        return status == CRM_ERROR_MEMORY ? crm_yaml_fail_memory(tree, error) : CRM_OK;
    }
    blocks->has_admissible = true;
    return crm_admissible_open(&blocks->admissible, blocks->scenario, error);
}

crm_status crm_check_read(crm_inverse_blocks *blocks, const crm_study_def *def,
                          const crm_tree *tree, crm_read_error *error)
{
    blocks->has_sensitivity = crm_yaml_find(tree->root, "sensitivity") != NULL;
    blocks->has_fit = crm_yaml_find(tree->root, "fit") != NULL;
    blocks->has_design = crm_yaml_find(tree->root, "design") != NULL;
    crm_status status = CRM_OK;
    if (blocks->has_sensitivity) {
        status = crm_sensitivity_open(&blocks->sensitivity, def, error);
    }
    if (status == CRM_OK && blocks->has_fit) {
        status = crm_fit_open(&blocks->fit, def, error);
    }
    if (status == CRM_OK && blocks->has_design) {
        status = crm_design_open(&blocks->design, def, error);
    }
    if (status == CRM_OK && crm_yaml_find(tree->root, "admissible") != NULL) {
        status = read_admissible(blocks, def, tree, error);
    }
    return status;
}

void crm_check_free(crm_inverse_blocks *blocks)
{
    crm_sensitivity_close(&blocks->sensitivity);
    crm_fit_close(&blocks->fit);
    crm_design_close(&blocks->design);
    crm_admissible_close(&blocks->admissible);
    crm_scenario_free(blocks->scenario);
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void print_unknowns(const crm_map *map, const char *what, int width, FILE *stream)
{
    char text[2048] = "";
    for (size_t j = 0; j < map->unknown_count; j++) {
        crm_text_append(text, sizeof text, "%s%s", j > 0 ? ", " : "", map->unknowns[j].name);
    }
    crm_text_entry(stream, width, what, 9, text);
}

static void print_outputs(const crm_map *map, const char *what, int width, FILE *stream)
{
    char text[2048] = "";
    for (size_t i = 0; i < map->output_count; i++) {
        crm_text_append(text, sizeof text, "%s%s", i > 0 ? ", " : "", map->outputs[i].what.name);
    }
    crm_text_entry(stream, width, what, 9, text);
}

static void print_admissible(const crm_admissible_problem *p, int width, FILE *stream)
{
    char text[2048] = "";
    for (size_t i = 0; i < p->count; i++) {
        crm_text_append(text, sizeof text, "%s%s", i > 0 ? ", " : "", p->named[i].name);
    }
    fprintf(stream, "\nadmissible: extremes of %zu quantit%s\n", p->count,
            p->count == 1 ? "y" : "ies");
    crm_text_entry(stream, width, "of", 9, text);
}

void crm_check_print(const crm_inverse_blocks *blocks, int width, FILE *stream)
{
    const crm_map *map = &blocks->sensitivity.map;
    if (blocks->has_sensitivity) {
        fprintf(stream, "\nsensitivity: %zu quantit%s with respect to %zu field%s, by %s\n",
                map->output_count, map->output_count == 1 ? "y" : "ies",
                blocks->sensitivity.to_count, plural(blocks->sensitivity.to_count),
                crm_map_law(map));
        print_outputs(map, "of", width, stream);
        print_unknowns(map, "to", width, stream);
    }
    map = &blocks->fit.map;
    if (blocks->has_fit) {
        fprintf(stream, "\nfit: %zu parameter%s from %zu value%s of %zu experiment%s, by %s\n",
                map->unknown_count, plural(map->unknown_count), map->output_count,
                plural(map->output_count), map->trial_count, plural(map->trial_count),
                crm_map_law(map));
        print_unknowns(map, "find", width, stream);
        print_outputs(map, "from", width, stream);
    }
    map = &blocks->design.map;
    if (blocks->has_design) {
        fprintf(stream, "\ndesign: %s %s over %zu field%s with %zu constraint%s, by %s\n",
                blocks->design.largest ? "maximize" : "minimize", map->outputs[0].what.name,
                map->unknown_count, plural(map->unknown_count), blocks->design.constraints.count,
                plural(blocks->design.constraints.count), crm_map_law(map));
        print_unknowns(map, "over", width, stream);
    }
    if (blocks->has_admissible) {
        print_admissible(&blocks->admissible, width, stream);
    }
}
