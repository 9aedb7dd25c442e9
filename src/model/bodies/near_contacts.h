/* Near contacts: bodies that do not touch, but nearly do. Internal to the library and its program.
 */
#ifndef CRM_NEAR_CONTACTS_H
#define CRM_NEAR_CONTACTS_H

#include "carom/model.h"

enum { CRM_NEAR_CONTACTS_KEPT = 10, CRM_PARTY_NAME_SIZE = 96 };

typedef struct crm_near_contact {
    size_t first, second; /* parties: bodies, then walls from body_count on */
    double gap;           /* m */
    double relative;      /* gap over size, to be compared with contacts.tolerance */
    char first_name[CRM_PARTY_NAME_SIZE], second_name[CRM_PARTY_NAME_SIZE];
} crm_near_contact;

typedef struct crm_near_contacts {
    size_t total, kept;
    crm_near_contact nearest[CRM_NEAR_CONTACTS_KEPT]; /* the nearest first */
} crm_near_contacts;

/* Pairs farther apart than the tolerance, by up to `most` of their size. */
crm_status crm_near_contacts_find(const crm_bodies_def *def, double most, crm_near_contacts *nears,
                                  crm_error *error);

#endif
