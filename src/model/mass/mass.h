/* What making (make.c) and using (use.c) a mass matrix share. Its interface for the rest of the
 * library is in model/model.h.
 */
#ifndef CRM_MODEL_MASS_H
#define CRM_MODEL_MASS_H

#include <cholmod.h>

#include "model/model.h"

struct crm_mass_factor {
    cholmod_sparse *matrix; /* lower triangle */
    cholmod_factor *factor;
};

static inline size_t crm_mass_block_size(const crm_mass *mass, size_t block)
{
    return mass->block_start[block + 1] - mass->block_start[block];
}

/* CHOLMOD has its settings in this structure: one per call, so that threads may share a model. Only
 * its LGPL modules are used (simplicial factorization).
 */
void crm_mass_start_cholmod(cholmod_common *common);

#endif
