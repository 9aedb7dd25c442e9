#include "motion/lagrange/rule.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"

/* P_0(x) .. P_terms-1(x) by their recurrence. */
static void legendre(double x, size_t terms, double *p)
{
    p[0] = 1;
    if (terms > 1) {
        p[1] = x;
    }
    for (size_t m = 2; m < terms; m++) {
        p[m] = ((double)(2 * m - 1) * x * p[m - 1] - (double)(m - 1) * p[m - 2]) / (double)m;
    }
}

/* ---- The rule -------------------------------------------------------------------------------- */

/* Lobatto's inner nodes are the roots of P'_7: Newton from Chebyshev's, with (1 - x^2) P''_7 =
 * 2 x P'_7 - 56 P_7 and (1 - x^2) P'_7 = 7 (P_6 - x P_7).
 */
static double inner_node(size_t index)
{
    static const double PI = 3.14159265358979323846;
    const double d = LAG_NODES - 1;
    double x = -crm_cos(PI * (double)index / d);
    for (int k = 0; k < 20; k++) {
        double p[LAG_NODES];
        legendre(x, LAG_NODES, p);
        double first = d * (p[LAG_NODES - 2] - x * p[LAG_NODES - 1]);
        double second = 2 * x * first / (1 - x * x) - d * (d + 1) * p[LAG_NODES - 1];
        x -= first / second;
    }
    return x;
}

/* Lobatto's weights 2 / (56 P_7^2) make P_0 .. P_7 orthogonal on the nodes, with squares
 * 2/(2m+1), but 2/7 for P_7 itself.
 */
static void make_to_series(lag_rule *rule)
{
    const double d = LAG_NODES - 1;
    for (size_t i = 0; i < LAG_NODES; i++) {
        double p[LAG_NODES];
        legendre(2 * rule->node[i] - 1, LAG_NODES, p);
        double weight = 2 / (d * (d + 1) * p[LAG_NODES - 1] * p[LAG_NODES - 1]);
        for (size_t m = 0; m < LAG_NODES; m++) {
            double square = m < LAG_NODES - 1 ? 2 / (2.0 * (double)m + 1) : 2 / d;
            rule->to_series[m][i] = weight * p[m] / square;
        }
    }
}

static void make_integral(lag_rule *rule)
{
    for (size_t k = 0; k < LAG_NODES; k++) {
        double series[LAG_NODES], integral[LAG_TERMS];
        for (size_t m = 0; m < LAG_NODES; m++) {
            series[m] = rule->to_series[m][k];
        }
        lag_series_integrate(series, integral);
        for (size_t i = 1; i < LAG_NODES; i++) {
            rule->integral[i][k] = lag_series_at(integral, LAG_TERMS, rule->node[i]);
        }
    }
}

/* Derivatives of the cardinal polynomials at the nodes, by barycentric weights. */
static void make_derivative(lag_rule *rule)
{
    double weight[LAG_NODES];
    for (size_t i = 0; i < LAG_NODES; i++) {
        weight[i] = 1;
        for (size_t k = 0; k < LAG_NODES; k++) {
            weight[i] /= k != i ? rule->node[i] - rule->node[k] : 1;
        }
    }
    for (size_t i = 0; i < LAG_NODES; i++) {
        rule->derivative[i][i] = 0;
        for (size_t k = 0; k < LAG_NODES; k++) {
            if (k != i) {
                double entry = weight[k] / weight[i] / (rule->node[i] - rule->node[k]);
                rule->derivative[i][k] = entry;
                rule->derivative[i][i] -= entry;
            }
        }
    }
}

/* P_m(2 tau - 1) = sum_k (-1)^(m+k) binomial(m, k) B_k of degree m, then raised to `degree`. */
static void legendre_in_bernstein(size_t m, size_t degree, double *b)
{
    double binomial = 1;
    for (size_t k = 0; k <= m; k++) {
        b[k] = (m + k) % 2 == 0 ? binomial : -binomial;
        binomial = binomial * (double)(m - k) / (double)(k + 1);
    }
    for (size_t d = m + 1; d <= degree; d++) {
        b[d] = b[d - 1];
        for (size_t k = d - 1; k > 0; k--) {
            b[k] = ((double)k * b[k - 1] + (double)(d - k) * b[k]) / (double)d;
        }
    }
}

static void make_bernstein(lag_rule *rule)
{
    double b[LAG_TERMS];
    for (size_t m = 0; m < LAG_TERMS; m++) {
        legendre_in_bernstein(m, LAG_TERMS - 1, b);
        for (size_t k = 0; k < LAG_TERMS; k++) {
            rule->bernstein_integral[k][m] = b[k];
        }
    }
    for (size_t m = 0; m < LAG_NODES; m++) {
        legendre_in_bernstein(m, LAG_NODES - 1, b);
        for (size_t k = 0; k < LAG_NODES; k++) {
            rule->bernstein_rate[k][m] = b[k];
        }
    }
}

lag_rule lag_rule_make(void)
{
    lag_rule rule = {.node = {0}};
    rule.node[LAG_NODES - 1] = 1;
    for (size_t i = 1; i < LAG_NODES - 1; i++) {
        rule.node[i] = 0.5 * (1 + inner_node(i));
    }
    make_to_series(&rule);
    make_integral(&rule);
    make_derivative(&rule);
    make_bernstein(&rule);
    return rule;
}

