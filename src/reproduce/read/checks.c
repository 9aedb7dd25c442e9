/* What curves must show: an extreme, a trend, bounds. */
#include <math.h>

#include "reproduce/read/claims.h"

enum {
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

static const char *const check_fields[CHECK_FIELDS] = {
    CRM_CLAIM_FIELD_NAMES,       [CHECK_ALONG] = "along",     [CHECK_RANGE] = "range",
    [CHECK_MINIMUM] = "minimum", [CHECK_MAXIMUM] = "maximum", [CHECK_WITHIN] = "within",
    [CHECK_TREND] = "trend",     [CHECK_LEAST] = "least",     [CHECK_MOST] = "most",
};

static crm_status read_range(crm_reader *reader, const crm_node *node, crm_claim *claim)
{
    double ends[2];
    if (node == NULL) {
        return CRM_OK;
    }
    crm_status status = crm_reader_list(reader, node, 2, "end of the range", ends);
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
        return crm_reader_fail_missing(reader, node, "within");
    }
    crm_status status = crm_reader_number(reader, place, &claim->published);
    claim->printed = place->kind == CRM_NODE_SCALAR ? place->text : NULL;
    return status == CRM_OK ? crm_reader_number(reader, fields[CHECK_WITHIN], &claim->tolerance)
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
        return crm_reader_fail(reader, node,
                               "must expect one of minimum, maximum, trend, and least or most");
    }
    if (fields[CHECK_TREND] != NULL) {
        size_t trend = 0;
        crm_status status = crm_reader_choice(reader, fields[CHECK_TREND], trends, 2, &trend);
        claim->kind = trend == 0 ? CRM_CLAIM_INCREASES : CRM_CLAIM_DECREASES;
        return status;
    }
    if (!bounded) {
        return read_extreme(reader, node, fields, claim);
    }
    claim->kind = CRM_CLAIM_WITHIN;
    crm_status status = crm_claims_optional_number(reader, fields[CHECK_LEAST], &claim->least);
    return status == CRM_OK ? crm_claims_optional_number(reader, fields[CHECK_MOST], &claim->most)
                            : status;
}

crm_status crm_read_check(crm_reader *reader, const crm_node *node, const crm_item *item,
                          crm_claim *claim)
{
    const crm_node *fields[CHECK_FIELDS];
    crm_status status = crm_reader_fields(reader, node, check_fields, CHECK_FIELDS, fields);
    if (status == CRM_OK && (fields[CLAIM_WHAT] == NULL || fields[CLAIM_QUANTITY] == NULL)) {
        return crm_reader_fail_missing(reader, node,
                                       fields[CLAIM_WHAT] == NULL ? "what" : "quantity");
    }
    status = status == CRM_OK ? crm_claims_read_common(reader, node, fields, item, claim) : status;
    status =
        status == CRM_OK ? crm_reader_flag(reader, fields[CHECK_ALONG], &claim->along) : status;
    status = status == CRM_OK ? read_range(reader, fields[CHECK_RANGE], claim) : status;
    status = status == CRM_OK ? crm_reader_text(reader, fields[CLAIM_QUANTITY], &claim->quantity)
                              : status;
    status = status == CRM_OK ? crm_claims_check_quantity(reader, fields[CLAIM_QUANTITY],
                                                          claim->quantity, claim->along, item)
                              : status;
    status = status == CRM_OK ? crm_claims_optional_number(reader, fields[CLAIM_AT], &claim->at)
                              : status;
    if (status == CRM_OK && (!isnan(claim->at) || claim->along)) {
        status = crm_claims_check_at(reader, item, claim);
    }
    return status == CRM_OK ? read_expectation(reader, node, fields, claim) : status;
}
