/* From libyaml's events to a tree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/base.h"
#include "scenario/yaml/tree.h"

/* Anchors are looked up one by one; more than this no scenario needs. */
enum { ANCHORS_MOST = 1000 };

typedef struct anchor {
    const char *name;
    crm_node *node;
    size_t values; /* in it, as if it were written out */
    bool open;     /* its collection has not ended: an alias to it would contain itself */
} anchor;

typedef struct frame {
    crm_node *node;
    size_t first;  /* where its children begin on the stack */
    size_t before; /* values before it */
    bool anchored;
} frame;

typedef struct parse {
    yaml_parser_t yaml;
    crm_tree *tree;
    uint32_t source;
    size_t documents;
    crm_node *root;
    frame frames[CRM_DEPTH_MOST];
    size_t depth;
    crm_node **stack; /* children of the open collections; keys and values in turn */
    size_t used, size;
    anchor *anchors; /* NULL until there is one */
    size_t anchor_count;
    const char *text;
    size_t length;
    crm_read_error *error;
} parse;

static const char *source_name(const parse *p)
{
    return p->tree->sources[p->source];
}

static crm_status out_of_memory(parse *p)
{
    return crm_yaml_fail_memory(p->tree, p->error);
}

#define COMPLAIN(p, mark, ...)                                                                     \
    crm_yaml_fail_at((p)->error, CRM_ERROR_MODEL, source_name(p),                                  \
                     (p)->source == 0 ? (mark).line + 1 : 0, (mark).column + 1, __VA_ARGS__)

/* ---- Nodes -------------------------------------------------------------------------------- */

/* What an alias names counts as often as it is named: whoever goes through the tree, or writes it,
 * comes by it as often.
 */
static crm_status count_values(parse *p, size_t values, yaml_mark_t mark)
{
    size_t most = p->tree->limits.nodes;
    if (values > most - p->tree->values) {
        return COMPLAIN(p, mark, "more than %zu values", most);
    }
    p->tree->values += values;
    return CRM_OK;
}

/* A long text is as much as many values to whoever writes it. */
static size_t values_of(const crm_node *scalar)
{
    enum { TEXT_OF_A_VALUE = 64 };
    return 1 + scalar->count / TEXT_OF_A_VALUE;
}

static crm_status new_node(parse *p, crm_node_kind kind, yaml_mark_t mark, crm_node **node)
{
    crm_status status = count_values(p, 1, mark);
    if (status != CRM_OK) {
        return status;
    }
    crm_node *made = CRM_ARENA_NEW(&p->tree->arena, crm_node, 1);
    if (made == NULL) {
        return out_of_memory(p);
    }
    made->kind = (uint8_t)kind;
    made->source = p->source;
    made->line = (uint32_t)(mark.line + 1);
    made->column = (uint32_t)(mark.column + 1);
    *node = made;
    return CRM_OK;
}

static bool room_on_stack(parse *p)
{
    if (p->used < p->size) {
        return true;
    }
    size_t size = p->size > 0 ? 2 * p->size : 64;
    crm_node **stack = crm_memory_resize(p->stack, size, sizeof *stack);
    if (stack == NULL) {
        return false;
    }
    p->stack = stack;
    p->size = size;
    return true;
}

static bool is_key(const parse *p)
{
    const frame *top = &p->frames[p->depth - 1];
    return top->node->kind == CRM_NODE_MAPPING && (p->used - top->first) % 2 == 0;
}

/* Give a node to the collection that is open, or make it the root. */
static crm_status attach(parse *p, crm_node *node, yaml_mark_t mark)
{
    if (p->depth + node->height > p->tree->limits.depth) {
        return COMPLAIN(p, mark, "nested deeper than %zu levels", p->tree->limits.depth);
    }
    if (p->depth == 0) {
        p->root = node;
        return CRM_OK;
    }
    if (is_key(p) && node->kind != CRM_NODE_SCALAR) {
        return COMPLAIN(p, mark, "a key must be a single word, not a list or a mapping");
    }
    if (!room_on_stack(p)) {
        return out_of_memory(p);
    }
    p->stack[p->used++] = node;
    if (node->parent == NULL) {
        node->parent = p->frames[p->depth - 1].node;
    }
    return CRM_OK;
}

/* ---- Anchors ------------------------------------------------------------------------------ */

