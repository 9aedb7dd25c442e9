/* Which bodies belong together: parts of the candidates, and the fixed bodies near them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "motion/groups/groups.h"

/* A new group has the fixed bodies within this many of the largest margins, so that a renewed
 * clearance sphere seldom reaches one that it does not have.
 */
static const double OBSTACLES_AHEAD = 2;
/* A group of all moving bodies includes all fixed bodies if there are at most this many. */
enum { FEW_FIXED = 16 };

/* ---- Parts ----------------------------------------------------------------------------------- */

void groups_list_candidates(groups_motion *u)
{
    u->candidate_count = 0;
    for (size_t k = 0; k < u->groups; k++) {
        const groups_group *g = u->group[k];
        for (size_t i = 0; i < g->count && g->stale; i++) {
            if (g->scene->body[i].hold != SCENE_FIXED) {
                u->candidate[u->candidate_count++] = g->body[i];
            }
        }
    }
    for (size_t k = 0; k < u->unassigned_count; k++) {
        u->candidate[u->candidate_count++] = u->unassigned[k].body;
    }
    if (u->candidate_count > 0) {
        qsort(u->candidate, u->candidate_count, sizeof *u->candidate, crm_compare_uint32);
    }
}

static bool are_joined(const groups_motion *u, size_t a, size_t b)
{
    bool joined = false;
    for (size_t k = 0; k < u->springs; k++) {
        const crm_spring_def *s = &u->spring[k];
        joined |= (s->first == a && s->second == b) || (s->first == b && s->second == a);
    }
    return joined;
}

/* Bobs swing on circles: those whose circles come so near that they can touch are never parted. */
static bool swing_together(const groups_motion *u, size_t a, size_t b)
{
    const groups_nonflying *x = groups_find_nonflying(u, a), *y = groups_find_nonflying(u, b);
    if (x == NULL || y == NULL || !x->hung || !y->hung) {
        return false;
    }
    double apart =
        crm_hypot(x->string.from[0] - y->string.from[0], x->string.from[1] - y->string.from[1]);
    double beside = apart - x->string.length - y->string.length;
    double inside = fabs(x->string.length - y->string.length) - apart;
    double least = fmax(0, fmax(beside, inside));
    return least < x->reach + y->reach + groups_join_distance(u, a, b);
}

static bool belong_together(groups_motion *u, size_t a, size_t b, double t)
{
    bool same = u->membership[a].group == u->membership[b].group &&
                u->membership[a].group != GROUPS_UNASSIGNED;
    return are_joined(u, a, b) || swing_together(u, a, b) ||
           (same ? groups_distance(u, a, b, t) < groups_leave_distance(u, a, b)
                 : groups_are_near(u, a, b, t));
}

/* Parts are numbered by the index of their first candidate. */
void groups_find_parts(groups_motion *u, double t)
{
    for (size_t k = 0; k < u->candidate_count; k++) {
        u->part_of[k] = GROUPS_NONE;
    }
    for (size_t first = 0; first < u->candidate_count; first++) {
        if (u->part_of[first] != GROUPS_NONE) {
            continue;
        }
        u->part_of[first] = (uint32_t)first;
        for (bool grows = true; grows;) {
            grows = false;
            for (size_t a = first; a < u->candidate_count; a++) {
                for (size_t b = first; u->part_of[a] == first && b < u->candidate_count; b++) {
                    if (u->part_of[b] == GROUPS_NONE &&
                        belong_together(u, u->candidate[a], u->candidate[b], t)) {
                        u->part_of[b] = (uint32_t)first;
                        grows = true;
                    }
                }
            }
        }
    }
}

/* ---- Fixed bodies near a part ---------------------------------------------------------------- */

static void add_found(groups_motion *u, size_t body)
{
    for (size_t k = 0; k < u->found_count; k++) {
        if (u->found[k] == body) {
            return;
        }
    }
    u->found[u->found_count++] = (uint32_t)body;
}

