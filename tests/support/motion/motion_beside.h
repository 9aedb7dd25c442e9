/* Two motions of one scene, impact by impact. */
#ifndef CAROM_TEST_MOTION_BESIDE_H
#define CAROM_TEST_MOTION_BESIDE_H

#include "carom/carom.h"

/* Relative change of the velocities at the start, to see errors grow. */
static const double BESIDE_OFF = 1e-10;

typedef struct comparison {
    size_t impacts, ends;
    double worst; /* for what the scene makes of errors */
} comparison;

/* motion[0] and motion[1] must agree until `end`; motion[2] started with the error BESIDE_OFF, and
 * its deviation shows how the scene magnifies errors. Ends early at an impact too close to another
 * or too soft to be ordered, or when errors are too large.
 */
void follow_beside(crm_motion *motion[3], double end, comparison *all);
/* Largest difference of states. */
double motions_apart(const crm_motion *a, const crm_motion *b);

#endif
