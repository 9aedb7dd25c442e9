/* Logarithms, by a table (P.-T. P. Tang, ACM Trans. Math. Softw. 16 (1990)).
 *
 * x = 2^k z with z in one of 128 pieces of [0.706, 1.411); c is near the middle of the piece, and
 *
 *     log x = k log 2 + log c + log(1 + r),    r = z/c - 1,  |r| < 1/127.
 *
 * 1/c has 9 bits and the upper part of z 21, so that r is a sum of two products without rounding.
 */
#include <math.h>

#include "base/elementary/inner.h"

/* What a normal number's bits say; *k is added to. */
static uint64_t normal_bits(double x, double *k)
{
    if (x < 0x1p-1022) {
        *k -= 54;
        x *= 0x1p54;
    }
    return crm_bits_of(x);
}

/* log(1 + r) - r + r^2/2, in pairs that need not wait for each other. */
static double rest_of_series(double r)
{
    double r2 = r * r, r4 = r2 * r2;
    double first = (1.0 / 3 - r * (1.0 / 4)) + r2 * (1.0 / 5 - r * (1.0 / 6));
    double second = (1.0 / 7 - r * (1.0 / 8)) + r2 * ((1.0 / 9 - r * (1.0 / 10)) + r2 * (1.0 / 11));
    return r * r2 * (first + r4 * second);
}

/* (In each sum below the first is 0 or the larger: log c is 0 or above 1/127.) */
crm_twofold crm_logarithm_twofold(double x)
{
    const uint64_t begin = 0x3fe6955500000000U, one = UINT64_C(1) << 52;
    /* The upper part of log 2 has 42 bits behind the point: times k it is exact. */
    const double ln2 = 0x1.62e42fefa38p-1, ln2_rest = 0x1.ef35793c7673p-45;
    double k = 0;
    uint64_t bits = normal_bits(x, &k), since = bits - begin + 1024 * one;
    const double *c = crm_table_logarithm[since >> 45 & 127];
    double exponent = (double)(since >> 52) - 1024;
    uint64_t z_bits = bits - ((since >> 52) - 1024) * one;
    double z = crm_of_bits(z_bits);
    double upper = crm_of_bits((z_bits + 0x80000000U) & 0xffffffff00000000U);
    double r_upper = upper * c[0] - 1.0, r_lower = (z - upper) * c[0], r = r_upper + r_lower;
    k += exponent;
    crm_twofold sum = crm_quick_two_sum(k * ln2 + c[1], r_upper);
    crm_twofold square = crm_quick_two_sum(sum.high, -0.5 * r_upper * r_upper);
    crm_twofold linear = crm_quick_two_sum(square.high, r_lower);
    double low = (sum.low + square.low) + (linear.low - 0.5 * r_lower * (r_upper + r)) +
                 ((k * ln2_rest + c[2]) + rest_of_series(r));
    return crm_quick_two_sum(linear.high, low);
}

/* Not of a number > 0 that is finite. */
static double log_at_the_edge(double x)
{
    return x == 0 ? -INFINITY : x > 0 ? x : NAN;
}

static double in_base(double x, crm_twofold per_base)
{
    bool usual = x > 0 && x < INFINITY;
    return usual ? crm_twofold_product(crm_logarithm_twofold(x), per_base).high
                 : log_at_the_edge(x);
}

double crm_log(double x)
{
    return x > 0 && x < INFINITY ? crm_logarithm_twofold(x).high : log_at_the_edge(x);
}

double crm_log2(double x)
{
    return in_base(x, (crm_twofold){0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56});
}

double crm_log10(double x)
{
    return in_base(x, (crm_twofold){0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
}

/* 1 + x = s.high (1 + s.low / s.high), of which the second factor is 1 but for 2^-53. */
double crm_log1p(double x)
{
    if (!(x > -1) || isinf(x) || fabs(x) < 0x1p-60) {
        return x == -1 ? -INFINITY : x < -1 ? NAN : x;
    }
    crm_twofold s = crm_two_sum(1, x), log = crm_logarithm_twofold(s.high);
    return log.high + (log.low + s.low / s.high);
}
