#include <stdlib.h>

#include "solve/solve.h"

void crm_outcome_free(crm_outcome *outcome)
{
    crm_held_outcome *held = (crm_held_outcome *)outcome;
    if (held != NULL) {
        crm_pool_release(&held->pool);
        free(held);
    }
}
