/* The curve that a claim is about: over the item's parameter, or over the entries of a list. */
#ifndef CRM_REPRODUCE_PATH_H
#define CRM_REPRODUCE_PATH_H

#include "reproduce/record.h"

typedef struct crm_path {
    size_t count;
    double *x, *y; /* NAN in y: there is no answer */
} crm_path;

/* The part of it that the claim names; what is missing is told as trouble. False: no memory. To be
 * freed in any case.
 */
bool crm_path_follow(const crm_record *record, const crm_claim *claim, crm_path *path,
                     char *trouble, size_t size);
bool crm_path_is_whole(const crm_path *path); /* nothing is missing */
void crm_path_free(crm_path *path);

#endif
