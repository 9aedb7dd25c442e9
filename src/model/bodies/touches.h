/* Contacts of bodies, found from the geometry. Internal. */
#ifndef CRM_TOUCHES_H
#define CRM_TOUCHES_H

#include "model/model.h"

/* One contact found: parties (walls count from body_count), normal from first to second
 * (for a wall: from the body into the wall).
 *
 * The gap opens at n.(v2 + w2 x r2 - v1 - w1 x r1), r from a centre to the contact, and n.(w x r) =
 * w.(r x n), where a shift of r along the normal does not matter: `arm` leads to the axis of a rod,
 * the centre of a sphere. The contact itself, the middle of what gap there is, is `reach` further
 * along the normal, of the second party against it. It is one point for both, so that friction
 * keeps the angular momentum of both together.
 */
typedef struct crm_touch {
    uint32_t first, second;
    uint32_t place; /* from 0: contacts of the same two parties in order */
    double normal[3];
    double arm[2][3];
    double reach[2];
} crm_touch;

typedef struct crm_touches {
    crm_touch *items;
    size_t count, room;
    double most;    /* bytes that the model may take, about; 0: any number */
    uint32_t *met;  /* contacts of each body so far; NULL: not counted, there is no limit */
    double entries; /* of D, beside its diagonal */
} crm_touches;

/* All contacts, bodies first in the order (1,2), (1,3), ..., then walls. On failure the list is
 * still the caller's to free.
 */
crm_status crm_touches_find(const crm_bodies_def *def, crm_touches *list, crm_error *error);

/* Bodies i < j that may be within `relative` of their size of each other; an error ends it. */
typedef crm_status (*crm_pair_visit)(void *context, size_t i, size_t j, crm_error *error);
crm_status crm_bodies_visit_near(const crm_bodies_def *def, double relative, crm_pair_visit visit,
                                 void *context, crm_error *error);

static inline double crm_bodies_dot(const double *a, const double *b, unsigned dimension)
{
    double sum = 0;
    for (unsigned d = 0; d < dimension; d++) {
        sum += a[d] * b[d];
    }
    return sum;
}

/* Thickness: 0 for a rod without a radius. */
double crm_body_radius(const crm_body_def *body);

/* The name of a body, or of a wall counted from body_count on. */
void crm_bodies_party_name(const crm_bodies_def *def, size_t party, char *text, size_t size);

/* ---- Between touches.c and touch_solids.c ---------------------------------------------------- */

crm_status crm_touches_add(const crm_bodies_def *def, crm_touches *list, crm_touch item,
                           crm_error *error);
crm_status crm_bodies_fail_overlap(const crm_bodies_def *def, size_t i, size_t j, double gap,
                                   crm_error *error);
/* "NAME and NAME REASON", with the place of the later body. */
crm_status crm_bodies_fail_pair(const crm_bodies_def *def, size_t i, size_t j, const char *reason,
                                crm_error *error);

/* Bodies i < j of which at least one is no sphere. */
crm_status crm_touch_solids(const crm_bodies_def *def, size_t i, size_t j, crm_touches *list,
                            crm_error *error);
/* A body that is no sphere. */
crm_status crm_touch_solid_wall(const crm_bodies_def *def, size_t i, size_t k, crm_touches *list,
                                crm_error *error);

#endif
