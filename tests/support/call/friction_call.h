/* Calling laws with friction. */
#ifndef CAROM_TEST_FRICTION_CALL_H
#define CAROM_TEST_FRICTION_CALL_H

#include "friction_case.h"
#include "support.h"

/* The library's model of a case. Fails the test if it is refused. */
crm_model *friction_model(const friction_case *c);
/* The call succeeds; the outcome may be anything. */
crm_outcome *friction_outcome(const char *law, const friction_case *c);
/* And it must be solved. */
crm_outcome *friction_solve(const char *law, const friction_case *c);

/* A case of which only D (normal, tangents, contact after contact) and u- in that order are known:
 * M = 1, and the directions are the rows of the Cholesky factor of D.
 */
friction_case friction_from_delassus(size_t contacts, size_t dim, const double *d, const double *u);

/* |D| |r|, what speeds are differences of: of all normals, then of the tangents. */
void friction_terms(const friction_case *c, const crm_outcome *outcome, double *terms);

/* How far an outcome is from Newton's law with Coulomb's law on impulses, from its impulses and
 * velocities alone: the largest of what P, u_n+ + e u_n- and the cones lack, of the products that
 * should be 0, and of the motion; speeds relative to the largest before or, where contacts wedge
 * and impulses are huge, to 1/100 of the friction_terms; impulses to the largest there is.
 * `compression`: an outcome whose impulses are taken off before, and P >= e P of it asked for, u_n+
 * then without e (Poisson's expansion); or NULL.
 */
double friction_defect(const friction_case *c, const crm_outcome *outcome,
                       const crm_outcome *compression);

#endif
