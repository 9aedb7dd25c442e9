/* What the next events need, asked of memory before their turn comes.
 *
 * Events that follow each other in time happen anywhere in the scene. Of many balls nothing that an
 * event needs is near, and one thing leads to the next: the agenda to the ball, the ball to its
 * partner and its cell, that to the cells around it, these to the balls in them. An event that asks
 * for them one after the other waits for each. So the next events are kept in a ring, in the order
 * of their times, and while one is at work each question is asked for one further ahead:
 *
 *     at                 + ASK_WHO      + ASK_CELLS      + ASK_PARTNER    + ASK_BALL       end
 *     the event now      balls around   cells around     the other ball   the ball itself
 *
 * It is foresight, not knowledge: what an event changes may come in between. Events are the same
 * whatever was foreseen.
 */
#include <math.h>

#include "motion/flight/flight.h"

/* So many balls do not fit into the nearer caches. */
enum { MANY = 30000 };
/* How many events ahead a question is asked: the answer takes about as long as two of them. */
enum { ASK_WHO = 3, ASK_CELLS = 6, ASK_PARTNER = 9, ASK_BALL = 12 };
/* Events of the next while, in the mean. The rest of the ring is for more than that. */
enum { WHILE = 16 };
/* Events from which the length of a while is measured. */
enum { MEASURED = 4096 };

/* gcc 12 takes a function that does nothing but prefetch for one that does nothing, and drops its
 * calls; not with this.
 */
static inline void ask(const void *place)
{
    __builtin_prefetch(place);
    __asm__ volatile("");
}

static void ask_ball(const flight *f, uint32_t ball)
{
    ask(&f->ball[ball]);
    ask(&f->slot[ball]);
    ask(&f->stamp[ball]);
    ask(&f->inverse_mass[ball]);
    if (f->levels > 0) {
        ask(&flight_home(f, ball)->lodger[ball]);
    }
}

static bool meets_ball(const flight_slot *slot)
{
    return slot->meeting < slot->crossing && slot->meeting < slot->wall_meeting;
}

static void ask_partner(const flight *f, uint32_t ball)
{
    if (meets_ball(&f->slot[ball])) {
        ask_ball(f, f->slot[ball].partner);
    }
}

/* The first of a cell is mostly the only one. */
static void ask_first(const flight *f, const flight_grid *grid, uint32_t first)
{
    if (first != FLIGHT_NONE) {
        ask(&f->ball[first]);
        ask(&grid->lodger[first]);
    }
}

/* Which cells there are around a ball, or who is in them. */
static void ask_around(const flight *f, uint32_t ball, bool who)
{
    const flight_grid *grid = flight_home(f, ball);
    const int deep = f->dimension > 2, wide = f->dimension > 1;
    int o[3];
    for (o[2] = -deep; o[2] <= deep; o[2]++) {
        for (o[1] = -wide; o[1] <= wide; o[1]++) {
            for (o[0] = -1; o[0] <= 1; o[0]++) {
                size_t bucket = flight_bucket(grid, grid->lodger[ball].cell, o);
                if (who) {
                    ask_first(f, grid, grid->resident[bucket]);
                } else {
                    ask(&grid->resident[bucket]);
                }
            }
        }
    }
}

static void ask_around_both(const flight *f, uint32_t ball, bool who)
{
    if (f->levels == 0) {
        return;
    }
    ask_around(f, ball, who);
    if (meets_ball(&f->slot[ball])) {
        ask_around(f, f->slot[ball].partner, who);
    }
}

static void ask_cells(const flight *f, uint32_t ball)
{
    ask_around_both(f, ball, false);
}

static void ask_who(const flight *f, uint32_t ball)
{
    ask_around_both(f, ball, true);
}

/* ---- The ring -------------------------------------------------------------------------------- */

/* Behind those that were foreseen in the same while and come sooner. */
static void put(flight_foresight *s, size_t begin, uint32_t ball, double time)
{
    size_t at = s->end++;
    for (; at > begin && s->next[(at - 1) % FLIGHT_AHEAD].time > time; at--) {
        s->next[at % FLIGHT_AHEAD] = s->next[(at - 1) % FLIGHT_AHEAD];
    }
    s->next[at % FLIGHT_AHEAD] = (flight_due){time, ball};
}

/* The next while: as long as WHILE events took. */
static void extend(flight *f, double soonest)
{
    flight_foresight *s = &f->foresight;
    flight_due due[FLIGHT_AHEAD / 2];
    double until = fmax(s->until, soonest) + WHILE * (soonest - s->since) / (double)s->events;
    if (s->events >= MEASURED) {
        s->events = 0;
        s->since = soonest;
    }
    size_t begin = s->end, count = flight_agenda_between(&f->agenda, s->until, until, due);
    s->until = until;
    for (size_t n = 0; n < count; n++) {
        put(s, begin, due[n].ball, due[n].time);
    }
}

void flight_foresee(flight *f, double soonest)
{
    static const struct {
        size_t ahead;
        void (*ask)(const flight *f, uint32_t ball);
    } question[FLIGHT_QUESTIONS] = {{ASK_BALL, ask_ball},
                                    {ASK_PARTNER, ask_partner},
                                    {ASK_CELLS, ask_cells},
                                    {ASK_WHO, ask_who}};
    flight_foresight *s = &f->foresight;
    if (f->balls < MANY) {
        return;
    }
    s->events++;
    while (s->at < s->end && s->next[s->at % FLIGHT_AHEAD].time < soonest) {
        s->at++;
    }
    if (s->end < s->at + WHILE) {
        extend(f, soonest);
    }
    for (int k = 0; k < FLIGHT_QUESTIONS; k++) {
        size_t *asked = &s->asked[k];
        *asked = *asked < s->at ? s->at : *asked;
        for (; *asked < s->end && *asked < s->at + question[k].ahead; ++*asked) {
            question[k].ask(f, s->next[*asked % FLIGHT_AHEAD].ball);
        }
    }
}
