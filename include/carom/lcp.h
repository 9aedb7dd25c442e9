/* The linear complementarity problem of frictionless impacts:
 *
 *     0 <= p,   w = D p + q >= 0,   p'w = 0,      D = D' positive semidefinite, sparse.
 *
 * It is the convex programme min p'Dp/2 + q'p, p >= 0. w is unique; p need not be (dependent
 * contacts). The answer is looked for as that of a linear system on the right set of contacts, so
 * that w is exact to rounding, and so is p where it is unique; where rounding hides that set
 * (large packings, masses of very different size) it is exact to the tolerance. info has
 * the residuals to show it.
 *
 * Which p. When p is not unique the one that minimises sum_j D_jj p_j^2 is sought, unless
 * options.least_norm is false: a norm that does not depend on how the gap functions are scaled and
 * keeps the symmetries of the system. info.norm_excess bounds by how much it was missed: commonly
 * 1e-9 or less, and 1e-6 or so in packings of 1e5 contacts and more; half the digits hold for p.
 *
 * Scale. D is scaled to a unit diagonal, by powers of two; speeds are compared contact by contact
 * with the terms of (D p + q)_j and with the largest |q|. Units of mass and speed make no
 * difference. Masses in a ratio R leave w with a relative uncertainty of 1e-16 R that is not the
 * solver's: D in doubles has forgotten as much.
 *
 * Infeasible means that there is a d >= 0 with D d = 0 and q'd < 0: no impulse whatever makes
 * w >= 0. It is reported only with such a d, checked, in hand.
 */
#ifndef CAROM_LCP_H
#define CAROM_LCP_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/model.h"
#include "carom/status.h"
#include "carom/watch.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CRM_LCP_RESULT_LIST(X)                                                                     \
    X(CRM_LCP_SOLVED, "solved")                                                                    \
    X(CRM_LCP_INFEASIBLE, "infeasible")                                                            \
    X(CRM_LCP_NOT_TERMINATED, "not_terminated")

#define CRM_LCP_RESULT_ENUM(name, text) name,
typedef enum crm_lcp_result { CRM_LCP_RESULT_LIST(CRM_LCP_RESULT_ENUM) } crm_lcp_result;
#undef CRM_LCP_RESULT_ENUM

CRM_API const char *crm_lcp_result_text(crm_lcp_result result);

typedef struct crm_lcp_options {
    double tolerance;       /* largest relative_residual called solved; > 0, default 1e-12: what the
                               solution of the problem with the least regularization has */
    size_t max_iterations;  /* bound on the sets tried and interior steps; default 2000 */
    bool least_norm;        /* seek the p described above; default true. false: any p that solves
                               the problem, which is quicker, and a better start for the next q */
    bool warm_start;        /* start from p as given; default false */
    const crm_watch *watch; /* over this call (carom/watch.h); default NULL: not watched */
} crm_lcp_options;

CRM_API crm_lcp_options crm_lcp_options_default(void);

/* The residuals are computed anew from D, q and the p returned, with sums in twice the working
 * precision, in the caller's units; no size, no residual: all 0.
 */
typedef struct crm_lcp_info {
    crm_lcp_result result;
    bool unique;           /* there is no other p: the contacts with w = 0 are independent.
                              false: not shown to be unique */
    double norm_excess;    /* sum D_jj p_j^2 exceeds the least there is by at most
                              this part; 0 when unique, NAN when not solved, INFINITY when not
                              known, as it is when least norm was not sought */
    size_t iterations;     /* active sets tried and interior steps */
    size_t pivots;         /* contacts that entered or left it, in all */
    size_t factorizations; /* of active submatrices, all purposes together */
    size_t active;         /* contacts with p > 0 */
    double min_p;          /* never < 0 */
    double min_w;
    double max_product;       /* max |p_j w_j| */
    double natural_residual;  /* max |min(D_jj p_j, w_j)|, a speed */
    double relative_residual; /* max |min(D_jj p_j, w_j)| / (max |q| + sum_k |D_jk| p_k) */
} crm_lcp_info;

/* D copied, ordered and scaled once, for any number of right-hand sides; holds the work space.
 * One crm_lcp must not be used by two threads at a time.
 */
typedef struct crm_lcp crm_lcp;

/* D is size x size with both triangles stored: column j = row j. Returns CRM_ERROR_MODEL when it
 * is not symmetric (beyond 1e-10 of sqrt(D_ii D_jj)), has a negative diagonal entry, a coupling
 * larger than sqrt(D_ii D_jj) allows, or an entry that is not finite. A zero row is a contact that
 * moves nothing: p_j = 0 there. Positive semidefiniteness beyond that is the caller's promise.
 */
CRM_API crm_status crm_lcp_create(size_t size, const crm_sparse_view *d, crm_lcp **lcp,
                                  crm_error *error);

/* The same from the Delassus matrix of a model. CRM_ERROR_ARGUMENT when it is not stored
 * (crm_model_has_delassus).
 */
CRM_API crm_status crm_lcp_create_for_model(const crm_model *model, crm_lcp **lcp,
                                            crm_error *error);

CRM_API void crm_lcp_free(crm_lcp *lcp); /* NULL is fine */

CRM_API size_t crm_lcp_size(const crm_lcp *lcp);

/* Solve for one q. options NULL: the defaults. p: size entries, read only with warm_start, always
 * written. w: size entries = D p + q of the p returned, or NULL. info may be NULL only if the
 * result does not matter. CRM_ERROR_ARGUMENT when q, or q_j / sqrt(D_jj), exceeds 1e301, or an
 * impulse what a double can hold; else CRM_OK whatever the result; when it is not CRM_LCP_SOLVED, p
 * is the best that was found (p >= 0) or, if infeasible, the direction d >= 0, scaled so that the
 * largest sqrt(D_jj) d_j is about 1 (for a contact that moves nothing, d_j = 1), and w is q.
 */
CRM_API crm_status crm_lcp_solve(crm_lcp *lcp, const double *q, const crm_lcp_options *options,
                                 double *p, double *w, crm_lcp_info *info, crm_error *error);

#ifdef __cplusplus
}
#endif
#endif