static void find_obstacles_of(groups_motion *u, size_t body, double t, double within)
{
    flight *f = u->flight;
    double x[3], reach = groups_reach(u, body);
    groups_centre(u, body, t, x);
    flight_search_cells(f, x, reach + within, 0.5, &f->neighbours[1]);
    for (size_t n = 0; n < f->neighbours[1].count; n++) {
        size_t other = f->neighbours[1].ball[n];
        if (f->mode[other] == FLIGHT_FIXED &&
            groups_ball_distance(f, other, t, x) - reach < within) {
            add_found(u, other);
        }
    }
    for (size_t k = 0; k < f->externals; k++) {
        if (groups_is_fixed(u, f->external[k]) &&
            groups_distance(u, body, f->external[k], t) < within) {
            add_found(u, f->external[k]);
        }
    }
    for (size_t k = 0; k < u->springs; k++) {
        const crm_spring_def *s = &u->spring[k];
        size_t other = s->first == body ? s->second : s->second == body ? s->first : SIZE_MAX;
        if (other != SIZE_MAX && groups_is_fixed(u, other)) {
            add_found(u, other);
        }
    }
}

/* Fixed bodies within `ahead` times the largest margins around a part. */
static void find_obstacles(groups_motion *u, size_t part, double t, double ahead)
{
    u->found_count = 0;
    for (size_t k = part; k < u->candidate_count; k++) {
        if (u->part_of[k] == part) {
            find_obstacles_of(u, u->candidate[k], t,
                              ahead * groups_margin_most(u, u->candidate[k]));
        }
    }
}

/* ---- Unchanged parts ------------------------------------------------------------------------- */

static size_t count_part(const groups_motion *u, size_t part)
{
    size_t count = 0;
    for (size_t k = part; k < u->candidate_count; k++) {
        count += u->part_of[k] == part ? 1 : 0;
    }
    return count;
}

static size_t count_moving(const groups_group *g)
{
    size_t count = 0;
    for (size_t k = 0; k < g->count; k++) {
        count += g->scene->body[k].hold != SCENE_FIXED ? 1 : 0;
    }
    return count;
}

static bool contains(const groups_group *g, uint32_t body)
{
    return bsearch(&body, g->body, g->count, sizeof body, crm_compare_uint32) != NULL;
}

groups_group *groups_same_group(groups_motion *u, size_t part, double t)
{
    uint32_t at = u->membership[u->candidate[part]].group;
    if (at >= u->groups || count_part(u, part) != count_moving(u->group[at])) {
        return NULL;
    }
    for (size_t k = part; k < u->candidate_count; k++) {
        if (u->part_of[k] == part && u->membership[u->candidate[k]].group != at) {
            return NULL;
        }
    }
    find_obstacles(u, part, t, 1);
    bool all = true;
    for (size_t k = 0; k < u->found_count; k++) {
        all &= contains(u->group[at], u->found[k]);
    }
    return all ? u->group[at] : NULL;
}

/* A ball in an accumulation of bounces, or resting on a moving wall, cannot fly. */
static bool has_no_lasting_contact(const groups_motion *u, size_t body)
{
    const lagrange_motion *m = groups_engine(u->group[u->membership[body].group]);
    bool quiet = true;
    for (size_t j = 0; j < m->gaps; j++) {
        bool own = m->party[j][0] == body || m->party[j][1] == body;
        const lagrange_contact *c = &m->contact[j];
        quiet &= !own || !(c->low_bounce || (c->state != LAGRANGE_OPEN && m->def.gaps_move));
    }
    return quiet;
}

bool groups_can_fly(groups_motion *u, size_t part, double t)
{
    size_t body = u->candidate[part];
    if (count_part(u, part) != 1 || groups_find_nonflying(u, body) != NULL ||
        u->membership[body].group == GROUPS_UNASSIGNED || !has_no_lasting_contact(u, body)) {
        return false;
    }
    find_obstacles(u, part, t, 1);
    bool free = true;
    for (size_t k = 0; k < u->found_count; k++) {
        size_t other = u->found[k];
        bool nonflying = groups_find_nonflying(u, other) != NULL;
        double least = nonflying ? groups_leave_distance(u, body, other)
                                 : groups_join_distance(u, body, other);
        free &= groups_distance(u, body, other, t) >= least;
    }
    return free;
}

/* ---- All of a group -------------------------------------------------------------------------- */

bool groups_list_part(groups_motion *u, size_t part, double t)
{
    bool sole = count_part(u, part) == u->bodies - u->fixed && u->fixed <= FEW_FIXED;
    find_obstacles(u, part, t, OBSTACLES_AHEAD);
    for (size_t i = 0; i < u->bodies && sole; i++) {
        if (groups_is_fixed(u, i)) {
            add_found(u, i);
        }
    }
    for (size_t k = part; k < u->candidate_count; k++) {
        if (u->part_of[k] == part) {
            u->found[u->found_count++] = u->candidate[k];
        }
    }
    qsort(u->found, u->found_count, sizeof *u->found, crm_compare_uint32);
    return sole;
}
