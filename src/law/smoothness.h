/* How near an outcome is to a place where it is not differentiable. Internal to the library. */
#ifndef CRM_SMOOTHNESS_H
#define CRM_SMOOTHNESS_H

#include "carom/sensitivity.h"
#include "law/law.h"

/* No such place found yet. */
crm_smoothness crm_smoothness_begin(void);
/* The speed that speeds near 0 are compared with: `speed`, the largest of the impact, but so large
 * that the rounding of gap velocities, relative to it, stays below `threshold`. 0 where nothing
 * moves.
 */
double crm_smoothness_scale(const crm_problem *problem, double speed, double threshold);
/* speed / scale; 0 where the scale is 0. */
double crm_smoothness_margin(double speed, double scale);
/* One more place, at the relative distance `margin`. The nearest is kept; the outcome counts as not
 * differentiable where the distance is below `threshold`.
 */
void crm_smoothness_note(crm_smoothness *smoothness, size_t contact, double margin,
                         double threshold, const char *reason);

#endif
