/* From a problem to its outcome. Internal to the library. */
#ifndef CRM_OUTCOME_INTERNAL_H
#define CRM_OUTCOME_INTERNAL_H

#include "law/law.h"

/* Does the law take the model's contacts that are apart? */
crm_status crm_outcome_check_gaps(const crm_law *law, const crm_model *model, crm_error *error);
/* Check and complete the problem (its gap_velocity), and make an outcome for the law to fill. All
 * memory is of the problem's pools.
 */
crm_status crm_outcome_start(crm_problem *problem, crm_outcome *outcome, crm_error *error);
/* Everything that follows from the impulses. */
crm_status crm_outcome_finish(const crm_problem *problem, crm_outcome *outcome, crm_error *error);

#endif
