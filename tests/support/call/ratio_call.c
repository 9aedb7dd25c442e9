#include "ratio_call.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

crm_status try_call(const call *c, const small_system *system, crm_outcome **outcome,
                    crm_error *error)
{
    crm_settings *settings;
    crm_model *model = small_system_model(system);
    crm_status status = crm_settings_create(crm_law_find(c->law), &settings, error);
    if (status == CRM_OK && c->from != NULL) {
        status = crm_settings_set_text(settings, "from", c->from, error);
    }
    if (status == CRM_OK && !isnan(c->number)) {
        const char *name = strcmp(c->law, "icr") == 0 ? "ratio" : "energy_ratio";
        status = crm_settings_set_number(settings, name, c->number, error);
    }
    if (status == CRM_OK && c->ratio_count > 0) {
        status = crm_settings_set_list(settings, "ratios", c->ratio_count, c->ratios, error);
    }
    if (status == CRM_OK && c->most > 0) {
        status = crm_settings_set_number(settings, "max_collisions", c->most, error);
    }
    if (status == CRM_OK) {
        status = crm_solve(model, system->velocity, settings, NULL, outcome, error);
    }
    crm_settings_free(settings);
    crm_model_free(model);
    return status;
}

crm_outcome *solve_call(call c, const small_system *system)
{
    crm_error error = {0};
    crm_outcome *outcome = NULL;
    assert_ok(try_call(&c, system, &outcome, &error), &error);
    return outcome;
}

void check_call_refused(call c, const small_system *system, const char *place, const char *message)
{
    crm_error error = {0};
    crm_outcome *outcome = NULL;
    assert_int_equal(try_call(&c, system, &outcome, &error), CRM_ERROR_OPTION);
    assert_null(outcome);
    assert_string_equal(error.place, place);
    assert_non_null(strstr(error.message, c.law));
    assert_non_null(strstr(error.message, message));
}

small_system equal_chain(size_t count, double e)
{
    small_system chain = small_system_chain(count, false);
    chain.velocity[0] = 1;
    for (size_t j = 0; j < chain.s; j++) {
        chain.restitution[j] = e;
    }
    return chain;
}
