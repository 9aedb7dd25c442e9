/* The power of the LZB kernel against long double. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "law/lzb/state/power.h"
#include "support.h"

static void power_is_good_to_the_rounding_of_its_exponent(void **state)
{
    (void)state;
    rng r = rng_seeded(81);
    double worst = 0;
    for (int i = 0; i < 200000; i++) {
        double x = rng_log(&r, 1e-40, 1e20), a = i % 4 ? rng_log(&r, 1e-3, 10.0) : 1.5;
        long double want = powl((long double)x, (long double)a);
        double size = fabs(a * log2(x));
        if (size > 990.0) {
            continue;
        }
        double error = (double)fabsl((long double)lzb_power(x, a) / want - 1.0L);
        worst = fmax(worst, error / ((4.0 + size) * 0x1p-52));
    }
    print_message("power: worst error %.2f of what is allowed\n", worst);
    assert_true(worst <= 1.0);
}

static void near_power_is_good_to_seven_digits(void **state)
{
    (void)state;
    rng r = rng_seeded(82);
    for (int i = 0; i < 200000; i++) {
        double x = rng_log(&r, 1e-290, 1e290), a = 1.0 / (1.0 + (double)rng_below(&r, 15));
        assert_near(lzb_near_power(x, a) / (double)powl((long double)x, (long double)a), 1.0, 1e-7);
    }
}

static void power_at_the_ends_of_its_range(void **state)
{
    (void)state;
    assert_true(lzb_power(1.0, 1.7) == 1.0);
    assert_true(lzb_power(0.0, 1.7) == 0.0);
    assert_true(lzb_power(-1.0, 1.7) == 0.0);
    assert_true(lzb_power(1e-301, 0.5) == 0.0);
    assert_true(lzb_power(1e-200, 2.0) == 0.0);
    assert_true(isfinite(lzb_power(1e300, 10.0)));
    assert_near(lzb_power(2.0, 10.0), 1024.0, 1e-11);
    assert_near(lzb_power(0.70710678118654746, 2.0), 0.5, 1e-15);
    assert_near(lzb_power(0.70710678118654757, 2.0), 0.5, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_is_good_to_the_rounding_of_its_exponent),
        cmocka_unit_test(near_power_is_good_to_seven_digits),
        cmocka_unit_test(power_at_the_ends_of_its_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
