/* Islands: bodies connected by contacts. Fixed bodies and walls connect nothing.
 *
 * Each island is a problem of its own, so that other islands change neither its solution nor its
 * cost. A single contact has p = max(0, bound).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/disjoint.h"
#include "motion/stepping/stepping.h"

enum { NONE = UINT32_MAX };
/* From this many coordinates on, one more than FULL of primal/factor.c, an island is solved by
 * sparse matrices, and keeps their analysis.
 */
enum { LARGE = 49 };

/* ---- Memory ---------------------------------------------------------------------------------- */

static bool make_room_for_pairs(stepping_islands *i, size_t pairs)
{
    if (pairs <= i->pair_room && i->pair != NULL) {
        return true;
    }
    free(i->pair);
    free(i->pair_of);
    i->pair_room = pairs + pairs / 2 + 16;
    i->pair = (uint32_t(*)[2])crm_memory_allocate(i->pair_room, sizeof *i->pair);
    i->pair_of = CRM_NEW(uint32_t, i->pair_room);
    return i->pair != NULL && i->pair_of != NULL;
}

static bool make_room_for_contacts(stepping_islands *i, size_t contacts)
{
    if (contacts <= i->contact_room && i->contact != NULL) {
        return true;
    }
    free(i->contact);
    free(i->column);
    free(i->p);
    i->contact_room = contacts + contacts / 2 + 16;
    i->contact = CRM_NEW(uint32_t, i->contact_room);
    i->column = CRM_NEW(crm_primal_contact, i->contact_room);
    i->p = CRM_NEW(double, i->contact_room);
    return i->contact != NULL && i->column != NULL && i->p != NULL;
}

/* ---- Islands of bodies ----------------------------------------------------------------------- */

static bool moves(const stepping *s, uint32_t party)
{
    return party < s->scene->bodies && s->body[party].hold != SCENE_FIXED;
}

/* The smaller number is the root, so that islands are in the order of their first bodies. */
static void join(const stepping *s, const stepping_contacts *list)
{
    uint32_t *root = s->islands.root;
    crm_disjoint_begin(root, s->scene->bodies);
    for (size_t k = 0; k < list->count; k++) {
        const uint32_t *party = s->gap[list->contact[k].gap].party;
        if (moves(s, party[0]) && moves(s, party[1])) {
            crm_disjoint_join(root, party[0], party[1]);
        }
    }
}

static uint32_t body_of(const stepping *s, const stepping_contact *c)
{
    const uint32_t *party = s->gap[c->gap].party;
    return moves(s, party[0]) ? party[0] : party[1];
}

/* Turns counts at start[k + 1] into starts. */
static void add_up(size_t *start, size_t count)
{
    start[0] = 0;
    for (size_t k = 0; k < count; k++) {
        start[k + 1] += start[k];
    }
}

/* Turns ends, which filling has made of starts, back into starts. */
static void shift_back(size_t *start, size_t count)
{
    for (size_t k = count; k > 0; k--) {
        start[k] = start[k - 1];
    }
    start[0] = 0;
}

static void number_islands(stepping *s, const stepping_contacts *list)
{
    stepping_islands *i = &s->islands;
    i->count = 0;
    for (size_t b = 0; b < s->scene->bodies; b++) {
        i->island[b] = NONE;
    }
    for (size_t k = 0; k < list->count; k++) { /* roots of islands */
        i->island[crm_disjoint_find(i->root, body_of(s, &list->contact[k]))] = 0;
    }
    for (size_t b = 0; b < s->scene->bodies; b++) {
        uint32_t root = crm_disjoint_find(i->root, (uint32_t)b);
        if (root == b && i->island[b] != NONE) {
            i->island[b] = (uint32_t)i->count++;
        } else if (root != b) {
            i->island[b] = i->island[root];
        }
    }
}

/* Numbers of bodies, contacts and candidate pairs of each island, as starts. */
static void count_by_island(stepping *s, const stepping_contacts *list)
{
    stepping_islands *i = &s->islands;
    size_t bytes = (i->count + 1) * sizeof(size_t);
    memset(i->body_start, 0, bytes);
    memset(i->contact_start, 0, bytes);
    memset(i->pair_start, 0, bytes);
    for (size_t b = 0; b < s->scene->bodies; b++) {
        if (i->island[b] != NONE) {
            i->body_start[i->island[b] + 1]++;
        }
    }
    for (size_t k = 0; k < list->count; k++) {
        i->contact_start[i->island[body_of(s, &list->contact[k])] + 1]++;
    }
    for (size_t k = 0; k < s->pairs; k++) {
        uint32_t island = i->island[s->pair[k][0]];
        if (island != NONE && island == i->island[s->pair[k][1]]) {
            i->pair_start[island + 1]++;
        }
    }
    add_up(i->body_start, i->count);
    add_up(i->contact_start, i->count);
    add_up(i->pair_start, i->count);
}

static void fill_islands(stepping *s, const stepping_contacts *list)
{
    stepping_islands *i = &s->islands;
    for (size_t b = 0; b < s->scene->bodies; b++) {
        if (i->island[b] != NONE) {
            size_t *next = &i->body_start[i->island[b]];
            i->body[(*next)++] = (uint32_t)b;
        }
    }
    for (size_t k = 0; k < list->count; k++) {
        i->contact[i->contact_start[i->island[body_of(s, &list->contact[k])]]++] = (uint32_t)k;
    }
    shift_back(i->body_start, i->count);
    shift_back(i->contact_start, i->count);
    for (size_t k = 0; k < i->count; k++) {
        for (size_t m = i->body_start[k]; m < i->body_start[k + 1]; m++) {
            i->local[i->body[m]] = (uint32_t)(m - i->body_start[k]);
        }
    }
    for (size_t k = 0; k < s->pairs; k++) {
        const uint32_t *pair = s->pair[k];
        uint32_t island = i->island[pair[0]];
        if (island != NONE && island == i->island[pair[1]]) {
            size_t place = i->pair_start[island]++;
            i->pair_of[k] = (uint32_t)place;
            i->pair[place][0] = i->local[pair[0]];
            i->pair[place][1] = i->local[pair[1]];
        }
    }
    shift_back(i->pair_start, i->count);
}

