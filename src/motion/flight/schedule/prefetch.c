/* Memory of the next events, fetched into the cache ahead.
 *
 * Events that follow each other in time happen anywhere in the scene. With many balls nothing that
 * an event reads is in the cache, and each read depends on the one before: the queue gives the
 * ball, the ball its partner and its cell, the cell its neighbours, these the balls in them. An
 * event that reads one after the other waits for each. So the next events are kept in a ring buffer
 * in the order of their times, and while one event is handled, each stage fetches for an event
 * further ahead:
 *
 *     at              + FETCH_NEIGHBOURS   + FETCH_CELLS   + FETCH_PARTNER   + FETCH_BALL   end
 *     event now       balls around         cells around    the other ball    the ball
 *
 * An event may invalidate later ones of the ring. That costs a fetch in vain; events do not depend
 * on what was fetched.
 */
#include <math.h>

#include "motion/flight/flight.h"

/* From this many balls on their state does not fit into the inner caches. */
enum { MANY_BALLS = 30000 };
/* How many events ahead each stage fetches: a fetch takes about as long as two events. */
enum { FETCH_NEIGHBOURS = 3, FETCH_CELLS = 6, FETCH_PARTNER = 9, FETCH_BALL = 12 };
/* The ring is extended by the mean time of this many events; it has room for more. */
enum { EVENTS_AHEAD = 16 };
/* Events after which the mean time between them is measured anew. */
enum { MEASURED = 4096 };

/* The empty asm keeps gcc 12 from removing calls of functions that only prefetch. */
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

/* The first ball of a cell is mostly the only one. */
static void fetch_first(const flight *f, const flight_grid *grid, uint32_t first)
{
    if (first != FLIGHT_NONE) {
        fetch(&f->ball[first]);
        fetch(&grid->entry[first]);
    }
}

/* The cells around a ball, or the balls in them. */
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

/* Inserts an event among those added since `begin`, in the order of their times. */
static void put(flight_prefetch_ring *s, size_t begin, uint32_t ball, double time)
{
    size_t at = s->end++;
    for (; at > begin && s->next[(at - 1) % FLIGHT_RING].time > time; at--) {
        s->next[at % FLIGHT_RING] = s->next[(at - 1) % FLIGHT_RING];
    }
    s->next[at % FLIGHT_RING] = (flight_due){time, ball};
}

/* Adds the events of the time that EVENTS_AHEAD events take. */
static void extend(flight *f, double earliest)
{
    flight_prefetch_ring *s = &f->prefetch;
    flight_due due[FLIGHT_RING / 2];
    double until =
        fmax(s->until, earliest) + EVENTS_AHEAD * (earliest - s->since) / (double)s->event_count;
    if (s->event_count >= MEASURED) {
        s->event_count = 0;
        s->since = earliest;
    }
    size_t begin = s->end, count = flight_queue_between(&f->queue, s->until, until, due);
    s->until = until;
    for (size_t n = 0; n < count; n++) {
        put(s, begin, due[n].ball, due[n].time);
    }
}

void flight_prefetch(flight *f, double earliest)
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
    while (s->at < s->end && s->next[s->at % FLIGHT_RING].time < earliest) {
        s->at++;
    }
    if (s->end < s->at + EVENTS_AHEAD) {
        extend(f, earliest);
    }
    for (int k = 0; k < FLIGHT_STAGES; k++) {
        size_t *fetched = &s->fetched[k];
        *fetched = *fetched < s->at ? s->at : *fetched;
        for (; *fetched < s->end && *fetched < s->at + stage[k].ahead; ++*fetched) {
            stage[k].fetch(f, s->next[*fetched % FLIGHT_RING].ball);
        }
    }
}
