/* Bodies that do not touch, but nearly do. Internal to the library and its program. */
#ifndef CRM_NEAR_MISS_H
#define CRM_NEAR_MISS_H

#include "carom/model.h"

enum { CRM_NEAR_MISSES_KEPT = 10, CRM_PARTY_NAME_SIZE = 96 };

typedef struct crm_near_miss {
    size_t first, second; /* parties: bodies, then walls from body_count on */
    double gap;           /* m */
    double relative;      /* what contacts.tolerance is compared with */
    char first_name[CRM_PARTY_NAME_SIZE], second_name[CRM_PARTY_NAME_SIZE];
} crm_near_miss;

typedef struct crm_near_misses {
    size_t total, kept;
    crm_near_miss nearest[CRM_NEAR_MISSES_KEPT]; /* the nearest first */
} crm_near_misses;

/* Pairs farther apart than the tolerance, by up to `most` of their size. */
crm_status crm_find_near_misses(const crm_bodies_def *def, double most, crm_near_misses *misses,
                                crm_error *error);

#endif
