/* LZB by Gauss collocation (`scheme: gauss`): closed forms, conservation, the default scheme beside
 * it, and what it refuses.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "law/law.h"
#include "law/lzb/contact/contact.h"
#include "law/lzb/nodes/nodes.h"
#include "model/model.h"
#include "series.h"
#include "support.h"

static lzb_choices by_gauss(bool mono, double tolerance)
{
    return (lzb_choices){
        .stiffness_model = mono ? "mono" : "bi", .scheme = "gauss", .tolerance = tolerance};
}

/* ---- The nodes ------------------------------------------------------------------------------- */

/* t^p and its integral, each times the pace of time, are polynomials in tau of degree 7 or less. */
static void powers_of_time_are_integrated_without_error(void **state)
{
    (void)state;
    static const struct {
        lzb_map map;
        double power;
    } cases[] = {{LZB_MAP_PLAIN, 3},
                 {LZB_MAP_PLAIN, 6},
                 {LZB_MAP_START, 1.5},
                 {LZB_MAP_START, 2},
                 {LZB_MAP_END, 2},
                 {LZB_MAP_BOTH, 0},
                 {LZB_MAP_START_CUBED, 2. / 3},
                 {LZB_MAP_END_CUBED, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const lzb_table *table = &lzb_nodes_gauss.map[cases[k].map];
        double p = cases[k].power, impulse = 0, moment = 0, twice[LZB_NODES] = {0};
        for (int j = 0; j < LZB_NODES; j++) {
            double y = pow(table->time[j], p);
            impulse += table->impulse[j] * y;
            moment += table->moment[j] * y;
            for (int i = 0; i < LZB_NODES; i++) {
                twice[i] += table->twice[j][i] * y;
            }
        }
        assert_near(impulse, 1 / (p + 1), 4e-16);
        assert_near(moment, 1 / ((p + 1) * (p + 2)), 4e-16);
        for (int i = 0; i < LZB_NODES; i++) {
            assert_near(twice[i], pow(table->time[i], p + 2) / ((p + 1) * (p + 2)), 4e-16);
        }
    }
}

static void the_time_of_a_place_is_inverted(void **state)
{
    (void)state;
    for (int map = 0; map < LZB_MAPS; map++) {
        for (int k = 0; k <= 20; k++) {
            double tau = k / 20.0, time = lzb_nodes_time((lzb_map)map, tau);
            assert_near(lzb_nodes_time((lzb_map)map, lzb_nodes_tau((lzb_map)map, time)), time,
                        1e-13);
        }
    }
}

/* ---- One contact ----------------------------------------------------------------------------- */

/* Both kinds of expansion give back e^2 of the work of compression, whatever the exponent. */
static void a_contact_gives_back_e_squared_of_its_work(void **state)
{
    (void)state;
    static const double exponents[] = {0.5, 0.8, 1, 1.3, 1.5, 2, 2.5, 3.7};
    static const double restitutions[] = {0, 1e-6, 0.1, 0.5, 0.9, 0.999, 1};
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        for (size_t k = 0; k < sizeof restitutions / sizeof *restitutions; k++) {
            double e = restitutions[k];
            small_system pair = small_system_chain(2, false);
            pair.exponent[0] = exponents[i];
            pair.restitution[0] = e;
            pair.mass[3] = 3;
            pair.velocity[0] = 1;
            for (int mono = 0; mono < 2; mono++) {
                crm_outcome *outcome = lzb_solve_small(&pair, by_gauss(mono, 1e-10));
                double work = 0.5 * 0.75; /* reduced mass 3/4 */
                assert_near(outcome->gap_velocity[0], e, 1e-10);
                assert_near(outcome->loss[0], (1 - e * e) * work, 1e-10);
                assert_near(outcome->impulse[0], 0.75 * (1 + e), 1e-10);
                crm_outcome_free(outcome);
            }
        }
    }
}

/* A linear contact is a harmonic oscillator: half a period, e times as long for the way back. */
static void force_and_duration_of_a_linear_contact(void **state)
{
    (void)state;
    const double pi = 3.141592653589793238;
    for (int k = 1; k <= 4; k++) {
        small_system ball = small_system_chain(1, true);
        ball.exponent[0] = 1;
        ball.stiffness[0] = 100;
        ball.mass[0] = 4;
        ball.velocity[0] = 2;
        ball.restitution[0] = 0.25 * k;
        crm_outcome *outcome = lzb_solve_small(&ball, by_gauss(false, 1e-10));
        assert_near(outcome->peak_force[0], 2 * sqrt(4 * 100), 1e-7);
        double quarter = 0.5 * pi * sqrt(4.0 / 100);
        assert_near(outcome->duration, quarter * (1 + ball.restitution[0]), 1e-9);
        assert_near(outcome->contact_duration[0], outcome->duration, 1e-12);
        assert_int_equal(outcome->compressions[0], 1);
        crm_outcome_free(outcome);
    }
}

