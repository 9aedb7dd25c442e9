#include "scenario/yaml/tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/locale.h"
#include "base/text.h"

crm_yaml_limits crm_yaml_limits_default(void)
{
    return (crm_yaml_limits){.depth = CRM_DEPTH_MOST, .nodes = 50000000, .bodies = 100000000};
}

void crm_tree_free(crm_tree *tree)
{
    if (tree != NULL) {
        crm_arena_free(&tree->arena);
        free(tree);
    }
}

crm_node *crm_yaml_find(const crm_node *mapping, const char *key)
{
    if (mapping->kind != CRM_NODE_MAPPING) {
        return NULL;
    }
    for (size_t i = 0; i < mapping->count; i++) {
        if (strcmp(mapping->keys[i]->text, key) == 0) {
            return mapping->items[i];
        }
    }
    return NULL;
}

/* ---- Where a node is, in words ------------------------------------------------------------ */

static size_t index_in(const crm_node *parent, const crm_node *node)
{
    size_t i = 0;
    while (i < parent->count && parent->items[i] != node &&
           (parent->keys == NULL || parent->keys[i] != node)) {
        i++;
    }
    return i;
}

static void append(char *text, size_t size, const char *piece)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", piece);
}

static void append_step(const crm_node *parent, const crm_node *node, char *text, size_t size)
{
    char piece[64];
    size_t i = index_in(parent, node);
    if (i == parent->count) {
        return; /* an override took its place */
    }
    if (parent->kind == CRM_NODE_SEQUENCE) {
        snprintf(piece, sizeof piece, "[%zu]", i + 1);
    } else {
        char key[48];
        crm_yaml_show_text(parent->keys[i]->text, key, sizeof key);
        snprintf(piece, sizeof piece, "%s%s", text[0] != '\0' ? "." : "", key);
    }
    append(text, size, piece);
}

void crm_yaml_path(const crm_node *node, char *text, size_t size)
{
    const crm_node *chain[CRM_DEPTH_MOST + 2];
    size_t depth = 0;
    for (const crm_node *at = node; at != NULL && depth < CRM_DEPTH_MOST + 2; at = at->parent) {
        chain[depth++] = at;
    }
    text[0] = '\0';
    for (size_t i = depth; i-- > 1;) {
        append_step(chain[i], chain[i - 1], text, size);
    }
    if (text[0] == '\0') {
        snprintf(text, size, "scenario");
    }
}

void crm_yaml_show_text(const char *text, char *shown, size_t size)
{
    static const char dots[] = "...";
    size_t length = 0, cut = 0; /* cut: the most that leaves room for the dots */
    char piece[CRM_ESCAPE_SIZE];
    while (*text != '\0') {
        size_t bytes = crm_text_escape(text, piece), more = strlen(piece);
        if (length + more >= size) {
            length = cut;
            memcpy(shown + length, dots, size > sizeof dots ? sizeof dots - 1 : 0);
            length += size > sizeof dots ? sizeof dots - 1 : 0;
            break;
        }
        memcpy(shown + length, piece, more);
        length += more;
        cut = length + sizeof dots <= size ? length : cut;
        text += bytes;
    }
    shown[length] = '\0';
}

void crm_yaml_show(const crm_node *node, char *text, size_t size)
{
    char value[48];
    double number;
    switch (node->kind) {
    case CRM_NODE_SEQUENCE:
        snprintf(text, size, "a list of %zu", node->count);
        return;
    case CRM_NODE_MAPPING:
        snprintf(text, size, "a mapping");
        return;
    default:
        break;
    }
    crm_yaml_show_text(node->text, value, sizeof value);
    if (crm_yaml_is_null(node)) {
        snprintf(text, size, "empty");
    } else if (!node->plain) {
        snprintf(text, size, "the text \"%s\"", value);
    } else if (crm_yaml_number(node, &number)) {
        snprintf(text, size, "%s", value);
    } else {
        snprintf(text, size, "'%s'", value);
    }
}

/* ---- Errors ---------------------------------------------------------------------------------- */

static crm_status fill_error(crm_read_error *error, crm_status status, const char *source,
                             size_t line, size_t column, const char *format, va_list arguments)
{
    if (error == NULL) {
        return status;
    }
    error->status = status;
    error->line = line;
    error->column = column;
    error->more[0] = '\0';
    int used = line > 0
                   ? snprintf(error->text, sizeof error->text, "%s:%zu:%zu: ", source, line, column)
                   : snprintf(error->text, sizeof error->text, "%s: ", source);
    size_t start = used < 0 ? 0 : (size_t)used;
    if (start < sizeof error->text) {
        crm_vsnprintf(error->text + start, sizeof error->text - start, format, arguments);
    }
    return status;
}

crm_status crm_yaml_fail(const crm_tree *tree, const crm_node *node, crm_read_error *error,
                         const char *format, ...)
{
    /* Lines and columns within a --set say nothing that the assignment itself does not. */
    bool in_file = node->source == 0;
    va_list arguments;
    va_start(arguments, format);
    crm_status status =
        fill_error(error, CRM_ERROR_MODEL, tree->sources[node->source], in_file ? node->line : 0,
                   in_file ? node->column : 0, format, arguments);
    va_end(arguments);
    return status;
}

crm_status crm_yaml_fail_at(crm_read_error *error, crm_status status, const char *source,
                            size_t line, size_t column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, status, source, line, column, format, arguments);
    va_end(arguments);
    return status;
}

crm_status crm_yaml_fail_memory(const crm_tree *tree, crm_read_error *error)
{
    return crm_yaml_fail_at(error, CRM_ERROR_MEMORY, tree->sources[0], 0, 0, "out of memory");
}

void crm_yaml_write_node(const crm_node *node, FILE *stream)
{
    if (node->kind == CRM_NODE_SCALAR) {
        fputs(node->text, stream);
        return;
    }
    bool mapping = node->kind == CRM_NODE_MAPPING;
    fputc(mapping ? '{' : '[', stream);
    for (size_t i = 0; i < node->count; i++) {
        fputs(i > 0 ? ", " : "", stream);
        if (mapping) {
            fprintf(stream, "%s: ", node->keys[i]->text);
        }
        crm_yaml_write_node(node->items[i], stream);
    }
    fputc(mapping ? '}' : ']', stream);
}

const crm_named_function *crm_tree_function(const crm_tree *tree, const char *name)
{
    for (size_t i = 0; i < tree->own.function_count; i++) {
        if (strcmp(tree->own.functions[i].name, name) == 0) {
            return &tree->own.functions[i];
        }
    }
    return NULL;
}

const crm_law *crm_tree_law(const crm_tree *tree, const char *name)
{
    const crm_law *found = crm_law_find(name);
    for (size_t i = 0; found == NULL && i < tree->own.count; i++) {
        found = strcmp(tree->own.laws[i]->name, name) == 0 ? tree->own.laws[i] : NULL;
    }
    return found;
}
