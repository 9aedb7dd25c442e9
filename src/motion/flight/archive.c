/* The state of a flight, for archives: external bodies, balls with their trajectories and next
 * events, cells with the order of balls in them, requests, and counts. The queue of events follows
 * from these.
 */
#include "motion/archive.h"

#include <math.h>

#include "motion/flight/flight.h"

/* Beyond any cell that double precision resolves, and no sum of two overflows. */
static const int64_t CELL_MOST = INT64_C(1) << 60;
/* More cells than are ever made per ball. */
enum { CELLS_PER_BALL = 64 };

/* ---- Balls ----------------------------------------------------------------------------------- */

/* Fixed balls remain fixed; f->external tells which are external. */
static bool may_be(const flight *f, size_t i, uint8_t mode)
{
    uint8_t now = f->mode[i];
    return (mode == FLIGHT_FIXED) == (now == FLIGHT_FIXED) &&
           (mode == FLIGHT_EXTERNAL) == (now == FLIGHT_EXTERNAL) &&
           (mode != FLIGHT_SUPPORTED || f->walls > 0);
}

static void list_clearance(crm_archive *a, flight_ball *b)
{
    double radius = b->radius;
    crm_archive_number(a, &radius);
    if (!(radius >= 0 && isfinite(radius))) {
        crm_archive_refuse(a, "it is damaged: the radius of a clearance sphere is %g", radius);
        return;
    }
    b->radius = radius;
}

static void list_trajectory(crm_archive *a, flight *f, size_t i)
{
    flight_ball *b = &f->ball[i];
    uint8_t mode = f->mode[i];
    crm_archive_numbers(a, b->x, 3);
    crm_archive_numbers(a, b->v, 3);
    crm_archive_number(a, &b->time);
    crm_archive_byte(a, &mode, FLIGHT_EXTERNAL);
    if (!may_be(f, i, mode)) {
        crm_archive_refuse(a, "it is damaged: ball %zu cannot move as it does in it", i + 1);
        return;
    }
    f->mode[i] = mode;
    if (mode == FLIGHT_EXTERNAL) {
        list_clearance(a, b);
    }
    crm_archive_word(a, &f->version[i]);
}

static void list_support(crm_archive *a, flight *f, size_t i)
{
    flight_support *h = &f->support[i];
    crm_archive_numbers(a, h->a, 3);
    crm_archive_number(a, &h->release);
    crm_archive_index(a, &h->carrier, f->walls);
    for (size_t k = 0; k < 3; k++) {
        crm_archive_index(a, &h->wall[k], f->walls);
    }
    crm_archive_index(a, &h->count, 4);
    if (h->count > 3) {
        crm_archive_refuse(a, "it is damaged: ball %zu rests on %u walls", i + 1, h->count);
    }
}

/* An event must name its partner. */
static void check_events(crm_archive *a, const flight *f, size_t i)
{
    const flight_events *s = &f->events[i];
    bool wrong = isnan(s->meeting) || isnan(s->wall_meeting) || isnan(s->crossing);
    wrong |= s->meeting < INFINITY && s->partner >= f->balls;
    wrong |= s->wall_meeting < INFINITY && f->walls == 0;
    wrong |= s->crossing < INFINITY &&
             (s->level >= f->levels || s->level < f->level[i] || (s->side != 1 && s->side != -1));
    wrong |= f->mode[i] == FLIGHT_EXTERNAL &&
             (s->meeting < INFINITY || s->wall_meeting < INFINITY || s->crossing < INFINITY);
    if (wrong) {
        crm_archive_refuse(a, "it is damaged: the events of ball %zu make no sense", i + 1);
    }
}

static void list_events(crm_archive *a, flight *f, size_t i)
{
    flight_events *s = &f->events[i];
    int64_t side = s->side;
    double *const numbers[] = {&s->meeting, &s->wall_meeting, &s->crossing, &s->last_impact};
    bool *const flags[] = {&s->provisional, &s->wall_provisional, &s->moves};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        crm_archive_number(a, numbers[k]);
    }
    for (size_t k = 0; k < sizeof flags / sizeof flags[0]; k++) {
        crm_archive_flag(a, flags[k]);
    }
    crm_archive_index(a, &s->partner, f->balls);
    crm_archive_word(a, &s->partner_version);
    crm_archive_index(a, &s->wall, f->walls > 0 ? f->walls : 1);
    crm_archive_byte(a, &s->level, FLIGHT_LEVELS - 1);
    crm_archive_byte(a, &s->axis, f->dimension - 1);
    crm_archive_place(a, &side, 1);
    s->side = (int8_t)side;
    crm_archive_word(a, &s->repeats);
    check_events(a, f, i);
}

