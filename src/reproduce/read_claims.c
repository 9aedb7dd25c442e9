/* What was printed, and what the curves show. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reproduce/item.h"
#include "reproduce/trace.h"
#include "study/recorded.h"

enum {
    CLAIM_WHAT,
    CLAIM_CASE,
    CLAIM_LAW,
    CLAIM_QUANTITY,
    CLAIM_PER,
    CLAIM_TIMES,
    CLAIM_POWER,
    CLAIM_AT,
    CLAIM_REASON,
    CLAIM_UNFINISHED,
    CLAIM_BESIDE,
    CLAIM_SANITY,
    CLAIM_COMMON, /* fields up to here belong to both kinds */
    PUBLISHED_QUANTITIES = CLAIM_COMMON,
    PUBLISHED_VELOCITIES,
    PUBLISHED_VALUE,
    PUBLISHED_VALUES,
    PUBLISHED_RIGHT,
    PUBLISHED_SCHEME,
    PUBLISHED_TOLERANCE,
    PUBLISHED_FIELDS,
    CHECK_ALONG = CLAIM_COMMON,
    CHECK_RANGE,
    CHECK_MINIMUM,
    CHECK_MAXIMUM,
    CHECK_WITHIN,
    CHECK_TREND,
    CHECK_LEAST,
    CHECK_MOST,
    CHECK_FIELDS
};

#define COMMON_FIELD_NAMES                                                                         \
    [CLAIM_WHAT] = "what", [CLAIM_CASE] = "case", [CLAIM_LAW] = "law",                             \
    [CLAIM_QUANTITY] = "quantity", [CLAIM_PER] = "per", [CLAIM_TIMES] = "times",                   \
    [CLAIM_POWER] = "power", [CLAIM_AT] = "at", [CLAIM_REASON] = "reason",                         \
    [CLAIM_UNFINISHED] = "unfinished", [CLAIM_BESIDE] = "beside", [CLAIM_SANITY] = "sanity"

static const char *const published_fields[PUBLISHED_FIELDS] = {
    COMMON_FIELD_NAMES,
    [PUBLISHED_QUANTITIES] = "quantities",
    [PUBLISHED_VELOCITIES] = "velocities",
    [PUBLISHED_VALUE] = "value",
    [PUBLISHED_VALUES] = "values",
    [PUBLISHED_RIGHT] = "right",
    [PUBLISHED_SCHEME] = "scheme",
    [PUBLISHED_TOLERANCE] = "tolerance",
};

static const char *const check_fields[CHECK_FIELDS] = {
    COMMON_FIELD_NAMES,          [CHECK_ALONG] = "along",     [CHECK_RANGE] = "range",
    [CHECK_MINIMUM] = "minimum", [CHECK_MAXIMUM] = "maximum", [CHECK_WITHIN] = "within",
    [CHECK_TREND] = "trend",     [CHECK_LEAST] = "least",     [CHECK_MOST] = "most",
};

/* ---- Names ---------------------------------------------------------------------------------- */

static crm_status check_quantity(crm_reader *reader, const crm_node *node, const char *name,
                                 bool along, const crm_item *item)
{
    char problem[512], entry[160];
    crm_recorded quantity;
    crm_trace trace;
    double closeness;
    if (strcmp(name, "status") == 0 || crm_trace_parse(name, &trace) ||
        crm_near_parse(name, &closeness)) {
        return CRM_OK;
    }
    if (strcmp(name, "threshold") == 0) {
        return item->threshold.wanted ? CRM_OK
                                      : crm_refuse(reader, node, "needs a 'threshold' in the item");
    }
    snprintf(entry, sizeof entry, along ? "%s[1]" : "%s", name);
    return crm_recorded_parse(entry, &quantity, problem, sizeof problem)
               ? CRM_OK
               : crm_refuse(reader, node, "is '%s': %s", name, problem);
}

static crm_status find_case(crm_reader *reader, const crm_node *node, const crm_item *item,
                            size_t *index)
{
    const char *name = NULL;
    crm_status status = crm_read_text(reader, node, &name);
    for (size_t i = 0; i < item->case_count && status == CRM_OK; i++) {
        if (strcmp(item->cases[i].name, name) == 0) {
            *index = i;
            return CRM_OK;
        }
    }
    return status == CRM_OK
               ? crm_refuse(reader, node, "is '%s', which is no case of the item", name)
               : status;
}

