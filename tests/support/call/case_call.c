/* LZB on the scenarios of tests/cases/: see case_call.h. */
#include "case_call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "compare.h"

crm_scenario *case_load(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/cases/%s.yaml", CAROM_SOURCE_DIR, name);
    const crm_source source = {.path = path};
    crm_scenario *scenario = NULL;
    crm_error error = {0};
    assert_ok(crm_scenario_load(&source, &scenario, &error), &error);
    return scenario;
}

crm_outcome *case_outcome(const crm_scenario *scenario, lzb_choices options)
{
    return lzb_outcome(crm_scenario_model(scenario), crm_scenario_velocity(scenario), options);
}
