/* From a file to an item. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/item.h"

enum {
    TOP_NAME,
    TOP_SOURCE,
    TOP_TITLE,
    TOP_NOTE,
    TOP_ALSO,
    TOP_KIND,
    TOP_QUICK,
    TOP_SCENARIO,
    TOP_CASES,
    TOP_VARY,
    TOP_THRESHOLD,
    TOP_PUBLISHED,
    TOP_RECOMPUTED,
    TOP_CHECKS,
    TOP_REASONS,
    TOP_FIELDS
};

static const char *const top_fields[TOP_FIELDS] = {
    [TOP_NAME] = "name",
    [TOP_SOURCE] = "source",
    [TOP_TITLE] = "title",
    [TOP_NOTE] = "note",
    [TOP_ALSO] = "also",
    [TOP_KIND] = "kind",
    [TOP_QUICK] = "quick",
    [TOP_SCENARIO] = "scenario",
    [TOP_CASES] = "cases",
    [TOP_VARY] = "vary",
    [TOP_THRESHOLD] = "threshold",
    [TOP_PUBLISHED] = "published",
    [TOP_RECOMPUTED] = "recomputed",
    [TOP_CHECKS] = "checks",
    [TOP_REASONS] = "reasons",
};

static const char *const kind_names[] = {
    [CRM_ITEM_TABLE] = "table", [CRM_ITEM_NUMBERS] = "numbers", [CRM_ITEM_SHAPE] = "shape"};

const char *crm_item_kind_text(crm_item_kind kind)
{
    return kind_names[kind];
}

/* ---- What is varied ------------------------------------------------------------------------- */

enum { VARY_PARAMETER, VARY_VALUES, VARY_SET, VARY_FIELDS };

static const char *const vary_fields[VARY_FIELDS] = {
    [VARY_PARAMETER] = "parameter", [VARY_VALUES] = "values", [VARY_SET] = "set"};

static crm_status read_values(crm_reader *reader, const crm_node *node,
                              crm_item_variation *variation)
{
    if (node->kind != CRM_NODE_SEQUENCE || node->count == 0) {
        return crm_reader_fail_value(reader, node, "a list of numbers");
    }
    double *values = CRM_ARENA_NEW(&reader->tree->arena, double, node->count);
    if (values == NULL) {
        return crm_reader_fail_memory(reader);
    }
    variation->values = values;
    variation->count = node->count;
    return crm_reader_list(reader, node, node->count, "point", values);
}

static crm_status read_variation(crm_reader *reader, const crm_node *node,
                                 crm_item_variation *variation)
{
    variation->parameter = "";
    if (node == NULL) {
        return CRM_OK;
    }
    const crm_node *fields[VARY_FIELDS];
    crm_status status = crm_reader_fields(reader, node, vary_fields, VARY_FIELDS, fields);
    if (status != CRM_OK) {
        return status;
    }
    for (size_t i = 0; i < VARY_FIELDS; i++) {
        if (fields[i] == NULL) {
            return crm_reader_fail_missing(reader, node, vary_fields[i]);
        }
    }
    status = crm_reader_text(reader, fields[VARY_PARAMETER], &variation->parameter);
    if (status == CRM_OK) {
        status = read_values(reader, fields[VARY_VALUES], variation);
    }
    return status == CRM_OK ? crm_settings_read(reader, fields[VARY_SET], &variation->settings)
                            : status;
}

/* ---- A threshold ---------------------------------------------------------------------------- */

enum {
    LIMIT_FROM,
    LIMIT_TO,
    LIMIT_STEP,
    LIMIT_SET,
    LIMIT_LAW,
    LIMIT_QUANTITY,
    LIMIT_LEAST,
    LIMIT_MOST,
    LIMIT_HOLDS,
    LIMIT_FIELDS
};

static const char *const limit_fields[LIMIT_FIELDS] = {
    [LIMIT_FROM] = "from",   [LIMIT_TO] = "to",     [LIMIT_STEP] = "step",
    [LIMIT_SET] = "set",     [LIMIT_LAW] = "law",   [LIMIT_QUANTITY] = "quantity",
    [LIMIT_LEAST] = "least", [LIMIT_MOST] = "most", [LIMIT_HOLDS] = "holds",
};

static crm_status read_limits(crm_reader *reader, const crm_node *const *fields,
                              crm_threshold *threshold)
{
    double *const numbers[] = {[LIMIT_FROM] = &threshold->from,
                               [LIMIT_TO] = &threshold->to,
                               [LIMIT_STEP] = &threshold->step,
                               [LIMIT_LEAST] = &threshold->least,
                               [LIMIT_MOST] = &threshold->most};
    static const size_t which[] = {LIMIT_FROM, LIMIT_TO, LIMIT_STEP, LIMIT_LEAST, LIMIT_MOST};
    crm_status status = CRM_OK;
    for (size_t i = 0; i < CRM_COUNT(which) && status == CRM_OK; i++) {
        if (fields[which[i]] != NULL) {
            status = crm_reader_number(reader, fields[which[i]], numbers[which[i]]);
        }
    }
    return status;
}

