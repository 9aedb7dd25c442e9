/* The curve that a claim is about: over the item's parameter, or over the entries of a list. */
#ifndef CRM_REPRODUCE_CURVE_H
#define CRM_REPRODUCE_CURVE_H

#include "reproduce/record.h"

typedef struct crm_claim_curve {
    size_t count;
    double *x, *y; /* NAN in y: there is no answer */
} crm_claim_curve;

/* The part of it that the claim names; `trouble` says what is missing. False: no memory. To be
 * freed in any case.
 */
bool crm_curve_collect(const crm_record *record, const crm_claim *claim, crm_claim_curve *curve,
                       char *trouble, size_t size);
bool crm_curve_is_complete(const crm_claim_curve *curve); /* nothing is missing */
void crm_curve_free(crm_claim_curve *curve);

#endif
