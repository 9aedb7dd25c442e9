/* Hashes of the parts of a motion's definition, by which an archive is known to belong to it.
 *
 * Names are left out, and whatever else does not affect the motion.
 */
#include "model/compliance/compliance.h"
#include "motion/archive.h"

/* ---- Scenes ---------------------------------------------------------------------------------- */

/* A curve or rule is known by its values. */
enum { VALUES = 16 };
static const double FIRST = 1e-8, APART = 10;

static void list_rules(crm_archive *a, const crm_compliance *c)
{
    double values[3 * VALUES] = {0}, at = FIRST;
    for (size_t k = 0; k < VALUES; k++, at *= APART) {
        values[k] = c->loading != NULL ? crm_curve_force(c->loading, at) : 0;
        values[VALUES + k] = c->unloading != NULL ? crm_curve_force(c->unloading, at) : 0;
        values[2 * VALUES + k] =
            c->restitution != NULL ? crm_restitution_after(c->restitution, at, 1) : 0;
    }
    crm_archive_fixed_numbers(a, values, 3 * VALUES);
}

static void list_contact(crm_archive *a, const crm_contact_def *contact)
{
    const double values[] = {contact->stiffness, contact->exponent, contact->restitution,
                             contact->stored_energy};
    crm_archive_fixed_numbers(a, values, sizeof values / sizeof values[0]);
    if (contact->compliance.made != NULL) {
        list_rules(a, contact->compliance.made);
    }
}

static void list_material(crm_archive *a, const crm_material *material)
{
    crm_archive_fixed_count(a, material != NULL);
    if (material != NULL) {
        const double values[] = {material->young, material->poisson, material->density};
        crm_archive_fixed_numbers(a, values, sizeof values / sizeof values[0]);
    }
}

static void list_bodies(crm_archive *a, const void *of)
{
    const crm_bodies_def *def = of;
    crm_archive_fixed_count(a, def->dimension);
    crm_archive_fixed_count(a, def->body_count);
    for (size_t i = 0; i < def->body_count; i++) {
        const crm_body_def *body = &def->bodies[i];
        const double values[] = {body->radius, body->mass, body->length, body->angle,
                                 body->inertia};
        size_t sides = body->shape == CRM_SHAPE_BOX ? 2 : 0;
        size_t axes = body->shape == CRM_SHAPE_ELLIPSE     ? 2
                      : body->shape == CRM_SHAPE_ELLIPSOID ? 3
                                                           : 0;
        crm_archive_fixed_count(a, body->shape);
        crm_archive_fixed_count(a, body->fixed);
        crm_archive_fixed_numbers(a, values, sizeof values / sizeof values[0]);
        crm_archive_fixed_numbers(a, body->size, sides);
        crm_archive_fixed_numbers(a, body->semi_axes, axes);
        crm_archive_fixed_numbers(a, body->orientation, axes == 3 ? 4 : 0);
        crm_archive_fixed_numbers(a, body->position, def->dimension);
        list_material(a, body->material);
    }
}

static void list_walls(crm_archive *a, const void *of)
{
    const crm_scene_def *scene = of;
    const crm_bodies_def *def = &scene->bodies;
    crm_archive_fixed_count(a, def->wall_count);
    for (size_t k = 0; k < def->wall_count; k++) {
        const crm_wall_def *wall = &def->walls[k];
        crm_archive_fixed_numbers(a, wall->point, def->dimension);
        crm_archive_fixed_numbers(a, wall->normal, def->dimension);
        crm_archive_fixed_numbers(a, wall->velocity, def->dimension);
        list_material(a, wall->material);
        if (scene->wall_motion != NULL) {
            const crm_wall_motion *swing = &scene->wall_motion[k];
            const double values[] = {swing->amplitude, swing->frequency, swing->phase};
            crm_archive_fixed_numbers(a, values, sizeof values / sizeof values[0]);
        }
    }
}

static void list_contacts(crm_archive *a, const void *of)
{
    const crm_bodies_def *def = of;
    list_contact(a, &def->contact);
    crm_archive_fixed_numbers(a, &def->tolerance, 1);
    for (size_t k = 0; k < def->pair_count; k++) {
        crm_archive_fixed_count(a, def->pairs[k].first);
        crm_archive_fixed_count(a, def->pairs[k].second);
        list_contact(a, &def->pairs[k].contact);
    }
}

