/* What the readers of printed numbers and of checks share. Internal to src/reproduce. */
#ifndef CRM_REPRODUCE_READ_CLAIMS_H
#define CRM_REPRODUCE_READ_CLAIMS_H

#include "reproduce/item.h"

/* Fields that belong to both kinds come first. */
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
    CLAIM_COMMON
};

/* To be spliced at the front of a table of field names. */
#define CRM_CLAIM_FIELD_NAMES                                                                      \
    [CLAIM_WHAT] = "what", [CLAIM_CASE] = "case", [CLAIM_LAW] = "law",                             \
    [CLAIM_QUANTITY] = "quantity", [CLAIM_PER] = "per", [CLAIM_TIMES] = "times",                   \
    [CLAIM_POWER] = "power", [CLAIM_AT] = "at", [CLAIM_REASON] = "reason",                         \
    [CLAIM_UNFINISHED] = "unfinished", [CLAIM_BESIDE] = "beside", [CLAIM_SANITY] = "sanity"

/* Without a node nothing changes. */
crm_status crm_claims_optional_text(crm_reader *reader, const crm_node *node, const char **text);
crm_status crm_claims_optional_number(crm_reader *reader, const crm_node *node, double *number);

/* A claim for `node` with what the fields have in common; the quantity is still to come. */
crm_status crm_claims_read_common(crm_reader *reader, const crm_node *node,
                                  const crm_node *const *fields, const crm_item *item,
                                  crm_claim *claim);
/* Whether there is such a quantity; `along`: of a list, whose entries are meant. */
crm_status crm_claims_check_quantity(crm_reader *reader, const crm_node *node, const char *name,
                                     bool along, const crm_item *item);
/* Whether the claim is about a value that the item varies over. */
crm_status crm_claims_check_at(crm_reader *reader, const crm_item *item, const crm_claim *claim);

/* An entry of `published` or `recomputed`, which makes a claim of each of its values. */
crm_status crm_read_published(crm_reader *reader, const crm_node *node, bool recomputed,
                              const crm_item *item, crm_claim *claims, size_t *count);
crm_status crm_read_check(crm_reader *reader, const crm_node *node, const crm_item *item,
                          crm_claim *claim);

#endif
