/* Solids, their support functions and curvatures.
 *
 * Of an ellipsoid with the semi-axes a, in its own axes: h(n) = |A n|, A = diag(a), the point is
 * A^2 n / h, and with tangents t, t' the second derivative is
 *
 *     (t.A^2 t' - (n.A^2 t)(n.A^2 t') / h^2) / h = (A n x A t).(A n x A t') / h^3,
 *
 * where the second form loses no digits however thin it is, and A n x A t = C (n x t), C =
 * diag(a_2 a_3, a_3 a_1, a_1 a_2). Boxes have no curvature.
 */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "model/shape/shape.h"

/* ---- Making ---------------------------------------------------------------------------------- */

void crm_solid_turn(crm_solid *solid, double angle)
{
    double cosine = crm_cos(angle), sine = crm_sin(angle);
    const double axes[3][3] = {{cosine, sine, 0}, {-sine, cosine, 0}, {0, 0, 1}};
    memcpy(solid->axis, axes, sizeof axes);
}

/* The columns of the rotation matrix: q e q* / |q|^2. */
void crm_solid_orient(crm_solid *solid, const double quaternion[4])
{
    double w = quaternion[0], x = quaternion[1], y = quaternion[2], z = quaternion[3];
    double k = 2 / (w * w + x * x + y * y + z * z);
    const double axes[3][3] = {{1 - k * (y * y + z * z), k * (x * y + w * z), k * (x * z - w * y)},
                               {k * (x * y - w * z), 1 - k * (x * x + z * z), k * (y * z + w * x)},
                               {k * (x * z + w * y), k * (y * z - w * x), 1 - k * (x * x + y * y)}};
    memcpy(solid->axis, axes, sizeof axes);
}

crm_solid crm_solid_of(const crm_body_def *body, unsigned dimension)
{
    crm_solid solid = {.dimension = dimension};
    crm_solid_turn(&solid, 0);
    memcpy(solid.centre, body->position, dimension * sizeof(double));
    switch (body->shape) {
    case CRM_SHAPE_SPHERE:
        solid.radius = body->radius;
        return solid;
    case CRM_SHAPE_ROD:
        solid.half[0] = 0.5 * body->length;
        solid.radius = isnan(body->radius) ? 0 : body->radius;
        break;
    case CRM_SHAPE_BOX:
        solid.half[0] = 0.5 * body->size[0];
        solid.half[1] = 0.5 * body->size[1];
        break;
    case CRM_SHAPE_ELLIPSE:
    case CRM_SHAPE_ELLIPSOID:
        solid.oval = true;
        memcpy(solid.half, body->semi_axes, dimension * sizeof(double));
        break;
    }
    if (dimension == 2) {
        crm_solid_turn(&solid, body->angle);
    } else {
        crm_solid_orient(&solid, body->orientation);
    }
    return solid;
}

double crm_solid_reach(const crm_solid *s)
{
    double most = fmax(s->half[0], fmax(s->half[1], s->half[2]));
    bool by_largest = s->oval || s->half[1] == 0;
    return s->radius + (by_largest ? most : crm_hypot(s->half[0], s->half[1]));
}

size_t crm_solid_corners(const crm_solid *s)
{
    return s->oval ? 0 : s->half[0] == 0 ? 1 : s->half[1] == 0 ? 2 : 4;
}

void crm_solid_corner(const crm_solid *s, size_t corner, double arm[3])
{
    double along = (corner & 1) != 0 ? s->half[0] : -s->half[0];
    double across = (corner & 2) != 0 ? s->half[1] : -s->half[1];
    for (int d = 0; d < 3; d++) {
        arm[d] = along * s->axis[0][d] + across * s->axis[1][d];
    }
}

/* ---- Support --------------------------------------------------------------------------------- */

static void to_space(const crm_solid *s, const double own[3], double p[3])
{
    for (int d = 0; d < 3; d++) {
        p[d] = own[0] * s->axis[0][d] + own[1] * s->axis[1][d] + own[2] * s->axis[2][d];
    }
}

double crm_solid_support(const crm_solid *s, const double n[3], double p[3])
{
    double own[3], h = 0;
    for (int k = 0; k < 3; k++) {
        double along = crm_dot3(s->axis[k], n);
        own[k] = s->oval ? s->half[k] * along : copysign(s->half[k], along);
        h += s->oval ? own[k] * own[k] : own[k] * along;
    }
    h = s->oval ? sqrt(h) : h;
    for (int k = 0; k < 3 && s->oval; k++) {
        own[k] *= s->half[k] / h;
    }
    to_space(s, own, p);
    return h;
}

/* Along the coordinate axis that n is farthest from, made orthogonal. */
void crm_solid_tangents(unsigned dimension, const double n[3], double t[2][3])
{
    if (dimension < 3) {
        const double turned[2][3] = {{-n[1], n[0], 0}, {0, 0, 1}};
        memcpy(t, turned, sizeof turned);
        return;
    }
    int least = fabs(n[0]) < fabs(n[1]) ? 0 : 1;
    least = fabs(n[2]) < fabs(n[least]) ? 2 : least;
    double square = 0;
    for (int d = 0; d < 3; d++) {
        t[0][d] = (d == least ? 1 : 0) - n[least] * n[d];
        square += t[0][d] * t[0][d];
    }
    for (int d = 0; d < 3; d++) {
        t[0][d] /= sqrt(square);
    }
    crm_cross3(n, t[0], t[1]);
}

/* n x t_1 and n x t_2 are t_2 and -t_1. */
void crm_solid_curve(const crm_solid *s, const double n[3], double t[2][3], double curve[3])
{
    curve[0] = curve[1] = curve[2] = 0;
    if (!s->oval) {
        return;
    }
    double h = 0, first[3], second[3];
    for (int k = 0; k < 3; k++) {
        double along = s->half[k] * crm_dot3(s->axis[k], n);
        double other = s->half[(k + 1) % 3] * s->half[(k + 2) % 3];
        h += along * along;
        first[k] = other * crm_dot3(s->axis[k], t[1]);
        second[k] = -other * crm_dot3(s->axis[k], t[0]);
    }
    double cube = h * sqrt(h);
    curve[0] = crm_dot3(first, first) / cube;
    curve[1] = crm_dot3(first, second) / cube;
    curve[2] = crm_dot3(second, second) / cube;
}
