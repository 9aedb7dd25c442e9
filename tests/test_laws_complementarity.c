/* The laws by complementarity: moreau, newton, generalized-newton, poisson. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"
#include "support.h"

/* These laws are solved to rounding; a dozen contacts lose a few digits. */
static const double rounding = 1e-12;
/* Velocities of a chain are differences of impulses that sum up over its whole length. */
static const double chain_rounding = 1e-11;
/* Where impulses are not unique, those of least norm are approached, not met (carom/lcp.h). */
static const double choice_accuracy = 1e-5;
/* LZB integrates to a relative 1e-8 by default. */
static const double lzb_error = 1e-7;

static const char *const every_law[] = {"moreau", "newton", "generalized-newton", "poisson"};
enum { LAWS = sizeof every_law / sizeof every_law[0] };

/* ---- Calling ----------------------------------------------------------------------------------
 */

static crm_settings *settings_of(const char *law)
{
    crm_settings *settings = NULL;
    crm_error error = {0};
    assert_non_null(crm_law_find(law));
    assert_ok(crm_settings_create(crm_law_find(law), &settings, &error), &error);
    return settings;
}

static crm_outcome *outcome_by(const crm_settings *settings, const small_system *system)
{
    crm_model *model = small_system_model(system);
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(crm_solve(model, system->velocity, settings, NULL, &outcome, &error), &error);
    crm_model_free(model);
    return outcome;
}

/* The call succeeds; the outcome may be anything. */
static crm_outcome *outcome_of(const char *law, const small_system *system)
{
    crm_settings *settings = settings_of(law);
    crm_outcome *outcome = outcome_by(settings, system);
    crm_settings_free(settings);
    return outcome;
}

static void assert_solved(const crm_outcome *outcome)
{
    if (outcome->result != CRM_SOLVED) {
        fail_msg("%s: %s", outcome->law->name, outcome->reason);
    }
}

static crm_outcome *solve_small(const char *law, const small_system *system)
{
    crm_outcome *outcome = outcome_of(law, system);
    assert_solved(outcome);
    return outcome;
}

static crm_outcome *solve_matrix(const small_system *system, const double *matrix)
{
    crm_settings *settings = settings_of("generalized-newton");
    crm_error error = {0};
    assert_ok(crm_settings_set_list(settings, "restitution_matrix", system->s * system->s, matrix,
                                    &error),
              &error);
    crm_outcome *outcome = outcome_by(settings, system);
    crm_settings_free(settings);
    assert_solved(outcome);
    return outcome;
}

static void set_restitution(small_system *system, double e)
{
    for (size_t j = 0; j < system->s; j++) {
        system->restitution[j] = e;
    }
}

/* ---- Systems ----------------------------------------------------------------------------------
 */

/* Twelve kinds of system in turn; every third has moving boundaries. */
static small_system random_system(rng *r, int kind)
{
    random_choice choice = random_choice_default();
    choice.most_contacts = 7;
    choice.least_restitution = 0.0;
    choice.plastic_sometimes = true;
    disc_patch patch;
    small_system system = kind % 4 == 0   ? random_chain(r, choice, false)
                          : kind % 4 == 1 ? random_chain(r, choice, true)
                          : kind % 4 == 2 ? random_lagrangian(r, choice)
                                          : random_disc_patch(r, choice, &patch);
    for (size_t j = 0; j < system.s && kind % 3 == 0; j++) {
        system.boundary_velocity[j] = rng_uniform(r, -0.5, 0.5);
    }
    return system;
}

/* Contacts that part before the impact are made to close, every other one brought to rest, by
 * prescribed motion.
 */
static void make_all_close(small_system *system)
{
    double u[SMALL];
    small_system_gap_velocity(system, system->velocity, u);
    for (size_t j = 0; j < system->s; j++) {
        system->boundary_velocity[j] -= u[j] > 0.0 ? u[j] * (double)(2 - j % 2) : 0.0;
    }
}

