/* Where a polynomial that starts above 0 first falls below it. Internal. */
#ifndef CRM_COMPLIANT_ROOTS_H
#define CRM_COMPLIANT_ROOTS_H

#include <stdbool.h>
#include <stddef.h>

enum { COMPLIANT_MOST_ORDER = 24 };

/* a[0] + a[1] t + ... + a[degree] t^degree on 0 <= t <= *end. If it becomes negative there, by more
 * than rounding, *end becomes the first time at which it does, and the answer is true. Every change
 * of sign is found: intervals are halved until Bernstein's coefficients, between whose least and
 * largest the polynomial runs, show at most one.
 */
bool compliant_first_root(const double *a, size_t degree, double *end);

#endif
