/* The direction of largest separation of two cores, at least one of them curved.
 *
 * s is concave along rays, so that where it is positive it has one maximum on the unit sphere, and
 * ascending steps find it. The first direction is that of two ellipsoids scaled about their centres
 * until they touch (Perram and Wertheim 1985): with C = (1 - l) A_1^2 + l A_2^2 and n = C^-1 d,
 *
 *     s(n) >= Q - sqrt(Q / (l (1 - l))),   Q = n.d,
 *
 * for (1 - l) h_1^2 + l h_2^2 = Q, by Cauchy and Schwarz. So s(n) > 0 for every l with l (1 - l) Q
 * > 1, and the largest of these, at (1 - l) h_1 = l h_2, is above 1 if and only if the ellipsoids
 * are apart: the ascent begins where s is positive. Where they touch, n is the solution, so that it
 * is close to it when they overlap a little. A point has A = 0, and n = A_1^-2 d.
 *
 * Steps are Newton's, with -s_nn = H_1 + H_2 + s along the tangents, halved while s does not rise.
 *
 * A box is nearest at a face, or else at a corner; s of the whole box decides which when the two
 * touch or overlap.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "model/shape/shape.h"

enum { CLIMB_STEPS = 200, HALVES = 60, GROWTH_STEPS = 60, POLISH = 3 };
/* Gains of s below this part of its terms are rounding. */
static const double GAIN_LEAST = 16 * DBL_EPSILON;
/* Accuracy of the first direction, in l. */
static const double GROWTH_CLOSE = 1e-4;
/* The part of its predicted gain that a step must achieve, and the longest step, in radians. */
static const double KEPT = 0.1, STEP_MOST = 0.5;

/* Two cores as one problem. */
typedef struct core_pair {
    const crm_solid *solid[2];
    unsigned dimension;
    double d[3]; /* between the centres */
    double size;
} core_pair;

/* ---- The first direction --------------------------------------------------------------------- */

static bool is_point(const crm_solid *s)
{
    return s->half[0] == 0;
}

static void add_square(const crm_solid *s, double part, double c[3][3])
{
    for (int k = 0; k < 3; k++) {
        double square = part * s->half[k] * s->half[k];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                c[i][j] += square * s->axis[k][i] * s->axis[k][j];
            }
        }
    }
}

/* c x = d by Cholesky: c is positive definite, whatever l. */
static void solve(double c[3][3], unsigned n, const double d[3], double x[3])
{
    memcpy(x, d, 3 * sizeof *x);
    for (unsigned k = 0; k < n; k++) {
        for (unsigned i = k + 1; i < n; i++) {
            double part = c[i][k] / c[k][k];
            for (unsigned j = k; j < n; j++) {
                c[i][j] -= part * c[k][j];
            }
            x[i] -= part * x[k];
        }
    }
    for (unsigned k = n; k-- > 0;) {
        for (unsigned j = k + 1; j < n; j++) {
            x[k] -= c[k][j] * x[j];
        }
        x[k] /= c[k][k];
    }
}

static void normalize(double n[3])
{
    double length = sqrt(crm_dot3(n, n));
    for (int d = 0; d < 3; d++) {
        n[d] /= length;
    }
}

/* n for this l, and (1 - l) h_1 - l h_2, which falls with l. */
static double grow(const core_pair *h, double l, double n[3])
{
    double c[3][3] = {{0}}, p[3];
    add_square(h->solid[0], 1 - l, c);
    add_square(h->solid[1], l, c);
    solve(c, h->dimension, h->d, n);
    normalize(n);
    const double back[3] = {-n[0], -n[1], -n[2]};
    return (1 - l) * crm_solid_support(h->solid[0], n, p) -
           l * crm_solid_support(h->solid[1], back, p);
}

static void first_direction(const core_pair *h, double n[3])
{
    if (is_point(h->solid[0]) || is_point(h->solid[1])) {
        grow(h, is_point(h->solid[0]) ? 1 : 0, n);
        return;
    }
    double low = 0, high = 1;
    for (int k = 0; k < GROWTH_STEPS && high - low > GROWTH_CLOSE * fmin(high, 1 - low); k++) {
        double l = 0.5 * (low + high);
        *(grow(h, l, n) > 0 ? &low : &high) = l;
    }
    grow(h, 0.5 * (low + high), n);
}

/* ---- The climb ------------------------------------------------------------------------------- */

