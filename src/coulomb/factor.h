/* Linear systems with the pattern of D: block elimination L U in an order that keeps it sparse.
 *
 * Matrices have the blocks of a crm_coulomb_matrix, but any values: Newton's method makes them
 * unsymmetric. Rows are not exchanged except within a contact, so that the pattern is known
 * beforehand; the caller adds what keeps pivots away from 0, and refines what comes out.
 */
#ifndef CRM_COULOMB_FACTOR_H
#define CRM_COULOMB_FACTOR_H

#include "coulomb/matrix.h"

typedef struct crm_coulomb_factor {
    const crm_coulomb_matrix *matrix; /* borrowed */
    size_t *order;                    /* the contact that is eliminated k-th */
    size_t *place;                    /* its inverse */
    size_t *start;                    /* contacts + 1: the blocks below pivot k, right of it */
    uint32_t *below;                  /* their places, ascending */
    size_t *home;                     /* where a block of the matrix lies in `block` */
    double *block;  /* pivots (inverted), then blocks below, then blocks to the right */
    double *vector; /* dim * contacts */
    bool *active;   /* by place */
    double work;    /* block products of an elimination of all contacts */
} crm_coulomb_factor;

crm_status crm_coulomb_factor_create(const crm_coulomb_matrix *matrix, crm_coulomb_factor *factor,
                                     crm_error *error);
void crm_coulomb_factor_free(crm_coulomb_factor *factor);

/* All blocks 0, and which contacts take part (NULL: all). */
void crm_coulomb_factor_clear(crm_coulomb_factor *factor, const bool *active);
/* The block in the place of block k of the matrix, to be filled in. */
static inline double *crm_coulomb_factor_block(crm_coulomb_factor *factor, size_t k)
{
    return factor->block + factor->home[k];
}
/* Eliminates; pivots within a contact that are below `least` are replaced by it. Does not allocate.
 */
void crm_coulomb_factor_eliminate(crm_coulomb_factor *factor, double least);
/* x over all contacts: in, the right-hand side; out, the solution, 0 where a contact takes no part.
 * Does not allocate.
 */
void crm_coulomb_factor_solve(crm_coulomb_factor *factor, double *x);

#endif
