/* Between the files of this folder. */
#ifndef CRM_PRIMAL_INTERNAL_H
#define CRM_PRIMAL_INTERNAL_H

#include "motion/stepping/primal/primal.h"

/* ---- factor.c -------------------------------------------------------------------------------- */

typedef struct crm_primal_factor crm_primal_factor;

crm_status crm_primal_factor_create(crm_primal_factor **factor, crm_error *error);
void crm_primal_factor_free(crm_primal_factor *factor);
/* Makes ready for a shape; nothing to do when it is the last one. */
crm_status crm_primal_factor_shape(crm_primal_factor *factor, const crm_primal_shape *shape,
                                   crm_error *error);
/* I + C diag(weight) C', weights >= 0; false when rounding leaves it not definite. Does not
 * allocate.
 */
bool crm_primal_factor_set(crm_primal_factor *factor, const crm_primal_problem *problem,
                           const double *weight);
void crm_primal_factor_solve(crm_primal_factor *factor, double *x);

/* ---- exchange.c ------------------------------------------------------------------------------ */

struct crm_primal {
    crm_primal_factor *factor;
    size_t contacts, coordinates; /* for which there is memory */
    bool *active, *factored;      /* one per contact; and the set that is factored */
    double *b;                    /* bounds, the largest near 1 */
    double *p, *centre, *best, *start;
    double *slack;  /* C'x - b */
    double *change; /* C'dx, and right-hand sides */
    double *weight;
    double *interior; /* CRM_PRIMAL_INTERIOR for each contact */
    double *x, *dx, *target;
    double *low; /* rounding errors of x = C p */
    bool has_factor;
    double factored_delta;
    crm_primal_info *info;
};

/* The proximal problem with `centre`: 0 <= p, C'C p - b + delta (p - centre) >= 0, complementary,
 * from primal->active. p, x and slack are left of it. False when it was not found.
 */
bool crm_primal_exchange(crm_primal *primal, const crm_primal_problem *problem, double delta,
                         unsigned sets_most);

/* ---- interior.c ------------------------------------------------------------------------------ */

enum { CRM_PRIMAL_INTERIOR = 3 };

/* Leaves an estimate of the loaded contacts in primal->active, and of their p in `centre`. */
void crm_primal_interior(crm_primal *primal, const crm_primal_problem *problem);

/* ---- primal.c -------------------------------------------------------------------------------- */

/* x = C p and slack = C'x - b as exact sums, rounded. */
void crm_primal_exact_residual(crm_primal *primal, const crm_primal_problem *problem,
                               const double *p, double *x);
/* The same in working precision. */
void crm_primal_apply(const crm_primal_problem *problem, const double *p, double *x);
void crm_primal_slack(const crm_primal *primal, const crm_primal_problem *problem, const double *x,
                      double *slack);
/* c_j'x */
double crm_primal_dot(const crm_primal_problem *problem, size_t j, const double *x);
size_t crm_primal_coordinates(const crm_primal_shape *shape);

/* ---- dual.c ---------------------------------------------------------------------------------- */

/* p by crm_lcp, for bounds b. */
crm_status crm_primal_solve_dual(const crm_primal_problem *problem, const double *b, double *p,
                                 bool *infeasible, crm_error *error);

#endif
