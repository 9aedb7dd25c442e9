/* Printed numbers, and numbers that no paper prints. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "reproduce/read/claims.h"

enum {
    PUBLISHED_QUANTITIES = CLAIM_COMMON,
    PUBLISHED_VELOCITIES,
    PUBLISHED_VALUE,
    PUBLISHED_VALUES,
    PUBLISHED_RIGHT,
    PUBLISHED_SCHEME,
    PUBLISHED_TOLERANCE,
    PUBLISHED_FIELDS
};

static const char *const published_fields[PUBLISHED_FIELDS] = {
    CRM_CLAIM_FIELD_NAMES,
    [PUBLISHED_QUANTITIES] = "quantities",
    [PUBLISHED_VELOCITIES] = "velocities",
    [PUBLISHED_VALUE] = "value",
    [PUBLISHED_VALUES] = "values",
    [PUBLISHED_RIGHT] = "right",
    [PUBLISHED_SCHEME] = "scheme",
    [PUBLISHED_TOLERANCE] = "tolerance",
};

static char *format_text(crm_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static char *format_text(crm_reader *reader, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    crm_vsnprintf(text, sizeof text, format, arguments);
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
    return count == e->count
               ? CRM_OK
               : crm_reader_fail(reader, *node, "has %zu entries; there are %zu values", count,
                                 e->count);
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
        return crm_reader_fail(reader, e->node, "must have one of value, values and velocities");
    }
    size_t named = (e->fields[CLAIM_QUANTITY] != NULL) + (e->fields[PUBLISHED_QUANTITIES] != NULL);
    if (named != (field == PUBLISHED_VELOCITIES ? 0 : 1)) {
        return crm_reader_fail(reader, e->node,
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
        status = crm_reader_fail_missing(reader, e->node, "reason");
    }
    if (status == CRM_OK && e->right == NULL && e->fields[PUBLISHED_SCHEME] != NULL) {
        status = crm_reader_fail_missing(reader, e->node, "right");
    }
    return status;
}

static crm_status read_quantity(crm_reader *reader, const entry *e, size_t i, const crm_item *item,
                                crm_claim *claim)
{
    if (e->fields[PUBLISHED_VELOCITIES] != NULL) {
        claim->quantity = format_text(reader, "velocity[%zu]", i + 1);
        return claim->quantity != NULL ? CRM_OK : crm_reader_fail_memory(reader);
    }
    const crm_node *node = e->names != NULL ? e->names[i] : e->fields[CLAIM_QUANTITY];
    crm_status status = crm_reader_text(reader, node, &claim->quantity);
    return status == CRM_OK ? crm_claims_check_quantity(reader, node, claim->quantity, false, item)
                            : status;
}

/* "case, law: quantity at 3", leaving out what there is only one of. */
static crm_status name_claim(crm_reader *reader, const crm_item *item, crm_claim *claim)
{
    const char *of_case = item->cases[claim->case_index].name;
    const char *law = claim->law != NULL ? claim->law : "";
    char at[64] = "";
    if (!isnan(claim->at)) {
        crm_snprintf(at, sizeof at, "%s = %g: ", item->variation.parameter, claim->at);
    }
    const char *word = claim->what[0] != '\0' ? claim->what : claim->quantity;
    claim->what = format_text(reader, "%s%s%s%s%s%s", of_case, of_case[0] != '\0' ? ": " : "", at,
                              law, law[0] != '\0' ? ": " : "", word);
    return claim->what != NULL ? CRM_OK : crm_reader_fail_memory(reader);
}

/* ~ or null: nothing there. */
static crm_status read_right(crm_reader *reader, const crm_node *node, crm_claim *claim)
{
    double number;
    if (crm_yaml_is_null(node)) {
        return CRM_OK;
    }
    claim->right = node->text;
    return crm_reader_number(reader, node, &number);
}

static crm_status read_value(crm_reader *reader, const entry *e, size_t i, crm_claim *claim)
{
    const crm_node *node = e->values[i];
    crm_status status = CRM_OK;
    claim->kind = strcmp(claim->quantity, "status") == 0 ? CRM_CLAIM_STATUS : CRM_CLAIM_VALUE;
    if (claim->kind == CRM_CLAIM_STATUS) {
        status = crm_reader_text(reader, node, &claim->printed);
    } else {
        claim->printed = node->kind == CRM_NODE_SCALAR ? node->text : NULL;
        status = crm_reader_number(reader, node, &claim->published);
    }
    const crm_node *at = e->at != NULL ? e->at[i] : e->fields[CLAIM_AT];
    if (status == CRM_OK && at != NULL) {
        status = crm_reader_number(reader, at, &claim->at);
    }
    return status == CRM_OK && e->right != NULL ? read_right(reader, e->right[i], claim) : status;
}

crm_status crm_read_published(crm_reader *reader, const crm_node *node, bool recomputed,
                              const crm_item *item, crm_claim *claims, size_t *count)
{
    const crm_node *fields[PUBLISHED_FIELDS];
    crm_status status = crm_reader_fields(reader, node, published_fields, PUBLISHED_FIELDS, fields);
    entry e = {.node = node, .fields = fields};
    status = status == CRM_OK ? read_lists(reader, &e) : status;
    for (size_t i = 0; status == CRM_OK && i < e.count; i++) {
        crm_claim *claim = &claims[(*count)++];
        status = crm_claims_read_common(reader, node, fields, item, claim);
        claim->recomputed = recomputed;
        status = status == CRM_OK
                     ? crm_claims_optional_text(reader, fields[PUBLISHED_SCHEME], &claim->scheme)
                     : status;
        status = status == CRM_OK ? read_quantity(reader, &e, i, item, claim) : status;
        status = status == CRM_OK ? read_value(reader, &e, i, claim) : status;
        status = status == CRM_OK ? crm_claims_optional_number(reader, fields[PUBLISHED_TOLERANCE],
                                                               &claim->tolerance)
                                  : status;
        status = status == CRM_OK ? crm_claims_check_at(reader, item, claim) : status;
        status = status == CRM_OK ? name_claim(reader, item, claim) : status;
    }
    return status;
}
