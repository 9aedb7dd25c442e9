/* The measures of an outcome, from their definitions on velocities made up for the purpose. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support.h"

static const double ROUNDING = 1e-14;

static crm_model *chain_of(size_t count, const double *mass, crm_wall_side side)
{
    crm_model *model = NULL;
    crm_error error = {0};
    crm_chain_def def = crm_chain_def_default();
    def.count = count;
    def.mass.each = mass;
    def.wall_side = side;
    assert_ok(crm_model_from_chain(&def, &model, &error), &error);
    return model;
}

static crm_model *equal_balls(size_t count)
{
    return chain_of(count, NULL, CRM_WALL_NONE);
}

/* ---- Energies ------------------------------------------------------------------------------ */

static void dispersion_is_deviation_over_mean(void **state)
{
    (void)state;
    crm_model *model = equal_balls(4);
    assert_near(crm_measure_dispersion(model, (double[]){1, -1, 1, 1}), 0, ROUNDING);
    assert_near(crm_measure_dispersion(model, (double[]){0, 0, -3, 0}), sqrt(3), ROUNDING);
    /* Energies 1, 4, 0, 3 halves: mean 2, squared deviations 1, 4, 4, 1. */
    assert_near(crm_measure_dispersion(model, (double[]){1, -2, 0, sqrt(3)}), sqrt(2.5) / 2,
                ROUNDING);
    assert_true(crm_measure_dispersion(model, (double[]){0, 0, 0, 0}) == 0);
    crm_model_free(model);
}

static void shares_of_the_energy(void **state)
{
    (void)state;
    static const double mass[] = {1, 2, 4};
    crm_model *model = chain_of(3, mass, CRM_WALL_NONE);
    /* Twice the energies: 4, 2, 4. */
    static const double v[] = {-2, 1, 1}, rest[] = {0, 0, 0};
    assert_near(crm_measure_forward_share(model, v), 6.0 / 10, ROUNDING);
    assert_near(crm_measure_last_share(model, v), 4.0 / 10, ROUNDING);
    assert_true(isnan(crm_measure_forward_share(model, rest)));
    assert_true(isnan(crm_measure_last_share(model, rest)));
    crm_model_free(model);
}

/* ---- Motion -------------------------------------------------------------------------------- */

static void forward_means_along_x(void **state)
{
    (void)state;
    crm_model *model = equal_balls(4);
    assert_int_equal(crm_measure_forward(model, (double[]){-1, 0, 0.5, 1e-6}), 2);
    /* What is rounding beside the fastest does not move. */
    assert_int_equal(crm_measure_forward(model, (double[]){1, 1e-14, -1e-14, 0}), 1);
    crm_model_free(model);
}

static void gap_to_a_reference(void **state)
{
    (void)state;
    crm_model *model = equal_balls(2);
    static const double reference[] = {3, 4}, other[] = {3, 5}, rest[] = {0, 0};
    assert_near(crm_measure_difference_percent(model, other, reference), 20, 1e-12);
    assert_true(crm_measure_difference_percent(model, reference, reference) == 0);
    assert_true(isinf(crm_measure_difference_percent(model, reference, rest)));
    assert_true(crm_measure_difference_percent(model, rest, rest) == 0);
    crm_model_free(model);
}

static void bodies_near_a_reference(void **state)
{
    (void)state;
    crm_model *model = equal_balls(3);
    static const double reference[] = {3, 4, 0}; /* 5 long */
    static const double v[] = {3.04, 4.06, -0.5};
    assert_int_equal(crm_measure_near(model, v, reference, 0.01), 1);  /* within 0.05 */
    assert_int_equal(crm_measure_near(model, v, reference, 0.02), 2);  /* within 0.1 */
    assert_int_equal(crm_measure_near(model, v, reference, 0.101), 3); /* within 0.505 */
    assert_int_equal(crm_measure_near(model, v, reference, 0.0001), 0);
    crm_model_free(model);
}

/* In the plane a body is one body: both coordinates together. */
static void bodies_of_several_coordinates_count_once(void **state)
{
    (void)state;
    crm_body_def balls[] = {crm_body_def_default(), crm_body_def_default()};
    for (int i = 0; i < 2; i++) {
        balls[i].radius = 1;
        balls[i].mass = 1;
        balls[i].position[0] = 2 * i;
    }
    crm_bodies_def def = crm_bodies_def_default();
    def.bodies = balls;
    def.body_count = 2;
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_bodies(&def, &model, &error), &error);
    static const double v[] = {1, 1, -1, 3}, reference[] = {1, 1, 0, 0};
    assert_int_equal(crm_measure_forward(model, v), 1);
    assert_near(crm_measure_forward_share(model, v), 2.0 / 12, ROUNDING);
    assert_near(crm_measure_last_share(model, v), 10.0 / 12, ROUNDING);
    assert_int_equal(crm_measure_near(model, v, reference, 2.2), 1); /* 3.1 of sqrt(10) = 3.16 */
    assert_int_equal(crm_measure_near(model, v, reference, 2.3), 2);
    crm_model_free(model);
}

/* ---- Contacts ------------------------------------------------------------------------------ */

static void stuck_pairs_part_slowly(void **state)
{
    (void)state;
    crm_model *model = equal_balls(4);
    static const double before[] = {2, 0, 0, 0};              /* incoming speed 2 */
    static const double after[] = {0.5, 0.5019, 0.5, 0.5021}; /* u = .0019, -.0019, .0021 */
    assert_int_equal(crm_measure_stuck_pairs(model, before, after), 2);
    /* The same for an observer who moves along. */
    static const double moving[] = {102, 100, 100, 100};
    static const double moved[] = {100.5, 100.5019, 100.5, 100.5021};
    assert_int_equal(crm_measure_stuck_pairs(model, moving, moved), 2);
    /* Nothing comes in: nothing sticks. */
    static const double rest[] = {0, 0, 0, 0};
    assert_int_equal(crm_measure_stuck_pairs(model, rest, rest), 0);
    crm_model_free(model);
    model = chain_of(2, NULL, CRM_WALL_RIGHT);
    assert_int_equal(crm_measure_stuck_pairs(model, (double[]){1, 1}, (double[]){-1, 0}), 1);
    crm_model_free(model);
}

static void effective_restitution_of_a_column(void **state)
{
    (void)state;
    crm_model *model = chain_of(2, NULL, CRM_WALL_RIGHT);
    assert_near(crm_measure_effective_restitution(model, (double[]){1, 1}, (double[]){-1.5, 0.25}),
                0.625, ROUNDING);
    assert_true(
        isnan(crm_measure_effective_restitution(model, (double[]){1, -1}, (double[]){1, 1})));
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dispersion_is_deviation_over_mean),
        cmocka_unit_test(shares_of_the_energy),
        cmocka_unit_test(forward_means_along_x),
        cmocka_unit_test(gap_to_a_reference),
        cmocka_unit_test(bodies_near_a_reference),
        cmocka_unit_test(bodies_of_several_coordinates_count_once),
        cmocka_unit_test(stuck_pairs_part_slowly),
        cmocka_unit_test(effective_restitution_of_a_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
