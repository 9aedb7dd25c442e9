/* Impacts with Coulomb friction once more, as simply as possible: fixed steps that know no events.
 *
 * Half a drift of the indentations, a kick by the normal forces and, with them as bounds, the
 * friction impulse that minimises the energy after it (the proximal step of mu lambda |u_t|), half
 * a drift. It cannot fail to find an answer, and is of first order where anything begins or ends.
 */
#ifndef CAROM_TEST_FRICTION_PROXIMAL_H
#define CAROM_TEST_FRICTION_PROXIMAL_H

#include "friction_case.h"

typedef struct proximal_answer {
    bool ended; /* false: out of steps, or friction holds what is loaded */
    unsigned long steps;
    unsigned long unsettled; /* steps whose friction was still changing when sweeps ran out */
    double velocity[FRICTION_COORDINATES];
    double impulse[FRICTION_CONTACTS], tangential[FRICTION_TANGENTS];
    double loss_normal[FRICTION_CONTACTS], loss_tangential[FRICTION_CONTACTS];
} proximal_answer;

/* `fineness`: steps in the time in which the stiffest contact would be compressed. */
bool friction_proximal(const friction_case *c, unsigned fineness, unsigned long limit,
                       proximal_answer *answer);

#endif
