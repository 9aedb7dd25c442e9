/* Light bodies between heavy ones, judged by series. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "series.h"
#include "support.h"

/* Masses over five decades; the fifth ball, of 3 g, swings 140 times between its neighbours, which
 * press on it with impulses of 1700 Ns each. The truth is by series in 113 bits (campaign_lzb
 * --only 117 1101 --quad).
 */
static void a_light_ball_is_the_difference_of_large_impulses(void **state)
{
    (void)state;
    enum { BALLS = 6, LIGHT = 4 };
    static const double mass[BALLS] = {22.947454613869137,    782.59666876835354,
                                       14.498858793388326,    0.80495802789680415,
                                       0.0033775104632347715, 213.79588801150263};
    static const double exponent[BALLS] = {2.1468670412300321, 1.5, 2.3309047152259801, 1,
                                           2.8833314577241764, 1.5};
    static const double truth[BALLS] = {-1.1373886657195935,  -1.1022994359595861,
                                        -0.73560558155811284, -0.67305696986900743,
                                        -0.67289666087282884, -0.46306636100684134};
    small_system system = small_system_chain(BALLS, true);
    for (size_t k = 0; k < BALLS; k++) {
        system.mass[k * (BALLS + 1)] = mass[k];
        system.velocity[k] = system.stiffness[k] = system.restitution[k] = 1;
        system.exponent[k] = exponent[k];
    }
    crm_outcome *outcome = lzb_solve_small(&system, (lzb_choices){.tolerance = 1e-10});
    for (size_t i = 0; i < BALLS; i++) { /* rounding of x comes out at 1.5e-10 */
        assert_near(outcome->velocity[i], truth[i], i == LIGHT ? 5e-10 : 2e-12);
    }
    assert_true(fabs(outcome->velocity[LIGHT] - truth[LIGHT]) < outcome->error_estimate);
    crm_outcome_free(outcome);
}

/* A ball of next to no mass swings thousands of times while the others come and go; when it is let
 * go depends on what these do to each other, of which D knows one part in 1e16 of 1/m, and the
 * judge in 64 bits one in 1e19: at 1e7 that moves the swing by 4e-10.
 */
static void a_light_ball_swings_between_heavy_ones(void **state)
{
    (void)state;
    static const struct {
        double mass, tolerance;
    } trials[] = {{1e-4, 1e-10}, {1e-5, 1e-10}, {1e-6, 1e-8}, {1e-7, 1e-8}};
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        small_system system = small_system_chain(3, false);
        system.mass[0] = 1;
        system.mass[4] = trials[i].mass;
        system.mass[8] = 1.2;
        system.velocity[0] = 1;
        system.velocity[1] = system.velocity[2] = 0;
        for (size_t j = 0; j < 2; j++) {
            system.stiffness[j] = 1 + 0.3 * (double)j;
            system.exponent[j] = 1.5;
            system.restitution[j] = 1;
        }
        series_judgement truth =
            series_judge(&system, (series_options){.quad = true, .tail = 1e-14, .limit = 100000});
        assert_true(truth.finished);
        crm_outcome *outcome =
            lzb_solve_small(&system, (lzb_choices){.tolerance = trials[i].tolerance});
        double error = small_system_error(&system, outcome->velocity, truth.velocity);
        assert_true(error <= trials[i].tolerance);
        assert_true(!series_has_quad() || error <= outcome->error_estimate);
        for (size_t k = 0; k < 3 && series_has_quad(); k += 2) { /* rounding of x by D: 3e-14 */
            assert_near(outcome->velocity[k], truth.velocity[k], 1.2e-14);
        }
        crm_outcome_free(outcome);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_light_ball_is_the_difference_of_large_impulses),
        cmocka_unit_test(a_light_ball_swings_between_heavy_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
