#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "scenario/number/wide/inner.h"

/* Exponents beyond this are none, so that they can be added without a thought. */
enum { EXPONENT_MOST = 1 << 20 };

const crm_wide crm_wide_pi = {{0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}, 2};

crm_wide wide_make(crm_twofold part, long exponent)
{
    int more;
    if (part.high == 0 || !isfinite(part.high)) {
        return (crm_wide){{part.high, 0}, 0};
    }
    (void)frexp(part.high, &more);
    exponent += more;
    if (exponent > EXPONENT_MOST || exponent < -EXPONENT_MOST) {
        return (crm_wide){{exponent > 0 ? copysign(INFINITY, part.high) : (double)NAN, 0}, 0};
    }
    return (crm_wide){{ldexp(part.high, -more), ldexp(part.low, -more)}, (int)exponent};
}

crm_wide crm_wide_of(double value)
{
    return wide_make(crm_twofold_of(value), 0);
}

crm_twofold wide_pair(crm_wide a)
{
    return (crm_twofold){ldexp(a.part.high, a.exponent), ldexp(a.part.low, a.exponent)};
}

double crm_wide_narrow(crm_wide a)
{
    double narrow = ldexp(a.part.high, a.exponent);
    return a.part.high != 0 && fabs(narrow) < DBL_MIN ? (double)NAN : narrow;
}

/* Neither 0 nor without end nor none. */
static bool is_plain(crm_wide a)
{
    return a.part.high != 0 && isfinite(a.part.high);
}

crm_wide crm_wide_negative(crm_wide a)
{
    return (crm_wide){crm_twofold_negative(a.part), a.exponent};
}

crm_wide crm_wide_abs(crm_wide a)
{
    return a.part.high < 0 ? crm_wide_negative(a) : a;
}

/* What a pair leaves out of the sum, with the right sign. */
static double rest_of_sum(crm_twofold a, crm_twofold b, crm_twofold sum)
{
    crm_twofold high = crm_two_sum(a.high, b.high), low = crm_two_sum(a.low, b.low);
    crm_twofold middle = crm_two_sum(high.low, low.high);
    return ((high.high - sum.high) - sum.low + middle.high) + (middle.low + low.low);
}

/* A pair in the middle of two doubles, which cannot tell to which one what it leaves out is nearer:
 * it is moved by its last bit, so that its high part is that double.
 */
static crm_twofold break_tie(crm_twofold a, double rest)
{
    double more = a.low * (1 + DBL_EPSILON); /* low is a power of two */
    if (rest == 0 || a.high + more == a.high) {
        return a;
    }
    bool away = (rest > 0) == (a.low > 0);
    return crm_quick_two_sum(a.high, away ? more : a.low * (1 - 0.5 * DBL_EPSILON));
}

crm_wide crm_wide_sum(crm_wide a, crm_wide b)
{
    if (a.part.high == 0 && isfinite(b.part.high)) {
        return b;
    }
    if (b.part.high == 0 && isfinite(a.part.high)) {
        return a;
    }
    if (!is_plain(a) || !is_plain(b)) {
        return crm_wide_of(a.part.high + b.part.high);
    }
    if (a.exponent < b.exponent) {
        crm_wide larger = b;
        b = a;
        a = larger;
    }
    int shift = b.exponent - a.exponent;
    if (shift < -200) {
        return wide_make(break_tie(a.part, b.part.high), a.exponent);
    }
    crm_twofold small = {ldexp(b.part.high, shift), ldexp(b.part.low, shift)},
                sum = crm_twofold_sum(a.part, small);
    return fabs(sum.high) < WIDE_NOTHING
               ? crm_wide_of(0)
               : wide_make(break_tie(sum, rest_of_sum(a.part, small, sum)), a.exponent);
}

crm_wide crm_wide_product(crm_wide a, crm_wide b)
{
    if (!is_plain(a) || !is_plain(b)) {
        return crm_wide_of(a.part.high * b.part.high);
    }
    return wide_make(crm_twofold_product(a.part, b.part), (long)a.exponent + b.exponent);
}

crm_wide crm_wide_quotient(crm_wide a, crm_wide b)
{
    if (!is_plain(a) || !is_plain(b)) {
        return crm_wide_of(a.part.high / b.part.high);
    }
    return wide_make(crm_twofold_quotient(a.part, b.part), (long)a.exponent - b.exponent);
}

crm_wide crm_wide_sqrt(crm_wide a)
{
    if (!(a.part.high > 0) || !isfinite(a.part.high)) {
        return crm_wide_of(sqrt(a.part.high));
    }
    int odd = a.exponent & 1;
    crm_twofold part = crm_twofold_scaled(a.part, odd ? 2 : 1);
    return wide_make(crm_twofold_root(part), (a.exponent - odd) / 2);
}

crm_wide wide_whole_power(crm_wide a, unsigned long exponent)
{
    crm_wide power = crm_wide_of(1);
    for (; exponent > 0; exponent >>= 1) {
        power = exponent & 1 ? crm_wide_product(power, a) : power;
        a = exponent > 1 ? crm_wide_product(a, a) : a;
    }
    return power;
}

crm_wide crm_wide_decimal(const char *digits, size_t count, long ten)
{
    crm_twofold whole = {0, 0}; /* no more than 64 digits: far from overflow */
    bool behind = false;
    for (size_t i = 0; i < count; i++) {
        if (digits[i] == '.') {
            behind = true;
            continue;
        }
        whole = crm_twofold_sum(crm_twofold_multiple(whole, 10), crm_twofold_of(digits[i] - '0'));
        ten -= behind;
    }
    crm_wide value = wide_make(whole, 0);
    ten = ten > EXPONENT_MOST ? EXPONENT_MOST : ten < -EXPONENT_MOST ? -EXPONENT_MOST : ten;
    crm_wide power = wide_whole_power(crm_wide_of(10), (unsigned long)(ten < 0 ? -ten : ten));
    if (value.part.high == 0) {
        return value;
    }
    return ten >= 0                    ? crm_wide_product(value, power)
           : isfinite(power.part.high) ? crm_wide_quotient(value, power)
                                       : crm_wide_of((double)NAN);
}
