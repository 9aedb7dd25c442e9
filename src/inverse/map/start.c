#include "inverse/map/start.h"

#include <math.h>

#include "base/elementary.h"
#include "base/random.h"

static const double DECADE = 10;

bool crm_map_is_wide(const crm_unknown *unknown)
{
    return unknown->from > 0 && unknown->to / unknown->from >= DECADE;
}

static double place(double part, const crm_unknown *u, crm_map_even even)
{
    bool by_ratio = even == CRM_MAP_LOGARITHM && crm_map_is_wide(u);
    return by_ratio ? fmin(u->from * crm_exp(part * crm_log(u->to / u->from)), u->to)
                    : u->from + part * (u->to - u->from);
}

void crm_map_draw(const crm_map *map, uint64_t seed, crm_map_point point, double *x)
{
    for (size_t j = 0; j < map->unknown_count; j++) {
        const crm_unknown *u = &map->unknowns[j];
        crm_random_place at = {.seed = seed,
                               .draw = (uint32_t)point.draw,
                               .attempt = point.attempt,
                               .field = (uint32_t)j};
        x[j] = point.draw == 0 ? u->start : place(crm_random_uniform(at), u, point.even);
    }
}
