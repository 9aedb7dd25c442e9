/* A group: its part of the scene as a system of its own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion/groups/groups.h"

/* The definition of its scene, and the arrays that it points to. */
typedef struct part {
    crm_scene_def def;
    crm_body_def *body;
    crm_pair_def *pair;
    crm_suspension *string;
    crm_spring_def *spring;
    double *position, *velocity;
} part;

static void release_part(part *p)
{
    free(p->body);
    free(p->pair);
    free(p->string);
    free(p->spring);
    free(p->position);
    free(p->velocity);
}

static bool take_part(const groups_motion *u, size_t count, part *p)
{
    *p = (part){.body = CRM_NEW(crm_body_def, count),
                .pair = CRM_NEW(crm_pair_def, u->flight->pairs), /* pairs may be given twice */
                .string = CRM_NEW(crm_suspension, count),
                .spring = CRM_NEW(crm_spring_def, u->springs),
                .position = CRM_NEW(double, 8 * count),
                .velocity = CRM_NEW(double, 8 * count)};
    return p->body != NULL && p->pair != NULL && p->string != NULL && p->spring != NULL &&
           p->position != NULL && p->velocity != NULL;
}

/* ---- The scene ------------------------------------------------------------------------------- */

static crm_body_def body_def(const groups_motion *u, size_t body)
{
    const flight *f = u->flight;
    const groups_nonflying *nonflying = groups_find_nonflying(u, body);
    crm_body_def def = {.shape = CRM_SHAPE_SPHERE};
    if (nonflying != NULL) {
        def = nonflying->def;
    } else {
        def.fixed = f->mode[body] == FLIGHT_FIXED;
        def.radius = def.fixed ? f->ball[body].radius : groups_reach(u, body);
        def.mass = def.fixed ? NAN : 1 / f->inverse_mass[body];
        memcpy(def.position, f->ball[body].x, sizeof def.position);
    }
    def.name = f->name != NULL ? f->name[body] : NULL;
    def.material = f->material != NULL ? &f->material[body] : NULL;
    return def;
}

/* Index of a party among those of the group; SIZE_MAX: not in it. */
static size_t place_of(const groups_motion *u, const uint32_t *body, size_t count, size_t party)
{
    if (party >= u->bodies) {
        return party < u->bodies + u->walls ? count + party - u->bodies : SIZE_MAX;
    }
    const uint32_t wanted = (uint32_t)party;
    const uint32_t *found = bsearch(&wanted, body, count, sizeof *body, crm_compare_uint32);
    return found != NULL ? (size_t)(found - body) : SIZE_MAX;
}

static void fill_pairs(const groups_motion *u, const uint32_t *body, size_t count, part *p)
{
    const flight *f = u->flight;
    for (size_t k = 0; k < f->pairs; k++) {
        size_t first = place_of(u, body, count, f->pair[k].first);
        size_t second = place_of(u, body, count, f->pair[k].second);
        bool there = first != SIZE_MAX && second != SIZE_MAX;
        bool moves = there && (!p->body[first].fixed || (second < count && !p->body[second].fixed));
        if (moves) {
            p->pair[p->def.bodies.pair_count++] = (crm_pair_def){first, second, f->pair[k].contact};
        }
    }
}

static void fill_springs(const groups_motion *u, const uint32_t *body, size_t count, part *p)
{
    for (size_t k = 0; k < u->springs; k++) {
        crm_spring_def spring = u->spring[k];
        size_t first = place_of(u, body, count, spring.first);
        size_t second =
            spring.second != SIZE_MAX ? place_of(u, body, count, spring.second) : SIZE_MAX;
        bool there = first != SIZE_MAX && (spring.second == SIZE_MAX || second != SIZE_MAX);
        if (there) {
            spring.first = first;
            spring.second = second;
            p->spring[p->def.spring_count++] = spring;
        }
    }
}

static void fill_part(const groups_motion *u, const uint32_t *body, size_t count, part *p)
{
    crm_bodies_def *bodies = &p->def.bodies;
    p->def = crm_scene_def_default();
    *bodies = crm_bodies_def_default();
    bodies->dimension = u->flight->dimension;
    bodies->body_count = count;
    bodies->bodies = p->body;
    bodies->wall_count = u->walls;
    bodies->walls = u->wall;
    bodies->pairs = p->pair;
    bodies->contact = u->flight->contact;
    bodies->tolerance = u->tolerance;
    p->def.wall_motion = u->wall_motion;
    p->def.suspended = p->string;
    p->def.springs = p->spring;
    memcpy(p->def.gravity, u->flight->gravity, sizeof p->def.gravity);
    for (size_t k = 0; k < count; k++) {
        const groups_nonflying *nonflying = groups_find_nonflying(u, body[k]);
        p->body[k] = body_def(u, body[k]);
        if (nonflying != NULL && nonflying->hung) {
            crm_suspension string = nonflying->string;
            string.body = k;
            p->string[p->def.suspended_count++] = string;
        }
    }
    fill_pairs(u, body, count, p);
    fill_springs(u, body, count, p);
}

