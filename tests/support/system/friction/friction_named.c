/* See friction_named.h. */
#include "friction_named.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static friction_case blank(size_t n, size_t s, size_t dim, friction_law law)
{
    friction_case c = friction_blank(n, s, dim);
    friction_set_all(&c, law.exponent, law.restitution, law.friction);
    return c;
}

friction_case friction_plane_contact(double a, double b, double d, double u_n, double u_t,
                                     friction_law law)
{
    friction_case c = blank(2, 1, 1, law);
    double determinant = a * d - b * b;
    memcpy(c.mass,
           (double[4]){d / determinant, -b / determinant, -b / determinant, a / determinant},
           4 * sizeof *c.mass);
    c.w[0] = c.t[1] = 1;
    c.velocity[0] = u_n;
    c.velocity[1] = u_t;
    return c;
}

friction_case friction_rocking_block(double h, friction_law law)
{
    friction_case c = blank(3, 2, 1, law);
    double inertia = (1 + h * h) / 3;
    friction_add_body(&c, 0, 1, &inertia);
    memcpy(c.w, (double[6]){0, 1, -1, 0, 1, 1}, 6 * sizeof *c.w);
    memcpy(c.t, (double[6]){1, 0, h, 1, 0, h}, 6 * sizeof *c.t);
    memcpy(c.velocity, (double[3]){h, -1, -1}, 3 * sizeof *c.velocity);
    return c;
}

/* Discs of radius 1 that touch, the normal at an angle to x. */
static void touching_discs(friction_case *c, size_t j, size_t from, size_t to, double angle)
{
    friction_touch touch = {.from = from, .to = to};
    touch.normal[0] = touch.arm_from[0] = cos(angle);
    touch.normal[1] = touch.arm_from[1] = sin(angle);
    touch.arm_to[0] = -touch.normal[0];
    touch.arm_to[1] = -touch.normal[1];
    friction_add_contact(c, j, &touch);
}

static friction_case discs(size_t count, size_t contacts, friction_law law)
{
    friction_case c = blank(3 * count, contacts, 1, law);
    for (size_t body = 0; body < count; body++) {
        friction_add_body(&c, body, 1, &(double){0.5});
    }
    return c;
}

friction_case friction_disc_line(friction_law law)
{
    friction_case c = discs(3, 2, law);
    touching_discs(&c, 0, 0, 1, 0);
    touching_discs(&c, 1, 1, 2, 0);
    memcpy(c.velocity, (double[3]){1, 0.3, 1}, 3 * sizeof *c.velocity);
    return c;
}

friction_case friction_bernoulli(double vx, double vy, double spin, friction_law law)
{
    friction_case c = discs(3, 3, law);
    touching_discs(&c, 0, 0, 1, PI / 6);
    touching_discs(&c, 1, 0, 2, -PI / 6);
    touching_discs(&c, 2, 1, 2, -PI / 2);
    memcpy(c.velocity, (double[3]){vx, vy, spin}, 3 * sizeof *c.velocity);
    return c;
}

friction_case friction_rod(double slope, double u_n, double u_t, friction_law law)
{
    friction_case c = blank(3, 1, 1, law);
    double length = sqrt(1 + slope * slope), third = 1.0 / 3;
    friction_add_body(&c, 0, 1, &third);
    memcpy(c.w, (double[3]){0, 1, -1 / length}, 3 * sizeof *c.w);
    memcpy(c.t, (double[3]){1, 0, slope / length}, 3 * sizeof *c.t);
    memcpy(c.velocity, (double[3]){u_t, u_n, 0}, 3 * sizeof *c.velocity);
    return c;
}

/* A sphere of radius 1 against the surroundings. */
static void against(friction_case *c, size_t j, const double normal[3])
{
    friction_touch touch = {.from = FRICTION_FLOOR};
    for (int k = 0; k < 3; k++) {
        touch.normal[k] = normal[k];
        touch.arm_to[k] = -normal[k];
    }
    friction_add_contact(c, j, &touch);
}

static friction_case sphere_with(size_t contacts, const double velocity[6], friction_law law)
{
    friction_case c = blank(6, contacts, 2, law);
    friction_add_body(&c, 0, 1, (double[9]){0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4});
    memcpy(c.velocity, velocity, 6 * sizeof *velocity);
    return c;
}

friction_case friction_sphere_on_three(const double velocity[6], friction_law law)
{
    friction_case c = sphere_with(3, velocity, law);
    for (size_t j = 0; j < 3; j++) {
        double p = 2 * PI / 3 * (double)j;
        against(&c, j, (double[3]){-cos(p) / 2, -sin(p) / 2, sqrt(3) / 2});
    }
    return c;
}

friction_case friction_sphere(const double velocity[6], friction_law law)
{
    friction_case c = sphere_with(1, velocity, law);
    against(&c, 0, (double[3]){0, 0, 1});
    return c;
}

friction_case friction_groove(double gamma, double spin, friction_law law)
{
    friction_case c = discs(1, 2, law);
    against(&c, 0, (double[3]){cos(gamma), sin(gamma), 0});
    against(&c, 1, (double[3]){-cos(gamma), sin(gamma), 0});
    c.velocity[1] = -1;
    c.velocity[2] = spin;
    return c;
}

friction_case friction_pendulum(double alpha, friction_law law)
{
    friction_case c = blank(1, 1, 1, law);
    c.mass[0] = 1;
    c.w[0] = sin(alpha);
    c.t[0] = cos(alpha);
    c.velocity[0] = -1;
    return c;
}
