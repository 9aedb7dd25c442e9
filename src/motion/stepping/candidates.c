/* Candidates for contacts: pairs near each other, and their gaps.
 *
 * Pairs are listed with every body's bounding sphere padded. The list is valid until a body's
 * centre has moved further than its pad: pairs that are not listed cannot touch before. A heap at
 * rest needs no further list. The states of gaps are carried over to a new list.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "motion/stepping/stepping.h"

/* Pads: this part of the radius, or the path in so many steps if that is longer. */
static const double PAD = 0.05, PAD_STEPS = 4;

/* ---- Is the list valid? ---------------------------------------------------------------------- */

static bool has_left(const stepping *s, size_t body, const double *q)
{
    double hung[3], square = 0;
    const double *centre = q + s->body[body].position;
    if (s->body[body].hold == SCENE_HUNG) {
        stepping_centre(s, body, q, hung);
        centre = hung;
    }
    for (unsigned d = 0; d < s->scene->dimension; d++) {
        double way = centre[d] - s->centre[body][d];
        square += way * way;
    }
    return !(square <= s->pad[body] * s->pad[body]);
}

static bool is_valid(const stepping *s, const double *q, double t)
{
    for (size_t k = 0; k < s->scene->walls; k++) {
        if (!(fabs(crm_wall_position(&s->scene->wall[k], t) - s->wall_place[k]) <=
              s->wall_pad[k])) {
            return false;
        }
    }
    for (size_t i = 0; i < s->scene->bodies; i++) {
        if (s->body[i].hold != SCENE_FIXED && has_left(s, i, q)) {
            return false;
        }
    }
    return s->listed;
}

/* ---- A new list ------------------------------------------------------------------------------ */

/* Speed of the centre. */
static double speed_of(const stepping *s, size_t body, const double *q)
{
    if (s->body[body].hold == SCENE_FREE) {
        const double *v = s->v + s->body[body].first;
        return sqrt(crm_bodies_dot(v, v, s->scene->dimension));
    }
    crm_solid solid = scene_solid(s->scene, body, q);
    crm_solid_rate rate = scene_rate(s->scene, body, &solid, q, s->v);
    return sqrt(crm_dot3(rate.velocity, rate.velocity));
}

static void place_pads(stepping *s, const double *q, double t)
{
    double step = PAD_STEPS * s->common.options.step;
    for (size_t i = 0; i < s->scene->bodies; i++) {
        bool fixed = s->body[i].hold == SCENE_FIXED;
        stepping_centre(s, i, q, s->centre[i]);
        s->pad[i] = fixed ? 0 : stepping_larger(PAD * s->body[i].reach, step * speed_of(s, i, q));
    }
    for (size_t k = 0; k < s->scene->walls; k++) {
        const crm_wall *wall = &s->scene->wall[k];
        s->wall_place[k] = crm_wall_position(wall, t);
        s->wall_pad[k] = step * (fabs(wall->speed) + fabs(wall->amplitude) * wall->omega);
    }
}

/* Makes an array large enough for `wanted` entries. */
static bool grow(void **array, size_t *room, size_t wanted, size_t size)
{
    if (wanted <= *room) {
        return true;
    }
    size_t larger = wanted + wanted / 2 + 16;
    void *moved = crm_memory_resize(*array, larger, size);
    if (moved == NULL) {
        return false;
    }
    *array = moved;
    *room = larger;
    return true;
}

static crm_status add_pair(stepping *s, size_t first, size_t second, crm_error *error)
{
    if (second < s->scene->bodies && s->scene->body[first].hold == SCENE_FIXED &&
        s->scene->body[second].hold == SCENE_FIXED) {
        return CRM_OK;
    }
    if (!grow((void **)&s->key, &s->key_room, s->keys + 1, sizeof *s->key)) {
        return crm_fail_memory(error);
    }
    s->key[s->keys++] = (uint64_t)first << 32 | second;
    return CRM_OK;
}

static crm_status add_walls(stepping *s, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t i = 0; i < s->scene->bodies && status == CRM_OK; i++) {
        double reach = s->body[i].reach * (1 + s->common.options.closure) + s->pad[i];
        for (size_t k = 0; k < s->scene->walls && status == CRM_OK; k++) {
            const crm_wall *wall = &s->scene->wall[k];
            double high = crm_bodies_dot(wall->normal, s->centre[i], s->scene->dimension);
            if (s->body[i].hold != SCENE_FIXED &&
                high - s->wall_place[k] <= reach + s->wall_pad[k]) {
                status = add_pair(s, i, s->scene->bodies + k, error);
            }
        }
    }
    return status;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Takes the state of a gap from the old list, whose next entry is *seen. */
