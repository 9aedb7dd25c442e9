/* What a flight consists of, for archives: who is away, balls with their courses and soonest
 * events, cells with the order in which balls are in them, what is asked, and what has been
 * counted. The tree of soonest events follows from these.
 */
#include "motion/archive.h"

#include <math.h>

#include "motion/flight/flight.h"

/* Far beyond any cell of a ball that is still told apart, and no sum of two overflows. */
static const int64_t CELL_MOST = INT64_C(1) << 60;
/* More cells than are ever made for so many balls. */
enum { CELLS_PER_BALL = 64 };

/* ---- Balls ----------------------------------------------------------------------------------- */

/* Fixed balls stay so; f->away says who is away. */
static bool may_be(const flight *f, size_t i, uint8_t mode)
{
    uint8_t now = f->mode[i];
    return (mode == FLIGHT_FIXED) == (now == FLIGHT_FIXED) &&
           (mode == FLIGHT_AWAY) == (now == FLIGHT_AWAY) && (mode != FLIGHT_HELD || f->walls > 0);
}

static void list_berth(crm_archive *a, flight_ball *b)
{
    double radius = b->radius;
    crm_archive_number(a, &radius);
    if (!(radius >= 0 && isfinite(radius))) {
        crm_archive_refuse(a, "it is damaged: the radius of a berth is %g", radius);
        return;
    }
    b->radius = radius;
}

static void list_course(crm_archive *a, flight *f, size_t i)
{
    flight_ball *b = &f->ball[i];
    uint8_t mode = f->mode[i];
    crm_archive_numbers(a, b->x, 3);
    crm_archive_numbers(a, b->v, 3);
    crm_archive_number(a, &b->time);
    crm_archive_byte(a, &mode, FLIGHT_AWAY);
    if (!may_be(f, i, mode)) {
        crm_archive_refuse(a, "it is damaged: ball %zu cannot move as it does in it", i + 1);
        return;
    }
    f->mode[i] = mode;
    if (mode == FLIGHT_AWAY) {
        list_berth(a, b);
    }
    crm_archive_word(a, &f->stamp[i]);
}

static void list_hold(crm_archive *a, flight *f, size_t i)
{
    flight_hold *h = &f->hold[i];
    crm_archive_numbers(a, h->a, 3);
    crm_archive_number(a, &h->release);
    crm_archive_index(a, &h->ride, f->walls);
    for (size_t k = 0; k < 3; k++) {
        crm_archive_index(a, &h->wall[k], f->walls);
    }
    crm_archive_index(a, &h->count, 4);
    if (h->count > 3) {
        crm_archive_refuse(a, "it is damaged: ball %zu rests on %u walls", i + 1, h->count);
    }
}

/* Whoever has an event must say with whom. */
static void check_slot(crm_archive *a, const flight *f, size_t i)
{
    const flight_slot *s = &f->slot[i];
    bool wrong = isnan(s->meeting) || isnan(s->wall_meeting) || isnan(s->crossing);
    wrong |= s->meeting < INFINITY && s->partner >= f->balls;
    wrong |= s->wall_meeting < INFINITY && f->walls == 0;
    wrong |= s->crossing < INFINITY &&
             (s->level >= f->levels || s->level < f->level[i] || (s->side != 1 && s->side != -1));
    wrong |= f->mode[i] == FLIGHT_AWAY &&
             (s->meeting < INFINITY || s->wall_meeting < INFINITY || s->crossing < INFINITY);
    if (wrong) {
        crm_archive_refuse(a, "it is damaged: the events of ball %zu make no sense", i + 1);
    }
}

static void list_slot(crm_archive *a, flight *f, size_t i)
{
    flight_slot *s = &f->slot[i];
    int64_t side = s->side;
    double *const numbers[] = {&s->meeting, &s->wall_meeting, &s->crossing, &s->struck};
    bool *const flags[] = {&s->unsure, &s->wall_unsure, &s->moves};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        crm_archive_number(a, numbers[k]);
    }
    for (size_t k = 0; k < sizeof flags / sizeof flags[0]; k++) {
        crm_archive_flag(a, flags[k]);
    }
    crm_archive_index(a, &s->partner, f->balls);
    crm_archive_word(a, &s->partner_stamp);
    crm_archive_index(a, &s->wall, f->walls > 0 ? f->walls : 1);
    crm_archive_byte(a, &s->level, FLIGHT_LEVELS - 1);
    crm_archive_byte(a, &s->axis, f->dimension - 1);
    crm_archive_place(a, &side, 1);
    s->side = (int8_t)side;
    crm_archive_word(a, &s->again);
    check_slot(a, f, i);
}

static void list_balls(crm_archive *a, flight *f)
{
    for (size_t i = 0; i < f->balls && crm_archive_is_good(a); i++) {
        list_course(a, f, i);
        if (f->mode[i] == FLIGHT_HELD) {
            list_hold(a, f, i);
        }
        list_slot(a, f, i);
    }
}

/* ---- Bodies that others move ----------------------------------------------------------------- */

static void note_away(crm_archive *a, flight *f, size_t place, uint32_t ball)
{
    if (ball == FLIGHT_NONE || f->mode[ball] == FLIGHT_FIXED || f->mode[ball] == FLIGHT_AWAY) {
        crm_archive_refuse(a, "it is damaged: a ball is fixed and moved, or moved by two");
        return;
    }
    f->mode[ball] = FLIGHT_AWAY;
    f->away[place] = ball;
}

