/* The least of f'Af/2 + f'q over |f_j| <= r_j, discs in d = 2 dimensions, intervals in one.
 * Internal.
 *
 * A = T'M^-1 T is positive semidefinite, of any rank, and q in its range. The gradient a = A f + q
 * at the least is unique, f is not where A is singular. Coulomb's law: a_j = 0 or f_j = -r_j
 * a_j/|a_j|.
 *
 * From face to face: Newton's method over the f_j within their discs and along the circles of the
 * others, until one meets its circle, or leaves it because the multiplier -f_j'a_j is negative. The
 * function falls from step to step, and where A is singular Newton's equations have solutions all
 * the same.
 */
#ifndef CRM_LZB_DISCS_H
#define CRM_LZB_DISCS_H

#include "base/base.h"
#include "base/pool.h"

typedef struct lzb_discs {
    size_t count;
    unsigned d;
    const double *matrix; /* m = count d rows */
    const double *q, *radius;
    double *f, *a; /* f: where to start from, cut to the discs; a = A f + q */
    bool *bound;   /* f_j is on its circle */
    double size;   /* the largest sum of sizes that an entry of a is made of */

    double *hessian, *factor, *step, *trial, *left; /* work: m m, m m, m, m, m */
    uint32_t *pivot;                                /* m */
} lzb_discs;

bool lzb_discs_take(lzb_discs *discs, size_t most, unsigned d, crm_pool *pool);
/* Of the first two members the matrix is of. The most that |a_j| is where f_j is within its disc,
 * as a part of the size, tells how well it was solved: rounding.
 */
void lzb_discs_solve(lzb_discs *discs);

/* Cholesky's factor of a matrix of m rows, pivot by pivot, the largest part left of its entry
 * first; returns the rank. factor: rows by index, columns by pivot. left: m entries of work.
 */
size_t lzb_discs_factorize(const double *matrix, size_t m, double *factor, uint32_t *pivot,
                           double *left);
/* x := y with matrix y = x; what that does not determine is 0. work: m entries. */
void lzb_discs_solve_factor(const double *factor, const uint32_t *pivot, size_t rank, size_t m,
                            double *x, double *work);

#endif
