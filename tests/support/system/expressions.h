/* Random expressions as a scenario may have them (scenario/number/number.h): every operation and
 * function, with brackets around each, and arguments within what the functions take.
 */
#ifndef CAROM_TEST_EXPRESSIONS_H
#define CAROM_TEST_EXPRESSIONS_H

#include <stddef.h>

#include "rng.h"

enum { EXPRESSION_LONGEST = 2048 };

void expression_draw(rng *r, char text[EXPRESSION_LONGEST]);

#endif
