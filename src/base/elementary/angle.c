/* Sine and cosine, their inverses, and the length of a vector. */
#include <math.h>

#include "base/elementary/inner.h"

static const crm_twofold QUARTER = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54}; /* pi/2 */

/* ---- Within a quarter ----------------------------------------------------------------------- */

/* x = quarter pi/2 + angle, |angle| <= pi/4 but for rounding. */
typedef struct turned {
    crm_twofold angle;
    uint64_t quarter; /* modulo 4 */
} turned;

/* pi/2 in parts of 33 bits: times a whole number below 2^20 they are exact. */
static turned turn_back(double x)
{
    const double part[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69,
                           0x1.b839a252049c1p-104};
    double n = crm_nearest_whole(x * 0x1.45f306dc9c883p-1);
    crm_twofold angle = crm_two_sum(x - n * part[0], -n * part[1]);
    crm_twofold rest = crm_two_sum(angle.low, -n * part[2]);
    rest = crm_quick_two_sum(rest.high, rest.low - n * part[3]);
    angle = crm_two_sum(angle.high, rest.high);
    return (turned){{angle.high, angle.low + rest.low}, (uint64_t)(int64_t)n & 3};
}

/* 32 binary digits of 2/pi, after the first `skipped` behind the point; before them are zeros. */
static uint32_t digits_of_two_over_pi(int skipped)
{
    if (skipped < 0) {
        return skipped > -32 ? crm_table_two_over_pi[0] >> -skipped : 0;
    }
    const uint32_t *word = crm_table_two_over_pi + skipped / 32;
    uint64_t two = (uint64_t)word[0] << 32 | word[1];
    return (uint32_t)(two << skipped % 32 >> 32);
}

enum { WORDS = 6 };

/* m times the digits, modulo 2^192; the highest word first. */
static void multiply(uint64_t m, int skipped, uint32_t *product)
{
    memset(product, 0, WORDS * sizeof *product);
    for (int half = 0; half < 2; half++) {
        uint64_t factor = half == 0 ? (uint32_t)m : m >> 32, carry = 0;
        for (int i = WORDS - 1; i >= half; i--) {
            uint64_t sum = digits_of_two_over_pi(skipped + 32 * i) * factor;
            sum += product[i - half] + carry;
            product[i - half] = (uint32_t)sum;
            carry = sum >> 32;
        }
    }
}

/* For large x (M. H. Payne, R. N. Hanek, ACM SIGNUM 18 (1983)). x = m 2^e with a whole m: digits of
 * 2^e 2/pi above 2^1 make whole turns, whatever m is, and are left out; the 192 digits below them
 * give x 2/pi modulo 4 to 2^-137. No double comes nearer to a multiple of pi/2 than 2^-62.
 */
static turned turn_back_far(double x)
{
    int e;
    uint64_t m = (uint64_t)ldexp(frexp(fabs(x), &e), 53);
    uint32_t p[WORDS];
    multiply(m, e - 53 - 2, p);
    uint64_t quarter = p[0] >> 30;
    uint64_t high = ((uint64_t)p[0] << 32 | p[1]) << 2 | p[2] >> 30;
    uint64_t low = ((uint64_t)p[2] << 32 | p[3]) << 2 | p[4] >> 30;
    double sign = x < 0 ? -1 : 1;
    if (high >> 63) { /* nearer to the next */
        quarter++;
        sign = -sign;
        low = -low;
        high = ~high + (low == 0);
    }
    crm_twofold part = crm_twofold_sum(
        crm_two_sum((double)(high >> 32) * 0x1p-32, (double)(uint32_t)high * 0x1p-64),
        crm_two_sum((double)(low >> 32) * 0x1p-96, (double)(uint32_t)low * 0x1p-128));
    part = crm_twofold_scaled(crm_twofold_product(part, QUARTER), sign);
    return (turned){part, (x < 0 ? -quarter : quarter) & 3};
}

static turned turn(double x)
{
    return fabs(x) < 0x1p20 ? turn_back(x) : turn_back_far(x);
}

/* ---- Sine and cosine ------------------------------------------------------------------------ */