static crm_status remember(parse *p, const yaml_char_t *name, crm_node *node, yaml_mark_t mark)
{
    if (name == NULL) {
        return CRM_OK;
    }
    if (p->anchor_count == ANCHORS_MOST) {
        return COMPLAIN(p, mark, "more than %d anchors", ANCHORS_MOST);
    }
    if (p->anchors == NULL) {
        p->anchors = CRM_NEW(anchor, ANCHORS_MOST);
    }
    const char *text = (const char *)name;
    char *copy = crm_arena_text(&p->tree->arena, text, strlen(text));
    if (copy == NULL || p->anchors == NULL) {
        return out_of_memory(p);
    }
    bool scalar = node->kind == CRM_NODE_SCALAR;
    p->anchors[p->anchor_count++] = (anchor){
        .name = copy, .node = node, .values = scalar ? values_of(node) : 0, .open = !scalar};
    return CRM_OK;
}

static void close_anchor(parse *p, const crm_node *node, size_t values)
{
    for (size_t i = 0; i < p->anchor_count; i++) {
        if (p->anchors[i].node == node) {
            p->anchors[i].values = values;
            p->anchors[i].open = false;
        }
    }
}

static crm_status on_alias(parse *p, const yaml_event_t *event)
{
    const char *name = (const char *)event->data.alias.anchor;
    char shown[48];
    crm_yaml_show_text(name, shown, sizeof shown);
    for (size_t i = p->anchor_count; i-- > 0;) {
        const anchor *found = &p->anchors[i];
        if (strcmp(found->name, name) != 0) {
            continue;
        }
        if (found->open) {
            return COMPLAIN(p, event->start_mark,
                            "alias '*%s' refers to a collection that contains it", shown);
        }
        found->node->shared = true;
        crm_status status = count_values(p, found->values, event->start_mark);
        return status == CRM_OK ? attach(p, found->node, event->start_mark) : status;
    }
    return COMPLAIN(p, event->start_mark, "alias '*%s' is not defined above", shown);
}

/* ---- Scalars ------------------------------------------------------------------------------ */

static crm_status refuse_tag(parse *p, const char *tag, yaml_mark_t mark)
{
    char shown[64];
    crm_yaml_show_text(tag, shown, sizeof shown);
    return COMPLAIN(p, mark, "tag '%s' has no meaning in a scenario", shown);
}

/* An explicit tag decides between text and number; other tags have no meaning here. */
static crm_status apply_tag(parse *p, const yaml_event_t *event, crm_node *node)
{
    const char *tag = (const char *)event->data.scalar.tag;
    if (tag == NULL) {
        node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    } else if (strcmp(tag, "!") == 0 || strcmp(tag, YAML_STR_TAG) == 0) {
        node->plain = false;
    } else if (strcmp(tag, YAML_INT_TAG) == 0 || strcmp(tag, YAML_FLOAT_TAG) == 0) {
        node->plain = true;
    } else {
        return refuse_tag(p, tag, event->start_mark);
    }
    return CRM_OK;
}

static crm_status on_scalar(parse *p, const yaml_event_t *event)
{
    crm_node *node = NULL;
    crm_status status = new_node(p, CRM_NODE_SCALAR, event->start_mark, &node);
    if (status != CRM_OK) {
        return status;
    }
    const char *value = (const char *)event->data.scalar.value;
    node->count = event->data.scalar.length;
    if (memchr(value, '\0', node->count) != NULL) {
        return COMPLAIN(p, event->start_mark, "a text must not contain the character NUL");
    }
    node->text = crm_arena_text(&p->tree->arena, value, node->count);
    if (node->text == NULL) {
        return out_of_memory(p);
    }
    status = apply_tag(p, event, node);
    if (status == CRM_OK) {
        status = count_values(p, values_of(node) - 1, event->start_mark);
    }
    if (status == CRM_OK) {
        status = remember(p, event->data.scalar.anchor, node, event->start_mark);
    }
    return status == CRM_OK ? attach(p, node, event->start_mark) : status;
}

/* ---- Collections -------------------------------------------------------------------------- */

static crm_status on_start(parse *p, crm_node_kind kind, const yaml_char_t *name,
                           const yaml_char_t *tag, yaml_mark_t mark)
{
    const char *own = kind == CRM_NODE_MAPPING ? YAML_MAP_TAG : YAML_SEQ_TAG;
    if (tag != NULL && strcmp((const char *)tag, own) != 0) {
        return refuse_tag(p, (const char *)tag, mark);
    }
    size_t before = p->tree->values;
    crm_node *node = NULL;
    crm_status status = new_node(p, kind, mark, &node);
    if (status == CRM_OK) {
        node->height = 1;
        status = remember(p, name, node, mark);
    }
    if (status == CRM_OK) {
        status = attach(p, node, mark);
    }
    if (status == CRM_OK) {
        p->frames[p->depth++] =
            (frame){.node = node, .first = p->used, .before = before, .anchored = name != NULL};
    }
    return status;
}

