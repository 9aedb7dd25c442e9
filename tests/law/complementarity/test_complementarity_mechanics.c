/* What every outcome of the laws by complementarity must be. */
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
/* Where impulses are not unique, those of least norm are approached, not met (carom/lcp.h). */
static const double CHOICE_ACCURACY = 1e-5;

/* ---- A projection, done by trying every set of contacts -------------------------------------- */

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
        assert_true(w >= -ROUNDING * (1.0 + largest));
        assert_near(outcome->impulse[i] * w, 0.0, ROUNDING * (1.0 + largest) * (1.0 + largest));
    }
}

static void impulses_and_velocities_are_complementary(void **state)
{
    (void)state;
    rng r = rng_seeded(301);
    for (int i = 0; i < 1200; i++) {
        small_system system = random_struck_system(&r, i);
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
        small_system system = random_struck_system(&r, i);
        crm_outcome *outcome = outcome_of("poisson", &system);
        if (outcome->result == CRM_SOLVED) {
            check_mechanics(&system, outcome);
            for (size_t j = 0; j < system.s; j++) {
                assert_true(outcome->gap_velocity[j] >= -ROUNDING);
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
        small_system system = random_struck_system(&r, i);
        double e = i % 5 == 0 ? 0.0 : i % 5 == 1 ? 1.0 : rng_uniform(&r, 0.0, 1.0);
        set_restitution(&system, e);
        crm_outcome *outcome = outcome_of("moreau", &system);
        if (outcome->result == CRM_SOLVED) {
            double v[SMALL] = {0};
            project(&system, v);
            for (size_t k = 0; k < system.n; k++) {
                v[k] = -e * system.velocity[k] + (1.0 + e) * v[k];
            }
            assert_all_near(outcome->velocity, v, system.n, 10.0 * ROUNDING);
            check_mechanics(&system, outcome);
            assert_true(outcome->energetic);
            assert_true(outcome->kinematic || some_part(&system));
            solved++;
        }
        crm_outcome_free(outcome);
    }
    assert_true(solved > 500);
}

/* ---- Dependent contacts ---------------------------------------------------------------------- */

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
    crm_outcome *first = solve_by(law, system);
    assert_true(first->unique == unique);
    for (int i = 0; i < 20; i++) {
        size_t contacts[SMALL], coordinates[SMALL];
        rng_shuffle(&r, contacts, system->s);
        rng_shuffle(&r, coordinates, system->n);
        small_system renumbered = small_system_renumbered(system, contacts, coordinates);
        crm_outcome *outcome = solve_by(law, &renumbered);
        assert_true(outcome->unique == unique);
        for (size_t k = 0; k < system->n; k++) {
            assert_near(outcome->velocity[k], first->velocity[coordinates[k]], ROUNDING);
        }
        /* Also the impulses: one choice among them is made by a norm, not by the numbering. */
        for (size_t j = 0; j < system->s; j++) {
            assert_near(outcome->impulse[j], first->impulse[contacts[j]], CHOICE_ACCURACY);
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
            crm_outcome *outcome = solve_by(every_law[k], &systems[i]);
            assert_all_near(outcome->velocity, v, systems[i].n, ROUNDING);
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
    crm_outcome *outcome = solve_by("poisson", &twice);
    assert_near(outcome->velocity[0], 0.5, CHOICE_ACCURACY);
    assert_false(outcome->unique);
    assert_non_null(strstr(outcome->note, "velocities depend on this choice"));
    crm_outcome_free(outcome);
    outcome = solve_by("newton", &twice); /* contact 1 does it all: nothing to choose */
    assert_near(outcome->velocity[0], 1.0, ROUNDING);
    assert_true(outcome->unique && outcome->note[0] == '\0');
    crm_outcome_free(outcome);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impulses_and_velocities_are_complementary),
        cmocka_unit_test(poisson_violates_nothing),
        cmocka_unit_test(moreau_is_a_projection),
        cmocka_unit_test(contact_order_does_not_matter),
        cmocka_unit_test(dependent_contacts_leave_the_velocities_unique),
        cmocka_unit_test(poisson_says_when_velocities_depend_on_a_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
