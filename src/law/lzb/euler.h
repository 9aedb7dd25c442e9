/* The published first-order schemes. Internal. */
#ifndef CRM_LZB_EULER_H
#define CRM_LZB_EULER_H

#include "law/lzb/state/state.h"

crm_status lzb_solve_euler(const crm_problem *problem, const lzb_options *options,
                           crm_outcome *outcome, crm_error *error);

#endif
