/* Numbers of twice the working precision: the unevaluated sum of two doubles, 106 bits. Plain
 * doubles throughout and nothing fused, so the same bits everywhere.
 *
 * T. J. Dekker, Numer. Math. 18 (1971); Y. Hida, X. S. Li, D. H. Bailey, Algorithms for quad-double
 * precision floating point arithmetic, 2001. Sums, products, quotients and roots are exact to some
 * 1e-31; overflow and underflow come as they do with doubles, a little earlier (1e300, and 1e-290
 * for full precision).
 */
#ifndef CRM_TWOFOLD_H
#define CRM_TWOFOLD_H

#include <math.h>
#include <stddef.h>

typedef struct crm_twofold {
    double high, low; /* high is the sum rounded */
} crm_twofold;

/* a + b exactly. */
static inline crm_twofold crm_two_sum(double a, double b)
{
    double sum = a + b;
    double shadow = sum - a;
    return (crm_twofold){sum, (a - (sum - shadow)) + (b - shadow)};
}

/* The same for |a| >= |b|. */
static inline crm_twofold crm_quick_two_sum(double a, double b)
{
    double sum = a + b;
    return (crm_twofold){sum, b - (sum - a)};
}

/* a = high + low with 26 bits each. */
static inline crm_twofold crm_split(double a)
{
    double big = 134217729.0 * a; /* 2^27 + 1 */
    double high = big - (big - a);
    return (crm_twofold){high, a - high};
}

/* a * b exactly, barring underflow. */
static inline crm_twofold crm_two_product(double a, double b)
{
    double product = a * b;
    crm_twofold x = crm_split(a), y = crm_split(b);
    double rest = ((product - x.high * y.high) - x.low * y.high) - x.high * y.low;
    return (crm_twofold){product, x.low * y.low - rest};
}

static inline crm_twofold crm_twofold_of(double a)
{
    return (crm_twofold){a, 0};
}

static inline crm_twofold crm_twofold_negative(crm_twofold a)
{
    return (crm_twofold){-a.high, -a.low};
}

/* By a power of two: exactly. */
static inline crm_twofold crm_twofold_scaled(crm_twofold a, double power)
{
    return (crm_twofold){a.high * power, a.low * power};
}

static inline crm_twofold crm_twofold_sum(crm_twofold a, crm_twofold b)
{
    crm_twofold high = crm_two_sum(a.high, b.high), low = crm_two_sum(a.low, b.low);
    high = crm_quick_two_sum(high.high, high.low + low.high);
    return crm_quick_two_sum(high.high, high.low + low.low);
}

/* The same where what is lost is little beside |a| + |b|, though the sum may be less. */
static inline crm_twofold crm_twofold_quick_sum(crm_twofold a, crm_twofold b)
{
    crm_twofold high = crm_two_sum(a.high, b.high);
    return crm_quick_two_sum(high.high, high.low + (a.low + b.low));
}

static inline crm_twofold crm_twofold_difference(crm_twofold a, crm_twofold b)
{
    return crm_twofold_sum(a, crm_twofold_negative(b));
}

static inline crm_twofold crm_twofold_product(crm_twofold a, crm_twofold b)
{
    crm_twofold product = crm_two_product(a.high, b.high);
    return crm_quick_two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

static inline crm_twofold crm_twofold_multiple(crm_twofold a, double b)
{
    if (fabs(b) == 1) {
        return (crm_twofold){b * a.high, b * a.low};
    }
    crm_twofold product = crm_two_product(a.high, b);
    return crm_quick_two_sum(product.high, product.low + a.low * b);
}

/* 1/b */
static inline crm_twofold crm_twofold_inverse(double b)
{
    double first = 1 / b;
    crm_twofold product = crm_two_product(first, b);
    return crm_quick_two_sum(first, ((1 - product.high) - product.low) / b);
}

static inline crm_twofold crm_twofold_quotient(crm_twofold a, crm_twofold b)
{
    double first = a.high / b.high;
    crm_twofold rest = crm_twofold_difference(a, crm_twofold_product(b, crm_twofold_of(first)));
    double second = rest.high / b.high;
    rest = crm_twofold_difference(rest, crm_twofold_product(b, crm_twofold_of(second)));
    return crm_twofold_sum(crm_quick_two_sum(first, second), crm_twofold_of(rest.high / b.high));
}

/* The square root of a > 0, by one step of Newton's method from the double's root. */
static inline crm_twofold crm_twofold_root(crm_twofold a)
{
    double root = sqrt(a.high);
    crm_twofold rest = crm_twofold_difference(a, crm_two_product(root, root));
    return crm_twofold_sum(crm_twofold_of(root), crm_twofold_of(rest.high / (2 * root)));
}

/* sum + a b */
static inline crm_twofold crm_twofold_add_product(crm_twofold sum, crm_twofold a, crm_twofold b)
{
    return crm_twofold_sum(sum, crm_twofold_product(a, b));
}

static inline crm_twofold crm_twofold_dot(const crm_twofold *a, const crm_twofold *b, size_t count)
{
    crm_twofold sum = {0, 0};
    for (size_t i = 0; i < count; i++) {
        sum = crm_twofold_add_product(sum, a[i], b[i]);
    }
    return sum;
}

/* a += factor b */
static inline void crm_twofold_add_multiple(crm_twofold *a, crm_twofold factor,
                                            const crm_twofold *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        a[i] = crm_twofold_add_product(a[i], factor, b[i]);
    }
}

#endif
