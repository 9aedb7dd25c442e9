/* Elementary functions to some 2^-100: series of few terms after the argument is made small, or one
 * step of Newton's method from the value of base/elementary.h.
 */
#include <math.h>
#include <stdbool.h>

#include "base/elementary.h"
#include "scenario/number/wide/inner.h"

/* ---- Powers and logarithms ------------------------------------------------------------------- */

/* log 2 = LN2 + LN2_REST, the first of 32 bits: whole numbers up to 2^21 times it are exact. */
static const double LN2 = 0x1.62e42feep-1;
static const crm_twofold LN2_REST = {0x1.a39ef35793c76p-33, 0x1.cc01f97b57a08p-87};

/* e^r - 1 for |r| < 0.4, as good relative to itself where it is small: that of r/2^9, then twice
 * the argument nine times, since e^2r - 1 = 2 s + s^2 with s = e^r - 1.
 */
static crm_twofold expm1_of(crm_twofold r)
{
    crm_twofold small = crm_twofold_scaled(r, 0x1p-9), term = small, sum = small;
    for (int n = 2; n <= 11; n++) {
        term = crm_twofold_quotient(crm_twofold_product(term, small), crm_twofold_of(n));
        sum = crm_twofold_sum(sum, term);
    }
    for (int i = 0; i < 9; i++) {
        sum = crm_twofold_sum(crm_twofold_scaled(sum, 2), crm_twofold_product(sum, sum));
    }
    return sum;
}

crm_wide crm_wide_exp(crm_wide a)
{
    if (a.part.high == 0 || !isfinite(a.part.high)) {
        return crm_wide_of(a.part.high == 0 ? 1 : a.part.high < 0 ? 0 : a.part.high);
    }
    if (a.exponent > 20) {
        return crm_wide_of(a.part.high > 0 ? INFINITY : (double)NAN); /* too small */
    }
    crm_twofold x = wide_pair(a);
    double k = rint(x.high / LN2);
    crm_twofold r = crm_twofold_sum(x, crm_twofold_of(-k * LN2));
    r = crm_twofold_difference(r, crm_twofold_multiple(LN2_REST, k));
    return wide_make(crm_twofold_sum(crm_twofold_of(1), expm1_of(r)), (long)k);
}

/* log m + k log 2 with m near 1: y of double precision, then m e^-y = 1 + rest, whose logarithm is
 * rest - rest^2/2. The rest is a difference of numbers that are as good as they are small.
 */
crm_wide crm_wide_log(crm_wide a)
{
    if (!(a.part.high > 0) || !isfinite(a.part.high)) {
        return crm_wide_of(a.part.high == 0 ? -INFINITY : a.part.high > 0 ? INFINITY : (double)NAN);
    }
    bool lower = a.part.high < 0x1.6a09e667f3bcdp-1;
    crm_twofold m = crm_twofold_scaled(a.part, lower ? 2 : 1);
    double k = a.exponent - lower, y = crm_log(m.high);
    crm_twofold rest = crm_twofold_sum(crm_twofold_sum(m, crm_twofold_of(-1)),
                                       crm_twofold_product(m, expm1_of(crm_twofold_of(-y))));
    crm_twofold sum = crm_twofold_sum(crm_twofold_of(y), rest);
    sum = crm_twofold_sum(sum, crm_twofold_of(-0.5 * rest.high * rest.high));
    crm_twofold whole = crm_twofold_sum(crm_twofold_of(k * LN2), crm_twofold_multiple(LN2_REST, k));
    return wide_make(crm_twofold_sum(whole, sum), 0);
}

crm_wide crm_wide_power(crm_wide a, crm_wide exponent)
{
    enum { WHOLE_MOST = 1 << 20 };
    double near = exponent.exponent < 40 ? rint(wide_pair(exponent).high) : (double)NAN;
    bool whole = crm_wide_sum(exponent, crm_wide_of(-near)).part.high == 0;
    if (whole && fabs(near) <= WHOLE_MOST) {
        crm_wide power = wide_whole_power(a, (unsigned long)fabs(near));
        return near < 0 ? crm_wide_quotient(crm_wide_of(1), power) : power;
    }
    if (a.part.high == 0 && !isnan(exponent.part.high)) {
        return crm_wide_of(exponent.part.high > 0 ? 0 : INFINITY);
    }
    bool odd = whole && fmod(near, 2) != 0, minus = whole && a.part.high < 0;
    crm_wide size = minus ? crm_wide_negative(a) : a;
    crm_wide power = crm_wide_exp(crm_wide_product(exponent, crm_wide_log(size)));
    return minus && odd ? crm_wide_negative(power) : power;
}

/* Two steps of Newton's method from the double's. */
crm_wide crm_wide_cbrt(crm_wide a)
{
    if (a.part.high == 0 || !isfinite(a.part.high)) {
        return a;
    }
    int over = ((a.exponent % 3) + 3) % 3;
    crm_twofold m = crm_twofold_scaled(crm_wide_abs(a).part, (double)(1 << over));
    crm_twofold root = crm_twofold_of(crm_pow(m.high, 1.0 / 3));
    for (int i = 0; i < 2; i++) {
        crm_twofold square = crm_twofold_product(root, root);
        crm_twofold rest = crm_twofold_difference(crm_twofold_quotient(m, square), root);
        root = crm_twofold_sum(root, crm_twofold_quotient(rest, crm_twofold_of(3)));
    }
    crm_wide found = wide_make(root, (a.exponent - over) / 3);
    return a.part.high < 0 ? crm_wide_negative(found) : found;
}

