/* The laws by complementarity against closed forms and one another. */
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
/* Velocities of a chain are differences of impulses that sum up over its whole length. */
static const double CHAIN_ROUNDING = 1e-11;
/* LZB integrates to a relative 1e-8 by default. */
static const double LZB_ERROR = 1e-7;

/* ---- Closed forms --------------------------------------------------------------------------- */

/* n equal balls, the first at speed 1: it meets the others as one body. v+ = -e v- + (1+e)/n and
 * p_j = m (1+e) (n-j)/n (theory section 3).
 */
static void check_struck_chain(const char *law, size_t n, double e)
{
    const double mass = 0.7;
    crm_chain_def def = crm_chain_def_default();
    def.count = n;
    def.mass.all = mass;
    def.restitution.all = e;
    crm_error error = {0};
    crm_model *model = NULL;
    crm_outcome *outcome = NULL;
    assert_ok(crm_model_from_chain(&def, &model, &error), &error);
    double *velocity = calloc(n, sizeof *velocity);
    velocity[0] = 1.0;
    crm_settings *settings = settings_of(law);
    assert_ok(crm_solve(model, velocity, settings, NULL, &outcome, &error), &error);
    assert_solved(outcome);
    double share = (1.0 + e) / (double)n;
    assert_near(outcome->velocity[0], share - e, CHAIN_ROUNDING);
    for (size_t i = 1; i < n; i++) {
        assert_near(outcome->velocity[i], share, CHAIN_ROUNDING);
        assert_near(outcome->impulse[i - 1], mass * share * (double)(n - i), CHAIN_ROUNDING);
    }
    assert_true(outcome->unique && outcome->kinematic && outcome->energetic);
    crm_outcome_free(outcome);
    crm_settings_free(settings);
    crm_model_free(model);
    free(velocity);
}

static void struck_chains_of_2_to_1000_balls(void **state)
{
    (void)state;
    static const double restitutions[] = {0.0, 1.0, 0.37};
    for (size_t n = 2; n <= 1000; n = n < 60 || n == 1000 ? n + 1 : n < 875 ? n * 8 / 7 : 1000) {
        for (size_t k = 0; k < LAWS; k++) {
            for (size_t i = 0; i < 3; i++) {
                check_struck_chain(every_law[k], n, restitutions[i]);
            }
        }
    }
}

/* One contact: p = (1+e) c/D for all of them, with moving boundaries too. */
static void all_laws_agree_on_one_contact(void **state)
{
    (void)state;
    rng r = rng_seeded(304);
    for (int i = 0; i < 100; i++) {
        random_choice choice = random_choice_default();
        choice.most_contacts = 1;
        small_system system =
            i % 2 ? random_chain(&r, choice, i % 4 == 1) : random_lagrangian(&r, choice);
        system.boundary_velocity[0] = i % 3 == 0 ? rng_uniform(&r, -1.0, 0.0) : 0.0;
        double u;
        small_system_gap_velocity(&system, system.velocity, &u);
        crm_outcome *lzb = lzb_solve_small(&system, lzb_bi);
        for (size_t k = 0; k < LAWS; k++) {
            crm_outcome *outcome = solve_by(every_law[k], &system);
            double scale = largest_size(system.velocity, system.n) + 1.0;
            assert_near(outcome->gap_velocity[0], -system.restitution[0] * u, ROUNDING * scale);
            assert_all_near(outcome->velocity, lzb->velocity, system.n, LZB_ERROR * scale);
            check_mechanics(&system, outcome);
            crm_outcome_free(outcome);
        }
        crm_outcome_free(lzb);
    }
}

/* A wall that comes at 0.7 towards a ball at 1: restitution is of the relative velocity, and what
 * the wall brings is work, not energy from nowhere.
 */
static void restitution_is_relative_to_a_moving_boundary(void **state)
{
    (void)state;
    for (int k = 0; k <= 10; k++) {
        small_system ball = small_system_chain(1, true);
        double e = 0.1 * k;
        ball.restitution[0] = e;
        ball.velocity[0] = 1.0;
        ball.boundary_velocity[0] = -0.7;
        for (size_t l = 0; l < LAWS; l++) {
            crm_outcome *outcome = solve_by(every_law[l], &ball);
            assert_near(outcome->velocity[0], -0.7 - 1.7 * e, ROUNDING);
            assert_near(outcome->boundary_work, 0.7 * 1.7 * (1.0 + e), ROUNDING);
            assert_near(outcome->loss[0], 0.5 * 1.7 * 1.7 * (1.0 - e * e), ROUNDING);
            assert_true(outcome->energetic);
            crm_outcome_free(outcome);
        }
    }
}

