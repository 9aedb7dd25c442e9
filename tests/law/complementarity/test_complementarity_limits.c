/* What the laws by complementarity must admit, cannot answer and refuse. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "complementarity_call.h"
#include "model/model.h"

/* These laws are solved to rounding; a dozen contacts lose a few digits. */
static const double ROUNDING = 1e-12;

/* ---- What a law must admit ------------------------------------------------------------------ */

/* v = (1, 0, a), e = (1, 0): contact 2 parts at a, but is made to pass p_2 = 2(1-a)/3 on:
 * T+ - T- = (1 - e_2) u_2 p_2 / 2 = a (1-a)/3 (P2 3.5).
 */
static void newton_flags_energy_it_makes(void **state)
{
    (void)state;
    for (int k = 1; k < 10; k++) {
        double a = 0.1 * k;
        small_system chain = small_system_chain(3, false);
        chain.velocity[0] = 1.0;
        chain.velocity[2] = a;
        chain.restitution[1] = 0.0;
        crm_outcome *outcome = solve_by("newton", &chain);
        const double want[] = {(4.0 - a) / 3.0, 2.0 * (1.0 - a) / 3.0};
        assert_all_near(outcome->impulse, want, 2, ROUNDING);
        assert_near(outcome->energy_after - outcome->energy_before, a * (1.0 - a) / 3.0, ROUNDING);
        assert_false(outcome->energetic);
        char amount[64];
        snprintf(amount, sizeof amount, "makes %.4g J of energy from nothing", a * (1.0 - a) / 3.0);
        assert_non_null(strstr(outcome->note, amount));
        crm_outcome_free(outcome);
        outcome = solve_by("poisson", &chain);
        assert_true(outcome->energetic && outcome->kinematic);
        crm_outcome_free(outcome);
    }
}

static void generalized_newton_flags_energy_it_makes(void **state)
{
    (void)state;
    small_system chain = small_system_chain(3, false);
    chain.velocity[0] = 1.0;
    const double wild[] = {1, 0, 2, 1}; /* u+ = (1, 2), p = (2, 2): v+ = (-1, 0, 2) */
    crm_outcome *outcome = solve_matrix(&chain, wild);
    const double want[] = {-1.0, 0.0, 2.0};
    assert_all_near(outcome->velocity, want, 3, ROUNDING);
    assert_false(outcome->energetic);
    assert_non_null(strstr(outcome->note, "makes 2 J of energy from nothing (0.5 J before)"));
    crm_outcome_free(outcome);
    const double sink[] = {0, 0, -0.5, 0}; /* contact 2 is allowed to close at 1/2 */
    outcome = solve_matrix(&chain, sink);
    assert_false(outcome->kinematic);
    assert_non_null(strstr(outcome->note, "1 contact closes after the impact (contact 2"));
    crm_outcome_free(outcome);
    chain.velocity[0] = 1e-9; /* however slow all of it is */
    outcome = solve_matrix(&chain, sink);
    assert_non_null(strstr(outcome->note, "(contact 2 at 5e-10 m/s)"));
    crm_outcome_free(outcome);
}

/* The same in units in which gap functions are some 1e-20 of the coordinates: what counts is the
 * speed of the contacts, not that of the coordinates.
 */
static void closing_is_seen_in_any_unit(void **state)
{
    (void)state;
    for (int k = -2; k <= 2; k++) {
        small_system chain = small_system_chain(3, false);
        chain.velocity[0] = 1.0;
        for (size_t i = 0; i < chain.n * chain.s; i++) {
            chain.w[i] *= pow(10, 15 * k);
        }
        const double sink[] = {0, 0, -0.5, 0};
        crm_outcome *outcome = solve_matrix(&chain, sink);
        assert_false(outcome->kinematic);
        crm_outcome_free(outcome);
    }
}

/* Elastic: 1 takes 2's place at speed 1, and 2 is faster than 3 at 0.9. Moreau's law stops there.
 */
static void moreau_flags_a_contact_it_leaves_closing(void **state)
{
    (void)state;
    small_system chain = small_system_chain(3, false);
    chain.velocity[0] = 1.0;
    chain.velocity[2] = 0.9;
    const double want[] = {0.0, 1.0, 0.9};
    crm_outcome *outcome = solve_by("moreau", &chain);
    assert_all_near(outcome->velocity, want, 3, ROUNDING);
    assert_false(outcome->kinematic);
    assert_true(outcome->energetic);
    assert_non_null(strstr(outcome->note, "(contact 2 at 0.1 m/s)"));
    crm_outcome_free(outcome);
}

