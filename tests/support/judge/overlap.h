/* How deep the bodies of a scene in the plane overlap each other and the walls, by support
 * functions: nothing of it is the library's.
 */
#ifndef CAROM_TEST_OVERLAP_H
#define CAROM_TEST_OVERLAP_H

#include "carom/motion.h"

/* The largest depth at the positions q of a motion of the scene; 0: nothing overlaps. Walls that
 * stand still; no strings. */
double overlap_most(const crm_scene_def *scene, const double *q);

#endif
