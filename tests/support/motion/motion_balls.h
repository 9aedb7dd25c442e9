#ifndef CAROM_TEST_MOTION_BALLS_H
#define CAROM_TEST_MOTION_BALLS_H

#include "carom/carom.h"

/* Balls above plates that may swing: each coordinate is a ball above its plate A sin(omega t);
 * balls know nothing of each other. A ceiling adds a gap for ball 1. `pull` is a force of time on
 * all.
 */
typedef struct balls {
    size_t count;
    double gravity, floor, ceiling; /* 0: none */
    double amplitude, omega;
    double (*pull)(double t);
} balls;

crm_lagrangian_def balls_def(balls *b, const double *position, const double *velocity,
                             const double *restitution);
/* Its parts. */
crm_status balls_mass(void *context, const double *q, double *mass);
crm_status balls_force(void *context, double t, const double *q, const double *v, double *h);

#endif