static void list_suspended(crm_archive *a, const void *of)
{
    const crm_scene_def *scene = of;
    for (size_t k = 0; k < scene->suspended_count; k++) {
        const crm_suspension *bob = &scene->suspended[k];
        const double values[] = {bob->from[0], bob->from[1], bob->length, bob->angle, bob->spin};
        crm_archive_fixed_count(a, bob->body);
        crm_archive_fixed_numbers(a, values, sizeof values / sizeof values[0]);
    }
}

static void list_springs(crm_archive *a, const void *of)
{
    const crm_scene_def *scene = of;
    for (size_t k = 0; k < scene->spring_count; k++) {
        const crm_spring_def *spring = &scene->springs[k];
        const double values[] = {spring->stiffness, spring->damping, spring->length};
        bool fixed = spring->second == SIZE_MAX;
        crm_archive_fixed_count(a, spring->first);
        crm_archive_fixed_count(a, spring->second);
        crm_archive_fixed_numbers(a, spring->point, fixed ? scene->bodies.dimension : 0);
        crm_archive_fixed_numbers(a, values, sizeof values / sizeof values[0]);
    }
}

static void list_gravity(crm_archive *a, const void *of)
{
    const crm_scene_def *scene = of;
    crm_archive_fixed_numbers(a, scene->gravity, scene->bodies.dimension);
}

/* ---- Velocities ------------------------------------------------------------------------------ */

typedef struct numbers {
    size_t count;
    const double *values;
} numbers;

static void list_numbers(crm_archive *a, const void *of)
{
    const numbers *n = of;
    crm_archive_fixed_numbers(a, n->values, n->values != NULL ? n->count : 0);
}

void crm_motion_hash_scene(crm_motion *motion, const crm_scene_def *def)
{
    uint64_t *part = motion->part;
    const numbers velocity = {motion->velocities, def->velocity};
    part[CRM_PART_SYSTEM] = 0; /* a scene consists of the other parts */
    part[CRM_PART_BODIES] = crm_archive_hash(list_bodies, &def->bodies);
    part[CRM_PART_WALLS] = crm_archive_hash(list_walls, def);
    part[CRM_PART_CONTACTS] = crm_archive_hash(list_contacts, &def->bodies);
    part[CRM_PART_SUSPENDED] = crm_archive_hash(list_suspended, def);
    part[CRM_PART_SPRINGS] = crm_archive_hash(list_springs, def);
    part[CRM_PART_GRAVITY] = crm_archive_hash(list_gravity, def);
    part[CRM_PART_VELOCITY] = crm_archive_hash(list_numbers, &velocity);
}

/* ---- Lagrangian systems ---------------------------------------------------------------------- */

static void list_system(crm_archive *a, const void *of)
{
    const crm_lagrangian_def *def = of;
    const double *const each[] = {def->stiffness, def->exponent, def->restitution};
    const double values[] = {def->start, def->size};
    crm_archive_fixed_count(a, def->positions);
    crm_archive_fixed_count(a, def->velocities);
    crm_archive_fixed_count(a, def->gaps);
    crm_archive_fixed_count(a, def->gaps_move);
    crm_archive_fixed_numbers(a, values, sizeof values / sizeof values[0]);
    crm_archive_fixed_numbers(a, def->position, def->positions);
    for (size_t k = 0; k < sizeof each / sizeof each[0]; k++) {
        crm_archive_fixed_count(a, each[k] != NULL);
        crm_archive_fixed_numbers(a, each[k], each[k] != NULL ? def->gaps : 0);
    }
}

void crm_motion_hash_system(crm_motion *motion, const crm_lagrangian_def *def)
{
    const numbers velocity = {def->velocities, def->velocity};
    motion->part[CRM_PART_SYSTEM] = crm_archive_hash(list_system, def);
    motion->part[CRM_PART_VELOCITY] = crm_archive_hash(list_numbers, &velocity);
}

typedef struct rules {
    const crm_compliance *const *of; /* NULL: none */
    size_t count;
} rules;

static void list_rules_of_gaps(crm_archive *a, const void *of)
{
    const rules *r = of;
    for (size_t j = 0; r->of != NULL && j < r->count; j++) {
        crm_archive_fixed_count(a, j);
        if (r->of[j] != NULL) {
            list_rules(a, r->of[j]);
        }
    }
}

void crm_motion_hash_rules(crm_motion *motion, const crm_compliance *const *of, size_t gaps)
{
    const rules r = {of, gaps};
    motion->part[CRM_PART_CONTACTS] = of != NULL ? crm_archive_hash(list_rules_of_gaps, &r) : 0;
}
