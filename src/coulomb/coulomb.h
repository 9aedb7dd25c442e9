/* What the laws need of the solver beside its public face. Internal. */
#ifndef CRM_COULOMB_INTERNAL_H
#define CRM_COULOMB_INTERNAL_H

#include "base/watch.h"
#include "carom/coulomb.h"

/* Another D of as many contacts in the place of the one there is. *fits false: it couples contacts
 * that the first did not, or has another size, and nothing was done. Does not allocate. On an error
 * the solver must not be used any more.
 */
crm_status crm_coulomb_renew(crm_coulomb *coulomb, size_t contacts, size_t dim,
                             const crm_sparse_view *d, bool *fits, crm_error *error);
/* Solve as part of a call that is watched already, until told otherwise; NULL: not. */
void crm_coulomb_watch(crm_coulomb *coulomb, crm_watching *watching);
/* Do the tangents of the contacts that stick with r depend on each other? Then their friction is
 * determined only as far as it moves anything.
 */
bool crm_coulomb_shares_friction(crm_coulomb *coulomb, const double *mu, const double *r);

#endif
