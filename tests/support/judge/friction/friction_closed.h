/* Impacts with friction that have a closed form: one contact in the plane, whatever D is, and in
 * space one with D_tn = 0 and D_tt a multiple of the identity (a sphere). Written from Stronge's
 * account: with the impulse P as time everything is linear between two events, the end of the
 * approach and the end of the slip.
 */
#ifndef CAROM_TEST_FRICTION_CLOSED_H
#define CAROM_TEST_FRICTION_CLOSED_H

#include "friction_case.h"

typedef enum friction_path {
    FRICTION_REST_SLIPS,  /* no slip before, slips */
    FRICTION_REST_STICKS, /* no slip before, none after */
    FRICTION_SLIPS,       /* in one direction throughout */
    FRICTION_REVERSES,    /* slip stops and goes on backwards */
    FRICTION_STOPS,       /* slip stops for good */
    FRICTION_JAMS,        /* slip first increases the closing speed, then stops */
    FRICTION_PATHS
} friction_path;

typedef struct friction_closed {
    friction_path path;
    bool in_expansion; /* the slip ends after the compression */
    bool locked;       /* D is singular and sticks: at rest with the energy held; P is unbounded */
    long double velocity[FRICTION_COORDINATES];
    long double u_n, u_t[2], impulse, tangential[2];
    long double loss_normal, loss_tangential, held;
    long double conditioning; /* D_nn over the rate at which friction lets u_n change at the end */
} friction_closed;

/* False: nothing closes, or (space) the contact is not that of a sphere. */
bool friction_closed_solve(const friction_case *c, friction_closed *out);
/* The plane from the numbers alone; c0 = -u_n >= 0, 0 being the limit from above. */
typedef struct friction_plane {
    long double a, b, d, c0, u_t, e, mu;
} friction_plane;
friction_closed friction_closed_plane(friction_plane plane);

#endif
