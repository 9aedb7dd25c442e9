/* What the files that make a model of bodies share. Internal. */
#ifndef CRM_BODIES_H
#define CRM_BODIES_H

#include "model/bodies/touches.h"
#include "model/parts.h"

/* crm_model_from_bodies of at most so many bytes, about; 0: any number. One that would need more is
 * refused, CRM_ERROR_MEMORY with the place "contacts", as soon as the contacts found so far tell
 * it.
 */
crm_status crm_model_from_bodies_within(const crm_bodies_def *def, double most, crm_model **model,
                                        crm_error *error);

/* Checks each field by itself; positions relative to each other are checked by crm_touches_find. */
crm_status crm_bodies_check(const crm_bodies_def *def, crm_error *error);

/* Refuses two pairs of the same parties; their indices are checked. */
crm_status crm_bodies_check_pairs(const crm_bodies_def *def, crm_error *error);

/* The parameters of every contact in the list, none of them NAN. */
crm_status crm_contacts_complete(const crm_bodies_def *def, const crm_touches *list,
                                 crm_contact_def *contact, crm_error *error);

/* Given, or from the density. */
crm_status crm_body_mass(const crm_bodies_def *def, size_t i, double *mass, crm_error *error);
/* "a rod", "an ellipse": for messages. */
const char *crm_body_shape_noun(crm_shape shape);
/* How many spins a sphere has among its velocities: none without friction, else 1 or 3. */
unsigned crm_bodies_sphere_turns(const crm_bodies_def *def);
/* How many a body has: 0, 1 or 3. */
unsigned crm_body_turns(const crm_body_def *body, unsigned sphere_turns);
/* The moments of inertia that belong to them. */
void crm_body_moments(const crm_body_def *body, unsigned sphere_turns, double mass,
                      double moment[3]);

/* Where the bodies' coordinates begin (one more than there are bodies), and what the model calls
 * body i: those that move come first, then the fixed ones, then the walls.
 */
typedef struct crm_bodies_layout {
    size_t *start;
    uint32_t *number;
    size_t coordinates, moving, fixed;
    unsigned sphere_turns;
} crm_bodies_layout;

/* Entries of a direction at most. */
size_t crm_bodies_entries(const crm_bodies_def *def);
/* W, T and what is prescribed: directions.c. */
crm_status crm_bodies_fill_directions(const crm_bodies_def *def, const crm_bodies_layout *l,
                                      const crm_touches *list, crm_parts *parts, crm_error *error);

#endif