static bool some_part(const small_system *system)
{
    double u[SMALL];
    small_system_gap_velocity(system, system->velocity, u);
    for (size_t j = 0; j < system->s; j++) {
        if (u[j] > 0.0) {
            return true;
        }
    }
    return false;
}

/* ---- A projection, done by trying every set of contacts -----------------------------------------
 */

/* x := A^-1 x by elimination with pivots; false when A is singular. Destroys A (rows of n). */
static bool eliminate(long double *a, long double *x, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++) {
            best = fabsl(a[i * n + k]) > fabsl(a[best * n + k]) ? i : best;
        }
        if (fabsl(a[best * n + k]) < 1e-13L) {
            return false;
        }
        for (size_t l = 0; l < n; l++) {
            long double kept = a[k * n + l];
            a[k * n + l] = a[best * n + l];
            a[best * n + l] = kept;
        }
        long double kept = x[k];
        x[k] = x[best];
        x[best] = kept;
        for (size_t i = 0; i < n; i++) {
            long double f = i == k ? 0.0L : a[i * n + k] / a[k * n + k];
            for (size_t l = k; l < n; l++) {
                a[i * n + l] -= f * a[k * n + l];
            }
            x[i] -= f * x[k];
        }
    }
    for (size_t k = 0; k < n; k++) {
        x[k] /= a[k * n + k];
    }
    return true;
}

/* The nearest velocity with W'v = -boundary velocity on the contacts of `set`:
 * M (v - v-) = W p, a linear system in (v, p).
 */
static bool project_on(const small_system *system, unsigned set, double *v, double *least_p)
{
    size_t n = system->n, size = n, contact[SMALL];
    for (size_t j = 0; j < system->s; j++) {
        if (set >> j & 1u) {
            contact[size++ - n] = j;
        }
    }
    static long double a[4 * SMALL * SMALL];
    long double x[2 * SMALL];
    memset(a, 0, sizeof a);
    for (size_t i = 0; i < n; i++) {
        x[i] = 0.0L;
        for (size_t k = 0; k < n; k++) {
            a[i * size + k] = system->mass[i * n + k];
            x[i] += (long double)system->mass[i * n + k] * system->velocity[k];
        }
    }
    for (size_t l = n; l < size; l++) {
        size_t j = contact[l - n];
        x[l] = -system->boundary_velocity[j];
        for (size_t i = 0; i < n; i++) {
            a[l * size + i] = system->w[j * n + i];
            a[i * size + l] = -system->w[j * n + i];
        }
    }
    if (!eliminate(a, x, size)) {
        return false;
    }
    *least_p = 0.0;
    for (size_t i = 0; i < size; i++) {
        if (i < n) {
            v[i] = (double)x[i];
        } else {
            *least_p = fmin(*least_p, (double)x[i]);
        }
    }
    return true;
}

/* proj_M[V; v-], V = {v: u(v) >= 0}. The projection on a polyhedron is that on the face it lies
 * on, from where it is pushed outwards by no contact.
 */
static void project(const small_system *system, double *v)
{
    for (unsigned set = 0; set < 1u << system->s; set++) {
        double u[SMALL], least_p;
        if (!project_on(system, set, v, &least_p) || least_p < -1e-13) {
            continue;
        }
        small_system_gap_velocity(system, v, u);
        bool admissible = true;
        for (size_t j = 0; j < system->s; j++) {
            admissible &= u[j] >= -1e-13;
        }
        if (admissible) {
            return;
        }
    }
    small_system_print(system);
    fail_msg("no projection found");
}

/* ---- What every outcome must be ------------------------------------------------------------- */

