/* Sparse symmetric matrices: L D L', D diagonal. Internal.
 *
 * Like symmetric.h by the same operations in the same order on every processor.
 */
#ifndef CRM_LDL_H
#define CRM_LDL_H

#include "base/base.h"

/* Both triangles by columns, rows in any order, none twice. */
typedef struct crm_ldl_matrix {
    size_t size;
    const size_t *start; /* size + 1 */
    const uint32_t *row;
    const double *value;
} crm_ldl_matrix;

typedef struct crm_ldl {
    size_t size;
    uint32_t *order; /* what is eliminated at each place */
    size_t *start;   /* the columns of L below the diagonal, by places */
    uint32_t *row;
    double *value;
    double *pivot; /* D */
    size_t pivots; /* less than size: the next one is 0 or no number, and the factor is no use */
} crm_ldl;

/* The order, by minimum degree, and the factor. CRM_ERROR_MEMORY, *ldl to be released all the same.
 */
crm_status crm_ldl_create(const crm_ldl_matrix *a, crm_ldl *ldl, crm_error *error);
void crm_ldl_release(crm_ldl *ldl);

/* x = A^-1 x; work: size entries. */
void crm_ldl_solve(const crm_ldl *ldl, double *x, double *work);

#endif
