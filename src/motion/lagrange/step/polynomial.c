#include "motion/lagrange/step/polynomial.h"

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
    const double d = LAGRANGE_NODES - 1;
    double x = -crm_cos(PI * (double)index / d);
    for (int k = 0; k < 20; k++) {
        double p[LAGRANGE_NODES];
        legendre(x, LAGRANGE_NODES, p);
        double first = d * (p[LAGRANGE_NODES - 2] - x * p[LAGRANGE_NODES - 1]);
        double second = 2 * x * first / (1 - x * x) - d * (d + 1) * p[LAGRANGE_NODES - 1];
        x -= first / second;
    }
    return x;
}

/* Lobatto's weights 2 / (56 P_7^2) make P_0 .. P_7 orthogonal on the nodes, with squares
 * 2/(2m+1), but 2/7 for P_7 itself.
 */
static void make_to_series(lagrange_rule *rule)
{
    const double d = LAGRANGE_NODES - 1;
    for (size_t i = 0; i < LAGRANGE_NODES; i++) {
        double p[LAGRANGE_NODES];
        legendre(2 * rule->node[i] - 1, LAGRANGE_NODES, p);
        double weight = 2 / (d * (d + 1) * p[LAGRANGE_NODES - 1] * p[LAGRANGE_NODES - 1]);
        for (size_t m = 0; m < LAGRANGE_NODES; m++) {
            double square = m < LAGRANGE_NODES - 1 ? 2 / (2.0 * (double)m + 1) : 2 / d;
            rule->to_series[m][i] = weight * p[m] / square;
        }
    }
}

static void make_integral(lagrange_rule *rule)
{
    for (size_t k = 0; k < LAGRANGE_NODES; k++) {
        double series[LAGRANGE_NODES], integral[LAGRANGE_TERMS];
        for (size_t m = 0; m < LAGRANGE_NODES; m++) {
            series[m] = rule->to_series[m][k];
        }
        lagrange_series_integrate(series, integral);
        for (size_t i = 1; i < LAGRANGE_NODES; i++) {
            rule->integral[i][k] = lagrange_series_at(integral, LAGRANGE_TERMS, rule->node[i]);
        }
    }
}