/* M (v+ - v-) = W p, u+ = W'v+ + boundary velocity and p >= 0, from the numbers of the system. */
static void check_mechanics(const small_system *system, const crm_outcome *outcome)
{
    double u[SMALL];
    for (size_t i = 0; i < system->n; i++) {
        double balance = 0.0, size = 1.0;
        for (size_t k = 0; k < system->n; k++) {
            double term =
                system->mass[i * system->n + k] * (outcome->velocity[k] - system->velocity[k]);
            balance += term;
            size += fabs(term);
        }
        for (size_t j = 0; j < system->s; j++) {
            balance -= system->w[j * system->n + i] * outcome->impulse[j];
        }
        assert_near(balance, 0.0, rounding * size);
    }
    small_system_gap_velocity(system, outcome->velocity, u);
    assert_all_near(outcome->gap_velocity, u, system->s, rounding);
    for (size_t j = 0; j < system->s; j++) {
        assert_true(outcome->impulse[j] >= 0.0);
    }
    assert_true(outcome->kinetic);
    assert_true(outcome->error_estimate <= 1e-12);
    assert_true(isnan(outcome->energy_error) && isnan(outcome->duration));
    assert_null(outcome->peak_force);
}

/* u+ + E u- >= 0 complementary to p, E by rows. */
static void check_newton(const small_system *system, const double *e, const crm_outcome *outcome)
{
    double u[SMALL], largest = 0.0;
    small_system_gap_velocity(system, system->velocity, u);
    for (size_t j = 0; j < system->s; j++) {
        largest = fmax(largest, outcome->impulse[j]);
    }
    for (size_t i = 0; i < system->s; i++) {
        double w = outcome->gap_velocity[i];
        for (size_t k = 0; k < system->s; k++) {
            w += e[i * system->s + k] * u[k];
        }
        assert_true(w >= -rounding * (1.0 + largest));
        assert_near(outcome->impulse[i] * w, 0.0, rounding * (1.0 + largest) * (1.0 + largest));
    }
}

static void impulses_and_velocities_are_complementary(void **state)
{
    (void)state;
    rng r = rng_seeded(301);
    for (int i = 0; i < 1200; i++) {
        small_system system = random_system(&r, i);
        double e[SMALL * SMALL] = {0};
        for (size_t j = 0; j < system.s; j++) {
            e[j * (system.s + 1)] = system.restitution[j];
        }
        crm_outcome *newton = outcome_of("newton", &system);
        if (newton->result == CRM_SOLVED) {
            check_mechanics(&system, newton);
            check_newton(&system, e, newton);
        }
        crm_outcome *diagonal = outcome_of("generalized-newton", &system);
        assert_int_equal(diagonal->result, newton->result);
        assert_all_near(diagonal->velocity, newton->velocity, system.n, 0.0);
        crm_outcome_free(newton);
        crm_outcome_free(diagonal);
        for (size_t k = 0; k < system.s * system.s; k++) {
            e[k] = rng_uniform(&r, -0.2, 1.0);
        }
        crm_settings *settings = settings_of("generalized-newton");
        crm_error error = {0};
        assert_ok(
            crm_settings_set_list(settings, "restitution_matrix", system.s * system.s, e, &error),
            &error);
        crm_outcome *outcome = outcome_by(settings, &system);
        if (outcome->result == CRM_SOLVED) {
            check_mechanics(&system, outcome);
            check_newton(&system, e, outcome);
        }
        crm_outcome_free(outcome);
        crm_settings_free(settings);
    }
}

/* Whatever the coefficients: no contact closes or pulls, no energy is made (src/law/poisson.c). */
static void poisson_violates_nothing(void **state)
{
    (void)state;
    rng r = rng_seeded(302);
    int solved = 0;
    for (int i = 0; i < 1200; i++) {
        small_system system = random_system(&r, i);
        crm_outcome *outcome = outcome_of("poisson", &system);
        if (outcome->result == CRM_SOLVED) {
            check_mechanics(&system, outcome);
            for (size_t j = 0; j < system.s; j++) {
                assert_true(outcome->gap_velocity[j] >= -rounding);
            }
            assert_true(outcome->kinematic && outcome->energetic);
            assert_null(strstr(outcome->note, "from nothing"));
            solved++;
        } else {
            assert_int_equal(outcome->result, CRM_INFEASIBLE);
        }
        crm_outcome_free(outcome);
    }
    assert_true(solved > 1000);
}

