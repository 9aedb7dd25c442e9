/* The solution that belongs to a set of contacts, and exchanges towards the right set. */
#ifndef CRM_LCP_PIVOT_H
#define CRM_LCP_PIVOT_H

#include "base/watch.h"
#include "lcp/factor/factor.h"
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

    double *measured; /* the p that w and size are of, if they are of any */
    bool measured_valid;

    double *step;           /* work */
    void *tridiagonal_work; /* crm_lcp_tridiagonal_bytes */
    double *point_work;     /* CRM_LCP_INTERIOR_VECTORS for each contact */
    double gap;             /* p'w at the end of the interior path */

    bool *factored; /* the set and delta that the factor holds */
    double factored_delta;
    bool factored_valid;
    double smallest_pivot;

    size_t iterations; /* sets tried and interior steps, at most */
    size_t max_iterations;
    size_t pivots;
    crm_watching *watching; /* NULL: not watched */
} crm_lcp_pivoting;

/* Whether the call has been interrupted: whatever is left to do is not done. */
static inline bool crm_lcp_pivot_is_over(const crm_lcp_pivoting *pivoting)
{
    return pivoting->watching != NULL && pivoting->watching->over;
}

/* The matrix is borrowed, and so are q and floor, which are to be set before solving. On failure
 * nothing is left to free.
 */
crm_status crm_lcp_pivoting_create(const crm_lcp_matrix *matrix, crm_lcp_pivoting *pivoting,
                                   crm_error *error);
void crm_lcp_pivoting_free(crm_lcp_pivoting *pivoting);

/* A pivot below this part of its diagonal entry counts as zero when delta = 0. */
double crm_lcp_pivot_zero(const crm_lcp_matrix *matrix);

/* q and floor are others now. */
void crm_lcp_pivot_begin(crm_lcp_pivoting *pivoting);

/* w and size of any p; does nothing when they are that already. */
void crm_lcp_pivot_measure(crm_lcp_pivoting *pivoting, const double *p);

/* Factor the submatrix of the given set; does nothing when that is the present factor. */
void crm_lcp_pivot_factor(crm_lcp_pivoting *pivoting, const bool *active, double delta);

/* p, w, size of the active set: v = 0 on it, p = 0 outside. false, and nothing computed, when the
 * submatrix is singular.
 */
bool crm_lcp_pivot_basic(crm_lcp_pivoting *pivoting);

/* Whether p_k of an active contact, or v_k of an inactive one, is negative beyond rounding. */
bool crm_lcp_pivot_pulls(const crm_lcp_pivoting *pivoting, size_t k);
bool crm_lcp_pivot_closes(const crm_lcp_pivoting *pivoting, size_t k);

/* How many p_k (active) or v_k (inactive) are negative beyond rounding; all of them change sides.
 */
size_t crm_lcp_pivot_wrong(const crm_lcp_pivoting *pivoting);
void crm_lcp_pivot_exchange(crm_lcp_pivoting *pivoting);

/* Counts one iteration; false when there have been too many, or the call is interrupted. */
bool crm_lcp_pivot_may_go_on(crm_lcp_pivoting *pivoting);

/* Exchanges until every sign is right, or the number of wrong signs has failed to fall `max_stalls`
 * times in a row. Where D is tridiagonal the set is then found directly. Returns whether every sign
 * is right.
 */
bool crm_lcp_pivot(crm_lcp_pivoting *pivoting, unsigned max_stalls);

#endif
