/* What is known of an outcome, by going through the impact again. Internal. */
#ifndef CRM_LZB_REPEAT_H
#define CRM_LZB_REPEAT_H

#include "law/lzb/state/state.h"

/* One way through an impact. */
typedef struct lzb_course {
    double effort;     /* steps that may go into contacts that swing; 1: the standard */
    double coarseness; /* the error of a step, as a multiple of the standard */
    /* What came of it: */
    bool stiff;         /* contacts may be held as bonds */
    bool magnifies;     /* errors of its steps may have grown */
    double margin;      /* by which the closest decision of mono-stiffness fell, relative */
    double unseen;      /* the part of the estimate that no step has shown */
    double known;       /* the error estimate without what bonds gave up */
    double speed;       /* scale of the closing speeds */
    const double *rest; /* what rounding has left of the impulses (lzb_state) */
} lzb_course;

/* Go through the impact (course/auto.c). */
crm_status lzb_auto_follow(const crm_problem *problem, const lzb_options *options,
                           lzb_course *course, crm_outcome *outcome, crm_error *error);

/* Of larger systems it is found out what their errors have grown to, no more. */
enum { LZB_CONFIRMED_CONTACTS = 64 };

/* Were there decisions that fell by less than what is known? */
bool lzb_repeat_is_undecided(const lzb_course *course, const crm_outcome *outcome);

/* The course may have magnified the errors of its steps: find out, and if they are not within the
 * tolerance, or too large for what had to be decided, take finer steps. `blank`: the outcome as it
 * was before. `course` is that of the outcome, before and after.
 */
crm_status lzb_repeat_finer(const crm_problem *problem, const lzb_options *options,
                            const crm_outcome *blank, lzb_course *course, crm_outcome *outcome,
                            crm_error *error);

/* The outcome of a course has an error estimate that is above the tolerance because of
 * bonds: find a better estimate, and if it still is above, a better outcome. `blank` and `course`
 * as above.
 */
crm_status lzb_repeat_stiff(const crm_problem *problem, const lzb_options *options,
                            const crm_outcome *blank, lzb_course *course, crm_outcome *outcome,
                            crm_error *error);

#endif
