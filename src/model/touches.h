/* Which bodies touch, and where. Internal. */
#ifndef CRM_TOUCHES_H
#define CRM_TOUCHES_H

#include "model/model.h"

/* One contact found: parties (walls count from body_count), normal from first to second
 * (for a wall: from the body into the wall).
 */
typedef struct crm_touch {
    uint32_t first, second;
    double normal[3];
} crm_touch;

typedef struct crm_touches {
    crm_touch *items;
    size_t count, room;
} crm_touches;

/* All contacts, bodies first in the order (1,2), (1,3), ..., then walls. On failure the list is
 * still the caller's to free.
 */
crm_status crm_find_touches(const crm_bodies_def *def, crm_touches *list, crm_error *error);

double crm_dot(const double *a, const double *b, unsigned dimension);

/* The name of a body, or of a wall counted from body_count on. */
void crm_party_name(const crm_bodies_def *def, size_t party, char *text, size_t size);

#endif
