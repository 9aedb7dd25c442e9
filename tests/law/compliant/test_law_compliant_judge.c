/* The compliant law beside a judge that shares no code with it, and cases it once answered wrongly.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "compliant_call.h"
#include "compliant_judge.h"
#include "compliant_trial.h"
#include "model/model.h"

/* The judge's own steps: errors of 1e-13 or so, as two of them differ. */
static const double JUDGE_TOLERANCE = 1e-15, JUDGE_PART = 0.1;
/* The default tolerance is 1e-10, relative to the closing speed. */
static const double ASKED = 1e-10;

static void set_diagonal(small_system *system, const double *mass)
{
    for (size_t i = 0; i < system->n; i++) {
        system->mass[i * (system->n + 1)] = mass[i];
    }
}

/* The masses as a list, as they come from a file: other roundings than of a full matrix. */
static crm_outcome *solve_list(const small_system *system, double damping)
{
    double mass[SMALL];
    for (size_t i = 0; i < system->n; i++) {
        mass[i] = system->mass[i * (system->n + 1)];
    }
    crm_system_def def = small_system_def(system);
    def.mass_dense = NULL;
    def.mass_diagonal = mass;
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_system(&def, &model, &error), &error);
    crm_outcome *outcome =
        compliant_outcome(model, system->velocity, (compliant_options){.damping = damping});
    assert_int_equal(outcome->result, CRM_SOLVED);
    crm_model_free(model);
    return outcome;
}

static void check_by_judge(const small_system *system, double damping)
{
    compliant_judgement truth =
        compliant_judge(system, damping, JUDGE_TOLERANCE, JUDGE_PART, 100000);
    assert_true(truth.finished);
    crm_outcome *outcome = solve_list(system, damping);
    assert_all_near(outcome->velocity, truth.velocity, system->n, ASKED * truth.speed);
    assert_true(outcome->error_estimate < ASKED);
    assert_true(outcome->kinematic && outcome->kinetic && outcome->energetic);
    crm_outcome_free(outcome);
}

/* ---- Cases ---------------------------------------------------------------------------------- */

/* Contact 2 is released, and pressed again at t = 2.2036 while it is still indented. */
static void a_released_contact_presses_again(void **state)
{
    (void)state;
    small_system chain = small_system_chain(3, false);
    static const double mass[] = {0.6, 0.5, 2.0}, velocity[] = {0.5, 1.8, -0.1};
    static const double truth[] = {0.1571275, 0.2944926, 0.3792386};
    set_diagonal(&chain, mass);
    memcpy(chain.velocity, velocity, sizeof velocity);
    crm_outcome *outcome = solve_list(&chain, 1.1);
    assert_all_near(outcome->velocity, truth, 3, 0.5001e-7);
    crm_outcome_free(outcome);
    check_by_judge(&chain, 1.1);
}

/* A contact that once sank to 15 times its depth without force, and then threw the ball back. */
static void no_energy_comes_from_nowhere(void **state)
{
    (void)state;
    small_system chain = small_system_chain(6, true);
    static const double mass[] = {0.3674820340536194,  2.5053550160785263, 0.361714850771224,
                                  0.49649742638219846, 0.954815803907917,  0.7063964287124929};
    static const double velocity[] = {0.7371023393243865,  1.2303784097474995,
                                      1.1324533930475047,  0.495004376373486,
                                      0.41571133883343514, -0.17294231962051337};
    static const double energy[] = {0.1174234039165562, 0.045638581653376815, 0.25063944642301383,
                                    0.1559531807669534, 0.2834688294950669,   0.27914144781961747};
    set_diagonal(&chain, mass);
    memcpy(chain.velocity, velocity, sizeof velocity);
    memcpy(chain.stored_energy, energy, sizeof energy);
    check_by_judge(&chain, 0.962488287552249);
}

/* Two gaps that close within rounding of each other, far from t = 0. */
static void gaps_that_close_together_do_not_hold_it_up(void **state)
{
    (void)state;
    small_system chain = small_system_chain(7, false);
    static const double mass[] = {5.601465229255148,   3.078741354512916, 2.9163206720551607,
                                  0.35740560277507105, 2.089641938445852, 0.37376488550703124,
                                  8.55734934764628};
    static const double velocity[] = {
        3.161675966560305,   0.9768893741422264,  0.4879376509031459, -0.04377245673173372,
        -0.9688769925138002, -1.5080896146871723, -2.1664563417029754};
    static const double stiffness[] = {1.6590142190567916,  38.95951014536488, 13.475742950391448,
                                       0.14922588080195537, 81.60346351678105, 61.21803466677926};
    set_diagonal(&chain, mass);
    memcpy(chain.velocity, velocity, sizeof velocity);
    memcpy(chain.stiffness, stiffness, sizeof stiffness);
    for (size_t j = 0; j < chain.s; j++) {
        chain.exponent[j] = 1;
    }
    check_by_judge(&chain, 0);
    size_t contacts[] = {3, 5, 0, 2, 4, 1}, coordinates[] = {0, 1, 2, 3, 4, 5, 6};
    small_system shuffled = small_system_renumbered(&chain, contacts, coordinates);
    check_by_judge(&shuffled, 0);
}

/* ---- Contacts that are apart at first -------------------------------------------------------- */

static small_system three_apart(double gap)
{
    small_system chain = small_system_chain(3, false);
    set_diagonal(&chain, (const double[]){1, 2, 3});
    chain.velocity[0] = 1;
    chain.gap[1] = gap;
    return chain;
}

