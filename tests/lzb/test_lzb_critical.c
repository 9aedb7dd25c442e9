/* The published schemes with steps that end at critical points: a single contact is exact at any
 * step, the error of a chain falls smoothly with the step, and no contact gives more than it has.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "judge.h"

static const char *const schemes[] = {"impulse-euler", "time-euler"};
static const char *const models[] = {"bi", "mono"};
enum { SCHEMES = 2, MODELS = 2 };

/* step 0: the scheme's own. */
static crm_outcome *solve(const small_system *system, int scheme, int model, double step,
                          const char *critical_points)
{
    crm_error error = {0};
    crm_model *built = small_system_model(system);
    crm_settings *settings = lzb_settings((lzb_choices){.scheme = schemes[scheme],
                                                        .stiffness_model = models[model],
                                                        .step = step,
                                                        .max_steps = 1e9});
    crm_outcome *outcome = NULL;
    assert_ok(crm_settings_set_text(settings, "critical_points", critical_points, &error), &error);
    assert_ok(crm_solve(built, system->velocity, settings, NULL, &outcome, &error), &error);
    assert_int_equal(outcome->result, CRM_SOLVED);
    crm_settings_free(settings);
    crm_model_free(built);
    return outcome;
}

/* The work of a contact is counted by the mean speed, so that the energy of one contact is exact at
 * the ends of steps, however long they are: with an end at the critical points it leaves with e
 * times the speed it came with.
 */
static void one_contact_rebounds_with_its_restitution(void **state)
{
    (void)state;
    static const double restitution[] = {1, 0.9, 0.5, 0.1, 0}, steps[] = {0.3, 0.07, 0.002};
    double worst_passed = 0;
    for (int i = 0; i < 5 * 3 * SCHEMES * MODELS; i++) {
        double e = restitution[i % 5], step = steps[i / 5 % 3];
        int scheme = i / 15 % SCHEMES, model = i / 30;
        small_system pair = small_system_chain(2, false);
        pair.velocity[0] = 1.0;
        pair.restitution[0] = e;
        crm_outcome *outcome = solve(&pair, scheme, model, step, "located");
        assert_near(outcome->gap_velocity[0], e, 1e-12);
        assert_int_equal(outcome->compressions[0], 1);
        crm_outcome_free(outcome);
        if (step < 0.02 && e >= 0.5) {
            outcome = solve(&pair, scheme, model, step, "passed");
            worst_passed = fmax(worst_passed, fabs(outcome->gap_velocity[0] - e));
            crm_outcome_free(outcome);
        }
    }
    assert_true(worst_passed > 1e-4); /* what a constant step costs */
}

/* An error h a(h) with a smooth a(h): half the step, half the error. */
static void error_halves_with_the_step(void **state)
{
    (void)state;
    for (int i = 0; i < SCHEMES * MODELS; i++) {
        small_system chain = small_system_chain(4, false);
        chain.velocity[0] = 1.0;
        chain.restitution[0] = chain.restitution[1] = chain.restitution[2] = 0.9;
        judgement j = judge(&chain, i / SCHEMES == 1, 0.0);
        double before = 0;
        for (int k = 0; k < 7; k++) {
            crm_outcome *outcome =
                solve(&chain, i % SCHEMES, i / SCHEMES, 4e-3 / (1 << k), "located");
            double error = largest_difference(outcome->velocity, j.velocity, 4);
            assert_true(k < 2 || fabs(before / error - 2) < 0.1);
            before = error;
            crm_outcome_free(outcome);
        }
    }
}

static void no_contact_gives_more_than_it_has(void **state)
{
    (void)state;
    rng r = rng_seeded(43);
    random_choice choice = random_choice_default();
    choice.most_contacts = 4;
    choice.uniform_exponent = true;
    choice.plastic_sometimes = true;
    for (int i = 0; i < 24; i++) {
        small_system system = random_chain(&r, choice, i % 2 == 1);
        crm_outcome *outcome = solve(&system, i / 2 % SCHEMES, i / 4 % MODELS, 0, "located");
        assert_true(fabs(outcome->energy_error) < 1e-9); /* rounding, and the closing of tails */
        judgement j = judge(&system, i / 4 % MODELS == 1, 0.0);
        if (j.margin > 1e-2 && !j.tail) {
            assert_true(small_system_error(&system, outcome->velocity, j.velocity) < 2e-2);
        }
        crm_outcome_free(outcome);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact_rebounds_with_its_restitution),
        cmocka_unit_test(error_halves_with_the_step),
        cmocka_unit_test(no_contact_gives_more_than_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
