/* One body: its shape, place and motion. */
#include <stdio.h>

#include "scenario/block/bodies/bodies.h"

enum { CRM_BODY_FIELDS(CRM_FIELD_INDEX) BODY_FIELDS };

crm_status crm_body_read_name(crm_reader *reader, const crm_node *node, size_t index,
                              crm_names *names, const char **name)
{
    if (node == NULL) {
        return CRM_OK;
    }
    crm_status status = crm_reader_name(reader, node, name);
    if (status == CRM_OK) {
        names->sorted[names->count++] = (crm_name){.text = *name, .index = index, .node = node};
    }
    return status;
}

/* ---- Shapes ------------------------------------------------------------------------------- */

enum { SHAPE_SPHERE, SHAPE_DISC, SHAPE_ROD, SHAPE_BOX, SHAPE_ELLIPSE, SHAPE_ELLIPSOID, SHAPES };

static const char *const shapes[SHAPES] = {"sphere", "disc", "rod", "box", "ellipse", "ellipsoid"};

static const crm_shape shape_of[SHAPES] = {CRM_SHAPE_SPHERE,  CRM_SHAPE_SPHERE,
                                           CRM_SHAPE_ROD,     CRM_SHAPE_BOX,
                                           CRM_SHAPE_ELLIPSE, CRM_SHAPE_ELLIPSOID};

static crm_status refuse_if_given(crm_reader *reader, const crm_node *const *fields,
                                  const size_t *which, size_t count, const char *why)
{
    for (size_t i = 0; i < count; i++) {
        if (fields[which[i]] != NULL) {
            return crm_reader_fail(reader, fields[which[i]], "%s", why);
        }
    }
    return CRM_OK;
}

/* What only some shapes have: one bit per shape. */
#define HAS(shape) (1U << SHAPE_##shape)
static const struct {
    size_t field;
    const char *name;
    unsigned shapes, needed;
} measures[] = {
    {BODY_RADIUS, "radius", HAS(SPHERE) | HAS(DISC) | HAS(ROD), HAS(SPHERE) | HAS(DISC)},
    {BODY_LENGTH, "length", HAS(ROD), HAS(ROD)},
    {BODY_SIZE, "size", HAS(BOX), HAS(BOX)},
    {BODY_SEMI_AXES, "semi_axes", HAS(ELLIPSE) | HAS(ELLIPSOID), HAS(ELLIPSE) | HAS(ELLIPSOID)},
    {BODY_ORIENTATION, "orientation", HAS(ELLIPSOID), 0},
    {BODY_INERTIA, "inertia", HAS(ROD) | HAS(BOX) | HAS(ELLIPSE) | HAS(SPHERE) | HAS(DISC), 0},
};
#undef HAS

static bool is_round(size_t shape)
{
    return shape == SHAPE_SPHERE || shape == SHAPE_DISC;
}

/* Without friction nothing turns a round body, and a disc strikes like a sphere. A bob has an angle
 * and a spin of its own.
 */
static crm_status check_turning(crm_reader *reader, const crm_node *const *fields, size_t shape)
{
    static const size_t turning[] = {BODY_ANGLE, BODY_SPIN, BODY_INERTIA};
    char why[96];
    if (is_round(shape) && fields[BODY_SUSPENDED] == NULL) {
        bool turns = reader->sphere_turns > 0;
        snprintf(why, sizeof why, "has no meaning for a %s%s", shapes[shape],
                 turns ? ", which looks the same at any angle" : " without friction");
        return refuse_if_given(reader, fields, turning, turns ? 1 : CRM_COUNT(turning), why);
    }
    return shape == SHAPE_ELLIPSOID
               ? refuse_if_given(reader, fields, turning, 1,
                                 "is for the plane; an ellipsoid has orientation: [w, x, y, z]")
               : CRM_OK;
}

static crm_status check_measures(crm_reader *reader, const crm_node *node,
                                 const crm_node *const *fields, size_t shape)
{
    crm_status status = CRM_OK;
    for (size_t i = 0; i < CRM_COUNT(measures) && status == CRM_OK; i++) {
        size_t field = measures[i].field;
        if (fields[field] == NULL && (measures[i].needed >> shape & 1U) != 0) {
            status = crm_reader_fail_missing(reader, node, measures[i].name);
        } else if (fields[field] != NULL && (measures[i].shapes >> shape & 1U) == 0) {
            bool vowel = shape == SHAPE_ELLIPSE || shape == SHAPE_ELLIPSOID;
            status = crm_reader_fail(reader, fields[field], "has no meaning for %s %s",
                                     vowel ? "an" : "a", shapes[shape]);
        }
    }
    return status;
}

