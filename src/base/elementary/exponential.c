/* Powers, by a table (P.-T. P. Tang, ACM Trans. Math. Softw. 15 (1989)).
 *
 * x = n log 2 / 128 + r with |r| < log 2 / 256 and n = 128 k + i:  e^x = 2^k 2^(i/128) e^r.
 */
#include <math.h>

#include "base/elementary/inner.h"

/* e^x = 2^k (t + t s). */
typedef struct parts {
    double t, s;
    int k;
} parts;

/* The parts of e^x, for x.high between -800 and 800. */
static parts split(crm_twofold x)
{
    /* The upper part of log 2 / 128 has 34 bits: times n it is exact. */
    const double per = 0x1.71547652b82fep+7, ln2 = 0x1.62e42fefcp-8,
                 ln2_rest = -0x1.c610ca86c3899p-44;
    double n = crm_nearest_whole(x.high * per);
    double r = (x.high - n * ln2) + (x.low - n * ln2_rest);
    int whole = (int)n, i = whole & 127;
    const double *power = crm_table_power[i];
    double series = r * r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120))));
    return (parts){power[0], power[1] + (r + series), (whole - i) / 128};
}

/* 2^k x for x between 1 and 2. */
static double scaled(double x, int k)
{
    if (k > 1023) {
        return k > 1024 ? INFINITY : x * 0x1p1023 * 2;
    }
    if (k < -1022) {
        return k < -1100 ? 0 : x * crm_of_bits((uint64_t)(k + 200 + 1023) << 52) * 0x1p-200;
    }
    return x * crm_of_bits((uint64_t)(k + 1023) << 52);
}

static double exp_twofold(crm_twofold x)
{
    if (!(fabs(x.high) < 800)) {
        return isnan(x.high) ? NAN : x.high > 0 ? INFINITY : 0;
    }
    parts p = split(x);
    return scaled(p.t + p.t * p.s, p.k);
}

double crm_exp(double x)
{
    return exp_twofold((crm_twofold){x, 0});
}

double crm_expm1(double x)
{
    if (!(fabs(x) < 40) || fabs(x) < 0x1p-60) {
        return fabs(x) < 1 || isnan(x) ? x : x < 0 ? -1 : crm_exp(x);
    }
    if (fabs(x) < 0.0625) {
        double s = 1.0 / 3628800;
        s = s * x + 1.0 / 362880;
        s = s * x + 1.0 / 40320;
        s = s * x + 1.0 / 5040;
        s = s * x + 1.0 / 720;
        s = s * x + 1.0 / 120;
        s = s * x + 1.0 / 24;
        s = s * x + 1.0 / 6;
        return x + x * x * (s * x + 0.5);
    }
    parts p = split((crm_twofold){x, 0});
    double unit = scaled(1, p.k);
    crm_twofold whole = crm_two_sum(unit * p.t, -1);
    return whole.high + (whole.low + unit * (p.t * p.s));
}

static bool is_odd(double y)
{
    return fabs(y) < 0x1p53 && floor(0.5 * y) != 0.5 * y;
}

/* x or y is 0, 1, infinite or no number. */
static double power_at_the_edge(double x, double y)
{
    if (x == 1 || y == 0) {
        return 1;
    }
    if (isnan(x) || isnan(y)) {
        return NAN;
    }
    if (x == 0) {
        return y > 0 ? 0 : INFINITY;
    }
    bool grows = (x > 1) == (y > 0);
    return grows ? INFINITY : 0;
}

/* x < 0 or -0. */
static double power_of_negative(double x, double y)
{
    double power = crm_pow(-x, y);
    bool whole = y == floor(y);
    if (!whole && x != 0 && isfinite(x)) {
        return NAN;
    }
    return whole && is_odd(y) ? -power : power;
}

double crm_pow(double x, double y)
{
    if (signbit(x) && !isnan(x)) {
        return power_of_negative(x, y);
    }
    if (!(x > 0 && x < INFINITY && x != 1 && fabs(y) < INFINITY && y != 0)) {
        return power_at_the_edge(x, y);
    }
    crm_twofold log = crm_logarithm_twofold(x);
    if (!(fabs(y * log.high) < 800)) {
        return power_at_the_edge(x, y > 0 ? INFINITY : -INFINITY);
    }
    crm_twofold product = crm_two_product(y, log.high);
    return exp_twofold((crm_twofold){product.high, product.low + y * log.low});
}

/* One step of Newton's method from the power, with what is left of x computed exactly. */
double crm_cbrt(double x)
{
    int exponent;
    double m = frexp(fabs(x), &exponent);
    if (m == 0 || !isfinite(x)) {
        return x;
    }
    int over = ((exponent % 3) + 3) % 3;
    m = ldexp(m, over);
    double root = crm_pow(m, 1.0 / 3);
    crm_twofold cube = crm_twofold_multiple(crm_two_product(root, root), root);
    root += ((m - cube.high) - cube.low) / (3 * root * root);
    return copysign(ldexp(root, (exponent - over) / 3), x);
}