/* The same of Moreau's law, but for contacts that were parting; and it is a projection. */
static void moreau_is_a_projection(void **state)
{
    (void)state;
    rng r = rng_seeded(303);
    int solved = 0;
    for (int i = 0; i < 600; i++) {
        small_system system = random_system(&r, i);
        double e = i % 5 == 0 ? 0.0 : i % 5 == 1 ? 1.0 : rng_uniform(&r, 0.0, 1.0);
        set_restitution(&system, e);
        crm_outcome *outcome = outcome_of("moreau", &system);
        if (outcome->result == CRM_SOLVED) {
            double v[SMALL] = {0};
            project(&system, v);
            for (size_t k = 0; k < system.n; k++) {
                v[k] = -e * system.velocity[k] + (1.0 + e) * v[k];
            }
            assert_all_near(outcome->velocity, v, system.n, 10.0 * rounding);
            check_mechanics(&system, outcome);
            assert_true(outcome->energetic);
            assert_true(outcome->kinematic || some_part(&system));
            solved++;
        }
        crm_outcome_free(outcome);
    }
    assert_true(solved > 500);
}

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
    assert_near(outcome->velocity[0], share - e, chain_rounding);
    for (size_t i = 1; i < n; i++) {
        assert_near(outcome->velocity[i], share, chain_rounding);
        assert_near(outcome->impulse[i - 1], mass * share * (double)(n - i), chain_rounding);
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
            crm_outcome *outcome = solve_small(every_law[k], &system);
            double scale = largest_size(system.velocity, system.n) + 1.0;
            assert_near(outcome->gap_velocity[0], -system.restitution[0] * u, rounding * scale);
            assert_all_near(outcome->velocity, lzb->velocity, system.n, lzb_error * scale);
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
            crm_outcome *outcome = solve_small(every_law[l], &ball);
            assert_near(outcome->velocity[0], -0.7 - 1.7 * e, rounding);
            assert_near(outcome->boundary_work, 0.7 * 1.7 * (1.0 + e), rounding);
            assert_near(outcome->loss[0], 0.5 * 1.7 * 1.7 * (1.0 - e * e), rounding);
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
            crm_outcome *still = solve_small(every_law[l], &chain);
            crm_outcome *seen = solve_small(every_law[l], &moving);
            assert_all_near(seen->impulse, still->impulse, chain.s, 100.0 * rounding);
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
        crm_outcome *outcome = solve_small(every_law[l], &chain);
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
    crm_outcome *outcome = solve_small("poisson", &chain);
    assert_all_near(outcome->velocity, want_v, 3, rounding);
    assert_all_near(outcome->impulse, want_p, 2, rounding);
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
    assert_all_near(outcome->velocity, want, 3, rounding);
    assert_all_near(outcome->impulse, want_p, 2, rounding);
    assert_true(outcome->kinematic && outcome->kinetic && outcome->energetic);
    assert_true(outcome->note[0] == '\0');
    crm_outcome_free(outcome);
    /* The transposed matrix asks contact 1 to leave at the closing speed of contact 2, which is
     * 0: the same as plastic. A row is a contact that leaves, a column one that closed. */
    const double transposed[] = {0, 1, 0, 0}, third[] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    outcome = solve_matrix(&chain, transposed);
    assert_all_near(outcome->velocity, third, 3, rounding);
    crm_outcome_free(outcome);
}