/* Let go from rest, E0 gives e^2 E0. */
static void stored_energy_comes_back(void **state)
{
    (void)state;
    for (int mono = 0; mono < 2; mono++) {
        small_system pair = small_system_chain(2, false);
        pair.stored_energy[0] = 0.3;
        pair.restitution[0] = 0.7;
        crm_outcome *outcome = lzb_solve_small(&pair, by_gauss(mono, 1e-10));
        assert_near(outcome->gap_velocity[0], 0.7 * sqrt(2 * 2 * 0.3), 1e-10);
        crm_outcome_free(outcome);
    }
}

/* ---- Several --------------------------------------------------------------------------------- */

static void a_cradle_keeps_momentum_and_energy(void **state)
{
    (void)state;
    static const double exponents[] = {1, 1.3, 1.5};
    for (size_t i = 0; i < 3; i++) {
        small_system cradle = small_system_chain(5, false);
        for (size_t j = 0; j < 4; j++) {
            cradle.exponent[j] = exponents[i];
        }
        cradle.velocity[0] = 1;
        crm_outcome *outcome = lzb_solve_small(&cradle, by_gauss(false, 1e-9));
        double momentum = 0, energy = 0;
        for (size_t k = 0; k < 5; k++) {
            momentum += outcome->velocity[k];
            energy += outcome->velocity[k] * outcome->velocity[k];
        }
        assert_near(momentum, 1, 1e-14);
        assert_near(energy, 1, 1e-9);
        assert_true(outcome->error_estimate <= 1e-9);
        crm_outcome_free(outcome);
    }
}

/* Contacts that mirror each other change together. */
static void mirror_images_stay_mirror_images(void **state)
{
    (void)state;
    for (int mono = 0; mono < 2; mono++) {
        small_system chain = small_system_chain(4, false);
        for (size_t j = 0; j < 3; j++) {
            chain.restitution[j] = 0.6;
        }
        chain.velocity[0] = 1;
        chain.velocity[3] = -1;
        crm_outcome *outcome = lzb_solve_small(&chain, by_gauss(mono, 1e-8));
        assert_near(outcome->velocity[0], -outcome->velocity[3], 1e-13);
        assert_near(outcome->velocity[1], -outcome->velocity[2], 1e-13);
        crm_outcome_free(outcome);
    }
}

/* Three contacts between two bodies: D is of rank 1, v+ is unique all the same. */
static void dependent_contacts_act_as_one(void **state)
{
    (void)state;
    small_system pair = small_system_blank(2, 3);
    for (size_t j = 0; j < 3; j++) {
        pair.w[j * 2] = -1;
        pair.w[j * 2 + 1] = 1;
        pair.restitution[j] = 0.5;
    }
    pair.velocity[0] = 1;
    for (int mono = 0; mono < 2; mono++) {
        crm_outcome *outcome = lzb_solve_small(&pair, by_gauss(mono, 1e-10));
        assert_near(outcome->velocity[1] - outcome->velocity[0], 0.5, 1e-10);
        crm_outcome_free(outcome);
    }
}

/* The default scheme integrates them alike: here it is the finer tolerance that judges. */
static void random_systems_come_out_as_at_a_finer_tolerance(void **state)
{
    (void)state;
    static const double tolerances[] = {1e-4, 1e-6, 1e-9};
    rng r = rng_seeded(41);
    for (size_t i = 0; i < rounds(240, 24); i++) {
        bool mono = i % 2;
        double tolerance = tolerances[i / 2 % 3];
        random_choice choice = random_choice_default();
        choice.least_restitution = 0.3;
        choice.stored_energy = i % 5 == 0;
        small_system system = i % 3 == 0   ? random_lagrangian(&r, choice)
                              : i % 3 == 1 ? random_chain(&r, choice, true)
                                           : random_chain(&r, choice, false);
        crm_model *model = small_system_model(&system);
        crm_outcome *gauss = lzb_solve(model, system.velocity, by_gauss(mono, tolerance));
        lzb_choices fine = {.stiffness_model = mono ? "mono" : "bi", .tolerance = 1e-10};
        crm_outcome *other = lzb_solve(model, system.velocity, fine);
        double error = small_system_error(&system, gauss->velocity, other->velocity);
        assert_true(error <= 10 * (gauss->error_estimate + other->error_estimate));
        assert_true(error <= tolerance + 10 * other->error_estimate);
        crm_outcome_free(gauss);
        crm_outcome_free(other);
        crm_model_free(model);
    }
}

