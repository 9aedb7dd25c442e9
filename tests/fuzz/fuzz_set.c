/* --set must survive any assignments: a tree that is still one, or a complaint.
 *
 * The input is assignments, one per NUL, to one small scenario that has lists, names, and an alias.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/yaml/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char scenario[] = "laws: [lzb, {law: lzb, label: mono, tolerance: 1e-6}]\n"
                               "materials: {steel: &s {young: 2e11}, brass: *s}\n"
                               "bodies:\n"
                               "  - &b {name: cue, mass: 1, position: [0, 0]}\n"
                               "  - *b\n"
                               "pairs: [{between: [cue, 2]}]\n";

/* Every node is met; what is new can tell its path and be shown. Nothing lies deeper than a file
 * may nest, whatever was set.
 */
static void require_tree(const crm_node *node, size_t depth)
{
    enum { DEEPEST = CRM_DEPTH_MOST + 1 };
    char text[128];
    double number;
    if (node == NULL || depth > DEEPEST) {
        abort();
    }
    if (node->source > 0) {
        crm_yaml_path(node, text, sizeof text);
        crm_yaml_show(node, text, sizeof text);
    }
    if (node->kind == CRM_NODE_SCALAR) {
        if (strlen(node->text) != node->count) {
            abort();
        }
        crm_yaml_number(node, &number);
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        if (node->kind == CRM_NODE_MAPPING && node->keys[i]->kind != CRM_NODE_SCALAR) {
            abort();
        }
        require_tree(node->items[i], depth + 1);
    }
}

/* What was set stands where the same path leads, unless something else was named by it. */
static void require_found(const crm_tree *tree, const char *assignment)
{
    char path[64];
    bool complete = false;
    size_t length = strcspn(assignment, "=");
    if (length < sizeof path) {
        memcpy(path, assignment, length);
        path[length] = '\0';
        crm_yaml_locate(tree->root, path, &complete);
        if (!complete && strchr(path, '[') == NULL) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static crm_read_error error;
    const crm_yaml_limits limits = {.depth = CRM_DEPTH_MOST, .nodes = 1000, .bodies = 10};
    crm_tree *tree = NULL;
    char *text = malloc(size + 1);
    if (text == NULL ||
        crm_yaml_parse(scenario, sizeof scenario - 1, "fuzz", &limits, &tree, &error) != CRM_OK) {
        abort();
    }
    memcpy(text, data, size);
    text[size] = '\0';
    for (const char *at = text; at < text + size; at += strlen(at) + 1) {
        error.status = CRM_OK;
        error.text[0] = '\0';
        if (crm_yaml_set(tree, at, &error) == CRM_OK) {
            require_found(tree, at);
        } else if (error.status == CRM_OK || strstr(error.text, ": ") == NULL) {
            abort();
        }
    }
    require_tree(tree->root, 0);
    crm_tree_free(tree);
    free(text);
    return 0;
}
