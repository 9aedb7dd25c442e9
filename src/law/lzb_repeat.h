/* What is known of an outcome, by going through the impact again. Internal. */
#ifndef CRM_LZB_REPEAT_H
#define CRM_LZB_REPEAT_H

#include "law/lzb.h"

/* One way through an impact. */
typedef struct lzb_course {
    double effort; /* steps that may go into contacts that swing; 1: the standard */
    /* What came of it: */
    bool stiff;   /* contacts may be held as bonds */
    double known; /* the error estimate without what bonds gave up */
    double speed; /* scale of the closing speeds */
} lzb_course;

/* Go through the impact (lzb_auto.c). */
crm_status lzb_follow(const crm_problem *problem, const lzb_options *options, lzb_course *course,
                      crm_outcome *outcome, crm_error *error);

/* The outcome of a course has an error estimate that is above the tolerance because of
 * bonds: find a better estimate, and if it still is above, a better outcome. `blank`: the outcome
 * as it was before. With a recorder the outcome stays as it is.
 */
crm_status lzb_repeat(const crm_problem *problem, const lzb_options *options,
                      const crm_outcome *blank, lzb_course course, crm_outcome *outcome,
                      crm_error *error);

#endif
