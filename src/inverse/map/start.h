/* Where searches over a map's unknowns begin. */
#ifndef CRM_START_H
#define CRM_START_H

#include "inverse/map/map.h"

/* A range of positive numbers over a decade or more: what counts in it are ratios. */
bool crm_map_is_wide(const crm_unknown *unknown);

/* How points are spread. CRM_MAP_LOGARITHM: in the logarithm where the range is wide, else as the
 * other.
 */
typedef enum crm_map_even { CRM_MAP_EVEN, CRM_MAP_LOGARITHM } crm_map_even;

typedef struct crm_map_point {
    size_t draw; /* 0: the first guess */
    uint32_t attempt;
    crm_map_even even;
} crm_map_point;

/* A random point within the ranges, a function of its arguments alone. */
void crm_map_draw(const crm_map *map, uint64_t seed, crm_map_point point, double *x);

#endif
