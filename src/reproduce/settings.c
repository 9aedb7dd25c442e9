/* How a case differs from the scenario: fields to set, lists to make. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/random.h"
#include "reproduce/item.h"

enum { LIST_MOST = 100000 };

/* ---- Reading -------------------------------------------------------------------------------- */

enum {
    SET_FIELD,
    SET_COUNT,
    SET_REPEAT,
    SET_FIRST,
    SET_LAST,
    SET_STEP,
    SET_UNIFORM,
    SET_SEED,
    SET_FIELDS
};

static const char *const set_fields[SET_FIELDS] = {
    [SET_FIELD] = "field", [SET_COUNT] = "count", [SET_REPEAT] = "repeat",   [SET_FIRST] = "first",
    [SET_LAST] = "last",   [SET_STEP] = "step",   [SET_UNIFORM] = "uniform", [SET_SEED] = "seed",
};

static crm_status read_slot(crm_reader *reader, const crm_node *node, crm_slot *slot)
{
    slot->varied = node->kind == CRM_NODE_SCALAR && strcmp(node->text, "$") == 0;
    return slot->varied ? CRM_OK : crm_reader_number(reader, node, &slot->value);
}

static crm_status read_slots(crm_reader *reader, const crm_node *const *nodes, size_t count,
                             crm_setting *setting)
{
    crm_slot *slots = CRM_ARENA_NEW(&reader->tree->arena, crm_slot, count);
    if (slots == NULL) {
        return crm_reader_fail_memory(reader);
    }
    setting->pattern = slots;
    setting->pattern_count = count;
    crm_status status = CRM_OK;
    for (size_t i = 0; i < count && status == CRM_OK; i++) {
        status = read_slot(reader, nodes[i], &slots[i]);
    }
    return status;
}

static crm_status read_pattern(crm_reader *reader, const crm_node *node, size_t least, size_t most,
                               crm_setting *setting)
{
    if (node->kind != CRM_NODE_SEQUENCE || node->count < least || node->count > most) {
        return crm_reader_fail_value(reader, node,
                                     most == 2 ? "a list of two numbers" : "a list of numbers");
    }
    return read_slots(reader, (const crm_node *const *)node->items, node->count, setting);
}

static crm_status read_ramp(crm_reader *reader, const crm_node *mapping,
                            const crm_node *const *fields, crm_setting *setting)
{
    setting->kind = CRM_SETTING_RAMP;
    setting->from_last = fields[SET_LAST] != NULL;
    if (fields[SET_STEP] == NULL) {
        return crm_reader_fail_missing(reader, mapping, "step");
    }
    const crm_node *ends[] = {setting->from_last ? fields[SET_LAST] : fields[SET_FIRST],
                              fields[SET_STEP]};
    return read_slots(reader, ends, 2, setting);
}

static crm_status read_list_setting(crm_reader *reader, const crm_node *node, crm_setting *setting)
{
    const crm_node *fields[SET_FIELDS];
    crm_status status = crm_reader_fields(reader, node, set_fields, SET_FIELDS, fields);
    if (status != CRM_OK) {
        return status;
    }
    if (fields[SET_FIELD] == NULL || fields[SET_COUNT] == NULL) {
        return crm_reader_fail_missing(reader, node, fields[SET_FIELD] == NULL ? "field" : "count");
    }
    int kinds = (fields[SET_REPEAT] != NULL) + (fields[SET_FIRST] != NULL) +
                (fields[SET_LAST] != NULL) + (fields[SET_UNIFORM] != NULL);
    if (kinds != 1) {
        return crm_reader_fail(reader, node, "must have one of repeat, first, last and uniform");
    }
    status = crm_reader_text(reader, fields[SET_FIELD], &setting->text);
    if (status == CRM_OK) {
        status = read_slot(reader, fields[SET_COUNT], &setting->count);
    }
    if (status == CRM_OK && fields[SET_SEED] != NULL) {
        status = read_slot(reader, fields[SET_SEED], &setting->seed);
    }
    if (status != CRM_OK) {
        return status;
    }
    if (fields[SET_REPEAT] != NULL) {
        setting->kind = CRM_SETTING_REPEAT;
        return read_pattern(reader, fields[SET_REPEAT], 1, LIST_MOST, setting);
    }
    if (fields[SET_UNIFORM] != NULL) {
        setting->kind = CRM_SETTING_RANDOM;
        return read_pattern(reader, fields[SET_UNIFORM], 2, 2, setting);
    }
    return read_ramp(reader, node, fields, setting);
}

