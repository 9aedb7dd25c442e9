/* Full symmetric matrices: L L', and how many eigenvalues lie above a number. Internal.
 *
 * Every entry is computed by the same operations in the same order on every processor, so that bits
 * do not depend on it, as they would with a tuned library. Column i begins at a[i size].
 */
#ifndef CRM_SYMMETRIC_H
#define CRM_SYMMETRIC_H

#include <stddef.h>

/* A = L L', the lower triangle in place. Returns `size`, or the first column whose pivot is not
 * > 0.
 */
size_t crm_symmetric_factor(size_t size, double *a);

/* x = A^-1 x by L. */
void crm_symmetric_solve(size_t size, const double *l, double *x);

/* Number of eigenvalues > limit; overwrites the matrix. work: 2 size. */
size_t crm_symmetric_count_above(size_t size, double *a, double limit, double *work);

#endif
