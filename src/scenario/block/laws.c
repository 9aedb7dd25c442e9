/* laws: by name, or as a mapping with the law's own options. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law/law.h"
#include "scenario/reader.h"

/* Those of the block come before the law's own parameters. */
enum { CRM_LAW_FIELDS(CRM_FIELD_INDEX) LAW_OWN };

/* How many contacts there are, when the system could not be read. */
static const size_t UNKNOWN = SIZE_MAX;

/* ---- One option --------------------------------------------------------------------------- */

typedef struct option {
    const crm_parameter *parameter;
    const crm_node *law;  /* the mapping it stands in */
    const crm_node *node; /* its value */
    size_t contacts;
    size_t mistakes; /* so many there were before it */
    crm_settings *settings;
} option;

static crm_status finish(crm_reader *reader, const option *o, crm_status status,
                         const crm_error *error)
{
    if (status == CRM_OK) {
        return CRM_OK;
    }
    if (status == CRM_ERROR_MEMORY) {
        return crm_reader_fail_memory(reader);
    }
    /* The entry of a list with the error; a number for all of them has no entries. */
    char path[256];
    const crm_node *node = crm_yaml_locate(o->law, error->place, NULL);
    crm_yaml_path(node, path, sizeof path);
    return crm_reader_fail_bare(reader, node, "%s: %s", path, error->message);
}

static crm_status set_numbers(crm_reader *reader, const option *o, size_t count,
                              const double *values)
{
    crm_error error = {0};
    if (crm_mistakes_count(reader) > o->mistakes) {
        return CRM_OK; /* they have been reported, and what was read is no list */
    }
    crm_status status =
        crm_settings_set_list(o->settings, o->parameter->name, count, values, &error);
    return finish(reader, o, status, &error);
}

/* One per contact; a number stands for all of them. */
static crm_status set_list(crm_reader *reader, const option *o)
{
    double *values = CRM_ARENA_NEW(&reader->scratch, double, o->contacts);
    if (values == NULL) {
        return crm_reader_fail_memory(reader);
    }
    crm_status status;
    if (o->node->kind == CRM_NODE_SCALAR) {
        double all = 0;
        status = crm_reader_number(reader, o->node, &all);
        for (size_t i = 0; i < o->contacts; i++) {
            values[i] = all;
        }
    } else {
        status = crm_reader_list(reader, o->node, o->contacts, "contact", values);
    }
    return status == CRM_OK ? set_numbers(reader, o, o->contacts, values) : status;
}

static crm_status set_matrix(crm_reader *reader, const option *o)
{
    size_t s = o->contacts;
    if (o->node->kind != CRM_NODE_SEQUENCE || o->node->count != s) {
        char allowed[128];
        snprintf(allowed, sizeof allowed,
                 "a list of %zu rows of %zu numbers, a row and a column per contact", s, s);
        return crm_reader_fail_value(reader, o->node, allowed);
    }
    double *values = CRM_ARENA_NEW(&reader->scratch, double, s *s);
    if (values == NULL) {
        return crm_reader_fail_memory(reader);
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < s && status == CRM_OK; i++) {
        status = crm_reader_list(reader, o->node->items[i], s, "contact", values + i * s);
    }
    return status == CRM_OK ? set_numbers(reader, o, s * s, values) : status;
}

static crm_status set_number(crm_reader *reader, const option *o)
{
    double value = 0;
    crm_status status = crm_reader_number(reader, o->node, &value);
    if (status != CRM_OK) {
        return status;
    }
    crm_error error = {0};
    status = crm_settings_set_number(o->settings, o->parameter->name, value, &error);
    return finish(reader, o, status, &error);
}

static crm_status set_choice(crm_reader *reader, const option *o)
{
    const char *text = NULL;
    crm_status status = crm_reader_text(reader, o->node, &text);
    if (status != CRM_OK) {
        return status;
    }
    crm_error error = {0};
    status = crm_settings_set_text(o->settings, o->parameter->name, text, &error);
    return finish(reader, o, status, &error);
}

static crm_status set_option(crm_reader *reader, const option *o)
{
    bool listed = o->parameter->each && o->node->kind != CRM_NODE_SCALAR;
    bool each = listed || o->parameter->kind == CRM_PARAMETER_LIST ||
                o->parameter->kind == CRM_PARAMETER_MATRIX;
    if (each && o->contacts == UNKNOWN) {
        return CRM_OK; /* of a system that is refused */
    }
    if (reader->moves && each) {
        return crm_reader_fail(
            reader, o->node,
            "has one value per contact, but in a motion the contacts change from impact to impact");
    }
    switch (o->parameter->kind) {
    case CRM_PARAMETER_CHOICE:
        return set_choice(reader, o);
    case CRM_PARAMETER_LIST:
        return set_list(reader, o);
    case CRM_PARAMETER_MATRIX:
        return set_matrix(reader, o);
    default:
        return listed ? set_list(reader, o) : set_number(reader, o);
    }
}

