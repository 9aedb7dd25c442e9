/* The active set of a chain of contacts, found directly. */
#ifndef CRM_LCP_TRIDIAGONAL_H
#define CRM_LCP_TRIDIAGONAL_H

#include "lcp/matrix.h"

/* The active set of the proximal problem (pivot.h) on a path all of whose couplings are <= 0 (balls
 * in a line): the answer, but for rounding, in time proportional to the number of contacts.
 * false, and active as it was, for any other matrix. definite: D is known to be. work:
 * crm_lcp_tridiagonal_bytes bytes. Does not allocate.
 */
bool crm_lcp_tridiagonal(const crm_lcp_matrix *matrix, const double *q, double delta,
                         const double *centre, bool definite, void *work, bool *active);
size_t crm_lcp_tridiagonal_bytes(const crm_lcp_matrix *matrix);

#endif