/* Seen from a train, nothing changes: v + V everywhere, walls too. */
static void impulses_are_the_same_in_a_moving_frame(void **state)
{
    (void)state;
    rng r = rng_seeded(305);
    for (int i = 0; i < 100; i++) {
        random_choice choice = random_choice_default();
        small_system chain = random_chain(&r, choice, true), moving = chain;
        for (size_t k = 0; k < chain.n; k++) {
            moving.velocity[k] += 3.0;
        }
        moving.boundary_velocity[chain.s - 1] += 3.0; /* u = -v + wall velocity */
        for (size_t l = 1; l < LAWS; l++) {
            crm_outcome *still = solve_by(every_law[l], &chain);
            crm_outcome *seen = solve_by(every_law[l], &moving);
            assert_all_near(seen->impulse, still->impulse, chain.s, 100.0 * ROUNDING);
            assert_true(seen->energetic == still->energetic);
            crm_outcome_free(still);
            crm_outcome_free(seen);
        }
    }
}

static void nothing_happens_when_nothing_closes(void **state)
{
    (void)state;
    small_system chain = small_system_chain(4, false);
    const double parting[] = {-1.0, 0.0, 0.0, 2.0};
    memcpy(chain.velocity, parting, sizeof parting);
    for (size_t l = 0; l < LAWS; l++) {
        crm_outcome *outcome = solve_by(every_law[l], &chain);
        assert_memory_equal(outcome->velocity, parting, sizeof parting);
        assert_true(outcome->steps == 0 && outcome->note[0] == '\0');
        crm_outcome_free(outcome);
    }
}

/* Three equal balls, (e_1, e_2) = (0, 1). Compression (2/3, 1/3) leaves all at 1/3. Expansion
 * returns 1/3 at contact 2, against which contact 1 needs 1/6.
 */
static void poisson_adds_impulse_where_a_contact_would_close(void **state)
{
    (void)state;
    small_system chain = small_system_chain(3, false);
    chain.velocity[0] = 1.0;
    chain.restitution[0] = 0.0;
    const double want_v[] = {1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0}, want_p[] = {5.0 / 6.0, 2.0 / 3.0};
    crm_outcome *outcome = solve_by("poisson", &chain);
    assert_all_near(outcome->velocity, want_v, 3, ROUNDING);
    assert_all_near(outcome->impulse, want_p, 2, ROUNDING);
    assert_non_null(strstr(outcome->note, "Compression takes 1 of the 1.5 N s"));
    crm_outcome_free(outcome);
}

static void a_matrix_of_restitution_passes_the_blow_on(void **state)
{
    (void)state;
    small_system chain = small_system_chain(3, false);
    chain.velocity[0] = 1.0;
    const double passed[] = {0, 0, 1, 0}, want[] = {0, 0, 1}, want_p[] = {1, 1};
    crm_outcome *outcome = solve_matrix(&chain, passed);
    assert_all_near(outcome->velocity, want, 3, ROUNDING);
    assert_all_near(outcome->impulse, want_p, 2, ROUNDING);
    assert_true(outcome->kinematic && outcome->kinetic && outcome->energetic);
    assert_true(outcome->note[0] == '\0');
    crm_outcome_free(outcome);
    /* The transposed matrix asks contact 1 to leave at the closing speed of contact 2, which is
     * 0: the same as plastic. A row is a contact that leaves, a column one that closed. */
    const double transposed[] = {0, 1, 0, 0}, third[] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    outcome = solve_matrix(&chain, transposed);
    assert_all_near(outcome->velocity, third, 3, ROUNDING);
    crm_outcome_free(outcome);
}

/* ---- P2 figure 10: a rod rocking on two obstacles -------------------------------------------- */

/* Half length l, obstacles at -a and +a; it turns about the right one and strikes the left one.
 * D_12 = (1 - 3a^2/l^2)/m: for a < l/sqrt(3) the blow lifts the right end (it rocks), for
 * a > l/sqrt(3) it presses it down and the rod stops.
 */
static small_system rocking_rod(double a, double l, double mass, double spin)
{
    small_system rod = small_system_blank(2, 2);
    rod.mass[0] = mass;
    rod.mass[3] = mass * l * l / 3.0;
    const double w[] = {1.0, -a, 1.0, a};
    memcpy(rod.w, w, sizeof w);
    rod.velocity[0] = -a * spin;
    rod.velocity[1] = spin;
    set_restitution(&rod, 0.0);
    return rod;
}