/* Elastic laws on chains make no energy, and none is reported, however long the sums. */
static void rounding_is_not_called_energy(void **state)
{
    (void)state;
    rng r = rng_seeded(309);
    for (int i = 0; i < 300; i++) {
        small_system system = random_struck_system(&r, i);
        set_restitution(&system, 1.0);
        for (size_t k = 0; k < LAWS; k++) {
            crm_outcome *outcome = outcome_of(every_law[k], &system);
            assert_null(strstr(outcome->note, "from nothing"));
            crm_outcome_free(outcome);
        }
    }
}

static void stored_energy_is_disregarded_and_said_so(void **state)
{
    (void)state;
    small_system chain = small_system_chain(3, false), charged;
    chain.velocity[0] = 1.0;
    charged = chain;
    charged.stored_energy[0] = 0.5;
    charged.stored_energy[1] = 0.25;
    for (size_t k = 0; k < LAWS; k++) {
        crm_outcome *plain = solve_by(every_law[k], &chain);
        crm_outcome *outcome = solve_by(every_law[k], &charged);
        assert_all_near(outcome->velocity, plain->velocity, 3, 0.0);
        assert_null(strstr(plain->note, "stored energy"));
        assert_non_null(strstr(outcome->note, "the 0.75 J in the contacts count as lost"));
        assert_near(outcome->loss[0] + outcome->loss[1], 0.75, ROUNDING);
        crm_outcome_free(plain);
        crm_outcome_free(outcome);
    }
}

/* ---- No answer ------------------------------------------------------------------------------- */

static void check_infeasible(const char *law, const small_system *system)
{
    crm_outcome *outcome = outcome_of(law, system);
    assert_int_equal(outcome->result, CRM_INFEASIBLE);
    assert_non_null(strstr(outcome->reason, "contacts 1, 2 cannot"));
    assert_true(outcome->impulse[0] == 0.0 && outcome->impulse[1] == 0.0);
    assert_all_near(outcome->velocity, system->velocity, system->n, 0.0);
    assert_false(outcome->kinematic);
    crm_outcome_free(outcome);
}

static void impossible_demands_are_infeasible(void **state)
{
    (void)state;
    small_system ball = small_system_blank(1, 2); /* between two walls */
    ball.w[0] = 1.0;
    ball.w[1] = -1.0;
    ball.velocity[0] = 1.0;
    ball.restitution[0] = 0.0; /* u+ >= (0, 1) would need v+ >= 0 and <= -1 */
    check_infeasible("newton", &ball);
    check_infeasible("generalized-newton", &ball);
    crm_outcome *stuck = solve_by("poisson", &ball); /* u0 = 0, and there it stays */
    assert_true(stuck->kinematic && stuck->energetic);
    crm_outcome_free(stuck);
    set_restitution(&ball, 0.5);
    ball.boundary_velocity[0] = ball.boundary_velocity[1] = -0.1; /* the walls come together */
    for (size_t k = 0; k < LAWS; k++) {
        check_infeasible(every_law[k], &ball);
    }
}

/* A model that keeps no Delassus matrix, made from one that does. */
static void without_a_delassus_matrix_the_laws_say_so(void **state)
{
    (void)state;
    small_system chain = small_system_chain(3, false);
    chain.velocity[0] = 1.0;
    crm_model *model = small_system_model(&chain);
    crm_model bare = *model;
    bare.d_start = NULL;
    bare.d_column = NULL;
    bare.d_value = NULL;
    assert_false(crm_model_has_delassus(&bare));
    for (size_t k = 0; k < LAWS; k++) {
        crm_settings *settings = settings_of(every_law[k]);
        crm_outcome *outcome = NULL;
        crm_error error = {0};
        assert_ok(crm_solve(&bare, chain.velocity, settings, NULL, &outcome, &error), &error);
        assert_int_equal(outcome->result, CRM_FAILED);
        assert_non_null(strstr(outcome->reason, "Delassus"));
        assert_non_null(strstr(outcome->reason, every_law[k]));
        crm_outcome_free(outcome);
        crm_settings_free(settings);
    }
    crm_model_free(model);
}

static void no_contacts_is_no_impact(void **state)
{
    (void)state;
    crm_chain_def def = crm_chain_def_default();
    def.count = 1;
    crm_error error = {0};
    crm_model *model = NULL;
    if (crm_model_from_chain(&def, &model, &error) != CRM_OK) {
        return; /* there is no model without contacts */
    }
    const double velocity = 1.0;
    for (size_t k = 0; k < LAWS; k++) {
        crm_settings *settings = settings_of(every_law[k]);
        crm_outcome *outcome = NULL;
        assert_ok(crm_solve(model, &velocity, settings, NULL, &outcome, &error), &error);
        assert_solved(outcome);
        assert_true(outcome->velocity[0] == 1.0);
        crm_outcome_free(outcome);
        crm_settings_free(settings);
    }
    crm_model_free(model);
}

