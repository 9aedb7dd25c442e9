/* How a case differs from the scenario: fields to set. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "reproduce/item.h"

crm_status crm_settings_read(crm_reader *reader, const crm_node *node, crm_settings_list *list)
{
    if (node == NULL) {
        return CRM_OK;
    }
    if (node->kind != CRM_NODE_SEQUENCE) {
        return crm_reader_fail_value(reader, node, "a list of settings, such as [chain.count=5]");
    }
    const char **entries = CRM_ARENA_NEW(&reader->tree->arena, const char *, node->count);
    if (entries == NULL) {
        return crm_reader_fail_memory(reader);
    }
    list->entries = entries;
    list->count = node->count;
    crm_status status = CRM_OK;
    for (size_t i = 0; i < node->count && status == CRM_OK; i++) {
        status = crm_reader_text(reader, node->items[i], &entries[i]);
    }
    return status;
}

/* The text with the parameter's value for every $; NULL when out of memory. */
static char *filled_in(const char *template, double parameter)
{
    size_t size = strlen(template) + 1;
    for (const char *at = template; *at != '\0'; at++) {
        size += *at == '$' ? 32 : 0;
    }
    char *text = CRM_NEW(char, size);
    size_t used = 0;
    for (const char *at = template; text != NULL && *at != '\0'; at++) {
        used += (size_t)(*at == '$' ? crm_snprintf(text + used, size - used, "%.17g", parameter)
                                    : snprintf(text + used, size - used, "%c", *at));
    }
    return text;
}

crm_status crm_settings_apply(const crm_settings_list *list, double parameter, crm_tree *tree,
                              crm_read_error *error)
{
    crm_status status = CRM_OK;
    for (size_t i = 0; i < list->count && status == CRM_OK; i++) {
        char *assignment = filled_in(list->entries[i], parameter);
        status = assignment != NULL ? crm_yaml_set(tree, assignment, error)
                                    : crm_yaml_fail_memory(tree, error);
        free(assignment);
    }
    return status;
}
