/* Which ball's event comes first: a heap with four branches, a line of the cache each. */
#include "motion/flight/flight.h"

static void put(flight_agenda *agenda, size_t place, flight_node node)
{
    agenda->heap[place] = node;
    agenda->place[node.ball] = (uint32_t)place;
}

static size_t rise(flight_agenda *agenda, size_t place, flight_node node)
{
    while (place > 0) {
        size_t above = (place - 1) / 4;
        if (!(node.key < agenda->heap[above].key)) {
            break;
        }
        put(agenda, place, agenda->heap[above]);
        place = above;
    }
    return place;
}

static size_t soonest_below(const flight_agenda *agenda, size_t place)
{
    size_t first = 4 * place + 1, end = first + 4 < agenda->count ? first + 4 : agenda->count;
    size_t best = first;
    for (size_t k = first + 1; k < end; k++) {
        best = agenda->heap[k].key < agenda->heap[best].key ? k : best;
    }
    return best;
}

static size_t sink(flight_agenda *agenda, size_t place, flight_node node)
{
    while (4 * place + 1 < agenda->count) {
        size_t below = soonest_below(agenda, place);
        if (!(agenda->heap[below].key < node.key)) {
            break;
        }
        put(agenda, place, agenda->heap[below]);
        place = below;
    }
    return place;
}

void flight_agenda_set(flight_agenda *agenda, size_t ball, double key)
{
    size_t place = agenda->place[ball];
    flight_node node = {key, (uint32_t)ball};
    double before = agenda->heap[place].key;
    place = key < before ? rise(agenda, place, node) : sink(agenda, place, node);
    put(agenda, place, node);
}
