/* From near the p of least norm to a solution, and how far that is from the least. */
#ifndef CRM_LCP_LEAST_NORM_H
#define CRM_LCP_LEAST_NORM_H

#include "lcp/solver.h"

/* From pivoting.active, the contacts that carry load, and a p > 0 on them in point_work with D p +
 * q nearly 0 there, to a p >= 0 with D p + q = 0 to rounding, if there is one nearby: each p_k
 * changes by a small part of itself. It is offered to the solver. Does not allocate.
 */
void crm_lcp_return_to_face(crm_lcp_solver *solver);

/* For any y, solver->multiplier, that is 0 where w > 0: by how much the sum D_kk p_k^2 of the
 * solution solver->p exceeds the least, at most.
 */
double crm_lcp_least_norm_excess(crm_lcp_solver *solver, double tolerance);

#endif
