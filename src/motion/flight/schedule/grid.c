/* Neighbours of a ball, by cells.
 *
 * Balls of up to twice the smallest radius share a grid, those of up to four times the next one,
 * and so on; a ball is entered in the grid of its own size and in all coarser ones. Two balls that
 * touch are in adjacent cells of the larger one's grid, so that only adjacent cells are searched,
 * and a large ball does not search all the small cells around it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "motion/flight/flight.h"

/* Cells are larger than the largest ball by this factor: more than any closure gap, and much more
 * than rounding.
 */
static const double SLACK = 1.02;
/* In dilute scenes cells are larger: mean number of balls per cell. */
static const double PER_CELL = 0.5;
/* At most 2^CELL_BITS cells per ball, and at least 2^LEAST_BITS along each axis. */
enum { CELL_BITS = 2, LEAST_BITS = 2 };
/* Up to this many balls there are no cells: all are neighbours of each other. */
enum { FEW_BALLS = 24 };
/* More neighbours than this in the mean make cells smaller. */
enum { NEIGHBOURS_MOST = 80 };
/* Largest cell number that double precision resolves from the next. */
static const double FURTHEST = 1e15;

void flight_grid_release(flight_grid *grid)
{
    free(grid->own);
    free(grid->smaller);
    free(grid->entry);
}

static uint32_t *list_of(const flight *f, const flight_grid *grid, size_t ball)
{
    static const int NO_OFFSET[3] = {0, 0, 0};
    bool is_smaller = flight_own_grid(f, ball) != grid;
    return &(is_smaller ? grid->smaller
                        : grid->own)[flight_bucket(grid, grid->entry[ball].cell, NO_OFFSET)];
}

static void enter(const flight *f, flight_grid *grid, size_t ball)
{
    uint32_t *head = list_of(f, grid, ball);
    grid->entry[ball].next = *head;
    grid->entry[ball].previous = FLIGHT_NONE;
    if (*head != FLIGHT_NONE) {
        grid->entry[*head].previous = (uint32_t)ball;
    }
    *head = (uint32_t)ball;
}

static void leave(const flight *f, flight_grid *grid, size_t ball)
{
    uint32_t next = grid->entry[ball].next, previous = grid->entry[ball].previous;
    if (previous != FLIGHT_NONE) {
        grid->entry[previous].next = next;
    } else {
        *list_of(f, grid, ball) = next;
    }
    if (next != FLIGHT_NONE) {
        grid->entry[next].previous = previous;
    }
}

void flight_cross_cell(flight *f, size_t ball)
{
    const flight_events *events = &f->events[ball];
    flight_grid *grid = &f->grid[events->level];
    leave(f, grid, ball);
    grid->entry[ball].cell[events->axis] += events->side;
    enter(f, grid, ball);
}

bool flight_is_resolved(const flight *f, size_t ball)
{
    const flight_events *events = &f->events[ball];
    return llabs((long long)f->grid[events->level].entry[ball].cell[events->axis]) <
           (long long)FURTHEST;
}

/* ---- Making them ----------------------------------------------------------------------------- */

typedef struct extent {
    double low[3], high[3];
} extent;

static extent find_extent(const flight *f, double t)
{
    extent e = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < f->balls; i++) {
        double x[3], v[3];
        if (f->mode[i] == FLIGHT_EXTERNAL) {
            continue;
        }
        flight_state_at(f, i, t, x, v);
        for (int d = 0; d < 3; d++) {
            e.low[d] = fmin(e.low[d], x[d]);
            e.high[d] = fmax(e.high[d], x[d]);
        }
    }
    return e;
}

/* Size class of a ball; sizes of classes grow by `growth`. */
static unsigned class_of(double radius, double least, double growth)
{
    double grown = crm_log(radius / least) / crm_log(growth);
    return (unsigned)fmin(fmax(grown, 0), FLIGHT_LEVELS - 1);
}

/* Classes with balls in them become levels, in ascending order. */
static void find_levels(flight *f, double *largest, size_t *count)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < f->balls; i++) {
        if (f->mode[i] != FLIGHT_EXTERNAL) {
            least = fmin(least, f->ball[i].radius);
            most = fmax(most, f->ball[i].radius);
        }
    }
    double growth = fmax(2, crm_pow(most / least, 1.0 / (FLIGHT_LEVELS - 1)));
    double radius[FLIGHT_LEVELS] = {0};
    uint8_t level_of[FLIGHT_LEVELS] = {0};
    for (size_t i = 0; i < f->balls; i++) {
        if (f->mode[i] == FLIGHT_EXTERNAL) {
            continue;
        }
        unsigned k = class_of(f->ball[i].radius, least, growth);
        f->level[i] = (uint8_t)k;
        radius[k] = fmax(radius[k], f->ball[i].radius);
    }
    for (unsigned k = 0; k < FLIGHT_LEVELS; k++) {
        if (radius[k] > 0) {
            level_of[k] = (uint8_t)f->levels;
            largest[f->levels] = radius[k];
            count[f->levels++] = 0;
        }
    }
    for (size_t i = 0; i < f->balls; i++) {
        if (f->mode[i] != FLIGHT_EXTERNAL) {
            f->level[i] = level_of[f->level[i]];
            count[f->level[i]]++;
        }
    }
}

