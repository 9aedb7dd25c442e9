/* One corner against a box, in the plane.
 *
 * In the axes of the box the corner is over a face, or beyond two of them, where the box's own
 * corner is nearest. That gives the distance. It is no suitable gap for boxes without thickness,
 * whose corners have no normal: when a box slides on another, its corners pass the other's at
 * distance 0. So where the whole body with the corner is on the outer side of a face, that face is
 * replaced by a rod of some radius that lies under it: over the face nothing changes, and beyond
 * its ends the rod's round end replaces the corner, below the line of the face. The gap is 0 where
 * the corner is on the face, and only there, and its gradient does not jump at the end of the face.
 * (Beyond the end it is less than the distance, by no more than the radius.)
 *
 * The two sides of a segment without thickness are such faces, too; the side is that of the whole
 * body, so that an end which has passed through counts as being on the wrong side.
 */
#include <math.h>
#include <string.h>

#include "model/shape/shape.h"

/* A body counts as on the outer side of a face up to an overlap of this part of both sizes, for
 * rounding and a tolerance of 1e-9 of a resting body.
 */
static const double BEHIND = 1e-8;
/* Radius of the round ends, as a part of the size of the box. */
static const double ROUND = 0.05;

/* A face of the box. */
typedef struct flat {
    double out[3];   /* normal of the face */
    double along[3]; /* along it */
    double half;     /* its half length */
    double height;   /* from the centre */
} flat;

static flat face_of(const crm_solid *box, int k, double sign)
{
    flat f = {.half = box->half[1 - k], .height = box->half[k]};
    for (int d = 0; d < 3; d++) {
        f.out[d] = sign * box->axis[k][d];
        f.along[d] = box->axis[1 - k][d];
    }
    return f;
}

/* ---- Meetings, from the box to the corner ---------------------------------------------------- */

static crm_nearest_points over_face(const flat *f, const double r[3], const double arm[3])
{
    crm_nearest_points points = {.face = 0};
    points.apart = crm_dot3(f->out, r) - f->height;
    memcpy(points.n, f->out, sizeof points.n);
    memcpy(points.p[1], arm, sizeof points.p[1]);
    for (int d = 0; d < 3; d++) {
        points.p[0][d] = r[d] - points.apart * f->out[d];
    }
    return points;
}

/* `own`: the point of the box, from its centre; `radius` is around it. */
static crm_nearest_points from_point(const double own[3], double radius, const double r[3],
                                     const double arm[3])
{
    crm_nearest_points points = {.face = -1};
    double square = 0;
    for (int d = 0; d < 3; d++) {
        points.n[d] = r[d] - own[d];
        square += points.n[d] * points.n[d];
    }
    double distance = sqrt(square);
    for (int d = 0; d < 3 && distance > 0; d++) {
        points.n[d] /= distance;
    }
    memcpy(points.p[0], own, sizeof points.p[0]);
    memcpy(points.p[1], arm, sizeof points.p[1]);
    points.apart = distance;
    points.round[0] = radius;
    return points;
}

static flat face_numbered(const crm_solid *box, unsigned face)
{
    return face_of(box, (int)(face / 2), face % 2 != 0 ? 1 : -1);
}

/* The round end of the rod under a face. */
static crm_nearest_points from_end(const crm_solid *box, unsigned end, const double r[3],
                                   const double arm[3])
{
    flat f = face_numbered(box, end / 2);
    double radius = ROUND * crm_solid_reach(box), own[3];
    for (int d = 0; d < 3; d++) {
        own[d] = (end % 2 != 0 ? f.half : -f.half) * f.along[d] + (f.height - radius) * f.out[d];
    }
    return from_point(own, radius, r, arm);
}

static void find_place(const crm_solid *body, const double arm[3], const crm_solid *box,
                       double r[3])
{
    for (int d = 0; d < 3; d++) {
        r[d] = body->centre[d] - box->centre[d] + arm[d];
    }
}

crm_nearest_points crm_corner_nearest_points(const crm_solid *body, const double arm[3],
                                             const crm_solid *box, unsigned feature, bool first)
{
    double r[3], own[3];
    crm_nearest_points points;
    find_place(body, arm, box, r);
    if (feature >= CRM_FEATURE_END) {
        points = from_end(box, feature - CRM_FEATURE_END, r, arm);
    } else if (feature >= CRM_FEATURE_CORNER) {
        crm_solid_corner(box, feature - CRM_FEATURE_CORNER, own);
        points = from_point(own, 0, r, arm);
    } else {
        flat f = face_numbered(box, feature - CRM_FEATURE_FACE);
        points = over_face(&f, r, arm);
    }
    return first ? crm_gap_exchange(points) : points;
}

/* ---- Which ----------------------------------------------------------------------------------- */

unsigned crm_corner_nearest(const crm_solid *body, const double arm[3], const crm_solid *box)
{
    double r[3], along[2], beyond[2];
    find_place(body, arm, box, r);
    for (int k = 0; k < 2; k++) {
        along[k] = crm_dot3(box->axis[k], r);
        beyond[k] = fabs(along[k]) - box->half[k];
    }
    bool thin = box->half[1] == 0;
    unsigned side[2] = {signbit(along[0]) ? 0 : 1, signbit(along[1]) ? 0 : 1};
    if (beyond[0] > 0 && (beyond[1] > 0 || thin)) {
        return CRM_FEATURE_CORNER + side[0] + 2 * side[1];
    }
    unsigned k = thin || beyond[1] > beyond[0] ? 1 : 0;
    return CRM_FEATURE_FACE + 2 * k + side[k];
}

double crm_corner_slack(const crm_solid *first, const crm_solid *second)
{
    return BEHIND * (crm_solid_reach(first) + crm_solid_reach(second));
}

/* The separation of a face and the whole body. */
static double room_beyond(const crm_solid *box, const crm_solid *body, unsigned face)
{
    flat f = face_numbered(box, face);
    double d[3], p[3];
    const double back[3] = {-f.out[0], -f.out[1], -f.out[2]};
    for (int i = 0; i < 3; i++) {
        d[i] = body->centre[i] - box->centre[i];
    }
    return crm_dot3(f.out, d) - f.height - crm_solid_support(body, back, p);
}

bool crm_corner_beyond(const crm_solid *box, const crm_solid *body, unsigned face)
{
    return room_beyond(box, body, face) >= -crm_corner_slack(box, body);
}

/* The face with the largest separation from the whole body. */
static unsigned outer_face(const crm_solid *box, const crm_solid *body)
{
    unsigned best = 0;
    for (unsigned face = 1; face < 4; face++) {
        best = room_beyond(box, body, face) > room_beyond(box, body, best) ? face : best;
    }
    return best;
}

unsigned crm_corner_feature(const crm_solid *body, const double arm[3], const crm_solid *box)
{
    bool thick = body->radius + box->radius > 0;
    unsigned face = thick ? 0 : outer_face(box, body);
    if (thick || !crm_corner_beyond(box, body, face)) {
        return crm_corner_nearest(body, arm, box);
    }
    double r[3];
    find_place(body, arm, box, r);
    flat f = face_numbered(box, face);
    double along = crm_dot3(f.along, r);
    return fabs(along) <= f.half ? CRM_FEATURE_FACE + face
                                 : CRM_FEATURE_END + 2 * face + (along > 0 ? 1 : 0);
}
