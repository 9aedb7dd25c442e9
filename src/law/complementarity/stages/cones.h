/* The solvers of Coulomb's law that a law keeps from call to call. Internal. */
#ifndef CRM_STAGES_CONES_H
#define CRM_STAGES_CONES_H

#include "coulomb/coulomb.h"

/* One for the problem of the contacts, one for that with contacts whose normal impulse is given
 * (friction.c). Each is made again only where another coupling of contacts asks for it.
 */
typedef enum crm_cones_use { CRM_CONES_OWN, CRM_CONES_PRESSED, CRM_CONES_USES } crm_cones_use;

typedef struct crm_cones {
    crm_coulomb *solver[CRM_CONES_USES];
} crm_cones;

/* create_kept and free_kept of the laws. */
crm_status crm_cones_create_kept(void **kept, crm_error *error);
void crm_cones_free_kept(void *kept);
/* The solver for D, which is kept. */
crm_status crm_cones_make(crm_cones *cones, crm_cones_use use, size_t contacts, size_t dim,
                          const crm_sparse_view *d, crm_error *error);

#endif