static crm_status read_threshold(crm_reader *reader, const crm_node *node, crm_threshold *threshold)
{
    static const char *const sides[] = {"below", "above"};
    static const size_t needed[] = {LIMIT_FROM, LIMIT_TO, LIMIT_STEP, LIMIT_SET, LIMIT_QUANTITY};
    if (node == NULL) {
        return CRM_OK;
    }
    const crm_node *fields[LIMIT_FIELDS];
    crm_status status = crm_reader_fields(reader, node, limit_fields, LIMIT_FIELDS, fields);
    for (size_t i = 0; i < CRM_COUNT(needed) && status == CRM_OK; i++) {
        if (fields[needed[i]] == NULL) {
            status = crm_reader_fail_missing(reader, node, limit_fields[needed[i]]);
        }
    }
    if (status != CRM_OK) {
        return status;
    }
    *threshold = (crm_threshold){.wanted = true, .least = -DBL_MAX, .most = DBL_MAX};
    status = read_limits(reader, fields, threshold);
    if (status == CRM_OK && !(threshold->step > 0 && threshold->to > threshold->from)) {
        return crm_reader_fail(reader, node, "must have a step above 0 and 'to' above 'from'");
    }
    size_t side = 0;
    status = status == CRM_OK
                 ? crm_reader_text(reader, fields[LIMIT_QUANTITY], &threshold->quantity)
                 : status;
    if (status == CRM_OK && fields[LIMIT_LAW] != NULL) {
        status = crm_reader_text(reader, fields[LIMIT_LAW], &threshold->law);
    }
    if (status == CRM_OK && fields[LIMIT_HOLDS] != NULL) {
        status = crm_reader_choice(reader, fields[LIMIT_HOLDS], sides, 2, &side);
    }
    threshold->holds_above = side == 1;
    return status == CRM_OK ? crm_settings_read(reader, fields[LIMIT_SET], &threshold->settings)
                            : status;
}

/* ---- Cases ---------------------------------------------------------------------------------- */

static crm_status read_case(crm_reader *reader, const crm_node *node, crm_case *one)
{
    static const char *const fields_of_case[] = {"name", "set"};
    const crm_node *fields[2];
    crm_status status = crm_reader_fields(reader, node, fields_of_case, 2, fields);
    if (status == CRM_OK && fields[0] == NULL) {
        return crm_reader_fail_missing(reader, node, "name");
    }
    status = status == CRM_OK ? crm_reader_text(reader, fields[0], &one->name) : status;
    return status == CRM_OK ? crm_settings_read(reader, fields[1], &one->settings) : status;
}

static crm_status refuse_double(crm_reader *reader, const crm_node *node, const crm_case *cases,
                                size_t last)
{
    for (size_t i = 0; i < last; i++) {
        if (strcmp(cases[i].name, cases[last].name) == 0) {
            return crm_reader_fail(reader, node->items[last], "is a second case of the name '%s'",
                                   cases[last].name);
        }
    }
    return CRM_OK;
}

