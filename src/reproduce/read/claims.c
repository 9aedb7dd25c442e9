/* What was printed, and what the curves show. */
#include "reproduce/read/claims.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reproduce/trace.h"
#include "study/recorded.h"

/* ---- Names ---------------------------------------------------------------------------------- */

crm_status crm_claims_check_quantity(crm_reader *reader, const crm_node *node, const char *name,
                                     bool along, const crm_item *item)
{
    char problem[512], entry[160];
    crm_recorded quantity;
    crm_trace trace;
    if (strcmp(name, "status") == 0 || crm_trace_parse(name, &trace)) {
        return CRM_OK;
    }
    if (strcmp(name, "threshold") == 0) {
        return item->threshold.wanted
                   ? CRM_OK
                   : crm_reader_fail(reader, node, "needs a 'threshold' in the item");
    }
    snprintf(entry, sizeof entry, along ? "%s[1]" : "%s", name);
    return crm_recorded_parse(&crm_recordable_impact, entry, &quantity, problem, sizeof problem)
               ? CRM_OK
               : crm_reader_fail(reader, node, "is '%s': %s", name, problem);
}

static crm_status find_case(crm_reader *reader, const crm_node *node, const crm_item *item,
                            size_t *index)
{
    const char *name = NULL;
    crm_status status = crm_reader_text(reader, node, &name);
    for (size_t i = 0; i < item->case_count && status == CRM_OK; i++) {
        if (strcmp(item->cases[i].name, name) == 0) {
            *index = i;
            return CRM_OK;
        }
    }
    return status == CRM_OK
               ? crm_reader_fail(reader, node, "is '%s', which is no case of the item", name)
               : status;
}

/* ---- What both kinds have ------------------------------------------------------------------- */

crm_status crm_claims_optional_text(crm_reader *reader, const crm_node *node, const char **text)
{
    return node != NULL ? crm_reader_text(reader, node, text) : CRM_OK;
}

crm_status crm_claims_optional_number(crm_reader *reader, const crm_node *node, double *number)
{
    return node != NULL ? crm_reader_number(reader, node, number) : CRM_OK;
}

crm_status crm_claims_read_common(crm_reader *reader, const crm_node *node,
                                  const crm_node *const *fields, const crm_item *item,
                                  crm_claim *claim)
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
    crm_status status = crm_claims_optional_text(reader, fields[CLAIM_WHAT], &claim->what);
    if (status == CRM_OK && fields[CLAIM_CASE] != NULL) {
        status = find_case(reader, fields[CLAIM_CASE], item, &claim->case_index);
    } else if (status == CRM_OK && item->case_count > 1) {
        status = crm_reader_fail_missing(reader, node, "case");
    }
    status = status == CRM_OK ? crm_claims_optional_text(reader, fields[CLAIM_LAW], &claim->law)
                              : status;
    status = status == CRM_OK ? crm_claims_optional_text(reader, fields[CLAIM_PER], &claim->per)
                              : status;
    status = status == CRM_OK
                 ? crm_claims_optional_text(reader, fields[CLAIM_REASON], &claim->reason)
                 : status;
    status = status == CRM_OK
                 ? crm_claims_optional_number(reader, fields[CLAIM_TIMES], &claim->times)
                 : status;
    status = status == CRM_OK
                 ? crm_claims_optional_number(reader, fields[CLAIM_POWER], &claim->power)
                 : status;
    status =
        status == CRM_OK ? crm_reader_flag(reader, fields[CLAIM_BESIDE], &claim->beside) : status;
    status =
        status == CRM_OK ? crm_reader_flag(reader, fields[CLAIM_SANITY], &claim->sanity) : status;
    status = status == CRM_OK
                 ? crm_reader_flag(reader, fields[CLAIM_UNFINISHED], &claim->unfinished)
                 : status;
    if (status == CRM_OK && claim->per != NULL) {
        status = crm_claims_check_quantity(reader, fields[CLAIM_PER], claim->per, false, item);
    }
    return status;
}

crm_status crm_claims_check_at(crm_reader *reader, const crm_item *item, const crm_claim *claim)
{
    const crm_item_variation *variation = &item->variation;
    if (isnan(claim->at)) {
        return variation->count == 0 ? CRM_OK : crm_reader_fail_missing(reader, claim->node, "at");
    }
    for (size_t i = 0; i < variation->count; i++) {
        if (variation->values[i] == claim->at) {
            return CRM_OK;
        }
    }
    return crm_reader_fail(reader, claim->node, "is about %g, which is not among the values varied",
                           claim->at);
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
            const crm_node *list = crm_yaml_find(published->items[i], lists[k]);
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
        status = crm_read_published(reader, list->items[i], recomputed, item, claims,
                                    &item->claim_count);
    }
    return status;
}

crm_status crm_read_claims(crm_reader *reader, const crm_node *published,
                           const crm_node *recomputed, const crm_node *checks, crm_item *item)
{
    const crm_node *const lists[] = {published, recomputed, checks};
    for (size_t i = 0; i < CRM_COUNT(lists); i++) {
        if (lists[i] != NULL && lists[i]->kind != CRM_NODE_SEQUENCE) {
            return crm_reader_fail_value(reader, lists[i], "a list");
        }
    }
    size_t most =
        most_claims(published) + most_claims(recomputed) + (checks != NULL ? checks->count : 0);
    crm_claim *claims = CRM_ARENA_NEW(&reader->tree->arena, crm_claim, most);
    if (claims == NULL) {
        return crm_reader_fail_memory(reader);
    }
    item->claims = claims;
    crm_status status = read_numbers(reader, published, false, claims, item);
    status = status == CRM_OK ? read_numbers(reader, recomputed, true, claims, item) : status;
    for (size_t i = 0; checks != NULL && i < checks->count && status == CRM_OK; i++) {
        status = crm_read_check(reader, checks->items[i], item, &claims[item->claim_count++]);
    }
    return status;
}
