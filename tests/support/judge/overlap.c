/* With the support function h(n) = max n.x over a body, two bodies are apart by the largest of
 *
 *     s(n) = n.(x_2 - x_1) - h_1(n) - h_2(-n)
 *
 * over all unit n, and overlap by the largest -s if that is below 0. One n with s(n) >= 0 shows
 * that they do not. The largest is looked for among many directions, and around the best of them by
 * steps along two tangents that are halved when none of them rises.
 */
#include "overlap.h"

#include <math.h>
#include <stdlib.h>

#include "support.h"

static const double PI = 3.14159265358979323846;
/* No step below this is worth while: s changes by less than rounding. */
static const double STEP_LEAST = 1e-15;
enum { DIRECTIONS_PLANE = 48, DIRECTIONS_SPACE = 200 };

typedef struct figure {
    const crm_body_def *body;
    double centre[3];
    double axis[3][3]; /* of the body, in space */
    double reach;      /* of the sphere around it */
} figure;

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A rod may have none. */
static double thickness(const crm_body_def *b)
{
    return isnan(b->radius) ? 0 : b->radius;
}

static double support(const figure *f, const double *n)
{
    const crm_body_def *b = f->body;
    double along = dot(f->axis[0], n), across = dot(f->axis[1], n), up = dot(f->axis[2], n);
    switch (b->shape) {
    case CRM_SHAPE_SPHERE:
        return b->radius;
    case CRM_SHAPE_ROD:
        return 0.5 * b->length * fabs(along) + thickness(b);
    case CRM_SHAPE_BOX:
        return 0.5 * (b->size[0] * fabs(along) + b->size[1] * fabs(across));
    case CRM_SHAPE_ELLIPSE:
        return hypot(b->semi_axes[0] * along, b->semi_axes[1] * across);
    default:
        return sqrt(pow(b->semi_axes[0] * along, 2) + pow(b->semi_axes[1] * across, 2) +
                    pow(b->semi_axes[2] * up, 2));
    }
}

static double reach_of(const crm_body_def *b)
{
    switch (b->shape) {
    case CRM_SHAPE_SPHERE:
        return b->radius;
    case CRM_SHAPE_ROD:
        return 0.5 * b->length + thickness(b);
    case CRM_SHAPE_BOX:
        return 0.5 * hypot(b->size[0], b->size[1]);
    case CRM_SHAPE_ELLIPSE:
        return fmax(b->semi_axes[0], b->semi_axes[1]);
    default:
        return fmax(fmax(b->semi_axes[0], b->semi_axes[1]), b->semi_axes[2]);
    }
}

/* ---- Where bodies are ------------------------------------------------------------------------ */

static void turn(figure *f, double angle)
{
    const double axis[3][3] = {
        {cos(angle), sin(angle), 0}, {-sin(angle), cos(angle), 0}, {0, 0, 1}};
    for (int k = 0; k < 9; k++) {
        f->axis[k / 3][k % 3] = axis[k / 3][k % 3];
    }
}

/* Columns of the rotation by a quaternion. */
static void orient(figure *f, const double *q)
{
    double s = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            int rest = 3 - i - k;
            double sign = (k - i + 3) % 3 == 1 ? 1 : -1;
            f->axis[i][k] = i == k ? 1 - s * (dot(q + 1, q + 1) - q[1 + i] * q[1 + i])
                                   : s * (q[1 + i] * q[1 + k] + sign * q[0] * q[1 + rest]);
        }
    }
}

static void hang(figure *f, const crm_scene_def *def, const crm_suspension *string, double angle)
{
    double g = hypot(def->gravity[0], def->gravity[1]);
    double down[2] = {g > 0 ? def->gravity[0] / g : 0, g > 0 ? def->gravity[1] / g : -1};
    f->centre[0] = string->from[0] + string->length * (cos(angle) * down[0] - sin(angle) * down[1]);
    f->centre[1] = string->from[1] + string->length * (cos(angle) * down[1] + sin(angle) * down[0]);
}

static const crm_suspension *string_of(const crm_scene_def *def, size_t body)
{
    for (size_t k = 0; k < def->suspended_count; k++) {
        if (def->suspended[k].body == body) {
            return &def->suspended[k];
        }
    }
    return NULL;
}

/* Returns what follows the body's own positions. */
static const double *place(figure *f, const crm_scene_def *def, size_t body, const double *q)
{
    const crm_body_def *b = &def->bodies.bodies[body];
    const crm_suspension *string = string_of(def, body);
    *f = (figure){.body = b, .reach = reach_of(b)};
    turn(f, 0);
    if (string != NULL) {
        hang(f, def, string, *q);
        return q + 1;
    }
    const double *x = b->fixed ? b->position : q;
    for (unsigned d = 0; d < def->bodies.dimension; d++) {
        f->centre[d] = x[d];
    }
    q += b->fixed ? 0 : def->bodies.dimension;
    if (b->shape == CRM_SHAPE_ELLIPSOID) {
        orient(f, b->fixed ? b->orientation : q);
        return q + (b->fixed ? 0 : 4);
    }
    if (b->shape != CRM_SHAPE_SPHERE) {
        turn(f, b->fixed ? b->angle : *q);
        return q + (b->fixed ? 0 : 1);
    }
    return q;
}