static void list_balls(crm_archive *a, flight *f)
{
    for (size_t i = 0; i < f->balls && crm_archive_is_good(a); i++) {
        list_trajectory(a, f, i);
        if (f->mode[i] == FLIGHT_SUPPORTED) {
            list_support(a, f, i);
        }
        list_events(a, f, i);
    }
}

/* ---- External bodies ------------------------------------------------------------------------- */

static void note_external(crm_archive *a, flight *f, size_t place, uint32_t ball)
{
    if (ball == FLIGHT_NONE || f->mode[ball] == FLIGHT_FIXED || f->mode[ball] == FLIGHT_EXTERNAL) {
        crm_archive_refuse(a, "it is damaged: a ball is fixed and moved, or moved by two");
        return;
    }
    f->mode[ball] = FLIGHT_EXTERNAL;
    f->external[place] = ball;
}

static void list_external(crm_archive *a, flight *f)
{
    crm_archive_count(a, &f->externals, f->balls);
    for (size_t i = 0; crm_archive_reads(a) && i < f->balls; i++) {
        f->mode[i] = f->mode[i] == FLIGHT_EXTERNAL ? FLIGHT_FREE : f->mode[i];
    }
    for (size_t k = 0; k < f->externals && crm_archive_is_good(a); k++) {
        uint32_t ball = f->external[k];
        crm_archive_index(a, &ball, f->balls);
        if (crm_archive_reads(a)) {
            note_external(a, f, k, ball);
        }
    }
}

/* A request must be about a movable ball and, if it has a body, an external one. */
static void note_request(crm_archive *a, flight *f, flight_request request)
{
    bool wrong = request.ball == FLIGHT_NONE || f->mode[request.ball] == FLIGHT_FIXED ||
                 (request.body != FLIGHT_NONE && f->mode[request.body] != FLIGHT_EXTERNAL);
    if (wrong) {
        crm_archive_refuse(a, "it is damaged: a request makes no sense");
        return;
    }
    flight_add_request(f, request.ball, request.body);
    if (f->motion.failed) {
        crm_archive_fail_memory(a);
    }
}

static void list_requests(crm_archive *a, flight *f)
{
    size_t requests = f->requests;
    crm_archive_count(a, &requests, SIZE_MAX);
    f->requests = crm_archive_reads(a) ? 0 : f->requests;
    for (size_t k = 0; k < requests && crm_archive_is_good(a); k++) {
        flight_request request = k < f->requests ? f->request[k] : (flight_request){0};
        crm_archive_index(a, &request.ball, f->balls);
        crm_archive_index(a, &request.body, f->balls);
        if (crm_archive_reads(a)) {
            note_request(a, f, request);
        }
    }
}

/* ---- Cells ----------------------------------------------------------------------------------- */

static void list_shape(crm_archive *a, const flight *f, flight_grid *grid)
{
    double cells = 1;
    crm_archive_number(a, &grid->size);
    for (unsigned d = 0, shift = 0; d < 3; d++) {
        uint8_t bits = 0;
        while (bits < 31 && (grid->mask[d] >> bits) > 0) {
            bits++;
        }
        crm_archive_byte(a, &bits, 31);
        grid->mask[d] = (1u << bits) - 1;
        grid->shift[d] = shift;
        shift += bits;
        cells *= (double)grid->mask[d] + 1;
    }
    if (!(grid->size > 0 && isfinite(grid->size)) || cells > CELLS_PER_BALL * ((double)f->balls)) {
        crm_archive_refuse(a, "it is damaged: there are %g cells of size %g", cells, grid->size);
    }
}

/* Whether a ball is entered in a grid. */
static bool is_in(const flight *f, size_t level, size_t ball)
{
    return f->level[ball] <= level && f->mode[ball] != FLIGHT_EXTERNAL;
}

static uint32_t *head_of(const flight *f, const flight_grid *grid, size_t level, size_t ball)
{
    static const int NO_OFFSET[3] = {0, 0, 0};
    size_t bucket = flight_bucket(grid, grid->entry[ball].cell, NO_OFFSET);
    return &(f->level[ball] == level ? grid->own : grid->smaller)[bucket];
}

