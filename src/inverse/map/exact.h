/* The derivative of a map along the courses of its impacts (carom/sensitivity.h), by the chain
 * rule.
 *
 * What is differentiated by differences is only what is smooth and cheap: how the data of an impact
 * (v-, M, W and the contacts) follow from the unknowns, and how an output follows from an outcome.
 */
#ifndef CRM_MAP_EXACT_H
#define CRM_MAP_EXACT_H

#include "inverse/map/map.h"

/* Whether this method applies to the map, as far as is known in advance. */
bool crm_exact_is_possible(const crm_map *map);

/* As crm_map_derive. CRM_ERROR_OPTION: the law, or the place, has none this way. */
crm_status crm_exact_derive(crm_map *map, const double *x, double *y, double *derivative,
                            crm_derived *derived, crm_error *error);

#endif
