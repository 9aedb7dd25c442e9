/* What making (make.c) and using (use.c) a mass matrix share. Its interface for the rest of the
 * library is in model/model.h.
 */
#ifndef CRM_MODEL_MASS_H
#define CRM_MODEL_MASS_H

#include "model/mass/ldl.h"
#include "model/model.h"

struct crm_mass_factor {
    size_t *start; /* both triangles by columns */
    uint32_t *row;
    double *value;
    crm_ldl ldl;
};

static inline size_t crm_mass_block_size(const crm_mass *mass, size_t block)
{
    return mass->block_start[block + 1] - mass->block_start[block];
}

#endif