/* ---- Two bodies ------------------------------------------------------------------------------ */

static double room(const figure *a, const figure *b, const double *n)
{
    const double d[3] = {b->centre[0] - a->centre[0], b->centre[1] - a->centre[1],
                         b->centre[2] - a->centre[2]};
    const double back[3] = {-n[0], -n[1], -n[2]};
    return dot(n, d) - support(a, n) - support(b, back);
}

static void direction(unsigned dimension, int k, double *n)
{
    if (dimension < 3) {
        n[0] = cos(2 * PI * k / DIRECTIONS_PLANE);
        n[1] = sin(2 * PI * k / DIRECTIONS_PLANE);
        n[2] = 0;
        return;
    }
    double z = 1 - (2 * k + 1.0) / DIRECTIONS_SPACE, angle = 2.399963229728653 * k;
    n[0] = sqrt(1 - z * z) * cos(angle);
    n[1] = sqrt(1 - z * z) * sin(angle);
    n[2] = z;
}

static void tangents(const double *n, double t[2][3])
{
    const double in_plane[3] = {-n[1], n[0], 0};
    int least = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2)
                                        : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
    double length = sqrt(1 - n[least] * n[least]);
    for (int d = 0; d < 3; d++) {
        t[0][d] = n[2] == 0 ? in_plane[d] : ((d == least ? 1 : 0) - n[least] * n[d]) / length;
    }
    t[1][0] = n[1] * t[0][2] - n[2] * t[0][1];
    t[1][1] = n[2] * t[0][0] - n[0] * t[0][2];
    t[1][2] = n[0] * t[0][1] - n[1] * t[0][0];
}

/* One round of steps around n; whether one of them rose. */
static bool rise(const figure *a, const figure *b, unsigned dimension, double step, double *n,
                 double *best)
{
    double t[2][3];
    tangents(n, t);
    for (unsigned k = 0; k < 2 * (dimension - 1); k++) {
        double m[3], length;
        for (int d = 0; d < 3; d++) {
            m[d] = n[d] + (k % 2 == 0 ? step : -step) * t[k / 2][d];
        }
        length = sqrt(dot(m, m));
        for (int d = 0; d < 3; d++) {
            m[d] /= length;
        }
        double s = room(a, b, m);
        if (s > *best) {
            *best = s;
            for (int d = 0; d < 3; d++) {
                n[d] = m[d];
            }
            return true;
        }
    }
    return false;
}

/* 0: they are apart. */
static double depth_of(const figure *a, const figure *b, unsigned dimension)
{
    double d[3], n[3], best = -INFINITY, start[3];
    for (int k = 0; k < 3; k++) {
        d[k] = b->centre[k] - a->centre[k];
    }
    if (sqrt(dot(d, d)) >= a->reach + b->reach) {
        return 0;
    }
    int count = dimension < 3 ? DIRECTIONS_PLANE : DIRECTIONS_SPACE;
    for (int k = 0; k < count && best < 0; k++) {
        direction(dimension, k, start);
        double s = room(a, b, start);
        for (int i = 0; i < 3 && s > best; i++) {
            n[i] = start[i];
        }
        best = fmax(best, s);
    }
    for (double step = 4 * PI / count; step > STEP_LEAST && best < 0;) {
        step *= rise(a, b, dimension, step, n, &best) ? 1 : 0.5;
    }
    return fmax(0, -best);
}

/* ---- A wall ---------------------------------------------------------------------------------- */

static double depth_in_wall(const figure *f, const crm_scene_def *def, size_t wall, double t)
{
    const crm_wall_def *w = &def->bodies.walls[wall];
    double n[3] = {0}, back[3] = {0}, height = 0, length = 0;
    for (unsigned d = 0; d < def->bodies.dimension; d++) {
        length = hypot(length, w->normal[d]);
    }
    for (unsigned d = 0; d < def->bodies.dimension; d++) {
        n[d] = w->normal[d] / length;
        back[d] = -n[d];
        height += n[d] * (f->centre[d] - w->point[d] - w->velocity[d] * t);
    }
    if (def->wall_motion != NULL) {
        const crm_wall_motion *m = &def->wall_motion[wall];
        height -= m->amplitude * sin(2 * PI * m->frequency * t + m->phase);
    }
    return fmax(0, support(f, back) - height);
}

/* ---- Together -------------------------------------------------------------------------------- */

overlap overlap_in_scene(const crm_scene_def *def, double t, const double *q)
{
    size_t bodies = def->bodies.body_count;
    figure *all = calloc(bodies, sizeof *all);
    overlap worst = {0};
    for (size_t i = 0; all != NULL && i < bodies; i++) {
        q = place(&all[i], def, i, q);
        for (size_t k = 0; k < i + def->bodies.wall_count; k++) {
            bool wall = k >= i;
            if (all[i].body->fixed && (wall || all[k].body->fixed)) {
                continue;
            }
            double depth = wall ? depth_in_wall(&all[i], def, k - i, t)
                                : depth_of(&all[k], &all[i], def->bodies.dimension);
            if (depth > worst.depth) {
                worst = (overlap){depth, wall ? i : k, wall ? bodies + k - i : i};
            }
        }
    }
    if (all == NULL) {
        worst.depth = NAN;
    }
    free(all);
    return worst;
}
