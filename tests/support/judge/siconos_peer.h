/* Siconos' complementarity solvers: the peer that ours is compared with. Where the package is not
 * to be had, siconos_is_there() is false.
 */
#ifndef CAROM_TEST_SICONOS_PEER_H
#define CAROM_TEST_SICONOS_PEER_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/model.h"

typedef enum siconos_solver {
    SICONOS_LEMKE,
    SICONOS_PIVOT,
    SICONOS_ENUMERATION,
    SICONOS_GAUSS_SEIDEL, /* iterative: to `tolerance` */
    SICONOS_NEWTON,       /* Newton's method for min(p, w) = 0, globalised */
    SICONOS_SOLVERS
} siconos_solver;

bool siconos_is_there(void);
const char *siconos_name(siconos_solver solver);
/* 0 <= p _|_ D p + q = w >= 0; false when the solver says it failed. d is size x size. */
bool siconos_solve(siconos_solver solver, size_t size, const double *d, const double *q,
                   double tolerance, double *p, double *w);
/* The same with D by rows, by projected Gauss-Seidel: of Siconos' methods for this problem the only
 * one that takes a sparse matrix and gets anywhere.
 */
bool siconos_solve_sparse(size_t size, const crm_sparse_view *d, const double *q, double tolerance,
                          size_t sweeps, double *p, double *w);

#endif
