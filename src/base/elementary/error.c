/* The error function and its complement.
 *
 * Up to MIDDLE by the series erf x = 2/sqrt(pi) (x - x^3/3 + x^5/(2! 5) - ...) in numbers of 106
 * bits: its terms grow to e^(x^2), which leaves 85 bits, and 1 - erf x leaves 65 of them. Beyond,
 * by the continued fraction of the complement (Abramowitz and Stegun, 7.1.14), from its end:
 *
 *     erfc x = e^(-x^2)/sqrt(pi) 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + ...))))
 */
#include <math.h>

#include "base/elementary/inner.h"

static const double MIDDLE = 3.5;
static const crm_twofold two_per_root_pi = {0x1.20dd750429b6dp+0, 0x1.1ae3a914fed8p-56};

/* erf x for |x| <= MIDDLE. */
static crm_twofold by_series(double x)
{
    crm_twofold square = crm_twofold_negative(crm_two_product(x, x));
    crm_twofold power = crm_twofold_of(x), sum = power, term = power;
    for (int n = 1; fabs(term.high) > 0x1p-110 * fabs(sum.high); n++) {
        power = crm_twofold_quotient(crm_twofold_product(power, square), crm_twofold_of(n));
        term = crm_twofold_quotient(power, crm_twofold_of(2 * n + 1));
        sum = crm_twofold_sum(sum, term);
    }
    return crm_twofold_product(sum, two_per_root_pi);
}

/* erfc x for x > MIDDLE. */
static double by_fraction(double x)
{
    enum { DEPTH = 60 };
    if (x > 28) {
        return 0;
    }
    crm_twofold square = crm_two_product(x, x);
    crm_twofold under = crm_twofold_of(x);
    for (int k = DEPTH; k > 0; k--) {
        under = crm_twofold_quotient(crm_twofold_of(0.5 * k), under);
        under = crm_twofold_sum(under, crm_twofold_of(x));
    }
    crm_twofold factor =
        crm_twofold_quotient(crm_twofold_scaled(two_per_root_pi, 0.5),
                             crm_twofold_product(under, crm_two_sum(1, square.low)));
    return crm_exp(-square.high) * factor.high;
}

double crm_erf(double x)
{
    if (isnan(x)) {
        return x;
    }
    if (fabs(x) > MIDDLE) {
        return copysign(fabs(x) > 6 ? 1 : 1 - by_fraction(fabs(x)), x);
    }
    return fabs(x) < 0x1p-500 ? x * two_per_root_pi.high : by_series(x).high;
}

double crm_erfc(double x)
{
    if (!(fabs(x) <= MIDDLE)) {
        return isnan(x) ? x : x > 0 ? by_fraction(x) : x < -6 ? 2 : 2 - by_fraction(-x);
    }
    return crm_twofold_difference(crm_twofold_of(1), by_series(x)).high;
}
