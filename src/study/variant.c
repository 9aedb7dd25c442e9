#include "study/variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"

/* ---- Slots ---------------------------------------------------------------------------------- */

/* Whether setting `a` would replace what `b` sets. */
static bool contains(const char *a, const char *b)
{
    size_t length = strlen(a);
    return strncmp(a, b, length) == 0 && strchr(".[", b[length]) != NULL;
}

static crm_status check_command(crm_reader *reader, const crm_variant_slot *slot)
{
    static const char *const commands[] = {"sweep", "sensitivity", "fit", "design", "admissible"};
    for (size_t i = 0; i < CRM_COUNT(commands); i++) {
        if (strcmp(slot->path, commands[i]) == 0 || contains(commands[i], slot->path)) {
            return crm_yaml_fail(reader->tree, slot->node, reader->error,
                                 "the %s cannot vary itself", commands[i]);
        }
    }
    return strcmp(slot->path, "laws") != 0
               ? CRM_OK
               : crm_yaml_fail(reader->tree, slot->node, reader->error,
                               "laws cannot be varied as a whole: every point is solved by every "
                               "law of the list; vary laws[1] or its options");
}

static crm_status check_slot(crm_reader *reader, const crm_variant_slot *slots, size_t count,
                             size_t i)
{
    const crm_variant_slot *slot = &slots[i];
    crm_status status = check_command(reader, slot);
    for (size_t j = 0; j < count && status == CRM_OK; j++) {
        const crm_variant_slot *other = &slots[j];
        if (j == i || other->path == slot->path) { /* entries of one list share it */
            continue;
        }
        if (strcmp(other->path, slot->path) == 0) {
            status = crm_yaml_fail(reader->tree, slot->node, reader->error, "%s is varied twice",
                                   slot->path);
        } else if (contains(other->path, slot->path)) {
            status = crm_yaml_fail(reader->tree, slot->node, reader->error,
                                   "%s and %s are both varied, but the first contains the second",
                                   other->path, slot->path);
        }
    }
    return status;
}

crm_status crm_variant_check_slots(crm_reader *reader, const crm_variant_slot *slots, size_t count)
{
    crm_status status = CRM_OK;
    for (size_t i = 0; i < count && status == CRM_OK; i++) {
        if (i == 0 || slots[i].path != slots[i - 1].path) {
            status = check_slot(reader, slots, count, i);
        }
    }
    return status;
}

/* ---- Making --------------------------------------------------------------------------------- */

/* A list whose entries are set, in the place of what stood there. */
static crm_status place_list(crm_variant *v, size_t first, size_t count, crm_read_error *error)
{
    const crm_variant_slot *slot = &v->slots[first];
    crm_node *list = CRM_ARENA_NEW(&v->tree->arena, crm_node, 1);
    crm_node **items = CRM_ARENA_NEW(&v->tree->arena, crm_node *, count);
    if (list == NULL || items == NULL) {
        return crm_yaml_fail_memory(v->tree, error);
    }
    *list = (crm_node){.kind = CRM_NODE_SEQUENCE,
                       .height = 1,
                       .source = slot->node->source,
                       .line = slot->node->line,
                       .column = slot->node->column,
                       .count = count,
                       .items = items};
    for (size_t i = 0; i < count; i++) {
        items[i] = v->scalars[first + i];
        items[i]->parent = list;
        v->places[first + i] = (crm_place){list, i};
    }
    crm_place place;
    return crm_yaml_place(v->tree, slot->path, slot->node, list, &place, error);
}

static crm_status place_slots(crm_variant *v, crm_read_error *error)
{
    crm_status status = CRM_OK;
    for (size_t i = 0; i < v->count && status == CRM_OK;) {
        const crm_variant_slot *slot = &v->slots[i];
        status = slot->list > 0 ? place_list(v, i, slot->list, error)
                                : crm_yaml_place(v->tree, slot->path, slot->node, v->scalars[i],
                                                 &v->places[i], error);
        i += slot->list > 0 ? slot->list : 1;
    }
    return status;
}

