/* The least of a quantity over the admissible set, by enumeration: every choice of contacts with
 * p_j = 0, with u+_j = 0, with both or none, with the energy at its limit or not. Small systems
 * with independent contacts.
 */
#ifndef ADMISSIBLE_JUDGE_H
#define ADMISSIBLE_JUDGE_H

#include <stddef.h>

enum { ADMISSIBLE_JUDGE_MOST = 4 };

/* min c'p + theta (u'p + p'Dp/2) over p >= 0, u + D p >= 0, u'p + p'Dp/2 <= limit. d: s * s.
 * slack: what counts as rounding in gap velocities and impulses; relative in energy.
 */
double admissible_judge_least(size_t s, const double *d, const double *u, double limit,
                              double theta, const double *c, double slack);

#endif