/* ---- Options -------------------------------------------------------------------------------- */

static void refuse(const crm_settings *settings, const small_system *system, const char *place,
                   const char *message)
{
    crm_model *model = small_system_model(system);
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_int_equal(crm_solve(model, system->velocity, settings, NULL, &outcome, &error),
                     CRM_ERROR_OPTION);
    assert_null(outcome);
    assert_string_equal(error.place, place);
    assert_non_null(strstr(error.message, message));
    crm_model_free(model);
}

static void moreau_wants_one_restitution(void **state)
{
    (void)state;
    small_system chain = small_system_chain(4, false);
    chain.velocity[0] = 1.0;
    chain.restitution[2] = 0.5;
    crm_settings *settings = settings_of("moreau");
    crm_error error = {0};
    refuse(settings, &chain, "restitution",
           "law moreau has one restitution for all contacts, but they differ (contact 1: 1, "
           "contact 3: 0.5)");
    chain.restitution[1] = 0.25; /* the first one that differs is named */
    refuse(settings, &chain, "restitution", "(contact 1: 1, contact 2: 0.25)");
    static const double bad[] = {-0.1, 1.1, NAN};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(crm_settings_set_number(settings, "restitution", bad[i], &error),
                         CRM_ERROR_OPTION);
        assert_string_equal(error.place, "restitution");
    }
    assert_ok(crm_settings_set_number(settings, "restitution", 0.25, &error), &error);
    crm_outcome *given = outcome_by(settings, &chain);
    set_restitution(&chain, 0.25);
    crm_outcome *common = solve_by("newton", &chain);
    assert_solved(given);
    assert_all_near(given->velocity, common->velocity, 4, 0.0);
    crm_outcome_free(given);
    crm_outcome_free(common);
    crm_settings_free(settings);
}

static void a_matrix_of_the_wrong_size_is_refused(void **state)
{
    (void)state;
    small_system chain = small_system_chain(4, false);
    chain.velocity[0] = 1.0;
    crm_settings *settings = settings_of("generalized-newton");
    crm_error error = {0};
    const double matrix[16] = {0};
    static const size_t wrong[] = {0, 1, 3, 8, 10, 16};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_ok(crm_settings_set_list(settings, "restitution_matrix", wrong[i], matrix, &error),
                  &error);
        char message[64];
        snprintf(message, sizeof message, "restitution_matrix has %zu numbers", wrong[i]);
        refuse(settings, &chain, "restitution_matrix", message);
        refuse(settings, &chain, "restitution_matrix", "each of the 3 contacts (3 x 3)");
    }
    const double bad[] = {0, 0, 0, 0, NAN, 0, 0, 0, 0};
    assert_int_equal(crm_settings_set_list(settings, "restitution_matrix", 9, bad, &error),
                     CRM_ERROR_OPTION);
    assert_int_equal(crm_settings_set_number(settings, "restitution_matrix", 1.0, &error),
                     CRM_ERROR_OPTION);
    crm_settings_free(settings);
}

static void newton_and_poisson_have_no_options(void **state)
{
    (void)state;
    static const char *const names[] = {"newton", "poisson"};
    for (size_t i = 0; i < 2; i++) {
        crm_settings *settings = settings_of(names[i]);
        crm_error error = {0};
        assert_int_equal(crm_settings_set_number(settings, "restitution", 0.5, &error),
                         CRM_ERROR_OPTION);
        assert_non_null(strstr(error.message, names[i]));
        crm_settings_free(settings);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newton_flags_energy_it_makes),
        cmocka_unit_test(generalized_newton_flags_energy_it_makes),
        cmocka_unit_test(closing_is_seen_in_any_unit),
        cmocka_unit_test(moreau_flags_a_contact_it_leaves_closing),
        cmocka_unit_test(rounding_is_not_called_energy),
        cmocka_unit_test(stored_energy_is_disregarded_and_said_so),
        cmocka_unit_test(impossible_demands_are_infeasible),
        cmocka_unit_test(without_a_delassus_matrix_the_laws_say_so),
        cmocka_unit_test(no_contacts_is_no_impact),
        cmocka_unit_test(moreau_wants_one_restitution),
        cmocka_unit_test(a_matrix_of_the_wrong_size_is_refused),
        cmocka_unit_test(newton_and_poisson_have_no_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
