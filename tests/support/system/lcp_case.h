/* Complementarity problems written out in full, and judges of their answers.
 *
 * Nothing the solver reports is believed: residuals are recomputed here from D, q and p.
 */
#ifndef CAROM_TEST_LCP_CASE_H
#define CAROM_TEST_LCP_CASE_H

#include "carom/lcp.h"
#include "packing.h"
#include "support.h"

/* Rounding of w, relative to the largest |q| plus the terms of D p. */
static const double ROUNDING = 1e-13;

/* D by rows, both triangles. */
typedef struct lcp_data {
    size_t size;
    size_t *start;
    uint32_t *column;
    double *value;
    double *q;
} lcp_data;

lcp_data lcp_allocate(size_t size, size_t entries);
void lcp_data_free(lcp_data *p);
crm_sparse_view lcp_view(const lcp_data *p);
lcp_data lcp_from_dense(size_t size, const double *d);
lcp_data lcp_tridiagonal(size_t size, const double *diagonal, const double *above);
/* Balls in a line, contact j between j and j+1; q = 0. */
lcp_data lcp_chain(size_t balls, const double *mass);
/* D of the packing, q of a motion. */
lcp_data lcp_packing(const packing *p, packing_motion motion, rng *r);
/* D = W'W for `size` random directions in n coordinates. Few distinct entries when `coarse`, so
 * that equal numbers, zeros and dependent directions are common.
 */
void lcp_random_delassus(rng *r, size_t n, size_t size, bool coarse, double *w, double *d);

typedef struct lcp_answer {
    crm_lcp_info info;
    double *p;
    double *w;
} lcp_answer;

void lcp_answer_free(lcp_answer *a);
/* The call must succeed; the result may be anything. start NULL: NAN. */
lcp_answer lcp_solve_with(crm_lcp *lcp, const lcp_data *problem, const crm_lcp_options *options,
                          const double *start);
lcp_answer lcp_solve(const lcp_data *problem);

/* The residuals anew. */
crm_lcp_info lcp_residuals(const lcp_data *problem, const double *p, double *largest_terms);
/* Solved to the tolerance; and the report tells the truth. */
void lcp_check_solved(const lcp_data *problem, const lcp_answer *a, double tolerance);
/* |w - want| relative to the largest |q| and the terms. */
void lcp_check_w(const lcp_data *problem, const lcp_answer *a, const double *want,
                 double tolerance);
/* d >= 0, D d = 0, q'd < 0, found here. */
void lcp_check_infeasible(const lcp_data *problem, const lcp_answer *a);
double lcp_squared_norm(const lcp_data *problem, const double *p);

enum { FEW = 10 };

/* A solution with independent active contacts exists if any does: so trying every such set decides
 * feasibility, and gives w. size <= FEW.
 */
bool lcp_enumerate(size_t size, const double *d, const double *q, double *w);

#endif
