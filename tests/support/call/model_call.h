/* Chains and bodies for tests. */
#ifndef CAROM_TEST_MODEL_CALL_H
#define CAROM_TEST_MODEL_CALL_H

#include <stddef.h>

#include "carom/carom.h"

/* Must succeed. */
crm_model *chain_model(const crm_chain_def *def);

crm_body_def ball_at(double radius, double mass, double x, double y, double z);
crm_bodies_def bodies_def(unsigned dimension, const crm_body_def *bodies, size_t count);

#endif
