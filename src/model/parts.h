/* What a chain, a packing or a set of bodies expands to before it becomes a system. Internal. */
#ifndef CRM_PARTS_H
#define CRM_PARTS_H

#include "model/model.h"

/* Masses per coordinate, gap gradients by columns, and the contacts' data. */
typedef struct crm_parts {
    size_t coordinates;
    size_t contacts;
    double *mass;
    size_t *column_start;
    uint32_t *row;
    double *w;
    double *stiffness, *exponent, *restitution, *stored_energy, *boundary_velocity;
    double *gap; /* NULL, or the maker's */
} crm_parts;

/* `entries`: the most there will be in w, over all contacts. On failure what was had is still to
 * be released.
 */
crm_status crm_parts_create(size_t coordinates, size_t contacts, size_t entries, crm_parts *parts,
                            crm_error *error);
void crm_parts_release(crm_parts *parts);
/* The values of contact j. */
void crm_parts_contact(crm_parts *parts, size_t contact, crm_contact_def values);
/* The arrays go over to the model: large ones should not be held twice. */
crm_status crm_parts_model(crm_parts *parts, crm_model **model, crm_error *error);

#endif
