/* Who belongs together, looked at again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "motion/units/units.h"

/* Fixed bodies become part of a group when a berth of the greatest width comes near them, times
 * this: so that the next berth seldom needs another one.
 */
static const double OBSTACLES_AHEAD = 2;
/* A group that is all there is knows all fixed bodies, if there are so few. */
enum { FEW_FIXED = 16 };

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
        units_loose *larger = crm_resize(u->loose, room, sizeof *larger);
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

/* ---- Berths ---------------------------------------------------------------------------------- */

static void touch(units *u, size_t body)
{
    if (u->seat[body].group < u->groups) {
        u->group[u->seat[body].group]->touched = true;
    }
}

static double ball_distance(const flight *f, size_t ball, double t, const double *x)
{
    double y[3], v[3];
    flight_at(f, ball, t, y, v);
    for (int d = 0; d < 3; d++) {
        y[d] -= x[d];
    }
    return sqrt(flight_dot(y, y)) - f->ball[ball].radius;
}

/* Balls in flight leave room, or join. */
static crm_status clear_balls(units *u, size_t body, double t, const double *x, double *margin,
                              crm_error *error)
{
    flight *f = u->flight;
    flight_near *near = &f->near[1];
    double reach = units_reach(u, body);
    crm_status status = CRM_OK;
    flight_search(f, x, reach + 2 * *margin, 0.5, near);
    for (size_t n = 0; n < near->count && status == CRM_OK; n++) {
        size_t ball = near->ball[n];
        if (f->mode[ball] == FLIGHT_FIXED) {
            continue;
        }
        double distance = ball_distance(f, ball, t, x) - reach;
        if (distance < units_join_distance(u, body, ball)) {
            status = units_take(u, ball, t, error);
        } else {
            *margin = fmin(*margin, distance / 2);
        }
    }
    return status;
}

/* Bodies of other groups leave room, too, or the groups are one. */
static void clear_bodies(units *u, size_t body, double t, const double *x, double *margin)
{
    const flight *f = u->flight;
    for (size_t k = 0; k < f->aways; k++) {
        size_t other = f->away[k];
        bool same =
            u->seat[other].group == u->seat[body].group && u->seat[body].group != UNITS_LOOSE;
        if (other == body || same || units_is_fixed(u, other)) {
            continue;
        }
        double distance = units_distance(u, body, other, t);
        if (distance < units_join_distance(u, body, other)) {
            touch(u, other);
            continue;
        }
        *margin = fmin(*margin, distance / 3);
        double room = ball_distance(f, other, t, x) - units_reach(u, body);
        if (room < *margin) {
            units_queue(u, other);
        }
    }
}

static crm_status make_berth(units *u, size_t body, double t, crm_error *error)
{
    double x[3], margin = units_margin_most(u, body);
    units_centre(u, body, t, x);
    crm_status status = clear_balls(u, body, t, x, &margin, error);
    if (status == CRM_OK) {
        clear_bodies(u, body, t, x, &margin);
        flight_set_berth(u->flight, body, t, x, units_reach(u, body) + margin);
        touch(u, body);
    }
    return status;
}

static crm_status make_berths(units *u, double t, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t k = 0; k < u->queue_count && status == CRM_OK; k++) {
        status = make_berth(u, u->queue[k], t, error);
    }
    units_clear_queue(u);
    return status;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

static void fill_pool(units *u)
{
    u->pool_count = 0;
    for (size_t k = 0; k < u->groups; k++) {
        const units_group *g = u->group[k];
        for (size_t i = 0; i < g->count && g->touched; i++) {
            if (g->scene->body[i].hold != SCENE_FIXED) {
                u->pool[u->pool_count++] = g->body[i];
            }
        }
    }
    for (size_t k = 0; k < u->loose_count; k++) {
        u->pool[u->pool_count++] = u->loose[k].body;
    }
    if (u->pool_count > 0) {
        qsort(u->pool, u->pool_count, sizeof *u->pool, crm_ascending);
    }
}

static bool are_joined(const units *u, size_t a, size_t b)
{
    bool joined = false;
    for (size_t k = 0; k < u->springs; k++) {
        const crm_spring_def *s = &u->spring[k];
        joined |= (s->first == a && s->second == b) || (s->first == b && s->second == a);
    }
    return joined;
}