static int compare_keys(const void *a, const void *b)
{
    const crm_node *first = *(crm_node *const *)a, *second = *(crm_node *const *)b;
    int order = strcmp(first->text, second->text);
    if (order != 0) {
        return order;
    }
    /* The error is at the later one. */
    if (first->line != second->line) {
        return first->line < second->line ? -1 : 1;
    }
    return first->column < second->column ? -1 : first->column > second->column;
}

static crm_status refuse_duplicates(parse *p, const crm_node *mapping)
{
    crm_node **sorted = CRM_NEW(crm_node *, mapping->count);
    if (sorted == NULL) {
        return out_of_memory(p);
    }
    memcpy(sorted, mapping->keys, mapping->count * sizeof *sorted);
    qsort(sorted, mapping->count, sizeof *sorted, compare_keys);
    crm_status status = CRM_OK;
    for (size_t i = 1; i < mapping->count && status == CRM_OK; i++) {
        if (strcmp(sorted[i]->text, sorted[i - 1]->text) == 0) {
            char key[48];
            crm_yaml_show_text(sorted[i]->text, key, sizeof key);
            status = crm_yaml_fail(p->tree, sorted[i], p->error,
                                   "field '%s' is given twice (first in line %u)", key,
                                   (unsigned)sorted[i - 1]->line);
        }
    }
    free(sorted);
    return status;
}

static crm_status fill_mapping(parse *p, crm_node *node, crm_node **children)
{
    node->keys = CRM_ARENA_NEW(&p->tree->arena, crm_node *, node->count);
    if (node->keys == NULL) {
        return out_of_memory(p);
    }
    for (size_t i = 0; i < node->count; i++) {
        node->keys[i] = children[2 * i];
        node->items[i] = children[2 * i + 1];
    }
    return node->count > 1 ? refuse_duplicates(p, node) : CRM_OK;
}

static crm_status on_end(parse *p)
{
    frame top = p->frames[--p->depth];
    crm_node **children = p->stack + top.first;
    size_t count = p->used - top.first;
    bool mapping = top.node->kind == CRM_NODE_MAPPING;
    p->used = top.first;
    if (top.anchored) {
        close_anchor(p, top.node, p->tree->values - top.before);
    }
    for (size_t i = 0; i < count; i++) {
        uint8_t height = (uint8_t)(children[i]->height + 1);
        top.node->height = height > top.node->height ? height : top.node->height;
    }
    top.node->count = mapping ? count / 2 : count;
    top.node->items = CRM_ARENA_NEW(&p->tree->arena, crm_node *, top.node->count);
    if (top.node->items == NULL) {
        return out_of_memory(p);
    }
    if (mapping) {
        return fill_mapping(p, top.node, children);
    }
    if (count > 0) {
        memcpy(top.node->items, children, count * sizeof *children);
    }
    return CRM_OK;
}

/* ---- The loop ----------------------------------------------------------------------------- */

static crm_status on_event(parse *p, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return ++p->documents > 1
                   ? COMPLAIN(p, event->start_mark, "a second document; a file is one scenario")
                   : CRM_OK;
    case YAML_ALIAS_EVENT:
        return on_alias(p, event);
    case YAML_SCALAR_EVENT:
        return on_scalar(p, event);
    case YAML_SEQUENCE_START_EVENT:
        return on_start(p, CRM_NODE_SEQUENCE, event->data.sequence_start.anchor,
                        event->data.sequence_start.tag, event->start_mark);
    case YAML_MAPPING_START_EVENT:
        return on_start(p, CRM_NODE_MAPPING, event->data.mapping_start.anchor,
                        event->data.mapping_start.tag, event->start_mark);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return on_end(p);
    default:
        return CRM_OK;
    }
}

/* An error of encoding comes with an offset instead of a line and a column. */
static yaml_mark_t mark_of_offset(const parse *p, size_t offset)
{
    yaml_mark_t mark = {0};
    for (size_t i = 0; i < offset && i < p->length; i++) {
        mark.column++;
        if (p->text[i] == '\n') {
            mark.line++;
            mark.column = 0;
        }
    }
    return mark;
}

