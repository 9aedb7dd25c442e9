/* Checks of bodies, walls and pairs. */
#include <math.h>
#include <stdio.h>

#include "model/bodies/bodies.h"

/* The square of a shorter normal's length would underflow. */
static const double NORMAL_LEAST = 1e-30;
/* Bodies and walls are numbered together, in 32 bits. */
static const size_t PARTIES_MOST = (size_t)1 << 31;

/* `noun` and `field`: where the vector is, "bodies" and "position". */
static crm_status check_vector(crm_datum datum, const double *vector, unsigned dimension,
                               const char *noun, const char *field, size_t index, crm_error *error)
{
    char place[96];
    snprintf(place, sizeof place, "%s[%zu].%s[%%zu]", noun, index + 1, field);
    crm_status status = CRM_OK;
    for (unsigned d = 0; d < dimension && status == CRM_OK; d++) {
        status = crm_ranges_check(datum, vector[d], place, d + 1, error);
    }
    return status;
}

static crm_status fail_body(size_t i, const char *field, double value, const char *allowed,
                            crm_error *error)
{
    char place[64];
    snprintf(place, sizeof place, "bodies[%zu].%s", i + 1, field);
    return crm_fail(error, CRM_ERROR_MODEL, place, "%s is %g, must be %s", field, value, allowed);
}

static crm_status check_dimension(const crm_bodies_def *def, size_t i, crm_error *error)
{
    static const char *const PLURAL[] = {"spheres", "rods", "boxes", "ellipses", "ellipsoids"};
    crm_shape shape = def->bodies[i].shape;
    unsigned wanted = shape == CRM_SHAPE_ELLIPSOID ? 3 : 2;
    if (shape == CRM_SHAPE_SPHERE || def->dimension == wanted) {
        return CRM_OK;
    }
    char place[64];
    snprintf(place, sizeof place, "bodies[%zu].shape", i + 1);
    return crm_fail(error, CRM_ERROR_MODEL, place,
                    "%s are for %s, with %u coordinates; here bodies have %u", PLURAL[shape],
                    wanted == 2 ? "the plane" : "space", wanted, def->dimension);
}

static crm_status check_rod(const crm_body_def *body, size_t i, crm_error *error)
{
    crm_status status =
        crm_ranges_check(CRM_DATUM_LENGTH, body->length, "bodies[%zu].length", i + 1, error);
    return status == CRM_OK ? crm_ranges_check(CRM_DATUM_THICKNESS, crm_body_radius(body),
                                               "bodies[%zu].radius", i + 1, error)
                            : status;
}

/* Digits that people write of a unit quaternion. */
static crm_status check_orientation(const crm_body_def *body, size_t i, crm_error *error)
{
    static const double UNIT = 1e-3;
    const double *q = body->orientation;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (fabs(length - 1) <= UNIT) {
        return CRM_OK;
    }
    char place[64];
    snprintf(place, sizeof place, "bodies[%zu].orientation", i + 1);
    return crm_fail(error, CRM_ERROR_MODEL, place,
                    "orientation is %g long, must be a quaternion w, x, y, z of length 1 (up to "
                    "%g)",
                    length, UNIT);
}

static crm_status check_measures(const crm_body_def *body, size_t i, crm_error *error)
{
    switch (body->shape) {
    case CRM_SHAPE_SPHERE:
        return crm_ranges_check(CRM_DATUM_RADIUS, body->radius, "bodies[%zu].radius", i + 1, error);
    case CRM_SHAPE_ROD:
        return check_rod(body, i, error);
    case CRM_SHAPE_BOX:
        return check_vector(CRM_DATUM_LENGTH, body->size, 2, "bodies", "size", i, error);
    case CRM_SHAPE_ELLIPSE:
        return check_vector(CRM_DATUM_LENGTH, body->semi_axes, 2, "bodies", "semi_axes", i, error);
    default:
        return check_vector(CRM_DATUM_LENGTH, body->semi_axes, 3, "bodies", "semi_axes", i, error);
    }
}

/* Orientation and moment of inertia. */
static crm_status check_turning(const crm_body_def *body, unsigned sphere_turns, size_t i,
                                crm_error *error)
{
    if (body->shape == CRM_SHAPE_ELLIPSOID) {
        return check_orientation(body, i, error);
    }
    if (body->shape != CRM_SHAPE_SPHERE && !isfinite(body->angle)) {
        return fail_body(i, "angle", body->angle, "a finite number", error);
    }
    return crm_body_turns(body, sphere_turns) > 0 && !isnan(body->inertia)
               ? crm_ranges_check(CRM_DATUM_INERTIA, body->inertia, "bodies[%zu].inertia", i + 1,
                                  error)
               : CRM_OK;
}