/* The size of cells for the present positions. `count`: of this level's size and smaller. */
static double suitable_size(const flight *f, const extent *e, double largest, size_t count)
{
    double volume = 1, touching = 2 * SLACK * largest;
    for (unsigned d = 0; d < f->dimension; d++) {
        volume *= fmax(e->high[d] - e->low[d], touching);
    }
    double mean = crm_pow(PER_CELL * volume / (double)count, 1.0 / f->dimension);
    return fmax(touching, isfinite(mean) ? mean : 0);
}

static void shape_grid(const flight *f, flight_grid *grid, const extent *e, double size,
                       size_t count)
{
    grid->size = size;
    unsigned bits[3] = {0, 0, 0}, total = 0, most = CELL_BITS;
    while ((count >> most) > 0 && most < 40) {
        most++;
    }
    most += CELL_BITS;
    for (unsigned d = 0; d < f->dimension; d++) {
        double cells = (e->high[d] - e->low[d]) / grid->size + 2;
        bits[d] = (unsigned)fmax(LEAST_BITS, fmin(ceil(crm_log2(cells)), 30));
        total += bits[d];
    }
    while (total > most && total > LEAST_BITS * f->dimension) {
        unsigned widest = bits[0] >= bits[1] && bits[0] >= bits[2] ? 0 : bits[1] >= bits[2] ? 1 : 2;
        bits[widest]--;
        total--;
    }
    for (unsigned d = 0, shift = 0; d < 3; shift += bits[d], d++) {
        grid->mask[d] = (1u << bits[d]) - 1;
        grid->shift[d] = shift;
    }
}

/* Enters a ball in the cell at its position at t. */
static crm_status place_in(const flight *f, flight_grid *grid, size_t ball, double t,
                           crm_error *error)
{
    double x[3], v[3];
    flight_state_at(f, ball, t, x, v);
    for (unsigned d = 0; d < f->dimension; d++) {
        double place = floor(x[d] / grid->size);
        if (!(fabs(place) < FURTHEST)) {
            return crm_fail(error, CRM_ERROR_MODEL, "bodies",
                            "body %zu is %g sizes of a body away from the origin: too far for "
                            "double precision to resolve its size",
                            ball + 1, fabs(place));
        }
        grid->entry[ball].cell[d] = (int64_t)place;
    }
    enter(f, grid, ball);
    return CRM_OK;
}

bool flight_grid_take(const flight *f, size_t level, flight_grid *grid)
{
    size_t cells = flight_grid_cells(grid);
    grid->own = flight_allocate_lines(cells, sizeof *grid->own);
    grid->smaller = CRM_NEW(uint32_t, level > 0 ? cells : 0);
    grid->entry = flight_allocate_lines(f->balls, sizeof *grid->entry);
    if (grid->own == NULL || grid->smaller == NULL || grid->entry == NULL) {
        return false;
    }
    memset(grid->own, 0xff, cells * sizeof *grid->own); /* FLIGHT_NONE */
    memset(grid->smaller, 0xff, (level > 0 ? cells : 0) * sizeof *grid->smaller);
    return true;
}

/* Enters all balls at their positions at t. */
static crm_status fill_grid(flight *f, size_t level, double t, crm_error *error)
{
    flight_grid *grid = &f->grid[level];
    if (!flight_grid_take(f, level, grid)) {
        return crm_fail_memory(error);
    }
    for (size_t i = f->balls; i-- > 0;) {
        if (f->mode[i] == FLIGHT_EXTERNAL || f->level[i] > level) {
            continue;
        }
        crm_status status = place_in(f, grid, i, t, error);
        if (status != CRM_OK) {
            return status;
        }
    }
    return CRM_OK;
}

static crm_status make_grids(flight *f, double t, crm_error *error)
{
    double largest[FLIGHT_LEVELS];
    size_t count[FLIGHT_LEVELS], here = 0;
    extent e = find_extent(f, t);
    find_levels(f, largest, count);
    crm_status status = CRM_OK;
    for (size_t level = 0; level < f->levels && status == CRM_OK; level++) {
        here += count[level];
        if (f->suitable[level] == 0 || f->largest[level] != largest[level]) {
            f->suitable[level] = suitable_size(f, &e, largest[level], here);
            f->largest[level] = largest[level];
        }
        shape_grid(f, &f->grid[level], &e, f->cell_use.widening * f->suitable[level], here);
        status = fill_grid(f, level, t, error);
    }
    return status;
}