static void list_away(crm_archive *a, flight *f)
{
    crm_archive_count(a, &f->aways, f->balls);
    for (size_t i = 0; crm_archive_reads(a) && i < f->balls; i++) {
        f->mode[i] = f->mode[i] == FLIGHT_AWAY ? FLIGHT_FREE : f->mode[i];
    }
    for (size_t k = 0; k < f->aways && crm_archive_is_good(a); k++) {
        uint32_t ball = f->away[k];
        crm_archive_index(a, &ball, f->balls);
        if (crm_archive_reads(a)) {
            note_away(a, f, k, ball);
        }
    }
}

/* A ball that moves, and a body that is away. */
static void note_ask(crm_archive *a, flight *f, flight_ask ask)
{
    bool wrong = ask.ball == FLIGHT_NONE || f->mode[ask.ball] == FLIGHT_FIXED ||
                 (ask.body != FLIGHT_NONE && f->mode[ask.body] != FLIGHT_AWAY);
    if (wrong) {
        crm_archive_refuse(a, "it is damaged: what is asked makes no sense");
        return;
    }
    flight_ask_about(f, ask.ball, ask.body);
    if (f->motion.failed) {
        crm_archive_lacks_memory(a);
    }
}

static void list_asks(crm_archive *a, flight *f)
{
    size_t asks = f->asks;
    crm_archive_count(a, &asks, SIZE_MAX);
    f->asks = crm_archive_reads(a) ? 0 : f->asks;
    for (size_t k = 0; k < asks && crm_archive_is_good(a); k++) {
        flight_ask ask = k < f->asks ? f->ask[k] : (flight_ask){0};
        crm_archive_index(a, &ask.ball, f->balls);
        crm_archive_index(a, &ask.body, f->balls);
        if (crm_archive_reads(a)) {
            note_ask(a, f, ask);
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

/* Whether a ball is in cells of a grid. */
static bool is_in(const flight *f, size_t level, size_t ball)
{
    return f->level[ball] <= level && f->mode[ball] != FLIGHT_AWAY;
}

static uint32_t *head_of(const flight *f, const flight_grid *grid, size_t level, size_t ball)
{
    static const int here[3] = {0, 0, 0};
    size_t bucket = flight_bucket(grid, grid->lodger[ball].cell, here);
    return &(f->level[ball] == level ? grid->resident : grid->remote_rank)[bucket];
}

/* Each ball is the first of its list, or the next of the one before it in the same list. Then no
 * list has a ring: its first has none before it, and every other one exactly one.
 */
static bool is_linked(const flight *f, const flight_grid *grid, size_t level, size_t ball)
{
    const uint32_t *head = head_of(f, grid, level, ball);
    uint32_t next = grid->lodger[ball].next, previous = grid->lodger[ball].previous;
    bool from = previous == FLIGHT_NONE ? *head == ball
                                        : grid->lodger[previous].next == ball && *head != ball;
    bool to =
        next == FLIGHT_NONE || (is_in(f, level, next) && grid->lodger[next].previous == ball &&
                                head_of(f, grid, level, next) == head);
    return from && to;
}

static bool begins(const flight *f, const flight_grid *grid, size_t level, const uint32_t *head)
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
        good &= begins(f, grid, level, &grid->resident[c]);
        good &= level == 0 || begins(f, grid, level, &grid->remote_rank[c]);
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
        crm_archive_index(a, &grid->resident[c], f->balls);
        if (level > 0) {
            crm_archive_index(a, &grid->remote_rank[c], f->balls);
        }
    }
    for (size_t i = 0; i < f->balls; i++) {
        if (is_in(f, level, i)) {
            crm_archive_index(a, &grid->lodger[i].next, f->balls);
            crm_archive_index(a, &grid->lodger[i].previous, f->balls);
            for (size_t d = 0; d < 3; d++) {
                crm_archive_place(a, &grid->lodger[i].cell[d], CELL_MOST);
            }
        }
    }
    if (crm_archive_reads(a)) {
        check_lists(a, f, level);
    }
}

/* The cells may have grown since the start. */
static void renew_grid(crm_archive *a, flight *f, size_t level)
{
    flight_grid *grid = &f->grid[level];
    flight_grid_release(grid);
    if (!flight_grid_take(f, level, grid)) {
        crm_archive_lacks_memory(a);
    }
}

static void list_cells(crm_archive *a, flight *f)
{
    flight_traffic *t = &f->traffic;
    uint64_t *const counts[] = {&t->crossings, &t->impacts, &t->looks, &t->seen};
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

/* ---- All
 * ----------------------------------------------------------------------------------------- */

void flight_archive(flight *f, crm_archive *a)
{
    double *const numbers[] = {&f->now,      &f->rest_since, &f->fastest,  &f->max_penetration,
                               &f->lost.sum, &f->lost.rest,  &f->work.sum, &f->work.rest};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        crm_archive_number(a, numbers[k]);
    }
    crm_archive_long(a, &f->impacts);
    crm_archive_count(a, &f->moving, f->balls);
    crm_archive_flag(a, &f->mixed);
    crm_archive_flag(a, &f->started);
    list_away(a, f);
    list_balls(a, f);
    list_asks(a, f);
    list_cells(a, f);
    for (size_t i = 0; crm_archive_reads(a) && i < f->balls; i++) {
        flight_file(f, i);
    }
    if (crm_archive_reads(a)) {
        f->foresight = (flight_foresight){.since = f->now, .until = f->now};
    }
}
