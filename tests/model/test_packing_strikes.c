/* Impacts on packings whose outcome follows from symmetry or from a chain. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "packing_call.h"
#include "support.h"

/* What laws promise by default is 1e-8 of the speed. */
static const double OUTCOME = 1e-6;

/* ---- Strikes --------------------------------------------------------------------------------- */

static crm_outcome *strike(const crm_model *model, const double *velocity, const char *law)
{
    crm_settings *settings = NULL;
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(crm_settings_create(crm_law_find(law), &settings, &error), &error);
    assert_ok(crm_solve(model, velocity, settings, NULL, &outcome, &error), &error);
    assert_int_equal(outcome->result, CRM_SOLVED);
    crm_settings_free(settings);
    return outcome;
}

/* A column of the cubic lattice is a chain of its own, and so is the whole of what a head-on
 * strike moves.
 */
static void a_cubic_packing_answers_like_a_chain(void **state)
{
    (void)state;
    static const char *const laws[] = {"lzb", "moreau"};
    crm_projectile_def p = crm_projectile_def_default();
    crm_packing_def def = packing_of(CRM_LATTICE_CUBIC, 3, 5, 6);
    def.projectile = &p;
    crm_chain_def line = crm_chain_def_default();
    line.count = 7;
    line.mass.all = 1;
    crm_model *model = packing_model(&def), *chain = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_chain(&line, &chain, &error), &error);
    double v[3 * 91] = {0}, along[7] = {1};
    v[3 * 90 + 2] = -1;
    for (size_t l = 0; l < 2; l++) {
        crm_outcome *a = strike(model, v, laws[l]), *b = strike(chain, along, laws[l]);
        for (size_t i = 0; i < 91; i++) {
            bool in_column = i == 90 || i % 15 == 7; /* (2, 3) of each layer */
            size_t ball = i == 90 ? 0 : 6 - i / 15;
            assert_near(a->velocity[3 * i], 0, 0);
            assert_near(a->velocity[3 * i + 1], 0, 0);
            assert_near(a->velocity[3 * i + 2], in_column ? -b->velocity[ball] : 0, OUTCOME);
        }
        crm_outcome_free(a);
        crm_outcome_free(b);
    }
    crm_model_free(model);
    crm_model_free(chain);
}

static double sum_of(const double *v, size_t first, size_t bodies, size_t dimension)
{
    double sum = 0;
    for (size_t i = 0; i < bodies; i++) {
        sum += v[first + i * dimension];
    }
    return sum;
}

/* Left is right, and momentum stays; in the middle of a row of 6, a hollow, and of 7, a ball. */
static void a_symmetric_strike_has_a_symmetric_outcome(void **state)
{
    (void)state;
    static const char *const laws[] = {"lzb", "moreau"};
    for (size_t l = 0; l < 2; l++) {
        for (size_t columns = 6; columns <= 7; columns++) {
            crm_projectile_def p = crm_projectile_def_default();
            crm_packing_def def = packing_of(CRM_LATTICE_HEXAGONAL, columns, 5, 0);
            def.projectile = &p;
            crm_model *model = packing_model(&def);
            size_t balls = crm_packing_balls(&def);
            double v[2 * 40] = {0};
            v[2 * balls + 1] = -1;
            crm_outcome *outcome = strike(model, v, laws[l]);
            const double *after = outcome->velocity;
            for (size_t row = 0, start = 0; row < 5; row++) {
                size_t length = columns - row % 2;
                for (size_t c = 0; c < length; c++) {
                    size_t here = 2 * (start + c), there = 2 * (start + length - 1 - c);
                    assert_near(after[here], -after[there], OUTCOME);
                    assert_near(after[here + 1], after[there + 1], OUTCOME);
                }
                start += length;
            }
            assert_near(sum_of(after, 0, balls + 1, 2), 0, OUTCOME);
            assert_near(sum_of(after, 1, balls + 1, 2), -1, OUTCOME);
            assert_near(outcome->energy_after, 0.5, OUTCOME); /* e = 1 */
            crm_outcome_free(outcome);
            crm_model_free(model);
        }
    }
}

/* A quarter turn about the middle leaves a strike into the middle hollow as it was. */
static void a_strike_into_a_square_hollow_has_its_symmetry(void **state)
{
    (void)state;
    crm_projectile_def p = crm_projectile_def_default();
    crm_packing_def def = packing_of(CRM_LATTICE_FCC, 4, 4, 3);
    def.projectile = &p;
    def.restitution.all = 0.9;
    crm_model *model = packing_model(&def);
    size_t balls = crm_packing_balls(&def), start = 0;
    double v[3 * 42] = {0};
    v[3 * balls + 2] = -1;
    crm_outcome *outcome = strike(model, v, "lzb");
    for (size_t layer = 0; layer < 3; layer++) {
        size_t n = 4 - layer % 2;
        for (size_t y = 0; y < n; y++) {
            for (size_t x = 0; x < n; x++) {
                /* (x, y) goes to (n - 1 - y, x), a velocity (a, b) to (-b, a). */
                const double *here = outcome->velocity + 3 * (start + y * n + x);
                const double *there = outcome->velocity + 3 * (start + x * n + n - 1 - y);
                assert_near(there[0], -here[1], OUTCOME);
                assert_near(there[1], here[0], OUTCOME);
                assert_near(there[2], here[2], OUTCOME);
            }
        }
        start += n * n;
    }
    assert_near(sum_of(outcome->velocity, 2, balls + 1, 3), -1, OUTCOME);
    crm_outcome_free(outcome);
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cubic_packing_answers_like_a_chain),
        cmocka_unit_test(a_symmetric_strike_has_a_symmetric_outcome),
        cmocka_unit_test(a_strike_into_a_square_hollow_has_its_symmetry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
