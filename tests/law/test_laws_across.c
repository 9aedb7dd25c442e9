/* What the laws have in common, and where they are known to meet or to part (theory sections 3-7,
 * P1 section 5 in miniature).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "support.h"

/* A uniform chain of n balls, the first struck; exponent and restitution the same everywhere. */
static crm_model *uniform_chain(size_t n, double exponent, double restitution)
{
    crm_chain_def def = crm_chain_def_default();
    def.count = n;
    def.exponent.all = exponent;
    def.restitution.all = restitution;
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_chain(&def, &model, &error), &error);
    return model;
}

static crm_outcome *solve_struck(const crm_model *model, const char *law)
{
    double *velocity = calloc(crm_model_coordinates(model), sizeof *velocity);
    velocity[0] = 1;
    crm_settings *settings = law_settings(crm_law_find(law));
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(crm_solve(model, velocity, settings, NULL, &outcome, &error), &error);
    crm_settings_free(settings);
    free(velocity);
    return outcome;
}

/* Phi of one law beside LZB on a uniform chain. */
static double gap_to_lzb(size_t n, double exponent, double restitution, const char *law)
{
    crm_model *model = uniform_chain(n, exponent, restitution);
    crm_outcome *lzb = solve_struck(model, "lzb"), *other = solve_struck(model, law);
    assert_int_equal(lzb->result, CRM_SOLVED);
    double gap = crm_measure_difference_percent(model, other->velocity, lzb->velocity);
    crm_outcome_free(lzb);
    crm_outcome_free(other);
    crm_model_free(model);
    return gap;
}

/* Laws that do not take their loss from the contacts' restitution. */
static const char *const without_loss[] = {"sequential", "impulse-ratio", "icr"};

/* Two balls leave no choice: every law that has an answer gives the same one. */
static void one_contact_leaves_no_choice(void **state)
{
    (void)state;
    crm_model *elastic = uniform_chain(2, 1.5, 1.0);
    for (size_t k = 0; k < crm_law_count(); k++) {
        crm_outcome *outcome = solve_struck(elastic, crm_law_at(k)->name);
        assert_int_equal(outcome->result, CRM_SOLVED);
        assert_near(outcome->velocity[0], 0.0, 1e-8);
        assert_near(outcome->velocity[1], 1.0, 1e-8);
        crm_outcome_free(outcome);
    }
    crm_model_free(elastic);
    crm_model *lossy = uniform_chain(2, 1.5, 0.6);
    for (size_t k = 0; k < crm_law_count(); k++) {
        const char *name = crm_law_at(k)->name;
        bool knows_e = true;
        for (size_t i = 0; i < sizeof without_loss / sizeof without_loss[0]; i++) {
            knows_e &= strcmp(name, without_loss[i]) != 0;
        }
        if (knows_e) {
            crm_outcome *outcome = solve_struck(lossy, name);
            assert_near(outcome->velocity[1] - outcome->velocity[0], 0.6, 1e-8);
            crm_outcome_free(outcome);
        }
    }
    crm_model_free(lossy);
}

/* P1 section 5.1.1: a force that does not depend on the indentation acts like a rigid bond. */
static void lzb_tends_to_moreau_as_the_exponent_vanishes(void **state)
{
    (void)state;
    double far = gap_to_lzb(4, 0.4, 1.0, "moreau");
    double near = gap_to_lzb(4, 0.2, 1.0, "moreau");
    double nearest = gap_to_lzb(4, 0.1, 1.0, "moreau");
    assert_true(near < far && nearest < near);
    assert_true(nearest < 1.0);
}

/* ... and one that grows steeply passes the whole impulse on before the next ball has moved. */
static void lzb_tends_to_binary_as_the_exponent_grows(void **state)
{
    (void)state;
    double far = gap_to_lzb(10, 1.5, 1.0, "binary");
    double near = gap_to_lzb(10, 3.0, 1.0, "binary");
    double nearest = gap_to_lzb(10, 8.0, 1.0, "binary");
    assert_true(near < far && nearest < near);
    assert_true(nearest < 1.0);
}

/* P1 section 5.1.1, 100 elastic Hertz beads: reproduce/P1-figure-17.yaml. */
static void a_hundred_beads_part_the_laws(void **state)
{
    (void)state;
    assert_near(gap_to_lzb(100, 1.5, 1.0, "binary"), 16.9, 0.05);
    assert_true(gap_to_lzb(100, 1.5, 1.0, "moreau") > 100.0);
}

/* P1 section 5.1.3: without restitution all beads end at the speed of the centre of mass. */
static void plastic_chains_bring_moreau_and_lzb_together(void **state)
{
    (void)state;
    for (size_t n = 2; n <= 12; n += 5) {
        assert_true(gap_to_lzb(n, 1.5, 0.0, "moreau") < 1e-5);
    }
}

/* Momentum and the energy account hold for every law on a lossy chain, answer or not. */
static void every_law_keeps_momentum_and_closes_its_account(void **state)
{
    (void)state;
    crm_model *model = uniform_chain(5, 1.5, 0.8);
    for (size_t k = 0; k < crm_law_count(); k++) {
        crm_outcome *outcome = solve_struck(model, crm_law_at(k)->name);
        double momentum = 0, lost = 0;
        for (size_t i = 0; i < 5; i++) {
            momentum += outcome->velocity[i];
        }
        for (size_t j = 0; j < 4; j++) {
            lost += outcome->loss[j];
        }
        assert_near(momentum, 1.0, 1e-12);
        assert_near(outcome->energy_before, outcome->energy_after + lost, 1e-12);
        crm_outcome_free(outcome);
    }
    crm_model_free(model);
}

/* Large steps leave an error in the energy; what the contacts are said to have lost must still be
 * all that is gone.
 */
static void losses_add_up_however_large_the_steps_are(void **state)
{
    (void)state;
    crm_model *model = uniform_chain(5, 1.5, 0.6);
    crm_settings *settings = law_settings(crm_law_find("lzb"));
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    double velocity[] = {1, 0, 0, 0, -0.5}, lost = 0;
    assert_ok(crm_settings_set_text(settings, "scheme", "time-euler", &error), &error);
    assert_ok(crm_settings_set_number(settings, "step", 0.02, &error), &error);
    assert_ok(crm_solve(model, velocity, settings, NULL, &outcome, &error), &error);
    for (size_t j = 0; j < outcome->contacts; j++) {
        lost += outcome->loss[j];
    }
    assert_true(outcome->energy_error > 1e-6);
    assert_near(lost, outcome->energy_before - outcome->energy_after, 1e-14);
    crm_outcome_free(outcome);
    crm_settings_free(settings);
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact_leaves_no_choice),
        cmocka_unit_test(lzb_tends_to_moreau_as_the_exponent_vanishes),
        cmocka_unit_test(lzb_tends_to_binary_as_the_exponent_grows),
        cmocka_unit_test(a_hundred_beads_part_the_laws),
        cmocka_unit_test(plastic_chains_bring_moreau_and_lzb_together),
        cmocka_unit_test(every_law_keeps_momentum_and_closes_its_account),
        cmocka_unit_test(losses_add_up_however_large_the_steps_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
