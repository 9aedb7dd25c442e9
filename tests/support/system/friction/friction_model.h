/* Impacts with friction that are written out in full, as models of the library. */
#ifndef CAROM_TEST_FRICTION_MODEL_H
#define CAROM_TEST_FRICTION_MODEL_H

#include "carom/carom.h"
#include "friction_case.h"

/* NULL: refused, with the reason. */
crm_model *friction_make_model(const friction_case *c, crm_error *error);

#endif