/* ---- One law ------------------------------------------------------------------------------ */

static crm_status find_law(crm_reader *reader, const crm_node *node, const crm_law **law)
{
    const char *name = NULL;
    crm_status status = crm_reader_text(reader, node, &name);
    if (status != CRM_OK) {
        return status;
    }
    *law = crm_tree_law(reader->tree, name);
    if (*law == NULL) {
        char allowed[128] = "a law; 'carom laws' lists them", shown[64];
        const char *nearest = crm_law_nearest(name);
        crm_yaml_show_text(name, shown, sizeof shown);
        if (strchr(name, ',') != NULL) {
            snprintf(allowed, sizeof allowed, "a law; several are a list: [%s]", shown);
        } else if (crm_text_is_near(name, nearest)) {
            snprintf(allowed, sizeof allowed, "a law (see 'carom laws'); did you mean '%s'?",
                     nearest);
        }
        return crm_reader_fail_value(reader, node, allowed);
    }
    return CRM_OK;
}

static crm_status create_settings(crm_reader *reader, const crm_law *law, crm_scenario_law *entry)
{
    crm_error error = {0};
    if (crm_settings_create(law, &entry->settings, &error) != CRM_OK) {
        return crm_reader_fail_memory(reader);
    }
    entry->label = law->name;
    return CRM_OK;
}

static crm_status read_options(crm_reader *reader, const crm_node *node, size_t contacts,
                               crm_scenario_law *entry)
{
    const crm_law *law = crm_settings_law(entry->settings);
    const char *names[CRM_FIELDS_MOST];
    const crm_node *fields[CRM_FIELDS_MOST];
    size_t count = LAW_OWN + law->parameter_count;
    for (size_t i = 0; i < LAW_OWN; i++) {
        names[i] = crm_block_at(CRM_BLOCK_LAW)->fields[i].name;
    }
    for (size_t i = 0; i < law->parameter_count && LAW_OWN + i < CRM_FIELDS_MOST; i++) {
        names[LAW_OWN + i] = law->parameters[i].name;
    }
    crm_status status = crm_reader_fields(reader, node, names, count, fields);
    if (status == CRM_OK && fields[LAW_LABEL] != NULL) {
        status =
            crm_mistakes_pass(reader, crm_reader_text(reader, fields[LAW_LABEL], &entry->label));
    }
    for (size_t i = 0; i < law->parameter_count && status == CRM_OK; i++) {
        if (fields[LAW_OWN + i] != NULL) {
            option o = {.parameter = &law->parameters[i],
                        .law = node,
                        .node = fields[LAW_OWN + i],
                        .contacts = contacts,
                        .mistakes = crm_mistakes_count(reader),
                        .settings = entry->settings};
            status = crm_mistakes_pass(reader, set_option(reader, &o));
        }
    }
    return status;
}

/* What stands there may be meant for its name: {lzb: {tolerance: 1e-9}}. */
static crm_status refuse_nameless(crm_reader *reader, const crm_node *node)
{
    const crm_law *meant = node->count > 0 ? crm_tree_law(reader->tree, node->keys[0]->text) : NULL;
    return meant == NULL ? crm_reader_fail_missing(reader, node, "law")
                         : crm_reader_fail(reader, node,
                                           "has no field 'law', which is required: {law: %s, ...}",
                                           meant->name);
}

crm_status crm_laws_read_one(crm_reader *reader, const crm_node *node, size_t contacts,
                             crm_scenario_law *entry)
{
    bool mapping = node->kind == CRM_NODE_MAPPING;
    const crm_node *name = mapping ? crm_yaml_find(node, "law") : node;
    if (name == NULL) {
        return refuse_nameless(reader, node);
    }
    const crm_law *law;
    crm_status status = find_law(reader, name, &law);
    if (status == CRM_OK) {
        status = create_settings(reader, law, entry);
    }
    entry->node = node;
    return status == CRM_OK && mapping ? read_options(reader, node, contacts, entry) : status;
}

/* ---- Labels ------------------------------------------------------------------------------- */

/* The one of that label before `end`, but for `except`; `end`: none. */
static size_t find_label(const crm_scenario *scenario, size_t end, size_t except, const char *label)
{
    size_t i = 0;
    while (i < end && (i == except || strcmp(scenario->laws[i].label, label) != 0)) {
        i++;
    }
    return i;
}

static const crm_node *label_of(const crm_scenario_law *entry)
{
    return crm_yaml_find(entry->node, "label");
}

static bool are_same(const crm_settings *a, const crm_settings *b)
{
    bool same = a->law == b->law;
    for (size_t i = 0; same && i < a->law->parameter_count; i++) {
        const crm_value *x = &a->values[i], *y = &b->values[i];
        same = memcmp(&x->number, &y->number, sizeof x->number) == 0 && x->count == y->count;
        for (size_t k = 0; same && k < x->count; k++) {
            same = x->list[k] == y->list[k];
        }
    }
    return same;
}