/* ---- What both kinds have ------------------------------------------------------------------- */

static crm_status read_flag(crm_reader *reader, const crm_node *node, bool *flag)
{
    static const char *const truths[] = {"false", "true"};
    size_t choice = 0;
    if (node == NULL) {
        return CRM_OK;
    }
    crm_status status = crm_read_choice(reader, node, truths, 2, &choice);
    *flag = choice == 1;
    return status;
}

static crm_status read_optional_text(crm_reader *reader, const crm_node *node, const char **text)
{
    return node != NULL ? crm_read_text(reader, node, text) : CRM_OK;
}

static crm_status read_optional_number(crm_reader *reader, const crm_node *node, double *number)
{
    return node != NULL ? crm_read_number(reader, node, number) : CRM_OK;
}

/* A claim for `node` with what the fields have in common; the quantity is still to come. */
static crm_status read_common(crm_reader *reader, const crm_node *node,
                              const crm_node *const *fields, const crm_item *item, crm_claim *claim)
{
    *claim = (crm_claim){.node = node,
                         .times = 1,
                         .power = 1,
                         .at = NAN,
                         .from = -DBL_MAX,
                         .to = DBL_MAX,
                         .tolerance = NAN,
                         .least = -DBL_MAX,
                         .most = DBL_MAX,
                         .what = ""};
    crm_status status = read_optional_text(reader, fields[CLAIM_WHAT], &claim->what);
    if (status == CRM_OK && fields[CLAIM_CASE] != NULL) {
        status = find_case(reader, fields[CLAIM_CASE], item, &claim->case_index);
    } else if (status == CRM_OK && item->case_count > 1) {
        status = crm_refuse_missing(reader, node, "case");
    }
    status = status == CRM_OK ? read_optional_text(reader, fields[CLAIM_LAW], &claim->law) : status;
    status = status == CRM_OK ? read_optional_text(reader, fields[CLAIM_PER], &claim->per) : status;
    status = status == CRM_OK ? read_optional_text(reader, fields[CLAIM_REASON], &claim->reason)
                              : status;
    status = status == CRM_OK ? read_optional_number(reader, fields[CLAIM_TIMES], &claim->times)
                              : status;
    status = status == CRM_OK ? read_optional_number(reader, fields[CLAIM_POWER], &claim->power)
                              : status;
    status = status == CRM_OK ? read_flag(reader, fields[CLAIM_BESIDE], &claim->beside) : status;
    status = status == CRM_OK ? read_flag(reader, fields[CLAIM_SANITY], &claim->sanity) : status;
    status =
        status == CRM_OK ? read_flag(reader, fields[CLAIM_UNFINISHED], &claim->unfinished) : status;
    if (status == CRM_OK && claim->per != NULL) {
        status = check_quantity(reader, fields[CLAIM_PER], claim->per, false, item);
    }
    return status;
}

/* ---- Printed numbers ------------------------------------------------------------------------ */

