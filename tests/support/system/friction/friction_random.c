/* See friction_random.h. */
#include "friction_random.h"

#include <math.h>
#include <string.h>

static double draw_restitution(rng *r)
{
    size_t which = rng_below(r, 5);
    return which == 0 ? 0 : which == 1 ? 1 : rng_uniform(r, 0, 1);
}

static double draw_exponent(rng *r)
{
    size_t which = rng_below(r, 3);
    return which == 0 ? 1 : which == 1 ? 1.5 : rng_uniform(r, 1, 3);
}

/* M = A A' + a part of I. */
static void draw_mass(rng *r, friction_case *c)
{
    double a[FRICTION_COORDINATES * FRICTION_COORDINATES];
    for (size_t i = 0; i < c->n * c->n; i++) {
        a[i] = rng_normal(r);
    }
    for (size_t i = 0; i < c->n; i++) {
        for (size_t k = 0; k < c->n; k++) {
            c->mass[i * c->n + k] = i == k ? 0.3 : 0;
            for (size_t l = 0; l < c->n; l++) {
                c->mass[i * c->n + k] += a[i * c->n + l] * a[k * c->n + l] / (double)c->n;
            }
        }
    }
}

static void draw_normals(rng *r, double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        numbers[i] = rng_normal(r);
    }
}

/* Until some contact closes; one that must slip from rest has none before. */
static void draw_velocity(rng *r, friction_case *c)
{
    for (;;) {
        long double u[FRICTION_ROWS], least = 0;
        draw_normals(r, c->velocity, c->n);
        friction_slip(c, c->velocity, u);
        for (size_t j = 0; j < c->s; j++) {
            least = fminl(least, u[j]);
        }
        if (least < -0.1L) {
            return;
        }
    }
}

/* ---- Single contacts ------------------------------------------------------------------------- */

friction_case friction_random_plane(rng *r)
{
    friction_case c = friction_blank(2 + rng_below(r, 3), 1, 1);
    size_t ugly = rng_below(r, 12);
    draw_mass(r, &c);
    draw_normals(r, c.w, c.n);
    draw_normals(r, c.t, c.n);
    if (ugly <= 1) { /* D singular, or nearly */
        double along = rng_normal(r), aside = ugly == 0 ? 0 : rng_log(r, 1e-4, 1e-1);
        for (size_t i = 0; i < c.n; i++) {
            c.t[i] = along * c.w[i] + aside * c.t[i];
        }
    }
    c.stiffness[0] = rng_log(r, 1e-2, 1e3);
    c.exponent[0] = rng_uniform(r, 1, 3);
    c.restitution[0] = draw_restitution(r);
    c.friction[0] = rng_below(r, 2) ? rng_uniform(r, 0, 10) : rng_log(r, 1e-3, 10);
    draw_velocity(r, &c);
    if (ugly == 2) { /* no slip before */
        long double u[FRICTION_ROWS];
        friction_slip(&c, c.velocity, u);
        c.wall_tangent[0] = -(double)u[1];
    }
    return c;
}

friction_case friction_random_sphere(rng *r)
{
    friction_case c = friction_blank(6, 1, 2);
    double mass = rng_log(r, 0.1, 10), radius = rng_log(r, 0.3, 3), normal[3], length = 0;
    double j = rng_uniform(r, 0.1, 0.6) * mass * radius * radius;
    friction_add_body(&c, 0, mass, (double[9]){j, 0, 0, 0, j, 0, 0, 0, j});
    friction_touch touch = {.from = FRICTION_FLOOR};
    draw_normals(r, normal, 3);
    for (int k = 0; k < 3; k++) {
        length += normal[k] * normal[k];
    }
    for (int k = 0; k < 3; k++) {
        touch.normal[k] = normal[k] / sqrt(length);
        touch.arm_to[k] = -radius * touch.normal[k];
    }
    friction_add_contact(&c, 0, &touch);
    c.stiffness[0] = rng_log(r, 1e-2, 1e3);
    c.exponent[0] = rng_uniform(r, 1, 3);
    c.restitution[0] = draw_restitution(r);
    c.friction[0] = rng_log(r, 1e-2, 5);
    if (rng_below(r, 2)) {
        draw_normals(r, c.wall_tangent, 2);
    }
    draw_velocity(r, &c);
    return c;
}

friction_case friction_random_space(rng *r)
{
    friction_case c = friction_blank(3 + rng_below(r, 4), 1, 2);
    draw_mass(r, &c);
    draw_normals(r, c.w, c.n);
    draw_normals(r, c.t, 2 * c.n);
    c.stiffness[0] = rng_log(r, 1e-2, 1e3);
    c.exponent[0] = rng_uniform(r, 1, 3);
    c.restitution[0] = draw_restitution(r);
    c.friction[0] = rng_log(r, 1e-2, 5);
    draw_velocity(r, &c);
    return c;
}

/* ---- Several contacts ------------------------------------------------------------------------ */

const char *friction_kind_name(friction_kind kind)
{
    static const char *const name[FRICTION_KINDS] = {"any",       "pile",   "round",
                                                     "dependent", "uneven", "wedged"};
    return name[kind];
}

