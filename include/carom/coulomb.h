/* Coulomb's law on impulses, as a second-order cone complementarity problem: find r with
 *
 *     u = D r + q,   r_n >= 0,  u_n >= 0,  r_n u_n = 0,   |r_t| <= mu r_n,
 *     r_t = -mu r_n u_t / |u_t|  where u_t is not 0,
 *
 * at each contact, of which the first component is normal and one (plane) or two (space) are
 * tangential. Equivalent: r in the cone K, y = u + mu |u_t| n in its dual, r'y = 0. Frictionless
 * (mu = 0) it is the problem of carom/lcp.h, which solves that more quickly and for more contacts.
 *
 * D should be symmetric and positive semidefinite; it is used as it is given, not its symmetric
 * part. It may be singular: then r is not unique where contacts depend on each other, and any is
 * returned, not one of least norm.
 *
 * Several answers, or none. Unlike the frictionless problem this is not a convex programme. Even u
 * may have several values, of which the one is returned that is reached from r = 0, or with
 * warm_start from the r given; the same input gives the same bits. There is an answer where no d in
 * K, d not 0, has D d = 0 and q'd <= 0: where contacts cannot wedge. Where such a d exists there
 * may be one or not; in the plane there is if q is made by a velocity of the bodies alone, walls at
 * rest.
 */
#ifndef CAROM_COULOMB_H
#define CAROM_COULOMB_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/model.h"
#include "carom/status.h"
#include "carom/watch.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CRM_COULOMB_RESULT_LIST(X)                                                                 \
    X(CRM_COULOMB_SOLVED, "solved")                                                                \
    X(CRM_COULOMB_INFEASIBLE, "infeasible")                                                        \
    X(CRM_COULOMB_NOT_TERMINATED, "not_terminated")

#define CRM_COULOMB_RESULT_ENUM(name, text) name,
typedef enum crm_coulomb_result {
    CRM_COULOMB_RESULT_LIST(CRM_COULOMB_RESULT_ENUM)
} crm_coulomb_result;
#undef CRM_COULOMB_RESULT_ENUM

CRM_API const char *crm_coulomb_result_text(crm_coulomb_result result);

/* Is there another r? */
typedef enum crm_coulomb_unique {
    CRM_COULOMB_UNIQUE_UNKNOWN,
    CRM_COULOMB_UNIQUE,    /* no: mu^2 |D| is less than the least eigenvalue of D, scaled */
    CRM_COULOMB_NOT_UNIQUE /* yes: another was found, to the same residual */
} crm_coulomb_unique;

/* Can the contacts of a model wedge: are there impulses in the cones, not all 0, that move nothing,
 * W p + T q = 0? If not some v has u_n > mu |u_t| at every contact (walls at rest), and no impact
 * needs more impulse than finite ones; if so friction may hold contacts closed for ever. In space
 * cones stand between pyramids of 24 sides inside and outside: UNKNOWN is what is between them, mu
 * within 1 % of the least one that wedges; or more than 1000 edges, or a D that the solver of
 * carom/lcp.h gives up.
 */
typedef enum crm_coulomb_wedging {
    CRM_COULOMB_WEDGING_IMPOSSIBLE,
    CRM_COULOMB_WEDGING_POSSIBLE,
    CRM_COULOMB_WEDGING_UNKNOWN
} crm_coulomb_wedging;

/* Without friction it is about normal impulses alone. witness: IMPOSSIBLE: such a v, n entries, the
 * least u_n - mu |u_t| of which is 1; POSSIBLE: the normal impulses p, s entries, of which the
 * largest is 1; room for the larger of n and s, or NULL.
 */
CRM_API crm_status crm_coulomb_find_wedging(const crm_model *model, crm_coulomb_wedging *wedging,
                                            double *witness, crm_error *error);

typedef struct crm_coulomb_options {
    double tolerance; /* largest residual called solved; > 0, default 1e-12. So is that in units
                         of mass in which D_nn is near 1 at each contact, and what rounding
                         of D r + q makes, to 1e-8 */
    size_t max_iterations;  /* bound on the steps of Newton's method; default 20000 */
    bool warm_start;        /* start from r as given; default false */
    bool check_unique;      /* find info.unique, for the price of a few steps; default false */
    const crm_watch *watch; /* over this call (carom/watch.h); default NULL: not watched */
} crm_coulomb_options;

CRM_API crm_coulomb_options crm_coulomb_options_default(void);

/* The residual is computed anew from D, q and the r returned, with sums in twice the working
 * precision, in the caller's units: |r - P(r - y)| / |q| over all contacts, P the projection on the
 * cones (the natural map).
 */
typedef struct crm_coulomb_info {
    crm_coulomb_result result;
    crm_coulomb_unique unique; /* UNKNOWN unless check_unique */
    double residual;
    size_t sweeps;     /* over all contacts, one after another */
    size_t iterations; /* steps of Newton's method, with a factorization each */
    size_t open;       /* contacts with r_n = 0 */
    size_t stuck;      /* with |r_t| < mu r_n */
    size_t slipping;   /* the others */
} crm_coulomb_info;

/* D copied, ordered and scaled once, for any number of q and mu; holds the work space. One
 * crm_coulomb must not be used by two threads at a time.
 */
typedef struct crm_coulomb crm_coulomb;

/* dim: components of a contact, 2 or 3. D has contacts * dim rows and columns, contact after
 * contact. CRM_ERROR_MODEL: an entry is not finite or beyond 1e150, or one on the diagonal is
 * negative. A contact whose D_nn is 0 moves nothing: r = 0 there.
 */
CRM_API crm_status crm_coulomb_create(size_t contacts, size_t dim, const crm_sparse_view *d,
                                      crm_coulomb **coulomb, crm_error *error);
CRM_API void crm_coulomb_free(crm_coulomb *coulomb); /* NULL is fine */

/* Solve for one q (contacts * dim) and mu (contacts, from 0 to 1e6). options NULL: the defaults.
 * r: contacts * dim entries, read only with warm_start, always written. u: as many, D r + q of the
 * r returned, or NULL. info may be NULL only if the result does not matter. Does not allocate.
 * CRM_ERROR_ARGUMENT where a number is none or out of range; else CRM_OK whatever the result:
 * not terminated: r is the best that was found; infeasible: none was found, and r is a d in the
 * cones with D d = 0 and q'd < 0, largest component about 1 when scaled. Where d_t = 0 it proves
 * that no r makes u_n >= 0; otherwise it shows that the contacts wedge.
 */
CRM_API crm_status crm_coulomb_solve(crm_coulomb *coulomb, const double *q, const double *mu,
                                     const crm_coulomb_options *options, double *r, double *u,
                                     crm_coulomb_info *info, crm_error *error);

#ifdef __cplusplus
}
#endif
#endif
