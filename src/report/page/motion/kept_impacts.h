/* The impacts of a motion that a page has room for.
 *
 * They are kept as they come until there is no room; then of every two neighbours in time the
 * stronger stays and stands for both, and from then on of every two that come, of every four, ...
 * Stronger is one with which something is wrong, then the higher closing speed. So the strongest of
 * all is always there, and so is the strongest of every so many in a row. Of an impact with many
 * contacts those with the largest impulses are kept.
 */
#ifndef CRM_KEPT_IMPACTS_H
#define CRM_KEPT_IMPACTS_H

#include "carom/carom.h"

typedef struct crm_kept_contact {
    size_t party[2]; /* bodies of the scene, then its walls */
    size_t place;    /* crm_impact_contact_number */
    double closing_speed, impulse;
    double peak_force; /* NAN: not known */
} crm_kept_contact;

typedef struct crm_kept_impact {
    uint64_t number;     /* from 1 */
    uint64_t represents; /* so many impacts it stands for, itself among them */
    double time, lost, strongest;
    size_t contacts;    /* it had */
    size_t first, kept; /* of them, in the list of all that are kept */
    crm_result result;
    bool kinematic, kinetic, energetic, unique;
} crm_kept_impact;

typedef struct crm_kept_impacts {
    size_t count, contact_count;
    crm_kept_impact *impacts;
    crm_kept_contact *contacts;
    uint64_t total;
    uint64_t stride; /* so many impacts each of them stands for, but the last maybe fewer */
} crm_kept_impacts;

/* Zeroed by a failure, and by crm_kept_impacts_free. */
crm_status crm_kept_impacts_create(crm_kept_impacts *impacts, crm_error *error);
void crm_kept_impacts_free(crm_kept_impacts *impacts);
void crm_kept_impacts_add(crm_kept_impacts *impacts, const crm_impact_report *impact);
/* Half of them. */
void crm_kept_impacts_thin(crm_kept_impacts *impacts);

#endif