/* So many before it have no label, and the same law. */
static size_t count_unlabelled(const crm_scenario *scenario, size_t index)
{
    size_t count = 0;
    for (size_t i = 0; i < index; i++) {
        const crm_scenario_law *entry = &scenario->laws[i];
        count +=
            label_of(entry) == NULL && entry->settings->law == scenario->laws[index].settings->law;
    }
    return count;
}

/* A law without a label that is there before it: lzb, lzb-2, ... */
static crm_status number_label(crm_reader *reader, crm_scenario *scenario, size_t index)
{
    crm_scenario_law *entry = &scenario->laws[index];
    size_t count = scenario->law_count, first = find_label(scenario, index, index, entry->label);
    if (first == index) {
        return CRM_OK;
    }
    size_t size = strlen(entry->label) + 24;
    char *numbered = CRM_ARENA_NEW(&reader->tree->arena, char, size), path[64];
    if (numbered == NULL) {
        return crm_reader_fail_memory(reader);
    }
    size_t number = 1 + count_unlabelled(scenario, index);
    do {
        snprintf(numbered, size, "%s-%zu", entry->label, number++);
    } while (find_label(scenario, count, index, numbered) < count);
    crm_yaml_path(scenario->laws[first].node, path, sizeof path);
    if (are_same(entry->settings, scenario->laws[first].settings)) {
        crm_reader_warn(reader, entry->node,
                        "is the same as %s: its outcome is shown a second time, as %s", path,
                        numbered);
    } else {
        crm_reader_warn(reader, entry->node, "has no label, and is called %s; %s is %s", numbered,
                        path, entry->label);
    }
    entry->label = numbered;
    return CRM_OK;
}

/* Two labels that are given may not be the same, and no law be called what another one is. */
static crm_status check_label(crm_reader *reader, const crm_scenario *scenario, size_t index)
{
    const crm_scenario_law *entry = &scenario->laws[index];
    size_t end = scenario->law_count, other = find_label(scenario, end, index, entry->label);
    bool second = other < index || (other < end && label_of(&scenario->laws[other]) == NULL);
    if (!second) {
        return CRM_OK;
    }
    char path[64], shown[64];
    crm_yaml_path(scenario->laws[other].node, path, sizeof path);
    crm_yaml_show_text(entry->label, shown, sizeof shown);
    return crm_reader_fail(reader, label_of(entry),
                           "is '%s', which is the label of %s; must be unique", shown, path);
}

static crm_status make_labels(crm_reader *reader, crm_scenario *scenario)
{
    crm_status status = CRM_OK;
    for (size_t i = 0; i < scenario->law_count && status == CRM_OK; i++) {
        status = label_of(&scenario->laws[i]) != NULL
                     ? crm_mistakes_pass(reader, check_label(reader, scenario, i))
                     : number_label(reader, scenario, i);
    }
    return status;
}

/* ---- All of them -------------------------------------------------------------------------- */

/* The standard law when none is asked for; time-stepping knows one only. */
static crm_status default_law(crm_reader *reader, crm_scenario *scenario)
{
    bool steps = reader->moves && reader->motion.options.scheme == CRM_TIME_STEPPING;
    scenario->laws = CRM_NEW(crm_scenario_law, 1);
    if (scenario->laws == NULL) {
        return crm_reader_fail_memory(reader);
    }
    scenario->law_count = 1;
    return create_settings(reader, crm_law_find(steps ? "moreau" : "lzb"), &scenario->laws[0]);
}

/* More laws than this are a mistake, and labels are compared one with another. */
enum { LAWS_MOST = 1000 };

crm_status crm_laws_read(crm_reader *reader, const crm_node *node, crm_scenario *scenario)
{
    if (node == NULL) {
        return default_law(reader, scenario);
    }
    bool list = node->kind == CRM_NODE_SEQUENCE;
    size_t count = list ? node->count : 1;
    if (count == 0 || count > LAWS_MOST) {
        return crm_reader_fail(reader, node, "has %zu entries; must have 1 to %d laws", count,
                               LAWS_MOST);
    }
    scenario->laws = CRM_NEW(crm_scenario_law, count);
    if (scenario->laws == NULL) {
        return crm_reader_fail_memory(reader);
    }
    scenario->law_count = count;
    size_t contacts = reader->moves             ? 0
                      : scenario->model != NULL ? crm_model_contacts(scenario->model)
                                                : UNKNOWN;
    crm_status status = CRM_OK;
    crm_mistakes_mark(reader);
    for (size_t i = 0; i < count && status == CRM_OK; i++) {
        const crm_node *entry = list ? node->items[i] : node;
        status = crm_mistakes_pass(reader,
                                   crm_laws_read_one(reader, entry, contacts, &scenario->laws[i]));
    }
    return status == CRM_OK && !crm_mistakes_any(reader) ? make_labels(reader, scenario) : status;
}
