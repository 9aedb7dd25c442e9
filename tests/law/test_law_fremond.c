/* Fremond's law: closed forms, enumeration of the contacts that stay closed, energy, limits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "complementarity_call.h"

static crm_outcome *fremond(const small_system *system, const double *matrix)
{
    crm_settings *settings = settings_of("fremond");
    crm_error error;
    if (matrix != NULL) {
        assert_ok(crm_settings_set_list(settings, "dissipation_matrix", system->s * system->s,
                                        matrix, &error),
                  &error);
    }
    crm_outcome *outcome = outcome_by(settings, system);
    crm_settings_free(settings);
    return outcome;
}

/* ---- Closed forms ---------------------------------------------------------------------------- */

static void one_contact_rebounds_with_its_restitution(void **state)
{
    (void)state;
    static const double e[] = {0, 0.3, 0.999999, 1};
    for (size_t k = 0; k < 4; k++) {
        small_system system = small_system_chain(2, false);
        system.velocity[0] = 2;
        set_restitution(&system, e[k]);
        crm_outcome *outcome = fremond(&system, NULL);
        assert_solved(outcome);
        assert_near(outcome->gap_velocity[0], 2 * e[k], 1e-14);
        crm_outcome_free(outcome);
    }
}

/* k D/2 < 1 would let the balls pass through one another: the reaction stops them. */
static void a_weak_dissipation_leaves_them_together(void **state)
{
    (void)state;
    small_system system = small_system_chain(2, false);
    system.velocity[0] = 1;
    static const double k[] = {0, 0.5, 1};
    for (size_t i = 0; i < 3; i++) {
        crm_outcome *outcome = fremond(&system, &k[i]);
        assert_near(outcome->gap_velocity[0], 0, 1e-15);
        assert_near(outcome->impulse[0], 0.5, 1e-15);
        crm_outcome_free(outcome);
    }
}

/* Three equal balls and three parameters, k11, k22 and k12. With D = (2 -1; -1 2) and every contact
 * open after, u+ = (I + D k/2)^-1 (I - D k/2) u-. For k = (a b; b a), in the sum and the difference
 * of contacts, with D = 1 and 3 and k = a + b and a - b: u+ = (1 - x)/(1 + x) u-, x = (a + b)/2 and
 * 3 (a - b)/2. From u- = (-1, 0), a = 4/3 and b = 2/3: x = 1 and 1, so that u+ = 0; a = 2 and
 * b = 1: x = 3/2 and 3/2, u+ = (1/5, 0); a = 2, b = 4/3: x = 5/3 and 1, u+ = (1/8, 1/8).
 */
static void three_parameters_of_three_balls(void **state)
{
    (void)state;
    static const double k[][4] = {
        {4.0 / 3, 2.0 / 3, 2.0 / 3, 4.0 / 3}, {2, 1, 1, 2}, {2, 4.0 / 3, 4.0 / 3, 2}};
    static const double after[][2] = {{0, 0}, {0.2, 0}, {0.125, 0.125}};
    small_system system = small_system_chain(3, false);
    system.velocity[0] = 1;
    for (size_t i = 0; i < 3; i++) {
        crm_outcome *outcome = fremond(&system, k[i]);
        assert_solved(outcome);
        assert_all_near(outcome->gap_velocity, after[i], 2, 1e-14);
        assert_true(outcome->energetic && outcome->kinematic);
        crm_outcome_free(outcome);
    }
}

/* ---- Enumeration ----------------------------------------------------------------------------- */

enum { MOST = 4 };

/* k of the system's restitution, or any. */
static void default_matrix(const small_system *system, const double *d, double *k)
{
    size_t s = system->s;
    memset(k, 0, s * s * sizeof *k);
    for (size_t j = 0; j < s; j++) {
        double e = system->restitution[j];
        k[j * s + j] = 2 * (1 + e) / ((1 - e) * d[j * s + j]);
    }
}