static crm_status refuse_syntax(parse *p)
{
    const yaml_parser_t *yaml = &p->yaml;
    if (yaml->error == YAML_MEMORY_ERROR) {
        return out_of_memory(p);
    }
    yaml_mark_t mark = yaml->error == YAML_READER_ERROR ? mark_of_offset(p, yaml->problem_offset)
                                                        : yaml->problem_mark;
    const char *problem = yaml->problem != NULL ? yaml->problem : "unreadable";
    const char *context = yaml->context != NULL ? yaml->context : "";
    char hint[256] = "";
    if (yaml->error != YAML_READER_ERROR &&
        !crm_yaml_hint_at(p->text, p->length, mark.line, hint, sizeof hint) &&
        strstr(context, "flow") != NULL) {
        snprintf(hint, sizeof hint, "the bracket of line %zu, column %zu is not closed",
                 yaml->context_mark.line + 1, yaml->context_mark.column + 1);
    }
    return COMPLAIN(p, mark, "not valid YAML: %s%s%s%s%s", problem, context[0] != '\0' ? " " : "",
                    context, hint[0] != '\0' ? "; " : "", hint);
}

static crm_status run(parse *p)
{
    crm_status status = CRM_OK;
    bool ended = false;
    while (status == CRM_OK && !ended) {
        yaml_event_t event;
        if (!yaml_parser_parse(&p->yaml, &event)) {
            return refuse_syntax(p);
        }
        ended = event.type == YAML_STREAM_END_EVENT;
        status = on_event(p, &event);
        yaml_event_delete(&event);
    }
    return status;
}

/* Parse one text into the tree's memory; *root is NULL for an empty text. */
static crm_status parse_text(crm_tree *tree, uint32_t source, const char *text, size_t length,
                             crm_node **root, crm_read_error *error)
{
    parse *p = CRM_NEW(parse, 1);
    if (p == NULL || !yaml_parser_initialize(&p->yaml)) {
        free(p);
        return crm_yaml_fail_memory(tree, error);
    }
    p->tree = tree;
    p->source = source;
    p->text = text;
    p->length = length;
    p->error = error;
    yaml_parser_set_input_string(&p->yaml, (const unsigned char *)text, length);
    crm_status status = run(p);
    *root = p->root;
    yaml_parser_delete(&p->yaml);
    free(p->stack);
    free(p->anchors);
    free(p);
    return status;
}

static bool add_source(crm_tree *tree, const char *name)
{
    const char **sources = CRM_ARENA_NEW(&tree->arena, const char *, tree->source_count + 1);
    char *copy = crm_arena_text(&tree->arena, name, strlen(name));
    if (sources == NULL || copy == NULL) {
        return false;
    }
    for (size_t i = 0; i < tree->source_count; i++) {
        sources[i] = tree->sources[i];
    }
    sources[tree->source_count++] = copy;
    tree->sources = sources;
    return true;
}

static crm_status out_of_memory_for(const char *source, crm_read_error *error)
{
    return crm_yaml_fail_at(error, CRM_ERROR_MEMORY, source, 0, 0, "out of memory");
}

crm_status crm_yaml_parse(const char *text, size_t length, const char *source,
                          const crm_yaml_limits *limits, crm_tree **tree, crm_read_error *error)
{
    *tree = NULL;
    crm_tree *made = CRM_NEW(crm_tree, 1);
    if (made == NULL || !add_source(made, source)) {
        crm_tree_free(made);
        return out_of_memory_for(source, error);
    }
    made->limits = *limits;
    crm_status status = parse_text(made, 0, text, length, &made->root, error);
    if (status == CRM_OK && made->root == NULL) {
        status = crm_yaml_fail_at(
            error, CRM_ERROR_MODEL, source, 1, 1,
            "the file is empty; a scenario has one of chain, packing, bodies and system");
    }
    if (status != CRM_OK) {
        crm_tree_free(made);
        return status;
    }
    *tree = made;
    return CRM_OK;
}

crm_status crm_yaml_parse_value(crm_tree *tree, const char *text, const char *source,
                                crm_node **node, crm_read_error *error)
{
    if (!add_source(tree, source)) {
        return crm_yaml_fail_memory(tree, error);
    }
    uint32_t number = (uint32_t)(tree->source_count - 1);
    crm_status status = parse_text(tree, number, text, strlen(text), node, error);
    if (status == CRM_OK && *node == NULL) {
        status = crm_yaml_fail_at(error, CRM_ERROR_MODEL, source, 0, 0, "the value is empty");
    }
    return status;
}
