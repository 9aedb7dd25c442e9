/* D as the solver works on it: scaled, ordered for elimination, zero rows left out. */
#ifndef CRM_LCP_MATRIX_H
#define CRM_LCP_MATRIX_H

#include "base/base.h"
#include "carom/model.h"
#include "lcp/interrupted.h"
#include "lcp/order/order.h"

/* What making a problem may take. {0}: anything. */
typedef struct crm_lcp_limits {
    double bytes;           /* of the factorization, about; 0: any number */
    crm_watching *watching; /* while it is made: CRM_LCP_INTERRUPTED if interrupted; may be NULL */
} crm_lcp_limits;

/* Row k of the matrix is the caller's contact contact[k]. Its entries are S D S with S a diagonal
 * of powers of two, so the scaling is exact; the diagonal lies in [1/2, 2).
 */
typedef struct crm_lcp_matrix {
    size_t size;
    size_t *start;    /* size + 1 */
    uint32_t *column; /* ascending within a row */
    double *value;
    double *diagonal;
    double *scale; /* S */
    size_t *contact;
    crm_lcp_structure structure;
    crm_lcp_limits limits;
} crm_lcp_matrix;

/* *matrix is overwritten; on failure nothing is left to free. */
crm_status crm_lcp_matrix_create(size_t size, const crm_sparse_view *d, crm_lcp_limits limits,
                                 crm_lcp_matrix *matrix, crm_error *error);
void crm_lcp_matrix_free(crm_lcp_matrix *matrix);

/* w = D p + q with sums in twice the working precision (each w_k is the exact value rounded,
 * but for a relative error of order n eps^2 of the terms), and the size of what was summed,
 * size_k = floor_k + sum_j |D_kj p_j|. Does not allocate.
 */
void crm_lcp_matrix_residual(const crm_lcp_matrix *matrix, const double *p, const double *q,
                             const double *floor, double *w, double *size);

#endif