/* ---- P2 figure 10: a rod rocking on two obstacles ----------------------------------------------
 */

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
        crm_outcome *outcome = solve_small(every_law[k], &rod);
        if (ratio < 1.0) {
            double p = 2.0 * a * spin / struck;
            assert_near(outcome->impulse[0], p, rounding);
            assert_true(outcome->impulse[1] == 0.0);
            assert_near(outcome->gap_velocity[1], p * (1.0 - ratio) / mass, rounding);
            assert_true(outcome->gap_velocity[1] > 0.0);
        } else {
            assert_true(outcome->impulse[0] > 0.0 && outcome->impulse[1] > 0.0);
            assert_near(outcome->velocity[0], 0.0, rounding);
            assert_near(outcome->velocity[1], 0.0, rounding);
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

/* ---- Dependent contacts -------------------------------------------------------------------------
 */

static void add_disc_contact(small_system *system, const double (*at)[2], size_t a, size_t b)
{
    double x = at[b][0] - at[a][0], y = at[b][1] - at[a][1], d = hypot(x, y);
    double *w = &system->w[system->s++ * system->n];
    w[2 * a] = -x / d;
    w[2 * a + 1] = -y / d;
    w[2 * b] = x / d;
    w[2 * b + 1] = y / d;
}

/* Discs of unit mass and diameter that touch where they are at distance 1. */
static small_system touching_discs(size_t count, const double (*at)[2])
{
    small_system system = small_system_blank(2 * count, SMALL);
    system.s = 0;
    for (size_t a = 0; a < count; a++) {
        for (size_t b = a + 1; b < count; b++) {
            if (hypot(at[b][0] - at[a][0], at[b][1] - at[a][1]) < 1.01) {
                add_disc_contact(&system, at, a, b);
            }
        }
    }
    set_restitution(&system, 0.6);
    return system;
}

/* P4 figure 10: a rhombus of four. Its five contacts are independent. */
static small_system four_discs(void)
{
    double h = sqrt(0.75);
    const double at[][2] = {{0, h}, {-0.5, 0}, {0, -h}, {0.5, 0}};
    small_system system = touching_discs(4, at);
    system.velocity[2] = 1.0;
    return system;
}

/* One disc with six around: twelve contacts, of which eleven are independent. */
static small_system seven_discs(void)
{
    double at[7][2] = {{0}};
    for (int k = 0; k < 6; k++) {
        at[k + 1][0] = cos(1.0471975511965977 * k);
        at[k + 1][1] = sin(1.0471975511965977 * k);
    }
    small_system system = touching_discs(7, (const double(*)[2])at);
    const double inwards[] = {0, 0, -1.0, 0, -0.5, -0.8, 0.4, -0.9, 1.2, 0.1, 0.3, 1.1, -0.5, 0.9};
    memcpy(system.velocity, inwards, sizeof inwards);
    return system;
}

static void check_order_independence(const small_system *system, const char *law, bool unique)
{
    rng r = rng_seeded(306);
    crm_outcome *first = solve_small(law, system);
    assert_true(first->unique == unique);
    for (int i = 0; i < 20; i++) {
        size_t contacts[SMALL], coordinates[SMALL];
        rng_shuffle(&r, contacts, system->s);
        rng_shuffle(&r, coordinates, system->n);
        small_system renumbered = small_system_renumbered(system, contacts, coordinates);
        crm_outcome *outcome = solve_small(law, &renumbered);
        assert_true(outcome->unique == unique);
        for (size_t k = 0; k < system->n; k++) {
            assert_near(outcome->velocity[k], first->velocity[coordinates[k]], rounding);
        }
        /* Also the impulses: one choice among them is made by a norm, not by the numbering. */
        for (size_t j = 0; j < system->s; j++) {
            assert_near(outcome->impulse[j], first->impulse[contacts[j]], choice_accuracy);
        }
        crm_outcome_free(outcome);
    }
    crm_outcome_free(first);
}

static void contact_order_does_not_matter(void **state)
{
    (void)state;
    size_t rank;
    crm_error error = {0};
    small_system four = four_discs(), seven = seven_discs();
    crm_model *model = small_system_model(&four);
    assert_ok(crm_model_rank(model, &rank, &error), &error);
    assert_true(four.s == 5 && rank == 5);
    crm_model_free(model);
    model = small_system_model(&seven);
    assert_ok(crm_model_rank(model, &rank, &error), &error);
    assert_true(seven.s == 12 && rank == 11);
    crm_model_free(model);
    for (size_t k = 0; k < LAWS; k++) {
        check_order_independence(&four, every_law[k], true);
        check_order_independence(&seven, every_law[k], false);
    }
}

/* v+ is that of the projection, which knows nothing of impulses, and the note says what is not
 * determined.
 */
static void dependent_contacts_leave_the_velocities_unique(void **state)
{
    (void)state;
    small_system systems[] = {four_discs(), seven_discs()};
    for (int i = 0; i < 2; i++) {
        double v[SMALL] = {0}, e = systems[i].restitution[0];
        project(&systems[i], v);
        for (size_t k = 0; k < systems[i].n; k++) {
            v[k] = (1.0 + e) * v[k] - e * systems[i].velocity[k];
        }
        for (size_t k = 0; k < LAWS; k++) {
            crm_outcome *outcome = solve_small(every_law[k], &systems[i]);
            assert_all_near(outcome->velocity, v, systems[i].n, rounding);
            assert_true((strstr(outcome->note, "not unique") != NULL) == (i == 1));
            crm_outcome_free(outcome);
        }
    }
}

/* The same contact twice, with e = 1 and 0. Compression is shared equally (the least norm), half of
 * it is returned: u+ = 1/2. Any other share gives another velocity, and the outcome says so.
 */
static void poisson_says_when_velocities_depend_on_a_choice(void **state)
{
    (void)state;
    small_system twice = small_system_blank(1, 2);
    twice.w[0] = twice.w[1] = 1.0;
    twice.velocity[0] = -1.0;
    twice.restitution[1] = 0.0;
    crm_outcome *outcome = solve_small("poisson", &twice);
    assert_near(outcome->velocity[0], 0.5, choice_accuracy);
    assert_false(outcome->unique);
    assert_non_null(strstr(outcome->note, "velocities depend on this choice"));
    crm_outcome_free(outcome);
    outcome = solve_small("newton", &twice); /* contact 1 does it all: nothing to choose */
    assert_near(outcome->velocity[0], 1.0, rounding);
    assert_true(outcome->unique && outcome->note[0] == '\0');
    crm_outcome_free(outcome);
}

/* ---- Laws compared -------------------------------------------------------------------------- */

static void poisson_is_newton_for_equal_coefficients(void **state)
{
    (void)state;
    rng r = rng_seeded(307);
    int compared = 0, apart = 0;
    for (int i = 0; i < 800; i++) {
        small_system system = random_system(&r, i);
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
            assert_all_near(poisson->velocity, newton->velocity, system.n, 10.0 * rounding);
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
            crm_outcome *moreau = solve_small("moreau", &chain);
            assert_all_near(lzb->velocity, moreau->velocity, n, lzb_error);
            crm_outcome_free(lzb);
            crm_outcome_free(moreau);
        }
    }
}

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
        crm_outcome *outcome = solve_small("newton", &chain);
        const double want[] = {(4.0 - a) / 3.0, 2.0 * (1.0 - a) / 3.0};
        assert_all_near(outcome->impulse, want, 2, rounding);
        assert_near(outcome->energy_after - outcome->energy_before, a * (1.0 - a) / 3.0, rounding);
        assert_false(outcome->energetic);
        char amount[64];
        snprintf(amount, sizeof amount, "makes %.4g J of energy from nothing", a * (1.0 - a) / 3.0);
        assert_non_null(strstr(outcome->note, amount));
        crm_outcome_free(outcome);
        outcome = solve_small("poisson", &chain);
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
    assert_all_near(outcome->velocity, want, 3, rounding);
    assert_false(outcome->energetic);
    assert_non_null(strstr(outcome->note, "makes 2 J of energy from nothing (0.5 J before)"));
    crm_outcome_free(outcome);
    const double sink[] = {0, 0, -0.5, 0}; /* contact 2 is allowed to close at 1/2 */
    outcome = solve_matrix(&chain, sink);
    assert_false(outcome->kinematic);
    assert_non_null(strstr(outcome->note, "1 contact closes after the impact (contact 2"));
    crm_outcome_free(outcome);
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
    crm_outcome *outcome = solve_small("moreau", &chain);
    assert_all_near(outcome->velocity, want, 3, rounding);
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
        small_system system = random_system(&r, i);
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
    charged.stored_energy[1] = 0.25;
    for (size_t k = 0; k < LAWS; k++) {
        crm_outcome *plain = solve_small(every_law[k], &chain);
        crm_outcome *outcome = solve_small(every_law[k], &charged);
        assert_all_near(outcome->velocity, plain->velocity, 3, 0.0);
        assert_null(strstr(plain->note, "stored energy"));
        assert_non_null(strstr(outcome->note, "the 0.25 J in the contacts count as lost"));
        assert_near(outcome->loss[0] + outcome->loss[1], 0.25, rounding);
        crm_outcome_free(plain);
        crm_outcome_free(outcome);
    }
}

