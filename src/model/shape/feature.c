/* Features: the parts of a box to which a gap is measured.
 *
 * In the axes of the box, with the half sides h and the other body's point (a corner of a box, or
 * the point of an oval that is farthest towards a face) at (x, y), the nearest feature is
 *
 *   a face     while the point is over it: margins h - x and h + x along the face
 *   a corner   while the point is beyond both faces that end there, x - h_0 and y - h_1 (outwards);
 *              of an oval, while the normal n at the corner is between those of the two faces
 *   an end     while the point is beyond the end, x - h, and not below the line of the face
 *
 * Continuity where the feature changes. Let a point of thickness R pass from over a face to beyond
 * its end. There its foot is the corner, both gaps are the height over the face, and both gradients
 * the face's normal at that point: g and u do not jump. u' does: beyond the end n turns as the
 * point moves around the corner, n' = (v along the face)/R relative to the box, which adds
 * (v along)^2/R to u'; over the face n turns with the box. The same holds for an oval that rolls
 * from a face to a corner, with the R of its curvature, and for the round end of a face. Between
 * bodies without thickness, corner to corner, R = 0 and both gaps are open: another face is nearest
 * beyond, and g jumps.
 */
#include <math.h>

#include "model/shape/shape.h"

/* A point has no faces: its feature is the corner. */
crm_feature_pair crm_feature_pair_of(const crm_solid *first, const crm_solid *second, size_t place)
{
    size_t corners = crm_solid_corners(first), others = crm_solid_corners(second);
    crm_feature_pair e = {.oval = first->oval || second->oval};
    if (corners < 2 && others < 2) {
        return e;
    }
    e.first = e.oval ? first->oval : others > 1 && place < corners;
    e.box = e.first ? second : first;
    e.other = e.first ? first : second;
    if (!e.oval) {
        crm_solid_corner(e.other, e.first ? place : others == 1 ? 0 : place - corners, e.arm);
    }
    return e;
}

static unsigned choose(const crm_feature_pair *e)
{
    return e->box == NULL ? CRM_FEATURE_NONE
           : e->oval      ? crm_oval_feature(e->box, e->other)
                          : crm_corner_feature(e->other, e->arm, e->box);
}

unsigned crm_feature_of(const crm_solid *first, const crm_solid *second, size_t place)
{
    crm_feature_pair e = crm_feature_pair_of(first, second, place);
    return choose(&e);
}

/* ---- Margins --------------------------------------------------------------------------------- */

static double side_of(unsigned number)
{
    return number % 2 != 0 ? 1 : -1;
}

/* The other body's point, along the axes of the box. */
static void find_point(const crm_feature_pair *e, const crm_nearest_points *points, double x[2])
{
    for (int k = 0; k < 2; k++) {
        x[k] = 0;
        for (int d = 0; d < 3; d++) {
            x[k] += e->box->axis[k][d] * (e->other->centre[d] - e->box->centre[d] +
                                          (e->oval ? points->p[1][d] : e->arm[d]));
        }
    }
}

static size_t face_margins(const crm_feature_pair *e, unsigned face, const double x[2],
                           double margin[CRM_MARGINS])
{
    unsigned along = 1 - face / 2;
    margin[0] = e->box->half[along] - x[along];
    margin[1] = e->box->half[along] + x[along];
    return 2;
}

/* The ends of a segment are its two points. */
static size_t corner_margins(const crm_feature_pair *e, unsigned corner, const double x[2],
                             const double n[3], double margin[CRM_MARGINS])
{
    const double side[2] = {side_of(corner), side_of(corner / 2)};
    for (int k = 0; k < 2; k++) {
        margin[k] = e->oval ? side[k] * crm_solid_reach(e->other) * crm_dot3(e->box->axis[k], n)
                            : side[k] * x[k] - e->box->half[k];
    }
    return e->box->half[1] == 0 ? 1 : 2;
}

