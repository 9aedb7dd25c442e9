/* A scene in the terms of the Lagrangian engine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/bodies.h"
#include "motion/lagrange/lagrange.h"
#include "motion/scene/scene.h"

/* ---- Callbacks ------------------------------------------------------------------------------- */

static crm_status give_mass(void *context, const double *q, double *mass)
{
    const scene_system *s = context;
    (void)q;
    memset(mass, 0, s->coordinates * s->coordinates * sizeof *mass);
    for (size_t i = 0; i < s->coordinates; i++) {
        mass[i * s->coordinates + i] = s->inertia[i];
    }
    return CRM_OK;
}

static crm_status give_force(void *context, double t, const double *q, const double *v,
                             double *force)
{
    (void)t;
    scene_forces(context, q, v, force);
    return CRM_OK;
}

static crm_status give_gap(void *context, double t, const double *q, double *gap)
{
    const scene_system *s = context;
    for (size_t j = 0; j < s->gaps; j++) {
        gap[j] = scene_measure_gap(s, &s->gap[j], t, q, NULL).gap;
    }
    return CRM_OK;
}

static crm_status give_gradient(void *context, double t, const double *q, double *w)
{
    const scene_system *s = context;
    (void)t;
    for (size_t j = 0; j < s->gaps; j++) {
        scene_gap_gradient(s, &s->gap[j], q, w + j * s->coordinates);
    }
    return CRM_OK;
}

static crm_status give_rate(void *context, double t, const double *q, double *rate)
{
    const scene_system *s = context;
    for (size_t j = 0; j < s->gaps; j++) {
        rate[j] = scene_measure_gap(s, &s->gap[j], t, q, NULL).rate;
    }
    return CRM_OK;
}

static crm_status give_bias(void *context, double t, const double *q, const double *v, double *bias)
{
    const scene_system *s = context;
    for (size_t j = 0; j < s->gaps; j++) {
        bias[j] = scene_measure_gap(s, &s->gap[j], t, q, v).bias;
    }
    return CRM_OK;
}

static double give_potential(void *context, double t, const double *q)
{
    (void)t;
    return scene_potential(context, q);
}

/* ---- The start ------------------------------------------------------------------------------- */

/* Arrays for the definition, copied by the engine. */
typedef struct start {
    double *position, *velocity;
    double *stiffness, *exponent, *restitution;
} start;

static bool take_start(const scene_system *s, start *at)
{
    *at = (start){.position = CRM_NEW(double, s->coordinates),
                  .velocity = CRM_NEW(double, s->coordinates),
                  .stiffness = CRM_NEW(double, s->gaps),
                  .exponent = CRM_NEW(double, s->gaps),
                  .restitution = CRM_NEW(double, s->gaps)};
    return at->position != NULL && at->velocity != NULL && at->stiffness != NULL &&
           at->exponent != NULL && at->restitution != NULL;
}

static void release_start(start *at)
{
    free(at->position);
    free(at->velocity);
    free(at->stiffness);
    free(at->exponent);
    free(at->restitution);
}

static void fill_state(const scene_system *s, const crm_scene_def *def, start *at)
{
    if (def->velocity != NULL) {
        memcpy(at->velocity, def->velocity, s->coordinates * sizeof *at->velocity);
    }
    for (size_t i = 0; i < s->bodies; i++) {
        const scene_body *b = &s->body[i];
        if (b->hold == SCENE_FREE) {
            memcpy(at->position + b->start, b->place, s->dimension * sizeof(double));
            if (b->rod) {
                at->position[b->start + 2] = b->angle;
            }
        }
    }
    for (size_t k = 0; k < def->suspended_count; k++) {
        size_t coordinate = s->body[def->suspended[k].body].start;
        at->position[coordinate] = def->suspended[k].angle;
        at->velocity[coordinate] = def->suspended[k].spin;
    }
}

static crm_status list_pairs(const scene_system *s, crm_touches *list, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t j = 0; j < s->gaps && status == CRM_OK; j++) {
        crm_touch touch = {.first = (uint32_t)s->party[j][0], .second = (uint32_t)s->party[j][1]};
        status = crm_touches_add(list, touch, error);
    }
    return status;
}

