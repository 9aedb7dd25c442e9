/* The block `admissible` of a scenario. */
#include <stdio.h>
#include <string.h>

#include "inverse/admissible/problem.h"

enum { CRM_ADMISSIBLE_FIELDS(CRM_FIELD_INDEX) ADMISSIBLE_FIELDS };

/* ---- Names ----------------------------------------------------------------------------------- */

/* How many names: one, or, of a bare list such as "velocity", one for each entry. */
static size_t count_names(const crm_admissible_problem *p, const char *name)
{
    const crm_outcome_field *field = crm_field_find(name, strlen(name));
    bool list = field != NULL && field->of != CRM_OF_IMPACT;
    return list ? crm_field_count(field, p->scenario->model) : 1;
}

static bool is_list(const char *name)
{
    const crm_outcome_field *field = crm_field_find(name, strlen(name));
    return field != NULL && field->of != CRM_OF_IMPACT;
}

static crm_status read_name(crm_admissible_problem *p, crm_reader *reader, const crm_node *node,
                            const char *name, crm_admissible_named *named)
{
    char message[256];
    bool memory = false;
    named->name = name;
    named->node = node;
    bool good =
        crm_recorded_parse(&crm_recordable_impact, name, &named->what, message, sizeof message) &&
        crm_admissible_name_quantity(p, named, message, sizeof message, &memory);
    if (good) {
        return CRM_OK;
    }
    return memory ? crm_reader_fail_memory(reader)
                  : crm_reader_fail(reader, node, "'%s' %s", name, message);
}

/* The quantities of a name, from named[0] on. */
static crm_status read_names(crm_admissible_problem *p, crm_reader *reader, const crm_node *node,
                             const char *name, crm_admissible_named *named)
{
    size_t count = count_names(p, name);
    crm_status status = CRM_OK;
    for (size_t i = 0; i < count && status == CRM_OK; i++) {
        size_t size = strlen(name) + 24;
        char *entry = CRM_ARENA_NEW(&p->arena, char, size);
        if (entry == NULL) {
            return crm_reader_fail_memory(reader);
        }
        if (is_list(name)) {
            snprintf(entry, size, "%s[%zu]", name, i + 1);
        } else {
            snprintf(entry, size, "%s", name);
        }
        status = read_name(p, reader, node, entry, &named[i]);
    }
    return status;
}

/* All names of a list of texts. */
static crm_status read_list(crm_admissible_problem *p, crm_reader *reader, const crm_node *node,
                            size_t *count, crm_admissible_named **named)
{
    bool list = node->kind == CRM_NODE_SEQUENCE;
    size_t items = list ? node->count : 1, total = 0;
    const char **names = CRM_ARENA_NEW(&p->arena, const char *, items);
    crm_status status = names != NULL ? CRM_OK : crm_reader_fail_memory(reader);
    if (status == CRM_OK && items == 0) {
        return crm_reader_fail_value(reader, node, "a list of quantities, such as velocity[1]");
    }
    for (size_t i = 0; i < items && status == CRM_OK; i++) {
        status = crm_reader_text(reader, list ? node->items[i] : node, &names[i]);
        total += status == CRM_OK ? count_names(p, names[i]) : 0;
    }
    *named = status == CRM_OK ? CRM_ARENA_NEW(&p->arena, crm_admissible_named, total) : NULL;
    if (status == CRM_OK && *named == NULL) {
        return crm_reader_fail_memory(reader);
    }
    *count = 0;
    for (size_t i = 0; i < items && status == CRM_OK; i++) {
        status = read_names(p, reader, list ? node->items[i] : node, names[i], *named + *count);
        *count += count_names(p, names[i]);
    }
    return status;
}

/* ---- What is usual --------------------------------------------------------------------------- */