static size_t end_margins(const crm_feature_pair *e, unsigned end, const double x[2],
                          double margin[CRM_MARGINS])
{
    unsigned face = end / 2, out = face / 2;
    margin[0] = side_of(end) * x[1 - out] - e->box->half[1 - out];
    margin[1] = side_of(face) * x[out] - e->box->half[out] + crm_corner_slack(e->box, e->other);
    return 2;
}

static crm_nearest_points nearest_by_feature(const crm_feature_pair *e, unsigned feature)
{
    return e->oval ? crm_oval_nearest_points(e->box, e->other, feature)
                   : crm_corner_nearest_points(e->other, e->arm, e->box, feature, false);
}

size_t crm_feature_margins(const crm_solid *first, const crm_solid *second, size_t place,
                           unsigned feature, double margin[CRM_MARGINS])
{
    crm_feature_pair e = crm_feature_pair_of(first, second, place);
    if (feature == CRM_FEATURE_NONE) {
        return 0;
    }
    crm_nearest_points points = {0};
    double x[2];
    if (e.oval) {
        points = nearest_by_feature(&e, feature);
    }
    find_point(&e, &points, x);
    return feature >= CRM_FEATURE_END ? end_margins(&e, feature - CRM_FEATURE_END, x, margin)
           : feature >= CRM_FEATURE_CORNER
               ? corner_margins(&e, feature - CRM_FEATURE_CORNER, x, points.n, margin)
               : face_margins(&e, feature - CRM_FEATURE_FACE, x, margin);
}

/* ---- What takes over ------------------------------------------------------------------------- */

/* The feature beyond the end of a face. */
static unsigned beyond_face(const crm_feature_pair *e, unsigned face, unsigned side)
{
    bool thick = e->oval || e->box->radius + e->other->radius > 0;
    if (!thick && crm_corner_beyond(e->box, e->other, face)) {
        return CRM_FEATURE_END + 2 * face + side;
    }
    unsigned corner = face / 2 == 0 ? face % 2 + 2 * side : side + 2 * (face % 2);
    return CRM_FEATURE_CORNER + (e->box->half[1] == 0 ? corner % 2 : corner);
}

/* The face along axis k that ends at a corner; of a segment, the side on which the other body is.
 */
static unsigned beyond_corner(const crm_feature_pair *e, unsigned corner, unsigned k)
{
    unsigned out = 1 - k, side = out == 0 ? corner % 2 : corner / 2;
    if (e->box->half[1] == 0) {
        crm_nearest_points points = nearest_by_feature(e, CRM_FEATURE_CORNER + corner);
        side = crm_dot3(e->box->axis[1], points.n) > 0 ? 1 : 0;
    }
    return CRM_FEATURE_FACE + 2 * out + side;
}

static unsigned neighbour(const crm_feature_pair *e, unsigned feature, size_t margin)
{
    if (feature >= CRM_FEATURE_END) {
        unsigned end = feature - CRM_FEATURE_END;
        return margin == 0 ? CRM_FEATURE_FACE + end / 2
                           : crm_corner_nearest(e->other, e->arm, e->box);
    }
    return feature >= CRM_FEATURE_CORNER
               ? beyond_corner(e, feature - CRM_FEATURE_CORNER, (unsigned)margin)
               : beyond_face(e, feature - CRM_FEATURE_FACE, margin == 0 ? 1 : 0);
}

/* Without thickness the other face may be the feature beyond, if the bodies do not overlap by it.
 */
unsigned crm_feature_beyond(const crm_solid *first, const crm_solid *second, size_t place,
                            unsigned feature, size_t margin)
{
    crm_feature_pair e = crm_feature_pair_of(first, second, place);
    bool thick = e.oval || first->radius + second->radius > 0;
    unsigned chosen = thick ? feature : choose(&e);
    double slack = 0.1 * crm_corner_slack(first, second);
    bool end = feature >= CRM_FEATURE_END && margin == 0;
    if (end || chosen == feature ||
        nearest_by_feature(&e, chosen).apart - nearest_by_feature(&e, chosen).round[0] < -slack) {
        return neighbour(&e, feature, margin);
    }
    return chosen;
}
