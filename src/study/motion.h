/* One motion, from a scenario to what is recorded of it. */
#ifndef CRM_STUDY_MOTION_H
#define CRM_STUDY_MOTION_H

#include "field/motion.h"
#include "scenario/scenario.h"

/* Run a motion to its end, or until the watch stops it (NULL: none). A motion that failed, or whose
 * law did, says so in `result` and `reason`. The arrays of *moved are to be freed by
 * crm_study_release_moved, in any case.
 */
crm_status crm_study_run_motion(const crm_scenario *scenario, const crm_scenario_law *law,
                                const crm_watch *watch, crm_motion_state *moved, crm_result *result,
                                char *reason, size_t size, crm_error *error);
void crm_study_release_moved(crm_motion_state *moved);

#endif