/* Derivatives of the cardinal polynomials at the nodes, by barycentric weights. */
static void make_derivative(lagrange_rule *rule)
{
    double weight[LAGRANGE_NODES];
    for (size_t i = 0; i < LAGRANGE_NODES; i++) {
        weight[i] = 1;
        for (size_t k = 0; k < LAGRANGE_NODES; k++) {
            weight[i] /= k != i ? rule->node[i] - rule->node[k] : 1;
        }
    }
    for (size_t i = 0; i < LAGRANGE_NODES; i++) {
        rule->derivative[i][i] = 0;
        for (size_t k = 0; k < LAGRANGE_NODES; k++) {
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

static void make_bernstein(lagrange_rule *rule)
{
    double b[LAGRANGE_TERMS];
    for (size_t m = 0; m < LAGRANGE_TERMS; m++) {
        legendre_in_bernstein(m, LAGRANGE_TERMS - 1, b);
        for (size_t k = 0; k < LAGRANGE_TERMS; k++) {
            rule->bernstein_integral[k][m] = b[k];
        }
    }
    for (size_t m = 0; m < LAGRANGE_NODES; m++) {
        legendre_in_bernstein(m, LAGRANGE_NODES - 1, b);
        for (size_t k = 0; k < LAGRANGE_NODES; k++) {
            rule->bernstein_rate[k][m] = b[k];
        }
    }
}

lagrange_rule lagrange_rule_make(void)
{
    lagrange_rule rule = {.node = {0}};
    rule.node[LAGRANGE_NODES - 1] = 1;
    for (size_t i = 1; i < LAGRANGE_NODES - 1; i++) {
        rule.node[i] = 0.5 * (1 + inner_node(i));
    }
    make_to_series(&rule);
    make_integral(&rule);
    make_derivative(&rule);
    make_bernstein(&rule);
    return rule;
}

/* ---- Series ---------------------------------------------------------------------------------- */

void lagrange_series_of(const lagrange_rule *rule, const double *values, size_t stride,
                        double series[LAGRANGE_NODES])
{
    for (size_t m = 0; m < LAGRANGE_NODES; m++) {
        series[m] = 0;
        for (size_t i = 0; i < LAGRANGE_NODES; i++) {
            series[m] += rule->to_series[m][i] * values[i * stride];
        }
    }
}

/* The integral of P_m(2 s - 1) from 0 to tau is (P_{m+1} - P_{m-1}) / (4m + 2), and that of P_0 is
 * (P_1 + P_0) / 2.
 */
void lagrange_series_integrate(const double series[LAGRANGE_NODES], double integral[LAGRANGE_TERMS])
{
    memset(integral, 0, LAGRANGE_TERMS * sizeof *integral);
    integral[0] = integral[1] = 0.5 * series[0];
    for (size_t m = 1; m < LAGRANGE_NODES; m++) {
        double part = series[m] / (4.0 * (double)m + 2);
        integral[m + 1] += part;
        integral[m - 1] -= part;
    }
}

double lagrange_series_at(const double *series, size_t terms, double tau)
{
    double p[LAGRANGE_TERMS], sum = 0;
    legendre(2 * tau - 1, terms, p);
    for (size_t m = 0; m < terms; m++) {
        sum += series[m] * p[m];
    }
    return sum;
}

/* P'_m(1) = m (m + 1) / 2, twice that by tau. */
double lagrange_series_slope_at_end(const double *series, size_t terms)
{
    double sum = 0;
    for (size_t m = 1; m < terms; m++) {
        sum += series[m] * (double)(m * (m + 1));
    }
    return sum;
}

/* ---- Roots ----------------------------------------------------------------------------------- */

lagrange_bernstein lagrange_bernstein_of_rate(const lagrange_rule *rule,
                                              const double series[LAGRANGE_NODES])
{
    lagrange_bernstein p = {.degree = LAGRANGE_NODES - 1};
    for (size_t k = 0; k < LAGRANGE_NODES; k++) {
        for (size_t m = 0; m < LAGRANGE_NODES; m++) {
            p.b[k] += rule->bernstein_rate[k][m] * series[m];
        }
    }
    return p;
}

lagrange_bernstein lagrange_bernstein_of_integral(const lagrange_rule *rule,
                                                  const double series[LAGRANGE_TERMS])
{
    lagrange_bernstein p = {.degree = LAGRANGE_TERMS - 1};
    for (size_t k = 0; k < LAGRANGE_TERMS; k++) {
        for (size_t m = 0; m < LAGRANGE_TERMS; m++) {
            p.b[k] += rule->bernstein_integral[k][m] * series[m];
        }
    }
    return p;
}

/* tau B_k of degree d - 1 is (k+1)/d B_{k+1} of degree d. */
lagrange_bernstein lagrange_bernstein_deflate(lagrange_bernstein p)
{
    lagrange_bernstein q = {.degree = p.degree - 1};
    for (size_t k = 0; k <= q.degree; k++) {
        q.b[k] = (p.b[k + 1] - p.b[0]) * (double)p.degree / (double)(k + 1);
    }
    return q;
}

lagrange_bernstein lagrange_bernstein_shift(lagrange_bernstein p, double by)
{
    for (size_t k = 0; k <= p.degree; k++) {
        p.b[k] += by;
    }
    return p;
}

/* De Casteljau: both halves. */
static void halve(const lagrange_bernstein *p, lagrange_bernstein *left, lagrange_bernstein *right)
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

static double least_coefficient(const lagrange_bernstein *p)
{
    double least = p->b[0];
    for (size_t k = 1; k <= p->degree; k++) {
        least = fmin(least, p->b[k]);
    }
    return least;
}

/* Bisection ends when the root is known to rounding of tau, or after `depth` halvings. */
static double search(const lagrange_bernstein *p, double low, double high, int depth)
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
    lagrange_bernstein left, right;
    halve(p, &left, &right);
    double middle = 0.5 * (low + high);
    double root = search(&left, low, middle, depth - 1);
    return isfinite(root) ? root : search(&right, middle, high, depth - 1);
}

double lagrange_bernstein_first_root(lagrange_bernstein p)
{
    enum { DEPTH = 160 };
    return search(&p, 0, 1, DEPTH);
}

double lagrange_bernstein_least(lagrange_bernstein p)
{
    lagrange_bernstein half[2], quarter[2];
    double least = INFINITY;
    halve(&p, &half[0], &half[1]);
    for (size_t k = 0; k < 2; k++) {
        halve(&half[k], &quarter[0], &quarter[1]);
        least = fmin(least, fmin(least_coefficient(&quarter[0]), least_coefficient(&quarter[1])));
    }
    return least;
}
