/* Siconos' complementarity solvers, called on dense problems: the peer that ours is compared with.
 * Where the package is not to be had, siconos_is_there() is false.
 */
#ifndef CAROM_TEST_SICONOS_PEER_H
#define CAROM_TEST_SICONOS_PEER_H

#include <stdbool.h>
#include <stddef.h>

typedef enum siconos_solver {
    SICONOS_LEMKE,
    SICONOS_PIVOT,
    SICONOS_ENUMERATION,
    SICONOS_GAUSS_SEIDEL, /* iterative: to `tolerance` */
    SICONOS_SOLVERS
} siconos_solver;

bool siconos_is_there(void);
const char *siconos_name(siconos_solver solver);
/* 0 <= p _|_ D p + q = w >= 0; false when the solver says it failed. d is size x size. */
bool siconos_solve(siconos_solver solver, size_t size, const double *d, const double *q,
                   double tolerance, double *p, double *w);

#endif
