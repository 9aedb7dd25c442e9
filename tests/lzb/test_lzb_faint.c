/* Contacts that store, give back or press with next to nothing, each with the truth from an
 * integrator of another kind, or because nothing else is possible.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "case_call.h"
#include "series.h"
#include "support.h"

static void a_body_between_plastic_contacts_comes_to_rest(void **state)
{
    (void)state;
    rng r = rng_seeded(495);
    for (int i = 0; i < 200; i++) {
        small_system system = small_system_blank(1, 2);
        bool first = i == 0; /* tests/cases/pinched-plastic.yaml */
        system.velocity[0] = -1;
        system.w[0] = 1;
        system.w[1] = first ? -0.3 : -rng_log(&r, 0.01, 100);
        for (size_t j = 0; j < 2; j++) {
            system.restitution[j] = 0;
            system.exponent[j] = first ? 1 : rng_uniform(&r, 1, 3);
            system.stiffness[j] = first ? 1 : rng_log(&r, 0.1, 10);
        }
        crm_outcome *outcome = lzb_solve_small(&system, i % 2 ? lzb_mono : lzb_bi);
        assert_near(outcome->velocity[0], 0, 1e-12);
        assert_true(outcome->compressions[0] == 1 && outcome->compressions[1] == 0);
        assert_true(outcome->steps < 1000);
        crm_outcome_free(outcome);
    }
}

/* Where e is 1e-6, a closing speed of rounding size decides how fast a contact gives up: which sign
 * it has cannot be known, and is not waited for. (Once a million steps, and no end.)
 */
static void contacts_that_give_nearly_nothing_back_come_to_an_end(void **state)
{
    (void)state;
    static const double mass[] = {0.3425686870592165, 1.9777054443972042, 0.16013990125023506,
                                  7.3996987348812464, 0.19852370099054428};
    static const double stiffness[] = {0.20411319323117266, 0.53901564963817505, 1.1746195228066003,
                                       0.30035828368627054, 1.3141168750840642};
    static const double exponent[] = {2.1990642921513448, 2, 1.5, 1.5, 1.5};
    static const double restitution[] = {1.9939188824378764e-06, 0.00067251492349958988,
                                         0.0001497614536222459, 6.412702460633028e-06,
                                         0.99999992528253034};
    small_system chain = small_system_chain(5, true);
    for (size_t i = 0; i < 5; i++) {
        chain.mass[i * 6] = mass[i];
    }
    memcpy(chain.stiffness, stiffness, sizeof stiffness);
    memcpy(chain.exponent, exponent, sizeof exponent);
    memcpy(chain.restitution, restitution, sizeof restitution);
    chain.velocity[0] = 1;
    series_judgement truth = series_judge(&chain, (series_options){0});
    assert_true(truth.finished);
    crm_outcome *outcome = lzb_solve_small(&chain, (lzb_choices){.tolerance = 1e-10});
    assert_all_near(outcome->velocity, truth.velocity, 5, 1e-10);
    assert_true(outcome->steps < 200000 && outcome->error_estimate < 1e-10);
    crm_outcome_free(outcome);
}

/* Three balls; the second contact stores next to nothing and parts slowly, until the first one
 * turns it round.
 */
static small_system faint_contact(double exponent, double energy, double parting)
{
    small_system system = small_system_chain(3, false);
    system.velocity[0] = 1;
    system.velocity[2] = parting;
    system.exponent[1] = exponent;
    system.stored_energy[1] = energy;
    system.restitution[0] = system.restitution[1] = 0.8;
    return system;
}

static void what_stores_next_to_nothing_keeps_its_indentation(void **state)
{
    (void)state;
    /* tests/cases/faint-high-exponent.yaml: DOP853 in extended precision */
    static const double known[] = {0.089822457113357, 0.098450999755203, 0.811826543131440};
    small_system system = faint_contact(3, 1e-20, 1e-4);
    crm_outcome *outcome = lzb_solve_small(&system, (lzb_choices){.tolerance = 1e-10});
    assert_all_near(outcome->velocity, known, 3, 1e-12);
    crm_outcome_free(outcome);
    double worst = 0;
    rng r = rng_seeded(46);
    for (size_t i = 0; i < 200; i++) {
        system =
            faint_contact(rng_uniform(&r, 2, 4), rng_log(&r, 1e-20, 1e-8), rng_log(&r, 1e-6, 1e-2));
        double tolerance = rng_log(&r, 1e-10, 1e-4);
        series_judgement truth = series_judge(&system, (series_options){0});
        outcome = lzb_solve_small(&system, (lzb_choices){.tolerance = tolerance});
        double error = largest_difference(outcome->velocity, truth.velocity, 3);
        worst = fmax(worst, error / fmin(tolerance, 10 * outcome->error_estimate));
        crm_outcome_free(outcome);
    }
    print_message("error at most %.2g of the tolerance or ten estimates\n", worst);
    assert_true(worst < 1);
}

/* tests/cases/e-tiny-6balls.yaml: the second contact is held while it expands, and what that
 * comes to has a limit as its e goes to 0. (With e = 0 it gives up all at once, which is another
 * law.)
 */
