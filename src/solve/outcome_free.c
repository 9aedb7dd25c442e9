#include <stdlib.h>

#include "solve/solve.h"

void crm_outcome_free(crm_outcome *outcome)
{
    crm_owned_outcome *owned = (crm_owned_outcome *)outcome;
    if (owned != NULL) {
        crm_pool_release(&owned->pool);
        free(owned);
    }
}