/* ---- One island ------------------------------------------------------------------------------ */

/* x of the island, by the scene's coordinates. */
static void add_solution(const stepping *s, size_t island, const double *x, double *y)
{
    const stepping_islands *i = &s->islands;
    for (size_t m = i->body_start[island]; m < i->body_start[island + 1]; m++) {
        uint32_t body = i->body[m], first = stepping_first(s, body);
        for (uint32_t k = 0; k < stepping_width(s, body); k++) {
            y[first + k] = *x++;
        }
    }
}

/* A single contact: x = max(0, bound) c. */
static void solve_single(const stepping *s, const stepping_contacts *list, stepping_contact *c,
                         double *y)
{
    const double *value = list->value + c->start;
    c->p = fmax(0, c->bound);
    for (unsigned side = 0; side < 2; side++) {
        uint32_t party = s->gap[c->gap].party[side];
        uint32_t width = party < s->scene->bodies ? stepping_width(s, party) : 0;
        for (uint32_t k = 0; k < width; k++) {
            y[stepping_first(s, party) + k] = c->p * value[k];
        }
        value += width;
    }
}

static crm_primal_problem pose(stepping *s, const stepping_contacts *list, size_t island)
{
    stepping_islands *i = &s->islands;
    size_t bodies = i->body_start[island + 1] - i->body_start[island];
    size_t contacts = i->contact_start[island + 1] - i->contact_start[island];
    const uint32_t *body = i->body + i->body_start[island];
    i->first[0] = 0;
    for (size_t b = 0; b < bodies; b++) {
        i->first[b + 1] = i->first[b] + stepping_width(s, body[b]);
    }
    for (size_t k = 0; k < contacts; k++) {
        const stepping_contact *c = &list->contact[i->contact[i->contact_start[island] + k]];
        const uint32_t *party = s->gap[c->gap].party;
        bool both = moves(s, party[0]) && moves(s, party[1]);
        uint32_t pair = both ? i->pair_of[s->gap_pair[c->gap]] : NONE;
        i->column[k] = (crm_primal_contact){
            .block = {i->local[body_of(s, c)], both ? i->local[party[1]] : CRM_PRIMAL_NOBODY},
            .pair = both ? pair - (uint32_t)i->pair_start[island] : NONE,
            .start = c->start,
            .bound = c->bound};
        i->p[k] = c->p;
    }
    return (crm_primal_problem){
        .shape = {.blocks = bodies,
                  .first = i->first,
                  .pairs = i->pair_start[island + 1] - i->pair_start[island],
                  .pair = (const uint32_t(*)[2])(i->pair + i->pair_start[island])},
        .contacts = contacts,
        .contact = i->column,
        .value = list->value,
        .p = i->p,
        .x = i->x};
}

static crm_status solve_island(stepping *s, stepping_contacts *list, size_t island,
                               stepping_solvers *solvers, size_t *large, double *y,
                               size_t *failed_gap, crm_error *error)
{
    stepping_islands *i = &s->islands;
    crm_primal_problem problem = pose(s, list, island);
    crm_primal *solver = solvers->small;
    if (i->first[problem.shape.blocks] >= LARGE) {
        solver = solvers->large[*large < STEPPING_SOLVERS ? *large : STEPPING_SOLVERS - 1];
        (*large)++;
    }
    crm_primal_info info;
    crm_status status = crm_primal_solve(solver, &problem, &info, error);
    if (status != CRM_OK) {
        return status;
    }
    s->sets += info.sets;
    s->factorizations += info.factorizations;
    s->by_dual += info.by_dual;
    s->residual = fmax(s->residual, info.residual);
    const uint32_t *contact = i->contact + i->contact_start[island];
    for (size_t k = 0; k < problem.contacts; k++) {
        list->contact[contact[k]].p = i->p[k];
    }
    if (info.result != CRM_PRIMAL_SOLVED) {
        *failed_gap = list->contact[contact[0]].gap;
    }
    add_solution(s, island, i->x, y);
    return CRM_OK;
}

crm_status stepping_islands_solve(stepping *s, stepping_contacts *list, stepping_solvers *solvers,
                                  double *y, size_t *failed_gap, crm_error *error)
{
    stepping_islands *i = &s->islands;
    size_t large = 0;
    *failed_gap = SIZE_MAX;
    memset(y, 0, s->scene->velocities * sizeof *y);
    i->count = 0;
    if (list->count == 0) {
        return CRM_OK;
    }
    if (!make_room_for_pairs(i, s->pairs) || !make_room_for_contacts(i, list->count)) {
        return crm_fail_memory(error);
    }
    join(s, list);
    number_islands(s, list);
    count_by_island(s, list);
    fill_islands(s, list);
    crm_status status = CRM_OK;
    for (size_t k = 0; k < i->count && status == CRM_OK && *failed_gap == SIZE_MAX; k++) {
        if (i->contact_start[k + 1] - i->contact_start[k] == 1) {
            solve_single(s, list, &list->contact[i->contact[i->contact_start[k]]], y);
        } else {
            status = solve_island(s, list, k, solvers, &large, y, failed_gap, error);
        }
    }
    return status;
}
