/* Derivatives of outcomes, and the propagation of uncertainties. */
#ifndef CRM_SENSITIVITY_H
#define CRM_SENSITIVITY_H

#include "carom/inverse.h"
#include "inverse/map/map.h"

typedef struct crm_sensitivity_problem {
    crm_map map;       /* its unknowns: those to derive by, then uncertain ones beside them */
    size_t to_count;   /* unknowns to derive by */
    double *deviation; /* of every unknown; 0: it is known; NULL: nothing is uncertain */
    size_t samples;
    uint64_t seed;
} crm_sensitivity_problem;

/* Zeroed before; to be closed also after an error. The block must be there. */
crm_status crm_sensitivity_open(crm_sensitivity_problem *problem, const crm_study_def *def,
                                crm_read_error *error);
void crm_sensitivity_close(crm_sensitivity_problem *problem);

crm_status crm_sensitivity_run(crm_sensitivity_problem *problem, const crm_watch *watch,
                               crm_sensitivity **sensitivity, crm_read_error *error);

/* The uncertainty of every output. `derivative` is of all unknowns. */
crm_status crm_spread_find(crm_sensitivity_problem *problem, const double *value,
                           const double *derivative, crm_spread *spread, size_t *unanswered,
                           crm_error *error);

#endif