/* In the plane a density says nothing of a mass, and a stiffness from materials is for spheres. */
static crm_status check_material(crm_reader *reader, const crm_node *const *fields, size_t shape)
{
    static const size_t idle[] = {BODY_MATERIAL};
    char why[96];
    snprintf(why, sizeof why,
             "has no effect on %s %s; give a mass, and a stiffness for its contacts",
             shape == SHAPE_ELLIPSE ? "an" : "a", shapes[shape]);
    return shape == SHAPE_ROD || shape == SHAPE_BOX || shape == SHAPE_ELLIPSE
               ? refuse_if_given(reader, fields, idle, CRM_COUNT(idle), why)
               : CRM_OK;
}

static crm_status read_shape(crm_reader *reader, const crm_node *node,
                             const crm_node *const *fields, crm_body_def *body)
{
    size_t shape = SHAPE_SPHERE;
    crm_status status = CRM_OK;
    if (fields[BODY_SHAPE] != NULL) {
        status = crm_reader_choice(reader, fields[BODY_SHAPE], shapes, SHAPES, &shape);
    }
    if (status != CRM_OK) {
        return status;
    }
    body->shape = shape_of[shape];
    status = check_measures(reader, node, fields, shape);
    status = status == CRM_OK ? check_turning(reader, fields, shape) : status;
    status = status == CRM_OK ? check_material(reader, fields, shape) : status;
    if (status == CRM_OK && shape == SHAPE_DISC && fields[BODY_MASS] == NULL && !body->fixed) {
        status = crm_reader_fail(reader, fields[BODY_SHAPE],
                                 "is disc, whose mass does not follow from a density; give mass");
    }
    return crm_mistakes_pass(reader, status);
}

/* ---- Bobs --------------------------------------------------------------------------------- */

static crm_status check_bob(crm_reader *reader, const crm_node *const *fields, unsigned dimension,
                            const crm_body_def *body)
{
    static const size_t free_only[] = {BODY_POSITION, BODY_VELOCITY};
    const crm_node *node = fields[BODY_SUSPENDED];
    if (!reader->moves) {
        return crm_reader_fail(reader, node, "is for carom simulate; here bodies are free");
    }
    if (dimension != 2 && crm_reader_coordinates_reported(reader)) {
        return CRM_ERROR_MODEL;
    }
    if (dimension != 2) {
        return crm_reader_fail(reader, node,
                               "hangs in the plane, but the first body has %u coordinate%s",
                               dimension, dimension == 1 ? "" : "s");
    }
    if (body->fixed || body->shape != CRM_SHAPE_SPHERE) {
        return crm_reader_fail(reader, node, "is for a sphere or disc that is not fixed");
    }
    return refuse_if_given(reader, fields, free_only, CRM_COUNT(free_only),
                           "is given for a suspended body, which has angle and spin instead");
}

/* Its coordinate is the angle. */
static crm_status read_bob(crm_reader *reader, const crm_node *const *fields, size_t index,
                           unsigned dimension, const crm_body_def *body, double *velocity)
{
    crm_scene_def *scene = &reader->motion.scene;
    crm_suspension bob = {.body = index, .angle = body->angle};
    crm_status status = crm_simulate_read_suspended(reader, fields[BODY_SUSPENDED], &bob);
    if (status == CRM_OK) {
        status = check_bob(reader, fields, dimension, body);
    }
    if (status == CRM_OK && fields[BODY_SPIN] != NULL) {
        status = crm_reader_velocity(reader, fields[BODY_SPIN], 1, &bob.spin);
    }
    if (status == CRM_OK) {
        velocity[0] = bob.spin;
        reader->bobs[scene->suspended_count++] = bob;
    }
    return status;
}

/* ---- Bodies ------------------------------------------------------------------------------- */

