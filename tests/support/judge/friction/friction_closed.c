/* See friction_closed.h. */
#include "friction_closed.h"

#include <math.h>
#include <string.h>

typedef long double real;

/* What is left of a difference of numbers of size 1 and counts as 0. */
static const real ROUNDING = 1e-15L;

static real sign_of(real x)
{
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

/* du_n/dP and du_t/dP of one phase, with friction f = phi lambda. */
typedef struct slope {
    real phi, normal, tangent;
} slope;

static slope slope_of(const friction_plane *p, real phi)
{
    return (slope){phi, p->a + p->b * phi, p->b + p->d * phi};
}

/* From u_t = 0 on. */
static slope after_slip(const friction_plane *p, bool *sticks)
{
    *sticks = fabsl(p->b) <= p->mu * p->d;
    if (!*sticks) {
        return slope_of(p, -p->mu * sign_of(p->b));
    }
    slope result = slope_of(p, p->d > 0 ? -p->b / p->d : 0);
    result.tangent = 0;
    if (result.normal < ROUNDING * p->a) { /* one degree of freedom: a d = b^2 */
        result.normal = 0;
    }
    return result;
}

/* The impulse at which slip ends. */
static real slip_end(const friction_plane *p, slope first)
{
    if (p->u_t == 0) {
        return 0;
    }
    return first.tangent * p->u_t < 0 ? -p->u_t / first.tangent : INFINITY;
}

static friction_path path_of(const friction_plane *p, slope first, real at, real end, bool sticks)
{
    if (p->u_t == 0) {
        return sticks || p->mu == 0 ? FRICTION_REST_STICKS : FRICTION_REST_SLIPS;
    }
    return end <= at          ? FRICTION_SLIPS
           : !sticks          ? FRICTION_REVERSES
           : first.normal < 0 ? FRICTION_JAMS
                              : FRICTION_STOPS;
}

/* P and the work of the compression; the opening speed. */
typedef struct normal_course {
    real compression, work, end, opening;
} normal_course;

static normal_course along(const friction_plane *p, slope first, slope second, real at)
{
    normal_course n = {0};
    real c_at = p->c0 - first.normal * at; /* -infinity without an end of the slip */
    if (first.normal > 0 && p->c0 <= first.normal * at) {
        n.compression = p->c0 / first.normal;
        n.work = p->c0 * n.compression / 2;
        n.end = (1 + p->e) * n.compression;
        n.opening = p->e * p->c0;
        if (n.end > at) {
            real r = -c_at, g = p->e * p->e * n.work - r * r / (2 * first.normal);
            n.opening = sqrtl(r * r + 2 * second.normal * g);
            n.end = at + (r + n.opening > 0 ? 2 * g / (r + n.opening) : 0);
        }
        return n;
    }
    n.work = (p->c0 + c_at) * at / 2 + c_at * c_at / (2 * second.normal);
    n.compression = at + c_at / second.normal;
    n.opening = p->e * sqrtl(2 * second.normal * n.work);
    n.end = n.compression + p->e * sqrtl(2 * n.work / second.normal);
    return n;
}

friction_closed friction_closed_plane(friction_plane p)
{
    friction_closed out = {0};
    bool sticks;
    slope first = slope_of(&p, -p.mu * sign_of(p.u_t)), second = after_slip(&p, &sticks);
    real at = slip_end(&p, first), first_loss = p.mu * fabsl(p.u_t) * at / 2;
    if (second.normal == 0 && sticks && at < INFINITY) { /* u_n ends with u_t */
        out.locked = true;
        out.path = FRICTION_STOPS;
        out.impulse = out.tangential[0] = INFINITY;
        out.loss_tangential = first_loss;
        out.held = p.c0 * at / 2;
        return out;
    }
    normal_course n = along(&p, first, second, at);
    out.path = path_of(&p, first, at, n.end, sticks);
    out.in_expansion = at > n.compression && at < n.end;
    out.impulse = n.end;
    out.u_n = n.opening;
    out.loss_normal = (1 - p.e * p.e) * n.work;
    out.conditioning = n.end > at ? p.a / second.normal : 1;
    if (n.end <= at) {
        out.u_t[0] = p.u_t + first.tangent * n.end;
        out.tangential[0] = first.phi * n.end;
        out.loss_tangential = p.mu * n.end * fabsl(p.u_t + out.u_t[0]) / 2;
        return out;
    }
    out.u_t[0] = second.tangent * (n.end - at);
    out.tangential[0] = first.phi * at + second.phi * (n.end - at);
    out.loss_tangential = first_loss + p.mu * (n.end - at) * fabsl(out.u_t[0]) / 2;
    return out;
}

/* ---- From a system --------------------------------------------------------------------------- */

static friction_closed sphere(const friction_case *c, const real *d, const real *u)
{
    friction_closed out = {.conditioning = 1};
    real a = d[0], across = d[FRICTION_ROWS + 1], slip = hypotl(u[1], u[2]);
    real e = c->restitution[0], mu = c->friction[0], stop = slip / across;
    out.impulse = (1 + e) * -u[0] / a;
    out.u_n = -e * u[0];
    out.loss_normal = (1 - e * e) * u[0] * u[0] / (2 * a);
    bool stops = stop <= mu * out.impulse;
    real friction = stops ? stop : mu * out.impulse;
    out.path = slip == 0 ? FRICTION_REST_STICKS : stops ? FRICTION_STOPS : FRICTION_SLIPS;
    out.in_expansion = stops && stop > -u[0] * mu / a;
    for (int k = 0; slip > 0 && k < 2; k++) {
        out.tangential[k] = -friction * u[1 + k] / slip;
        out.u_t[k] = stops ? 0 : u[1 + k] + across * out.tangential[k];
    }
    out.loss_tangential = friction * (slip + hypotl(out.u_t[0], out.u_t[1])) / 2;
    return out;
}

/* The velocities after: v- + M^-1 (w P + T Q); those of a contact that locks follow from D^+. */
static void add_velocities(const friction_case *c, const real *d, const real *to_velocity,
                           const real *u, friction_closed *out)
{
    real r[3] = {out->impulse, out->tangential[0], out->tangential[1]};
    if (out->locked) { /* any impulse that brings u to 0, say one along w */
        r[0] = -u[0] / d[0];
        r[1] = 0;
    }
    for (size_t i = 0; i < c->n; i++) {
        out->velocity[i] = c->velocity[i];
        for (size_t row = 0; row < 1 + c->dim; row++) {
            out->velocity[i] += to_velocity[row * FRICTION_COORDINATES + i] * r[row];
        }
    }
}

bool friction_closed_solve(const friction_case *c, friction_closed *out)
{
    static const size_t ROW = FRICTION_ROWS;
    real d[FRICTION_ROWS * FRICTION_ROWS], u[FRICTION_ROWS];
    real to_velocity[FRICTION_ROWS * FRICTION_COORDINATES];
    friction_slip(c, c->velocity, u);
    if (c->s != 1 || !friction_delassus(c, d, to_velocity) || !(u[0] < 0)) {
        return false;
    }
    if (c->dim == 2) {
        real couples = fabsl(d[1]) + fabsl(d[2]) + fabsl(d[ROW + 2]);
        if (couples + fabsl(d[ROW + 1] - d[2 * ROW + 2]) > 1e-14L * (d[0] + d[ROW + 1])) {
            return false;
        }
        *out = sphere(c, d, u);
    } else {
        *out = friction_closed_plane((friction_plane){.a = d[0],
                                                      .b = d[1],
                                                      .d = d[ROW + 1],
                                                      .c0 = -u[0],
                                                      .u_t = u[1],
                                                      .e = c->restitution[0],
                                                      .mu = c->friction[0]});
    }
    add_velocities(c, d, to_velocity, u, out);
    return true;
}