static crm_status use_names(crm_admissible_problem *p, crm_reader *reader, size_t count,
                            const char *const *names, size_t *found, crm_admissible_named **named)
{
    size_t total = 0;
    crm_status status = CRM_OK;
    for (size_t i = 0; i < count; i++) {
        total += count_names(p, names[i]);
    }
    *named = CRM_ARENA_NEW(&p->arena, crm_admissible_named, total);
    if (*named == NULL) {
        return crm_reader_fail_memory(reader);
    }
    *found = 0;
    for (size_t i = 0; i < count && status == CRM_OK; i++) {
        status = read_names(p, reader, reader->tree->root, names[i], *named + *found);
        *found += count_names(p, names[i]);
    }
    return status;
}

static crm_status use_standard(crm_admissible_problem *p, crm_reader *reader)
{
    static const char *const names[] = {"velocity", "energy_ratio"};
    bool moves = crm_model_kinetic_energy(p->scenario->model, p->scenario->velocity) > 0;
    return use_names(p, reader, moves ? 2 : 1, names, &p->count, &p->named);
}

/* Axes: of two contacts their gap velocities; else the first two quantities, if they are linear. */
static crm_status use_standard_plane(crm_admissible_problem *p, crm_reader *reader)
{
    static const char *const gaps[] = {"gap_velocity"};
    if (crm_model_contacts(p->scenario->model) == 2) {
        return use_names(p, reader, 1, gaps, &p->plane_count, &p->plane);
    }
    if (p->count >= 2) {
        p->plane = p->named;
        p->plane_count = 2;
    }
    for (size_t i = 0; i < p->plane_count; i++) {
        bool linear = p->plane[i].quantity.energy == 0 && p->plane[i].half_mass != 0;
        p->plane_count = linear ? p->plane_count : 0;
    }
    return CRM_OK;
}

static crm_status read_plane(crm_admissible_problem *p, crm_reader *reader, const crm_node *node)
{
    crm_status status = read_list(p, reader, node, &p->plane_count, &p->plane);
    if (status == CRM_OK && p->plane_count != 2) {
        return crm_reader_fail_value(reader, node, "a list of two quantities");
    }
    for (size_t i = 0; i < p->plane_count && status == CRM_OK; i++) {
        if (p->plane[i].quantity.energy != 0 || p->plane[i].half_mass > 0) {
            status = crm_reader_fail(reader, node,
                                     "has '%s'; both must be linear: velocities, gap velocities, "
                                     "impulses",
                                     p->plane[i].name);
        }
    }
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static crm_status read_block(crm_admissible_problem *p, crm_reader *reader, const crm_node *node)
{
    const crm_node *fields[ADMISSIBLE_FIELDS] = {0};
    crm_status status = CRM_OK;
    if (node != NULL) {
        status = crm_reader_block(reader, node, CRM_BLOCK_ADMISSIBLE, fields);
    }
    if (status == CRM_OK) {
        status = fields[ADMISSIBLE_OF] != NULL
                     ? read_list(p, reader, fields[ADMISSIBLE_OF], &p->count, &p->named)
                     : use_standard(p, reader);
    }
    if (status == CRM_OK) {
        status = fields[ADMISSIBLE_PLANE] != NULL ? read_plane(p, reader, fields[ADMISSIBLE_PLANE])
                                                  : use_standard_plane(p, reader);
    }
    return status;
}

crm_status crm_admissible_open(crm_admissible_problem *problem, const crm_scenario *scenario,
                               crm_read_error *error)
{
    problem->scenario = scenario;
    crm_reader reader = {.tree = scenario->tree, .error = error};
    crm_mistakes mistakes;
    crm_mistakes_begin(&reader, &mistakes);
    crm_status status =
        read_block(problem, &reader, crm_yaml_find(scenario->tree->root, "admissible"));
    status = crm_mistakes_end(&reader, status);
    crm_arena_free(&reader.scratch);
    return status;
}

void crm_admissible_close(crm_admissible_problem *problem)
{
    crm_arena_free(&problem->arena);
    *problem = (crm_admissible_problem){0};
}
