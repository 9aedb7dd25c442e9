/* The matrix of the problem by blocks, one for each pair of contacts that are coupled: checks,
 * exact scaling, products.
 */
#ifndef CRM_COULOMB_MATRIX_H
#define CRM_COULOMB_MATRIX_H

#include "base/base.h"
#include "carom/model.h"

enum { CRM_COULOMB_MOST = 3 }; /* components of a contact: a normal and two tangents */

/* D_ij is replaced by scale_i D_ij scale_j, scale a power of two for each contact, so that the
 * largest entry on the diagonal of D_ii is near 1. One scale for all components of a contact: cones
 * stay what they are. The pattern is symmetric; the values are as given.
 */
typedef struct crm_coulomb_matrix {
    size_t contacts, dim;
    size_t *start; /* contacts + 1: the blocks of row i */
    uint32_t *column;
    double *block;    /* dim x dim, by rows */
    size_t *diagonal; /* which block of row i is D_ii */
    double *scale;
} crm_coulomb_matrix;

crm_status crm_coulomb_matrix_create(size_t contacts, size_t dim, const crm_sparse_view *d,
                                     crm_coulomb_matrix *matrix, crm_error *error);
void crm_coulomb_matrix_free(crm_coulomb_matrix *matrix);
/* Has the matrix the blocks that D, of the same size and sound, would need? And D in its place. */
bool crm_coulomb_matrix_covers(const crm_coulomb_matrix *matrix, const crm_sparse_view *d);
crm_status crm_coulomb_matrix_refill(crm_coulomb_matrix *matrix, const crm_sparse_view *d,
                                     crm_error *error);

/* u = D r + q */
void crm_coulomb_matrix_multiply(const crm_coulomb_matrix *matrix, const double *r, const double *q,
                                 double *u);
/* The same with sums in twice the working precision. size: what rounds, |D| |r| + |q|, or NULL. */
void crm_coulomb_matrix_multiply_exactly(const crm_coulomb_matrix *matrix, const double *r,
                                         const double *q, double *u, double *size);

/* Where `wanted` is in an ascending list from `first` to before `end`, of which it is one. */
static inline size_t crm_coulomb_find(const uint32_t *list, size_t first, size_t end, size_t wanted)
{
    while (end - first > 1) {
        size_t middle = first + (end - first) / 2;
        if (list[middle] <= wanted) {
            first = middle;
        } else {
            end = middle;
        }
    }
    return first;
}

/* y -= A x, A dim x dim. */
static inline void crm_coulomb_subtract(size_t dim, const double *restrict a,
                                        const double *restrict x, double *restrict y)
{
    for (size_t a_row = 0; a_row < dim; a_row++) {
        for (size_t b = 0; b < dim; b++) {
            y[a_row] -= a[a_row * dim + b] * x[b];
        }
    }
}

#endif