static void random_matrix(rng *r, size_t s, const double *d, double *k)
{
    double g[MOST * MOST];
    for (size_t i = 0; i < s * s; i++) {
        g[i] = rng_normal(r);
    }
    for (size_t i = 0; i < s; i++) {
        for (size_t j = 0; j < s; j++) {
            double sum = 0;
            for (size_t m = 0; m < s; m++) {
                sum += g[i * s + m] * g[j * s + m];
            }
            k[i * s + j] = 3 * sum / sqrt(d[i * s + i] * d[j * s + j]);
        }
    }
}

/* The unknowns x_j, u+_j where bit j of `open` is set, else r_j, of
 * (I + D k/2) u+ - D r = (I - D k/2) u-, by Gauss in long double. false: singular.
 */
static bool try_set(size_t s, const double *d, const double *k, const double *u, unsigned open,
                    double *x)
{
    long double a[MOST][MOST + 1], dk[MOST][MOST];
    for (size_t i = 0; i < s; i++) {
        a[i][s] = u[i];
        for (size_t j = 0; j < s; j++) {
            dk[i][j] = 0;
            for (size_t m = 0; m < s; m++) {
                dk[i][j] += 0.5L * d[i * s + m] * k[m * s + j];
            }
        }
        for (size_t j = 0; j < s; j++) {
            a[i][s] -= dk[i][j] * u[j];
            a[i][j] = open & (1u << j) ? (i == j) + dk[i][j] : -(long double)d[i * s + j];
        }
    }
    for (size_t c = 0; c < s; c++) {
        size_t best = c;
        for (size_t i = c; i < s; i++) {
            best = fabsl(a[i][c]) > fabsl(a[best][c]) ? i : best;
        }
        if (fabsl(a[best][c]) < 1e-12L) {
            return false;
        }
        for (size_t j = 0; j <= s; j++) {
            long double t = a[c][j];
            a[c][j] = a[best][j];
            a[best][j] = t;
        }
        for (size_t i = 0; i < s; i++) {
            long double f = i != c ? a[i][c] / a[c][c] : 0;
            for (size_t j = 0; j <= s; j++) {
                a[i][j] -= f * a[c][j];
            }
        }
    }
    for (size_t i = 0; i < s; i++) {
        x[i] = (double)(a[i][s] / a[i][i]);
    }
    return true;
}

/* Some set has u+ >= 0 and r >= 0; u+ is then unique. */
static bool enumerate(size_t s, const double *d, const double *k, const double *u, double *after)
{
    for (unsigned open = 0; open < 1u << s; open++) {
        double x[MOST];
        bool good = try_set(s, d, k, u, open, x);
        for (size_t j = 0; j < s && good; j++) {
            good = x[j] >= -1e-10;
            after[j] = open & (1u << j) ? x[j] : 0;
        }
        if (good) {
            return true;
        }
    }
    return false;
}

static void enumeration_agrees(void **state)
{
    (void)state;
    rng r = rng_seeded(3);
    double worst = 0;
    size_t compared = 0, pulls = 0, matrices = 0;
    for (size_t i = 0; i < rounds(3000, 200); i++) {
        small_system system = random_struck_system(&r, (int)i);
        double d[MOST * MOST], k[MOST * MOST], u[SMALL], after[MOST];
        if (system.s > MOST) {
            continue;
        }
        crm_model *model = small_system_model(&system);
        for (size_t a = 0; a < system.s; a++) {
            system.restitution[a] = rng_uniform(&r, 0, 0.98);
            for (size_t b = 0; b < system.s; b++) {
                d[a * system.s + b] = crm_model_delassus(model, a, b);
            }
        }
        crm_model_free(model);
        small_system_gap_velocity(&system, system.velocity, u);
        bool matrix = rng_below(&r, 2) == 0;
        if (matrix) {
            random_matrix(&r, system.s, d, k);
        } else {
            default_matrix(&system, d, k);
        }
        if (!enumerate(system.s, d, k, u, after)) {
            continue;
        }
        crm_outcome *outcome = fremond(&system, matrix ? k : NULL);
        assert_solved(outcome);
        double scale = fmax(largest_size(u, system.s), largest_size(after, system.s));
        worst = fmax(worst, largest_difference(outcome->gap_velocity, after, system.s) / scale);
        compared++;
        matrices += matrix;
        pulls += !outcome->kinetic;
        assert_true(outcome->kinematic);
        assert_true(outcome->energetic || some_part(&system));
        crm_outcome_free(outcome);
    }
    print_message("%zu systems, %zu with a matrix, %zu in which a contact pulls; largest "
                  "difference %.2g\n",
                  compared, matrices, pulls, worst);
    assert_true(compared > 50 && pulls > 0 && matrices > 0);
    assert_true(worst < 1e-9);
}

