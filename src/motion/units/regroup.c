/* Groups, looked at again: those that have joined or parted are made anew. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion/units/units.h"

/* ---- Leaving the flight ---------------------------------------------------------------------- */

void units_queue(units *u, size_t body)
{
    if (!u->queued[body]) {
        u->queued[body] = true;
        u->queue[u->queue_count++] = (uint32_t)body;
    }
}

void units_clear_queue(units *u)
{
    for (size_t k = 0; k < u->queue_count; k++) {
        u->queued[u->queue[k]] = false;
    }
    u->queue_count = 0;
}

units_loose *units_add_loose(units *u, size_t body, crm_error *error)
{
    if (u->loose_count == u->loose_room) {
        size_t room = 2 * u->loose_room + 16;
        units_loose *larger = crm_memory_resize(u->loose, room, sizeof *larger);
        if (larger == NULL) {
            crm_fail_memory(error);
            return NULL;
        }
        u->loose = larger;
        u->loose_room = room;
    }
    u->seat[body] = (units_seat){UNITS_LOOSE, (uint32_t)u->loose_count};
    u->loose[u->loose_count] = (units_loose){.body = (uint32_t)body};
    units_queue(u, body);
    return &u->loose[u->loose_count++];
}

crm_status units_take(units *u, size_t ball, double t, crm_error *error)
{
    flight *f = u->flight;
    units_loose *l = units_add_loose(u, ball, error);
    if (l == NULL) {
        return CRM_ERROR_MEMORY;
    }
    l->reach = f->ball[ball].radius;
    l->positions = l->velocities = f->dimension;
    flight_at(f, ball, t, l->x, l->v);
    memcpy(l->q, l->x, sizeof l->x);
    flight_take_away(f, ball, t);
    return CRM_OK;
}

/* ---- New groups ------------------------------------------------------------------------------ */

static crm_status stop_group(units_group *g, double t, crm_error *error)
{
    lag_motion *m = units_engine(g);
    crm_status status = lag_cut_step(m, t, error);
    return status == CRM_OK && m->stepping ? lag_finish_step(m, error) : status;
}

static crm_status make_group(units *u, size_t part, double t, units_group **made, crm_error *error)
{
    bool alone = units_list_part(u, part, t);
    crm_status status = units_group_create(u, u->found, u->found_count, t, made, error);
    if (status == CRM_OK) {
        (*made)->alone = alone;
    }
    return status;
}

static void carry_over(units *u, const units_group *g)
{
    const lag_motion *m = units_engine(g);
    u->gone.impacts += m->common.impacts;
    u->gone.lost += m->common.lost;
    u->gone.work += m->common.impact_work + m->smooth_work;
    u->gone.max_penetration = fmax(u->gone.max_penetration, m->common.max_penetration);
}

/* Groups that are touched have gone; the fresh ones take their places. */
static void replace_groups(units *u, units_group **fresh, size_t count)
{
    size_t kept = 0;
    for (size_t k = 0; k < u->groups; k++) {
        if (u->group[k]->touched) {
            carry_over(u, u->group[k]);
            units_group_free(u->group[k]);
        } else {
            u->group[kept++] = u->group[k];
        }
    }
    for (size_t k = 0; k < count; k++) {
        u->group[kept++] = fresh[k];
    }
    u->groups = kept;
    for (size_t k = 0; k < u->groups; k++) {
        for (size_t i = 0; i < u->group[k]->count; i++) {
            if (u->group[k]->scene->body[i].hold != SCENE_FIXED) {
                u->seat[u->group[k]->body[i]] = (units_seat){(uint32_t)k, (uint32_t)i};
            }
        }
    }
    u->loose_count = 0;
}

/* ---- Back to the flight ---------------------------------------------------------------------- */

static crm_status bring_back(units *u, size_t body, double t, crm_error *error)
{
    flight *f = u->flight;
    units_seat seat = u->seat[body];
    const units_group *g = u->group[seat.group];
    const lag_motion *m = units_engine(g);
    const scene_body *b = &g->scene->body[seat.place];
    double x[3] = {0}, radius = b->solid.radius;
    memcpy(x, m->y + b->position, f->dimension * sizeof *x);
    u->seat[body].group = UNITS_NONE;
    crm_status status =
        flight_bring_back(f, body, t, radius, x, m->y + m->positions + b->velocity, error);
    for (size_t k = 0; k < f->aways; k++) {
        if (!units_is_fixed(u, f->away[k]) && units_ball_distance(f, f->away[k], t, x) < radius) {
            units_queue(u, f->away[k]);
        }
    }
    return status;
}

