/* The problem in the matrix's own order and scale: definite or not, which p, infeasible. */
#ifndef CRM_LCP_SOLVER_H
#define CRM_LCP_SOLVER_H

#include "carom/lcp.h"
#include "lcp/pivoting/pivot.h"

typedef struct crm_lcp_solver {
    const crm_lcp_matrix *matrix;
    crm_lcp_pivoting pivoting;
    double *q;       /* to be filled before solving, with the largest |q| near 1 */
    double *floor;   /* the largest |q| in the scale of each contact; likewise */
    double *start;   /* p to start from, >= 0; likewise for a warm start */
    double *p;       /* the answer, or the best found, or the direction if infeasible */
    double residual; /* of p, relative */
    double *kept;    /* the best of earlier attempts, and its residual */
    double kept_residual;
    double *direction;
    bool *set;
    double least_norm;  /* no solution has a smaller sum D_kk p_k^2; < 0: not known */
    double *multiplier; /* shows how little p exceeds it (least_norm.h), if there is one */
    bool has_multiplier;
    bool skip_correction; /* the caller corrects a unique p, which need not be exact */
    enum { CRM_LCP_UNKNOWN, CRM_LCP_DEFINITE, CRM_LCP_SEMIDEFINITE } definiteness;
} crm_lcp_solver;

/* The matrix is borrowed. On failure nothing is left to free. */
crm_status crm_lcp_solver_create(const crm_lcp_matrix *matrix, crm_lcp_solver *solver,
                                 crm_error *error);
void crm_lcp_solver_free(crm_lcp_solver *solver);

/* Solve for q. Fills result, unique and norm_excess of the info. Does not allocate. */
void crm_lcp_solver_solve(crm_lcp_solver *solver, const crm_lcp_options *options,
                          crm_lcp_info *info);

/* |D^-1|, about, for D as scaled; INFINITY where D cannot be distinguished from a singular one. */
double crm_lcp_condition_scaled(crm_lcp_solver *solver);
/* p := (D + delta diag(D))^-1 p */
void crm_lcp_solve_near_scaled(crm_lcp_solver *solver, double *p);
/* As those without limits (carom/lcp.h). A factorization that needs more bytes is refused with
 * CRM_ERROR_MEMORY before they are asked for. CRM_LCP_INTERRUPTED: interrupted; nothing is made.
 */
crm_status crm_lcp_create_within(size_t size, const crm_sparse_view *d, crm_lcp_limits limits,
                                 crm_lcp **out, crm_error *error);
crm_status crm_lcp_create_for_model_within(const crm_model *model, crm_lcp_limits limits,
                                           crm_lcp **lcp, crm_error *error);

/* |D^-1|, about, for D scaled to a unit diagonal; INFINITY where D cannot be distinguished from a
 * singular one.
 */
double crm_lcp_condition(crm_lcp *lcp);
/* p = (D + delta diag(D))^-1 q, with delta well above the rounding of D and little else. */
void crm_lcp_solve_near(crm_lcp *lcp, const double *q, double *p);

/* Compute with vectors of this width; at first it is the widest. */
void crm_lcp_use_width(crm_lcp *lcp, crm_width width);
/* Threads for large factorizations; borrowed. At first there are none. */
void crm_lcp_use_threads(crm_lcp *lcp, crm_team_lazy *threads);

/* D p = q among the contacts of the set, p = 0 outside. false: they are dependent on each other. */
bool crm_lcp_solve_among(crm_lcp *lcp, const bool *set, const double *q, double *p);

/* Whether the caller corrects a unique p, so that only its w need be accurate. */
void crm_lcp_skip_correction(crm_lcp *lcp, bool skip_correction);

/* The watch over the calls that follow; NULL: not watched. Borrowed. */
void crm_lcp_watch(crm_lcp *lcp, crm_watching *watching);

/* ---- Between solver.c and polish.c ----------------------------------------------------------- */

/* From the set pivoting.active and a p near a solution, pivoting.centre, to a solution for D
 * itself. The best p is kept in `p`, its residual in `residual`. Returns true when the problem was
 * seen to be infeasible: `direction` then is d >= 0, D d = 0, q'd < 0.
 */
bool crm_lcp_polish(crm_lcp_solver *solver, double tolerance);

/* For a unique solution p: the same over its contacts under load, with corrections until these are
 * rounding. p then is exact, not only w.
 */
void crm_lcp_make_exact(crm_lcp_solver *solver);

/* max |min(D_kk p_k, w_k)| / size_k, with w and size left in the pivoting's arrays. */
double crm_lcp_residual(crm_lcp_solver *solver, const double *p);

/* p of the pivoting, what is negative cut off, becomes the answer if it is the best so far. Returns
 * its residual.
 */
double crm_lcp_offer(crm_lcp_solver *solver);

/* What is as good as rounding when it does not fall further. */
static const double CRM_LCP_NEARLY_ROUNDED = 1e-14;

#endif