/* Bobs swing on circles: those whose circles come so near that they can touch stay together. */
static bool swing_together(const units *u, size_t a, size_t b)
{
    const units_special *x = units_special_of(u, a), *y = units_special_of(u, b);
    if (x == NULL || y == NULL || !x->hung || !y->hung) {
        return false;
    }
    double apart =
        crm_hypot(x->string.from[0] - y->string.from[0], x->string.from[1] - y->string.from[1]);
    double beside = apart - x->string.length - y->string.length;
    double inside = fabs(x->string.length - y->string.length) - apart;
    double least = fmax(0, fmax(beside, inside));
    return least < x->reach + y->reach + units_join_distance(u, a, b);
}

static bool belong_together(units *u, size_t a, size_t b, double t)
{
    bool same = u->seat[a].group == u->seat[b].group && u->seat[a].group != UNITS_LOOSE;
    double near = same ? units_leave_distance(u, a, b) : units_join_distance(u, a, b);
    return are_joined(u, a, b) || swing_together(u, a, b) || units_distance(u, a, b, t) < near;
}

/* u->part_of: which part each of the pool belongs to, by the place of its first body. */
static void find_parts(units *u, double t)
{
    for (size_t k = 0; k < u->pool_count; k++) {
        u->part_of[k] = UNITS_NONE;
    }
    for (size_t first = 0; first < u->pool_count; first++) {
        if (u->part_of[first] != UNITS_NONE) {
            continue;
        }
        u->part_of[first] = (uint32_t)first;
        for (bool grows = true; grows;) {
            grows = false;
            for (size_t a = first; a < u->pool_count; a++) {
                for (size_t b = first; u->part_of[a] == first && b < u->pool_count; b++) {
                    if (u->part_of[b] == UNITS_NONE &&
                        belong_together(u, u->pool[a], u->pool[b], t)) {
                        u->part_of[b] = (uint32_t)first;
                        grows = true;
                    }
                }
            }
        }
    }
}

/* ---- What is fixed beside a part ------------------------------------------------------------- */

static void add_found(units *u, size_t body)
{
    for (size_t k = 0; k < u->found_count; k++) {
        if (u->found[k] == body) {
            return;
        }
    }
    u->found[u->found_count++] = (uint32_t)body;
}

static void find_obstacles_of(units *u, size_t body, double t, double within)
{
    flight *f = u->flight;
    double x[3], reach = units_reach(u, body);
    units_centre(u, body, t, x);
    flight_search(f, x, reach + within, 0.5, &f->near[1]);
    for (size_t n = 0; n < f->near[1].count; n++) {
        size_t other = f->near[1].ball[n];
        if (f->mode[other] == FLIGHT_FIXED && ball_distance(f, other, t, x) - reach < within) {
            add_found(u, other);
        }
    }
    for (size_t k = 0; k < f->aways; k++) {
        if (units_is_fixed(u, f->away[k]) && units_distance(u, body, f->away[k], t) < within) {
            add_found(u, f->away[k]);
        }
    }
    for (size_t k = 0; k < u->springs; k++) {
        const crm_spring_def *s = &u->spring[k];
        size_t other = s->first == body ? s->second : s->second == body ? s->first : SIZE_MAX;
        if (other != SIZE_MAX && units_is_fixed(u, other)) {
            add_found(u, other);
        }
    }
}

/* Fixed bodies within `ahead` widths of the widest berths of a part. */
static void find_obstacles(units *u, size_t part, double t, double ahead)
{
    u->found_count = 0;
    for (size_t k = part; k < u->pool_count; k++) {
        if (u->part_of[k] == part) {
            find_obstacles_of(u, u->pool[k], t, ahead * units_margin_most(u, u->pool[k]));
        }
    }
}

/* ---- Is a part what it was? ------------------------------------------------------------------ */

static size_t count_part(const units *u, size_t part)
{
    size_t count = 0;
    for (size_t k = part; k < u->pool_count; k++) {
        count += u->part_of[k] == part ? 1 : 0;
    }
    return count;
}

static size_t count_moving(const units_group *g)
{
    size_t count = 0;
    for (size_t k = 0; k < g->count; k++) {
        count += g->scene->body[k].hold != SCENE_FIXED ? 1 : 0;
    }
    return count;
}

static bool knows(const units_group *g, uint32_t body)
{
    return bsearch(&body, g->body, g->count, sizeof body, crm_ascending) != NULL;
}

