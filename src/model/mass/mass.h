/* What the two halves of the mass matrix share: making it (make.c) and using it (use.c). What the
 * rest of the library may know of it is in model/model.h.
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

/* CHOLMOD keeps its settings in a structure of ours: no globals, and one per call keeps a shared
 * model safe between threads. Only its LGPL modules are used (simplicial factorization).
 */
void crm_mass_start_cholmod(cholmod_common *common);

#endif
