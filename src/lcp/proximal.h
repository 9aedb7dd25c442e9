/* The problem in the matrix's own order and scale: definite or not, which p, infeasible. */
#ifndef CRM_LCP_PROXIMAL_H
#define CRM_LCP_PROXIMAL_H

#include "carom/lcp.h"
#include "lcp/pivot.h"

typedef struct crm_lcp_proximal {
    const crm_lcp_matrix *matrix;
    crm_lcp_pivoting pivoting;
    double *q;       /* to be filled before solving */
    double *floor;   /* the largest |q| in the scale of each contact; likewise */
    double *p;       /* the answer, or the best found, or the direction if infeasible */
    double residual; /* of p, relative */
    double *direction;
    bool *set;
    double least_norm; /* no solution has a smaller sum D_kk p_k^2; < 0: not known */
    enum { CRM_LCP_UNKNOWN, CRM_LCP_DEFINITE, CRM_LCP_SEMIDEFINITE } definiteness;
} crm_lcp_proximal;

/* The matrix is borrowed. On failure nothing is left to free. */
crm_status crm_lcp_proximal_create(const crm_lcp_matrix *matrix, crm_lcp_proximal *proximal,
                                   crm_error *error);
void crm_lcp_proximal_free(crm_lcp_proximal *proximal);

/* Solve for q; with warm_start from the set pivoting.active. Fills result, unique and norm_excess
 * of the info.
 */
crm_status crm_lcp_proximal_solve(crm_lcp_proximal *proximal, const crm_lcp_options *options,
                                  crm_lcp_info *info, crm_error *error);

#endif