static crm_status check_shape(const crm_bodies_def *def, unsigned sphere_turns, size_t i,
                              crm_error *error)
{
    const crm_body_def *body = &def->bodies[i];
    char place[64];
    snprintf(place, sizeof place, "bodies[%zu].shape", i + 1);
    crm_status status =
        crm_ranges_check_choice((unsigned)body->shape, CRM_SHAPE_ELLIPSOID + 1, place, error);
    status = status == CRM_OK ? check_dimension(def, i, error) : status;
    status = status == CRM_OK ? check_measures(body, i, error) : status;
    return status == CRM_OK ? check_turning(body, sphere_turns, i, error) : status;
}

static crm_status check_body(const crm_bodies_def *def, unsigned sphere_turns, size_t i,
                             crm_error *error)
{
    const crm_body_def *body = &def->bodies[i];
    crm_status status = check_shape(def, sphere_turns, i, error);
    if (status == CRM_OK && !isnan(body->mass)) {
        status = crm_ranges_check(CRM_DATUM_MASS, body->mass, "bodies[%zu].mass", i + 1, error);
    }
    if (status == CRM_OK) {
        status = crm_ranges_check_material(body->material, "bodies[%zu].material", i + 1, error);
    }
    return status == CRM_OK ? check_vector(CRM_DATUM_POSITION, body->position, def->dimension,
                                           "bodies", "position", i, error)
                            : status;
}

static crm_status check_normal(const crm_bodies_def *def, size_t k, crm_error *error)
{
    const double *normal = def->walls[k].normal;
    crm_status status =
        check_vector(CRM_DATUM_NORMAL, normal, def->dimension, "walls", "normal", k, error);
    double length = sqrt(crm_bodies_dot(normal, normal, def->dimension));
    if (status == CRM_OK && !(length >= NORMAL_LEAST)) {
        char place[64];
        snprintf(place, sizeof place, "walls[%zu].normal", k + 1);
        status = crm_fail(error, CRM_ERROR_MODEL, place,
                          "normal is %g long, must point into the free side of the wall, with a "
                          "length from %g to 1e30",
                          length, NORMAL_LEAST);
    }
    return status;
}

static crm_status check_wall(const crm_bodies_def *def, size_t k, crm_error *error)
{
    const crm_wall_def *wall = &def->walls[k];
    crm_status status =
        check_vector(CRM_DATUM_POSITION, wall->point, def->dimension, "walls", "point", k, error);
    if (status == CRM_OK) {
        status = check_normal(def, k, error);
    }
    if (status == CRM_OK) {
        status = crm_ranges_check_material(wall->material, "walls[%zu].material", k + 1, error);
    }
    return status == CRM_OK ? check_vector(CRM_DATUM_VELOCITY, wall->velocity, def->dimension,
                                           "walls", "velocity", k, error)
                            : status;
}

enum { CONTACT_DATA = 5 };

static crm_status check_contact(const crm_contact_def *contact,
                                const char *const places[CONTACT_DATA], size_t index,
                                crm_error *error)
{
    const crm_datum data[CONTACT_DATA] = {CRM_DATUM_STIFFNESS, CRM_DATUM_EXPONENT,
                                          CRM_DATUM_RESTITUTION, CRM_DATUM_STORED_ENERGY,
                                          CRM_DATUM_FRICTION};
    const double values[CONTACT_DATA] = {contact->stiffness, contact->exponent,
                                         contact->restitution, contact->stored_energy,
                                         contact->friction};
    for (size_t k = 0; k < CONTACT_DATA; k++) {
        crm_status status = isnan(values[k])
                                ? CRM_OK
                                : crm_ranges_check(data[k], values[k], places[k], index, error);
        if (status != CRM_OK) {
            return status;
        }
    }
    return CRM_OK;
}

