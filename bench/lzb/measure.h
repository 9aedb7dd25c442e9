/* One code on one case: the time, and how far from the truth. */
#ifndef CAROM_BENCH_MEASURE_H
#define CAROM_BENCH_MEASURE_H

#include "cases.h"

/* A case with its chain, and what is known of the answer. */
typedef struct trial {
    const bench_case *about;
    chain chain;
    double *reference;  /* all velocities, or NULL: only the first and last are known */
    double uncertainty; /* of the reference: the difference to a run with twice the step */
    double duration;    /* of the impact; NAN until known */
    double *velocity;   /* room for an answer */
} trial;

void trial_begin(trial *t, const bench_case *about);
void trial_end(trial *t);

/* The least CPU time of a few runs, the errors, the verdict. A run that the budget cut short is
 * scaled by the time of the impact it reached.
 */
row trial_measure(trial *t, const char *code, runner run, double setting, const char *unit,
                  uint64_t budget);

/* The step at which time-euler's largest error is `wanted`, and what that costs: runs with shorter
 * and shorter steps while each takes less than `most_seconds`, then scaled (first order).
 */
row trial_search_euler(trial *t, double wanted, double most_seconds, double *step);

/* Cases with a horizon: ours to there, and projected, as the search for time-euler's step has it.
 */
row trial_measure_to_horizon(trial *t, double tolerance);

/* What time-euler would take without the projection: `to_horizon` is what it takes to there; then
 * steps of all contacts until the velocities are within `wanted` of the final ones. *until: when
 * that is.
 */
row trial_euler_to_end(const trial *t, const row *to_horizon, double step, double wanted,
                       double *until);

#endif
