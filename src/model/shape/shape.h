/* Convex bodies: the gap between two of them, and how it changes. Internal.
 *
 * A solid is a core and a radius around it. The core is a box, which a point (sphere, disc) and a
 * segment (rod) are too, or an ellipse or ellipsoid. With the support function h(n) = max n.x over
 * a core, seen from its centre, two cores whose centres are d apart have
 *
 *     s(n) = n.d - h_1(n) - h_2(-n)
 *
 * between them in the direction n; their distance is the largest s over all unit n, and where it
 * is, n is the normal and the points x_1(n), x_2(-n) that the support functions touch are nearest.
 *
 *   solid.c   solids, their support functions and curvatures
 *   oval.c    that direction, when one of the cores is curved
 *   corner.c  that direction for one corner against a box
 *   rate.c    the bias of u'
 *   gap.c    the gaps that two solids have
 *   feature.c the part of a box to which a gap is measured, and when it changes
 *   separation.c   whether they are apart, by support functions alone
 */
#ifndef CRM_SHAPE_H
#define CRM_SHAPE_H

#include "base/base.h"
#include "carom/model.h"

typedef struct crm_solid {
    unsigned dimension;
    bool oval;         /* the core is an ellipse or ellipsoid, else a box */
    double half[3];    /* semi-axes, or half the sides, of the core; 0 where it is flat */
    double radius;     /* around it */
    double centre[3];  /* in the plane the third is 0 */
    double axis[3][3]; /* of the core, in space: unit, each a row */
} crm_solid;

/* How a solid moves: in the plane spin is along the third axis. */
typedef struct crm_solid_rate {
    double velocity[3];
    double spin[3]; /* in space, not along the body's axes */
    double bias[3]; /* of the centre: its acceleration but for v' */
} crm_solid_rate;

/* Two solids, or a solid and a wall, at one of the places where they can touch. */
typedef struct crm_gap {
    double gap;
    double normal[3]; /* from the first to the second */
    double arm[2][3]; /* from the centres to the nearest points, up to a shift along the normal,
                         which changes no lever */
    double bias;      /* u' without the terms that contain v' */
} crm_gap;

/* ---- solid.c --------------------------------------------------------------------------------- */

/* A body as it is defined. */
crm_solid crm_solid_of(const crm_body_def *body, unsigned dimension);
/* The axes of what is turned by an angle, and by a quaternion w, x, y, z of any length but 0. */
void crm_solid_turn(crm_solid *solid, double angle);
void crm_solid_orient(crm_solid *solid, const double quaternion[4]);
/* Radius of the sphere around it. */
double crm_solid_reach(const crm_solid *solid);
/* Number of corners of a core: 1 (a point), 2 or 4; 0 for an oval. */
size_t crm_solid_corners(const crm_solid *solid);
/* From the centre to a corner; corner 0 of a rod is the one that the angle points away from. */
void crm_solid_corner(const crm_solid *solid, size_t corner, double arm[3]);

/* ---- gap.c ---------------------------------------------------------------------------------- */

enum { CRM_NEAR_MOST = 8 };

/* How many gaps two solids have, or a solid and a wall, in an order that does not change: one if a
 * core is curved or a point, else one per corner, those of the first before those of the second.
 */
size_t crm_gap_places(const crm_solid *first, const crm_solid *second);
/* rate: of both, or NULL, then the bias is 0. */
crm_gap crm_gap_solids(const crm_solid *first, const crm_solid *second, size_t place,
                       const crm_solid_rate rate[2]);
/* The same, measured to the given feature of the box, even if another is nearer: smooth in the
 * positions of both. CRM_FEATURE_NONE: the solids have no features.
 */
crm_gap crm_gap_feature(const crm_solid *first, const crm_solid *second, size_t place,
                        unsigned feature, const crm_solid_rate rate[2]);
size_t crm_gap_wall_places(const crm_solid *solid);
/* The wall is at normal.x = offset, with the solid on the side of the unit normal. */
crm_gap crm_gap_wall(const crm_solid *solid, size_t place, const double normal[3], double offset,
                     const crm_solid_rate *rate);
/* The penetration depth of the cores of two boxes, in the direction in which it is least; negative:
 * they are apart. Boxes may cross with no corner of one in the other.
 */
double crm_gap_depth(const crm_solid *first, const crm_solid *second);

/* ---- feature.c ------------------------------------------------------------------------------- */

/* The feature of a box that is nearest to a corner, a point or an oval: a face, continued beyond
 * its ends; a corner; or the round end of the rod that replaces a face where neither body has
 * thickness (corner.c). Faces are numbered 2 k + (1 if on the side of axis k), corners as those of
 * a solid, ends 2 face + (1 if on the side of the axis along the face).
 */
