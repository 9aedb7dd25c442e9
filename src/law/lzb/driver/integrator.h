/* The default scheme, and what it keeps for the next impact: the interface of this folder.
 * Internal.
 */
#ifndef CRM_LZB_INTEGRATOR_H
#define CRM_LZB_INTEGRATOR_H

#include "law/lzb/state/state.h"

crm_status lzb_integrator_solve(const crm_problem *problem, const lzb_options *options,
                                crm_outcome *outcome, crm_error *error);

crm_status lzb_integrator_create_kept(void **kept, crm_error *error);
void lzb_integrator_free_kept(void *kept); /* NULL is fine */

#endif