/* ---- Angles ---------------------------------------------------------------------------------- */

/* sin r and cos r for |r| < 1 by their series. */
static void sin_and_cos(crm_twofold r, crm_twofold *sine, crm_twofold *cosine)
{
    crm_twofold term[2] = {{1, 0}, r}, sum[2] = {{1, 0}, r};
    crm_twofold square = crm_twofold_negative(crm_twofold_product(r, r));
    for (int n = 2; n <= 31; n++) {
        int which = n & 1;
        term[which] = crm_twofold_quotient(crm_twofold_product(term[which], square),
                                           crm_twofold_of(n * (n - 1)));
        sum[which] = crm_twofold_sum(sum[which], term[which]);
    }
    *cosine = sum[0];
    *sine = sum[1];
}

/* sin a, cos a, by the rest beside the next multiple of pi/2; false: the angle is too large. */
static bool turn(crm_wide a, crm_twofold *sine, crm_twofold *cosine)
{
    static const double half_pi[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54,
                                     -0x1.f1976b7ed8fbcp-110, 0x1.4cf98e804177dp-164};
    if (!isfinite(a.part.high) || (a.part.high != 0 && a.exponent > 60) ||
        fabs(wide_pair(a).high) > CRM_WIDE_ANGLE_MOST) {
        return false;
    }
    crm_twofold x = wide_pair(a), r = x, s, c;
    double k = rint(x.high * 0x1.45f306dc9c883p-1);
    for (size_t i = 0; i < sizeof half_pi / sizeof half_pi[0]; i++) {
        r = crm_twofold_difference(r, crm_two_product(k, half_pi[i]));
    }
    if (fabs(r.high) < WIDE_NOTHING * fabs(x.high)) {
        r = (crm_twofold){0, 0};
    }
    sin_and_cos(r, &s, &c);
    int quarter = (int)(k - 4 * floor(k / 4));
    crm_twofold up = quarter & 1 ? c : s, right = quarter & 1 ? crm_twofold_negative(s) : c;
    *sine = quarter & 2 ? crm_twofold_negative(up) : up;
    *cosine = quarter & 2 ? crm_twofold_negative(right) : right;
    return true;
}

crm_wide crm_wide_sin(crm_wide a)
{
    crm_twofold sine, cosine;
    return turn(a, &sine, &cosine) ? wide_make(sine, 0) : crm_wide_of((double)NAN);
}

crm_wide crm_wide_cos(crm_wide a)
{
    crm_twofold sine, cosine;
    return turn(a, &sine, &cosine) ? wide_make(cosine, 0) : crm_wide_of((double)NAN);
}

crm_wide crm_wide_tan(crm_wide a)
{
    crm_twofold sine, cosine;
    return turn(a, &sine, &cosine) ? crm_wide_quotient(wide_make(sine, 0), wide_make(cosine, 0))
                                   : crm_wide_of((double)NAN);
}

/* Of 0 <= z <= 1: y of double precision, then tan(atan z - y) = (z cos y - sin y)/(cos y + z sin
 * y).
 */
static crm_wide atan_below_one(crm_wide z)
{
    if (z.exponent < -60) {
        return z;
    }
    crm_twofold x = wide_pair(z), sine, cosine;
    double y = crm_asin(x.high / crm_hypot(1, x.high));
    sin_and_cos(crm_twofold_of(y), &sine, &cosine);
    crm_twofold over = crm_twofold_difference(crm_twofold_product(x, cosine), sine);
    crm_twofold under = crm_twofold_sum(cosine, crm_twofold_product(x, sine));
    return wide_make(crm_twofold_sum(crm_twofold_of(y), crm_twofold_quotient(over, under)), 0);
}

crm_wide crm_wide_atan(crm_wide a)
{
    crm_wide size = crm_wide_abs(a), one = crm_wide_of(1), found;
    if (isnan(a.part.high)) {
        return a;
    }
    if (crm_wide_sum(size, crm_wide_negative(one)).part.high > 0) {
        crm_wide half_pi = {crm_wide_pi.part, crm_wide_pi.exponent - 1};
        crm_wide rest = atan_below_one(crm_wide_quotient(one, size));
        found = crm_wide_sum(half_pi, crm_wide_negative(rest));
    } else {
        found = size.part.high == 0 ? size : atan_below_one(size);
    }
    return a.part.high < 0 ? crm_wide_negative(found) : found;
}

crm_wide crm_wide_asin(crm_wide a)
{
    crm_wide one = crm_wide_of(1);
    crm_wide square =
        crm_wide_product(crm_wide_sum(one, a), crm_wide_sum(one, crm_wide_negative(a)));
    return crm_wide_atan(crm_wide_quotient(a, crm_wide_sqrt(square)));
}

/* As good near 1, where asin is not. */
crm_wide crm_wide_acos(crm_wide a)
{
    crm_wide one = crm_wide_of(1);
    crm_wide ratio =
        crm_wide_quotient(crm_wide_sum(one, crm_wide_negative(a)), crm_wide_sum(one, a));
    return crm_wide_product(crm_wide_of(2), crm_wide_atan(crm_wide_sqrt(ratio)));
}