static void carry_over(const stepping *s, size_t old_gaps, size_t *seen, stepping_gap *gap)
{
    while (*seen < old_gaps) {
        const stepping_gap *old = &s->old[*seen];
        uint64_t mine = (uint64_t)gap->party[0] << 32 | gap->party[1];
        uint64_t its = (uint64_t)old->party[0] << 32 | old->party[1];
        if (its > mine || (its == mine && old->place > gap->place)) {
            return;
        }
        if (its == mine && old->place == gap->place) {
            gap->impulse = old->impulse;
            gap->push = old->push;
            gap->open_steps = old->open_steps;
        }
        (*seen)++;
    }
}

static crm_status add_gaps(stepping *s, uint64_t key, size_t old_gaps, size_t *seen,
                           crm_error *error)
{
    size_t first = key >> 32, second = key & UINT32_MAX, bodies = s->scene->bodies;
    scene_gap found[SCENE_GAPS_MOST];
    size_t count = scene_pair_gaps(s->scene, first, second, found);
    bool both = second < bodies && s->body[first].hold != SCENE_FIXED &&
                s->body[second].hold != SCENE_FIXED;
    bool round = s->body[first].round && (second >= bodies || s->body[second].round);
    size_t gap_room = s->gap_room, distance_room = s->gap_room;
    if (!grow((void **)&s->gap, &gap_room, s->gaps + count, sizeof *s->gap) ||
        !grow((void **)&s->distance, &distance_room, s->gaps + count, sizeof *s->distance) ||
        !grow((void **)&s->gap_pair, &s->gap_room, s->gaps + count, sizeof *s->gap_pair) ||
        !grow((void **)&s->pair, &s->pair_room, s->pairs + 1, sizeof *s->pair)) {
        return crm_fail_memory(error);
    }
    for (size_t k = 0; k < count; k++) {
        stepping_gap *gap = &s->gap[s->gaps];
        double size = s->body[first].reach + (second < bodies ? s->body[second].reach : 0);
        *gap = (stepping_gap){.gap = found[k],
                              .round = round,
                              .party = {(uint32_t)first, (uint32_t)second},
                              .place = (uint32_t)k,
                              .bounce = stepping_bounce_between(s, first, second),
                              .size = size,
                              .open_steps = STEPPING_LONG_OPEN};
        carry_over(s, old_gaps, seen, gap);
        s->gap_pair[s->gaps++] = both ? (uint32_t)s->pairs : UINT32_MAX;
    }
    if (both && count > 0) {
        s->pair[s->pairs][0] = (uint32_t)first;
        s->pair[s->pairs++][1] = (uint32_t)second;
    }
    return CRM_OK;
}

static crm_status list_gaps(stepping *s, crm_error *error)
{
    size_t old_gaps = s->gaps, seen = 0;
    if (!grow((void **)&s->old, &s->old_room, old_gaps, sizeof *s->old)) {
        return crm_fail_memory(error);
    }
    if (old_gaps > 0) {
        memcpy(s->old, s->gap, old_gaps * sizeof *s->old);
    }
    s->gaps = s->pairs = 0;
    crm_status status = CRM_OK;
    for (size_t k = 0; k < s->keys && status == CRM_OK; k++) {
        status = add_gaps(s, s->key[k], old_gaps, &seen, error);
    }
    return status;
}

crm_status stepping_candidates_list(stepping *s, crm_error *error)
{
    s->keys = 0;
    crm_status status = stepping_cells_pairs(s, add_pair, error);
    status = status == CRM_OK ? add_walls(s, error) : status;
    if (status == CRM_OK && s->keys > 0) {
        qsort(s->key, s->keys, sizeof *s->key, by_key);
    }
    status = status == CRM_OK ? list_gaps(s, error) : status;
    s->listed = status == CRM_OK;
    return status;
}

crm_status stepping_candidates_update(stepping *s, const double *q, double t, crm_error *error)
{
    if (is_valid(s, q, t)) {
        return CRM_OK;
    }
    s->lists++;
    place_pads(s, q, t);
    return stepping_candidates_list(s, error);
}
