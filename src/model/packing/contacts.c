/* The contacts of a packing: balls with balls, with the projectile, with walls. */
#include <math.h>

#include "model/packing/packing.h"
#include "model/shape/shape.h"

/* ---- Pieces ---------------------------------------------------------------------------------- */

static crm_contact_def for_all(const crm_packing_def *def)
{
    return (crm_contact_def){
        crm_value_for_all(def->stiffness),   crm_value_for_all(def->exponent),
        crm_value_for_all(def->restitution), crm_value_for_all(def->stored_energy),
        crm_value_for_all(def->force),       def->compliance,
        crm_value_for_all(def->friction)};
}

static void fill_entry(crm_packing_filler *f, size_t row, double value)
{
    if (value != 0) {
        f->parts->row[f->entries] = (uint32_t)row;
        f->parts->w[f->entries++] = value;
    }
}

/* The gap opens as the second moves along the normal, or the first against it. */
static void fill_gradient(crm_packing_filler *f, size_t first, size_t second, const double *normal)
{
    unsigned dimension = f->shape.dimension;
    size_t stride = crm_packing_stride(f);
    for (unsigned d = 0; d < dimension; d++) {
        fill_entry(f, first * stride + d, -normal[d]);
    }
    for (unsigned d = 0; d < dimension && second < f->bodies; d++) {
        fill_entry(f, second * stride + d, normal[d]);
    }
}

/* Of one ball: sign times (tangent, lever), the lever of the arm along sign times the normal. */
static void fill_tangent(crm_packing_filler *f, size_t ball, double sign, double radius,
                         const double normal[3], const double tangent[3])
{
    crm_parts_tangents *p = &f->parts->tangents;
    size_t start = ball * crm_packing_stride(f), dimension = f->shape.dimension;
    double moment[3];
    crm_cross3(normal, tangent, moment);
    for (size_t d = 0; d < crm_packing_stride(f); d++) {
        p->row[f->tangent_entries] = (uint32_t)(start + d);
        /* The arm is -sign R n, so that both signs cancel. */
        p->t[f->tangent_entries++] = d < dimension   ? sign * tangent[d]
                                     : f->turns == 1 ? -radius * moment[2]
                                                     : -radius * moment[d - dimension];
    }
}

static void fill_tangents(const crm_packing_def *def, crm_packing_filler *f, size_t first,
                          size_t second, const double normal[3])
{
    crm_parts_tangents *p = &f->parts->tangents;
    const size_t ball[2] = {first, second};
    double n[3] = {0}, tangent[2][3];
    for (unsigned d = 0; d < f->shape.dimension; d++) {
        n[d] = normal[d];
    }
    crm_solid_tangents(f->shape.dimension, n, tangent);
    for (unsigned k = 0; k < p->each; k++) {
        for (int side = 0; side < 2; side++) {
            bool projectile = ball[side] >= crm_lattice_balls(&f->shape);
            if (ball[side] < f->bodies) {
                fill_tangent(f, ball[side], side == 0 ? -1 : 1, crm_packing_radius(def, projectile),
                             n, tangent[k]);
            }
        }
        p->column_start[f->contacts * p->each + k + 1] = f->tangent_entries;
    }
}

static void fill_contact(const crm_packing_def *def, crm_packing_filler *f, size_t first,
                         size_t second, const double *normal, crm_contact_def values)
{
    fill_gradient(f, first, second, normal);
    if (f->turns > 0) {
        fill_tangents(def, f, first, second, normal);
    }
    crm_parts_contact(f->parts, f->contacts, values);
    f->party[2 * f->contacts] = (uint32_t)first;
    f->party[2 * f->contacts + 1] = (uint32_t)second;
    f->parts->column_start[++f->contacts] = f->entries;
}

/* One side of a contact: material, radius, and name for messages. */
typedef struct partner {
    const crm_material *material;
    double radius;
    const char *name, *place;
} partner;

static bool is_elastic(const crm_material *material)
{
    return material != NULL && material->young > 0;
}

