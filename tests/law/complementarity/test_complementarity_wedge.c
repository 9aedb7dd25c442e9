/* Laws by complementarity where contacts are nearly dependent: v+ by closed forms and by the judge.
 *
 * D = W'M^-1W squares the angles of W: two contacts that face each other but for 1e-7 are the same
 * to it. v+ is to be as exact as W tells it.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "complementarity_call.h"
#include "lcp_judge.h"
#include "lcp_systems.h"

/* Of v+, beside speeds of about 1. */
static const double ROUNDING = 1e-13;
/* An estimate with which an answer of D is left as it is. */
static const double ACCEPTED = 1e-12;

/* A particle of mass 1 in the plane between the line y = 0 and one that falls by `angle`: all that
 * no contact forbids has v_x >= 0.
 */
static small_system wedge(double angle, double e)
{
    small_system system = small_system_blank(2, 2);
    system.w[1] = 1;
    system.w[2] = angle;
    system.w[3] = -1;
    system.velocity[0] = -1;
    system.velocity[1] = -0.1;
    set_restitution(&system, e);
    return system;
}

/* e = 0: the vertex of the cone {u >= 0} is the nearest to v-, whatever the angle: v+ = 0. */
static void a_wedge_stops_what_runs_into_it(void **state)
{
    (void)state;
    const double still[] = {0, 0};
    for (double angle = 1e-8; angle < 0.2; angle *= 1.3) {
        small_system system = wedge(angle, 0);
        for (size_t k = 0; k < LAWS; k++) {
            crm_outcome *outcome = solve_by(every_law[k], &system);
            assert_all_near(outcome->velocity, still, 2, ROUNDING);
            assert_near(outcome->impulse[1] * angle, 1, 1e-12);
            assert_true(outcome->unique && outcome->kinematic && outcome->energetic);
            assert_true(outcome->error_estimate <= ACCEPTED);
            crm_outcome_free(outcome);
        }
    }
}

/* Moreau's v+ is -e v- + (1 + e) times the projection, which is 0. */
static void a_wedge_returns_what_runs_into_it(void **state)
{
    (void)state;
    const double back[] = {0.3, 0.03};
    for (double angle = 1e-8; angle < 0.2; angle *= 3) {
        small_system system = wedge(angle, 0.3);
        crm_outcome *outcome = solve_by("moreau", &system);
        assert_all_near(outcome->velocity, back, 2, ROUNDING);
        crm_outcome_free(outcome);
    }
}

/* In space, along the edge of the wedge, nothing changes; a chain behind the particle is no help.
 */
static void the_edge_of_a_wedge_is_free(void **state)
{
    (void)state;
    for (double angle = 1e-8; angle < 0.2; angle *= 7) {
        small_system flat = wedge(angle, 0), system = small_system_blank(3, 2);
        for (size_t j = 0; j < 2; j++) {
            memcpy(system.w + 3 * j, flat.w + 2 * j, 2 * sizeof(double));
        }
        memcpy(system.velocity, flat.velocity, 2 * sizeof(double));
        system.velocity[2] = 0.7;
        set_restitution(&system, 0);
        const double want[] = {0, 0, 0.7};
        crm_outcome *outcome = solve_by("moreau", &system);
        assert_all_near(outcome->velocity, want, 3, ROUNDING);
        crm_outcome_free(outcome);
    }
}

/* Dependent in earnest is something else: two walls face each other exactly, one of them twice. The
 * particle keeps its way along them, the impulses are not unique.
 */
static void parallel_walls_are_no_wedge(void **state)
{
    (void)state;
    small_system system = small_system_blank(2, 3);
    system.w[1] = 1;
    system.w[3] = -1;
    system.w[5] = -2;
    system.velocity[0] = -1;
    system.velocity[1] = -0.1;
    set_restitution(&system, 0);
    const double want[] = {-1, 0};
    crm_outcome *outcome = solve_by("moreau", &system);
    assert_all_near(outcome->velocity, want, 2, ROUNDING);
    assert_false(outcome->unique);
    /* The least sum of D_jj p_j^2, p_1 = 0.1 + p_2 + 2 p_3: nothing presses that need not. */
    assert_near(outcome->impulse[0], 0.1, ROUNDING);
    crm_outcome_free(outcome);
}

/* A particle that falls straight on the edge between two planes at right angles under load from a
 * third, half way between: p_3 = a, p_1 = p_2 = b make the same v+ for a + sqrt(2) b = 1, and the
 * norm a^2 + 2 b^2 is least for a = 1/2, b = sqrt(2)/4.
 */
static void the_least_impulses_are_given(void **state)
{
    (void)state;
    small_system system = small_system_blank(2, 3);
    const double half = sqrt(0.5), w[] = {half, half, -half, half, 0, 1};
    memcpy(system.w, w, sizeof w);
    system.velocity[1] = -1;
    set_restitution(&system, 0);
    const double want[] = {0, 0}, least[] = {sqrt(2) / 4, sqrt(2) / 4, 0.5};
    crm_outcome *outcome = solve_by("moreau", &system);
    assert_all_near(outcome->velocity, want, 2, ROUNDING);
    assert_all_near(outcome->impulse, least, 3, ROUNDING);
    assert_false(outcome->unique);
    crm_outcome_free(outcome);
}

