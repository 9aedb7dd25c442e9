/* A chain that moves: its balls as bodies on the line. */
#include <math.h>
#include <stdio.h>

#include "model/values.h"
#include "scenario/reader.h"

/* Of balls whose radius is not given: nothing depends on it while they touch at the start. */
static const double RADIUS = 1;

enum { BALL_NAME_SIZE = 32 };

typedef struct line {
    const crm_chain_def *chain;
    crm_body_def *bodies;
    crm_wall_def *wall;
    crm_pair_def *pairs;
    char (*names)[BALL_NAME_SIZE];
} line;

static bool take_memory(crm_reader *reader, line *l)
{
    size_t n = l->chain->count;
    l->bodies = CRM_ARENA_NEW(&reader->scratch, crm_body_def, n);
    l->wall = CRM_ARENA_NEW(&reader->scratch, crm_wall_def, 1);
    l->pairs = CRM_ARENA_NEW(&reader->scratch, crm_pair_def, n);
    l->names = crm_arena_allocate(&reader->scratch, n, sizeof *l->names);
    return l->bodies != NULL && l->wall != NULL && l->pairs != NULL && l->names != NULL;
}

/* From 0 on, each touching the one before but for its gap. */
static void place_balls(const line *l)
{
    const crm_chain_def *chain = l->chain;
    for (size_t i = 0; i < chain->count; i++) {
        crm_body_def *body = &l->bodies[i];
        const crm_material *material = crm_chain_material(chain, i);
        bool dense = material != NULL && material->density > 0;
        double radius = crm_value_at(chain->radius, i), mass = crm_value_at(chain->mass, i);
        bool sized = !isnan(radius);
        snprintf(l->names[i], sizeof l->names[i], "ball %zu", i + 1);
        *body = crm_body_def_default();
        body->name = l->names[i];
        body->radius = sized ? radius : RADIUS;
        body->mass = isnan(mass) && !(sized && dense) ? 1 : mass;
        body->material = sized ? material : NULL;
        if (i > 0) {
            double gap = crm_value_at(chain->gap, i - 1);
            body->position[0] =
                body[-1].position[0] + body[-1].radius + body->radius + (isnan(gap) ? 0 : gap);
        }
    }
}

/* Lists have an entry for every contact between balls. */
static size_t set_pairs(const line *l)
{
    const crm_chain_def *c = l->chain;
    size_t count = 0;
    bool each = c->stiffness.each != NULL || c->exponent.each != NULL ||
                c->restitution.each != NULL || c->stored_energy.each != NULL;
    for (size_t j = 0; each && j + 1 < c->count; j++) {
        l->pairs[count++] = (crm_pair_def){
            .first = j,
            .second = j + 1,
            .contact = {crm_value_at(c->stiffness, j), crm_value_at(c->exponent, j),
                        crm_value_at(c->restitution, j), crm_value_at(c->stored_energy, j)}};
    }
    return count;
}

static void set_wall(const line *l, crm_bodies_def *def)
{
    const crm_chain_def *c = l->chain;
    bool right = c->wall_side == CRM_WALL_RIGHT;
    size_t ball = right ? c->count - 1 : 0;
    const crm_body_def *body = &l->bodies[ball];
    *l->wall = crm_wall_def_default();
    l->wall->name = "wall";
    l->wall->normal[0] = right ? -1 : 1;
    l->wall->point[0] = body->position[0] - l->wall->normal[0] * (body->radius + c->wall_gap);
    l->wall->velocity[0] = c->wall_velocity;
    l->wall->material = c->wall_material != NULL ? c->wall_material : body->material;
    l->pairs[def->pair_count++] =
        (crm_pair_def){.first = ball, .second = c->count, .contact = c->wall};
    def->wall_count = 1;
}

crm_status crm_chain_motion_make(crm_reader *reader, const crm_chain_def *chain)
{
    line l = {.chain = chain};
    crm_scene_def *scene = &reader->motion.scene;
    crm_wall_motion *still = CRM_ARENA_NEW(&reader->scratch, crm_wall_motion, 1);
    if (still == NULL || !take_memory(reader, &l)) {
        return crm_reader_fail_memory(reader);
    }
    place_balls(&l);
    scene->wall_motion = still;
    crm_bodies_def *def = &scene->bodies;
    def->dimension = 1;
    def->pairs_apart = true;
    def->body_count = chain->count;
    def->bodies = l.bodies;
    def->walls = l.wall;
    def->pairs = l.pairs;
    def->contact = (crm_contact_def){chain->stiffness.all,
                                     chain->exponent.all,
                                     chain->restitution.all,
                                     chain->stored_energy.all,
                                     chain->force.all,
                                     chain->compliance,
                                     0};
    def->pair_count = set_pairs(&l);
    if (chain->wall_side != CRM_WALL_NONE) {
        set_wall(&l, def);
    }
    return CRM_OK;
}