static crm_status fill_contacts(const scene_system *s, const crm_bodies_def *def, start *at,
                                crm_error *error)
{
    crm_touches list = {0};
    crm_contact_def *contact = CRM_NEW(crm_contact_def, s->gaps);
    crm_status status = contact != NULL ? list_pairs(s, &list, error) : crm_fail_memory(error);
    if (status == CRM_OK) {
        status = crm_settle_contacts(def, &list, contact, error);
    }
    for (size_t j = 0; j < s->gaps && status == CRM_OK; j++) {
        at->stiffness[j] = contact[j].stiffness;
        at->exponent[j] = contact[j].exponent;
        at->restitution[j] = contact[j].restitution;
    }
    free(contact);
    free(list.items);
    return status;
}

static double size_of(const scene_system *s, size_t party)
{
    return party < s->bodies ? s->body[party].radius + s->body[party].half : 0;
}

static crm_status check_overlaps(const scene_system *s, const crm_bodies_def *def, const double *q,
                                 crm_error *error)
{
    for (size_t j = 0; j < s->gaps; j++) {
        double gap = scene_measure_gap(s, &s->gap[j], 0, q, NULL).gap;
        size_t first = s->party[j][0], second = s->party[j][1];
        if (gap < -def->tolerance * (size_of(s, first) + size_of(s, second))) {
            return crm_fail_overlap(def, first, second, gap, error);
        }
    }
    return CRM_OK;
}

/* ---- Together -------------------------------------------------------------------------------- */

static double largest(const scene_system *s)
{
    double size = 0;
    for (size_t i = 0; i < s->bodies; i++) {
        size = fmax(size, s->body[i].hold == SCENE_FIXED ? 0 : size_of(s, i));
    }
    return size;
}

static bool walls_move(const scene_system *s)
{
    bool move = false;
    for (size_t k = 0; k < s->walls; k++) {
        const scene_wall *w = &s->wall[k];
        move |= w->speed != 0 || (w->amplitude != 0 && w->omega != 0);
    }
    return move;
}

static crm_lagrangian_def define(scene_system *s, const start *at)
{
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.context = s;
    def.positions = def.velocities = s->coordinates;
    def.gaps = s->gaps;
    def.mass = give_mass;
    def.force = give_force;
    def.gap = give_gap;
    def.gradient = give_gradient;
    def.gap_rate = give_rate;
    def.gap_bias = give_bias;
    def.potential = give_potential;
    def.gaps_move = walls_move(s);
    def.position = at->position;
    def.velocity = at->velocity;
    def.size = largest(s);
    def.stiffness = at->stiffness;
    def.exponent = at->exponent;
    def.restitution = at->restitution;
    return def;
}

static crm_status begin(scene_system *s, const crm_scene_def *def,
                        const crm_motion_options *options, crm_motion **motion, crm_error *error)
{
    start at;
    crm_status status = take_start(s, &at) ? CRM_OK : crm_fail_memory(error);
    if (status == CRM_OK) {
        fill_state(s, def, &at);
        status = check_overlaps(s, &def->bodies, at.position, error);
    }
    status = status == CRM_OK ? fill_contacts(s, &def->bodies, &at, error) : status;
    if (status == CRM_OK) {
        const crm_lagrangian_def system = define(s, &at);
        status = crm_motion_from_lagrangian(&system, options, motion, error);
    }
    release_start(&at);
    if (status == CRM_OK) {
        status = lag_adopt(*motion, s->party, scene_free, error);
    }
    return status;
}

crm_status crm_scene_create(const crm_scene_def *def, const crm_motion_options *options,
                            crm_motion **motion, crm_error *error)
{
    *motion = NULL;
    scene_system *s;
    crm_status status = scene_make(def, &s, error);
    if (status != CRM_OK) {
        return status;
    }
    status = begin(s, def, options, motion, error);
    if (status != CRM_OK) {
        crm_motion_free(*motion);
        *motion = NULL;
        scene_free(s);
    }
    return status;
}