/* Without cases there is one, the scenario as it stands. */
static crm_status read_cases(crm_reader *reader, const crm_node *node, crm_item *item)
{
    if (node != NULL && (node->kind != CRM_NODE_SEQUENCE || node->count == 0)) {
        return crm_reader_fail_value(reader, node, "a list of cases");
    }
    item->case_count = node != NULL ? node->count : 1;
    crm_case *cases = CRM_ARENA_NEW(&reader->tree->arena, crm_case, item->case_count);
    if (cases == NULL) {
        return crm_reader_fail_memory(reader);
    }
    item->cases = cases;
    cases[0].name = "";
    crm_status status = CRM_OK;
    for (size_t i = 0; node != NULL && i < node->count && status == CRM_OK; i++) {
        status = read_case(reader, node->items[i], &cases[i]);
        status = status == CRM_OK ? refuse_double(reader, node, cases, i) : status;
    }
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------ */

static crm_status read_also(crm_reader *reader, const crm_node *node, crm_item *item)
{
    if (node == NULL) {
        return CRM_OK;
    }
    if (node->kind != CRM_NODE_SEQUENCE || node->count == 0) {
        return crm_reader_fail_value(reader, node, "a list of names");
    }
    const char **names = CRM_ARENA_NEW(&reader->tree->arena, const char *, node->count);
    if (names == NULL) {
        return crm_reader_fail_memory(reader);
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < node->count && status == CRM_OK; i++) {
        status = crm_reader_text(reader, node->items[i], &names[i]);
    }
    item->also = names;
    item->also_count = node->count;
    return status;
}

static crm_status read_words(crm_reader *reader, const crm_node *const *fields, crm_item *item)
{
    const char **const words[] = {
        [TOP_NAME] = &item->name, [TOP_SOURCE] = &item->source, [TOP_TITLE] = &item->title};
    crm_status status = CRM_OK;
    for (size_t i = TOP_NAME; i <= TOP_TITLE && status == CRM_OK; i++) {
        status = fields[i] != NULL
                     ? crm_reader_text(reader, fields[i], words[i])
                     : crm_reader_fail_missing(reader, reader->tree->root, top_fields[i]);
    }
    item->note = "";
    if (status == CRM_OK && fields[TOP_NOTE] != NULL) {
        status = crm_reader_text(reader, fields[TOP_NOTE], &item->note);
    }
    return status == CRM_OK ? read_also(reader, fields[TOP_ALSO], item) : status;
}

static crm_status read_flags(crm_reader *reader, const crm_node *const *fields, crm_item *item)
{
    static const char *const truths[] = {"false", "true"};
    size_t kind = CRM_ITEM_TABLE, quick = 1;
    crm_status status = CRM_OK;
    if (fields[TOP_KIND] != NULL) {
        status =
            crm_reader_choice(reader, fields[TOP_KIND], kind_names, CRM_COUNT(kind_names), &kind);
    }
    if (status == CRM_OK && fields[TOP_QUICK] != NULL) {
        status = crm_reader_choice(reader, fields[TOP_QUICK], truths, 2, &quick);
    }
    item->kind = (crm_item_kind)kind;
    item->quick = quick == 1;
    return status;
}

static crm_status read_item(crm_reader *reader, crm_item *item)
{
    const crm_node *fields[TOP_FIELDS];
    const crm_node *root = reader->tree->root;
    crm_status status = crm_reader_fields(reader, root, top_fields, TOP_FIELDS, fields);
    status = status == CRM_OK ? read_words(reader, fields, item) : status;
    status = status == CRM_OK ? read_flags(reader, fields, item) : status;
    if (status == CRM_OK && fields[TOP_SCENARIO] == NULL) {
        status = crm_reader_fail_missing(reader, root, "scenario");
    }
    if (status == CRM_OK && fields[TOP_PUBLISHED] == NULL && fields[TOP_RECOMPUTED] == NULL &&
        fields[TOP_CHECKS] == NULL) {
        status = crm_reader_fail_missing(reader, root, "published");
    }
    status = status == CRM_OK ? read_cases(reader, fields[TOP_CASES], item) : status;
    status = status == CRM_OK ? read_variation(reader, fields[TOP_VARY], &item->variation) : status;
    status =
        status == CRM_OK ? read_threshold(reader, fields[TOP_THRESHOLD], &item->threshold) : status;
    return status == CRM_OK ? crm_read_claims(reader, fields[TOP_PUBLISHED], fields[TOP_RECOMPUTED],
                                              fields[TOP_CHECKS], item)
                            : status;
}

/* The name is that of the file, so that it can be found by it. */
static crm_status check_name(crm_reader *reader, const crm_item *item)
{
    const char *slash = strrchr(item->path, '/');
    const char *base = slash != NULL ? slash + 1 : item->path;
    size_t length = strlen(item->name);
    bool same = strncmp(base, item->name, length) == 0 && strcmp(base + length, ".yaml") == 0;
    return same
               ? CRM_OK
               : crm_reader_fail(reader, crm_yaml_find(reader->tree->root, "name"),
                                 "is '%s'; must be the name of the file without .yaml", item->name);
}

void crm_item_free(crm_item *item)
{
    if (item != NULL) {
        crm_tree_free(item->tree);
        free(item->text);
        free(item->path);
        free(item);
    }
}

crm_status crm_item_read(const char *path, crm_item **item, crm_read_error *error)
{
    *item = NULL;
    crm_yaml_limits limits = crm_yaml_limits_default();
    crm_item *made = CRM_NEW(crm_item, 1);
    if (made == NULL || (made->path = crm_memory_copy_text(path)) == NULL) {
        free(made);
        return crm_yaml_fail_at(error, CRM_ERROR_MEMORY, path, 0, 0, "out of memory");
    }
    crm_status status = crm_file_read(path, &made->text, &made->length, error);
    if (status == CRM_OK) {
        status = crm_yaml_parse(made->text, made->length, path, &limits, &made->tree, error);
    }
    if (status == CRM_OK) {
        crm_reader reader = {.tree = made->tree, .error = error};
        status = read_item(&reader, made);
        status = status == CRM_OK ? check_name(&reader, made) : status;
        crm_arena_free(&reader.scratch);
    }
    if (status != CRM_OK) {
        crm_item_free(made);
        return status;
    }
    *item = made;
    return CRM_OK;
}
