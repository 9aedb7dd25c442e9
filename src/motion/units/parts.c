/* Who belongs together: the parts of the bodies that are looked at, and what is fixed beside them.
 */
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

/* ---- Parts ----------------------------------------------------------------------------------- */

void units_fill_pool(units *u)
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
        qsort(u->pool, u->pool_count, sizeof *u->pool, crm_compare_uint32);
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
    return are_joined(u, a, b) || swing_together(u, a, b) ||
           (same ? units_distance(u, a, b, t) < units_leave_distance(u, a, b)
                 : units_are_near(u, a, b, t));
}

/* u->part_of: which part each of the pool belongs to, by the place of its first body. */
void units_find_parts(units *u, double t)
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
        if (f->mode[other] == FLIGHT_FIXED &&
            units_ball_distance(f, other, t, x) - reach < within) {
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
    return bsearch(&body, g->body, g->count, sizeof body, crm_compare_uint32) != NULL;
}

/* The group that a part is, with all that it may meet; or NULL. */
units_group *units_same_group(units *u, size_t part, double t)
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

bool units_can_fly(units *u, size_t part, double t)
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

/* ---- All of a group -------------------------------------------------------------------------- */

bool units_list_part(units *u, size_t part, double t)
{
    bool alone = count_part(u, part) == u->bodies - u->fixed && u->fixed <= FEW_FIXED;
    find_obstacles(u, part, t, OBSTACLES_AHEAD);
    for (size_t i = 0; i < u->bodies && alone; i++) {
        if (units_is_fixed(u, i)) {
            add_found(u, i);
        }
    }
    for (size_t k = part; k < u->pool_count; k++) {
        if (u->part_of[k] == part) {
            u->found[u->found_count++] = u->pool[k];
        }
    }
    qsort(u->found, u->found_count, sizeof *u->found, crm_compare_uint32);
    return alone;
}