/* So far apart that the first contact is over long before: two collisions of two balls. */
static void far_apart_is_one_after_another(void **state)
{
    (void)state;
    static const double truth[] = {-1.0 / 3, -2.0 / 15, 8.0 / 15};
    small_system chain = three_apart(1e3);
    crm_outcome *outcome = compliant_solve(&chain, (compliant_options){.tolerance = 1e-10});
    assert_all_near(outcome->velocity, truth, 3, 1e-10);
    assert_true(outcome->duration > 1.5e3); /* 1e3 at 2/3 */
    crm_outcome_free(outcome);
}

static void a_gap_that_vanishes_is_none(void **state)
{
    (void)state;
    small_system together = three_apart(0), apart = three_apart(1e-9);
    crm_outcome *truth = compliant_solve(&together, (compliant_options){.tolerance = 1e-10});
    crm_outcome *outcome = compliant_solve(&apart, (compliant_options){.tolerance = 1e-10});
    assert_all_near(outcome->velocity, truth->velocity, 3, 1e-8);
    crm_outcome_free(outcome);
    crm_outcome_free(truth);
    apart = three_apart(0.3);
    check_by_judge(&apart, 0);
    check_by_judge(&apart, 0.2);
}

/* Nothing touches at first, and nothing else is there. */
static void all_may_be_apart(void **state)
{
    (void)state;
    static const double passed_on[] = {0, 1};
    small_system pair = small_system_chain(2, false);
    pair.velocity[0] = 1;
    pair.gap[0] = 0.25;
    crm_outcome *outcome = compliant_solve(&pair, (compliant_options){.tolerance = 1e-10});
    assert_all_near(outcome->velocity, passed_on, 2, 1e-10);
    crm_outcome_free(outcome);
}

static void other_laws_do_not_take_them(void **state)
{
    (void)state;
    small_system chain = three_apart(0.25);
    crm_model *model = small_system_model(&chain);
    assert_non_null(crm_model_gap(model));
    for (size_t i = 0; i < crm_law_count(); i++) {
        const crm_law *law = crm_law_at(i);
        crm_settings *settings = NULL;
        crm_outcome *outcome = NULL;
        crm_error error = {0};
        assert_ok(crm_settings_create(law, &settings, &error), &error);
        crm_status status = crm_solve(model, chain.velocity, settings, NULL, &outcome, &error);
        assert_int_equal(status == CRM_OK, law->gaps);
        assert_true(law->gaps || strstr(error.message, "contact 2 is 0.25 apart") != NULL);
        double change[3] = {0}, direction[3] = {1};
        crm_response response = {.velocity = change};
        assert_int_not_equal(crm_solve_forward(NULL, model, chain.velocity, settings, 1,
                                               &(crm_variation){.velocity = direction}, &response,
                                               NULL, &error),
                             CRM_OK);
        crm_outcome_free(outcome);
        crm_settings_free(settings);
    }
    crm_model_free(model);
    chain.stored_energy[1] = 1;
    crm_system_def def = small_system_def(&chain);
    crm_error error = {0};
    assert_int_equal(crm_model_from_system(&def, &model, &error), CRM_ERROR_MODEL);
    assert_string_equal(error.place, "contacts[2].gap");
}

/* ---- Any system ------------------------------------------------------------------------------ */

/* What the judge finds within a few thousand steps. (All: bench/campaign_compliant.c.) */
static void random_systems_are_as_judged(void **state)
{
    (void)state;
    size_t judged = 0;
    for (size_t i = 0; i < 60; i++) {
        compliant_trial t = compliant_trial_of(11, i);
        compliant_judgement truth =
            compliant_judge(&t.system, t.damping, JUDGE_TOLERANCE, JUDGE_PART, 1500);
        if (!truth.finished || !(truth.speed > 0)) {
            continue;
        }
        judged++;
        crm_outcome *outcome = compliant_solve(
            &t.system, (compliant_options){.damping = t.damping, .tolerance = t.tolerance});
        double error =
            largest_difference(outcome->velocity, truth.velocity, t.system.n) / truth.speed;
        assert_near(error, 0, t.tolerance);
        assert_near(error, 0, 10 * outcome->error_estimate + 1e-12); /* the judge's own */
        assert_true(outcome->kinematic && outcome->kinetic && outcome->energetic);
        crm_outcome_free(outcome);
    }
    assert_true(judged > 40);
}

/* ---- Guesses -------------------------------------------------------------------------------- */

/* Light balls between heavy ones are hit so often that what is wrong at first may be all there is.
 */
static void an_answer_that_may_be_anything_is_none(void **state)
{
    (void)state;
    small_system chain = small_system_chain(11, true);
    chain.velocity[0] = 1;
    for (size_t i = 0; i < chain.n; i++) {
        chain.mass[i * (chain.n + 1)] = i % 2 ? 1e-4 : 1.0;
        chain.exponent[i] = 1;
    }
    crm_outcome *outcome = compliant_outcome_of(&chain, (compliant_options){.tolerance = 1e-2});
    assert_true(outcome->result != CRM_SOLVED || outcome->error_estimate <= 0.1);
    assert_true(outcome->energetic);
    crm_outcome_free(outcome);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_released_contact_presses_again),
        cmocka_unit_test(no_energy_comes_from_nowhere),
        cmocka_unit_test(gaps_that_close_together_do_not_hold_it_up),
        cmocka_unit_test(far_apart_is_one_after_another),
        cmocka_unit_test(a_gap_that_vanishes_is_none),
        cmocka_unit_test(all_may_be_apart),
        cmocka_unit_test(other_laws_do_not_take_them),
        cmocka_unit_test(random_systems_are_as_judged),
        cmocka_unit_test(an_answer_that_may_be_anything_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
