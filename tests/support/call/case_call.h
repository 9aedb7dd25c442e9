/* LZB on the scenarios of tests/cases/. */
#ifndef CAROM_TEST_CASE_CALL_H
#define CAROM_TEST_CASE_CALL_H

#include "law_call.h"

/* The scenario of this name, without .yaml; the test fails if it is refused. */
crm_scenario *case_load(const char *name);
/* Its impact by LZB, not with its own options but with these; free the outcome. */
crm_outcome *case_outcome(const crm_scenario *scenario, lzb_choices options);

#endif
