/* The LZB law on chains that end at a wall: published values. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

/* One unit of the last digit where four are printed. */
static const double four_digits = 1e-4;
/* Three printed decimals. */
static const double three_digits = 1e-3;

/* `count` equal balls falling together at speed 1 onto a wall of the same stiffness. */
static crm_outcome *column_on_wall(size_t count, double exponent, double e)
{
    crm_chain_def def = crm_chain_def_default();
    def.count = count;
    def.exponent.all = exponent;
    def.restitution.all = e;
    def.stiffness.all = 1.0;
    def.wall_side = CRM_WALL_RIGHT;
    crm_model *model = chain_model(&def);
    double velocity[100];
    for (size_t i = 0; i < count; i++) {
        velocity[i] = 1.0;
    }
    crm_outcome *outcome = lzb_solve(model, velocity, lzb_bi);
    crm_model_free(model);
    return outcome;
}

/* P1 section 5.2: 100 balls. */
static void hundred_balls_on_a_wall(void **state)
{
    (void)state;
    static const struct {
        double exponent, top;
    } rows[] = {{1.0, 1.50}, {1.5, 1.88}, {2.0, 1.51}};
    for (size_t i = 0; i < 3; i++) {
        crm_outcome *outcome = column_on_wall(100, rows[i].exponent, 1.0);
        assert_near(-outcome->velocity[0], rows[i].top, 0.01);
        assert_near(outcome->energy_after, outcome->energy_before, 1e-5 * outcome->energy_before);
        crm_outcome_free(outcome);
    }
    crm_outcome *outcome = column_on_wall(100, 1.5, 0.99);
    assert_near(outcome->energy_after / outcome->energy_before, 0.51, 0.01);
    crm_outcome_free(outcome);
    outcome = column_on_wall(100, 1.5, 0.96);
    assert_near(outcome->energy_after / outcome->energy_before, 0.0, 1e-2);
    crm_outcome_free(outcome);
}

/* P0 section 8: a pressurised tennis ball and basket ball dropped together; K = 2 pi p R, in
 * series between the two.
 */
static crm_outcome *drop_two_balls(bool tennis_on_top, lzb_choices options)
{
    const double pressure = 1.0, radius[] = {0.0325, 0.38}, mass[] = {0.058, 0.58};
    const double floor_restitution[] = {0.55, 0.8}, before[] = {1, 1};
    int top = tennis_on_top ? 0 : 1, low = 1 - top;
    const double masses[] = {mass[top], mass[low]};
    crm_chain_def def = crm_chain_def_default();
    def.count = 2;
    def.mass.each = masses;
    def.stiffness.all = crm_series_stiffness(crm_pressurised_stiffness(pressure, radius[0]),
                                             crm_pressurised_stiffness(pressure, radius[1]));
    def.exponent.all = 1.0;
    def.restitution.all = 0.326;
    def.wall_side = CRM_WALL_RIGHT;
    def.wall.stiffness = crm_pressurised_stiffness(pressure, radius[low]);
    def.wall.restitution = floor_restitution[low];
    crm_model *model = chain_model(&def);
    crm_outcome *outcome = lzb_solve(model, before, options);
    crm_model_free(model);
    return outcome;
}

static void tennis_and_basket_ball(void **state)
{
    (void)state;
    static const struct {
        bool tennis_on_top;
        const char *model;
        double v[2]; /* top, low */
    } rows[] = {
        {true, "bi", {-1.1457, -0.6394}},
        {true, "mono", {-1.1475, -0.6357}}, /* by the judge -1.14754 */
        {false, "bi", {-0.1185, -0.1046}},
        {false, "mono", {0.0, 0.0}},
    };
    for (size_t i = 0; i < 4; i++) {
        lzb_choices options = {.stiffness_model = rows[i].model};
        crm_outcome *outcome = drop_two_balls(rows[i].tennis_on_top, options);
        assert_all_near(outcome->velocity, rows[i].v, 2, four_digits);
        crm_outcome_free(outcome);
    }
}

/* P0 section 9: stainless steel beads on a steel wall. */
static const double gravity = 9.81;
static const crm_material stainless = {.young = 21.6e10, .poisson = 0.276};

static crm_outcome *steel_column(size_t count, double height)
{
    crm_chain_def def = crm_chain_def_default();
    def.count = count;
    def.mass.all = 2.05e-3;
    def.radius.all = 4e-3;
    def.material = &stainless;
    def.restitution.all = 0.96;
    def.wall_side = CRM_WALL_RIGHT;
    def.wall.restitution = 0.92;
    crm_model *model = chain_model(&def);
    double velocity[16];
    for (size_t i = 0; i < count; i++) {
        velocity[i] = sqrt(2.0 * gravity * height);
    }
    crm_outcome *outcome = lzb_solve(model, velocity, lzb_bi);
    crm_model_free(model);
    return outcome;
}

static void steel_column_peak_force_on_the_wall(void **state)
{
    (void)state;
    for (size_t n = 2; n <= 8; n++) {
        crm_outcome *outcome = steel_column(n, 3.1e-3);
        assert_near(outcome->peak_force[n - 1], 52.9, 0.1); /* the wall is the last contact */
        crm_outcome_free(outcome);
    }
    for (size_t n = 5; n <= 12; n++) {
        crm_outcome *outcome = steel_column(n, 5.1e-3);
        assert_near(outcome->peak_force[n - 1], 71.3, 0.1);
        crm_outcome_free(outcome);
    }
}

static void steel_column_effective_restitution(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        double e;
    } rows[] = {{1, .92}, {2, .895}, {4, .839}, {8, .795}, {12, .747}};
    for (size_t i = 0; i < 5; i++) {
        size_t n = rows[i].n;
        crm_outcome *outcome = steel_column(n, 5.1e-3);
        double sum = 0.0;
        for (size_t k = 0; k < n; k++) {
            sum += outcome->velocity[k];
        }
        double effective = -sum / ((double)n * sqrt(2.0 * gravity * 5.1e-3));
        assert_near(effective, rows[i].e, three_digits);
        crm_outcome_free(outcome);
    }
}

static void steel_column_top_bead_is_fastest_at_eight(void **state)
{
    (void)state;
    double fastest = 0.0;
    size_t at = 0;
    for (size_t n = 5; n <= 12; n++) {
        crm_outcome *outcome = steel_column(n, 5.1e-3);
        if (-outcome->velocity[0] > fastest) {
            fastest = -outcome->velocity[0];
            at = n;
        }
        crm_outcome_free(outcome);
    }
    assert_int_equal(at, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hundred_balls_on_a_wall),
        cmocka_unit_test(tennis_and_basket_ball),
        cmocka_unit_test(steel_column_peak_force_on_the_wall),
        cmocka_unit_test(steel_column_effective_restitution),
        cmocka_unit_test(steel_column_top_bead_is_fastest_at_eight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
