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
                           .rate = scene_gap_rate(s, gap, t),
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

double scene_gap_rate(const scene_system *s, const scene_gap *gap, double t)
{
    if (gap->kind != SCENE_WALL) {
        return 0;
    }
    const scene_wall *wall = &s->wall[gap->second];
    return -wall->speed - wall->amplitude * wall->omega * cos(wall->omega * t + wall->phase);
}

/* ---- Where it closes ------------------------------------------------------------------------- */

/* Both parties at the place: arms from their centres, up to a stretch along the normal, which no
 * lever feels.
 */
typedef struct meeting {
    double normal[3]; /* from the first to the second */
    double arm[2][3];
    double point[3];
} meeting;

static void set_arm(const scene_system *s, const scene_point *at, size_t body, const double *q,
                    double arm[3])
{
    scene_point centre = scene_point_at(s, body, 0, q, NULL);
    for (unsigned d = 0; d < 3; d++) {
        arm[d] = at->x[d] - centre.x[d];
    }
}

/* A round body and a point of the other, which is the nearest. */
static meeting meet_points(const scene_system *s, const scene_gap *gap, double along,
                           const double *q)
{
    meeting m = {0};
    scene_point a = scene_point_at(s, gap->first, along, q, NULL);
    scene_point b = scene_point_at(s, gap->second, 0, q, NULL);
    double distance = apart(s, &a, &b, m.normal);
    set_arm(s, &a, gap->first, q, m.arm[0]);
    double thickness = s->body[gap->first].radius;
    for (unsigned d = 0; d < 3; d++) {
        m.point[d] = a.x[d] + (thickness + 0.5 * (distance - gap->reach)) * m.normal[d];
    }
    return m;
}

static meeting meet_side(const scene_system *s, const scene_gap *gap, const double *q)
{
    scene_point rod = scene_point_at(s, gap->first, 0, q, NULL);
    scene_point round = scene_point_at(s, gap->second, 0, q, NULL);
    beside b = look_beside(s, gap, &rod, &round, q);
    if (b.end != 0) {
        return meet_points(s, gap, b.end, q);
    }
    meeting m = {.normal = {b.side * b.m[0], b.side * b.m[1], 0}};
    double thickness = s->body[gap->first].radius, half = 0.5 * (b.side * b.across - gap->reach);
    for (unsigned d = 0; d < 2; d++) {
        m.arm[0][d] = b.along * b.e[d];
        m.point[d] = rod.x[d] + m.arm[0][d] + (thickness + half) * m.normal[d];
    }
    return m;
}

/* The point is on the body: where a wall that swings is does not matter for the gradient. */
static meeting meet_wall(const scene_system *s, const scene_gap *gap, const double *q)
{
    meeting m = {0};
    scene_point at = scene_point_at(s, gap->first, gap->along, q, NULL);
    set_arm(s, &at, gap->first, q, m.arm[0]);
    for (unsigned d = 0; d < s->dimension; d++) {
        m.normal[d] = -s->wall[gap->second].normal[d];
        m.point[d] = at.x[d] + gap->reach * m.normal[d];
    }
    return m;
}

static meeting meet(const scene_system *s, const scene_gap *gap, const double *q)
{
    return gap->kind == SCENE_WALL   ? meet_wall(s, gap, q)
           : gap->kind == SCENE_SIDE ? meet_side(s, gap, q)
                                     : meet_points(s, gap, 0, q);
}

/* ---- Gradients ------------------------------------------------------------------------------- */

static size_t add_share(const scene_system *s, size_t body, const double arm[3], double sign,
                        const double *q, const double normal[3], uint32_t *row, double *w)
{
    const double n[3] = {sign * normal[0], sign * normal[1], sign * normal[2]};
    size_t count = scene_share(s, body, arm, q, n, w);
    for (size_t k = 0; k < count; k++) {
        row[k] = (uint32_t)(s->body[body].velocity + k);
    }
    return count;
}

size_t scene_gap_column(const scene_system *s, const scene_gap *gap, const double *q, uint32_t *row,
                        double *w, scene_contact *contact)
{
    meeting m = meet(s, gap, q);
    if (contact != NULL) {
        memcpy(contact->point, m.point, sizeof m.point);
        memcpy(contact->normal, m.normal, sizeof m.normal);
    }
    if (gap->kind == SCENE_WALL) {
        return add_share(s, gap->first, m.arm[0], -1, q, m.normal, row, w);
    }
    const size_t body[2] = {gap->first, gap->second};
    size_t count = 0;
    for (int k = 0; k < 2; k++) { /* rows ascend */
        int which = (k == 0) == (body[0] < body[1]) ? 0 : 1;
        count += add_share(s, body[which], m.arm[which], which == 0 ? -1 : 1, q, m.normal,
                           row + count, w + count);
    }
    return count;
}

void scene_gap_gradient(const scene_system *s, const scene_gap *gap, const double *q, double *w)
{
    uint32_t row[SCENE_COLUMN_MOST];
    double value[SCENE_COLUMN_MOST];
    size_t count = scene_gap_column(s, gap, q, row, value, NULL);
    memset(w, 0, s->velocities * sizeof *w);
    for (size_t k = 0; k < count; k++) {
        w[row[k]] = value[k];
    }
}

/* ---- Of two parties -------------------------------------------------------------------------- */

static size_t gaps_with_wall(const scene_system *s, size_t i, size_t k, scene_gap *gap)
{
    const scene_body *b = &s->body[i];
    size_t count = b->hold == SCENE_FIXED ? 0 : b->rod ? 2 : 1;
    for (size_t end = 0; end < count; end++) {
        gap[end] = (scene_gap){.kind = SCENE_WALL,
                               .first = i,
                               .second = k,
                               .along = end == 0 ? -b->half : b->half,
                               .reach = b->radius};
    }
    return count;
}

size_t scene_pair_gaps(const scene_system *s, size_t first, size_t second,
                       scene_gap gap[SCENE_GAPS_MOST])
{
    if (second >= s->bodies) {
        return gaps_with_wall(s, first, second - s->bodies, gap);
    }
    const scene_body *a = &s->body[first], *b = &s->body[second];
    if (a->hold == SCENE_FIXED && b->hold == SCENE_FIXED) {
        return 0;
    }
    gap[0] = (scene_gap){.kind = a->rod || b->rod ? SCENE_SIDE : SCENE_CENTRES,
                         .first = b->rod ? second : first,
                         .second = b->rod ? first : second,
                         .reach = a->radius + b->radius};
    return 1;
}
