/* The arrays to which a chain, a packing or a set of bodies expands, before the model. Internal. */
#ifndef CRM_PARTS_H
#define CRM_PARTS_H

#include "model/model.h"

/* What contacts with friction have besides. */
typedef struct crm_parts_tangents {
    double *friction; /* NULL: no contact has any, and what follows is not there */
    unsigned each;    /* of each contact */
    size_t *column_start;
    uint32_t *row;
    double *t;
    double *velocity; /* prescribed */
} crm_parts_tangents;

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
    double *force;
    crm_compliance_def *compliance;
    crm_parts_tangents tangents;
} crm_parts;

/* `entries`: of w at most, over all contacts. To be released on failure, too. */
crm_status crm_parts_create(size_t coordinates, size_t contacts, size_t entries, crm_parts *parts,
                            crm_error *error);
/* Makes room for friction, with so many tangents of each contact and entries of t. */
crm_status crm_parts_add_tangents(crm_parts *parts, unsigned each, size_t entries,
                                  crm_error *error);
void crm_parts_release(crm_parts *parts);
/* Sets the parameters of a contact. */
void crm_parts_contact(crm_parts *parts, size_t contact, crm_contact_def values);
/* The model takes the arrays themselves: large ones are not copied. */
crm_status crm_parts_model(crm_parts *parts, crm_model **model, crm_error *error);

#endif