/* ---- Series ---------------------------------------------------------------------------------- */

void lag_series_of(const lag_rule *rule, const double *values, size_t stride,
                   double series[LAG_NODES])
{
    for (size_t m = 0; m < LAG_NODES; m++) {
        series[m] = 0;
        for (size_t i = 0; i < LAG_NODES; i++) {
            series[m] += rule->to_series[m][i] * values[i * stride];
        }
    }
}

/* The integral of P_m(2 s - 1) from 0 to tau is (P_{m+1} - P_{m-1}) / (4m + 2), and that of P_0 is
 * (P_1 + P_0) / 2.
 */
void lag_series_integrate(const double series[LAG_NODES], double integral[LAG_TERMS])
{
    memset(integral, 0, LAG_TERMS * sizeof *integral);
    integral[0] = integral[1] = 0.5 * series[0];
    for (size_t m = 1; m < LAG_NODES; m++) {
        double part = series[m] / (4.0 * (double)m + 2);
        integral[m + 1] += part;
        integral[m - 1] -= part;
    }
}

double lag_series_at(const double *series, size_t terms, double tau)
{
    double p[LAG_TERMS], sum = 0;
    legendre(2 * tau - 1, terms, p);
    for (size_t m = 0; m < terms; m++) {
        sum += series[m] * p[m];
    }
    return sum;
}

/* P'_m(1) = m (m + 1) / 2, twice that by tau. */
double lag_series_slope_at_end(const double *series, size_t terms)
{
    double sum = 0;
    for (size_t m = 1; m < terms; m++) {
        sum += series[m] * (double)(m * (m + 1));
    }
    return sum;
}

/* ---- Roots ----------------------------------------------------------------------------------- */

lag_bernstein lag_bernstein_of_rate(const lag_rule *rule, const double series[LAG_NODES])
{
    lag_bernstein p = {.degree = LAG_NODES - 1};
    for (size_t k = 0; k < LAG_NODES; k++) {
        for (size_t m = 0; m < LAG_NODES; m++) {
            p.b[k] += rule->bernstein_rate[k][m] * series[m];
        }
    }
    return p;
}

lag_bernstein lag_bernstein_of_integral(const lag_rule *rule, const double series[LAG_TERMS])
{
    lag_bernstein p = {.degree = LAG_TERMS - 1};
    for (size_t k = 0; k < LAG_TERMS; k++) {
        for (size_t m = 0; m < LAG_TERMS; m++) {
            p.b[k] += rule->bernstein_integral[k][m] * series[m];
        }
    }
    return p;
}

/* tau B_k of degree d - 1 is (k+1)/d B_{k+1} of degree d. */
lag_bernstein lag_bernstein_deflate(lag_bernstein p)
{
    lag_bernstein q = {.degree = p.degree - 1};
    for (size_t k = 0; k <= q.degree; k++) {
        q.b[k] = (p.b[k + 1] - p.b[0]) * (double)p.degree / (double)(k + 1);
    }
    return q;
}

lag_bernstein lag_bernstein_shift(lag_bernstein p, double by)
{
    for (size_t k = 0; k <= p.degree; k++) {
        p.b[k] += by;
    }
    return p;
}

/* De Casteljau: both halves. */
static void halve(const lag_bernstein *p, lag_bernstein *left, lag_bernstein *right)
{
    *right = *p;
    left->degree = p->degree;
    for (size_t level = 0; level <= p->degree; level++) {
        left->b[level] = right->b[0];
        for (size_t k = 0; k + level < p->degree; k++) {
            right->b[k] = 0.5 * (right->b[k] + right->b[k + 1]);
        }
    }
}

static double least_coefficient(const lag_bernstein *p)
{
    double least = p->b[0];
    for (size_t k = 1; k <= p->degree; k++) {
        least = fmin(least, p->b[k]);
    }
    return least;
}

/* Halving ends when the root is known to rounding of tau itself, or where tau is nothing. */
static double search(const lag_bernstein *p, double low, double high, int depth)
{
    static const double CLOSE = 2.3e-16;
    if (p->b[0] <= 0) {
        return low;
    }
    if (least_coefficient(p) > 0) {
        return INFINITY;
    }
    if (high - low <= CLOSE * high || depth == 0) {
        return high;
    }
    lag_bernstein left, right;
    halve(p, &left, &right);
    double middle = 0.5 * (low + high);
    double root = search(&left, low, middle, depth - 1);
    return isfinite(root) ? root : search(&right, middle, high, depth - 1);
}

double lag_bernstein_first_root(lag_bernstein p)
{
    enum { DEPTH = 160 };
    return search(&p, 0, 1, DEPTH);
}

double lag_bernstein_least(lag_bernstein p)
{
    lag_bernstein half[2], quarter[2];
    double least = INFINITY;
    halve(&p, &half[0], &half[1]);
    for (size_t k = 0; k < 2; k++) {
        halve(&half[k], &quarter[0], &quarter[1]);
        least = fmin(least, fmin(least_coefficient(&quarter[0]), least_coefficient(&quarter[1])));
    }
    return least;
}
