/* Siconos' solvers of Coulomb's law: the peers that ours is compared with. Where the package is not
 * to be had, siconos_coulomb() is false at once.
 */
#ifndef CAROM_TEST_SICONOS_COULOMB_H
#define CAROM_TEST_SICONOS_COULOMB_H

#include "coulomb_case.h"

typedef enum siconos_coulomb_solver {
    SICONOS_NSGS,          /* nonsmooth Gauss-Seidel; D by blocks in space, full in the plane */
    SICONOS_NSN,           /* nonsmooth Newton (Alart, Curnier), D sparse; space */
    SICONOS_NSN_FULL,      /* the same, D full */
    SICONOS_COULOMB_LEMKE, /* Lemke's method on the facets; plane */
    SICONOS_COULOMB_SOLVERS
} siconos_coulomb_solver;

const char *siconos_coulomb_name(siconos_coulomb_solver solver);
/* From r = 0, to the tolerance, by at most `iterations`. CPU seconds of the solver's call alone.
 * false: it is not for this dimension, not there, or says it failed; r is then what it reached.
 */
bool siconos_coulomb(siconos_coulomb_solver solver, const coulomb_data *data, double tolerance,
                     int iterations, double *r, double *seconds);

#endif
