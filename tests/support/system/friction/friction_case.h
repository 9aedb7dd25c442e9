/* Impacts with Coulomb friction, written out in full, so that the library, the judges and a test's
 * own arithmetic start from the same plain numbers.
 *
 * Contact j has a normal w_j and dim tangents, u_n = w_j'v + wall_n, u_t = T_j'v + wall_t, and
 * M v' = W lambda + T f with lambda = K x^eta and |f| <= mu lambda.
 */
#ifndef CAROM_TEST_FRICTION_CASE_H
#define CAROM_TEST_FRICTION_CASE_H

#include <stdbool.h>
#include <stddef.h>

#include "rng.h"

enum {
    FRICTION_CONTACTS = 12,
    FRICTION_COORDINATES = 48,
    FRICTION_TANGENTS = 2 * FRICTION_CONTACTS,
    FRICTION_ROWS = 3 * FRICTION_CONTACTS /* of D: all normals, then all tangents */
};

typedef struct friction_case {
    size_t n, s, dim; /* dim: tangents of a contact, 1 in the plane, 2 in space */
    double mass[FRICTION_COORDINATES * FRICTION_COORDINATES]; /* M, rows of n */
    double w[FRICTION_CONTACTS * FRICTION_COORDINATES];       /* w[j*n + i] */
    double t[FRICTION_TANGENTS * FRICTION_COORDINATES];       /* t[(j*dim + k)*n + i] */
    double velocity[FRICTION_COORDINATES];
    double stiffness[FRICTION_CONTACTS], exponent[FRICTION_CONTACTS];
    double restitution[FRICTION_CONTACTS], friction[FRICTION_CONTACTS];
    double wall_normal[FRICTION_CONTACTS], wall_tangent[FRICTION_TANGENTS]; /* of moving walls */
} friction_case;

/* M = 0, W = T = 0, K = 1, eta = 3/2, e = 1, mu = 0. */
friction_case friction_blank(size_t n, size_t s, size_t dim);
void friction_set_all(friction_case *c, double exponent, double restitution, double friction);

/* Rigid bodies: 3 coordinates each in the plane (x, y, angle), 6 in space. */
void friction_add_body(friction_case *c, size_t body, double mass, const double *inertia);
/* Contact j where body `to` has the lever arm `arm_to` and body `from` has `arm_from`; the normal
 * points into `to`. from = FRICTION_FLOOR: the surroundings. In the plane the tangent is the normal
 * turned by +90 degrees; `tangent` (dim vectors) replaces what would be chosen.
 */
enum { FRICTION_FLOOR = 1000 };
typedef struct friction_touch {
    size_t from, to;
    double arm_from[3], arm_to[3], normal[3];
    const double *tangent; /* NULL: chosen */
} friction_touch;
void friction_add_contact(friction_case *c, size_t j, const friction_touch *touch);

/* D = [W T]' M^-1 [W T], rows of FRICTION_ROWS, and M^-1 [W T], one column after another, rows of
 * FRICTION_COORDINATES; either may be NULL. False if M is not positive definite.
 */
bool friction_delassus(const friction_case *c, long double *d, long double *to_velocity);
/* u = [W T]'v and the walls' velocities: normals, then tangents. */
void friction_slip(const friction_case *c, const double *velocity, long double *u);
double friction_energy(const friction_case *c, const double *velocity);
/* What velocities are measured by: the largest |u_n| or |u_t| before. */
double friction_speed(const friction_case *c);

#endif
