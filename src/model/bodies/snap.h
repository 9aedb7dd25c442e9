/* Bodies that nearly touch, moved until they do. Internal to the library and its program. */
#ifndef CRM_SNAP_H
#define CRM_SNAP_H

#include "carom/model.h"

/* The result. */
typedef struct crm_snapped {
    size_t pairs;    /* that touch now */
    size_t moved;    /* bodies */
    size_t farthest; /* the body that was moved most, ... */
    double distance; /* ... by this */
} crm_snapped;

/* Spheres whose gap to each other or to a wall is at most `snap` of their size, positive or
 * negative, are moved until they touch, all at once, with the least sum of squared moves.
 * `bodies` are those of `def`. CRM_ERROR_MODEL: they cannot all touch.
 */
crm_status crm_snap_bodies(const crm_bodies_def *def, double snap, crm_body_def *bodies,
                           crm_snapped *snapped, crm_error *error);

#endif