/* ---- Together -------------------------------------------------------------------------------- */

/* What becomes of the parts. */
typedef struct plan {
    units_group **fresh;
    size_t count;
    uint32_t *back;
    size_t back_count;
} plan;

static crm_status keep_same(units *u, double t)
{
    for (size_t part = 0; part < u->pool_count; part++) {
        bool first = u->part_of[part] == part;
        units_group *same =
            first && !units_can_fly(u, part, t) ? units_same_group(u, part, t) : NULL;
        if (same != NULL) {
            same->touched = false;
            units_find_look(u, same, t);
            units_guard_look(u, same, t);
        }
    }
    return CRM_OK;
}

static bool is_kept(const units *u, size_t part)
{
    uint32_t at = u->seat[u->pool[part]].group;
    return at < u->groups && !u->group[at]->touched;
}

/* Bodies kept no room from those of their own group: once they are in different ones, they do. */
static void queue_parted(units *u, size_t part)
{
    for (size_t k = part; k < u->pool_count; k++) {
        uint32_t group = u->seat[u->pool[k]].group;
        for (size_t l = 0; u->part_of[k] == part && group != UNITS_LOOSE && l < u->pool_count;
             l++) {
            if (u->part_of[l] != part && u->seat[u->pool[l]].group == group) {
                units_queue(u, u->pool[k]);
            }
        }
    }
}

static crm_status make_fresh(units *u, double t, plan *p, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t part = 0; part < u->pool_count && status == CRM_OK; part++) {
        if (u->part_of[part] != part || is_kept(u, part)) {
            continue;
        }
        if (units_can_fly(u, part, t)) {
            p->back[p->back_count++] = u->pool[part];
        } else {
            queue_parted(u, part);
            status = make_group(u, part, t, &p->fresh[p->count], error);
            p->count += status == CRM_OK ? 1 : 0;
        }
    }
    return status;
}

crm_status units_room_for(units *u, size_t more, crm_error *error)
{
    if (u->groups + more <= u->group_room) {
        return CRM_OK;
    }
    size_t room = 2 * u->group_room + more + 4;
    units_group **larger = crm_memory_resize(u->group, room, sizeof *larger);
    if (larger == NULL) {
        return crm_fail_memory(error);
    }
    u->group = larger;
    u->group_room = room;
    return CRM_OK;
}

static crm_status carry_out(units *u, double t, plan *p, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t k = 0; k < u->groups && status == CRM_OK; k++) {
        status = u->group[k]->touched ? stop_group(u->group[k], t, error) : CRM_OK;
    }
    status = status == CRM_OK ? make_fresh(u, t, p, error) : status;
    for (size_t k = 0; k < p->back_count && status == CRM_OK; k++) {
        status = bring_back(u, p->back[k], t, error);
    }
    status = status == CRM_OK ? units_room_for(u, p->count, error) : status;
    if (status != CRM_OK) {
        for (size_t k = 0; k < p->count; k++) {
            units_group_free(p->fresh[k]);
        }
        return status;
    }
    replace_groups(u, p->fresh, p->count);
    return CRM_OK;
}

/* Balls that have come back are predicted when all berths are what they are. */
static crm_status form_groups(units *u, double t, crm_error *error)
{
    units_fill_pool(u);
    units_find_parts(u, t);
    crm_status status = keep_same(u, t);
    plan p = {.fresh = CRM_NEW(units_group *, u->pool_count),
              .back = CRM_NEW(uint32_t, u->pool_count)};
    status = p.fresh == NULL || p.back == NULL ? crm_fail_memory(error) : status;
    status = status == CRM_OK ? carry_out(u, t, &p, error) : status;
    if (status == CRM_OK && u->queue_count > 0) {
        status = units_regroup(u, t, error);
    }
    for (size_t k = 0; k < p.back_count && status == CRM_OK; k++) {
        if (u->flight->mode[p.back[k]] != FLIGHT_AWAY) {
            flight_predict(u->flight, p.back[k], t, NULL);
        }
    }
    free(p.fresh);
    free(p.back);
    return status;
}

crm_status units_regroup(units *u, double t, crm_error *error)
{
    crm_status status = units_make_berths(u, t, error);
    return status == CRM_OK ? form_groups(u, t, error) : status;
}
