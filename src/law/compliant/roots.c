/* See compliant/roots.h. */
#include "law/compliant/roots.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Halvings after which two roots are one: a touch. */
enum { MOST_HALVINGS = 48, MOST_BISECTIONS = 200 };

typedef struct polynomial {
    const double *a; /* powers of t */
    size_t degree;
    double rounding; /* values nearer to 0 count as 0 */
} polynomial;

static double value_at(const polynomial *p, double t)
{
    double value = p->a[p->degree];
    for (size_t k = p->degree; k-- > 0;) {
        value = value * t + p->a[k];
    }
    return value;
}

/* Of the powers of t to Bernstein's form on [0, end]: b_i = sum over k of C(i,k)/C(n,k) a_k end^k,
 * by repeated sums of a_k end^k / C(n,k).
 */
static void to_bernstein(const polynomial *p, double end, double *b)
{
    size_t n = p->degree;
    double power = 1, binomial = 1;
    for (size_t k = 0; k <= n; k++) {
        b[k] = p->a[k] * power / binomial;
        power *= end;
        binomial *= (double)(n - k) / (double)(k + 1);
    }
    for (size_t j = 1; j <= n; j++) {
        for (size_t i = n; i >= j; i--) {
            b[i] += b[i - 1];
        }
    }
}

/* de Casteljau: b becomes the left half, `right` the right one. */
static void halve(double *b, size_t n, double *right)
{
    for (size_t j = 0; j <= n; j++) {
        right[n - j] = b[n];
        for (size_t i = n; i > j; i--) {
            b[i] = 0.5 * (b[i] + b[i - 1]);
        }
    }
}

static bool negative_anywhere(const polynomial *p, const double *b)
{
    for (size_t i = 0; i <= p->degree; i++) {
        if (b[i] < -p->rounding) {
            return true;
        }
    }
    return false;
}

static size_t sign_changes(const polynomial *p, const double *b)
{
    size_t changes = 0;
    for (size_t i = 1; i <= p->degree; i++) {
        changes += (b[i] < 0) != (b[i - 1] < 0);
    }
    return changes;
}

/* One change of sign, from above: halving and secants in turn. */
static double refine(const polynomial *p, double low, double high)
{
    double above = value_at(p, low), below = value_at(p, high);
    for (int i = 0; i < MOST_BISECTIONS && high - low > DBL_EPSILON * high; i++) {
        double t = 0.5 * (low + high);
        if (i % 3 != 2 && above > 0 && below < 0) {
            t = low + (high - low) * fmin(fmax(above / (above - below), 1e-3), 1.0 - 1e-3);
        }
        double value = value_at(p, t);
        if (value > 0) {
            low = t;
            above = value;
        } else {
            high = t;
            below = value;
        }
    }
    return high;
}

static bool search(const polynomial *p, double *b, double low, double high, int depth, double *root)
{
    if (!negative_anywhere(p, b)) {
        return false;
    }
    if (b[0] < -p->rounding) {
        *root = low;
        return true;
    }
    if (sign_changes(p, b) == 1 && b[p->degree] < 0) {
        *root = refine(p, low, high);
        return true;
    }
    if (depth == MOST_HALVINGS) {
        return false;
    }
    double right[COMPLIANT_MOST_ORDER + 1], middle = 0.5 * (low + high);
    halve(b, p->degree, right);
    return search(p, b, low, middle, depth + 1, root) ||
           search(p, right, middle, high, depth + 1, root);
}

bool compliant_first_root(const double *a, size_t degree, double *end)
{
    double rest = 0, power = 1;
    for (size_t k = 1; k <= degree; k++) {
        power *= *end;
        rest += fabs(a[k]) * power;
    }
    if (a[0] > rest) {
        return false;
    }
    polynomial p = {a, degree, 2.0 * DBL_EPSILON * (fabs(a[0]) + rest)};
    double b[COMPLIANT_MOST_ORDER + 1];
    to_bernstein(&p, *end, b);
    return search(&p, b, 0, *end, 0, end);
}
