/* What the next events need, asked of memory before their turn comes.
 *
 * Events that follow each other in time happen anywhere in the scene. Of many balls nothing that an
 * event needs is near, and one thing leads to the next: the agenda to the ball, the ball to its
 * partner and its cell, that to the cells around it, these to the balls in them. An event that asks
 * for them one after the other waits for each. So the next events are kept in a ring, in the order
 * of their times, and while one is at work each question is asked for one further ahead:
 *
 *     at                 + FETCH_NEIGHBOURS      + FETCH_CELLS      + FETCH_PARTNER    + FETCH_BALL
 * end the event now      balls around   cells around     the other ball   the ball itself
 *
 * It is foresight, not knowledge: what an event changes may come in between. Events are the same
 * whatever was foreseen.
 */
#include <math.h>

#include "motion/flight/flight.h"

/* So many balls do not fit into the nearer caches. */
enum { MANY_BALLS = 30000 };
/* How many events ahead a question is asked: the answer takes about as long as two of them. */
enum { FETCH_NEIGHBOURS = 3, FETCH_CELLS = 6, FETCH_PARTNER = 9, FETCH_BALL = 12 };
/* Events of the next while, in the mean. The rest of the ring is for more than that. */
enum { EVENTS_AHEAD = 16 };
/* Events from which the length of a while is measured. */
enum { MEASURED = 4096 };

/* gcc 12 takes a function that does nothing but prefetch for one that does nothing, and drops its
 * calls; not with this.
 */
static inline void fetch(const void *place)
{
    __builtin_prefetch(place);
    __asm__ volatile("");
}

static void fetch_ball(const flight *f, uint32_t ball)
{
    fetch(&f->ball[ball]);
    fetch(&f->events[ball]);
    fetch(&f->version[ball]);
    fetch(&f->inverse_mass[ball]);
    if (f->levels > 0) {
        fetch(&flight_own_grid(f, ball)->entry[ball]);
    }
}

static bool meets_ball(const flight_events *events)
{
    return events->meeting < events->crossing && events->meeting < events->wall_meeting;
}

static void fetch_partner(const flight *f, uint32_t ball)
{
    if (meets_ball(&f->events[ball])) {
        fetch_ball(f, f->events[ball].partner);
    }
}

/* The first of a cell is mostly the only one. */
static void fetch_first(const flight *f, const flight_grid *grid, uint32_t first)
{
    if (first != FLIGHT_NONE) {
        fetch(&f->ball[first]);
        fetch(&grid->entry[first]);
    }
}

/* Which cells there are around a ball, or who is in them. */
static void fetch_around(const flight *f, uint32_t ball, bool neighbours)
{
    const flight_grid *grid = flight_own_grid(f, ball);
    const int deep = f->dimension > 2, wide = f->dimension > 1;
    int o[3];
    for (o[2] = -deep; o[2] <= deep; o[2]++) {
        for (o[1] = -wide; o[1] <= wide; o[1]++) {
            for (o[0] = -1; o[0] <= 1; o[0]++) {
                size_t bucket = flight_bucket(grid, grid->entry[ball].cell, o);
                if (neighbours) {
                    fetch_first(f, grid, grid->own[bucket]);
                } else {
                    fetch(&grid->own[bucket]);
                }
            }
        }
    }
}

static void fetch_around_both(const flight *f, uint32_t ball, bool neighbours)
{
    if (f->levels == 0) {
        return;
    }
    fetch_around(f, ball, neighbours);
    if (meets_ball(&f->events[ball])) {
        fetch_around(f, f->events[ball].partner, neighbours);
    }
}

static void fetch_cells(const flight *f, uint32_t ball)
{
    fetch_around_both(f, ball, false);
}

static void fetch_neighbours(const flight *f, uint32_t ball)
{
    fetch_around_both(f, ball, true);
}

/* ---- The ring -------------------------------------------------------------------------------- */

/* Behind those that were foreseen in the same while and come sooner. */
static void put(flight_prefetch_ring *s, size_t begin, uint32_t ball, double time)
{
    size_t at = s->end++;
    for (; at > begin && s->next[(at - 1) % FLIGHT_RING].time > time; at--) {
        s->next[at % FLIGHT_RING] = s->next[(at - 1) % FLIGHT_RING];
    }
    s->next[at % FLIGHT_RING] = (flight_due){time, ball};
}

/* The next while: as long as WHILE events took. */
static void extend(flight *f, double soonest)
{
    flight_prefetch_ring *s = &f->prefetch;
    flight_due due[FLIGHT_RING / 2];
    double until =
        fmax(s->until, soonest) + EVENTS_AHEAD * (soonest - s->since) / (double)s->event_count;
    if (s->event_count >= MEASURED) {
        s->event_count = 0;
        s->since = soonest;
    }
    size_t begin = s->end, count = flight_queue_between(&f->queue, s->until, until, due);
    s->until = until;
    for (size_t n = 0; n < count; n++) {
        put(s, begin, due[n].ball, due[n].time);
    }
}

void flight_prefetch(flight *f, double soonest)
{
    static const struct {
        size_t ahead;
        void (*fetch)(const flight *f, uint32_t ball);
    } stage[FLIGHT_STAGES] = {{FETCH_BALL, fetch_ball},
                              {FETCH_PARTNER, fetch_partner},
                              {FETCH_CELLS, fetch_cells},
                              {FETCH_NEIGHBOURS, fetch_neighbours}};
    flight_prefetch_ring *s = &f->prefetch;
    if (f->balls < MANY_BALLS) {
        return;
    }
    s->event_count++;
    while (s->at < s->end && s->next[s->at % FLIGHT_RING].time < soonest) {
        s->at++;
    }
    if (s->end < s->at + EVENTS_AHEAD) {
        extend(f, soonest);
    }
    for (int k = 0; k < FLIGHT_STAGES; k++) {
        size_t *fetched = &s->fetched[k];
        *fetched = *fetched < s->at ? s->at : *fetched;
        for (; *fetched < s->end && *fetched < s->at + stage[k].ahead; ++*fetched) {
            stage[k].fetch(f, s->next[*fetched % FLIGHT_RING].ball);
        }
    }
}