static char *format_text(crm_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static char *format_text(crm_reader *reader, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return crm_arena_text(&reader->tree->arena, text, strlen(text));
}

/* The lists of one entry of `published`; single values are lists of one. */
typedef struct entry {
    const crm_node *node;
    const crm_node *const *fields;
    size_t count;
    const crm_node *const *values;
    const crm_node *const *right; /* NULL: none */
    const crm_node *const *names; /* of quantities; NULL: one for all, or velocities */
    const crm_node *const *at;    /* NULL: none, or one for all */
} entry;

static const crm_node *const *list_of(const crm_node *const *node, size_t *count)
{
    bool is_list = (*node)->kind == CRM_NODE_SEQUENCE;
    *count = is_list ? (*node)->count : 1;
    return is_list ? (const crm_node *const *)(*node)->items : node;
}

static crm_status match_list(crm_reader *reader, const entry *e, size_t field,
                             const crm_node *const **list)
{
    const crm_node *const *node = &e->fields[field];
    if (*node == NULL) {
        return CRM_OK;
    }
    size_t count;
    *list = list_of(node, &count);
    return count == e->count ? CRM_OK
                             : crm_refuse(reader, *node, "has %zu entries; there are %zu values",
                                          count, e->count);
}

static crm_status read_lists(crm_reader *reader, entry *e)
{
    static const size_t values[] = {PUBLISHED_VALUE, PUBLISHED_VALUES, PUBLISHED_VELOCITIES};
    size_t found = 0, field = PUBLISHED_VALUE;
    for (size_t i = 0; i < CRM_COUNT(values); i++) {
        if (e->fields[values[i]] != NULL) {
            found++;
            field = values[i];
        }
    }
    if (found != 1) {
        return crm_refuse(reader, e->node, "must have one of value, values and velocities");
    }
    size_t named = (e->fields[CLAIM_QUANTITY] != NULL) + (e->fields[PUBLISHED_QUANTITIES] != NULL);
    if (named != (field == PUBLISHED_VELOCITIES ? 0 : 1)) {
        return crm_refuse(reader, e->node,
                          field == PUBLISHED_VELOCITIES
                              ? "has velocities; quantities are implied"
                              : "must have one of quantity and quantities");
    }
    e->values = list_of(&e->fields[field], &e->count);
    crm_status status = match_list(reader, e, PUBLISHED_RIGHT, &e->right);
    if (status == CRM_OK && e->fields[PUBLISHED_QUANTITIES] != NULL) {
        status = match_list(reader, e, PUBLISHED_QUANTITIES, &e->names);
    }
    if (status == CRM_OK && e->fields[CLAIM_AT] != NULL &&
        e->fields[CLAIM_AT]->kind == CRM_NODE_SEQUENCE) {
        status = match_list(reader, e, CLAIM_AT, &e->at);
    }
    if (status == CRM_OK && e->right != NULL && e->fields[CLAIM_REASON] == NULL) {
        status = crm_refuse_missing(reader, e->node, "reason");
    }
    if (status == CRM_OK && e->right == NULL && e->fields[PUBLISHED_SCHEME] != NULL) {
        status = crm_refuse_missing(reader, e->node, "right");
    }
    return status;
}

static crm_status read_quantity(crm_reader *reader, const entry *e, size_t i, const crm_item *item,
                                crm_claim *claim)
{
    if (e->fields[PUBLISHED_VELOCITIES] != NULL) {
        claim->quantity = format_text(reader, "velocity[%zu]", i + 1);
        return claim->quantity != NULL ? CRM_OK : crm_refuse_memory(reader);
    }
    const crm_node *node = e->names != NULL ? e->names[i] : e->fields[CLAIM_QUANTITY];
    crm_status status = crm_read_text(reader, node, &claim->quantity);
    return status == CRM_OK ? check_quantity(reader, node, claim->quantity, false, item) : status;
}

/* "case, law: quantity at 3", leaving out what there is only one of. */
static crm_status name_claim(crm_reader *reader, const crm_item *item, crm_claim *claim)
{
    const char *of_case = item->cases[claim->case_index].name;
    const char *law = claim->law != NULL ? claim->law : "";
    char at[64] = "";
    if (!isnan(claim->at)) {
        snprintf(at, sizeof at, "%s = %g: ", item->variation.parameter, claim->at);
    }
    const char *word = claim->what[0] != '\0' ? claim->what : claim->quantity;
    claim->what = format_text(reader, "%s%s%s%s%s%s", of_case, of_case[0] != '\0' ? ": " : "", at,
                              law, law[0] != '\0' ? ": " : "", word);
    return claim->what != NULL ? CRM_OK : crm_refuse_memory(reader);
}

/* ~ or null: nothing there. */
static crm_status read_right(crm_reader *reader, const crm_node *node, crm_claim *claim)
{
    double number;
    if (crm_node_is_null(node)) {
        return CRM_OK;
    }
    claim->right = node->text;
    return crm_read_number(reader, node, &number);
}

static crm_status read_value(crm_reader *reader, const entry *e, size_t i, crm_claim *claim)
{
    const crm_node *node = e->values[i];
    crm_status status = CRM_OK;
    claim->kind = strcmp(claim->quantity, "status") == 0 ? CRM_CLAIM_STATUS : CRM_CLAIM_VALUE;
    if (claim->kind == CRM_CLAIM_STATUS) {
        status = crm_read_text(reader, node, &claim->printed);
    } else {
        claim->printed = node->kind == CRM_NODE_SCALAR ? node->text : NULL;
        status = crm_read_number(reader, node, &claim->published);
    }
    const crm_node *at = e->at != NULL ? e->at[i] : e->fields[CLAIM_AT];
    if (status == CRM_OK && at != NULL) {
        status = crm_read_number(reader, at, &claim->at);
    }
    return status == CRM_OK && e->right != NULL ? read_right(reader, e->right[i], claim) : status;
}

static crm_status check_at(crm_reader *reader, const crm_item *item, const crm_claim *claim)
{
    const crm_variation *variation = &item->variation;
    if (isnan(claim->at)) {
        return variation->count == 0 ? CRM_OK : crm_refuse_missing(reader, claim->node, "at");
    }
    for (size_t i = 0; i < variation->count; i++) {
        if (variation->values[i] == claim->at) {
            return CRM_OK;
        }
    }
    return crm_refuse(reader, claim->node, "is about %g, which is not among the values varied",
                      claim->at);
}

static crm_status read_published(crm_reader *reader, const crm_node *node, bool recomputed,
                                 const crm_item *item, crm_claim *claims, size_t *count)
{
    const crm_node *fields[PUBLISHED_FIELDS];
    crm_status status = crm_read_fields(reader, node, published_fields, PUBLISHED_FIELDS, fields);
    entry e = {.node = node, .fields = fields};
    status = status == CRM_OK ? read_lists(reader, &e) : status;
    for (size_t i = 0; status == CRM_OK && i < e.count; i++) {
        crm_claim *claim = &claims[(*count)++];
        status = read_common(reader, node, fields, item, claim);
        claim->recomputed = recomputed;
        status = status == CRM_OK
                     ? read_optional_text(reader, fields[PUBLISHED_SCHEME], &claim->scheme)
                     : status;
        status = status == CRM_OK ? read_quantity(reader, &e, i, item, claim) : status;
        status = status == CRM_OK ? read_value(reader, &e, i, claim) : status;
        status = status == CRM_OK
                     ? read_optional_number(reader, fields[PUBLISHED_TOLERANCE], &claim->tolerance)
                     : status;
        status = status == CRM_OK ? check_at(reader, item, claim) : status;
        status = status == CRM_OK ? name_claim(reader, item, claim) : status;
    }
    return status;
}

/* ---- Checks --------------------------------------------------------------------------------- */

static crm_status read_range(crm_reader *reader, const crm_node *node, crm_claim *claim)
{
    double ends[2];
    if (node == NULL) {
        return CRM_OK;
    }
    crm_status status = crm_read_list(reader, node, 2, "end of the range", ends);
    claim->from = status == CRM_OK ? ends[0] : claim->from;
    claim->to = status == CRM_OK ? ends[1] : claim->to;
    return status;
}

static crm_status read_extreme(crm_reader *reader, const crm_node *node,
                               const crm_node *const *fields, crm_claim *claim)
{
    bool minimum = fields[CHECK_MINIMUM] != NULL;
    const crm_node *place = minimum ? fields[CHECK_MINIMUM] : fields[CHECK_MAXIMUM];
    claim->kind = minimum ? CRM_CLAIM_MINIMUM : CRM_CLAIM_MAXIMUM;
    if (fields[CHECK_WITHIN] == NULL) {
        return crm_refuse_missing(reader, node, "within");
    }
    crm_status status = crm_read_number(reader, place, &claim->published);
    claim->printed = place->kind == CRM_NODE_SCALAR ? place->text : NULL;
    return status == CRM_OK ? crm_read_number(reader, fields[CHECK_WITHIN], &claim->tolerance)
                            : status;
}

static crm_status read_expectation(crm_reader *reader, const crm_node *node,
                                   const crm_node *const *fields, crm_claim *claim)
{
    static const char *const trends[] = {"increases", "decreases"};
    bool bounded = fields[CHECK_LEAST] != NULL || fields[CHECK_MOST] != NULL;
    int kinds = (fields[CHECK_MINIMUM] != NULL) + (fields[CHECK_MAXIMUM] != NULL) +
                (fields[CHECK_TREND] != NULL) + bounded;
    if (kinds != 1) {
        return crm_refuse(reader, node,
                          "must expect one of minimum, maximum, trend, and least or most");
    }
    if (fields[CHECK_TREND] != NULL) {
        size_t trend = 0;
        crm_status status = crm_read_choice(reader, fields[CHECK_TREND], trends, 2, &trend);
        claim->kind = trend == 0 ? CRM_CLAIM_INCREASES : CRM_CLAIM_DECREASES;
        return status;
    }
    if (!bounded) {
        return read_extreme(reader, node, fields, claim);
    }
    claim->kind = CRM_CLAIM_WITHIN;
    crm_status status = read_optional_number(reader, fields[CHECK_LEAST], &claim->least);
    return status == CRM_OK ? read_optional_number(reader, fields[CHECK_MOST], &claim->most)
                            : status;
}

static crm_status read_check(crm_reader *reader, const crm_node *node, const crm_item *item,
                             crm_claim *claim)
{
    const crm_node *fields[CHECK_FIELDS];
    crm_status status = crm_read_fields(reader, node, check_fields, CHECK_FIELDS, fields);
    if (status == CRM_OK && (fields[CLAIM_WHAT] == NULL || fields[CLAIM_QUANTITY] == NULL)) {
        return crm_refuse_missing(reader, node, fields[CLAIM_WHAT] == NULL ? "what" : "quantity");
    }
    status = status == CRM_OK ? read_common(reader, node, fields, item, claim) : status;
    status = status == CRM_OK ? read_flag(reader, fields[CHECK_ALONG], &claim->along) : status;
    status = status == CRM_OK ? read_range(reader, fields[CHECK_RANGE], claim) : status;
    status =
        status == CRM_OK ? crm_read_text(reader, fields[CLAIM_QUANTITY], &claim->quantity) : status;
    status = status == CRM_OK ? check_quantity(reader, fields[CLAIM_QUANTITY], claim->quantity,
                                               claim->along, item)
                              : status;
    status = status == CRM_OK ? read_optional_number(reader, fields[CLAIM_AT], &claim->at) : status;
    if (status == CRM_OK && (!isnan(claim->at) || claim->along)) {
        status = check_at(reader, item, claim);
    }
    return status == CRM_OK ? read_expectation(reader, node, fields, claim) : status;
}

/* ---- Both ----------------------------------------------------------------------------------- */

/* No entry makes more claims than it has values. */
static size_t most_claims(const crm_node *published)
{
    static const char *const lists[] = {"values", "velocities"};
    size_t count = 0;
    for (size_t i = 0; published != NULL && i < published->count; i++) {
        count++;
        for (size_t k = 0; k < CRM_COUNT(lists); k++) {
            const crm_node *list = crm_node_find(published->items[i], lists[k]);
            count += list != NULL && list->kind == CRM_NODE_SEQUENCE ? list->count : 0;
        }
    }
    return count;
}

static crm_status read_numbers(crm_reader *reader, const crm_node *list, bool recomputed,
                               crm_claim *claims, crm_item *item)
{
    crm_status status = CRM_OK;
    for (size_t i = 0; list != NULL && i < list->count && status == CRM_OK; i++) {
        status =
            read_published(reader, list->items[i], recomputed, item, claims, &item->claim_count);
    }
    return status;
}

crm_status crm_read_claims(crm_reader *reader, const crm_node *published,
                           const crm_node *recomputed, const crm_node *checks, crm_item *item)
{
    const crm_node *const lists[] = {published, recomputed, checks};
    for (size_t i = 0; i < CRM_COUNT(lists); i++) {
        if (lists[i] != NULL && lists[i]->kind != CRM_NODE_SEQUENCE) {
            return crm_refuse_value(reader, lists[i], "a list");
        }
    }
    size_t most =
        most_claims(published) + most_claims(recomputed) + (checks != NULL ? checks->count : 0);
    crm_claim *claims = CRM_ARENA_NEW(&reader->tree->arena, crm_claim, most);
    if (claims == NULL) {
        return crm_refuse_memory(reader);
    }
    item->claims = claims;
    crm_status status = read_numbers(reader, published, false, claims, item);
    status = status == CRM_OK ? read_numbers(reader, recomputed, true, claims, item) : status;
    for (size_t i = 0; checks != NULL && i < checks->count && status == CRM_OK; i++) {
        status = read_check(reader, checks->items[i], item, &claims[item->claim_count++]);
    }
    return status;
}
