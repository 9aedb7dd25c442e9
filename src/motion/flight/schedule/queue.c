/* The earliest event of all balls: a tree of minima with eight branches, one cache line, at each
 * node.
 *
 * The lowest level has the times of the balls; every number above is the least of the eight below
 * it. A change goes up only as far as it changes a minimum, seldom far: seven of eight balls are
 * not the earliest of their eight. A ball's place in the tree follows from its number.
 */
#include <math.h>
#include <stdlib.h>

#include "motion/flight/flight.h"

enum { BRANCHES = FLIGHT_CACHE_LINE / sizeof(double) };

bool flight_queue_create(flight_queue *queue, size_t count)
{
    size_t size = count;
    for (queue->levels = 0; queue->levels == 0 || size > 1; queue->levels++) {
        size_t lines = (size + BRANCHES - 1) / BRANCHES;
        double *key = flight_allocate_lines(lines, FLIGHT_CACHE_LINE);
        if (key == NULL) {
            return false;
        }
        for (size_t k = 0; k < lines * BRANCHES; k++) {
            key[k] = INFINITY;
        }
        queue->key[queue->levels] = key;
        size = lines;
    }
    return true;
}

void flight_queue_release(flight_queue *queue)
{
    for (size_t level = 0; level < FLIGHT_QUEUE_LEVELS; level++) {
        free(queue->key[level]);
    }
}

/* Stops at the first node whose minimum does not change. */
void flight_queue_set(flight_queue *queue, size_t ball, double key)
{
    size_t place = ball;
    double least = key;
    for (size_t level = 0; level < queue->levels; level++) {
        double *keys = queue->key[level];
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

double flight_queue_first_time(const flight_queue *queue)
{
    const double *top = queue->key[queue->levels - 1];
    double least = top[0];
    for (int k = 1; k < BRANCHES; k++) {
        least = top[k] < least ? top[k] : least;
    }
    return least;
}

/* From a node of some level down to the ball with this time. */
static size_t descend(const flight_queue *queue, size_t levels, size_t line, double key)
{
    size_t place = line;
    for (size_t level = levels; level-- > 0;) {
        const double *keys = queue->key[level] + BRANCHES * place;
        int k = 0;
        while (k < BRANCHES - 1 && keys[k] != key) {
            k++;
        }
        place = BRANCHES * place + (size_t)k;
    }
    return place;
}

size_t flight_queue_first_ball(const flight_queue *queue)
{
    return descend(queue, queue->levels, 0, flight_queue_first_time(queue));
}

/* Down by one level: the entries of the given nodes that are early enough. */
static size_t descend_all(const flight_queue *queue, size_t level, const uint32_t *line,
                          size_t lines, double until, uint32_t *entry)
{
    size_t found = 0;
    for (size_t n = 0; n < lines; n++) {
        const double *keys = queue->key[level] + BRANCHES * (size_t)line[n];
        for (uint32_t k = 0; k < BRANCHES && found < FLIGHT_RING; k++) {
            if (keys[k] < until) {
                entry[found++] = BRANCHES * line[n] + k;
            }
        }
    }
    return found;
}

/* From the top down, all nodes of a level before any of the next, so that they are fetched from
 * memory together.
 */
size_t flight_queue_between(const flight_queue *queue, double from, double until, flight_due *due)
{
    uint32_t entry[2][FLIGHT_RING] = {{0}};
    size_t count = 1, kept = 0;
    for (size_t level = queue->levels; level-- > 0;) {
        const uint32_t *line = entry[level % 2];
        for (size_t n = 0; n < count; n++) {
            __builtin_prefetch(queue->key[level] + BRANCHES * (size_t)line[n]);
        }
        count = descend_all(queue, level, line, count, until, entry[(level + 1) % 2]);
    }
    const uint32_t *ball = entry[1];
    for (size_t n = 0; n < count && kept < FLIGHT_RING / 2; n++) {
        double time = queue->key[0][ball[n]];
        if (time >= from) {
            due[kept++] = (flight_due){time, ball[n]};
        }
    }
    return kept;
}
