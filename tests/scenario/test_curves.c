/* Curves and rules for contacts in scenarios: what they mean, and what is said of mistakes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"
#include "scenario/scenario.h"
#include "support.h"

static crm_status load(const char *text, crm_scenario **scenario, crm_error *error)
{
    const crm_source source = {.text = text, .length = strlen(text)};
    return crm_scenario_load(&source, scenario, error);
}

static crm_scenario *read_text(const char *text)
{
    crm_scenario *scenario = NULL;
    crm_error error = {0};
    assert_ok(load(text, &scenario, &error), &error);
    return scenario;
}

static const crm_compliance *contact(const crm_scenario *scenario, size_t j)
{
    return crm_model_compliance(crm_scenario_model(scenario), j);
}

static void every_form_of_a_curve_is_read(void **state)
{
    (void)state;
    crm_scenario *s =
        read_text("chain:\n"
                  "  count: 2\n"
                  "  velocity: [1]\n"
                  "  loading: {table: [[0, 0], [1 mm, 2 N], [3 mm, 3]]}\n"
                  "  unloading: {sum: [{stiffness: 1e6, exponent: 1}, {stiffness: 2e6}]}\n"
                  "  wall: {side: right, loading: {bounded: {stiffness: 4, yield: 0.25}}, "
                  "restitution: 0.5}\n");
    const crm_compliance *first = contact(s, 0), *wall = contact(s, 1);
    assert_near(crm_curve_force(first->loading, 0.001), 2, 1e-14);
    assert_near(crm_curve_force(first->unloading, 0.25), 2.5e5 + 2.5e5, 1e-8);
    assert_near(crm_curve_force(wall->loading, 0.25), 0.5, 1e-15);
    assert_near(crm_curve_force(wall->loading, 1.25), 0.5 + 3, 1e-14);
    assert_null(wall->unloading); /* a number replaces it */
    assert_near(crm_model_restitution(crm_scenario_model(s))[1], 0.5, 0);
    assert_true(isnan(crm_model_restitution(crm_scenario_model(s))[0]));
    crm_scenario_free(s);
}

static void every_form_of_restitution_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double work, e; /* D = 2: s = 2 sqrt(W) */
    } cases[] = {{"{speed: [[1, 0.9], [3, 0.5]]}", 0.25, 0.9},
                 {"{work: [[0, 1], [2, 0.5]]}", 1, 0.75},
                 {"{expression: \"1 - 0.1*s^0.5\"}", 4, 0.8},
                 {"{expression: \"1/(1 + W)\"}", 3, 0.25},
                 {"{expression: \"0.5\"}", 3, 0.5},
                 {"{yield_speed: 0.25}", 4, 0.5},
                 {"{viscoelastic: 0.25}", 256, 0.5}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[160];
        snprintf(text, sizeof text, "chain: {count: 2, velocity: [1], restitution: %s}",
                 cases[k].text);
        crm_scenario *s = read_text(text);
        assert_near(crm_restitution_after(contact(s, 0)->restitution, cases[k].work, 2), cases[k].e,
                    1e-14);
        crm_scenario_free(s);
    }
}

/* A rule for a list of numbers is none for the impact. */
static void a_formula_of_restitutions_is_a_list(void **state)
{
    (void)state;
    crm_scenario *s =
        read_text("chain: {count: 3, velocity: [1], restitution: {formula: \"0.3*i\"}}");
    assert_false(crm_model_has_compliance(crm_scenario_model(s)));
    assert_near(crm_model_restitution(crm_scenario_model(s))[1], 0.6, 1e-15);
    crm_scenario_free(s);
}

static void a_force_and_a_system(void **state)
{
    (void)state;
    crm_scenario *s = read_text("system:\n"
                                "  mass: [1, 1]\n"
                                "  contacts:\n"
                                "    - {w: [-1, 1], force: 8, stiffness: 2, exponent: 1}\n"
                                "    - {w: [1, 0], restitution: {yield_speed: 1}}\n");
    const crm_model *model = crm_scenario_model(s);
    assert_near(crm_model_stored_energy(model)[0], 16, 1e-14);
    assert_null(contact(s, 0));
    assert_non_null(contact(s, 1)->restitution);
    crm_scenario_free(s);
}

static void square(void *context, double x, double *force, double *slope, double *energy)
{
    double k = *(const double *)context;
    *force = k * x * x;
    *slope = 2 * k * x;
    *energy = k * x * x * x / 3;
}