/* ---- No answer ----------------------------------------------------------------------------------
 */

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
    crm_outcome *stuck = solve_small("poisson", &ball); /* u0 = 0, and there it stays */
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

static void velocities_beyond_the_arithmetic_fail(void **state)
{
    (void)state;
    small_system chain = small_system_chain(2, false);
    chain.velocity[0] = 1.7e308;
    chain.velocity[1] = -1.7e308;
    for (size_t k = 0; k < LAWS; k++) {
        crm_outcome *outcome = outcome_of(every_law[k], &chain);
        assert_int_equal(outcome->result, CRM_FAILED);
        assert_non_null(strstr(outcome->reason, "too large"));
        crm_outcome_free(outcome);
    }
}

static void no_contacts_is_no_impact(void **state)
{
    (void)state;
    crm_chain_def def = crm_chain_def_default();
    def.count = 1;
    crm_error error = {0};
    crm_model *model = NULL;
    if (crm_model_from_chain(&def, &model, &error) != CRM_OK) {
        return; /* a model without contacts is not to be had */
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
    static const double bad[] = {-0.1, 1.1, NAN};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(crm_settings_set_number(settings, "restitution", bad[i], &error),
                         CRM_ERROR_OPTION);
        assert_string_equal(error.place, "restitution");
    }
    assert_ok(crm_settings_set_number(settings, "restitution", 0.25, &error), &error);
    crm_outcome *given = outcome_by(settings, &chain);
    set_restitution(&chain, 0.25);
    crm_outcome *common = solve_small("newton", &chain);
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
        cmocka_unit_test(impulses_and_velocities_are_complementary),
        cmocka_unit_test(poisson_violates_nothing),
        cmocka_unit_test(moreau_is_a_projection),
        cmocka_unit_test(contact_order_does_not_matter),
        cmocka_unit_test(dependent_contacts_leave_the_velocities_unique),
        cmocka_unit_test(poisson_says_when_velocities_depend_on_a_choice),
        cmocka_unit_test(poisson_is_newton_for_equal_coefficients),
        cmocka_unit_test(plastic_chains_end_alike_by_moreau_and_lzb),
        cmocka_unit_test(newton_flags_energy_it_makes),
        cmocka_unit_test(generalized_newton_flags_energy_it_makes),
        cmocka_unit_test(moreau_flags_a_contact_it_leaves_closing),
        cmocka_unit_test(rounding_is_not_called_energy),
        cmocka_unit_test(stored_energy_is_disregarded_and_said_so),
        cmocka_unit_test(impossible_demands_are_infeasible),
        cmocka_unit_test(without_a_delassus_matrix_the_laws_say_so),
        cmocka_unit_test(velocities_beyond_the_arithmetic_fail),
        cmocka_unit_test(no_contacts_is_no_impact),
        cmocka_unit_test(moreau_wants_one_restitution),
        cmocka_unit_test(a_matrix_of_the_wrong_size_is_refused),
        cmocka_unit_test(newton_and_poisson_have_no_options),
        cmocka_unit_test(long_chains_need_no_dense_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
