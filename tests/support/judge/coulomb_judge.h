/* Coulomb's law in the plane by enumeration: every contact open, stuck or slipping one way or the
 * other, every combination tried. A second implementation for the tests; shares no code with the
 * library.
 */
#ifndef CAROM_TEST_COULOMB_JUDGE_H
#define CAROM_TEST_COULOMB_JUDGE_H

#include "coulomb_case.h"

enum { COULOMB_JUDGE_CONTACTS = 5, COULOMB_JUDGE_ANSWERS = 16 };

/* All answers with different r, those of singular combinations left out: their number, at most
 * COULOMB_JUDGE_ANSWERS. answer: as many r, data->size numbers each.
 */
size_t coulomb_judge_all(const coulomb_data *data, double *answer);

#endif
