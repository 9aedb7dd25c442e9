/* x^a for x > 0 without branches, so that a loop over it becomes vector code. Internal.
 *
 * x = 2^e m with m between sqrt(1/2) and sqrt 2; log m = 2 artanh((m-1)/(m+1)); 2^y by its series
 * on [-1/2, 1/2]. Good to a relative error of (4 + |a log2 x|) 2^-52; 0 where the result would be
 * below 2^-1000, or x below 1e-300.
 */
#ifndef CRM_LZB_POWER_H
#define CRM_LZB_POWER_H

#include <stdint.h>
#include <string.h>

static inline double lzb_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t lzb_to_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double lzb_log2(double x)
{
    const uint64_t root_half = 0x3fe6a09e667f3bcdU, one_more = UINT64_C(1) << 62; /* 1024 << 52 */
    uint64_t bits = lzb_to_bits(x);
    uint64_t biased = (bits - root_half + one_more) >> 52; /* e + 1024 */
    double e = lzb_from_bits(biased | 0x4330000000000000U) - (0x1p52 + 1024.0);
    double m = lzb_from_bits(bits - (biased << 52) + one_more);
    double s = (m - 1.0) / (m + 1.0), q = s * s;
    double series = 1.0 / 21;
    series = series * q + 1.0 / 19;
    series = series * q + 1.0 / 17;
    series = series * q + 1.0 / 15;
    series = series * q + 1.0 / 13;
    series = series * q + 1.0 / 11;
    series = series * q + 1.0 / 9;
    series = series * q + 1.0 / 7;
    series = series * q + 1.0 / 5;
    series = series * q + 1.0 / 3;
    const double two_over_ln2 = 2.8853900817779268147;
    return e + two_over_ln2 * (s + s * q * series);
}

static inline double lzb_exp2(double y)
{
    const double shift = 0x1.8p52;
    double shifted = y + shift, r = (y - (shifted - shift)) * 0.69314718055994530942;
    double series = 1.0 / 6227020800;
    series = series * r + 1.0 / 479001600;
    series = series * r + 1.0 / 39916800;
    series = series * r + 1.0 / 3628800;
    series = series * r + 1.0 / 362880;
    series = series * r + 1.0 / 40320;
    series = series * r + 1.0 / 5040;
    series = series * r + 1.0 / 720;
    series = series * r + 1.0 / 120;
    series = series * r + 1.0 / 24;
    series = series * r + 1.0 / 6;
    series = series * r + 0.5;
    series = series * r + 1.0;
    series = series * r + 1.0;
    return lzb_from_bits(lzb_to_bits(series) + (lzb_to_bits(shifted) << 52));
}

/* To seven digits, for lengths of steps: the same by fewer terms. x between 1e-300 and 1e300. */
static inline double lzb_near_power(double x, double a)
{
    const uint64_t root_half = 0x3fe6a09e667f3bcdU, one_more = UINT64_C(1) << 62;
    const double two_over_ln2 = 2.8853900817779268147, shift = 0x1.8p52;
    uint64_t bits = lzb_to_bits(x), biased = (bits - root_half + one_more) >> 52;
    double e = lzb_from_bits(biased | 0x4330000000000000U) - (0x1p52 + 1024.0);
    double m = lzb_from_bits(bits - (biased << 52) + one_more);
    double s = (m - 1.0) / (m + 1.0), q = s * s;
    double y =
        a * (e + two_over_ln2 * s * ((1.0 + q * (1.0 / 3)) + q * q * (1.0 / 5 + q * (1.0 / 7))));
    double shifted = y + shift, r = (y - (shifted - shift)) * 0.69314718055994530942, r2 = r * r;
    double series =
        (1.0 + r) + r2 * ((0.5 + r * (1.0 / 6)) + r2 * ((1.0 / 24 + r * (1.0 / 120)) +
                                                        r2 * (1.0 / 720 + r * (1.0 / 5040))));
    return lzb_from_bits(lzb_to_bits(series) + (lzb_to_bits(shifted) << 52));
}

static inline double lzb_power(double x, double a)
{
    double safe = x > 1e-300 ? x : 1.0;
    double y = a * lzb_log2(safe);
    double bounded = y > -1000.0 ? y : -1000.0;
    double power = lzb_exp2(bounded < 1000.0 ? bounded : 1000.0);
    return x > 1e-300 && y > -1000.0 ? power : 0.0;
}

#endif