static void draw_contacts(rng *r, friction_case *c, friction_draw draw)
{
    bool one_e = rng_below(r, 2), one_eta = rng_below(r, 2), one_mu = rng_below(r, 3) == 0;
    double e = draw_restitution(r), eta = draw_exponent(r), mu = rng_uniform(r, 0, draw.most_mu);
    for (size_t j = 0; j < c->s; j++) {
        double own = rng_below(r, 8) == 0   ? 0
                     : rng_below(r, 2) == 0 ? rng_uniform(r, 0, draw.most_mu)
                                            : rng_uniform(r, 0, fmin(1, draw.most_mu));
        c->stiffness[j] = rng_log(r, 0.1, 10);
        c->restitution[j] = one_e ? e : draw_restitution(r);
        c->exponent[j] = one_eta ? eta : draw_exponent(r);
        c->friction[j] = one_mu ? mu : own;
    }
}

static friction_case draw_any(rng *r, friction_draw draw)
{
    size_t n = 2 + rng_below(r, draw.contacts * (1 + draw.dim));
    friction_case c = friction_blank(n, draw.contacts, draw.dim);
    draw_mass(r, &c);
    draw_normals(r, c.w, c.n * c.s);
    draw_normals(r, c.t, c.n * c.s * c.dim);
    return c;
}

static void draw_inertia(rng *r, friction_case *c, size_t body, double mass, bool round)
{
    double j = rng_uniform(r, 0.2, 0.6) * mass, inertia[9] = {j};
    for (size_t k = 0; c->dim == 2 && k < 3; k++) {
        inertia[k * 4] = round ? j : rng_uniform(r, 0.2, 0.6) * mass;
    }
    friction_add_body(c, body, mass, inertia);
}

/* A unit vector within about 70 degrees of upwards, or any. */
static void draw_direction(rng *r, size_t dim, bool upwards, double *v)
{
    double length = 0;
    v[2] = 0;
    do {
        draw_normals(r, v, dim + 1);
        length = 0;
        for (size_t k = 0; k <= dim; k++) {
            length += v[k] * v[k];
        }
        for (size_t k = 0; k <= dim; k++) {
            v[k] /= sqrt(length);
        }
    } while (upwards && v[dim] < 0.35);
}

/* Contact j is between a body and one with a smaller number, or the floor. Of dependent ones every
 * second has the plane of the one before.
 */
static void draw_touch(rng *r, friction_case *c, size_t j, size_t bodies, friction_kind kind,
                       friction_touch *touch)
{
    bool again = kind == FRICTION_DEPENDENT && j % 2 == 1;
    if (!again) {
        touch->to = j < bodies ? j : rng_below(r, bodies);
        touch->from = touch->to == 0 || rng_below(r, 2) ? FRICTION_FLOOR : rng_below(r, touch->to);
        draw_direction(r, c->dim, kind != FRICTION_WEDGED, touch->normal);
        draw_direction(r, c->dim, false, touch->arm_to);
        draw_direction(r, c->dim, false, touch->arm_from);
        for (int k = 0; kind == FRICTION_ROUND && k < 3; k++) {
            touch->arm_to[k] = -touch->normal[k];
            touch->arm_from[k] = touch->normal[k];
        }
        return;
    }
    /* another point of the same plane: arms moved at right angles to the normal */
    double aside[3], dot = 0;
    draw_direction(r, c->dim, false, aside);
    for (int k = 0; k < 3; k++) {
        dot += aside[k] * touch->normal[k];
    }
    for (int k = 0; k < 3; k++) {
        touch->arm_to[k] += aside[k] - dot * touch->normal[k];
        touch->arm_from[k] += aside[k] - dot * touch->normal[k];
    }
}

static friction_case draw_bodies(rng *r, friction_draw draw)
{
    size_t size = draw.dim == 1 ? 3 : 6, most = FRICTION_COORDINATES / size;
    size_t bodies = 1 + rng_below(r, draw.contacts < most ? draw.contacts : most);
    friction_case c = friction_blank(size * bodies, draw.contacts, draw.dim);
    friction_touch touch = {0};
    for (size_t body = 0; body < bodies; body++) {
        double mass = draw.kind == FRICTION_UNEVEN ? rng_log(r, 1e-3, 1e3) : rng_log(r, 0.3, 3);
        draw_inertia(r, &c, body, mass, draw.kind == FRICTION_ROUND);
    }
    for (size_t j = 0; j < c.s; j++) {
        draw_touch(r, &c, j, bodies, draw.kind, &touch);
        friction_add_contact(&c, j, &touch);
    }
    return c;
}

/* Bodies move as rigid ones before: some contacts slip, some do not at first. */
static void let_stick(rng *r, friction_case *c)
{
    long double u[FRICTION_ROWS];
    friction_slip(c, c->velocity, u);
    for (size_t j = 0; j < c->s; j++) {
        for (size_t k = 0; rng_below(r, 6) == 0 && k < c->dim; k++) {
            c->wall_tangent[j * c->dim + k] = -(double)u[c->s + j * c->dim + k];
        }
    }
}

friction_case friction_random(rng *r, friction_draw draw)
{
    friction_case c = draw.kind == FRICTION_ANY ? draw_any(r, draw) : draw_bodies(r, draw);
    draw_contacts(r, &c, draw);
    draw_velocity(r, &c);
    if (rng_below(r, 4) == 0) {
        let_stick(r, &c);
    }
    return c;
}

friction_case friction_random_of(uint64_t seed, size_t index, size_t most_contacts,
                                 friction_draw *draw)
{
    rng r = rng_seeded(seed + 0x9e3779b97f4a7c15u * (uint64_t)index);
    *draw = (friction_draw){.kind = (friction_kind)rng_below(&r, FRICTION_KINDS),
                            .dim = 1 + rng_below(&r, 2),
                            .contacts = 2 + rng_below(&r, most_contacts - 1),
                            .most_mu = rng_below(&r, 2) ? 1 : 5};
    rng_next(&r);
    return friction_random(&r, *draw);
}