/* The parameters of contacts of the projectile or walls: their own, or those for all. A default
 * stiffness of 1 beside those of Hertz, some 1e9, would be a silent error.
 */
static crm_status complete_values(const crm_packing_def *def, crm_contact_def own, partner a,
                                  partner b, const char *exponent_place, crm_contact_def *values,
                                  crm_error *error)
{
    *values = crm_values_overlay(own, for_all(def));
    if (isnan(values->stiffness) && is_elastic(a.material) != is_elastic(b.material)) {
        partner lacking = is_elastic(a.material) ? b : a;
        return crm_fail(error, CRM_ERROR_MODEL, lacking.place,
                        "%s has no elasticity and touches what has: give a material with young and "
                        "poisson, or the contact a stiffness",
                        lacking.name);
    }
    double hertz = crm_values_hertz(a.material, a.radius, b.material, b.radius);
    return crm_values_complete_contact(values, hertz, exponent_place, error);
}

static partner ball_partner(const crm_packing_def *def)
{
    return (partner){def->material, def->radius, "the ball", "material"};
}

static partner projectile_partner(const crm_packing_def *def)
{
    const crm_projectile_def *p = def->projectile;
    return (partner){p->material != NULL ? p->material : def->material,
                     crm_values_first_given(p->radius, def->radius), "the projectile",
                     "projectile.material"};
}

static partner wall_partner(const crm_packing_def *def)
{
    return (partner){def->wall_material != NULL ? def->wall_material : def->material, INFINITY,
                     "the wall", "walls.material"};
}

/* ---- Balls and projectile -------------------------------------------------------------------- */

static crm_status fill_ball(const crm_packing_def *def, crm_packing_filler *f,
                            const crm_lattice_line *line, size_t x, double hertz, crm_error *error)
{
    crm_neighbour neighbours[CRM_NEIGHBOURS_MOST];
    size_t count = crm_lattice_neighbours(&f->shape, line, x, neighbours);
    crm_status status = CRM_OK;
    for (size_t k = 0; k < count && status == CRM_OK; k++) {
        size_t j = f->contacts;
        crm_contact_def values = {
            crm_value_at(def->stiffness, j),   crm_value_at(def->exponent, j),
            crm_value_at(def->restitution, j), crm_value_at(def->stored_energy, j),
            crm_value_at(def->force, j),       def->compliance,
            crm_value_at(def->friction, j)};
        status = crm_values_complete_contact(&values, hertz, "exponent", error);
        fill_contact(def, f, line->first + x, neighbours[k].ball, neighbours[k].normal, values);
    }
    return status;
}

static crm_status fill_balls(const crm_packing_def *def, crm_packing_filler *f, crm_error *error)
{
    double hertz = crm_values_hertz(def->material, def->radius, def->material, def->radius);
    crm_status status = CRM_OK;
    for (size_t level = 0; level < crm_lattice_levels(&f->shape); level++) {
        for (size_t y = 0; y < crm_lattice_length(&f->shape, level, 1); y++) {
            crm_lattice_line line = crm_lattice_line_at(&f->shape, level, y);
            for (size_t x = 0; x < line.length && status == CRM_OK; x++) {
                status = fill_ball(def, f, &line, x, hertz, error);
            }
        }
    }
    return status;
}

static crm_status fill_projectile(const crm_packing_def *def, const crm_packing_strike *strike,
                                  crm_packing_filler *f, crm_error *error)
{
    crm_contact_def values;
    crm_status status =
        complete_values(def, def->projectile->contact, ball_partner(def), projectile_partner(def),
                        "projectile.exponent", &values, error);
    for (size_t k = 0; k < strike->count && status == CRM_OK; k++) {
        fill_contact(def, f, strike->ball[k], f->bodies - 1, strike->normal[k], values);
    }
    return status;
}

/* ---- Walls ----------------------------------------------------------------------------------- */

size_t crm_packing_count_walls(const crm_packing_def *def, const crm_lattice_shape *shape)
{
    size_t sides = 2 * (shape->dimension - 1);
    return def->walls == CRM_PACKING_OPEN ? 0 : def->walls == CRM_PACKING_FLOOR ? 1 : 1 + sides;
}

