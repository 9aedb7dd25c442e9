/* One corner against a box, in the plane.
 *
 * In the axes of the box the corner is over a face or beyond two of them, where the box's own
 * corner is nearest. That is the distance; but for boxes without thickness, whose corners have no
 * normal, it would not do: a box that slides upon another has its corners pass the other's at
 * distance 0. So where the whole body that has the corner is on the outer side of a face, that face
 * is taken for the top of a rod that lies under it, of some radius: over the face that is the same,
 * and beyond its ends a round end takes the corner's place, below the line that the body is above.
 * The gap is 0 where the corner is on the face, and only there, and its gradient does not jump at
 * the end of the face. (Beyond the end it is less than the distance, by no more than the radius.)
 *
 * A segment without thickness has its two sides as faces in the same way; there the side is that on
 * which the body is, so that an end that comes through is still on the wrong side and not on the
 * other.
 */
#include <math.h>
#include <string.h>

#include "model/shape/shape.h"

/* A body is on the outer side of a face up to this part of both sizes: what rounding and a
 * tolerance of 1e-9 make of resting upon it.
 */
static const double BEHIND = 1e-8;
/* Radius of the round ends, as a part of the size of the box. */
static const double ROUND = 0.05;

/* A point of the box's body that may be nearest, or a face. */
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

/* ---- Meetings, from the box to the corner -------------------------------------------------------
 */

static crm_meeting over_face(const flat *f, const double r[3], const double arm[3])
{
    crm_meeting meeting = {.face = 0};
    meeting.apart = crm_dot3(f->out, r) - f->height;
    memcpy(meeting.n, f->out, sizeof meeting.n);
    memcpy(meeting.p[1], arm, sizeof meeting.p[1]);
    for (int d = 0; d < 3; d++) {
        meeting.p[0][d] = r[d] - meeting.apart * f->out[d];
    }
    return meeting;
}

/* `own`: the point of the box, from its centre; `radius` is around it. */
static crm_meeting from_point(const double own[3], double radius, const double r[3],
                              const double arm[3])
{
    crm_meeting meeting = {.face = -1};
    double square = 0;
    for (int d = 0; d < 3; d++) {
        meeting.n[d] = r[d] - own[d];
        square += meeting.n[d] * meeting.n[d];
    }
    double distance = sqrt(square);
    for (int d = 0; d < 3 && distance > 0; d++) {
        meeting.n[d] /= distance;
    }
    memcpy(meeting.p[0], own, sizeof meeting.p[0]);
    memcpy(meeting.p[1], arm, sizeof meeting.p[1]);
    meeting.apart = distance;
    meeting.round[0] = radius;
    return meeting;
}

/* The rod under a face. */
static crm_meeting upon_rod(const flat *f, double radius, const double r[3], const double arm[3])
{
    double along = crm_dot3(f->along, r);
    if (fabs(along) <= f->half) {
        return over_face(f, r, arm);
    }
    double own[3];
    for (int d = 0; d < 3; d++) {
        own[d] = copysign(f->half, along) * f->along[d] + (f->height - radius) * f->out[d];
    }
    return from_point(own, radius, r, arm);
}

static crm_meeting nearest(const crm_solid *box, const double r[3], const double arm[3])
{
    double along[2], beyond[2];
    for (int k = 0; k < 2; k++) {
        along[k] = crm_dot3(box->axis[k], r);
        beyond[k] = fabs(along[k]) - box->half[k];
    }
    bool thin = box->half[1] == 0;
    if (beyond[0] > 0 && (beyond[1] > 0 || thin)) {
        double own[3];
        for (int d = 0; d < 3; d++) {
            own[d] = copysign(box->half[0], along[0]) * box->axis[0][d] +
                     copysign(box->half[1], along[1]) * box->axis[1][d];
        }
        return from_point(own, 0, r, arm);
    }
    int k = thin || beyond[1] > beyond[0] ? 1 : 0;
    flat f = face_of(box, k, copysign(1, along[k]));
    return over_face(&f, r, arm);
}

/* ---- Which ----------------------------------------------------------------------------------- */

/* The face that has most of room between it and all of the body; how much. */
static double outer_face(const crm_solid *box, const crm_solid *body, flat *best)
{
    double d[3], most = -INFINITY;
    for (int i = 0; i < 3; i++) {
        d[i] = body->centre[i] - box->centre[i];
    }
    for (int k = 0; k < 2; k++) {
        for (double sign = -1; sign <= 1; sign += 2) {
            flat f = face_of(box, k, sign);
            const double back[3] = {-f.out[0], -f.out[1], -f.out[2]};
            double p[3];
            double room = crm_dot3(f.out, d) - f.height - crm_solid_support(body, back, p);
            if (room > most) {
                most = room;
                *best = f;
            }
        }
    }
    return most;
}

crm_meeting crm_corner_meeting(const crm_solid *body, const double arm[3], const crm_solid *box,
                               bool first)
{
    double r[3];
    for (int d = 0; d < 3; d++) {
        r[d] = body->centre[d] - box->centre[d] + arm[d];
    }
    bool thick = body->radius + box->radius > 0;
    flat face = {0};
    double reach = crm_solid_reach(box);
    bool upon = !thick && outer_face(box, body, &face) >= -BEHIND * (reach + crm_solid_reach(body));
    crm_meeting meeting = upon ? upon_rod(&face, ROUND * reach, r, arm) : nearest(box, r, arm);
    return first ? crm_meeting_turned(meeting) : meeting;
}