/* ---- Where it is easily wrong ---------------------------------------------------------------- */

static void check_by_judge(const small_system *system, bool mono)
{
    static const double tolerances[] = {1e-4, 1e-6, 1e-8};
    series_judgement truth = series_judge(system, (series_options){.mono = mono});
    assert_true(truth.finished);
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
        crm_outcome *outcome = lzb_solve_small(system, by_gauss(mono, tolerances[i]));
        double error = small_system_error(system, outcome->velocity, truth.velocity);
        assert_true(error <= tolerances[i]);
        assert_true(error <= 10 * outcome->error_estimate);
        crm_outcome_free(outcome);
    }
}

/* A contact of a high exponent stores next to nothing at an indentation that matters when a wave
 * presses it later.
 */
static void an_indentation_without_force_is_kept(void **state)
{
    (void)state;
    small_system chain = small_system_chain(4, true);
    static const double mass[] = {4.2, 1, 1.4, 3.6}, exponent[] = {1, 3.9, 4, 3.4};
    static const double velocity[] = {1, 0, -3e-5, 1.6e-4};
    for (size_t k = 0; k < 4; k++) {
        chain.mass[k * 5] = mass[k];
        chain.exponent[k] = exponent[k];
        chain.velocity[k] = velocity[k];
    }
    chain.stored_energy[2] = 1.3e-16;
    check_by_judge(&chain, false);
}

/* Ahead of a wave c is 0, and its polynomial the rounding of others: no event is in that. */
static void contacts_at_rest_do_not_stop_the_steps(void **state)
{
    (void)state;
    small_system chain = small_system_chain(8, false);
    static const double mass[] = {1.1, 9.8, 8.9, 3, 8.5, .45, .53, 6.8};
    static const double stiffness[] = {1.4, .14, .35, 9.2, .77, .12, 1};
    for (size_t k = 0; k < 8; k++) {
        chain.mass[k * 9] = mass[k];
        if (k < 7) {
            chain.stiffness[k] = stiffness[k];
            chain.exponent[k] = 1;
            chain.restitution[k] = 0.053;
        }
    }
    chain.velocity[0] = chain.velocity[1] = 1;
    check_by_judge(&chain, false);
}

/* A light ball among heavy ones, where D hides how fast the group as a whole moves. */
static void masses_of_many_decades(void **state)
{
    (void)state;
    small_system chain = small_system_chain(4, true);
    chain.mass[5] = 1e-2;
    chain.mass[10] = 30;
    for (size_t k = 0; k < 4; k++) {
        chain.velocity[k] = 1;
        chain.restitution[k] = 0.95;
    }
    check_by_judge(&chain, false);
    check_by_judge(&chain, true);
}

/* Elastic chains of hundreds: contacts behind the wave are let go, and the wave is right. */
static void a_long_wave_comes_out_as_by_the_default_scheme(void **state)
{
    (void)state;
    enum { BALLS = 150 };
    crm_chain_def def = crm_chain_def_default();
    crm_error error = {0};
    crm_model *model;
    double velocity[BALLS] = {1};
    def.count = BALLS;
    def.mass.all = def.stiffness.all = 1;
    assert_ok(crm_model_from_chain(&def, &model, &error), &error);
    crm_outcome *gauss = lzb_solve(model, velocity, by_gauss(false, 1e-8));
    crm_outcome *other = lzb_solve(model, velocity, (lzb_choices){.tolerance = 1e-9});
    assert_all_near(gauss->velocity, other->velocity, BALLS, 1e-8);
    crm_outcome_free(gauss);
    crm_outcome_free(other);
    crm_model_free(model);
}

enum { MANY_BALLS = 28 };
/* What an outcome may be off by, in units of its estimate: as in the campaigns (docs/accuracy.md).
 */
static const double ESTIMATES = 10;

/* One contact in seven gives back next to nothing, and others hold it while it expands. One of an
 * exponent above 2.5 keeps the end from being looked for without error control.
 */
