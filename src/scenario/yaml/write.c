/* A tree as a file that is read as the same tree. Comments, and the way it was laid out, are gone.
 */
#include <string.h>

#include "scenario/yaml/tree.h"

enum { INDENT = 2 };

/* Characters that mean something else to a scalar without quotes, in a list or at its beginning. */
static bool needs_quotes(const crm_node *node)
{
    const char *text = node->text;
    return !node->plain || strpbrk(text, ",[]{}#:\n\"'\\") != NULL ||
           (text[0] != '\0' && strchr("&*!|>%@`? ", text[0]) != NULL);
}

static void write_quoted(const char *text, FILE *stream)
{
    fputc('"', stream);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            fprintf(stream, "\\%c", c);
        } else if (c < 0x20 || c == 0x7f) {
            fprintf(stream, "\\x%02x", c);
        } else {
            fputc(c, stream);
        }
    }
    fputc('"', stream);
}

static void write_scalar(const crm_node *node, FILE *stream)
{
    if (needs_quotes(node)) {
        write_quoted(node->text, stream);
    } else {
        fputs(node->text[0] != '\0' ? node->text : "~", stream);
    }
}

/* In one line. */
static void write_flow(const crm_node *node, FILE *stream)
{
    if (node->kind == CRM_NODE_SCALAR) {
        write_scalar(node, stream);
        return;
    }
    bool mapping = node->kind == CRM_NODE_MAPPING;
    fputc(mapping ? '{' : '[', stream);
    for (size_t i = 0; i < node->count; i++) {
        fputs(i > 0 ? ", " : "", stream);
        if (mapping) {
            write_scalar(node->keys[i], stream);
            fputs(": ", stream);
        }
        write_flow(node->items[i], stream);
    }
    fputc(mapping ? '}' : ']', stream);
}

static bool has_mappings(const crm_node *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i]->kind == CRM_NODE_MAPPING) {
            return true;
        }
    }
    return false;
}

static void write_below(const crm_node *node, int indent, FILE *stream)
{
    bool mapping = node->kind == CRM_NODE_MAPPING;
    for (size_t i = 0; i < node->count; i++) {
        const crm_node *item = node->items[i];
        fprintf(stream, "%*s", indent, "");
        if (!mapping) {
            fputs("- ", stream);
            write_flow(item, stream);
            fputc('\n', stream);
            continue;
        }
        write_scalar(node->keys[i], stream);
        fputc(':', stream);
        bool below = item->count > 0 && (item->kind == CRM_NODE_MAPPING ||
                                         (item->kind == CRM_NODE_SEQUENCE && has_mappings(item)));
        fputs(below ? "\n" : " ", stream);
        if (below) {
            write_below(item, indent + INDENT, stream);
        } else {
            write_flow(item, stream);
            fputc('\n', stream);
        }
    }
}

void crm_yaml_write(const crm_tree *tree, FILE *stream)
{
    write_below(tree->root, 0, stream);
}
