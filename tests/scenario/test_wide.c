/* What scenarios compute with (scenario/number/wide/wide.h): functions against quadruple precision,
 * random expressions rounded once, and what is exact.
 *
 *     build/tests/test_wide COUNT      so many expressions and arguments; the errors seen
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "elementary_quad.h"
#include "expression_quad.h"
#include "expressions.h"
#include "scenario/number/number.h"
#include "support.h"

static size_t tries = 10000;
static bool tells;

/* ---- Functions ------------------------------------------------------------------------------- */

typedef struct tried {
    const char *name;
    crm_wide (*of)(crm_wide);
    double least, most; /* of the argument's size, by its logarithm */
    bool positive;
    double far; /* the least distance from 1 at which the judge can be trusted */
} tried;

static const tried functions[] = {
    {"sqrt", crm_wide_sqrt, 1e-280, 1e280, true, 0},
    {"cbrt", crm_wide_cbrt, 1e-280, 1e280, false, 0},
    {"sin", crm_wide_sin, 1e-12, 30, false, 0},
    {"cos", crm_wide_cos, 1e-12, 30, false, 0},
    {"tan", crm_wide_tan, 1e-12, 30, false, 0},
    {"asin", crm_wide_asin, 1e-12, 0.9, false, 0.1},
    {"acos", crm_wide_acos, 1e-12, 0.9, false, 0.1},
    {"atan", crm_wide_atan, 1e-12, 1e20, false, 0},
    {"exp", crm_wide_exp, 1e-12, 500, false, 0},
    {"log", crm_wide_log, 1e-280, 1e280, true, 0.01},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static double narrow_low(crm_wide a)
{
    return ldexp(a.part.low, a.exponent);
}

static crm_wide draw_argument(rng *r, const tried *f, double pair[2])
{
    double size = rng_below(r, 2) == 0 ? rng_log(r, f->least, f->most)
                                       : 1 - rng_log(r, fmax(f->far, 1e-15), 0.9); /* near 1 */
    pair[0] = f->positive || rng_below(r, 2) == 0 ? size : -size;
    pair[1] = pair[0] * rng_uniform(r, -0x1p-55, 0x1p-55);
    crm_wide a = crm_wide_sum(crm_wide_of(pair[0]), crm_wide_of(pair[1]));
    pair[0] = crm_wide_narrow(a);
    pair[1] = narrow_low(a);
    return a;
}

static void functions_are_good_to_94_bits(void **state)
{
    (void)state;
    for (size_t i = 0; i < FUNCTIONS && quad_is_there(); i++) {
        const tried *f = &functions[i];
        rng r = rng_seeded(40 + i);
        double worst = 0, where = 0;
        for (size_t k = 0; k < tries; k++) {
            double x[2];
            crm_wide got = f->of(draw_argument(&r, f, x));
            double pair[2] = {crm_wide_narrow(got), narrow_low(got)};
            double error = quad_pair_error(f->name, x, 0, pair);
            if (!(error <= worst)) {
                worst = error;
                where = x[0];
            }
        }
        if (tells) {
            printf("%-5s 2^%.1f at %.17g\n", f->name, log2(worst), where);
        }
        if (!(worst < 0x1p-94)) {
            fail_msg("%s: relative error %g at %.17g", f->name, worst, where);
        }
    }
}

/* Near 1, where the quadruple functions lose bits: back by sine, and by the exponential. */
static void inverses_are_good_near_one(void **state)
{
    (void)state;
    rng r = rng_seeded(80);
    for (size_t k = 0; k < tries; k++) {
        crm_wide less = crm_wide_of(rng_log(&r, 1e-20, 0.1)), one = crm_wide_of(1);
        crm_wide x = crm_wide_sum(one, crm_wide_negative(less));
        crm_wide half = crm_wide_product(crm_wide_of(0.5), crm_wide_acos(x)),
                 sine = crm_wide_sin(half);
        /* 1 - cos a = 2 sin^2 a/2 */
        crm_wide back = crm_wide_product(crm_wide_of(2), crm_wide_product(sine, sine));
        less = crm_wide_sum(one, crm_wide_negative(x));
        crm_wide off = crm_wide_quotient(crm_wide_sum(back, crm_wide_negative(less)), less);
        assert_true(fabs(crm_wide_narrow(off)) < 0x1p-96);
        crm_wide both = crm_wide_sum(crm_wide_asin(x), crm_wide_acos(x));
        both = crm_wide_sum(crm_wide_sum(both, both), crm_wide_negative(crm_wide_pi));
        assert_true(fabs(crm_wide_narrow(both)) < 0x1p-98);
        /* log(1 - a) = -a - a^2/2 - a^3/3 - ... */
        crm_wide tiny = crm_wide_of(rng_log(&r, 1e-18, 1e-11));
        crm_wide log_below = crm_wide_log(crm_wide_sum(one, crm_wide_negative(tiny)));
        crm_wide series =
            crm_wide_product(tiny, crm_wide_sum(one, crm_wide_product(crm_wide_of(0.5), tiny)));
        off = crm_wide_quotient(crm_wide_sum(log_below, series), tiny);
        assert_true(fabs(crm_wide_narrow(off)) < 1e-22);
    }
}

/* Beyond the angles that the quadruple functions reduce well: sin 2x = 2 sin x cos x. */
static void large_angles_are_twice_smaller_ones(void **state)
{
    (void)state;
    rng r = rng_seeded(70);
    for (size_t k = 0; k < tries; k++) {
        crm_wide x = crm_wide_of(rng_log(&r, 1, CRM_WIDE_ANGLE_MOST / 2)), two = crm_wide_of(2);
        crm_wide once = crm_wide_sin(crm_wide_product(two, x));
        crm_wide twice = crm_wide_product(two, crm_wide_product(crm_wide_sin(x), crm_wide_cos(x)));
        crm_wide off = crm_wide_quotient(crm_wide_sum(twice, crm_wide_negative(once)), once);
        assert_true(fabs(crm_wide_narrow(off)) < 0x1p-96);
    }
}

static void powers_are_good_to_92_bits(void **state)
{
    (void)state;
    rng r = rng_seeded(60);
    double worst = 0;
    for (size_t k = 0; k < tries && quad_is_there(); k++) {
        double x[2] = {rng_log(&r, 1e-60, 1e60), 0}, y = rng_uniform(&r, -4, 4);
        y = k % 2 == 0 ? rint(y) : y;
        crm_wide got = crm_wide_power(crm_wide_of(x[0]), crm_wide_of(y));
        double pair[2] = {crm_wide_narrow(got), narrow_low(got)};
        worst = fmax(worst, quad_pair_error("pow", x, y, pair));
    }
    if (tells) {
        printf("pow   2^%.1f\n", log2(worst));
    }
    assert_true(worst < 0x1p-92);
}

/* ---- Expressions ----------------------------------------------------------------------------- */

static double value_of(const char *text)
{
    char problem[128];
    crm_quantity q;
    if (!crm_expression_read(text, &q, problem, sizeof problem)) {
        fail_msg("'%s' was not understood: %s", text, problem);
    }
    return crm_wide_narrow(q.value);
}

static void expressions_are_rounded_once(void **state)
{
    (void)state;
    rng r = rng_seeded(3);
    size_t numbers = 0, undecided = 0;
    for (size_t k = 0; k < tries && quad_is_there(); k++) {
        char text[EXPRESSION_LONGEST];
        expression_draw(&r, text);
        double got = value_of(text), truth = quad_expression(text);
        if (!isnormal(truth)) { /* 0 and what is no number: not for this test */
            continue;
        }
        numbers++;
        if (got != truth && !(got == 0 && fabs(truth) < 1e-25)) {
            double least, most;
            quad_expression_range(text, &least, &most);
            if (!(got >= least && got <= most)) {
                fail_msg("'%s' is %.17g, not %.17g", text, got, truth);
            }
            undecided++;
        }
    }
    if (tells) {
        printf("%zu expressions, of which %zu cancel and differ from the judge's double, within "
               "2^-94\n",
               numbers, undecided);
    }
    assert_true(!quad_is_there() || (numbers > tries * 9 / 10 && undecided <= 1 + tries / 5000));
}

/* What is left of a sum when all but rounding cancels is 0, and so are the zeros of sine and
 * cosine. */
static void zeros_are_zero(void **state)
{
    (void)state;
    static const char *const zeros[] = {"0.3 - 3*0.1",  "sin(pi)",     "cos(90 deg)",
                                        "tan(180 deg)", "sqrt(2)^2-2", "sin(1000000 pi)",
                                        "log(3*(1/3))"};
    for (size_t i = 0; i < sizeof zeros / sizeof zeros[0]; i++) {
        if (fabs(value_of(zeros[i])) != 0) {
            fail_msg("'%s' is %g", zeros[i], value_of(zeros[i]));
        }
    }
    assert_true(value_of("asin(10*0.1)") == value_of("pi/2"));
    assert_true(value_of("acos(-10*0.1)") == value_of("pi"));
    assert_true(value_of("(-8)^(30*0.1)") == -512);
    assert_true(value_of("cos(60 deg)") == 0.5);
}

/* 2^53 + 1 lies in the middle of two doubles, of which the even one is 2^53; 10.473835e19 likewise.
 */
static void what_is_small_decides_between_two_doubles(void **state)
{
    (void)state;
    static const char *const small[] = {"0.5", "1e-10", "1e-14", "1e-20", "1e-60", "1e-600"};
    const double even = 0x1p53, above = 0x1p53 + 2;
    assert_true(value_of("2^53 + 1") == even && value_of("2^53 + 3") == even + 4);
    assert_true(value_of("3.342315e-14 - 10.473835e19") == -104738349999999991808.0);
    assert_true(value_of("-10.473835e19") == -104738350000000008192.0);
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        static const char *const forms[] = {
            "2^53 + 1 + %s",   "2^53 + 1 - %s",   "-2^53 - 1 - %s",    "-2^53 - 1 + %s",
            "%s + (2^53 + 1)", "2^53 - (%s - 1)", "2^53 + 3 - 2*(%s)", "2^53 + 3 + %s"};
        const double wanted[] = {above, even, -above, -even, above, even, above, even + 4};
        for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++) {
            char text[64];
            snprintf(text, sizeof text, forms[k], small[i]);
            if (value_of(text) != wanted[k]) {
                fail_msg("'%s' is %.17g, not %.17g", text, value_of(text), wanted[k]);
            }
        }
    }
}

