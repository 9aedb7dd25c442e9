/* Groups formed anew where bodies have come near each other or parted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion/groups/groups.h"

/* ---- Leaving the flight ---------------------------------------------------------------------- */

void groups_queue_body(groups_motion *u, size_t body)
{
    if (!u->queued[body]) {
        u->queued[body] = true;
        u->queue[u->queue_count++] = (uint32_t)body;
    }
}

void groups_clear_queue(groups_motion *u)
{
    for (size_t k = 0; k < u->queue_count; k++) {
        u->queued[u->queue[k]] = false;
    }
    u->queue_count = 0;
}

groups_unassigned *groups_add_unassigned(groups_motion *u, size_t body, crm_error *error)
{
    if (u->unassigned_count == u->unassigned_room) {
        size_t room = 2 * u->unassigned_room + 16;
        groups_unassigned *larger = crm_memory_resize(u->unassigned, room, sizeof *larger);
        if (larger == NULL) {
            crm_fail_memory(error);
            return NULL;
        }
        u->unassigned = larger;
        u->unassigned_room = room;
    }
    u->membership[body] = (groups_membership){GROUPS_UNASSIGNED, (uint32_t)u->unassigned_count};
    u->unassigned[u->unassigned_count] = (groups_unassigned){.body = (uint32_t)body};
    groups_queue_body(u, body);
    return &u->unassigned[u->unassigned_count++];
}

crm_status groups_take_from_flight(groups_motion *u, size_t ball, double t, crm_error *error)
{
    flight *f = u->flight;
    groups_unassigned *l = groups_add_unassigned(u, ball, error);
    if (l == NULL) {
        return CRM_ERROR_MEMORY;
    }
    l->reach = f->ball[ball].radius;
    l->positions = l->velocities = f->dimension;
    flight_state_at(f, ball, t, l->x, l->v);
    memcpy(l->q, l->x, sizeof l->x);
    flight_hand_over(f, ball, t);
    return CRM_OK;
}

/* ---- New groups ------------------------------------------------------------------------------ */

static crm_status stop_group(groups_group *g, double t, crm_error *error)
{
    lagrange_motion *m = groups_engine(g);
    crm_status status = lagrange_shorten_step(m, t, error);
    return status == CRM_OK && m->stepping ? lagrange_finish_step(m, error) : status;
}

static crm_status make_group(groups_motion *u, size_t part, double t, groups_group **made,
                             crm_error *error)
{
    bool sole = groups_list_part(u, part, t);
    crm_status status = groups_group_create(u, u->found, u->found_count, t, made, error);
    if (status == CRM_OK) {
        (*made)->sole = sole;
    }
    return status;
}

static void add_totals(groups_motion *u, const groups_group *g)
{
    const lagrange_motion *m = groups_engine(g);
    u->dissolved.impacts += m->common.impacts;
    u->dissolved.lost += m->common.lost;
    u->dissolved.work += m->common.impact_work + m->smooth_work;
    u->dissolved.max_penetration = fmax(u->dissolved.max_penetration, m->common.max_penetration);
}

/* Stale groups are freed, their totals kept; the new ones are added. */
static void replace_groups(groups_motion *u, groups_group **created, size_t count)
{
    size_t kept = 0;
    for (size_t k = 0; k < u->groups; k++) {
        if (u->group[k]->stale) {
            add_totals(u, u->group[k]);
            groups_group_free(u->group[k]);
        } else {
            u->group[kept++] = u->group[k];
        }
    }
    for (size_t k = 0; k < count; k++) {
        u->group[kept++] = created[k];
    }
    u->groups = kept;
    for (size_t k = 0; k < u->groups; k++) {
        for (size_t i = 0; i < u->group[k]->count; i++) {
            if (u->group[k]->scene->body[i].hold != SCENE_FIXED) {
                u->membership[u->group[k]->body[i]] = (groups_membership){(uint32_t)k, (uint32_t)i};
            }
        }
    }
    u->unassigned_count = 0;
}

/* ---- Back to the flight ---------------------------------------------------------------------- */

static crm_status bring_back(groups_motion *u, size_t body, double t, crm_error *error)
{
    flight *f = u->flight;
    groups_membership membership = u->membership[body];
    const groups_group *g = u->group[membership.group];
    const lagrange_motion *m = groups_engine(g);
    const scene_body *b = &g->scene->body[membership.place];
    double x[3] = {0}, radius = b->solid.radius;
    memcpy(x, m->y + b->position, f->dimension * sizeof *x);
    u->membership[body].group = GROUPS_NONE;
    crm_status status =
        flight_take_back(f, body, t, radius, x, m->y + m->positions + b->velocity, error);
    for (size_t k = 0; k < f->externals; k++) {
        if (!groups_is_fixed(u, f->external[k]) &&
            groups_ball_distance(f, f->external[k], t, x) < radius) {
            groups_queue_body(u, f->external[k]);
        }
    }
    return status;
}