/* By Taylor's series; what follows the last term is below 2^-60 of the sum. */
static double sine(crm_twofold a)
{
    double x = a.high, z = x * x;
    double s = 1.0 / 355687428096000;
    s = s * z - 1.0 / 1307674368000;
    s = s * z + 1.0 / 6227020800;
    s = s * z - 1.0 / 39916800;
    s = s * z + 1.0 / 362880;
    s = s * z - 1.0 / 5040;
    s = s * z + 1.0 / 120;
    s = s * z - 1.0 / 6;
    return x + (s * z * x + a.low * (1 - 0.5 * z));
}

static double cosine(crm_twofold a)
{
    double x = a.high, z = x * x;
    double s = 1.0 / 20922789888000;
    s = s * z - 1.0 / 87178291200;
    s = s * z + 1.0 / 479001600;
    s = s * z - 1.0 / 3628800;
    s = s * z + 1.0 / 40320;
    s = s * z - 1.0 / 720;
    s = s * z + 1.0 / 24;
    double half = 0.5 * z, one = 1 - half;
    return one + (((1 - one) - half) + (s * z * z - x * a.low));
}

static double of_quarter(crm_twofold a, uint64_t quarter)
{
    double size = quarter % 2 == 0 ? sine(a) : cosine(a);
    return quarter % 4 < 2 ? size : -size;
}

double crm_sin(double x)
{
    if (!isfinite(x) || fabs(x) < 0x1p-27) {
        return isfinite(x) ? x : NAN;
    }
    if (fabs(x) < 0.78) {
        return sine((crm_twofold){x, 0});
    }
    turned t = turn(x);
    return of_quarter(t.angle, t.quarter);
}

double crm_cos(double x)
{
    if (!isfinite(x)) {
        return NAN;
    }
    if (fabs(x) < 0.78) {
        return cosine((crm_twofold){x, 0});
    }
    turned t = turn(x);
    return of_quarter(t.angle, t.quarter + 1);
}

/* ---- Their inverses ------------------------------------------------------------------------- */

/* asin(x) / x - 1 for z = x^2 <= 1/4, by its series:
 *
 *     z 1/(2 3) (1 + z 9/(4 5) (1 + z 25/(6 7) (1 + ...
 */
static double beyond_one(double z)
{
    enum { TERMS = 27 };
    double s = 0;
    for (int n = TERMS; n > 0; n--) {
        s = (1 + s) * z * ((2.0 * n - 1) * (2.0 * n - 1) / (2.0 * n * (2.0 * n + 1)));
    }
    return s;
}

/* acos(x) = 2 asin sqrt((1 - x) / 2), for x >= 1/2. */
static crm_twofold acos_near_one(double x)
{
    double z = 0.5 * (1 - x);
    if (z == 0) {
        return (crm_twofold){0, 0};
    }
    crm_twofold root = crm_twofold_root((crm_twofold){z, 0});
    return crm_quick_two_sum(2 * root.high, 2 * (root.low + root.high * beyond_one(z)));
}

double crm_asin(double x)
{
    double size = fabs(x);
    if (!(size <= 1)) {
        return NAN;
    }
    if (size <= 0.5) {
        return size < 0x1p-27 ? x : x + x * beyond_one(x * x);
    }
    return copysign(crm_twofold_difference(QUARTER, acos_near_one(size)).high, x);
}

double crm_acos(double x)
{
    if (!(fabs(x) <= 1)) {
        return NAN;
    }
    if (fabs(x) <= 0.5) {
        crm_twofold asin = crm_two_sum(x, x * beyond_one(x * x));
        return crm_twofold_difference(QUARTER, asin).high;
    }
    crm_twofold near = acos_near_one(fabs(x));
    return x > 0 ? near.high : crm_twofold_difference(crm_twofold_scaled(QUARTER, 2), near).high;
}

/* ---- The length of a vector ----------------------------------------------------------------- */

double crm_hypot(double x, double y)
{
    double a = fabs(x), b = fabs(y);
    if (isinf(a) || isinf(b)) {
        return INFINITY;
    }
    double most = a > b ? a : b, scale = 1;
    if (most > 0x1p500) {
        scale = 0x1p600;
    } else if (most < 0x1p-450) {
        scale = 0x1p-600;
    }
    a /= scale; /* by a power of two: exactly, or far below the other's last place */
    b /= scale;
    return scale * sqrt(a * a + b * b);
}
