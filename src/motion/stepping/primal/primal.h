/* The complementarity problem of contacts, solved from the side of the velocities:
 *
 *     min x'x/2,   c_j'x >= b_j,      that is   0 <= p,   w = C'x - b >= 0,   p'w = 0,   x = C p.
 *
 * x are changes of velocity scaled by the root of M, a column c_j of C is M^-1/2 w_j scaled to
 * length 1, so that D = C'C has a unit diagonal. What is factored here has a row for each
 * coordinate, not for each contact, and is definite however the contacts depend on each other: for
 * packings, where there are more contacts than coordinates, it is both smaller and safer than D.
 * For problems that come again and again with other numbers and nearly the same contacts at work,
 * as steps of a motion do.
 *
 *   factor.c  I + C_A C_A'/delta, factored
 *   exchange.c  the proximal problem: which contacts are at work
 *   primal.c  from there to the problem itself; the residual
 *   dual.c    the same problem by crm_lcp, where this fails
 */
#ifndef CRM_PRIMAL_H
#define CRM_PRIMAL_H

#include "base/base.h"

enum { CRM_PRIMAL_NOBODY = UINT32_MAX };

/* Coordinates come in blocks, one for each body; which pairs of blocks may be coupled is the shape
 * of the problem, which stays while numbers change.
 */
typedef struct crm_primal_shape {
    size_t blocks;
    const uint32_t *first; /* coordinate of each block, blocks + 1 */
    size_t pairs;
    const uint32_t (*pair)[2]; /* smaller block first, none twice */
} crm_primal_shape;

/* A contact moves one block, or two that are a pair of the shape. Its column has the entries of its
 * first block, then those of its second, at value[start].
 */
typedef struct crm_primal_contact {
    uint32_t block[2]; /* the second may be CRM_PRIMAL_NOBODY; of a pair the smaller is first */
    uint32_t pair;
    uint32_t start;
    double bound; /* b_j */
} crm_primal_contact;

typedef struct crm_primal_problem {
    crm_primal_shape shape;
    size_t contacts;
    const crm_primal_contact *contact;
    const double *value;
    double *p; /* in: where to start from, >= 0; out: the answer */
    double *x; /* out: C p */
} crm_primal_problem;

typedef enum crm_primal_result {
    CRM_PRIMAL_SOLVED,
    CRM_PRIMAL_INFEASIBLE, /* no x does it */
    CRM_PRIMAL_FAILED      /* p and x are the best found */
} crm_primal_result;

typedef struct crm_primal_info {
    crm_primal_result result;
    double residual; /* max |min(p_j, w_j)| / (max |b| + sum_k |D_jk| p_k), computed anew from p */
    unsigned factorizations, sets;
    bool by_dual; /* crm_lcp was asked */
} crm_primal_info;

/* Work space, and the analysis of the last shape; grows as problems ask for it. */
typedef struct crm_primal crm_primal;

crm_status crm_primal_create(crm_primal **primal, crm_error *error);
void crm_primal_free(crm_primal *primal); /* NULL is fine */

/* Does not allocate when the shape is that of the last call, and no more contacts are there than
 * ever before.
 */
crm_status crm_primal_solve(crm_primal *primal, const crm_primal_problem *problem,
                            crm_primal_info *info, crm_error *error);

#endif
