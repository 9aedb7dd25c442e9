/* When things happen in an impact: what studies record of its course.
 *
 * The outcome is known; the impact is followed once more, sampled so densely that cubics between
 * the samples are exact to some 1e-9 of its duration. A contact of lzb has its largest forces where
 * it turns, at zeros of its closing speed c, whose slope is known: c' = -(D lambda)_j. That of
 * compliant need not, with dampers: there the parabola through three samples tells, to some 1e-6 of
 * the duration where the force has no kink, and else to a sample.
 */
#ifndef CRM_COURSE_H
#define CRM_COURSE_H

#include "base/watch.h"
#include "study/recorded.h"

/* Whether a quantity needs more than the outcome. */
bool crm_course_is_needed(const crm_recorded *recorded);
/* NAN where something is not defined, and everywhere if the law has no course. Free with
 * crm_course_release, also after an error.
 */
crm_status crm_course_follow(const crm_model *model, const double *velocity,
                             const crm_settings *settings, const crm_watch *watch,
                             const crm_outcome *outcome, crm_course *course, crm_error *error);
void crm_course_release(crm_course *course);

#endif