/* Into the wall. Sides: left, right, front, back. */
static void side_normal(size_t side, double *normal)
{
    normal[0] = normal[1] = normal[2] = 0;
    normal[side / 2] = side % 2 == 0 ? -1 : 1;
}

static bool at_side(const crm_lattice_line *line, size_t x, size_t rows, size_t side)
{
    const bool at[] = {x == 0, x + 1 == line->length, line->y == 0, line->y + 1 == rows};
    return at[side];
}

/* The balls of a full level reach the sides, those in hollows do not. */
static void fill_side(const crm_packing_def *def, crm_packing_filler *f, size_t side,
                      crm_contact_def values)
{
    double normal[3];
    side_normal(side, normal);
    for (size_t level = 0; level < crm_lattice_levels(&f->shape); level++) {
        size_t rows = crm_lattice_length(&f->shape, level, 1);
        for (size_t y = 0; y < rows && !crm_lattice_in_hollows(&f->shape, level); y++) {
            crm_lattice_line line = crm_lattice_line_at(&f->shape, level, y);
            for (size_t x = 0; x < line.length; x++) {
                if (at_side(&line, x, rows, side)) {
                    fill_contact(def, f, line.first + x, f->bodies + 1 + side, normal, values);
                }
            }
        }
    }
}

static void fill_floor(const crm_packing_def *def, crm_packing_filler *f, crm_contact_def values)
{
    double normal[3] = {0};
    normal[f->shape.dimension - 1] = -1;
    size_t balls = crm_lattice_length(&f->shape, 0, 0) * crm_lattice_length(&f->shape, 0, 1);
    for (size_t i = 0; i < balls; i++) {
        fill_contact(def, f, i, f->bodies, normal, values);
    }
}

static crm_status fill_walls(const crm_packing_def *def, const crm_packing_strike *strike,
                             crm_packing_filler *f, crm_error *error)
{
    size_t walls = crm_packing_count_walls(def, &f->shape);
    crm_contact_def values, struck = {0};
    crm_status status = complete_values(def, def->wall, ball_partner(def), wall_partner(def),
                                        "walls.exponent", &values, error);
    if (status == CRM_OK && def->projectile != NULL) {
        status = complete_values(def, def->wall, projectile_partner(def), wall_partner(def),
                                 "walls.exponent", &struck, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    fill_floor(def, f, values);
    for (size_t side = 0; side + 1 < walls; side++) {
        fill_side(def, f, side, values);
        if (strike->on_side[side]) {
            double normal[3];
            side_normal(side, normal);
            fill_contact(def, f, f->bodies - 1, f->bodies + 1 + side, normal, struck);
        }
    }
    return CRM_OK;
}

size_t crm_packing_count_wall_contacts(const crm_packing_def *def, const crm_lattice_shape *shape,
                                       const crm_packing_strike *strike)
{
    size_t levels = crm_lattice_levels(shape);
    size_t full = shape->tapering ? 1 : shape->staggered ? (levels + 1) / 2 : levels;
    size_t x = crm_lattice_length(shape, 0, 0), y = crm_lattice_length(shape, 0, 1);
    size_t count = def->walls == CRM_PACKING_OPEN ? 0 : x * y;
    if (def->walls == CRM_PACKING_BOX) {
        count += 2 * full * y + (shape->dimension == 3 ? 2 * full * x : 0);
        for (size_t side = 0; side < 4; side++) {
            count += strike->on_side[side];
        }
    }
    return count;
}

crm_status crm_packing_fill_contacts(const crm_packing_def *def, const crm_packing_strike *strike,
                                     crm_packing_filler *f, crm_error *error)
{
    crm_status status = fill_balls(def, f, error);
    if (status == CRM_OK && def->projectile != NULL) {
        status = fill_projectile(def, strike, f, error);
    }
    return status == CRM_OK && def->walls != CRM_PACKING_OPEN ? fill_walls(def, strike, f, error)
                                                              : status;
}