static bool make_scalars(crm_variant *v)
{
    crm_arena *arena = &v->tree->arena;
    v->places = CRM_ARENA_NEW(arena, crm_place, v->count);
    v->scalars = CRM_ARENA_NEW(arena, crm_node *, v->count);
    v->texts = crm_arena_allocate(arena, v->count, sizeof *v->texts);
    if (v->places == NULL || v->scalars == NULL || v->texts == NULL) {
        return false;
    }
    for (size_t i = 0; i < v->count; i++) {
        const crm_node *asked = v->slots[i].node;
        crm_node *scalar = CRM_ARENA_NEW(arena, crm_node, 1);
        if (scalar == NULL) {
            return false;
        }
        *scalar = (crm_node){.plain = true,
                             .source = asked->source,
                             .line = asked->line,
                             .column = asked->column,
                             .text = v->texts[i]};
        v->scalars[i] = scalar;
    }
    return true;
}

crm_status crm_variant_open(crm_variant *variant, const crm_variant_def *def, crm_read_error *error)
{
    *variant = (crm_variant){
        .laws = def->laws, .moves = def->moves, .slots = def->slots, .count = def->slot_count};
    crm_status status =
        crm_yaml_parse(def->text, def->length, def->source, def->limits, &variant->tree, error);
    if (status == CRM_OK) {
        variant->tree->own = def->own;
    }
    for (size_t i = 0; i < def->override_count && status == CRM_OK; i++) {
        status = crm_yaml_set(variant->tree, def->overrides[i], error);
    }
    if (status == CRM_OK && !make_scalars(variant)) {
        status = crm_yaml_fail_memory(variant->tree, error);
    }
    if (status == CRM_OK) {
        status = place_slots(variant, error);
    }
    if (status == CRM_OK) {
        variant->mark = crm_arena_now(&variant->tree->arena);
    }
    return status;
}

/* ---- Setting and reading -------------------------------------------------------------------- */

void crm_variant_set_node(crm_variant *variant, size_t slot, const crm_node *node)
{
    crm_place place = variant->places[slot];
    place.container->items[place.index] = (crm_node *)node;
}

void crm_variant_set_number(crm_variant *variant, size_t slot, double number)
{
    /* As many digits as give the same number when they are read. */
    int length = crm_snprintf(variant->texts[slot], CRM_SLOT_TEXT, "%.17g", number);
    variant->scalars[slot]->count = (size_t)length;
    crm_variant_set_node(variant, slot, variant->scalars[slot]);
}

static void forget_scenario(crm_variant *variant)
{
    if (variant->scenario != NULL) {
        variant->scenario->tree = NULL; /* it stays the variant's */
        crm_scenario_free(variant->scenario);
        variant->scenario = NULL;
    }
}

crm_status crm_variant_read(crm_variant *variant, crm_read_error *error)
{
    forget_scenario(variant);
    crm_arena_return(&variant->tree->arena, variant->mark);
    crm_status status =
        variant->moves ? crm_scenario_motion_from_tree(variant->tree, &variant->scenario, error)
                       : crm_scenario_from_tree(variant->tree, &variant->scenario, error);
    if (status == CRM_OK && variant->laws != NULL) {
        status = crm_scenario_choose_laws(variant->scenario, variant->laws, error);
    }
    if (status != CRM_OK) {
        forget_scenario(variant);
    }
    return status;
}

const char *crm_variant_bare(const crm_variant *variant, const crm_read_error *error)
{
    const crm_tree *tree = variant->tree;
    for (size_t i = 0; i < tree->source_count; i++) {
        size_t length = strlen(tree->sources[i]);
        if (strncmp(error->text, tree->sources[i], length) == 0 && error->text[length] == ':') {
            const char *rest = error->text + length + 1;
            rest += error->line > 0 ? strspn(rest, "0123456789:") : 0;
            return rest + strspn(rest, " ");
        }
    }
    return error->text;
}

void crm_variant_close(crm_variant *variant)
{
    forget_scenario(variant);
    crm_tree_free(variant->tree);
    *variant = (crm_variant){0};
}