/* ---- Together -------------------------------------------------------------------------------- */

/* What becomes of the parts: new groups, and balls that return to the flight. */
typedef struct plan {
    groups_group **created;
    size_t count;
    uint32_t *returning;
    size_t returning_count;
} plan;

static crm_status keep_unchanged(groups_motion *u, double t)
{
    for (size_t part = 0; part < u->candidate_count; part++) {
        bool first = u->part_of[part] == part;
        groups_group *same =
            first && !groups_can_fly(u, part, t) ? groups_same_group(u, part, t) : NULL;
        if (same != NULL) {
            same->stale = false;
            groups_find_exit(u, same, t);
            groups_check_outside(u, same, t);
        }
    }
    return CRM_OK;
}

static bool is_kept(const groups_motion *u, size_t part)
{
    uint32_t at = u->membership[u->candidate[part]].group;
    return at < u->groups && !u->group[at]->stale;
}

/* Clearance spheres within a group may overlap: those of bodies that part are renewed. */
static void queue_parted(groups_motion *u, size_t part)
{
    for (size_t k = part; k < u->candidate_count; k++) {
        uint32_t group = u->membership[u->candidate[k]].group;
        for (size_t l = 0;
             u->part_of[k] == part && group != GROUPS_UNASSIGNED && l < u->candidate_count; l++) {
            if (u->part_of[l] != part && u->membership[u->candidate[l]].group == group) {
                groups_queue_body(u, u->candidate[k]);
            }
        }
    }
}

static crm_status make_groups(groups_motion *u, double t, plan *p, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t part = 0; part < u->candidate_count && status == CRM_OK; part++) {
        if (u->part_of[part] != part || is_kept(u, part)) {
            continue;
        }
        if (groups_can_fly(u, part, t)) {
            p->returning[p->returning_count++] = u->candidate[part];
        } else {
            queue_parted(u, part);
            status = make_group(u, part, t, &p->created[p->count], error);
            p->count += status == CRM_OK ? 1 : 0;
        }
    }
    return status;
}

crm_status groups_reserve(groups_motion *u, size_t more, crm_error *error)
{
    if (u->groups + more <= u->group_room) {
        return CRM_OK;
    }
    size_t room = 2 * u->group_room + more + 4;
    groups_group **larger = crm_memory_resize(u->group, room, sizeof *larger);
    if (larger == NULL) {
        return crm_fail_memory(error);
    }
    u->group = larger;
    u->group_room = room;
    return CRM_OK;
}

static crm_status apply_plan(groups_motion *u, double t, plan *p, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t k = 0; k < u->groups && status == CRM_OK; k++) {
        status = u->group[k]->stale ? stop_group(u->group[k], t, error) : CRM_OK;
    }
    status = status == CRM_OK ? make_groups(u, t, p, error) : status;
    for (size_t k = 0; k < p->returning_count && status == CRM_OK; k++) {
        status = bring_back(u, p->returning[k], t, error);
    }
    status = status == CRM_OK ? groups_reserve(u, p->count, error) : status;
    if (status != CRM_OK) {
        for (size_t k = 0; k < p->count; k++) {
            groups_group_free(p->created[k]);
        }
        return status;
    }
    replace_groups(u, p->created, p->count);
    return CRM_OK;
}

/* Balls that have returned predict their events once all clearance spheres are renewed. */
static crm_status form_groups(groups_motion *u, double t, crm_error *error)
{
    groups_list_candidates(u);
    groups_find_parts(u, t);
    crm_status status = keep_unchanged(u, t);
    plan p = {.created = CRM_NEW(groups_group *, u->candidate_count),
              .returning = CRM_NEW(uint32_t, u->candidate_count)};
    status = p.created == NULL || p.returning == NULL ? crm_fail_memory(error) : status;
    status = status == CRM_OK ? apply_plan(u, t, &p, error) : status;
    if (status == CRM_OK && u->queue_count > 0) {
        status = groups_regroup(u, t, error);
    }
    for (size_t k = 0; k < p.returning_count && status == CRM_OK; k++) {
        if (u->flight->mode[p.returning[k]] != FLIGHT_EXTERNAL) {
            flight_predict(u->flight, p.returning[k], t, NULL);
        }
    }
    free(p.created);
    free(p.returning);
    return status;
}

crm_status groups_regroup(groups_motion *u, double t, crm_error *error)
{
    crm_status status = groups_renew_clearances(u, t, error);
    return status == CRM_OK ? form_groups(u, t, error) : status;
}