/* Each ball is the first of its list, or the next of the one before it in the same list. Then no
 * list has a cycle: its first ball has no predecessor, and every other one exactly one.
 */
static bool is_linked(const flight *f, const flight_grid *grid, size_t level, size_t ball)
{
    const uint32_t *head = head_of(f, grid, level, ball);
    uint32_t next = grid->entry[ball].next, previous = grid->entry[ball].previous;
    bool from = previous == FLIGHT_NONE ? *head == ball
                                        : grid->entry[previous].next == ball && *head != ball;
    bool to = next == FLIGHT_NONE || (is_in(f, level, next) && grid->entry[next].previous == ball &&
                                      head_of(f, grid, level, next) == head);
    return from && to;
}

static bool is_list_head(const flight *f, const flight_grid *grid, size_t level,
                         const uint32_t *head)
{
    return *head == FLIGHT_NONE ||
           (is_in(f, level, *head) && head_of(f, grid, level, *head) == head);
}

static void check_lists(crm_archive *a, const flight *f, size_t level)
{
    const flight_grid *grid = &f->grid[level];
    size_t cells = flight_grid_cells(grid);
    bool good = true;
    for (size_t c = 0; c < cells; c++) {
        good &= is_list_head(f, grid, level, &grid->own[c]);
        good &= level == 0 || is_list_head(f, grid, level, &grid->smaller[c]);
    }
    for (size_t i = 0; i < f->balls; i++) {
        good &= !is_in(f, level, i) || is_linked(f, grid, level, i);
    }
    if (!good) {
        crm_archive_refuse(a, "it is damaged: the cells of its balls make no sense");
    }
}

static void list_lists(crm_archive *a, flight *f, size_t level)
{
    flight_grid *grid = &f->grid[level];
    size_t cells = flight_grid_cells(grid);
    for (size_t c = 0; c < cells; c++) {
        crm_archive_index(a, &grid->own[c], f->balls);
        if (level > 0) {
            crm_archive_index(a, &grid->smaller[c], f->balls);
        }
    }
    for (size_t i = 0; i < f->balls; i++) {
        if (is_in(f, level, i)) {
            crm_archive_index(a, &grid->entry[i].next, f->balls);
            crm_archive_index(a, &grid->entry[i].previous, f->balls);
            for (size_t d = 0; d < 3; d++) {
                crm_archive_place(a, &grid->entry[i].cell[d], CELL_MOST);
            }
        }
    }
    if (crm_archive_reads(a)) {
        check_lists(a, f, level);
    }
}

/* The archived cells may have another size than at the start. */
static void renew_grid(crm_archive *a, flight *f, size_t level)
{
    flight_grid *grid = &f->grid[level];
    flight_grid_release(grid);
    if (!flight_grid_take(f, level, grid)) {
        crm_archive_fail_memory(a);
    }
}

static void list_cells(crm_archive *a, flight *f)
{
    flight_cell_use *t = &f->cell_use;
    uint64_t *const counts[] = {&t->crossings, &t->impacts, &t->searches, &t->found};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        crm_archive_long(a, counts[k]);
    }
    crm_archive_number(a, &t->widening);
    for (size_t level = 0; level < f->levels; level++) {
        list_shape(a, f, &f->grid[level]);
        if (crm_archive_reads(a)) {
            renew_grid(a, f, level);
        }
        if (!crm_archive_is_good(a)) {
            return;
        }
        list_lists(a, f, level);
    }
}

/* ---- All ------------------------------------------------------------------------------------- */

void flight_archive(flight *f, crm_archive *a)
{
    double *const numbers[] = {
        &f->now,      &f->rest_since,     &f->largest_speed, &f->max_penetration,
        &f->lost.sum, &f->lost.remainder, &f->work.sum,      &f->work.remainder};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        crm_archive_number(a, numbers[k]);
    }
    crm_archive_long(a, &f->impacts);
    crm_archive_count(a, &f->moving, f->balls);
    crm_archive_flag(a, &f->mixed);
    crm_archive_flag(a, &f->started);
    list_external(a, f);
    list_balls(a, f);
    list_requests(a, f);
    list_cells(a, f);
    for (size_t i = 0; crm_archive_reads(a) && i < f->balls; i++) {
        flight_reschedule(f, i);
    }
    if (crm_archive_reads(a)) {
        f->prefetch = (flight_prefetch_ring){.since = f->now, .until = f->now};
    }
}
