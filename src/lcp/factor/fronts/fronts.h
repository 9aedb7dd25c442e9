/* L L' of a sparse matrix, front by front. */
#ifndef CRM_LCP_FRONTS_H
#define CRM_LCP_FRONTS_H

#include "base/team.h"
#include "base/watch.h"
#include "base/width.h"
#include "lcp/matrix.h"

typedef struct crm_lcp_fronts crm_lcp_fronts;

/* The matrix is borrowed. All memory is taken here. */
crm_status crm_lcp_fronts_create(const crm_lcp_matrix *matrix, crm_lcp_fronts **fronts,
                                 crm_error *error);
void crm_lcp_fronts_free(crm_lcp_fronts *fronts);

/* Factor the matrix with diagonal[k] instead of its own for the contacts with active[k], the unit
 * matrix for the others. Returns the least pivot relative to the matrix's diagonal entry, at
 * most 1; 0 when the elimination broke down.
 */
double crm_lcp_fronts_factor(crm_lcp_fronts *fronts, const bool *active, const double *diagonal);

/* Consulted every few milliseconds; NULL: not watched. An interrupted factorization counts as
 * broken down; an interrupted solve leaves x incomplete.
 */
void crm_lcp_fronts_watch(crm_lcp_fronts *fronts, crm_watching *watching);
void crm_lcp_fronts_use_width(crm_lcp_fronts *fronts, crm_width width);
/* Threads to use from now on; borrowed. NULL: none, as where memory for their work space is short.
 */
void crm_lcp_fronts_use_threads(crm_lcp_fronts *fronts, crm_team_lazy *threads);
/* The team in use; NULL: none, or it would not pay. */
crm_team *crm_lcp_fronts_team(const crm_lcp_fronts *fronts);

void crm_lcp_fronts_solve(crm_lcp_fronts *fronts, double *x);

#endif