crm_status flight_make_grids(flight *f, crm_error *error)
{
    f->cell_use.widening = 1;
    return f->balls <= FEW_BALLS ? CRM_OK : make_grids(f, 0, error);
}

/* ---- Cells of another size ------------------------------------------------------------------- */

/* All balls predict again. Without memory the old cells are kept. */
static bool remake_grids(flight *f, double t)
{
    flight_grid before[FLIGHT_LEVELS];
    size_t levels = f->levels;
    memcpy(before, f->grid, sizeof before);
    memset(f->grid, 0, sizeof f->grid);
    f->levels = 0;
    bool made = make_grids(f, t, NULL) == CRM_OK;
    flight_grid *unused = made ? before : f->grid;
    for (size_t level = 0; level < FLIGHT_LEVELS; level++) {
        flight_grid_release(&unused[level]);
    }
    if (!made) {
        memcpy(f->grid, before, sizeof before);
        f->levels = levels;
        return false;
    }
    for (size_t i = 0; i < f->balls; i++) {
        if (f->mode[i] == FLIGHT_FREE || f->mode[i] == FLIGHT_SUPPORTED) {
            flight_predict(f, i, t, NULL);
        }
    }
    return true;
}

/* Balls that fly apart cross many cells between impacts: larger cells. Balls that have come
 * together have many neighbours: smaller cells. Decided by counts of events alone, so that a motion
 * has the same cells however it is run.
 */
void flight_adapt_cells(flight *f, double t)
{
    flight_cell_use *now = &f->cell_use;
    uint64_t many = 32 * (uint64_t)f->balls + 4096;
    if (now->crossings + now->searches < many) {
        return;
    }
    bool empty = now->crossings > 16 * (f->impacts - now->impacts);
    bool crowded = now->found > NEIGHBOURS_MOST * now->searches;
    double widening = empty && !crowded              ? 2 * now->widening
                      : crowded && now->widening > 1 ? 0.5 * now->widening
                                                     : now->widening;
    bool other = widening != now->widening;
    *now = (flight_cell_use){.impacts = f->impacts, .widening = widening};
    if (!other) {
        return;
    }
    remake_grids(f, t);
}

/* ---- Going and coming ------------------------------------------------------------------------ */

void flight_leave_cells(flight *f, size_t ball)
{
    for (size_t level = f->level[ball]; level < f->levels; level++) {
        leave(f, &f->grid[level], ball);
    }
}

/* Into the finest cells that are large enough. */
crm_status flight_enter_cells(flight *f, size_t ball, double t, crm_error *error)
{
    size_t level = 0;
    while (level < f->levels && f->grid[level].size < 2 * SLACK * f->ball[ball].radius) {
        level++;
    }
    if (f->levels > 0 && level == f->levels) {
        return remake_grids(f, t) ? CRM_OK : crm_fail_memory(error);
    }
    f->level[ball] = (uint8_t)level;
    crm_status status = CRM_OK;
    for (; level < f->levels && status == CRM_OK; level++) {
        status = place_in(f, &f->grid[level], ball, t, error);
    }
    return status;
}

/* ---- Who is near a place --------------------------------------------------------------------- */

static void add_own(const flight_grid *grid, const int64_t *cell, flight_neighbours *neighbours)
{
    static const int NO_OFFSET[3] = {0, 0, 0};
    uint32_t k = grid->own[flight_bucket(grid, cell, NO_OFFSET)];
    for (; k != FLIGHT_NONE; k = grid->entry[k].next) {
        neighbours->ball[neighbours->count++] = k;
    }
}

/* The grid is periodic: along no axis are more cells searched than there are. */
static void search_grid(const flight *f, const flight_grid *grid, const double *x, double reach,
                        flight_neighbours *neighbours)
{
    int64_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, cell[3];
    for (unsigned d = 0; d < f->dimension; d++) {
        double first = floor((x[d] - reach) / grid->size);
        double count = fmin(floor((x[d] + reach) / grid->size) - first, (double)grid->mask[d]);
        low[d] = (int64_t)fmax(-FURTHEST, fmin(first, FURTHEST));
        high[d] = low[d] + (int64_t)count;
    }
    for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++) {
        for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++) {
            for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++) {
                add_own(grid, cell, neighbours);
            }
        }
    }
}

void flight_search_cells(const flight *f, const double *x, double reach, double cells,
                         flight_neighbours *neighbours)
{
    neighbours->count = 0;
    for (size_t k = 0; f->levels == 0 && k < f->balls; k++) {
        if (f->mode[k] != FLIGHT_EXTERNAL) {
            neighbours->ball[neighbours->count++] = (uint32_t)k;
        }
    }
    for (size_t level = 0; level < f->levels; level++) {
        search_grid(f, &f->grid[level], x, reach + cells * f->grid[level].size, neighbours);
    }
}
