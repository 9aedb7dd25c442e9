/* Whether two solids are apart, by their support functions alone: it uses neither features nor
 * nearest points, so that it can check those.
 *
 * Any direction n with s(n) >= 0 shows that they are apart. First the line between the centres and
 * the normals of faces are tried, which is enough in most cases; then s is increased from the best
 * of them, with steps that are halved, and at last from the best of many directions. In the plane
 * the slope of s, which the points of the support functions give, tells the direction of ascent; in
 * space steps along two tangents are tried. Halving also converges where the slope of s jumps, at a
 * corner.
 */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "model/shape/shape.h"

/* Steps of the ascent, in radians: the error of s where its slope jumps, relative to the size. */
static const double STEP_FIRST = 0.3, STEP_LEAST = 1e-13;
enum { MANY_IN_PLANE = 64, MANY_IN_SPACE = 200, ASCENT_ROUNDS = 400 };

/* The best direction so far. */
typedef struct trial {
    const crm_solid *a, *b;
    double best, n[3];
} trial;

static double separation_and_slope(const crm_solid *a, const crm_solid *b, const double n[3],
                                   double slope[3])
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    double p[3], q[3];
    double separation = -crm_solid_support(a, n, p) - crm_solid_support(b, back, q);
    for (int d = 0; d < 3; d++) {
        slope[d] = b->centre[d] - a->centre[d] + q[d] - p[d];
        separation += n[d] * (b->centre[d] - a->centre[d]);
    }
    return separation - a->radius - b->radius;
}

double crm_separation_along(const crm_solid *a, const crm_solid *b, const double n[3])
{
    double slope[3];
    return separation_and_slope(a, b, n, slope);
}

static double try_direction(trial *t, const double n[3])
{
    double s = crm_separation_along(t->a, t->b, n);
    if (s > t->best) {
        t->best = s;
        memcpy(t->n, n, sizeof t->n);
    }
    return s;
}

static void turn_by(const double n[3], double angle, double turned[3])
{
    double cosine = crm_cos(angle), sine = crm_sin(angle);
    turned[0] = cosine * n[0] - sine * n[1];
    turned[1] = sine * n[0] + cosine * n[1];
    turned[2] = 0;
}

/* The direction along the circle in which s rises. */
static double ascent_direction(const trial *t, const double n[3])
{
    double slope[3];
    separation_and_slope(t->a, t->b, n, slope);
    return n[0] * slope[1] - n[1] * slope[0] > 0 ? 1 : -1;
}

static void ascend_in_plane(trial *t, double enough)
{
    double n[3], next[3], up = ascent_direction(t, t->n);
    memcpy(n, t->n, sizeof n);
    double step = STEP_FIRST;
    for (int k = 0; k < ASCENT_ROUNDS && step > STEP_LEAST && t->best < enough; k++) {
        turn_by(n, up * step, next);
        try_direction(t, next);
        if (ascent_direction(t, next) == up) {
            memcpy(n, next, sizeof n);
        } else {
            step *= 0.5;
        }
    }
}

static void ascend_in_space(trial *t, double enough)
{
    double step = STEP_FIRST;
    for (int k = 0; k < ASCENT_ROUNDS && step > STEP_LEAST && t->best < enough; k++) {
        double tangent[2][3], before = t->best;
        crm_solid_tangents(3, t->n, tangent);
        for (int i = 0; i < 4 && t->best == before; i++) {
            double n[3], length = crm_hypot(1, step);
            for (int d = 0; d < 3; d++) {
                n[d] = (t->n[d] + (i % 2 == 0 ? step : -step) * tangent[i / 2][d]) / length;
            }
            try_direction(t, n);
        }
        step *= t->best > before ? 1 : 0.5;
    }
}

static void ascend(trial *t, double enough)
{
    if (t->a->dimension == 3) {
        ascend_in_space(t, enough);
    } else {
        ascend_in_plane(t, enough);
    }
}

static void try_faces(trial *t, const crm_solid *of, double enough)
{
    for (int k = 0; k < 4 && crm_solid_corners(of) > 1 && t->best < enough; k++) {
        double sign = k % 2 == 0 ? 1 : -1, n[3];
        for (int d = 0; d < 3; d++) {
            n[d] = sign * of->axis[k / 2][d];
        }
        try_direction(t, n);
    }
}

/* Over the circle; over the sphere on a spiral. */
static void try_many(trial *t, double enough)
{
    static const double CIRCLE = 6.28318530717958647692, GOLDEN = 2.39996322972865332;
    int many = t->a->dimension == 3 ? MANY_IN_SPACE : MANY_IN_PLANE;
    for (int k = 0; k < many && t->best < enough; k++) {
        bool space = t->a->dimension == 3;
        double z = space ? 1 - (2 * k + 1.0) / many : 0, r = sqrt(1 - z * z);
        double angle = space ? GOLDEN * k : CIRCLE * k / many;
        const double n[3] = {r * crm_cos(angle), r * crm_sin(angle), z};
        try_direction(t, n);
    }
}

double crm_separation_find(const crm_solid *a, const crm_solid *b, double enough, double n[3])
{
    trial t = {.a = a, .b = b, .best = -INFINITY};
    double d[3], square = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = b->centre[k] - a->centre[k];
        square += d[k] * d[k];
    }
    double length = sqrt(square);
    if (crm_dot3(n, n) > 0) {
        try_direction(&t, n);
    }
    if (t.best < enough) {
        const double between[3] = {length > 0 ? d[0] / length : 1, length > 0 ? d[1] / length : 0,
                                   length > 0 ? d[2] / length : 0};
        try_direction(&t, between);
    }
    bool spheres = !a->oval && !b->oval && crm_solid_corners(a) < 2 && crm_solid_corners(b) < 2;
    if (t.best < enough && !spheres) {
        try_faces(&t, a, enough);
        try_faces(&t, b, enough);
        ascend(&t, enough);
        if (t.best < enough) {
            try_many(&t, enough);
            ascend(&t, enough);
        }
    }
    memcpy(n, t.n, sizeof t.n);
    return t.best;
}