/* ---- Restitution 1 --------------------------------------------------------------------------- */

/* It is the limit of restitution to 1: the outcomes differ by 1 - e times the condition of D. */
static void restitution_one_is_a_limit(void **state)
{
    (void)state;
    rng r = rng_seeded(5);
    size_t compared = 0;
    for (size_t i = 0; i < rounds(600, 60); i++) {
        small_system system = random_struck_system(&r, (int)i);
        if (system.s > system.n) {
            continue; /* p is not unique, and small changes may be large */
        }
        small_system near = system;
        for (size_t j = 0; j < system.s; j++) {
            system.restitution[j] = 1;
            near.restitution[j] = 1 - 1e-12;
        }
        crm_outcome *outcome = fremond(&system, NULL), *limit = fremond(&near, NULL);
        if (outcome->result == CRM_SOLVED) {
            double scale = fmax(largest_size(outcome->gap_velocity, system.s), 1e-3);
            double apart = largest_difference(outcome->gap_velocity, limit->gap_velocity, system.s);
            assert_true(apart < 1e-5 * scale);
            compared++;
        }
        crm_outcome_free(outcome);
        crm_outcome_free(limit);
    }
    assert_true(compared > 20);
}

/* All contacts close, e = 1, the contacts depend on each other: every gap velocity is reversed. */
static void dependent_contacts_are_reversed(void **state)
{
    (void)state;
    small_system system = small_system_blank(2, 4);
    static const double w[] = {1, 0, 0, 1, 1, 1, 1, 2};
    memcpy(system.w, w, sizeof w);
    system.velocity[0] = -1;
    system.velocity[1] = -0.5;
    crm_outcome *outcome = fremond(&system, NULL);
    assert_solved(outcome);
    static const double after[] = {1, 0.5, 1.5, 2};
    assert_all_near(outcome->gap_velocity, after, 4, 1e-14);
    assert_false(outcome->unique);
    assert_near(outcome->energy_after, outcome->energy_before, 1e-14);
    crm_outcome_free(outcome);
}

/* ---- Refused --------------------------------------------------------------------------------- */

static void matrices_are_checked(void **state)
{
    (void)state;
    small_system system = small_system_chain(3, false);
    system.velocity[0] = 1;
    crm_model *model = small_system_model(&system);
    static const struct {
        double k[4];
        size_t count;
        const char *says;
    } cases[] = {
        {{1, 0, 0}, 3, "has 3 numbers"},
        {{1, 0.5, 0.4, 1}, 4, "symmetric"},
        {{-1, 0, 0, 1}, 4, "negative number on its diagonal"},
        {{1, 2, 2, 1}, 4, "no negative eigenvalue"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        crm_settings *settings = settings_of("fremond");
        crm_outcome *outcome = NULL;
        crm_error error = {0};
        assert_ok(crm_settings_set_list(settings, "dissipation_matrix", cases[i].count, cases[i].k,
                                        &error),
                  &error);
        assert_int_equal(crm_solve(model, system.velocity, settings, NULL, &outcome, &error),
                         CRM_ERROR_OPTION);
        assert_non_null(strstr(error.message, cases[i].says));
        crm_settings_free(settings);
    }
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact_rebounds_with_its_restitution),
        cmocka_unit_test(a_weak_dissipation_leaves_them_together),
        cmocka_unit_test(three_parameters_of_three_balls),
        cmocka_unit_test(enumeration_agrees),
        cmocka_unit_test(restitution_one_is_a_limit),
        cmocka_unit_test(dependent_contacts_are_reversed),
        cmocka_unit_test(matrices_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
