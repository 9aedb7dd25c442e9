/* Which ball's event comes first: a tree of minima, eight branches each, a line of the cache.
 *
 * The lowest level has the balls' own times; every number above is the least of the eight below it.
 * A change goes up only as far as it changes a minimum, which is hardly ever far: seven of eight
 * balls are not the soonest of their eight. Nothing has to know where a ball is in it.
 */
#include <math.h>
#include <stdlib.h>

#include "motion/flight/flight.h"

enum { BRANCHES = FLIGHT_LINE / sizeof(double) };

bool flight_agenda_create(flight_agenda *agenda, size_t count)
{
    size_t size = count;
    for (agenda->levels = 0; agenda->levels == 0 || size > 1; agenda->levels++) {
        size_t lines = (size + BRANCHES - 1) / BRANCHES;
        double *key = crm_allocate_aligned(FLIGHT_LINE, lines, FLIGHT_LINE);
        if (key == NULL) {
            return false;
        }
        for (size_t k = 0; k < lines * BRANCHES; k++) {
            key[k] = INFINITY;
        }
        agenda->key[agenda->levels] = key;
        size = lines;
    }
    return true;
}

void flight_agenda_release(flight_agenda *agenda)
{
    for (size_t level = 0; level < FLIGHT_AGENDA_LEVELS; level++) {
        free(agenda->key[level]);
    }
}

void flight_agenda_set(flight_agenda *agenda, size_t ball, double key)
{
    size_t place = ball;
    double least = key;
    for (size_t level = 0; level < agenda->levels; level++) {
        double *keys = agenda->key[level];
        if (keys[place] == least) {
            return;
        }
        keys[place] = least;
        place /= BRANCHES;
        const double *line = keys + BRANCHES * place;
        for (int k = 0; k < BRANCHES; k++) {
            least = line[k] < least ? line[k] : least;
        }
    }
}

double flight_agenda_soonest(const flight_agenda *agenda)
{
    const double *top = agenda->key[agenda->levels - 1];
    double least = top[0];
    for (int k = 1; k < BRANCHES; k++) {
        least = top[k] < least ? top[k] : least;
    }
    return least;
}

/* From a line of some level down to the ball with this time. */
static size_t descend(const flight_agenda *agenda, size_t levels, size_t line, double key)
{
    size_t place = line;
    for (size_t level = levels; level-- > 0;) {
        const double *keys = agenda->key[level] + BRANCHES * place;
        int k = 0;
        while (k < BRANCHES - 1 && keys[k] != key) {
            k++;
        }
        place = BRANCHES * place + (size_t)k;
    }
    return place;
}

size_t flight_agenda_first(const flight_agenda *agenda)
{
    return descend(agenda, agenda->levels, 0, flight_agenda_soonest(agenda));
}

/* The least of a line without one entry. */
static double least_beside(const double *line, size_t entry)
{
    double least = INFINITY;
    for (size_t k = 0; k < BRANCHES; k++) {
        double key = k == entry ? INFINITY : line[k];
        least = key < least ? key : least;
    }
    return least;
}

/* The least beside the path from the first to the top. */
size_t flight_agenda_second(const flight_agenda *agenda, size_t first)
{
    double least = INFINITY;
    size_t place = first, line = first / BRANCHES, levels = 1;
    for (size_t level = 0; level < agenda->levels; level++, place /= BRANCHES) {
        size_t here = place / BRANCHES;
        double key = least_beside(agenda->key[level] + BRANCHES * here, place % BRANCHES);
        if (key < least) {
            least = key;
            line = here;
            levels = level + 1;
        }
    }
    return descend(agenda, levels, line, least);
}