static double falling(void *context, double at)
{
    return *(const double *)context / (1 + at);
}

static void functions_of_the_callers_are_named(void **state)
{
    (void)state;
    double k = 3, e = 0.5;
    const crm_named_function functions[] = {
        {.name = "square", .curve = square, .context = &k},
        {.name = "fall", .restitution = falling, .context = &e}};
    const char *text = "chain:\n"
                       "  count: 2\n"
                       "  velocity: [1]\n"
                       "  loading: {function: square, exponent: 2}\n"
                       "  restitution: {function: fall, of: work}\n"
                       "  wall: {side: right, restitution: {function: fall}}\n";
    const crm_source source = {
        .text = text, .length = strlen(text), .own_functions = functions, .own_function_count = 2};
    crm_scenario *s = NULL;
    crm_error error = {0};
    assert_ok(crm_scenario_load(&source, &s, &error), &error);
    const crm_compliance *first = contact(s, 0), *wall = contact(s, 1);
    assert_near(crm_curve_force(first->loading, 2), 12, 0);
    assert_near(first->loading->exponent, 2, 0);
    assert_near(crm_restitution_after(first->restitution, 4, 2), 0.1, 1e-16); /* by W */
    assert_near(crm_restitution_after(wall->restitution, 4, 2), 0.1, 1e-16);  /* by s = 4 */

    /* The same compliance in another model, which borrows it. */
    const double mass[] = {1, 1}, w[] = {-1, 1, 1, 0};
    const crm_compliance_def made = {.made =
                                         crm_model_contact_compliance(crm_scenario_model(s), 0)};
    crm_system_def def = crm_system_def_default();
    def.coordinates = 2;
    def.contacts = 1;
    def.mass_diagonal = mass;
    def.w_dense = w;
    def.compliance = &made;
    crm_model *model = NULL;
    assert_ok(crm_model_from_system(&def, &model, &error), &error);
    assert_ptr_equal(crm_model_contact_compliance(model, 0), made.made);
    const crm_system_def others = {.w_dense = w, .contacts = 2};
    assert_ok(crm_model_update(model, &others, &error), &error);
    assert_false(crm_model_has_compliance(model));
    crm_model_free(model);
    crm_scenario_free(s);
}

static void mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *fields, *message;
    } cases[] = {
        {"loading: {table: [[0, 0], [1, 2]], stiffness: 1}", "must have exactly one of table"},
        {"loading: {}", "must have exactly one of table"},
        {"loading: {tabel: []}", "did you mean 'table'"},
        {"loading: {table: [[0, 0], [1, 2, 3]]}", "a list of two numbers"},
        {"loading: {table: [[0, 0], [1, -2]]}", "the force of point 2 is -2"},
        {"loading: {bounded: {stiffness: 1}}", "yield"},
        {"loading: {stiffness: 1}, exponent: 1", "given beside stiffness or exponent"},
        {"unloading: {stiffness: 1}, restitution: 1", "with an unloading curve is an outcome"},
        {"restitution: {speed: [[1, 2]]}", "the restitution of point 1 is 2"},
        {"restitution: {speed: [[1, 1]], yield_speed: 1}", "exactly one of speed, work"},
        {"restitution: {expression: \"1 - q\"}", "'q' is not a unit"},
        {"restitution: {expression: \"s + W\"}", "an expression of s or of W"},
        {"restitution: {expression: \"1 m\"}", "it has a unit"},
        {"force: 1, energy: 2", "give one of them"},
        {"loading: {function: f}", "handed over with the scenario, by a program in C or Python"},
        {"restitution: {viscoelastic: 0.1, of: work}", "to which alone 'of' belongs"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[200];
        snprintf(text, sizeof text, "chain: {count: 2, velocity: [1], %s}", cases[k].fields);
        crm_scenario *s = NULL;
        crm_error error = {0};
        assert_int_not_equal(load(text, &s, &error), CRM_OK);
        if (strstr(error.message, cases[k].message) == NULL) {
            fail_msg("%s: %s", cases[k].fields, error.message);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_a_curve_is_read),
        cmocka_unit_test(every_form_of_restitution_is_read),
        cmocka_unit_test(a_formula_of_restitutions_is_a_list),
        cmocka_unit_test(a_force_and_a_system),
        cmocka_unit_test(functions_of_the_callers_are_named),
        cmocka_unit_test(mistakes_are_told_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
