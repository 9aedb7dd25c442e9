/* Linear systems with an active submatrix: one interface, two eliminations (tridiagonal, sparse).
 *
 * A factor holds L diag(d) L' of  D_FF + delta diag(D_FF) + diag(added)  for the set F of contacts
 * it was last set to, F in the order of the matrix.
 */
#ifndef CRM_LCP_FACTOR_H
#define CRM_LCP_FACTOR_H

#include "base/team.h"
#include "base/watch.h"
#include "base/width.h"
#include "lcp/matrix.h"

typedef struct crm_lcp_factor crm_lcp_factor;

/* The matrix is borrowed. */
crm_status crm_lcp_factor_create(const crm_lcp_matrix *matrix, crm_lcp_factor **factor,
                                 crm_error *error);
void crm_lcp_factor_free(crm_lcp_factor *factor);

/* Factor for the contacts with active[k] (NULL: all). added: one entry >= 0 for every contact of
 * the matrix, NULL for none. Returns the least pivot relative to its diagonal entry, 1 for an
 * empty set; <= 0 when the elimination broke down and solving is not possible. Does not allocate.
 */
double crm_lcp_factor_set(crm_lcp_factor *factor, const bool *active, double delta,
                          const double *added);

/* x over all contacts: in, the right-hand side; out, the solution. Entries outside F are set to
 * 0. Does not allocate.
 */
void crm_lcp_factor_solve(crm_lcp_factor *factor, double *x);

/* The watch over the factorizations that follow; one that is interrupted counts as broken down. */
void crm_lcp_factor_watch(crm_lcp_factor *factor, crm_watching *watching);
/* Compute with vectors of this width. */
void crm_lcp_factor_use_width(crm_lcp_factor *factor, crm_width width);
/* Threads to use, as in fronts.h. */
void crm_lcp_factor_use_threads(crm_lcp_factor *factor, crm_team_lazy *threads);
crm_team *crm_lcp_factor_team(const crm_lcp_factor *factor); /* NULL: none */

/* How often crm_lcp_factor_set has been called. */
size_t crm_lcp_factor_count(const crm_lcp_factor *factor);

#endif
