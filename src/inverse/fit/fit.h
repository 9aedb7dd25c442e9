/* A fit, from the scenario's block to what came of it. */
#ifndef CRM_FIT_H
#define CRM_FIT_H

#include "carom/inverse.h"
#include "inverse/map/map.h"

/* A fit to be computed. */
typedef struct crm_fit_problem {
    crm_map map;
    double *measured, *uncertainty; /* one per output; NAN: none was given */
    bool weighed;
    size_t starts; /* 0: as many as it takes */
    uint64_t seed;
} crm_fit_problem;

/* Zeroed before; to be closed also after an error. The block must be there. */
crm_status crm_fit_open(crm_fit_problem *problem, const crm_study_def *def, crm_read_error *error);
void crm_fit_close(crm_fit_problem *problem);

crm_status crm_fit_run(crm_fit_problem *problem, const crm_watch *watch, crm_fit **fit,
                       crm_read_error *error);

/* ---- What the data say ---------------------------------------------------------------------- */

/* Which unknowns the measured values determine, by the Jacobian in units of the uncertainties. */
typedef struct crm_identify_problem {
    size_t unknowns, residuals;
    const double *jacobian;
    const double *scale; /* of the unknowns: a change of this size is a large one */
    double size;         /* of what was measured, in its uncertainties: the norm of all */
} crm_identify_problem;

/* covariance: unknowns^2, of the determined ones; null: up to unknowns rows, a basis of the
 * relative changes of the unknowns that leave the residuals unchanged, each with few entries; room:
 * unknowns * (residuals + unknowns + 1). Returns how many of them there are.
 */
size_t crm_identify(const crm_identify_problem *problem, double *room, double *covariance,
                    double *null);
/* Whether this row of `null` changes this unknown noticeably. */
bool crm_identify_moves(const double *null, size_t unknown);

#endif