static void check_rod(double a, double l)
{
    const double mass = 2.5, spin = 1.3;
    small_system rod = rocking_rod(a, l, mass, spin);
    double ratio = 3.0 * a * a / (l * l), struck = (1.0 + ratio) / mass; /* D_11 */
    for (size_t k = 0; k < LAWS; k++) {
        crm_outcome *outcome = solve_by(every_law[k], &rod);
        if (ratio < 1.0) {
            double p = 2.0 * a * spin / struck;
            assert_near(outcome->impulse[0], p, ROUNDING);
            assert_true(outcome->impulse[1] == 0.0);
            assert_near(outcome->gap_velocity[1], p * (1.0 - ratio) / mass, ROUNDING);
            assert_true(outcome->gap_velocity[1] > 0.0);
        } else {
            assert_true(outcome->impulse[0] > 0.0 && outcome->impulse[1] > 0.0);
            assert_near(outcome->velocity[0], 0.0, ROUNDING);
            assert_near(outcome->velocity[1], 0.0, ROUNDING);
        }
        crm_outcome_free(outcome);
    }
}

static void a_rod_rocks_below_a_critical_width_and_stops_above(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        double l = 0.5 + i, critical = l / sqrt(3.0);
        for (int digits = 0; digits < 8; digits++) {
            double off = 0.5 * pow(10.0, -digits);
            check_rod(critical * (1.0 - off), l);
            check_rod(critical * (1.0 + off), l);
        }
    }
}

/* ---- Laws compared -------------------------------------------------------------------------- */

static void poisson_is_newton_for_equal_coefficients(void **state)
{
    (void)state;
    rng r = rng_seeded(307);
    int compared = 0, apart = 0;
    for (int i = 0; i < 800; i++) {
        small_system system = random_struck_system(&r, i);
        set_restitution(&system, rng_uniform(&r, 0.0, 1.0));
        if (i % 2) {
            make_all_close(&system);
        }
        crm_outcome *newton = outcome_of("newton", &system);
        crm_outcome *moreau = outcome_of("moreau", &system);
        crm_outcome *poisson = outcome_of("poisson", &system);
        assert_int_equal(newton->result, poisson->result);
        assert_all_near(moreau->velocity, newton->velocity, system.n, 0.0);
        if (newton->result == CRM_SOLVED && newton->kinematic) {
            assert_all_near(poisson->velocity, newton->velocity, system.n, 10.0 * ROUNDING);
            compared++;
        } else if (newton->result == CRM_SOLVED) { /* only where some contact was parting */
            assert_true(some_part(&system));
            assert_non_null(strstr(newton->note, "after the impact"));
            assert_true(poisson->kinematic);
            apart++;
        }
        crm_outcome_free(newton);
        crm_outcome_free(moreau);
        crm_outcome_free(poisson);
    }
    assert_true(compared > 500 && apart > 10);
}

/* With e = 0 a struck chain ends as one body by either law (P1 section 5.2). */
static void plastic_chains_end_alike_by_moreau_and_lzb(void **state)
{
    (void)state;
    rng r = rng_seeded(308);
    for (size_t n = 2; n <= 12; n++) {
        for (int i = 0; i < 4; i++) {
            small_system chain = small_system_chain(n, false);
            set_restitution(&chain, 0.0);
            chain.velocity[0] = 1.0;
            for (size_t k = 0; k < n && i > 0; k++) {
                chain.mass[k * (n + 1)] = rng_log(&r, 0.2, 5.0);
                chain.stiffness[k] = rng_log(&r, 0.2, 5.0);
            }
            crm_outcome *lzb = lzb_solve_small(&chain, lzb_bi);
            crm_outcome *moreau = solve_by("moreau", &chain);
            assert_all_near(lzb->velocity, moreau->velocity, n, LZB_ERROR);
            crm_outcome_free(lzb);
            crm_outcome_free(moreau);
        }
    }
}

/* ---- Size ----------------------------------------------------------------------------------- */

/* A matrix of contacts by contacts would take 80 GB for the longer one. */
static void long_chains_need_no_dense_matrix(void **state)
{
    (void)state;
    for (size_t k = 0; k < LAWS; k++) {
        check_struck_chain(every_law[k], 10000, 0.5);
    }
    check_struck_chain("poisson", 100001, 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(struck_chains_of_2_to_1000_balls),
        cmocka_unit_test(all_laws_agree_on_one_contact),
        cmocka_unit_test(restitution_is_relative_to_a_moving_boundary),
        cmocka_unit_test(impulses_are_the_same_in_a_moving_frame),
        cmocka_unit_test(nothing_happens_when_nothing_closes),
        cmocka_unit_test(poisson_adds_impulse_where_a_contact_would_close),
        cmocka_unit_test(a_matrix_of_restitution_passes_the_blow_on),
        cmocka_unit_test(a_rod_rocks_below_a_critical_width_and_stops_above),
        cmocka_unit_test(poisson_is_newton_for_equal_coefficients),
        cmocka_unit_test(plastic_chains_end_alike_by_moreau_and_lzb),
        cmocka_unit_test(long_chains_need_no_dense_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
