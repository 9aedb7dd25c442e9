/* The law sequential: the outcomes that elastic sequences of collisions can reach. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collision_call.h"
#include "law/collisions/reachable.h"

/* A few hundred roundings. */
static const double EXACT = 1e-13;
/* Sums over some thousand collisions. */
static const double ACCUMULATED = 1e-10;

/* ---- Outcomes ------------------------------------------------------------------------------ */

static void three_equal_balls_have_two_sequential_outcomes(void **state)
{
    (void)state;
    small_system chain = chain_of(3, NULL, NULL, 1);
    crm_outcome *outcome = solve_small("sequential", &chain, NULL);
    assert_int_equal(outcome->result, CRM_SOLVED);
    assert_all_near(outcome->velocity, ((const double[]){0, 0, 1}), 3, EXACT);
    assert_false(outcome->unique);
    assert_int_equal(outcome->steps, 2);
    assert_non_null(strstr(outcome->note, "2 admissible outcomes"));
    assert_non_null(strstr(outcome->note, "the others are (-0.33333 0.66667 0.66667)"));
    crm_outcome_free(outcome);
}

static void one_outcome_has_no_others(void **state)
{
    (void)state;
    small_system pair = chain_of(2, NULL, NULL, 1);
    crm_outcome *outcome = solve_small("sequential", &pair, NULL);
    assert_true(outcome->unique);
    assert_string_equal(outcome->note, "1 admissible outcome.");
    crm_outcome_free(outcome);
}

/* Both contacts at once: the first ball meets the other two as one, (m - 2) / (m + 2) of its speed
 * stays with it. Small is not nothing.
 */
static void small_velocities_of_other_outcomes_are_written(void **state)
{
    (void)state;
    static const double mass[] = {2.0004, 1, 1};
    small_system chain = chain_of(3, mass, NULL, 1);
    crm_outcome *outcome = solve_small("sequential", &chain, NULL);
    assert_non_null(strstr(outcome->note, "(9.999e-05 1.0001 1.0001)"));
    crm_outcome_free(outcome);
}

typedef struct enumeration {
    small_system system;
    crm_model *model;
    double u[SMALL];
    crm_problem problem;
    crm_reachable found;
} enumeration;

static void enumerate(enumeration *e, const small_system *system)
{
    crm_error error = {0};
    *e = (enumeration){.system = *system, .model = small_system_model(system)};
    small_system_gap_velocity(system, system->velocity, e->u);
    e->problem =
        (crm_problem){.model = e->model, .velocity = e->system.velocity, .gap_velocity = e->u};
    assert_ok(crm_reachable_find(&e->problem,
                                 (crm_reachable_limits){.states = 100000, .simultaneous = true},
                                 &e->found, &error),
              &error);
}

static void release_enumeration(enumeration *e)
{
    crm_reachable_release(&e->found);
    crm_model_free(e->model);
}

/* Whether some outcome has these velocities. */
static bool reaches(const enumeration *e, const double *velocity)
{
    double v[SMALL];
    for (size_t k = 0; k < e->found.count; k++) {
        assert_ok(crm_reachable_velocity(&e->problem, &e->found, k, v, NULL), NULL);
        if (largest_difference(v, velocity, e->system.n) < ACCUMULATED) {
            return true;
        }
    }
    return false;
}

static void equal_balls_reach_the_solitary_and_the_simultaneous_outcome(void **state)
{
    (void)state;
    for (size_t count = 2; count <= 6; count++) {
        small_system chain = chain_of(count, NULL, NULL, 1);
        double solitary[SMALL] = {0}, simultaneous[SMALL];
        solitary[count - 1] = 1;
        for (size_t i = 0; i < count; i++) {
            simultaneous[i] = (i == 0 ? 2.0 - (double)count : 2.0) / (double)count;
        }
        enumeration e;
        enumerate(&e, &chain);
        assert_true(e.found.complete);
        assert_true(reaches(&e, solitary) && reaches(&e, simultaneous));
        assert_int_equal(e.found.count == 1, count == 2);
        release_enumeration(&e);
    }
}