/* ---- Beside the judge ------------------------------------------------------------------------ */

/* How far v+ goes when entries of W go to neighbouring doubles. */
static double allowed_by_w(const small_system *system, const char *law, const lcp_verdict *truth,
                           rng *r)
{
    double most = 0;
    for (int k = 0; k < 3; k++) {
        small_system nudged = lcp_nudged(system, r);
        lcp_verdict other =
            law[0] == 'p' ? lcp_judge_poisson(&nudged) : lcp_judge_newton(&nudged, NULL);
        bool same = other.sure && other.feasible;
        most = same ? fmax(most, largest_difference(other.velocity, truth->velocity, system->n))
                    : INFINITY;
    }
    return most;
}

static void compare(const small_system *system, const char *law, const char *what, rng *r)
{
    lcp_verdict truth = law[0] == 'p' ? lcp_judge_poisson(system) : lcp_judge_newton(system, NULL);
    if (!truth.sure || !truth.feasible || !truth.independent || !truth.clear) {
        return;
    }
    double allowed = allowed_by_w(system, law, &truth, r);
    double speed = largest_size(system->velocity, system->n);
    crm_outcome *outcome = outcome_of(law, system);
    double error = largest_difference(outcome->velocity, truth.velocity, system->n);
    if (isfinite(allowed) && !(outcome->result == CRM_SOLVED &&
                               error <= 100 * allowed + 1e-12 * speed && outcome->unique)) {
        small_system_print(system);
        fail_msg("%s by %s: %s, off by %.1e of %.1e, W allows %.1e", what, law, outcome->reason,
                 error, speed, allowed);
    }
    crm_outcome_free(outcome);
}

/* The kinds of campaign_lcp, which tries many more. */
static void hard_systems_are_solved_as_exactly_as_w_allows(void **state)
{
    (void)state;
    rng r = rng_seeded(1601);
    for (size_t i = 0; i < 60 * LCP_KINDS; i++) {
        lcp_kind kind = i % LCP_KINDS;
        small_system system = lcp_random_system(&r, kind);
        compare(&system, "newton", lcp_kind_names[kind], &r);
        compare(&system, "poisson", lcp_kind_names[kind], &r);
        set_restitution(&system, system.restitution[0]);
        compare(&system, "moreau", lcp_kind_names[kind], &r);
    }
}

/* Four discs in a square, on a floor or not: discs that do not touch are not coupled, but normals
 * at right angles leave 1e-17 of it, in one triangle of D and not in the other.
 */
static void every_diamond_is_solved(void **state)
{
    (void)state;
    rng r = rng_seeded(411);
    for (size_t i = 0; i < 400; i++) {
        small_system system = lcp_random_system(&r, LCP_DIAMOND);
        compare(&system, "newton", "diamond", &r);
    }
}

/* Balls of very different masses in a line, which D tells to 1e-16 of the ratio: v+ is that of the
 * judge to rounding, and the estimate says so. Poisson goes on from the velocities of its first
 * stage.
 */
static void light_balls_between_heavy_ones_are_exact(void **state)
{
    (void)state;
    rng r = rng_seeded(1106);
    for (int round = 0; round < 60; round++) {
        small_system system = small_system_chain(3 + rng_below(&r, 6), rng_below(&r, 2));
        set_restitution(&system, rng_uniform(&r, 0, 1));
        for (size_t i = 0; i < system.n; i++) {
            system.mass[i * (system.n + 1)] = i % 2 == 1 ? rng_log(&r, 1e-9, 1e-6) : 1;
            system.velocity[i] = rng_uniform(&r, -1, 1);
        }
        system.velocity[0] = 1.5;
        lcp_verdict newton = lcp_judge_newton(&system, NULL), poisson = lcp_judge_poisson(&system);
        assert_true(newton.sure && poisson.sure);
        for (size_t k = 0; k < LAWS; k++) {
            bool stages = strcmp(every_law[k], "poisson") == 0;
            crm_outcome *outcome = solve_by(every_law[k], &system);
            const double *want = stages ? poisson.velocity : newton.velocity;
            for (size_t i = 0; i < system.n; i++) {
                assert_near(outcome->velocity[i], want[i], 1e-15 * (1 + fabs(want[i])));
            }
            assert_true(outcome->error_estimate <= 1e-14 && outcome->unique);
            crm_outcome_free(outcome);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wedge_stops_what_runs_into_it),
        cmocka_unit_test(a_wedge_returns_what_runs_into_it),
        cmocka_unit_test(the_edge_of_a_wedge_is_free),
        cmocka_unit_test(parallel_walls_are_no_wedge),
        cmocka_unit_test(the_least_impulses_are_given),
        cmocka_unit_test(hard_systems_are_solved_as_exactly_as_w_allows),
        cmocka_unit_test(every_diamond_is_solved),
        cmocka_unit_test(light_balls_between_heavy_ones_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
