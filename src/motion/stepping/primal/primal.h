/* The complementarity problem of contacts, solved in terms of velocities (the primal problem):
 *
 *     min x'x/2,   c_j'x >= b_j,      that is   0 <= p,   w = C'x - b >= 0,   p'w = 0,   x = C p.
 *
 * x are changes of velocity scaled by the root of M, a column c_j of C is M^-1/2 w_j scaled to
 * length 1, so that D = C'C has a unit diagonal. The factored matrix has a row for each coordinate,
 * not for each contact, and is definite even if contacts depend on each other: for packings, which
 * have more contacts than coordinates, it is both smaller and better conditioned than D. Meant for
 * sequences of problems with nearly the same loaded contacts, as steps of a motion are.
 *
 *   primal.c    the problem, by the proximal point method; the residual
 *   exchange.c  the proximal problem: which contacts are loaded
 *   interior.c  a first guess by the interior-point method
 *   factor.c    factors of I + C_A C_A'/delta
 *   dual.c      the same problem by crm_lcp, where the others fail
 */
#ifndef CRM_PRIMAL_H
#define CRM_PRIMAL_H

#include "base/base.h"

enum { CRM_PRIMAL_NOBODY = UINT32_MAX };

/* Coordinates are in blocks, one for each body. The shape of a problem tells which pairs of blocks
 * may be coupled; problems that follow each other often have the same one.
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
    double *p; /* in: first guess, >= 0; out: the solution */
    double *x; /* out: C p */
} crm_primal_problem;

typedef enum crm_primal_result {
    CRM_PRIMAL_SOLVED,
    CRM_PRIMAL_INFEASIBLE, /* no x satisfies all contacts */
    CRM_PRIMAL_FAILED      /* p and x are the best found */
} crm_primal_result;

typedef struct crm_primal_info {
    crm_primal_result result;
    double residual; /* max |min(p_j, w_j)| / (max |b| + sum_k |D_jk| p_k), computed anew from p */
    unsigned factorizations, sets;
    bool by_dual; /* solved by crm_lcp */
} crm_primal_info;

/* Workspace, and the analysis of the last shape; grows with the problems. */
typedef struct crm_primal crm_primal;

crm_status crm_primal_create(crm_primal **primal, crm_error *error);
void crm_primal_free(crm_primal *primal); /* NULL is fine */

/* Does not allocate if the shape is that of the last call and there are no more contacts than in an
 * earlier one.
 */
crm_status crm_primal_solve(crm_primal *primal, const crm_primal_problem *problem,
                            crm_primal_info *info, crm_error *error);

#endif