static crm_status check_pairs(const crm_bodies_def *def, crm_error *error)
{
    static const char *const places[] = {"pairs[%zu].stiffness", "pairs[%zu].exponent",
                                         "pairs[%zu].restitution", "pairs[%zu].energy",
                                         "pairs[%zu].friction"};
    size_t parties = def->body_count + def->wall_count;
    for (size_t k = 0; k < def->pair_count; k++) {
        const crm_pair_def *pair = &def->pairs[k];
        bool walls = pair->first >= def->body_count && pair->second >= def->body_count;
        if (pair->first >= parties || pair->second >= parties || pair->first == pair->second ||
            walls) {
            char place[64];
            snprintf(place, sizeof place, "pairs[%zu].between", k + 1);
            return crm_fail(error, CRM_ERROR_MODEL, place,
                            "a pair must name two different bodies, or a body and a wall");
        }
        crm_status status = check_contact(&pair->contact, places, k + 1, error);
        if (status != CRM_OK) {
            return status;
        }
    }
    return def->pair_count > 0 ? crm_bodies_check_pairs(def, error) : CRM_OK;
}

static bool anything_moves(const crm_bodies_def *def)
{
    for (size_t i = 0; i < def->body_count; i++) {
        if (!def->bodies[i].fixed) {
            return true;
        }
    }
    return false;
}

/* Of what all contacts have in common. */
static crm_status check_contacts(const crm_bodies_def *def, crm_error *error)
{
    static const char *const places[] = {"contacts.stiffness", "contacts.exponent",
                                         "contacts.restitution", "contacts.energy",
                                         "contacts.friction"};
    crm_status status = check_contact(&def->contact, places, 0, error);
    for (size_t k = 0; status == CRM_OK && k < def->material_friction_count; k++) {
        status = crm_ranges_check(CRM_DATUM_FRICTION, def->material_friction[k].friction,
                                  "material_friction[%zu].friction", k + 1, error);
    }
    return status;
}

/* Of what is asked for anywhere, to be given as the place. */
static const char *find_friction(const crm_bodies_def *def, char *place, size_t size)
{
    for (size_t k = 0; k < def->pair_count && !(def->contact.friction > 0); k++) {
        if (def->pairs[k].contact.friction > 0) {
            snprintf(place, size, "pairs[%zu].friction", k + 1);
            return place;
        }
    }
    return def->contact.friction > 0 || def->friction_of_materials ? "contacts.friction" : NULL;
}

static crm_status refuse_friction_in_line(const crm_bodies_def *def, crm_error *error)
{
    char place[64];
    const char *found = find_friction(def, place, sizeof place);
    return def->dimension == 1 && found != NULL
               ? crm_fail(error, CRM_ERROR_MODEL, found,
                          "there is no friction on a line, where nothing can slip: give bodies "
                          "positions in the plane or in space")
               : CRM_OK;
}

crm_status crm_bodies_check(const crm_bodies_def *def, crm_error *error)
{
    if (def->dimension < 1 || def->dimension > 3) {
        return crm_fail(error, CRM_ERROR_MODEL, "bodies",
                        "bodies have %u coordinates, must be 1, 2 or 3", def->dimension);
    }
    if (def->body_count == 0) {
        return crm_fail(error, CRM_ERROR_MODEL, "bodies", "there are no bodies");
    }
    if (def->body_count >= PARTIES_MOST || def->wall_count >= PARTIES_MOST ||
        def->pair_count >= PARTIES_MOST) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "bodies",
                        "more than 2^31 bodies, walls or pairs");
    }
    if (crm_fail_if_null(def->bodies, "bodies", error) ||
        (def->wall_count > 0 && crm_fail_if_null(def->walls, "walls", error)) ||
        (def->pair_count > 0 && crm_fail_if_null(def->pairs, "pairs", error)) ||
        (def->material_friction_count > 0 &&
         crm_fail_if_null(def->material_friction, "material_friction", error))) {
        return CRM_ERROR_ARGUMENT;
    }
    if (!anything_moves(def)) {
        return crm_fail(error, CRM_ERROR_MODEL, "bodies", "every body is fixed: nothing moves");
    }
    if (!(def->tolerance >= 0) || !isfinite(def->tolerance)) {
        return crm_fail(error, CRM_ERROR_MODEL, "contacts.tolerance",
                        "tolerance is %g, must be 0 or positive", def->tolerance);
    }
    crm_status status = check_contacts(def, error);
    unsigned sphere_turns = crm_bodies_sphere_turns(def);
    for (size_t i = 0; status == CRM_OK && i < def->body_count; i++) {
        status = check_body(def, sphere_turns, i, error);
    }
    for (size_t k = 0; status == CRM_OK && k < def->wall_count; k++) {
        status = check_wall(def, k, error);
    }
    status = status == CRM_OK ? check_pairs(def, error) : status;
    return status == CRM_OK ? refuse_friction_in_line(def, error) : status;
}