/* s and its first and second derivatives along the tangents. */
typedef struct view {
    double s, slope[2], bend[3];
    double t[2][3];
    crm_nearest_points points;
} view;

static double measure(const core_pair *h, const double n[3], crm_nearest_points *points)
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    memcpy(points->n, n, sizeof points->n);
    points->apart = crm_dot3(n, h->d) - crm_solid_support(h->solid[0], n, points->p[0]) -
                    crm_solid_support(h->solid[1], back, points->p[1]);
    points->face = -1;
    return points->apart;
}

static view evaluate(const core_pair *h, const double n[3])
{
    view v = {0};
    const double back[3] = {-n[0], -n[1], -n[2]};
    v.s = measure(h, n, &v.points);
    crm_solid_tangents(h->dimension, n, v.t);
    crm_solid_curve(h->solid[0], n, v.t, v.points.curve[0]);
    /* At -n the tangents have n x t of the other sign, and the curvature has it twice. */
    crm_solid_curve(h->solid[1], back, v.t, v.points.curve[1]);
    for (int k = 0; k < 3; k++) {
        v.bend[k] = v.points.curve[0][k] + v.points.curve[1][k] + (k == 1 ? 0 : v.s);
    }
    for (int i = 0; i < 2; i++) {
        for (int d = 0; d < 3; d++) {
            v.slope[i] += v.t[i][d] * (h->d[d] + v.points.p[1][d] - v.points.p[0][d]);
        }
    }
    return v;
}

/* Newton's step along the tangents; without s where -s_nn is not positive definite. */
static double step_of(const core_pair *h, view *v, double step[2])
{
    bool flat = h->dimension == 2;
    double *bend = v->bend;
    if (flat ? !(bend[0] > 0) : !(bend[0] > 0 && bend[0] * bend[2] > bend[1] * bend[1])) {
        bend[0] -= v->s;
        bend[2] -= v->s;
    }
    if (flat) {
        step[0] = v->slope[0] / bend[0];
        step[1] = 0;
    } else {
        double determinant = bend[0] * bend[2] - bend[1] * bend[1];
        step[0] = (bend[2] * v->slope[0] - bend[1] * v->slope[1]) / determinant;
        step[1] = (bend[0] * v->slope[1] - bend[1] * v->slope[0]) / determinant;
    }
    double length = crm_hypot(step[0], step[1]);
    for (int i = 0; i < 2 && length > STEP_MOST; i++) {
        step[i] *= STEP_MOST / length;
    }
    return v->slope[0] * step[0] + v->slope[1] * step[1];
}

static void move(const view *v, const double step[2], double part, double n[3])
{
    for (int d = 0; d < 3; d++) {
        n[d] = v->points.n[d] + part * (step[0] * v->t[0][d] + step[1] * v->t[1][d]);
    }
    normalize(n);
}

/* Once gains are rounding, steps are judged by the slope. */
static void refine(const core_pair *h, view *v)
{
    for (int k = 0; k < POLISH; k++) {
        double step[2], n[3];
        step_of(h, v, step);
        move(v, step, 1, n);
        view next = evaluate(h, n);
        if (!(crm_hypot(next.slope[0], next.slope[1]) < crm_hypot(v->slope[0], v->slope[1]))) {
            return;
        }
        *v = next;
    }
}

static crm_nearest_points ascend(const core_pair *h)
{
    double n[3];
    first_direction(h, n);
    view v = evaluate(h, n);
    for (int k = 0; k < CLIMB_STEPS; k++) {
        double step[2], part = 1;
        double gain = step_of(h, &v, step);
        if (!(gain > GAIN_LEAST * h->size)) {
            break;
        }
        crm_nearest_points there = {0};
        for (int half = 0; half < HALVES; half++, part *= 0.5) {
            move(&v, step, part, n);
            if (measure(h, n, &there) >= v.s + KEPT * part * gain) {
                break;
            }
        }
        v = evaluate(h, n);
    }
    refine(h, &v);
    return v.points;
}

static core_pair make_core_pair(const crm_solid *first, const crm_solid *second)
{
    core_pair h = {.solid = {first, second}, .dimension = first->dimension};
    for (int d = 0; d < 3; d++) {
        h.d[d] = second->centre[d] - first->centre[d];
        h.size += fabs(h.d[d]);
    }
    if (h.size == 0) { /* equal centres: they overlap in every direction */
        h.d[0] = DBL_MIN;
    }
    h.size += crm_solid_reach(first) + crm_solid_reach(second);
    return h;
}

