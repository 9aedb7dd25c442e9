/* Dense linear algebra of a few tens of rows: no library, no allocation, the same bits everywhere.
 */
#ifndef CRM_MOTION_DENSE_H
#define CRM_MOTION_DENSE_H

#include <stdbool.h>
#include <stddef.h>

double crm_dense_dot(const double *a, const double *b, size_t count);

/* Lower factor of a symmetric matrix, row after row, over its lower triangle. False when it is not
 * positive definite: a pivot is not above `least` times its diagonal entry.
 */
bool crm_dense_cholesky(double *matrix, size_t size, double least);
void crm_dense_forward(const double *factor, size_t size, double *x);  /* x := L^-1 x */
void crm_dense_backward(const double *factor, size_t size, double *x); /* x := L^-T x */

#endif
