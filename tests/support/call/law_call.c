/* Calling a law: see law_call.h. */
#include "law_call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compare.h"

/* Options that laws require: a choice, or a number. */
static const struct {
    const char *law, *option, *choice;
    double number;
} required[] = {{"impulse-ratio", "from", "lzb", 0}, {"icr", "ratio", NULL, 0.2}};

crm_settings *law_settings(const crm_law *law)
{
    crm_settings *settings = NULL;
    crm_error error = {0};
    assert_ok(crm_settings_create(law, &settings, &error), &error);
    for (size_t k = 0; k < sizeof required / sizeof required[0]; k++) {
        if (strcmp(law->name, required[k].law) == 0) {
            crm_status status = required[k].choice != NULL
                                    ? crm_settings_set_text(settings, required[k].option,
                                                            required[k].choice, &error)
                                    : crm_settings_set_number(settings, required[k].option,
                                                              required[k].number, &error);
            assert_ok(status, &error);
        }
    }
    return settings;
}

const lzb_choices lzb_bi = {.stiffness_model = "bi"};
const lzb_choices lzb_mono = {.stiffness_model = "mono"};

crm_settings *lzb_settings(lzb_choices options)
{
    crm_error error = {0};
    const crm_law *law = crm_law_find("lzb");
    assert_non_null(law);
    crm_settings *settings = NULL;
    assert_ok(crm_settings_create(law, &settings, &error), &error);
    if (options.stiffness_model) {
        assert_ok(
            crm_settings_set_text(settings, "stiffness_model", options.stiffness_model, &error),
            &error);
    }
    if (options.scheme) {
        assert_ok(crm_settings_set_text(settings, "scheme", options.scheme, &error), &error);
    }
    if (options.tolerance > 0.0) {
        assert_ok(crm_settings_set_number(settings, "tolerance", options.tolerance, &error),
                  &error);
    }
    if (options.step > 0.0) {
        assert_ok(crm_settings_set_number(settings, "step", options.step, &error), &error);
    }
    if (options.max_steps > 0.0) {
        assert_ok(crm_settings_set_number(settings, "max_steps", options.max_steps, &error),
                  &error);
    }
    return settings;
}

crm_outcome *lzb_outcome(const crm_model *model, const double *velocity, lzb_choices options)
{
    crm_settings *settings = lzb_settings(options);
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(crm_solve(model, velocity, settings, NULL, &outcome, &error), &error);
    crm_settings_free(settings);
    return outcome;
}

crm_outcome *lzb_solve(const crm_model *model, const double *velocity, lzb_choices options)
{
    crm_outcome *outcome = lzb_outcome(model, velocity, options);
    if (outcome->result != CRM_SOLVED) {
        fail_msg("not solved: %s", outcome->reason);
    }
    return outcome;
}

crm_outcome *lzb_solve_small(const small_system *system, lzb_choices options)
{
    crm_model *model = small_system_model(system);
    crm_outcome *outcome = lzb_solve(model, system->velocity, options);
    crm_model_free(model);
    return outcome;
}