/* ---- Box and oval ---------------------------------------------------------------------------- */

/* Whether the nearest point is over the face whose outward normal is sign axis[k]. */
static bool over_face(const crm_solid *box, const crm_solid *oval, int k, double sign,
                      crm_nearest_points *points)
{
    double out[3], back[3], r[3];
    for (int d = 0; d < 3; d++) {
        out[d] = sign * box->axis[k][d];
        back[d] = -out[d];
    }
    double t[2][3];
    crm_solid_support(oval, back, points->p[1]);
    for (int d = 0; d < 3; d++) {
        r[d] = oval->centre[d] - box->centre[d] + points->p[1][d];
    }
    points->apart = crm_dot3(out, r) - box->half[k];
    for (int d = 0; d < 3; d++) {
        points->p[0][d] = r[d] - points->apart * out[d];
    }
    memcpy(points->n, out, sizeof out);
    points->face = 0;
    crm_solid_tangents(2, out, t);
    crm_solid_curve(oval, back, t, points->curve[1]);
    return fabs(crm_dot3(box->axis[1 - k], r)) <= box->half[1 - k];
}

static crm_nearest_points at_corner(const crm_solid *box, const crm_solid *oval, size_t corner)
{
    double arm[3];
    crm_solid point = {.dimension = 2};
    crm_solid_corner(box, corner, arm);
    for (int d = 0; d < 3; d++) {
        point.centre[d] = box->centre[d] + arm[d];
    }
    const core_pair h = make_core_pair(&point, oval);
    crm_nearest_points points = ascend(&h);
    memcpy(points.p[0], arm, sizeof arm);
    return points;
}

/* s of the whole box: apart, if n is in the corner's cone, else less. */
static double room(const crm_solid *box, const crm_solid *oval, const double n[3])
{
    const core_pair h = make_core_pair(box, oval);
    crm_nearest_points points;
    return measure(&h, n, &points);
}

/* The face that the oval is over and farthest from; CRM_FEATURE_NONE: over none. A segment has two
 * faces.
 */
static unsigned best_face(const crm_solid *box, const crm_solid *oval, double *apart)
{
    unsigned best = CRM_FEATURE_NONE;
    *apart = -INFINITY;
    for (unsigned face = 0; face < 4; face++) {
        crm_nearest_points points = {0};
        bool flat = box->half[1 - face / 2] > 0;
        if (flat && over_face(box, oval, (int)(face / 2), face % 2 != 0 ? 1 : -1, &points) &&
            points.apart > *apart) {
            *apart = points.apart;
            best = CRM_FEATURE_FACE + face;
        }
    }
    return best;
}

unsigned crm_oval_feature(const crm_solid *box, const crm_solid *oval)
{
    double apart;
    unsigned face = best_face(box, oval, &apart), best = CRM_FEATURE_CORNER;
    if (apart > 0) {
        return face;
    }
    crm_nearest_points nearest = {.apart = INFINITY};
    for (unsigned corner = 0; corner < crm_solid_corners(box); corner++) {
        crm_nearest_points points = at_corner(box, oval, corner);
        if (points.apart < nearest.apart) {
            nearest = points;
            best = CRM_FEATURE_CORNER + corner;
        }
    }
    return room(box, oval, nearest.n) >= apart ? best : face;
}

/* From the box to the oval. */
static crm_nearest_points nearest_to_box(const crm_solid *box, const crm_solid *oval,
                                         unsigned feature)
{
    if (feature >= CRM_FEATURE_CORNER) {
        return at_corner(box, oval, feature - CRM_FEATURE_CORNER);
    }
    crm_nearest_points points = {0};
    unsigned face = feature - CRM_FEATURE_FACE;
    over_face(box, oval, (int)(face / 2), face % 2 != 0 ? 1 : -1, &points);
    return points;
}

crm_nearest_points crm_oval_nearest_points(const crm_solid *first, const crm_solid *second,
                                           unsigned feature)
{
    if (crm_solid_corners(first) > 1) {
        return nearest_to_box(first, second, feature);
    }
    if (crm_solid_corners(second) > 1) {
        return crm_gap_exchange(nearest_to_box(second, first, feature));
    }
    const core_pair h = make_core_pair(first, second);
    return ascend(&h);
}
