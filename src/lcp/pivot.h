/* The strictly convex neighbour of the problem, solved exactly by active sets. */
#ifndef CRM_LCP_PIVOT_H
#define CRM_LCP_PIVOT_H

#include "lcp/factor.h"
#include "lcp/matrix.h"

/* The proximal problem with centre c, in the matrix's order and scale:
 *     0 <= p,  v = D p + q + delta diag(D) (p - c) >= 0,  complementary.
 * delta = 0 is the problem itself; delta > 0 has exactly one solution.
 */
typedef struct crm_lcp_pivoting {
    const crm_lcp_matrix *matrix;
    crm_lcp_factor *factor;
    const double *q;
    const double *floor; /* the largest |q| in each contact's scale: what speeds are judged by */
    double *centre;
    double delta;
    bool definite; /* D is, even without delta */

    bool *active; /* in: where to start; out: the last set tried */
    double *p;    /* 0 outside the active set; inside it may be < 0 by rounding */
    double *w;    /* D p + q */
    double *size; /* of the terms of w */

    double *step;       /* work */
    void *line_work;    /* crm_lcp_line_bytes */
    double *point_work; /* CRM_LCP_INTERIOR_VECTORS for each contact */

    double *path_store; /* 2 for each contact: a point of the central path to start again from */
    bool path_stored;   /* to be set to false for a new q */

    bool *factored; /* the set and delta that the factor holds */
    double factored_delta;
    bool factored_valid;
    double smallest_pivot;

    size_t iterations;
    size_t pivots;
    size_t max_iterations;
} crm_lcp_pivoting;

/* The matrix is borrowed, and so are q and floor, which are to be set before solving. On failure
 * nothing is left to free.
 */
crm_status crm_lcp_pivoting_create(const crm_lcp_matrix *matrix, crm_lcp_pivoting *pivoting,
                                   crm_error *error);
void crm_lcp_pivoting_free(crm_lcp_pivoting *pivoting);

typedef enum crm_lcp_pivot_end {
    CRM_LCP_PIVOT_DONE,
    CRM_LCP_PIVOT_SINGULAR,  /* an active submatrix was singular */
    CRM_LCP_PIVOT_UNSETTLED, /* not found; an approximation may be in point_work */
    CRM_LCP_PIVOT_LIMIT      /* max_iterations */
} crm_lcp_pivot_end;

/* A pivot below this part of its diagonal entry counts as zero when delta = 0. */
double crm_lcp_pivot_zero(const crm_lcp_matrix *matrix);

/* Solve the proximal problem. thorough: by all means; otherwise only by block exchanges. */
crm_status crm_lcp_pivot(crm_lcp_pivoting *pivoting, bool thorough, crm_lcp_pivot_end *end,
                         crm_error *error);

/* ---- For the methods ----------------------------------------------------------------------- */

/* Have the factor hold the given set; does nothing when it does already. */
crm_status crm_lcp_pivot_factor(crm_lcp_pivoting *pivoting, const bool *active, double delta,
                                crm_error *error);

/* p, w, size of the active set: v = 0 on it, p = 0 outside. *regular: the submatrix is not
 * singular; otherwise nothing is computed.
 */
crm_status crm_lcp_pivot_basic(crm_lcp_pivoting *pivoting, bool *regular, crm_error *error);

/* v_k of p, w as they are. */
double crm_lcp_pivot_v(const crm_lcp_pivoting *pivoting, size_t k);

/* Whether p_k (active) or v_k (inactive) is negative beyond rounding. */
bool crm_lcp_pivot_wrong(const crm_lcp_pivoting *pivoting, size_t k);

#endif
