/* How the answers of laws of collisions change with the data: along the sequence, while that stays
 * as it is. Internal to the laws.
 */
#ifndef CRM_COLLISIONS_DERIVATIVE_H
#define CRM_COLLISIONS_DERIVATIVE_H

#include "law/collisions/collisions.h"
#include "law/derivative.h"

/* create_trace of a law with this plan. */
crm_status crm_collisions_create_trace(const crm_problem *problem, const crm_collision_plan *plan,
                                       void **trace, double *impulse, crm_error *error);
void crm_collisions_free_trace(void *trace);
crm_status crm_collisions_forward(void *trace, const crm_data_change *direction,
                                  crm_answer_change *change, crm_smoothness *smoothness,
                                  crm_error *error);
crm_status crm_collisions_reverse(void *trace, const crm_answer_change *weights,
                                  crm_data_change *gradient, crm_smoothness *smoothness,
                                  crm_error *error);

#endif
