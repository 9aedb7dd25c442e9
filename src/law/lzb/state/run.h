/* One integration of an impact, and when it passes from the engine to substeps. Internal. */
#ifndef CRM_LZB_RUN_H
#define CRM_LZB_RUN_H

#include "law/lzb/state/state.h"

/* One integration of an impact: what is asked of it, ... */
typedef struct lzb_run {
    double effort;     /* steps allowed for contacts that swing; 1: the standard */
    double coarseness; /* the error of a step, as a multiple of the standard */
    /* ... and what it reports: */
    bool stiff;              /* contacts may be held as bonds */
    bool magnifies;          /* errors of its steps may have grown */
    double margin;           /* by which the closest decision of mono-stiffness fell, relative */
    double step;             /* the error allowed in a step, relative */
    double unmeasured;       /* the part of the estimate that no step has shown */
    double known;            /* the error estimate without what bonds gave up */
    double speed;            /* scale of the closing speeds */
    const double *remainder; /* what rounding has left of the impulses (lzb_state) */
} lzb_run;

/* Contacts at work, most of which lose energy, are followed by substeps without error control
 * (capturing/settle.h) when there are so many of them and their speeds, relative, are down to this.
 */
typedef struct lzb_activity {
    size_t working;
    uint64_t steps; /* of leapfrog so far, or what comes to as many */
    double amplitude;
} lzb_activity;

static const double LZB_CAPTURING_AMPLITUDE = 0.1;

/* Can the end of the impact be settled by substeps without error control (capturing/settle.h), with
 * contacts of these exponents and restitutions?
 */
bool lzb_settling_possible(const lzb_state *state);
size_t lzb_capturing_fewest(uint64_t steps);
bool lzb_capturing_is_due(const lzb_activity *activity, const lzb_state *state);

/* The impact was given up with so many contacts pressing, after outcome->steps. */
void lzb_run_report_unfinished(size_t pressing, crm_outcome *outcome);

#endif
