/* The velocities after an impulse, without allocating. Internal to the library. */
#ifndef CRM_MODEL_IMPULSE_H
#define CRM_MODEL_IMPULSE_H

#include "model/model.h"

/* crm_model_apply_impulse, v += M^-1 W p. `work` has 2n entries. Does not allocate, except for
 * an M that is kept as a sparse factor (large and coupled throughout).
 */
crm_status crm_model_add_impulse(const crm_model *model, const double *impulse, double *velocity,
                                 double *work, crm_error *error);

/* How fast coordinates move when gaps do, in whatever unit each is: the largest entry of M^-1 W p
 * over the largest of W'M^-1 W p; 1 where nothing moves. `work` has 3n entries. Allocates like
 * crm_model_add_impulse.
 */
crm_status crm_model_velocity_per_gap(const crm_model *model, const double *impulse, double *work,
                                      double *ratio, crm_error *error);

#endif
