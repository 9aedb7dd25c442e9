/* Put before every file of the tests: what they write and read themselves has a decimal point, too,
 * whatever the locale that they are run in (tests/locale/run).
 */
#ifndef CAROM_TEST_PLAIN_H
#define CAROM_TEST_PLAIN_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* before any header, for those of the tests that want it */
#endif

#include <stdio.h>
#include <stdlib.h>

#include "base/locale.h"

#define strtod     crm_strtod
#define atof(text) crm_strtod((text), NULL)
#define snprintf   crm_snprintf
#define vsnprintf  crm_vsnprintf
#define fprintf    crm_fprintf
#define sscanf     crm_sscanf
#undef printf
#define printf(...) crm_fprintf(stdout, __VA_ARGS__)

#undef _DEFAULT_SOURCE /* which src/base/memory.c, compiled into test_torture, defines itself */

#endif