static crm_status read_fixed(crm_reader *reader, const crm_node *const *fields, crm_body_def *body)
{
    static const char *const answers[] = {"false", "true"};
    static const size_t motion[] = {BODY_VELOCITY, BODY_SPIN};
    size_t answer = 0;
    if (fields[BODY_FIXED] == NULL) {
        return CRM_OK;
    }
    crm_status status = crm_reader_choice(reader, fields[BODY_FIXED], answers, 2, &answer);
    body->fixed = answer == 1;
    return status == CRM_OK && body->fixed
               ? refuse_if_given(reader, fields, motion, CRM_COUNT(motion),
                                 "is given for a fixed body, which does not move")
               : status;
}

/* Position and velocity; the spin comes after the velocity's `dimension` entries. */
static crm_status read_motion(crm_reader *reader, const crm_node *const *fields, unsigned dimension,
                              crm_body_def *body, double *velocity)
{
    crm_status status = crm_reader_vector(reader, fields[BODY_POSITION], dimension, body->position);
    if (status == CRM_OK) {
        status = crm_reader_velocity(reader, fields[BODY_VELOCITY], dimension, velocity);
    }
    if (status == CRM_OK && fields[BODY_SPIN] != NULL) {
        status =
            crm_reader_velocity(reader, fields[BODY_SPIN],
                                crm_body_turns(body, reader->sphere_turns), &velocity[dimension]);
    }
    return status;
}

static crm_status read_lists(crm_reader *reader, const crm_node *const *fields, crm_body_def *body)
{
    const struct {
        size_t field, count;
        const char *per;
        double *values;
    } lists[] = {
        {BODY_SIZE, 2, "side", body->size},
        {BODY_SEMI_AXES, body->shape == CRM_SHAPE_ELLIPSE ? 2 : 3, "axis", body->semi_axes},
        {BODY_ORIENTATION, 4, "component", body->orientation}};
    crm_status status = CRM_OK;
    for (size_t i = 0; i < CRM_COUNT(lists) && status == CRM_OK; i++) {
        if (fields[lists[i].field] != NULL) {
            status = crm_reader_list(reader, fields[lists[i].field], lists[i].count, lists[i].per,
                                     lists[i].values);
        }
    }
    return status;
}

static crm_status read_body_values(crm_reader *reader, const crm_node *const *fields,
                                   crm_body_def *body)
{
    const struct {
        size_t field;
        double *value;
    } numbers[] = {{BODY_RADIUS, &body->radius},
                   {BODY_MASS, &body->mass},
                   {BODY_LENGTH, &body->length},
                   {BODY_ANGLE, &body->angle},
                   {BODY_INERTIA, &body->inertia}};
    crm_status status = CRM_OK;
    for (size_t i = 0; i < CRM_COUNT(numbers) && status == CRM_OK; i++) {
        if (fields[numbers[i].field] != NULL) {
            status = crm_reader_number(reader, fields[numbers[i].field], numbers[i].value);
        }
    }
    status = status == CRM_OK ? read_lists(reader, fields, body) : status;
    return status == CRM_OK
               ? crm_mistakes_pass(
                     reader, crm_material_read(reader, fields[BODY_MATERIAL], &body->material))
               : status;
}

crm_status crm_body_read(crm_reader *reader, const crm_node *node, size_t index, unsigned dimension,
                         crm_names *names, crm_body_def *body, double *velocity)
{
    const crm_node *fields[BODY_FIELDS];
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_BODY, fields);
    if (status == CRM_OK) {
        status = crm_mistakes_pass(
            reader, crm_body_read_name(reader, fields[BODY_NAME], index, names, &body->name));
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, read_fixed(reader, fields, body));
    }
    size_t mistakes = crm_mistakes_count(reader);
    if (status == CRM_OK) {
        status = read_shape(reader, node, fields, body);
    }
    if (crm_mistakes_count(reader) > mistakes) { /* what depends on the shape is left out */
        fields[BODY_SPIN] = fields[BODY_SIZE] = NULL;
        fields[BODY_SEMI_AXES] = fields[BODY_ORIENTATION] = NULL;
    }
    bool hangs = status == CRM_OK && fields[BODY_SUSPENDED] != NULL;
    if (status == CRM_OK && fields[BODY_POSITION] == NULL && !hangs) {
        status = crm_mistakes_pass(reader, crm_reader_fail_missing(reader, node, "position"));
    }
    if (status == CRM_OK) {
        status = read_body_values(reader, fields, body);
    }
    if (status != CRM_OK) {
        return status;
    }
    return hangs ? read_bob(reader, fields, index, dimension, body, velocity)
                 : read_motion(reader, fields, dimension, body, velocity);
}
