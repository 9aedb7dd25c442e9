/* The convex problem that decides who sticks: min 1/2 f'D f + f'q over |f_j| <= r_j, D positive
 * semidefinite and of any rank. At its solution a = D f + q = -l_j f_j with l_j >= 0, so that
 * a_j = 0 or f_j is at its bound against a_j: Coulomb's law on accelerations.
 *
 * By an interior point: one that finds, where D is singular and sticking is possible at all, an f
 * well within the discs. Multipliers and slacks are kept apart, each with all its digits, so that
 * it can be told who just fails to stick.
 */
#ifndef CAROM_TEST_DISC_PROBLEM_H
#define CAROM_TEST_DISC_PROBLEM_H

#include "friction_case.h"

enum { DISC_STRIDE = FRICTION_TANGENTS };

typedef struct disc_problem {
    size_t count, dim;
    long double d[DISC_STRIDE * DISC_STRIDE], q[DISC_STRIDE], radius[FRICTION_CONTACTS];
} disc_problem;

typedef struct disc_answer {
    bool slips[FRICTION_CONTACTS]; /* a_j is not 0 */
    long double f[DISC_STRIDE], a[DISC_STRIDE], l[FRICTION_CONTACTS];
    long double most; /* the largest |a_j|, relative to what q and r could make of it */
} disc_answer;

void disc_solve(const disc_problem *problem, disc_answer *answer);
/* The same from the answer to a problem nearby, with the same slips: Newton's method on
 * D f + q + l f = 0, |f_j| = r_j where slips[j], l_j = 0 elsewhere. False: not settled.
 */
bool disc_follow(const disc_problem *problem, disc_answer *answer);

#endif
