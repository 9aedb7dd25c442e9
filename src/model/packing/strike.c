/* The contacts of a projectile that is lowered onto a packing. */
#include <math.h>
#include <stdio.h>

#include "model/packing/packing.h"

/* Relative to the sum of the radii; the same as for bodies. */
static const double TOUCHING = 1e-9;

/* The balls that may be nearest along one axis: on either side of the place, or the one under it.
 */
typedef struct nearest {
    size_t count;
    size_t ball[2];
    double away[2]; /* from the ball to the projectile, in radii of a ball */
} nearest;

static crm_status find_nearest(double over, size_t length, unsigned axis, nearest *found,
                               crm_error *error)
{
    over = isnan(over) ? 0.5 * (double)(length + 1) : over;
    if (!(over >= 1 && over <= (double)length)) {
        char place[32];
        snprintf(place, sizeof place, "projectile.over[%u]", axis + 1);
        return crm_fail(error, CRM_ERROR_MODEL, place,
                        "over is %g, must be from 1 to %zu, the balls of the top %s", over, length,
                        axis == 0 ? "row" : "layer along y");
    }
    size_t low = (size_t)floor(over), high = (size_t)ceil(over);
    *found = (nearest){.count = low == high ? 1 : 2,
                       .ball = {low - 1, high - 1},
                       .away = {2 * (over - (double)low), 2 * (over - (double)high)}};
    return CRM_OK;
}

static void add_if_touching(const crm_lattice_shape *shape, size_t ball, const double *away,
                            double height, double reach, crm_packing_strike *strike)
{
    double distance = sqrt(away[0] * away[0] + away[1] * away[1] + height * height);
    if (distance - reach > TOUCHING * reach) {
        return;
    }
    double *normal = strike->normal[strike->count];
    normal[0] = away[0] / distance;
    normal[1] = away[1] / distance;
    normal[2] = 0;
    normal[shape->dimension - 1] = height / distance;
    strike->ball[strike->count++] = ball;
}

/* Its height when it touches the first ball. */
static bool lower_projectile(const crm_lattice_shape *shape, const nearest *x, const nearest *y,
                             double reach, crm_packing_strike *strike)
{
    double closest = INFINITY;
    for (size_t k = 0; k < y->count; k++) {
        for (size_t i = 0; i < x->count; i++) {
            closest = fmin(closest, x->away[i] * x->away[i] + y->away[k] * y->away[k]);
        }
    }
    if (!(closest < reach * reach)) {
        return false;
    }
    double height = sqrt(reach * reach - closest);
    for (size_t k = 0; k < y->count; k++) {
        crm_lattice_line line =
            crm_lattice_line_at(shape, crm_lattice_levels(shape) - 1, y->ball[k]);
        for (size_t i = 0; i < x->count; i++) {
            const double away[2] = {x->away[i], y->away[k]};
            add_if_touching(shape, line.first + x->ball[i], away, height, reach, strike);
        }
    }
    return true;
}

/* Along one axis: whether it touches a side of the box; refused if it is partly outside. */
static crm_status touch_sides(const crm_lattice_shape *shape, const nearest *at, unsigned axis,
                              double radius, crm_packing_strike *strike, crm_error *error)
{
    size_t top = crm_lattice_levels(shape) - 1;
    double place = 2 * (double)at->ball[0] + 1 + at->away[0];
    place += shape->tapering ? (double)top : crm_lattice_in_hollows(shape, top) ? 1 : 0;
    const double gaps[2] = {place - radius, 2 * (double)shape->size[axis] - place - radius};
    for (unsigned end = 0; end < 2; end++) {
        if (gaps[end] < -TOUCHING * radius) {
            return crm_fail(error, CRM_ERROR_MODEL, "projectile",
                            "the projectile stands out of the box: move it inwards, or make it "
                            "smaller");
        }
        strike->on_side[2 * axis + end] = gaps[end] <= TOUCHING * radius;
    }
    return CRM_OK;
}

/* Lengths in radii of a ball. */
static crm_status find_radius(const crm_packing_def *def, double *radius, crm_error *error)
{
    *radius = 1;
    if (isnan(def->projectile->radius)) {
        return CRM_OK;
    }
    if (isnan(def->radius)) {
        return crm_fail(error, CRM_ERROR_MODEL, "projectile.radius",
                        "radius is %g, but the balls have none: give both or neither",
                        def->projectile->radius);
    }
    *radius = def->projectile->radius / def->radius;
    return CRM_OK;
}

crm_status crm_packing_find_strike(const crm_packing_def *def, const crm_lattice_shape *shape,
                                   crm_packing_strike *strike, crm_error *error)
{
    size_t top = crm_lattice_levels(shape) - 1;
    nearest at[2] = {{0}, {.count = 1}};
    double radius = 1;
    crm_status status = find_radius(def, &radius, error);
    for (unsigned d = 0; d + 1 < shape->dimension && status == CRM_OK; d++) {
        size_t length = crm_lattice_length(shape, top, d);
        status = find_nearest(def->projectile->over[d], length, d, &at[d], error);
    }
    if (status == CRM_OK && !lower_projectile(shape, &at[0], &at[1], 1 + radius, strike)) {
        status = crm_fail(error, CRM_ERROR_MODEL, "projectile.radius",
                          "radius is %g, so small that the projectile falls between the balls; put "
                          "it over a ball, or make it larger",
                          def->projectile->radius);
    }
    for (unsigned d = 0; d + 1 < shape->dimension && status == CRM_OK; d++) {
        if (def->walls == CRM_PACKING_BOX) {
            status = touch_sides(shape, &at[d], d, radius, strike, error);
        }
    }
    return status;
}
