/* Definitions of the C interface from bytes, and what must hold of what is made of them.
 *
 * The first byte says what is defined, the others fill its fields in turn (feed.h). What is then
 * done with a model, a complementarity problem or a motion is the target's (feed_uses): reading is
 * quick and gets very many inputs, solving and moving are slow.
 */
#ifndef CAROM_TEST_DEFINITIONS_H
#define CAROM_TEST_DEFINITIONS_H

#include "feed.h"

/* What a motion may go through. */
enum { FEED_IMPACTS = 20 };

typedef struct feed_uses {
    void (*model)(feed *f, crm_model *model);
    void (*lcp)(feed *f, crm_lcp *lcp);
    void (*motion)(feed *f, crm_motion *motion, const crm_motion_options *options);
} feed_uses;

/* ---- What must hold of an answer ------------------------------------------------------------ */

static void feed_require(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* An object, or a status that the error has, too, and a message. */
static bool feed_answered(crm_status status, const void *object, const crm_error *error)
{
    feed_require((status == CRM_OK) == (object != NULL));
    feed_require(status == CRM_OK || (error->status == status && error->message[0] != '\0'));
    return status == CRM_OK;
}

/* All that can be read of a model. */
static void feed_read_model(feed *f, const crm_model *model)
{
    char text[16];
    size_t contacts = crm_model_contacts(model);
    double *v = feed_block(f, crm_model_coordinates(model), sizeof *v);
    double *u = feed_block(f, contacts, sizeof *u);
    if (v == NULL || u == NULL) {
        return;
    }
    crm_model_gap_velocity(model, v, u);
    feed_require(crm_model_kinetic_energy(model, v) == 0);
    for (size_t j = 0; j < contacts; j++) {
        crm_model_party_name(model, j, 0, text, sizeof text);
        feed_require(crm_model_stiffness(model)[j] > 0 && crm_model_exponent(model)[j] > 0);
    }
}

/* All that can be read of a motion. */
static void feed_read_motion(feed *f, const crm_motion *motion)
{
    double *q = feed_block(f, crm_motion_positions(motion), sizeof *q);
    double *v = feed_block(f, crm_motion_velocities(motion), sizeof *v);
    if (q != NULL && v != NULL) {
        crm_motion_read(motion, q, v);
    }
    crm_motion_summarize(motion);
}

static void feed_end_model(feed *f, const feed_uses *uses, crm_status status, crm_model *model,
                           const crm_error *error)
{
    if (feed_answered(status, model, error)) {
        feed_read_model(f, model);
        uses->model(f, model);
    }
    crm_model_free(model);
}
/* ---- Definitions ---------------------------------------------------------------------------- */

static void feed_system(feed *f, const feed_uses *uses)
{
    crm_error error = {0};
    crm_model *model = NULL;
    crm_system_def def = crm_system_def_default();
    def.coordinates = feed_size(f, 2);
    def.contacts = feed_size(f, 2);
    size_t n = def.coordinates, s = def.contacts;
    bool listed = n <= FEED_ENTRIES && s <= FEED_ENTRIES;
    def.mass_diagonal = feed_list(f, n, 1);
    def.mass_dense = listed ? feed_list(f, n * n, 0.25) : NULL;
    def.mass_sparse = feed_sparse(f, n);
    def.w_dense = listed ? feed_list(f, n * s, 1) : NULL;
    def.w_sparse = feed_sparse(f, s);
    def.stiffness = feed_list(f, s, 1);
    def.exponent = feed_list(f, s, 1.5);
    def.restitution = feed_list(f, s, 1);
    def.stored_energy = feed_list(f, s, 0);
    def.boundary_velocity = feed_list(f, s, 0);
    def.coordinate_names = feed_names(f, n);
    def.contact_names = feed_names(f, s);
    crm_status status = crm_model_from_system(&def, &model, &error);
    feed_end_model(f, uses, status, model, &error);
}

static void feed_chain(feed *f, const feed_uses *uses)
{
    crm_error error = {0};
    crm_model *model = NULL;
    crm_chain_def def = crm_chain_def_default();
    def.count = feed_size(f, 3);
    size_t between = def.count > 0 ? def.count - 1 : 0;
    def.mass = feed_values(f, def.count, def.mass);
    def.radius = feed_values(f, def.count, def.radius);
    def.material = feed_material(f);
    def.stiffness = feed_values(f, between, def.stiffness);
    def.exponent = feed_values(f, between, def.exponent);
    def.restitution = feed_values(f, between, def.restitution);
    def.stored_energy = feed_values(f, between, def.stored_energy);
    def.wall_side = (crm_wall_side)feed_choice(f, 3);
    def.wall = feed_contact(f);
    def.wall_material = feed_material(f);
    def.wall_velocity = feed_number(f, def.wall_velocity);
    crm_status status = crm_model_from_chain(&def, &model, &error);
    feed_end_model(f, uses, status, model, &error);
}

static const crm_projectile_def *feed_projectile(feed *f)
{
    crm_projectile_def *projectile = feed_yes(f) ? feed_block(f, 1, sizeof *projectile) : NULL;
    if (projectile != NULL) {
        *projectile = crm_projectile_def_default();
        feed_numbers(f, 2, projectile->over);
        projectile->radius = feed_number(f, projectile->radius);
        projectile->mass = feed_number(f, projectile->mass);
        projectile->material = feed_material(f);
        projectile->contact = feed_contact(f);
    }
    return projectile;
}

static void feed_packing(feed *f, const feed_uses *uses)
{
    crm_error error = {0};
    crm_model *model = NULL;
    crm_packing_def def = crm_packing_def_default();
    def.lattice = (crm_lattice)feed_choice(f, 4);
    def.columns = feed_size(f, 3);
    def.rows = feed_size(f, 2);
    def.layers = feed_size(f, 2);
    size_t balls = crm_packing_balls(&def), between = crm_packing_contacts(&def);
    def.mass = feed_values(f, balls, def.mass);
    def.radius = feed_number(f, def.radius);
    def.material = feed_material(f);
    def.stiffness = feed_values(f, between, def.stiffness);
    def.exponent = feed_values(f, between, def.exponent);
    def.restitution = feed_values(f, between, def.restitution);
    def.stored_energy = feed_values(f, between, def.stored_energy);
    def.walls = (crm_packing_walls)feed_choice(f, 3);
    def.wall = feed_contact(f);
    def.wall_material = feed_material(f);
    def.projectile = feed_projectile(f);
    crm_status status = crm_model_from_packing(&def, &model, &error);
    feed_end_model(f, uses, status, model, &error);
}

/* By default side by side along x: bodies of radius 1 touch. */
static crm_body_def feed_body(feed *f, size_t index)
{
    crm_body_def body = crm_body_def_default();
    body.shape = (crm_shape)feed_choice(f, 5);
    body.name = feed_name(f);
    body.radius = feed_number(f, body.shape == CRM_SHAPE_SPHERE ? 1 : body.radius);
    body.mass = feed_number(f, 1);
    body.material = feed_material(f);
    body.position[0] = 2.0 * (double)index;
    feed_numbers(f, 3, body.position);
    body.length = feed_number(f, 2);
    body.size[0] = body.size[1] = 2;
    feed_numbers(f, 2, body.size);
    body.semi_axes[0] = body.semi_axes[1] = body.semi_axes[2] = 1;
    feed_numbers(f, 3, body.semi_axes);
    body.angle = feed_number(f, body.angle);
    feed_numbers(f, 4, body.orientation);
    body.inertia = feed_number(f, body.inertia);
    body.fixed = feed_yes(f);
    return body;
}

static crm_wall_def feed_wall(feed *f)
{
    crm_wall_def wall = crm_wall_def_default();
    wall.name = feed_name(f);
    wall.point[0] = -1;
    feed_numbers(f, 3, wall.point);
    wall.normal[0] = 1;
    feed_numbers(f, 3, wall.normal);
    feed_numbers(f, 3, wall.velocity);
    wall.material = feed_material(f);
    return wall;
}

static crm_bodies_def feed_bodies_def(feed *f)
{
    crm_bodies_def def = crm_bodies_def_default();
    def.dimension = (unsigned)feed_choice(f, 3) + 1;
    def.body_count = feed_size(f, 2);
    def.wall_count = feed_size(f, 1);
    def.pair_count = feed_size(f, 0);
    crm_body_def *bodies = feed_block(f, def.body_count, sizeof *bodies);
    crm_wall_def *walls = feed_block(f, def.wall_count, sizeof *walls);
    crm_pair_def *pairs = feed_block(f, def.pair_count, sizeof *pairs);
    for (size_t i = 0; bodies != NULL && i < def.body_count; i++) {
        bodies[i] = feed_body(f, i);
    }
    for (size_t k = 0; walls != NULL && k < def.wall_count; k++) {
        walls[k] = feed_wall(f);
    }
    for (size_t k = 0; pairs != NULL && k < def.pair_count; k++) {
        pairs[k].first = feed_size(f, 0);
        pairs[k].second = feed_size(f, 1);
        pairs[k].contact = feed_contact(f);
    }
    def.bodies = bodies;
    def.walls = walls;
    def.pairs = pairs;
    def.contact = feed_contact(f);
    def.tolerance = feed_number(f, def.tolerance);
    return def;
}

static void feed_bodies(feed *f, const feed_uses *uses)
{
    crm_error error = {0};
    crm_model *model = NULL;
    crm_bodies_def def = feed_bodies_def(f);
    crm_status status = crm_model_from_bodies(&def, &model, &error);
    feed_end_model(f, uses, status, model, &error);
}
/* ---- Complementarity ------------------------------------------------------------------------ */

/* A'A of any numbers: what passes the checks as long as they are finite. */
static const crm_sparse_view *feed_gram(feed *f, size_t size)
{
    double a[FEED_ENTRIES][FEED_ENTRIES] = {0};
    crm_sparse_view *view = feed_block(f, 1, sizeof *view);
    size_t *start = feed_block(f, size + 1, sizeof *start);
    uint32_t *row = feed_block(f, size * size, sizeof *row);
    double *value = feed_block(f, size * size, sizeof *value);
    if (view == NULL || start == NULL || row == NULL || value == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < size; i++) {
        a[i][i] = 1;
        feed_numbers(f, size, a[i]);
    }
    for (size_t j = 0; j < size; j++) {
        start[j + 1] = (j + 1) * size;
        for (size_t i = 0; i < size; i++) {
            row[j * size + i] = (uint32_t)i;
            for (size_t k = 0; k < size; k++) {
                value[j * size + i] += a[k][i] * a[k][j];
            }
        }
    }
    *view = (crm_sparse_view){.column_start = start, .row = row, .value = value};
    return view;
}

static void feed_lcp(feed *f, const feed_uses *uses)
{
    crm_error error = {0};
    crm_lcp *lcp = NULL;
    size_t size = feed_size(f, 2);
    bool gram = feed_yes(f) && size <= FEED_ENTRIES;
    const crm_sparse_view *d = gram ? feed_gram(f, size) : feed_sparse(f, size);
    crm_status status = crm_lcp_create(size, d, &lcp, &error);
    if (feed_answered(status, lcp, &error)) {
        uses->lcp(f, lcp);
    }
    crm_lcp_free(lcp);
}
/* ---- Motions -------------------------------------------------------------------------------- */

static void feed_scene_springs(feed *f, crm_scene_def *def)
{
    def->spring_count = feed_size(f, 0);
    def->suspended_count = feed_size(f, 0);
    crm_spring_def *springs = feed_block(f, def->spring_count, sizeof *springs);
    crm_suspension *suspended = feed_block(f, def->suspended_count, sizeof *suspended);
    for (size_t k = 0; springs != NULL && k < def->spring_count; k++) {
        springs[k].first = feed_size(f, 0);
        springs[k].second = feed_size(f, SIZE_MAX);
        feed_numbers(f, 3, springs[k].point);
        springs[k].stiffness = feed_number(f, 1);
        springs[k].damping = feed_number(f, 0);
        springs[k].length = feed_number(f, 1);
    }
    for (size_t k = 0; suspended != NULL && k < def->suspended_count; k++) {
        suspended[k].body = feed_size(f, k);
        suspended[k].from[0] = 2.0 * (double)k;
        feed_numbers(f, 2, suspended[k].from);
        suspended[k].length = feed_number(f, 1);
        suspended[k].angle = feed_number(f, 0);
        suspended[k].spin = feed_number(f, 0);
    }
    def->springs = springs;
    def->suspended = suspended;
}

static crm_scene_def feed_scene_def(feed *f)
{
    enum { OF_ONE = 6 }; /* velocities that a body may have */
    crm_scene_def def = crm_scene_def_default();
    def.bodies = feed_bodies_def(f);
    size_t count = def.bodies.body_count;
    def.velocity = count <= FEED_ENTRIES ? feed_list(f, OF_ONE * count, 0) : NULL;
    if (feed_yes(f)) {
        crm_wall_motion *motions = feed_block(f, def.bodies.wall_count, sizeof *motions);
        for (size_t k = 0; motions != NULL && k < def.bodies.wall_count; k++) {
            motions[k].amplitude = feed_number(f, 0.1);
            motions[k].frequency = feed_number(f, 1);
            motions[k].phase = feed_number(f, 0);
        }
        def.wall_motion = motions;
    }
    feed_numbers(f, 3, def.gravity);
    feed_scene_springs(f, &def);
    return def;
}

static crm_motion_options feed_motion_options(feed *f)
{
    crm_motion_options options = crm_motion_options_default();
    options.scheme = (crm_motion_scheme)feed_choice(f, 2);
    options.tolerance = feed_number(f, options.tolerance);
    options.step = feed_number(f, 0.1);
    options.closure_kind = (crm_closure)feed_choice(f, 2);
    options.closure = feed_number(f, options.closure);
    options.stop_at_rest = feed_yes(f);
    options.stop_impacts = FEED_IMPACTS;
    return options;
}

static void feed_scene(feed *f, const feed_uses *uses)
{
    static const char *const laws[] = {"moreau", "newton", "binary"};
    crm_error error = {0};
    crm_motion *motion = NULL;
    crm_settings *law = NULL;
    unsigned which = feed_byte(f) % 4;
    if (which > 0) {
        crm_settings_create(crm_law_find(laws[which - 1]), &law, &error);
    }
    crm_scene_def def = feed_scene_def(f);
    crm_motion_options options = feed_motion_options(f);
    options.law = law;
    crm_status status = crm_motion_from_scene(&def, &options, &motion, &error);
    if (feed_answered(status, motion, &error)) {
        feed_read_motion(f, motion);
        uses->motion(f, motion, &options);
    }
    crm_motion_free(motion);
    crm_settings_free(law);
}
/* ---- One input ------------------------------------------------------------------------------ */

static void feed_one(const uint8_t *data, size_t size, const feed_uses *uses)
{
    static void (*const kinds[])(feed *, const feed_uses *) = {
        feed_system, feed_chain, feed_bodies, feed_packing, feed_scene, feed_lcp};
    feed f = {.at = data, .end = data + size};
    kinds[feed_byte(&f) % (sizeof kinds / sizeof kinds[0])](&f, uses);
    feed_free(&f);
}

#endif
