#include "compliant_call.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

crm_settings *compliant_settings(compliant_options o)
{
    crm_error error = {0};
    crm_settings *settings = NULL;
    assert_ok(crm_settings_create(crm_law_find("compliant"), &settings, &error), &error);
    if (o.damping > 0) {
        assert_ok(crm_settings_set_number(settings, "damping", o.damping, &error), &error);
    }
    if (o.model != NULL) {
        assert_ok(crm_settings_set_text(settings, "model", o.model, &error), &error);
    }
    if (o.dampings != NULL) {
        assert_ok(crm_settings_set_list(settings, "damping", o.contacts, o.dampings, &error),
                  &error);
    }
    if (o.arms != NULL) {
        assert_ok(crm_settings_set_list(settings, "arm_stiffness", o.contacts, o.arms, &error),
                  &error);
    }
    if (o.tolerance > 0) {
        assert_ok(crm_settings_set_number(settings, "tolerance", o.tolerance, &error), &error);
    }
    if (o.max_steps > 0) {
        assert_ok(crm_settings_set_number(settings, "max_steps", o.max_steps, &error), &error);
    }
    return settings;
}

crm_outcome *compliant_outcome(const crm_model *model, const double *velocity, compliant_options o)
{
    crm_error error = {0};
    crm_outcome *outcome = NULL;
    crm_settings *settings = compliant_settings(o);
    assert_ok(crm_solve(model, velocity, settings, o.recorder, &outcome, &error), &error);
    crm_settings_free(settings);
    return outcome;
}

crm_outcome *compliant_outcome_of(const small_system *system, compliant_options o)
{
    crm_model *model = small_system_model(system);
    crm_outcome *outcome = compliant_outcome(model, system->velocity, o);
    crm_model_free(model);
    return outcome;
}

crm_outcome *compliant_solve(const small_system *system, compliant_options o)
{
    crm_outcome *outcome = compliant_outcome_of(system, o);
    if (outcome->result != CRM_SOLVED) {
        small_system_print(system);
        fail_msg("%s: %s", crm_result_text(outcome->result), outcome->reason);
    }
    return outcome;
}