crm_status crm_settings_read(crm_reader *reader, const crm_node *node, crm_settings_list *list)
{
    if (node == NULL) {
        return CRM_OK;
    }
    if (node->kind != CRM_NODE_SEQUENCE) {
        return crm_reader_fail_value(reader, node, "a list of settings, such as [chain.count=5]");
    }
    crm_setting *entries = CRM_ARENA_NEW(&reader->tree->arena, crm_setting, node->count);
    if (entries == NULL) {
        return crm_reader_fail_memory(reader);
    }
    list->entries = entries;
    list->count = node->count;
    crm_status status = CRM_OK;
    for (size_t i = 0; i < node->count && status == CRM_OK; i++) {
        status = node->items[i]->kind == CRM_NODE_MAPPING
                     ? read_list_setting(reader, node->items[i], &entries[i])
                     : crm_reader_text(reader, node->items[i], &entries[i].text);
    }
    return status;
}

/* ---- Applying ------------------------------------------------------------------------------- */

static double slot_value(crm_slot slot, double parameter)
{
    return slot.varied ? parameter : slot.value;
}

static double entry_of(const crm_setting *setting, double parameter, size_t i, size_t count)
{
    double first = slot_value(setting->pattern[0], parameter);
    double second = setting->pattern_count > 1 ? slot_value(setting->pattern[1], parameter) : 0;
    switch (setting->kind) {
    case CRM_SETTING_RAMP:
        return setting->from_last ? first + second * (double)(count - 1 - i)
                                  : first + second * (double)i;
    case CRM_SETTING_RANDOM:
        return first +
               (second - first) * crm_random_uniform((crm_random_place){
                                      .seed = (uint64_t)slot_value(setting->seed, parameter),
                                      .entry = (uint32_t)i});
    default:
        return slot_value(setting->pattern[i % setting->pattern_count], parameter);
    }
}

/* "PATH=[a, b, ...]"; NULL when out of memory. */
static char *list_assignment(const crm_setting *setting, double parameter, size_t count)
{
    enum { NUMBER = 27 }; /* characters of %.17g, comma and space */
    size_t size = strlen(setting->text) + 4 + NUMBER * count;
    char *text = CRM_NEW(char, size);
    if (text == NULL) {
        return NULL;
    }
    size_t used = (size_t)snprintf(text, size, "%s=[", setting->text);
    for (size_t i = 0; i < count; i++) {
        used += (size_t)crm_snprintf(text + used, size - used, "%s%.17g", i == 0 ? "" : ", ",
                                     entry_of(setting, parameter, i, count));
    }
    snprintf(text + used, size - used, "]");
    return text;
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

static crm_status apply(const crm_setting *setting, double parameter, crm_tree *tree,
                        crm_read_error *error)
{
    double count = slot_value(setting->count, parameter);
    if (setting->kind != CRM_SETTING_TEXT &&
        (!(count >= 1) || count > LIST_MOST || count != floor(count))) {
        return crm_yaml_fail_at(error, CRM_ERROR_MODEL, tree->sources[0], 0, 0,
                                "the list for %s has a count of %g; must be a whole number from 1 "
                                "to %d",
                                setting->text, count, LIST_MOST);
    }
    char *assignment = setting->kind == CRM_SETTING_TEXT
                           ? filled_in(setting->text, parameter)
                           : list_assignment(setting, parameter, (size_t)count);
    crm_status status = assignment != NULL ? crm_yaml_set(tree, assignment, error)
                                           : crm_yaml_fail_memory(tree, error);
    free(assignment);
    return status;
}

crm_status crm_settings_apply(const crm_settings_list *list, double parameter, crm_tree *tree,
                              crm_read_error *error)
{
    crm_status status = CRM_OK;
    for (size_t i = 0; i < list->count && status == CRM_OK; i++) {
        status = apply(&list->entries[i], parameter, tree, error);
    }
    return status;
}
