/* Laws that know one power and one number, and contacts that have more: restitution by the speed of
 * a collision, and refusals by name.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

static const crm_restitution_def BY_SPEED = {.form = CRM_RESTITUTION_YIELD, .speed = 0.2};
static const double STEEP = 7, LINE = 1;
static const crm_curve_def LINEAR = {
    .form = CRM_CURVE_SUM, .count = 1, .stiffness = &STEEP, .exponent = &LINE};

static double restitution(double speed)
{
    return speed > 0.2 ? pow(speed / 0.2, -0.25) : 1;
}

static const double SPEED = 3;

/* A chain of equal balls, the first at that speed, all contacts with this compliance. */
static crm_status solve(const char *name, size_t balls, const crm_compliance_def *compliance,
                        crm_outcome **outcome, crm_error *error)
{
    double velocity[SMALL] = {SPEED};
    crm_chain_def def = crm_chain_def_default();
    def.count = balls;
    def.compliance = *compliance;
    crm_model *model = NULL;
    crm_settings *settings = NULL;
    assert_ok(crm_model_from_chain(&def, &model, error), error);
    assert_true(crm_model_has_compliance(model));
    assert_ok(crm_settings_create(crm_law_find(name), &settings, error), error);
    if (strcmp(name, "icr") == 0) {
        assert_ok(crm_settings_set_number(settings, "ratio", 0.3, error), error);
    }
    *outcome = NULL;
    crm_status status = crm_solve(model, velocity, settings, NULL, outcome, error);
    crm_settings_free(settings);
    crm_model_free(model);
    return status;
}

static void one_contact_leaves_with_the_restitution_of_its_speed(void **state)
{
    (void)state;
    static const char *const laws[] = {"lzb",     "moreau", "newton",
                                       "poisson", "binary", "sequential"};
    const crm_compliance_def compliance = {.restitution = &BY_SPEED};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        crm_outcome *outcome;
        crm_error error = {0};
        assert_ok(solve(laws[k], 2, &compliance, &outcome, &error), &error);
        assert_int_equal(outcome->result, CRM_SOLVED);
        assert_near(outcome->gap_velocity[0], SPEED * restitution(SPEED), 1e-8);
        crm_outcome_free(outcome);
    }
}

/* Ball after ball, each collision with the e of its own speed. */
static void binary_collisions_have_each_their_own_restitution(void **state)
{
    (void)state;
    const crm_compliance_def compliance = {.restitution = &BY_SPEED};
    double v[4] = {SPEED, 0, 0, 0};
    for (bool any = true; any;) {
        any = false;
        for (int i = 0; i < 3 && !any; i++) {
            double c = v[i] - v[i + 1], p = 0.5 * (1 + restitution(c)) * c;
            if (c > 1e-14) {
                v[i] -= p;
                v[i + 1] += p;
                any = true;
            }
        }
    }
    crm_outcome *outcome;
    crm_error error = {0};
    assert_ok(solve("binary", 4, &compliance, &outcome, &error), &error);
    for (int i = 0; i < 4; i++) {
        assert_near(outcome->velocity[i], v[i], 1e-12);
    }
    crm_outcome_free(outcome);
}

static void refused(const char *law, const crm_compliance_def *compliance, const char *place)
{
    crm_outcome *outcome;
    crm_error error = {0};
    assert_int_equal(solve(law, 2, compliance, &outcome, &error), CRM_ERROR_MODEL);
    assert_null(outcome);
    assert_string_equal(error.place, place);
    assert_non_null(strstr(error.message, law));
}

static void what_a_law_cannot_use_is_refused_by_name(void **state)
{
    (void)state;
    static const char *const laws[] = {"moreau",     "newton", "poisson",  "binary",
                                       "sequential", "icr",    "compliant"};
    const crm_compliance_def unloading = {.unloading = &LINEAR}, loading = {.loading = &LINEAR},
                             speed = {.restitution = &BY_SPEED};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        refused(laws[k], &unloading, "contacts[1].unloading");
    }
    refused("compliant", &loading, "contacts[1].loading");
    refused("icr", &speed, "contacts[1].restitution");
    refused("compliant", &speed, "contacts[1].restitution");
}

/* Stiffness is nothing to these: a loading curve is not, either. */
static void laws_without_stiffness_do_not_ask_for_the_curve(void **state)
{
    (void)state;
    static const char *const laws[] = {"moreau", "newton", "poisson", "binary", "sequential"};
    const crm_compliance_def loading = {.loading = &LINEAR};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        crm_outcome *outcome;
        crm_error error = {0};
        assert_ok(solve(laws[k], 2, &loading, &outcome, &error), &error);
        assert_near(outcome->gap_velocity[0], SPEED, 1e-12);
        crm_outcome_free(outcome);
    }
}

static void published_schemes_of_lzb_refuse_it(void **state)
{
    (void)state;
    crm_chain_def def = crm_chain_def_default();
    def.count = 2;
    def.compliance = (crm_compliance_def){.loading = &LINEAR};
    crm_model *model = NULL;
    crm_settings *settings = NULL;
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    const double velocity[] = {1, 0};
    assert_ok(crm_model_from_chain(&def, &model, &error), &error);
    assert_ok(crm_settings_create(crm_law_find("lzb"), &settings, &error), &error);
    assert_ok(crm_settings_set_text(settings, "scheme", "time-euler", &error), &error);
    assert_int_equal(crm_solve(model, velocity, settings, NULL, &outcome, &error),
                     CRM_ERROR_OPTION);
    assert_string_equal(error.place, "scheme");
    crm_settings_free(settings);
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact_leaves_with_the_restitution_of_its_speed),
        cmocka_unit_test(binary_collisions_have_each_their_own_restitution),
        cmocka_unit_test(what_a_law_cannot_use_is_refused_by_name),
        cmocka_unit_test(laws_without_stiffness_do_not_ask_for_the_curve),
        cmocka_unit_test(published_schemes_of_lzb_refuse_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