static crm_model *random_long_chain(rng *r, double *velocity)
{
    double mass[MANY_BALLS], stiffness[MANY_BALLS], exponent[MANY_BALLS], restitution[MANY_BALLS];
    for (size_t k = 0; k < MANY_BALLS; k++) {
        mass[k] = rng_log(r, 0.3, 3);
        velocity[k] = rng_uniform(r, -1, 1);
        stiffness[k] = rng_log(r, 0.3, 3);
        exponent[k] = k == 0 ? 2.6 : rng_uniform(r, 1, 2);
        restitution[k] = k % 7 == 3 ? rng_log(r, 1e-10, 1e-8) : rng_uniform(r, 0.5, 1);
    }
    crm_chain_def def = crm_chain_def_default();
    crm_error error = {0};
    crm_model *model;
    def.count = MANY_BALLS;
    def.mass.each = mass;
    def.stiffness.each = stiffness;
    def.exponent.each = exponent;
    def.restitution.each = restitution;
    assert_ok(crm_model_from_chain(&def, &model, &error), &error);
    return model;
}

/* More contacts than the default scheme follows by collocation: its extrapolated leapfrog shares no
 * line of what integrates.
 */
static void long_chains_come_out_as_by_extrapolated_leapfrog(void **state)
{
    (void)state;
    rng r = rng_seeded(43);
    for (size_t i = 0; i < rounds(24, 4); i++) {
        double velocity[MANY_BALLS];
        bool mono = i % 2;
        crm_model *model = random_long_chain(&r, velocity);
        crm_outcome *gauss = lzb_solve(model, velocity, by_gauss(mono, 1e-8));
        lzb_choices by_leapfrog = {.stiffness_model = mono ? "mono" : "bi", .tolerance = 1e-8};
        crm_outcome *other = lzb_solve(model, velocity, by_leapfrog);
        assert_all_near(gauss->velocity, other->velocity, MANY_BALLS,
                        ESTIMATES * (gauss->error_estimate + other->error_estimate));
        crm_outcome_free(gauss);
        crm_outcome_free(other);
        crm_model_free(model);
    }
}

/* M couples all, so that D is full: there is no row of it to go by. */
static void a_model_without_a_stored_matrix_is_refused(void **state)
{
    (void)state;
    small_system pair = small_system_chain(2, false);
    crm_model *stored = small_system_model(&pair);
    crm_model bare = *stored;
    bare.d_start = NULL;
    crm_settings *settings = lzb_settings(by_gauss(false, 1e-8));
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    pair.velocity[0] = 1;
    assert_int_equal(crm_solve(&bare, pair.velocity, settings, NULL, &outcome, &error),
                     CRM_ERROR_OPTION);
    assert_string_equal(error.place, "scheme");
    crm_settings_free(settings);
    crm_model_free(stored);
}

static void all_widths_give_the_same_bits(void **state)
{
    (void)state;
    rng r = rng_seeded(43);
    for (int i = 0; i < 30; i++) {
        small_system system = random_chain(&r, random_choice_default(), i % 2);
        crm_model *model = small_system_model(&system);
        crm_outcome *first = NULL;
        for (crm_width width = CRM_WIDTH_16; width <= crm_widest(); width++) {
            crm_settings *settings = lzb_settings(by_gauss(i % 4 < 2, 1e-8));
            crm_outcome *outcome;
            crm_error error = {0};
            settings->width = width;
            assert_ok(crm_solve(model, system.velocity, settings, NULL, &outcome, &error), &error);
            if (first == NULL) {
                first = outcome;
            } else {
                assert_memory_equal(outcome->velocity, first->velocity,
                                    system.n * sizeof *first->velocity);
                assert_int_equal(outcome->evaluations, first->evaluations);
                crm_outcome_free(outcome);
            }
            crm_settings_free(settings);
        }
        crm_outcome_free(first);
        crm_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_of_time_are_integrated_without_error),
        cmocka_unit_test(the_time_of_a_place_is_inverted),
        cmocka_unit_test(a_contact_gives_back_e_squared_of_its_work),
        cmocka_unit_test(force_and_duration_of_a_linear_contact),
        cmocka_unit_test(stored_energy_comes_back),
        cmocka_unit_test(a_cradle_keeps_momentum_and_energy),
        cmocka_unit_test(mirror_images_stay_mirror_images),
        cmocka_unit_test(dependent_contacts_act_as_one),
        cmocka_unit_test(random_systems_come_out_as_at_a_finer_tolerance),
        cmocka_unit_test(an_indentation_without_force_is_kept),
        cmocka_unit_test(contacts_at_rest_do_not_stop_the_steps),
        cmocka_unit_test(masses_of_many_decades),
        cmocka_unit_test(a_long_wave_comes_out_as_by_the_default_scheme),
        cmocka_unit_test(long_chains_come_out_as_by_extrapolated_leapfrog),
        cmocka_unit_test(a_model_without_a_stored_matrix_is_refused),
        cmocka_unit_test(all_widths_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