static void three_unequal_balls_have_the_sequential_outcomes_of_the_tree(void **state)
{
    (void)state;
    rng r = rng_seeded(59);
    size_t most = 0;
    for (int i = 0; i < 200; i++) {
        double m[3], v[3] = {1, 0, i % 2 == 0 ? 0 : rng_uniform(&r, -1, 0.5)};
        for (int k = 0; k < 3; k++) {
            m[k] = rng_log(&r, 0.2, 5);
        }
        small_system chain = chain_of(3, m, v, 1);
        tree t = {.chain = &chain, .simultaneous = true};
        follow(&t, v);
        enumeration e;
        enumerate(&e, &chain);
        assert_int_equal(e.found.count, t.count);
        for (size_t k = 0; k < t.count; k++) {
            assert_true(reaches(&e, t.found[k]));
        }
        most = t.count > most ? t.count : most;
        release_enumeration(&e);
    }
    assert_true(most >= 2);
}

static void every_elastic_sequential_outcome_is_admissible(void **state)
{
    (void)state;
    rng r = rng_seeded(23);
    size_t outcomes = 0;
    for (int i = 0; i < 60; i++) {
        random_choice choice = random_choice_default();
        choice.elastic = true;
        choice.most_contacts = 5;
        disc_patch patch;
        small_system s =
            i % 2 == 0 ? random_chain(&r, choice, false) : random_disc_patch(&r, choice, &patch);
        enumeration e;
        enumerate(&e, &s);
        double v[SMALL], u[SMALL], before = small_system_energy(&s, s.velocity);
        for (size_t k = 0; k < e.found.count; k++, outcomes++) {
            assert_ok(crm_reachable_velocity(&e.problem, &e.found, k, v, NULL), NULL);
            small_system_gap_velocity(&s, v, u);
            for (size_t j = 0; j < s.s; j++) {
                assert_true(e.found.impulse[k * s.s + j] >= 0);
                assert_true(u[j] >= -1e-7); /* what the enumeration leaves alone */
            }
            assert_near(small_system_energy(&s, v), before, ACCUMULATED * before);
        }
        release_enumeration(&e);
    }
    assert_true(outcomes > 100);
}

static void a_search_given_up_says_so(void **state)
{
    (void)state;
    small_system chain = chain_of(6, NULL, NULL, 1);
    crm_outcome *outcome =
        solve_small("sequential", &chain, (const option[OPTIONS]){{"max_states", NULL, 20}});
    assert_non_null(strstr(outcome->note, "At least "));
    assert_non_null(strstr(outcome->note, "given up after 20 states"));
    assert_false(outcome->unique);
    crm_outcome_free(outcome);
}

static void sequential_says_when_contacts_are_too_many(void **state)
{
    (void)state;
    double velocity[70] = {1};
    crm_model *model = long_chain(70, NULL, 1);
    crm_outcome *outcome = solve_model("sequential", model, velocity, NULL);
    assert_int_equal(outcome->result, CRM_FAILED);
    assert_non_null(strstr(outcome->reason, "at most 64 contacts, the system has 69"));
    crm_outcome_free(outcome);
    crm_model_free(model);
}

/* ---- Options --------------------------------------------------------------------------------- */

static void refused_options_name_law_option_and_range(void **state)
{
    (void)state;
    check_option_refused("sequential", (option){"max_state", NULL, 1}, "'max_states'");
    check_option_refused("sequential", (option){"max_states", NULL, 1e7},
                         "is 1e+07,|whole number|1e+06");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_equal_balls_have_two_sequential_outcomes),
        cmocka_unit_test(one_outcome_has_no_others),
        cmocka_unit_test(small_velocities_of_other_outcomes_are_written),
        cmocka_unit_test(equal_balls_reach_the_solitary_and_the_simultaneous_outcome),
        cmocka_unit_test(three_unequal_balls_have_the_sequential_outcomes_of_the_tree),
        cmocka_unit_test(every_elastic_sequential_outcome_is_admissible),
        cmocka_unit_test(a_search_given_up_says_so),
        cmocka_unit_test(sequential_says_when_contacts_are_too_many),
        cmocka_unit_test(refused_options_name_law_option_and_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