static void far_numbers_come_back(void **state)
{
    (void)state;
    assert_true(value_of("1e300*1e300/1e599") == 10);
    assert_true(value_of("1e-300^3*1e901") == 10);
    assert_true(value_of("(2^2000)^0.5 / 2^990") == 1024);
    assert_true(value_of("sqrt(1e-600*1e-20)*1e310") == 1);
    assert_true(value_of("log(1e4000)/log(10)") == 4000);
    assert_true(isinf(value_of("1e400")) && isinf(value_of("1e999999999999999999999")));
    assert_true(isnan(value_of("1e-400")) && isnan(value_of("1e-999999999999999999999")));
    assert_true(value_of("0e999999999999999999999") == 0);
    assert_true(isinf(value_of("exp(1e9)")) && isnan(value_of("exp(-1e9)")));
    assert_true(isinf(value_of("((1e9999)^9999)^9999")));
    assert_true(isnan(value_of("sqrt(-1)")) && isnan(value_of("log(-1)")) &&
                isnan(value_of("asin(1.1)")) && isnan(value_of("(-8)^(1/3)")));
    assert_true(isinf(value_of("log(0)")) && isinf(value_of("0^-1")) && value_of("0^0.5") == 0 &&
                value_of("0^0") == 1);
    assert_true(isnan(value_of("1/0 - 1/0")) && value_of("1/(1/0)") == 0 && isnan(value_of("0/0")));
    char problem[128];
    crm_quantity q;
    assert_false(crm_expression_read("sin(1e16)", &q, problem, sizeof problem));
    assert_string_equal(problem, "sin takes angles up to 1e+15");
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_good_to_94_bits),
        cmocka_unit_test(inverses_are_good_near_one),
        cmocka_unit_test(large_angles_are_twice_smaller_ones),
        cmocka_unit_test(powers_are_good_to_92_bits),
        cmocka_unit_test(expressions_are_rounded_once),
        cmocka_unit_test(zeros_are_zero),
        cmocka_unit_test(what_is_small_decides_between_two_doubles),
        cmocka_unit_test(far_numbers_come_back),
    };
    if (count > 1) {
        tries = strtoul(words[1], NULL, 10);
        tells = true;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
