/* The gaps that two solids have. */
#include "model/shape/shape.h"

#include <math.h>
#include <string.h>

static void exchange(double a[3], double b[3])
{
    for (int d = 0; d < 3; d++) {
        double kept = a[d];
        a[d] = b[d];
        b[d] = kept;
    }
}

crm_nearest_points crm_gap_exchange(crm_nearest_points points)
{
    for (int d = 0; d < 3; d++) {
        points.n[d] = -points.n[d];
    }
    exchange(points.p[0], points.p[1]);
    exchange(points.curve[0], points.curve[1]);
    double kept = points.round[0];
    points.round[0] = points.round[1];
    points.round[1] = kept;
    points.face = points.face < 0 ? -1 : 1 - points.face;
    return points;
}

/* ---- Two solids ------------------------------------------------------------------------------ */

size_t crm_gap_places(const crm_solid *first, const crm_solid *second)
{
    size_t a = crm_solid_corners(first), b = crm_solid_corners(second);
    return a < 2 || b < 2 ? 1 : a + b;
}

static crm_nearest_points between_points(const crm_solid *first, const crm_solid *second)
{
    crm_nearest_points points = {.face = -1};
    for (int d = 0; d < 3; d++) {
        points.n[d] = second->centre[d] - first->centre[d];
    }
    points.apart = sqrt(crm_dot3(points.n, points.n));
    for (int d = 0; d < 3 && points.apart > 0; d++) {
        points.n[d] /= points.apart;
    }
    return points;
}

static crm_nearest_points meeting_at(const crm_solid *first, const crm_solid *second, size_t place,
                                     unsigned feature)
{
    if (first->oval || second->oval) {
        return crm_oval_nearest_points(first, second, feature);
    }
    crm_feature_pair e = crm_feature_pair_of(first, second, place);
    return e.box == NULL ? between_points(first, second)
                         : crm_corner_nearest_points(e.other, e.arm, e.box, feature, e.first);
}

crm_gap crm_gap_feature(const crm_solid *first, const crm_solid *second, size_t place,
                        unsigned feature, const crm_solid_rate rate[2])
{
    crm_nearest_points points = meeting_at(first, second, place, feature);
    double thick = first->radius + second->radius + points.round[0] + points.round[1];
    crm_gap nearest = {.gap = points.apart - thick};
    for (int d = 0; d < 3; d++) {
        nearest.normal[d] = points.n[d];
        nearest.arm[0][d] = points.p[0][d] + points.round[0] * points.n[d];
        nearest.arm[1][d] = points.p[1][d] - points.round[1] * points.n[d];
    }
    nearest.bias = rate != NULL ? crm_rate_bias(first, second, &points, rate) : 0;
    return nearest;
}

crm_gap crm_gap_solids(const crm_solid *first, const crm_solid *second, size_t place,
                       const crm_solid_rate rate[2])
{
    return crm_gap_feature(first, second, place, crm_feature_of(first, second, place), rate);
}

/* The largest separation along the normals of all faces. */
double crm_gap_depth(const crm_solid *first, const crm_solid *second)
{
    double most = -INFINITY;
    for (int k = 0; k < 8; k++) {
        const double *axis = (k < 4 ? first : second)->axis[k % 2];
        double sign = k % 4 < 2 ? 1 : -1, n[3], back[3], d[3], p[3];
        for (int i = 0; i < 3; i++) {
            n[i] = sign * axis[i];
            back[i] = -n[i];
            d[i] = second->centre[i] - first->centre[i];
        }
        most = fmax(most, crm_dot3(n, d) - crm_solid_support(first, n, p) -
                              crm_solid_support(second, back, p));
    }
    return -most;
}

/* ---- A wall ---------------------------------------------------------------------------------- */

size_t crm_gap_wall_places(const crm_solid *solid)
{
    return solid->oval ? 1 : crm_solid_corners(solid);
}

crm_gap crm_gap_wall(const crm_solid *solid, size_t place, const double normal[3], double offset,
                     const crm_solid_rate *rate)
{
    crm_nearest_points points = {.n = {-normal[0], -normal[1], -normal[2]}, .face = -1};
    double t[2][3];
    crm_solid_tangents(solid->dimension, points.n, t);
    if (solid->oval) {
        crm_solid_support(solid, points.n, points.p[0]);
        crm_solid_curve(solid, points.n, t, points.curve[0]);
    } else {
        crm_solid_corner(solid, place, points.p[0]);
    }
    double height = crm_dot3(normal, solid->centre) + crm_dot3(normal, points.p[0]);
    crm_gap nearest = {.gap = height - offset - solid->radius};
    memcpy(nearest.normal, points.n, sizeof points.n);
    memcpy(nearest.arm[0], points.p[0], sizeof points.p[0]);
    nearest.bias = rate != NULL ? crm_rate_wall_bias(&points, t, solid->dimension, rate) : 0;
    return nearest;
}
