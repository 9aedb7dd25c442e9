/* Impacts with friction that have a name: those for which closed forms or values are known. */
#ifndef CAROM_TEST_FRICTION_NAMED_H
#define CAROM_TEST_FRICTION_NAMED_H

#include "friction_case.h"

/* What all contacts of a system have in common. */
typedef struct friction_law {
    double exponent, restitution, friction;
} friction_law;

/* One contact in the plane of which only D is known: M = D^-1, w = (1, 0), t = (0, 1). */
friction_case friction_plane_contact(double a, double b, double d, double u_n, double u_t,
                                     friction_law law);
/* A block of mass 1, half width 1, half height H, that rocks about its left lower corner with
 * angular velocity -1 until the right one strikes.
 */
friction_case friction_rocking_block(double half_height, friction_law law);
/* Three discs touch in a line, the first comes with v = (1, .3) and spin 1. */
friction_case friction_disc_line(friction_law law);
/* A cue disc strikes two discs that touch each other, symmetric or with v = (vx, vy), spin. */
friction_case friction_bernoulli(double vx, double vy, double spin, friction_law law);
/* A uniform rod of half length 1, its lower end left of the centre, tan of its slope given, comes
 * with gap velocity u_n and slip u_t, without turning.
 */
friction_case friction_rod(double slope, double u_n, double u_t, friction_law law);
/* A solid sphere on three supports, 120 degrees apart, their normals 30 degrees from vertical. */
friction_case friction_sphere_on_three(const double velocity[6], friction_law law);
/* A disc of mass 1 and radius 1 falls with velocity 1 between walls at gamma to the vertical. */
friction_case friction_groove(double gamma, double spin, friction_law law);
/* A mass on an arm strikes where the arm is at alpha from the vertical below its hinge. */
friction_case friction_pendulum(double alpha, friction_law law);
/* A solid sphere of mass 1 and radius 1 strikes the floor. */
friction_case friction_sphere(const double velocity[6], friction_law law);

#endif
