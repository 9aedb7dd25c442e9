/* The impacts of a motion that a page has room for.
 *
 * They are kept as they come until there is no room; then of every two neighbours in time the
 * stronger stays and stands for both, and from then on of every two that come, of every four, ...
 * Stronger is one with which something is wrong, then the higher closing speed. So the strongest of
 * all is always there, and so is the strongest of every so many in a row. Of an impact with many
 * contacts those with the largest impulses are kept.
 */
#ifndef CRM_BLOWS_H
#define CRM_BLOWS_H

#include "carom/carom.h"

typedef struct crm_blow_contact {
    size_t party[2]; /* bodies of the scene, then its walls */
    size_t place;    /* crm_impact_place */
    double closing_speed, impulse;
    double peak_force; /* NAN: not known */
} crm_blow_contact;

typedef struct crm_blow {
    uint64_t number; /* from 1 */
    uint64_t among;  /* so many impacts it stands for, itself among them */
    double time, lost, strongest;
    size_t contacts;    /* it had */
    size_t first, kept; /* of them, in the list of all that are kept */
    crm_result result;
    bool kinematic, kinetic, energetic, unique;
} crm_blow;

typedef struct crm_blows {
    size_t count, contact_count;
    crm_blow *blows;
    crm_blow_contact *contacts;
    uint64_t seen;
    uint64_t stride; /* so many impacts each of them stands for, but the last maybe fewer */
} crm_blows;

/* Zeroed by a failure, and by crm_blows_free. */
crm_status crm_blows_create(crm_blows *blows, crm_error *error);
void crm_blows_free(crm_blows *blows);
void crm_blows_add(crm_blows *blows, const crm_impact_report *impact);
/* Half of them. */
void crm_blows_thin(crm_blows *blows);

#endif
