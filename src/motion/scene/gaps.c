/* Gaps, with all that the engine asks of them.
 *
 * Two points a and b, r = b - a, l = |r|, n = r/l: g = l - reach, u = n.r', and with n' =
 * (r' - n (n.r')) / l
 *     u' = n.r'' + (|r'|^2 - (n.r')^2) / l.
 *
 * A rod with centre c and a round body at b that is beside it, r = b - c, e along the rod and m
 * across it, o the side (+1 or -1): g = o m.r - reach. With m' = -a' e, e' = a' m
 *     u  = o (m.r' - a' e.r)
 *     u' = o (m.r'' - a'' e.r - 2 a' e.r' - a'^2 m.r).
 * Beyond an end of the rod, e.r outside of [-half, half], the end is a point as above; g and u are
 * continuous there, u' is not.
 *
 * A point at x and a wall with unit normal N: g = N.x - offset - speed t - A sin(omega t + phase) -
 * reach, u' = N.x'' + A omega^2 sin(omega t + phase).
 *
 * Accelerations contain J v', which is not for the bias, and J'v, which is.
 */
#include <math.h>
#include <string.h>

#include "motion/scene/scene.h"

/* ---- Two points ------------------------------------------------------------------------------ */

static double apart(const scene_system *s, const scene_point *a, const scene_point *b, double n[3])
{
    double square = 0;
    for (unsigned d = 0; d < s->dimension; d++) {
        n[d] = b->x[d] - a->x[d];
        square += n[d] * n[d];
    }
    double distance = sqrt(square);
    for (unsigned d = 0; d < s->dimension && distance > 0; d++) {
        n[d] /= distance;
    }
    return distance;
}

static scene_measure measure_points(const scene_system *s, const scene_point *a,
                                    const scene_point *b, double reach)
{
    double n[3], total = 0, along = 0, rest = 0;
    double distance = apart(s, a, b, n);
    for (unsigned d = 0; d < s->dimension; d++) {
        double w = b->v[d] - a->v[d];
        total += w * w;
        along += n[d] * w;
        rest += n[d] * (b->a[d] - a->a[d]);
    }
    double across = distance > 0 ? fmax(0, total - along * along) / distance : 0;
    return (scene_measure){.gap = distance - reach, .bias = rest + across};
}

static void push_apart(const scene_system *s, size_t first, double along, size_t second,
                       const double *q, double *w)
{
    double n[3];
    scene_point a = scene_point_at(s, first, along, q, NULL);
    scene_point b = scene_point_at(s, second, 0, q, NULL);
    apart(s, &a, &b, n);
    scene_push(s, second, 0, q, n, w);
    for (unsigned d = 0; d < s->dimension; d++) {
        n[d] = -n[d];
    }
    scene_push(s, first, along, q, n, w);
}

/* ---- Beside a rod ---------------------------------------------------------------------------- */

/* The round body as the rod sees it. */
typedef struct beside {
    double e[2], m[2];
    double along, across; /* e.r, m.r */
    double side;          /* o */
    double end;           /* the end that is nearest, if that is nearer than the side; else 0 */
} beside;

static beside look_beside(const scene_system *s, const scene_gap *gap, const scene_point *rod,
                          const scene_point *round, const double *q)
{
    double angle = scene_angle(s, gap->first, q), half = s->body[gap->first].half;
    double r[2] = {round->x[0] - rod->x[0], round->x[1] - rod->x[1]};
    beside b = {.e = {cos(angle), sin(angle)}, .m = {-sin(angle), cos(angle)}};
    b.along = crm_dot(b.e, r, 2);
    b.across = crm_dot(b.m, r, 2);
    b.side = b.across < 0 ? -1 : 1;
    b.end = fabs(b.along) <= half ? 0 : copysign(half, b.along);
    return b;
}

static scene_measure measure_side(const scene_system *s, const scene_gap *gap, const double *q,
                                  const double *v)
{
    scene_point rod = scene_point_at(s, gap->first, 0, q, v);
    scene_point round = scene_point_at(s, gap->second, 0, q, v);
    beside b = look_beside(s, gap, &rod, &round, q);
    if (b.end != 0) {
        scene_point end = scene_point_at(s, gap->first, b.end, q, v);
        return measure_points(s, &end, &round, gap->reach);
    }
    double spin = scene_spin(s, gap->first, v), sliding = 0, rest = 0;
    for (unsigned d = 0; d < 2; d++) {
        sliding += b.e[d] * (round.v[d] - rod.v[d]);
        rest += b.m[d] * (round.a[d] - rod.a[d]);
    }
    return (scene_measure){.gap = b.side * b.across - gap->reach,
                           .bias = b.side * (rest - 2 * spin * sliding - spin * spin * b.across)};
}

static void push_side(const scene_system *s, const scene_gap *gap, const double *q, double *w)
{
    scene_point rod = scene_point_at(s, gap->first, 0, q, NULL);
    scene_point round = scene_point_at(s, gap->second, 0, q, NULL);
    beside b = look_beside(s, gap, &rod, &round, q);
    if (b.end != 0) {
        push_apart(s, gap->first, b.end, gap->second, q, w);
        return;
    }
    double n[3] = {b.side * b.m[0], b.side * b.m[1], 0};
    scene_push(s, gap->second, 0, q, n, w);
    n[0] = -n[0];
    n[1] = -n[1];
    /* At `along` of the axis, the lever of -o m is -o e.r. */
    scene_push(s, gap->first, b.along, q, n, w);
}

/* ---- Walls ----------------------------------------------------------------------------------- */

static scene_measure measure_wall(const scene_system *s, const scene_gap *gap, double t,
                                  const double *q, const double *v)
{
    const scene_wall *wall = &s->wall[gap->second];
    scene_point p = scene_point_at(s, gap->first, gap->along, q, v);
    double phase = wall->omega * t + wall->phase;
    double swing = wall->amplitude * sin(phase);
    double place = wall->offset + wall->speed * t + swing;
    return (scene_measure){.gap = crm_dot(wall->normal, p.x, s->dimension) - place - gap->reach,
                           .rate = -wall->speed - wall->amplitude * wall->omega * cos(phase),
                           .bias = crm_dot(wall->normal, p.a, s->dimension) +
                                   wall->omega * wall->omega * swing};
}

/* ---- Together -------------------------------------------------------------------------------- */

scene_measure scene_measure_gap(const scene_system *s, const scene_gap *gap, double t,
                                const double *q, const double *v)
{
    if (gap->kind == SCENE_WALL) {
        return measure_wall(s, gap, t, q, v);
    }
    if (gap->kind == SCENE_SIDE) {
        return measure_side(s, gap, q, v);
    }
    scene_point a = scene_point_at(s, gap->first, 0, q, v);
    scene_point b = scene_point_at(s, gap->second, 0, q, v);
    return measure_points(s, &a, &b, gap->reach);
}

void scene_gap_gradient(const scene_system *s, const scene_gap *gap, const double *q, double *w)
{
    memset(w, 0, s->coordinates * sizeof *w);
    if (gap->kind == SCENE_WALL) {
        scene_push(s, gap->first, gap->along, q, s->wall[gap->second].normal, w);
    } else if (gap->kind == SCENE_SIDE) {
        push_side(s, gap, q, w);
    } else {
        push_apart(s, gap->first, 0, gap->second, q, w);
    }
}
