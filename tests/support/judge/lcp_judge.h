/* The laws by complementarity once more, in four times the precision and by another method: the
 * judge of their v+.
 *
 * D = W'M^-1W and q are formed from the plain numbers of a small system in quadruple precision and
 * the problem is solved by C. E. Lemke's method, which ends at a solution or shows that there is
 * none when D is semidefinite (R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear Complementarity
 * Problem, 1992, 4.4). The answer is believed only if its residual, computed anew, is 1e-25; if it
 * is not, or there seems to be none, every set of contacts is tried.
 */
#ifndef CAROM_TEST_LCP_JUDGE_H
#define CAROM_TEST_LCP_JUDGE_H

#include "support.h"

typedef struct lcp_verdict {
    bool sure;     /* the residuals are as they must be; without it the rest means nothing */
    bool feasible; /* there is a p; without it there is nothing else */
    double velocity[SMALL], gap_velocity[SMALL]; /* v+, u+ */
    double impulse[SMALL];                       /* one p of perhaps many */
    bool independent;   /* the contacts that do not part are, at both stages: p is unique */
    double nearness;    /* how far they are from dependence: the least pivot of their D, scaled to
                           a unit diagonal, the largest pivot first; 0: dependent */
    bool clear;         /* the same contacts stay together, to the rounding of W */
    double energy_made; /* T+ - T- - work of the boundaries, relative to T- and that work */
} lcp_verdict;

/* Newton's family: u+ + E u- >= 0 where E is given by rows, NULL: diag(restitution). */
lcp_verdict lcp_judge_newton(const small_system *system, const double *matrix);
/* Compression and expansion; meaningful where independent, or where restitutions are equal. */
lcp_verdict lcp_judge_poisson(const small_system *system);

#endif
