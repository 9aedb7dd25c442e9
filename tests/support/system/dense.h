/* Small dense systems in long double, for the judge: matrices of SMALL numbers a row. */
#ifndef CAROM_TEST_DENSE_H
#define CAROM_TEST_DENSE_H

#include <stdbool.h>
#include <stddef.h>

/* Cholesky of the leading `size` rows, in place; false if not positive. */
bool dense_factorize(long double *a, size_t size);
/* b becomes the solution. */
void dense_solve(const long double *factor, size_t size, long double *b);

/* Plastic projection: p >= 0, D p - c >= 0, complementary; what closes slower than `still` does
 * not. Active sets after Lawson and Hanson.
 */
void dense_project(const long double *d, size_t count, long double still, const long double *c,
                   long double *p);

#endif