enum {
    CRM_FEATURE_NONE,
    CRM_FEATURE_FACE,
    CRM_FEATURE_CORNER = CRM_FEATURE_FACE + 4,
    CRM_FEATURE_END = CRM_FEATURE_CORNER + 4,
    CRM_FEATURE_COUNT = CRM_FEATURE_END + 8
};
enum { CRM_MARGINS = 2 };

/* The nearest one at the present positions. */
unsigned crm_feature_of(const crm_solid *first, const crm_solid *second, size_t place);
/* Lengths that are smooth in the positions of both, and none of which is negative while the feature
 * is a nearest one; their number.
 */
size_t crm_feature_margins(const crm_solid *first, const crm_solid *second, size_t place,
                           unsigned feature, double margin[CRM_MARGINS]);
/* The nearest one where a margin has fallen below 0. */
unsigned crm_feature_beyond(const crm_solid *first, const crm_solid *second, size_t place,
                            unsigned feature, size_t margin);

/* ---- separation.c ---------------------------------------------------------------------------- */

/* s(n) of the solids, with the radii around their cores. */
double crm_separation_along(const crm_solid *first, const crm_solid *second, const double n[3]);
/* Returns s(n) >= enough for some n, if there is one; else the largest s, which is -depth where
 * they overlap. The given n is tried first, unless it is 0.
 */
double crm_separation_find(const crm_solid *first, const crm_solid *second, double enough,
                           double n[3]);

/* ---- Between the files ----------------------------------------------------------------------- */

/* The nearest points of two cores, and what is curved there. */
typedef struct crm_nearest_points {
    double n[3];
    double p[2][3];     /* from the centres */
    double curve[2][3]; /* second derivatives of the support functions along the tangents: 11, 12,
                           22 */
    double apart;       /* of the points, or of point and face */
    double round[2];    /* radius around each of the points, besides the solids' own */
    int face;           /* the body with whose face n turns; -1: n is free */
} crm_nearest_points;

static inline double crm_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void crm_cross3(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* Tangents of the unit sphere at n, n x t[0] = t[1]; in the plane only t[0] is used, n turned by a
 * right angle.
 */
void crm_solid_tangents(unsigned dimension, const double n[3], double t[2][3]);
/* The point of the core that is farthest along n; h(n). */
double crm_solid_support(const crm_solid *solid, const double n[3], double p[3]);
/* Its second derivatives there along the tangents. */
void crm_solid_curve(const crm_solid *solid, const double n[3], double t[2][3], double curve[3]);
/* The same with its parties exchanged. */
crm_nearest_points crm_gap_exchange(crm_nearest_points points);
/* At least one core is curved; `feature`: of the other, if that is a box. */
crm_nearest_points crm_oval_nearest_points(const crm_solid *first, const crm_solid *second,
                                           unsigned feature);
unsigned crm_oval_feature(const crm_solid *box, const crm_solid *oval);
/* The corner of one box at `arm` from its centre and the other box; `first`: the corner is of the
 * first of both.
 */
crm_nearest_points crm_corner_nearest_points(const crm_solid *corner_of, const double arm[3],
                                             const crm_solid *box, unsigned feature, bool first);
unsigned crm_corner_feature(const crm_solid *corner_of, const double arm[3], const crm_solid *box);
/* Without the round ends: the nearest part of the box itself. */
unsigned crm_corner_nearest(const crm_solid *corner_of, const double arm[3], const crm_solid *box);
/* Whether a whole body is beyond a face of a box, within rounding: it may rest there. */
bool crm_corner_beyond(const crm_solid *box, const crm_solid *body, unsigned face);
/* Overlaps of two boxes up to this are rounding. */
double crm_corner_slack(const crm_solid *first, const crm_solid *second);

/* Which of two solids is the box, and which part of the other is measured. */
typedef struct crm_feature_pair {
    const crm_solid *box, *other; /* box NULL: they have no features */
    bool first;                   /* the other one is the first */
    bool oval;                    /* the other is an oval, else a corner of it is measured: */
    double arm[3];                /* from the centre */
} crm_feature_pair;
crm_feature_pair crm_feature_pair_of(const crm_solid *first, const crm_solid *second, size_t place);

double crm_rate_bias(const crm_solid *first, const crm_solid *second,
                     const crm_nearest_points *points, const crm_solid_rate rate[2]);
double crm_rate_wall_bias(const crm_nearest_points *points, double t[2][3], unsigned dimension,
                          const crm_solid_rate *rate);

#endif