static small_system nearly_plastic_six(double e)
{
    static const double mass[] = {2.2029638332164967,  2.7571690947996039,  0.35477355198968619,
                                  0.56844286144848744, 0.41186484197438894, 0.40638356718990215};
    static const double velocity[] = {
        1.5697503220017979, 0, -0.5665296209404771, 0, 0.95749638032424689, -1.0446433394395396};
    const double restitution[] = {0.91060495561024546, e, 0.0075004486382048378,
                                  0.95439929351988884, 1};
    small_system chain = small_system_chain(6, false);
    memcpy(chain.velocity, velocity, sizeof velocity);
    memcpy(chain.restitution, restitution, sizeof restitution);
    for (size_t i = 0; i < 6; i++) {
        chain.mass[i * 7] = mass[i];
    }
    return chain;
}

/* A light ball between two others, held by a contact that gives next to nothing back. */
static small_system nearly_plastic_three(double e)
{
    static const double mass[] = {3.566067907249177, 0.13800204016256684, 9.2245303807657901};
    static const double velocity[] = {0.14812006813961273, 0.74623311517927859,
                                      -1.7707562478568739};
    small_system chain = small_system_chain(3, false);
    memcpy(chain.velocity, velocity, sizeof velocity);
    chain.exponent[0] = 2;
    chain.exponent[1] = 1.0544158868128459;
    chain.restitution[0] = 0.7537567980956873;
    chain.restitution[1] = e;
    for (size_t i = 0; i < 3; i++) {
        chain.mass[i * 4] = mass[i];
    }
    return chain;
}

static double error_of_nearly_plastic(const small_system *system, double tolerance)
{
    series_judgement truth = series_judge(system, (series_options){0});
    crm_outcome *outcome = lzb_solve_small(system, (lzb_choices){.tolerance = tolerance});
    assert_true(truth.finished && outcome->result == CRM_SOLVED && outcome->steps < 20000);
    double error = small_system_error(system, outcome->velocity, truth.velocity);
    crm_outcome_free(outcome);
    return error;
}

static void contacts_that_give_next_to_nothing_back_have_a_limit(void **state)
{
    (void)state;
    /* tests/cases/e-tiny-6balls.yaml: 113 bits */
    static const double known[] = {-0.2538477628112, 0.8281116512653, 0.8281116512653,
                                   0.8281116512653,  0.8281116512653, 0.9777066472702};
    small_system system = nearly_plastic_six(3.9467946534100948e-11);
    for (double tolerance = 1e-6; tolerance > 0.5e-10; tolerance /= 100) {
        crm_outcome *outcome = lzb_solve_small(&system, (lzb_choices){.tolerance = tolerance});
        double error = small_system_error(&system, outcome->velocity, known);
        print_message("tolerance %.0e: off by %.1e, estimate %.1e\n", tolerance, error,
                      outcome->error_estimate);
        assert_true(error <= tolerance && error <= outcome->error_estimate);
        crm_outcome_free(outcome);
    }
    for (double e = 1e-12; e < 1e-6; e *= 7) {
        system = nearly_plastic_six(e);
        assert_true(error_of_nearly_plastic(&system, 1e-8) < 1e-8);
        system = nearly_plastic_three(e);
        assert_true(error_of_nearly_plastic(&system, 1e-8) < 1e-9);
        assert_true(error_of_nearly_plastic(&system, 1e-10) < 1e-10);
    }
}

/* Exponents up to 3 leave hardly any force late in the impact: where a closing speed is 0 but for
 * rounding, c^2/2a is not the way on to the turn. (Once it was 1e6, and contacts gained energy
 * without bound.) All loses nearly everything and stays together: v+ follows from the momentum.
 */
static void a_turn_without_force_makes_no_energy(void **state)
{
    (void)state;
    static const double mass[] = {1.2625981894871072, 3.302541194225288,  2.6005097630615981,
                                  0.5972409271126231, 0.2077562433690355, 0.6451294612113276,
                                  2.1049679833814925};
    crm_scenario *scenario = case_load("lzb-turn-without-force");
    const double *before = crm_scenario_velocity(scenario);
    double momentum = 0, all = 0;
    for (size_t i = 0; i < 7; i++) {
        momentum += mass[i] * before[i];
        all += mass[i];
    }
    crm_outcome *outcome =
        case_outcome(scenario, (lzb_choices){.stiffness_model = "mono", .tolerance = 1e-4});
    assert_int_equal(outcome->result, CRM_SOLVED);
    for (size_t i = 0; i < 7; i++) {
        assert_near(outcome->velocity[i], momentum / all, 1e-12);
    }
    assert_true(outcome->error_estimate < 1e-5);
    crm_outcome_free(outcome);
    crm_scenario_free(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_between_plastic_contacts_comes_to_rest),
        cmocka_unit_test(contacts_that_give_nearly_nothing_back_come_to_an_end),
        cmocka_unit_test(what_stores_next_to_nothing_keeps_its_indentation),
        cmocka_unit_test(contacts_that_give_next_to_nothing_back_have_a_limit),
        cmocka_unit_test(a_turn_without_force_makes_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