/* ---- Its state ------------------------------------------------------------------------------- */

static void fill_state(const groups_motion *u, const uint32_t *body, size_t count, part *p)
{
    double *q = p->position, *v = p->velocity;
    for (size_t k = 0; k < count; k++) {
        groups_membership membership = u->membership[body[k]];
        if (membership.group == GROUPS_UNASSIGNED) {
            const groups_unassigned *l = &u->unassigned[membership.place];
            memcpy(q, l->q, l->positions * sizeof *q);
            memcpy(v, l->v, l->velocities * sizeof *v);
            q += l->positions;
            v += l->velocities;
        } else if (membership.group != GROUPS_NONE) {
            const lagrange_motion *m = groups_engine(u->group[membership.group]);
            const scene_system *s = u->group[membership.group]->scene;
            size_t positions = s->body[membership.place].positions;
            size_t velocities = s->body[membership.place].velocities;
            memcpy(q, m->y + s->body[membership.place].position, positions * sizeof *q);
            memcpy(v, m->y + m->positions + s->body[membership.place].velocity,
                   velocities * sizeof *v);
            q += positions;
            v += velocities;
        }
    }
}

/* Impacts are reported, and gaps of former groups recognized, by parties of the whole scene. */
static void name_parties(const groups_motion *u, groups_group *g)
{
    lagrange_motion *m = groups_engine(g);
    for (size_t j = 0; j < m->gaps; j++) {
        for (int side = 0; side < 2; side++) {
            size_t party = m->party[j][side];
            m->party[j][side] = party < g->count ? g->body[party] : party - g->count + u->bodies;
        }
    }
}

static void inherit(const groups_motion *u, groups_group *g)
{
    lagrange_motion *m = groups_engine(g);
    for (size_t k = 0; k < u->groups; k++) {
        bool gave = false;
        for (size_t i = 0; i < g->count; i++) {
            gave |= u->membership[g->body[i]].group == k;
        }
        if (gave) {
            lagrange_inherit(m, groups_engine(u->group[k]));
        }
    }
    m->def.start = fmin(m->def.start, 0);
    m->largest_speed =
        fmax(m->largest_speed,
             u->flight->largest_speed); /* rest is relative to the largest speed so far */
}

crm_status groups_group_create(groups_motion *u, const uint32_t *body, size_t count, double t,
                               groups_group **made, crm_error *error)
{
    part p;
    groups_group *g = CRM_NEW(groups_group, 1);
    bool taken = take_part(u, count, &p);
    crm_status status = crm_fail_memory(error);
    if (g != NULL && taken) {
        fill_part(u, body, count, &p);
        fill_state(u, body, count, &p);
        const scene_from from = {t, u->size, p.position, p.velocity};
        g->count = count;
        g->body = CRM_NEW(uint32_t, count);
        status = g->body != NULL
                     ? scene_create_from(&p.def, &from, &u->group_options, &g->motion, error)
                     : CRM_ERROR_MEMORY;
    }
    if (status == CRM_OK) {
        memcpy(g->body, body, count * sizeof *body);
        g->scene = scene_of(g->motion);
        g->state = CRM_NEW(double, groups_engine(g)->dimension);
        status = g->state != NULL ? CRM_OK : crm_fail_memory(error);
    }
    release_part(&p);
    if (status != CRM_OK) {
        groups_group_free(g);
        return status;
    }
    g->exit_time = INFINITY;
    g->state_time = NAN;
    name_parties(u, g);
    inherit(u, g);
    *made = g;
    return CRM_OK;
}

void groups_group_free(groups_group *g)
{
    if (g != NULL) {
        crm_motion_free(g->motion);
        free(g->body);
        free(g->state);
        free(g);
    }
}

/* ---- Its time -------------------------------------------------------------------------------- */

lagrange_motion *groups_engine(const groups_group *g)
{
    return (lagrange_motion *)g->motion;
}

const double *groups_group_state(groups_group *g, double t)
{
    if (g->state_time != t) {
        lagrange_state_at(groups_engine(g), t, g->state);
        g->state_time = t;
    }
    return g->state;
}

double groups_group_next_time(const groups_group *g)
{
    const lagrange_motion *m = groups_engine(g);
    return m->stepping ? fmin(m->t + m->h, g->exit_time) : m->t;
}
