/* Laws chosen on the command line instead of in the file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "scenario/scenario.h"

static crm_scenario_law *find_label(const crm_scenario *scenario, const char *name)
{
    for (size_t i = 0; i < scenario->law_count; i++) {
        if (scenario->laws[i].settings != NULL && strcmp(scenario->laws[i].label, name) == 0) {
            return &scenario->laws[i];
        }
    }
    return NULL;
}

static crm_status refuse(const char *name, crm_read_error *error)
{
    char shown[64];
    crm_yaml_show_text(name, shown, sizeof shown);
    const char *nearest = crm_law_nearest(name);
    bool near = crm_text_is_near(name, nearest);
    return crm_yaml_fail_at(error, CRM_ERROR_OPTION, "--law", 0, 0,
                            "'%s' is neither a law nor a label of this scenario; %s%s%s", shown,
                            near ? "did you mean '" : "'carom laws", near ? nearest : "",
                            near ? "'?" : "' lists the laws");
}

/* The scenario's own entry with its options if there is one; otherwise the law's defaults. */
static crm_status choose_one(crm_scenario *scenario, const char *name, crm_scenario_law *chosen,
                             crm_read_error *error)
{
    crm_scenario_law *own = find_label(scenario, name);
    if (own != NULL) {
        *chosen = *own;
        own->settings = NULL;
        return CRM_OK;
    }
    const crm_law *law = crm_tree_law(scenario->tree, name);
    if (law == NULL) {
        return refuse(name, error);
    }
    chosen->label = law->name;
    return crm_settings_create(law, &chosen->settings, NULL) == CRM_OK
               ? CRM_OK
               : crm_yaml_fail_memory(scenario->tree, error);
}

static bool named_before(const crm_scenario_law *chosen, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(chosen[i].label, name) == 0) {
            return true;
        }
    }
    return false;
}

static size_t count_names(const char *names)
{
    size_t count = 1;
    for (const char *at = names; *at != '\0'; at++) {
        count += *at == ',';
    }
    return count;
}

static crm_status choose_all(crm_scenario *scenario, char *names, crm_scenario_law *chosen,
                             size_t *count, crm_read_error *error)
{
    crm_status status = CRM_OK;
    for (char *name = names; name != NULL && status == CRM_OK;) {
        char *comma = strchr(name, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        if (!named_before(chosen, *count, name)) {
            status = choose_one(scenario, name, &chosen[*count], error);
            *count += status == CRM_OK;
        }
        name = comma != NULL ? comma + 1 : NULL;
    }
    return status;
}

crm_status crm_scenario_choose_laws(crm_scenario *scenario, const char *names,
                                    crm_read_error *error)
{
    crm_scenario_law *chosen = CRM_NEW(crm_scenario_law, count_names(names));
    char *copy = crm_arena_text(&scenario->tree->arena, names, strlen(names));
    if (chosen == NULL || copy == NULL) {
        free(chosen);
        return crm_yaml_fail_memory(scenario->tree, error);
    }
    size_t count = 0;
    crm_status status = choose_all(scenario, copy, chosen, &count, error);
    for (size_t i = 0; i < scenario->law_count; i++) {
        crm_settings_free(scenario->laws[i].settings);
    }
    free(scenario->laws);
    scenario->laws = chosen;
    scenario->law_count = count;
    return status;
}

static void fail_law(const crm_scenario *scenario, const crm_scenario_law *entry,
                     const crm_error *cause, crm_read_error *error)
{
    if (entry->node == NULL) {
        /* Named on the command line: the message names the law. */
        crm_yaml_fail_at(error, cause->status, "carom", 0, 0, "%s", cause->message);
        return;
    }
    char path[256];
    const crm_node *node = crm_yaml_locate(entry->node, cause->place, NULL);
    crm_yaml_path(node, path, sizeof path);
    crm_yaml_fail(scenario->tree, node, error, "%s: %s", path, cause->message);
}

void crm_scenario_fail_law(const crm_scenario *scenario, size_t law, const crm_error *cause,
                           crm_read_error *error)
{
    fail_law(scenario, &scenario->laws[law], cause, error);
}

void crm_scenario_fail_at(const crm_scenario *scenario, const char *path, const crm_error *cause,
                          crm_read_error *error)
{
    const crm_node *node = crm_yaml_locate(scenario->tree->root, path, NULL);
    crm_yaml_fail(scenario->tree, node, error, "%s: %s", path, cause->message);
}

/* The library speaks of the scene's parts as the file does, and of the options of `simulate` by
 * their names alone.
 */
void crm_scenario_fail_motion(const crm_scenario *scenario, const crm_scenario_law *law,
                              const crm_error *cause, crm_read_error *error)
{
    if (cause->status == CRM_ERROR_OPTION) {
        fail_law(scenario, law, cause, error);
        return;
    }
    char path[256];
    bool found = false;
    const crm_node *root = scenario->tree->root;
    const crm_node *node = crm_yaml_locate(scenario->motion->node, cause->place, &found);
    if (!found && node == scenario->motion->node) {
        const crm_node *other = crm_yaml_locate(root, cause->place, NULL);
        node = other != root ? other : node;
    }
    crm_yaml_path(node, path, sizeof path);
    crm_yaml_fail(scenario->tree, node, error, "%s: %s", path, cause->message);
}
