/* Singular values of small dense matrices, by one-sided Jacobi rotations: they give small singular
 * values to high relative accuracy, which the rank of a Jacobian is read from.
 */
#ifndef CRM_SVD_H
#define CRM_SVD_H

#include <stddef.h>

/* A = U S V', A of rows * columns, row after row, any shape. On return a[] is U S (rows * columns),
 * v[] is V (columns * columns, column j of V is the j-th right vector), s[] has the singular
 * values, the largest first.
 */
void crm_svd(size_t rows, size_t columns, double *a, double *s, double *v);

#endif
