/* How deep the bodies of a scene are within each other or a wall, at one instant: from support
 * functions alone, of which the library has no part.
 */
#ifndef CAROM_TEST_OVERLAP_H
#define CAROM_TEST_OVERLAP_H

#include "carom/carom.h"

/* Between a body and a body, or a wall counted from the number of bodies on. */
typedef struct overlap {
    double depth; /* 0: none */
    size_t first, second;
} overlap;

/* The deepest, at time t and positions q as crm_motion_read gives them. */
overlap overlap_in_scene(const crm_scene_def *def, double t, const double *q);

#endif
