#include "law/complementarity/stages/cones.h"

#include <stdlib.h>

#include "base/base.h"

crm_status crm_cones_create_kept(void **kept, crm_error *error)
{
    *kept = CRM_NEW(crm_cones, 1);
    return *kept != NULL ? CRM_OK : crm_fail_memory(error);
}

void crm_cones_free_kept(void *kept)
{
    crm_cones *cones = kept;
    for (int use = 0; cones != NULL && use < CRM_CONES_USES; use++) {
        crm_coulomb_free(cones->solver[use]);
    }
    free(cones);
}

crm_status crm_cones_make(crm_cones *cones, crm_cones_use use, size_t contacts, size_t dim,
                          const crm_sparse_view *d, crm_error *error)
{
    crm_coulomb **solver = &cones->solver[use];
    bool fits = false;
    crm_status status =
        *solver != NULL ? crm_coulomb_renew(*solver, contacts, dim, d, &fits, error) : CRM_OK;
    if (status == CRM_OK && fits) {
        return CRM_OK;
    }
    crm_coulomb_free(*solver);
    *solver = NULL;
    return status == CRM_OK ? crm_coulomb_create(contacts, dim, d, solver, error) : status;
}
