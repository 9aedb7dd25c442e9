/* Packings for tests. */
#ifndef CAROM_TEST_PACKING_CALL_H
#define CAROM_TEST_PACKING_CALL_H

#include "carom/carom.h"

crm_packing_def packing_of(crm_lattice lattice, size_t columns, size_t rows, size_t layers);
/* Fails the test if it is refused. */
crm_model *packing_model(const crm_packing_def *def);

#endif
