/* Pairs of bodies near each other, by cells, for any mix of sizes.
 *
 * Bodies whose padded radii are within a factor of two share a level, whose cells are as wide as
 * the largest of their diameters. Each body is in one cell of its own level, and searches the
 * adjacent cells there and in all coarser levels: a pair is found from the smaller body. Cells are
 * buckets of a hash table, so that the grid has no bounds.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion/stepping/stepping.h"

enum { LEVELS = 64, NONE = UINT32_MAX };
/* Largest cell number that double precision resolves from the next; bodies further out share it. */
static const double FURTHEST = 1e15;

crm_status stepping_cells_create(stepping *s, crm_error *error)
{
    stepping_cells *cells = &s->cells;
    cells->buckets = 16;
    while (cells->buckets < 2 * s->scene->bodies) {
        cells->buckets *= 2;
    }
    cells->head = CRM_NEW(uint32_t, cells->buckets);
    cells->next = CRM_NEW(uint32_t, s->scene->bodies);
    cells->level = CRM_NEW(uint8_t, s->scene->bodies);
    cells->cell = (int64_t(*)[3])crm_memory_allocate(s->scene->bodies, sizeof *cells->cell);
    return cells->head != NULL && cells->next != NULL && cells->level != NULL && cells->cell != NULL
               ? CRM_OK
               : crm_fail_memory(error);
}

void stepping_cells_free(stepping_cells *cells)
{
    free(cells->head);
    free(cells->next);
    free(cells->level);
    free(cells->cell);
}

static double radius(const stepping *s, size_t body)
{
    return s->body[body].reach * (1 + s->common.options.closure) + s->pad[body];
}

static size_t bucket(const stepping_cells *cells, unsigned level, const int64_t cell[3])
{
    uint64_t hash = level + 1;
    for (unsigned d = 0; d < 3; d++) {
        hash = (hash ^ (uint64_t)cell[d]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return (size_t)hash & (cells->buckets - 1);
}

static void find_levels(stepping *s)
{
    stepping_cells *cells = &s->cells;
    double least = INFINITY;
    memset(cells->side, 0, sizeof cells->side);
    for (size_t i = 0; i < s->scene->bodies; i++) {
        least = fmin(least, radius(s, i));
    }
    for (size_t i = 0; i < s->scene->bodies; i++) {
        double size = radius(s, i);
        int level = ilogb(size / least);
        cells->level[i] = (uint8_t)(level < LEVELS - 1 ? level : LEVELS - 1);
        cells->side[cells->level[i]] = fmax(cells->side[cells->level[i]], 2 * size);
    }
}

static void find_cell(const double centre[3], double side, int64_t cell[3])
{
    for (unsigned d = 0; d < 3; d++) {
        cell[d] = (int64_t)fmax(-FURTHEST, fmin(floor(centre[d] / side), FURTHEST));
    }
}

static void enter(stepping *s, size_t i)
{
    stepping_cells *cells = &s->cells;
    find_cell(s->centre[i], cells->side[cells->level[i]], cells->cell[i]);
    uint32_t *head = &cells->head[bucket(cells, cells->level[i], cells->cell[i])];
    cells->next[i] = *head;
    *head = (uint32_t)i;
}

static bool spheres_meet(const stepping *s, size_t i, size_t j)
{
    double square = 0, reach = radius(s, i) + radius(s, j);
    for (unsigned d = 0; d < 3; d++) {
        double apart = s->centre[i][d] - s->centre[j][d];
        square += apart * apart;
    }
    return square <= reach * reach;
}

typedef crm_status adder(stepping *, size_t, size_t, crm_error *);

/* Bodies in one cell of a level; in the body's own level each pair is found twice and added once.
 */
static crm_status search_cell(stepping *s, size_t i, unsigned level, const int64_t cell[3],
                              adder *add, crm_error *error)
{
    const stepping_cells *cells = &s->cells;
    crm_status status = CRM_OK;
    for (uint32_t j = cells->head[bucket(cells, level, cell)]; j != NONE && status == CRM_OK;
         j = cells->next[j]) {
        bool here = cells->level[j] == level && memcmp(cells->cell[j], cell, 3 * sizeof *cell) == 0;
        if (here && (level > cells->level[i] || j > i) && spheres_meet(s, i, j)) {
            status = add(s, i < j ? i : j, i < j ? j : i, error);
        }
    }
    return status;
}

static crm_status search_around(stepping *s, size_t i, unsigned level, adder *add, crm_error *error)
{
    int64_t centre[3];
    find_cell(s->centre[i], s->cells.side[level], centre);
    unsigned dimension = s->scene->dimension;
    int reach[3] = {1, dimension > 1, dimension > 2};
    crm_status status = CRM_OK;
    for (int x = -reach[0]; x <= reach[0]; x++) {
        for (int y = -reach[1]; y <= reach[1]; y++) {
            for (int z = -reach[2]; z <= reach[2] && status == CRM_OK; z++) {
                const int64_t cell[3] = {centre[0] + x, centre[1] + y, centre[2] + z};
                status = search_cell(s, i, level, cell, add, error);
            }
        }
    }
    return status;
}

crm_status stepping_cells_pairs(stepping *s, adder *add, crm_error *error)
{
    stepping_cells *cells = &s->cells;
    memset(cells->head, 0xff, cells->buckets * sizeof *cells->head); /* NONE */
    find_levels(s);
    for (size_t i = s->scene->bodies; i-- > 0;) {
        enter(s, i);
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < s->scene->bodies && status == CRM_OK; i++) {
        for (unsigned level = cells->level[i]; level < LEVELS && status == CRM_OK; level++) {
            if (cells->side[level] > 0) {
                status = search_around(s, i, level, add, error);
            }
        }
    }
    return status;
}
