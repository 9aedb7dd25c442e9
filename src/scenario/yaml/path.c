/* Paths into a tree: "chain.restitution", "laws[1].tolerance", "bodies[cue].velocity". */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "scenario/yaml/tree.h"

enum { STEP_SIZE = 128 };

/* One step of a path: a key, or what stands between brackets. */
typedef struct step {
    char text[STEP_SIZE];
    bool bracket;
} step;

/* Take one step off *path. False: there is none, or it is malformed. */
static bool take_step(const char **path, step *taken)
{
    const char *at = *path;
    taken->bracket = *at == '[';
    at += *at == '[' || *at == '.';
    size_t length = strcspn(at, taken->bracket ? "]" : ".[");
    if (length == 0 || length >= STEP_SIZE || (taken->bracket && at[length] != ']')) {
        return false;
    }
    memcpy(taken->text, at, length);
    taken->text[length] = '\0';
    *path = at + length + (taken->bracket ? 1 : 0);
    return true;
}

/* ---- Following ---------------------------------------------------------------------------- */

/* The fields by which an entry of a list may be called. */
static const char *const naming[] = {"name", "label", "law"};

enum { NAMING_FIELDS = sizeof naming / sizeof naming[0] };

static bool is_called(const crm_node *entry, const char *name)
{
    for (size_t i = 0; i < NAMING_FIELDS; i++) {
        const crm_node *value = crm_yaml_find(entry, naming[i]);
        if (value != NULL && value->kind == CRM_NODE_SCALAR && strcmp(value->text, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Where a step leads in a list: by place, from 1, or from the end when negative, or by name.
 * SIZE_MAX: nowhere.
 */
static size_t entry_index(const crm_node *list, const char *text)
{
    double number;
    if (crm_yaml_text_number(text, &number)) {
        double place = number < 0 ? (double)list->count + number : number - 1;
        bool exists = number != 0 && place >= 0 && place < (double)list->count &&
                      place == (double)(size_t)place;
        return exists ? (size_t)place : SIZE_MAX;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (is_called(list->items[i], text)) {
            return i;
        }
    }
    return SIZE_MAX;
}

static size_t field_index(const crm_node *mapping, const char *key)
{
    for (size_t i = 0; i < mapping->count; i++) {
        if (strcmp(mapping->keys[i]->text, key) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

static size_t step_index(const crm_node *node, const step *taken)
{
    switch (node->kind) {
    case CRM_NODE_SEQUENCE:
        return taken->bracket ? entry_index(node, taken->text) : SIZE_MAX;
    case CRM_NODE_MAPPING:
        return field_index(node, taken->text);
    default:
        return SIZE_MAX;
    }
}

const crm_node *crm_yaml_locate(const crm_node *from, const char *path, bool *complete)
{
    step taken;
    bool all = true;
    while (*path != '\0' && all) {
        size_t i = take_step(&path, &taken) ? step_index(from, &taken) : SIZE_MAX;
        all = i != SIZE_MAX;
        from = all ? from->items[i] : from;
    }
    if (complete != NULL) {
        *complete = all;
    }
    return from;
}

/* ---- Overrides ---------------------------------------------------------------------------- */

typedef struct assignment {
    crm_tree *tree;
    crm_read_error *error;
    char source[512];         /* "--set PATH=VALUE", which errors begin with */
    const crm_node *asked_by; /* the node of errors instead; NULL: the source */
    const char *path;         /* terminated */
    crm_node *value;
} assignment;

#define REFUSE(a, ...)                                                                             \
    ((a)->asked_by != NULL                                                                         \
         ? crm_yaml_fail((a)->tree, (a)->asked_by, (a)->error, __VA_ARGS__)                        \
         : crm_yaml_fail_at((a)->error, CRM_ERROR_MODEL, (a)->source, 0, 0, __VA_ARGS__))

/* By what an entry may be called; NULL: it has no name. */
static const char *name_of(const crm_node *entry)
{
    for (size_t i = 0; i < NAMING_FIELDS; i++) {
        const crm_node *value = crm_yaml_find(entry, naming[i]);
        if (value != NULL && value->kind == CRM_NODE_SCALAR) {
            return value->text;
        }
    }
    return NULL;
}

static const char *nearest_name(const crm_node *list, const char *text)
{
    const char *nearest = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < list->count; i++) {
        const char *name = name_of(list->items[i]);
        size_t distance = name != NULL ? crm_text_distance(text, name) : SIZE_MAX;
        if (distance < least) {
            least = distance;
            nearest = name;
        }
    }
    return nearest != NULL && crm_text_is_near(text, nearest) ? nearest : NULL;
}

/* What there is instead: a range, or a name that is near. */
static crm_status refuse_entry(const assignment *a, const crm_node *list, const char *path,
                               const char *text)
{
    char shown[64], meant[64];
    double number;
    const char *near = crm_yaml_text_number(text, &number) ? NULL : nearest_name(list, text);
    crm_yaml_show_text(text, shown, sizeof shown);
    if (near != NULL) {
        crm_yaml_show_text(near, meant, sizeof meant);
        return REFUSE(a, "%s has no entry '%s'; did you mean '%s'?", path, shown, meant);
    }
    if (list->count <= 1) {
        return REFUSE(a, "%s has no entry '%s'; %s", path, shown,
                      list->count == 0 ? "it is empty" : "its only entry is 1");
    }
    return REFUSE(a,
                  "%s has no entry '%s'; entries go from 1 to %zu (or from -1, the last, to -%zu)",
                  path, shown, list->count, list->count);
}

static crm_status refuse_step(const assignment *a, const crm_node *node, const step *taken)
{
    char path[256], shown[64];
    crm_yaml_path(node, path, sizeof path);
    crm_yaml_show_text(taken->text, shown, sizeof shown);
    if (node->kind == CRM_NODE_SCALAR) {
        return strncmp(path, "laws", 4) == 0
                   ? REFUSE(a, "%s is only a name; write --set 'laws=[{law: %s, %s: ...}]'", path,
                            node->text, shown)
                   : REFUSE(a, "%s is a single value and has no '%s'", path, shown);
    }
    if (node->kind == CRM_NODE_SEQUENCE && !taken->bracket) {
        return REFUSE(a, "%s is a list: write %s[1], not %s.%s", path, path, path, shown);
    }
    if (node->kind == CRM_NODE_SEQUENCE) {
        return refuse_entry(a, node, path, taken->text);
    }
    return REFUSE(a, "%s has no field '%s'", path, shown);
}

/* A node that an alias shares is copied before it is changed: the other place keeps its own. What
 * is in it is shared from then on.
 */
static crm_node *own_copy(crm_tree *tree, const crm_node *node)
{
    crm_node *copy = CRM_ARENA_NEW(&tree->arena, crm_node, 1);
    if (copy == NULL) {
        return NULL;
    }
    *copy = *node;
    copy->shared = false;
    if (node->kind != CRM_NODE_SCALAR) {
        copy->items = CRM_ARENA_NEW(&tree->arena, crm_node *, node->count);
        if (copy->items == NULL) {
            return NULL;
        }
        for (size_t i = 0; i < node->count; i++) {
            copy->items[i] = node->items[i];
            copy->items[i]->shared = true;
        }
    }
    return copy;
}

static crm_status add_field(const assignment *a, crm_node *mapping, const step *taken,
                            crm_node *item)
{
    crm_arena *arena = &a->tree->arena;
    size_t count = mapping->count;
    crm_node **keys = CRM_ARENA_NEW(arena, crm_node *, count + 1);
    crm_node **items = CRM_ARENA_NEW(arena, crm_node *, count + 1);
    crm_node *key = CRM_ARENA_NEW(arena, crm_node, 1);
    char *text = crm_arena_text(arena, taken->text, strlen(taken->text));
    if (keys == NULL || items == NULL || key == NULL || text == NULL) {
        return crm_yaml_fail_memory(a->tree, a->error);
    }
    if (count > 0) {
        memcpy(keys, mapping->keys, count * sizeof *keys);
        memcpy(items, mapping->items, count * sizeof *items);
    }
    *key = (crm_node){.plain = true,
                      .source = a->value->source,
                      .line = a->value->line,
                      .column = a->value->column,
                      .count = strlen(text),
                      .text = text,
                      .parent = mapping};
    keys[count] = key;
    items[count] = item;
    item->parent = mapping;
    mapping->keys = keys;
    mapping->items = items;
    mapping->count = count + 1;
    return CRM_OK;
}

static crm_status put(const assignment *a, crm_node *container, size_t index, const step *taken,
                      crm_place *place)
{
    *place = (crm_place){container, index != SIZE_MAX ? index : container->count};
    if (index != SIZE_MAX) {
        container->items[index] = a->value;
        a->value->parent = container;
        return CRM_OK;
    }
    if (container->kind != CRM_NODE_MAPPING) {
        return refuse_step(a, container, taken);
    }
    return add_field(a, container, taken, a->value);
}

/* A block that is not there comes into being with its first field; that it is one, and that the
 * field is one of its own, the readers find out.
 */
static crm_status add_block(const assignment *a, crm_node *mapping, const step *taken)
{
    crm_node *block = CRM_ARENA_NEW(&a->tree->arena, crm_node, 1);
    if (block == NULL) {
        return crm_yaml_fail_memory(a->tree, a->error);
    }
    *block = (crm_node){.kind = CRM_NODE_MAPPING,
                        .source = a->value->source,
                        .line = a->value->line,
                        .column = a->value->column};
    return add_field(a, mapping, taken, block);
}

static crm_status assign(const assignment *a, crm_place *place)
{
    crm_node *at = a->tree->root;
    const char *rest = a->path;
    size_t most = a->tree->limits.depth;
    bool shared = false; /* something above is shared, so everything below is */
    for (size_t level = 1;; level++) {
        step taken;
        if (!take_step(&rest, &taken)) {
            return REFUSE(a,
                          "malformed path; write it like chain.restitution or laws[1].tolerance");
        }
        size_t index = step_index(at, &taken);
        size_t below = *rest == '\0' ? a->value->height : 1;
        if (level + below > most) {
            return REFUSE(a, "nested deeper than %zu levels", most);
        }
        if (*rest == '\0') {
            return put(a, at, index, &taken, place);
        }
        if (index == SIZE_MAX) {
            bool block = at->kind == CRM_NODE_MAPPING && *rest == '.';
            crm_status status = block ? add_block(a, at, &taken) : refuse_step(a, at, &taken);
            if (status != CRM_OK) {
                return status;
            }
            index = at->count - 1;
        }
        crm_node *next = at->items[index];
        shared = shared || next->shared;
        if (shared) {
            next = own_copy(a->tree, next);
            if (next == NULL) {
                return crm_yaml_fail_memory(a->tree, a->error);
            }
            next->parent = at;
            at->items[index] = next;
        }
        at = next;
    }
}

crm_status crm_yaml_set(crm_tree *tree, const char *text, crm_read_error *error)
{
    assignment a = {.tree = tree, .error = error};
    char shown[480];
    crm_yaml_show_text(text, shown, sizeof shown);
    snprintf(a.source, sizeof a.source, "--set %s", shown);
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
        return REFUSE(&a, "must be PATH=VALUE, such as chain.restitution=0.9");
    }
    a.path = crm_arena_text(&tree->arena, text, (size_t)(equals - text));
    if (a.path == NULL) {
        return crm_yaml_fail_memory(tree, error);
    }
    crm_status status = crm_yaml_parse_value(tree, equals + 1, a.source, &a.value, error);
    crm_place place;
    return status == CRM_OK ? assign(&a, &place) : status;
}

crm_status crm_yaml_place(crm_tree *tree, const char *path, const crm_node *asked_by,
                          crm_node *value, crm_place *place, crm_read_error *error)
{
    assignment a = {
        .tree = tree, .error = error, .asked_by = asked_by, .path = path, .value = value};
    return assign(&a, place);
}
