/* The velocities after an impulse, without allocating. Internal to the library. */
#ifndef CRM_MODEL_IMPULSE_H
#define CRM_MODEL_IMPULSE_H

#include "model/model.h"

/* crm_model_apply_impulse, v += M^-1 W p. `work` has 2n entries. */
crm_status crm_model_add_impulse(const crm_model *model, const double *impulse, double *velocity,
                                 double *work, crm_error *error);

/* The same of the impulses p + remainder, which rounding has split. Where a light body is held by
 * heavy ones its velocity is a small difference of large impulses.
 */
crm_status crm_model_add_split_impulse(const crm_model *model, const double *impulse,
                                       const double *remainder, double *velocity, double *work,
                                       crm_error *error);

/* The largest change of a velocity by the impulses `change`, as a speed of gaps. Coordinates may
 * have any units: the ratio of velocities to gap speeds is that of the whole impact `impulse` (the
 * largest entry of M^-1 W p over the largest of W'M^-1 W p; 1 where nothing moves). `work` has 3n
 * entries.
 */
crm_status crm_model_change_as_gap_speed(const crm_model *model, const double *impulse,
                                         const double *change, double *work, double *speed,
                                         crm_error *error);

#endif
