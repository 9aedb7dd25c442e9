/* Powers, logarithms and angles (base/elementary.h): against quadruple precision over all sizes of
 * arguments, where values are known, and at the edges that the C standard names.
 *
 *     build/tests/test_elementary COUNT      so many arguments of each kind; the errors seen
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/elementary.h"
#include "elementary_quad.h"
#include "support.h"

static size_t tries = 20000;
static bool tells;

/* ---- Against quadruple precision ------------------------------------------------------------ */

typedef struct tried {
    const char *name;
    quad_function truth;
    double (*of_one)(double x);
    double (*of_two)(double x, double y);
    double allowed; /* in units of the last place */
} tried;

static const tried functions[] = {
    {"pow", QUAD_POW, NULL, crm_pow, 0.53},       {"exp", QUAD_EXP, crm_exp, NULL, 0.53},
    {"expm1", QUAD_EXPM1, crm_expm1, NULL, 0.6},  {"log", QUAD_LOG, crm_log, NULL, 0.51},
    {"log2", QUAD_LOG2, crm_log2, NULL, 0.51},    {"log10", QUAD_LOG10, crm_log10, NULL, 0.51},
    {"log1p", QUAD_LOG1P, crm_log1p, NULL, 0.75}, {"sin", QUAD_SIN, crm_sin, NULL, 0.8},
    {"cos", QUAD_COS, crm_cos, NULL, 0.8},        {"asin", QUAD_ASIN, crm_asin, NULL, 0.8},
    {"acos", QUAD_ACOS, crm_acos, NULL, 0.8},     {"hypot", QUAD_HYPOT, NULL, crm_hypot, 1.25},
    {"cbrt", QUAD_CBRT, crm_cbrt, NULL, 0.51},    {"erf", QUAD_ERF, crm_erf, NULL, 0.65},
    {"erfc", QUAD_ERFC, crm_erfc, NULL, 2},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static double of_size(rng *r, int least, int most)
{
    return ldexp(rng_uniform(r, 1, 2), least + (int)rng_below(r, (uint64_t)(most - least)));
}

/* A power of x that neither overflows nor comes to a number with fewer bits. */
static double exponent_for(rng *r, double x)
{
    double most = 700 / fabs(log(x));
    return rng_uniform(r, -most, most);
}

/* Arguments of the sizes for which the functions are told apart, by turns. */
static void draw(rng *r, quad_function function, size_t i, double *x, double *y)
{
    bool near = i % 2 == 0;
    *x = 0;
    *y = 0;
    switch (function) {
    case QUAD_POW:
        *x = near ? 1 + of_size(r, -50, 0) : of_size(r, -1000, 1000);
        *y = i % 4 < 2 ? exponent_for(r, *x)
                       : rng_uniform(r, 0.01, 4) * fmin(1, 160 / fabs(log2(*x)));
        return;
    case QUAD_EXP:
        *x = near ? rng_uniform(r, -1, 1) : rng_uniform(r, -700, 700);
        return;
    case QUAD_EXPM1:
        *x = (i % 4 < 2 ? 1 : -1) * (near ? of_size(r, -60, 2) : rng_uniform(r, 0, 30));
        return;
    case QUAD_LOG1P:
        *x = i % 4 < 2 ? of_size(r, -60, 10) : -rng_uniform(r, 0, 1) * of_size(r, -50, 0) / 2;
        return;
    case QUAD_LOG:
    case QUAD_LOG2:
    case QUAD_LOG10:
        *x = near ? rng_uniform(r, 0.5, 2) : of_size(r, -1074, 1023);
        return;
    case QUAD_SIN:
    case QUAD_COS:
        *x = near ? rng_uniform(r, -10, 10) : of_size(r, -30, i % 4 == 1 ? 25 : 1023);
        return;
    case QUAD_ASIN:
    case QUAD_ACOS:
        *x = near ? rng_uniform(r, -1, 1) : 1 - of_size(r, -53, 0) / 2;
        return;
    case QUAD_CBRT:
        *x = (i % 4 < 2 ? 1 : -1) * of_size(r, -1022, 1023);
        return;
    case QUAD_ERF:
        *x = near ? rng_uniform(r, -6, 6) : of_size(r, -1000, 0);
        return;
    case QUAD_ERFC:
        *x = near ? rng_uniform(r, -7, 7) : rng_uniform(r, 0, 26);
        return;
    case QUAD_HYPOT:
        *x = of_size(r, -1000, 1000);
        *y = *x * of_size(r, -30, 1);
    }
}

static void errors_are_small(void **state)
{
    const tried *f = *state;
    rng r = rng_seeded(7 + (uint64_t)f->truth);
    double worst = 0, worst_x = 0, worst_y = 0;
    for (size_t i = 0; i < tries; i++) {
        double x, y;
        draw(&r, f->truth, i, &x, &y);
        double got = f->of_one != NULL ? f->of_one(x) : f->of_two(x, y);
        double error = quad_error(f->truth, x, y, got);
        if (!(error <= worst)) {
            worst = error;
            worst_x = x;
            worst_y = y;
        }
    }
    if (tells) {
        printf("%-6s %.3f units of the last place at (%a, %a)\n", f->name, worst, worst_x, worst_y);
    }
    if (!(worst <= f->allowed)) {
        fail_msg("%s(%a, %a): %g units of the last place, allowed %g", f->name, worst_x, worst_y,
                 worst, f->allowed);
    }
}

/* ---- Values that are known ------------------------------------------------------------------ */

static void exact_where_the_value_is_a_double(void **state)
{
    (void)state;
    for (int k = -300; k <= 300; k++) {
        assert_true(crm_log2(ldexp(1, k)) == k);
        assert_true(crm_pow(2, k) == ldexp(1, k));
        assert_true(crm_pow(ldexp(1, 2 * k), 0.5) == ldexp(1, k));
    }
    for (int k = 0; k <= 22; k++) {
        double power =
            strtod((char[8]){'1', 'e', (char)('0' + k / 10), (char)('0' + k % 10)}, NULL);
        assert_true(crm_log10(power) == k);
        assert_true(crm_pow(10, k) == power);
    }
    assert_true(crm_pow(-3, 3) == -27 && crm_pow(-3, 4) == 81 && crm_pow(9, 1.5) == 27);
    assert_true(crm_hypot(3, 4) == 5 && crm_hypot(3e300, -4e300) == 5e300 &&
                crm_hypot(3e-310, 4e-310) == 5e-310);
    assert_true(crm_exp(1) == 0x1.5bf0a8b145769p+1 && crm_acos(-1) == 0x1.921fb54442d18p+1 &&
                crm_asin(1) == 0x1.921fb54442d18p+0);
    /* The double that is nearest to a multiple of pi/2: J.-M. Muller, Elementary functions, 1997.
     */
    assert_true(fabs(fabs(crm_cos(0x1.6ac5b262ca1ffp+849)) - 4.687165924254628e-19) < 1e-34);
}

/* ISO C17, annex F.10. */
static void edges(void **state)
{
    (void)state;
    const double inf = INFINITY;
    assert_true(crm_pow(0, 2) == 0 && crm_pow(0, -2) == inf && crm_pow(0, 0) == 1);
    assert_true(signbit(crm_pow(-0.0, 3)) && crm_pow(-0.0, -3) == -inf && crm_pow(-0.0, 2) == 0);
    assert_true(crm_pow(1, NAN) == 1 && crm_pow(NAN, 0) == 1 && isnan(crm_pow(NAN, 1)));
    assert_true(isnan(crm_pow(2, NAN)) && isnan(crm_pow(-2, 0.5)));
    assert_true(crm_pow(inf, 0.5) == inf && crm_pow(inf, -1) == 0 && crm_pow(-inf, 3) == -inf);
    assert_true(crm_pow(0.5, inf) == 0 && crm_pow(0.5, -inf) == inf && crm_pow(2, inf) == inf);
    assert_true(crm_pow(-inf, 0.5) == inf && crm_pow(-1, inf) == 1 && crm_pow(-0.5, inf) == 0);
    assert_true(crm_pow(1e300, 2) == inf && crm_pow(1e-300, 2) == 0 && crm_pow(-1e300, 3) == -inf);
    assert_true(crm_pow(2, -1074) == 0x1p-1074 && crm_pow(2, 1023.5) > 0x1p1023);
    assert_true(crm_exp(-inf) == 0 && crm_exp(inf) == inf && isnan(crm_exp(NAN)));
    assert_true(crm_exp(0) == 1 && crm_exp(710) == inf && crm_exp(-750) == 0 && crm_exp(-740) > 0);
    assert_true(crm_expm1(-inf) == -1 && crm_expm1(inf) == inf && crm_expm1(1e-300) == 1e-300);
    assert_true(crm_log(0) == -inf && isnan(crm_log(-1)) && crm_log(inf) == inf && crm_log(1) == 0);
    assert_true(isnan(crm_log(NAN)) && isnan(crm_log1p(-2)) && crm_log1p(-1) == -inf);
    assert_true(crm_log1p(inf) == inf && crm_log1p(1e-300) == 1e-300 && isnan(crm_log1p(NAN)));
    assert_true(isnan(crm_sin(inf)) && isnan(crm_cos(-inf)) && crm_cos(0) == 1);
    assert_true(crm_sin(-1e-300) == -1e-300 && signbit(crm_sin(-0.0)));
    assert_true(isnan(crm_asin(1.5)) && isnan(crm_acos(-1.5)) && crm_acos(1) == 0);
    assert_true(crm_cbrt(-27) == -3 && crm_cbrt(1e-300) == 1e-100 && signbit(crm_cbrt(-0.0)));
    assert_true(crm_cbrt(-inf) == -inf && isnan(crm_cbrt(NAN)) && crm_cbrt(0x1p-1074) == 0x1p-358);
    assert_true(crm_erf(-inf) == -1 && crm_erf(9) == 1 && isnan(crm_erf(NAN)) && crm_erf(0) == 0);
    assert_true(crm_erfc(-inf) == 2 && crm_erfc(inf) == 0 && crm_erfc(0) == 1 && crm_erfc(30) == 0);
    assert_true(isnan(crm_erfc(NAN)) && crm_erf(1e-310) > 1.1e-310 && signbit(crm_erf(-0.0)));
    assert_true(crm_hypot(-inf, NAN) == inf && isnan(crm_hypot(NAN, 1)) && crm_hypot(0, -2) == 2);
}

int main(int count, char **words)
{
    if (count > 1) {
        tries = strtoull(words[1], NULL, 10);
        tells = true;
    }
    struct CMUnitTest tests[FUNCTIONS + 2] = {
        cmocka_unit_test(exact_where_the_value_is_a_double),
        cmocka_unit_test(edges),
    };
    size_t listed = 2;
    if (!quad_is_there()) {
        printf("skipped: quadruple precision is not available\n");
    }
    for (size_t k = 0; quad_is_there() && k < FUNCTIONS; k++) {
        tests[listed++] = (struct CMUnitTest){functions[k].name, errors_are_small, NULL, NULL,
                                              (void *)(uintptr_t)&functions[k]};
    }
    return _cmocka_run_group_tests("elementary", tests, listed, NULL, NULL);
}