/* The group that a part is, with all that it may meet; or NULL. */
static units_group *same_group(units *u, size_t part, double t)
{
    uint32_t at = u->seat[u->pool[part]].group;
    if (at >= u->groups || count_part(u, part) != count_moving(u->group[at])) {
        return NULL;
    }
    for (size_t k = part; k < u->pool_count; k++) {
        if (u->part_of[k] == part && u->seat[u->pool[k]].group != at) {
            return NULL;
        }
    }
    find_obstacles(u, part, t, 1);
    bool all = true;
    for (size_t k = 0; k < u->found_count; k++) {
        all &= knows(u->group[at], u->found[k]);
    }
    return all ? u->group[at] : NULL;
}

/* A ball that bounces ever lower, or leans on what moves, is not for the flight. */
static bool is_quiet(const units *u, size_t body)
{
    const lag_motion *m = units_engine(u->group[u->seat[body].group]);
    bool quiet = true;
    for (size_t j = 0; j < m->gaps; j++) {
        bool own = m->party[j][0] == body || m->party[j][1] == body;
        const lag_contact *c = &m->contact[j];
        quiet &= !own || !(c->low || (c->state != LAG_OPEN && m->def.gaps_move));
    }
    return quiet;
}

static bool can_fly(units *u, size_t part, double t)
{
    size_t body = u->pool[part];
    if (count_part(u, part) != 1 || units_special_of(u, body) != NULL ||
        u->seat[body].group == UNITS_LOOSE || !is_quiet(u, body)) {
        return false;
    }
    find_obstacles(u, part, t, 1);
    bool free = true;
    for (size_t k = 0; k < u->found_count; k++) {
        size_t other = u->found[k];
        bool special = units_special_of(u, other) != NULL;
        double near =
            special ? units_leave_distance(u, body, other) : units_join_distance(u, body, other);
        free &= units_distance(u, body, other, t) >= near;
    }
    return free;
}

/* ---- New groups ------------------------------------------------------------------------------ */

static crm_status stop_group(units_group *g, double t, crm_error *error)
{
    lag_motion *m = units_engine(g);
    crm_status status = lag_cut_step(m, t, error);
    return status == CRM_OK && m->stepping ? lag_finish_step(m, error) : status;
}

/* u->found becomes the whole list, ascending. */
static void list_bodies(units *u, size_t part, double t, bool all)
{
    find_obstacles(u, part, t, OBSTACLES_AHEAD);
    for (size_t i = 0; i < u->bodies && all && u->fixed <= FEW_FIXED; i++) {
        if (units_is_fixed(u, i)) {
            add_found(u, i);
        }
    }
    for (size_t k = part; k < u->pool_count; k++) {
        if (u->part_of[k] == part) {
            u->found[u->found_count++] = u->pool[k];
        }
    }
    qsort(u->found, u->found_count, sizeof *u->found, crm_ascending);
}

static crm_status make_group(units *u, size_t part, double t, units_group **made, crm_error *error)
{
    bool all = count_part(u, part) == u->bodies - u->fixed;
    list_bodies(u, part, t, all);
    crm_status status = units_group_create(u, u->found, u->found_count, t, made, error);
    if (status == CRM_OK) {
        (*made)->alone = all && u->fixed <= FEW_FIXED;
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
        if (!units_is_fixed(u, f->away[k]) && ball_distance(f, f->away[k], t, x) < radius) {
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
        units_group *same = first && !can_fly(u, part, t) ? same_group(u, part, t) : NULL;
        if (same != NULL) {
            same->touched = false;
            units_find_look(u, same, t);
        }
    }
    return CRM_OK;
}

static bool is_kept(const units *u, size_t part)
{
    uint32_t at = u->seat[u->pool[part]].group;
    return at < u->groups && !u->group[at]->touched;
}

static crm_status make_fresh(units *u, double t, plan *p, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t part = 0; part < u->pool_count && status == CRM_OK; part++) {
        if (u->part_of[part] != part || is_kept(u, part)) {
            continue;
        }
        if (can_fly(u, part, t)) {
            p->back[p->back_count++] = u->pool[part];
        } else {
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
    units_group **larger = crm_resize(u->group, room, sizeof *larger);
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
    fill_pool(u);
    find_parts(u, t);
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
    crm_status status = make_berths(u, t, error);
    return status == CRM_OK ? form_groups(u, t, error) : status;
}
