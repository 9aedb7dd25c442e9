/* What the tests share: numbers to compare, systems to try, and the call to the law; each subject
 * has a header of its own.
 */
#ifndef CAROM_TEST_SUPPORT_H
#define CAROM_TEST_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/carom.h"
#include "compare.h"
#include "law_call.h"
#include "model_call.h"
#include "random_system.h"
#include "rng.h"
#include "small_system.h"

#endif
