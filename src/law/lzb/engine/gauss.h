/* `scheme: gauss`: an impact by Gauss collocation. Internal. */
#ifndef CRM_LZB_ENGINE_GAUSS_H
#define CRM_LZB_ENGINE_GAUSS_H

#include "law/lzb/engine/nodes.h"
#include "law/lzb/state/state.h"

/* What the course of an impact told of its errors. */
typedef struct lzb_gauss_report {
    double known;  /* error estimate */
    double unseen; /* the part of it that no step has shown */
} lzb_gauss_report;

/* From the state as it was created to the end. `coarseness`: the error of a step, as a multiple of
 * the standard. *nodes: kept from call to call, NULL at first; free().
 */
crm_status lzb_gauss_follow(const crm_problem *problem, const lzb_options *options,
                            double coarseness, lzb_nodes **nodes, lzb_state *state,
                            lzb_gauss_report *report, crm_outcome *outcome, crm_error *error);

#endif
