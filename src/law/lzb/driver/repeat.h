/* How accurate an outcome is, by integrating the impact again. Internal. */
#ifndef CRM_LZB_REPEAT_H
#define CRM_LZB_REPEAT_H

#include "law/lzb/state/run.h"

/* Integrate the impact once (driver/integrator.c). */
crm_status lzb_integrator_follow(const crm_problem *problem, const lzb_options *options,
                                 lzb_run *run, crm_outcome *outcome, crm_error *error);

/* For larger systems the growth of errors is measured, but no finer steps are taken. */
enum { LZB_CONFIRMED_CONTACTS = 64 };

/* Were there decisions whose margin is less than the error? */
bool lzb_repeat_is_undecided(const lzb_run *run, const crm_outcome *outcome);

/* The run may have magnified the errors of its steps: measure them, and if they are not within the
 * tolerance, or too large for the closest decision, take finer steps. `blank`: the outcome as it
 * was before. `run` is that of the outcome, before and after.
 */
crm_status lzb_repeat_finer(const crm_problem *problem, const lzb_options *options,
                            const crm_outcome *blank, lzb_run *run, crm_outcome *outcome,
                            crm_error *error);

/* The outcome has an error estimate above the tolerance because of bonds: find a better estimate,
 * and if it still is above, a better outcome. `blank` and `run` as above.
 */
crm_status lzb_repeat_stiff(const crm_problem *problem, const lzb_options *options,
                            const crm_outcome *blank, lzb_run *run, crm_outcome *outcome,
                            crm_error *error);

#endif
