/* Polynomials on a step: the collocation rule, series of Legendre, the first root.
 *
 * A step of length h is parametrized by tau in [0, 1]. A rate f is known at the Lobatto nodes
 * tau_0 = 0 .. tau_7 = 1 and stands for the polynomial of degree 7 through them, kept as a series
 * of Legendre polynomials P_m(2 tau - 1); its integral has degree 8.
 */
#ifndef CRM_LAGRANGE_RULE_H
#define CRM_LAGRANGE_RULE_H

#include <stddef.h>

enum { LAG_NODES = 8, LAG_TERMS = LAG_NODES + 1 };

typedef struct lag_rule {
    double node[LAG_NODES];
    double to_series[LAG_NODES][LAG_NODES];  /* node values -> coefficients */
    double integral[LAG_NODES][LAG_NODES];   /* node values -> integral from 0 to each node */
    double derivative[LAG_NODES][LAG_NODES]; /* node values -> derivative at each node */
    /* Coefficients of P_0 .. P_d -> Bernstein coefficients of degree d, for d = 7 and 8. */
    double bernstein_rate[LAG_NODES][LAG_NODES];
    double bernstein_integral[LAG_TERMS][LAG_TERMS];
} lag_rule;

lag_rule lag_rule_make(void);

/* Series of the polynomial through the node values at values[0], values[stride] ... */
void lag_series_of(const lag_rule *rule, const double *values, size_t stride,
                   double series[LAG_NODES]);
/* Series of its integral from 0 to tau. */
void lag_series_integrate(const double series[LAG_NODES], double integral[LAG_TERMS]);
double lag_series_at(const double *series, size_t terms, double tau);
double lag_series_slope_at_end(const double *series, size_t terms);

/* A polynomial in Bernstein's basis lies between the least and the largest of its coefficients,
 * and so does each half of it, whose coefficients are means: a first root cannot be passed over.
 */
enum { LAG_BERNSTEIN_MOST = LAG_TERMS };
typedef struct lag_bernstein {
    size_t degree;
    double b[LAG_BERNSTEIN_MOST];
} lag_bernstein;

lag_bernstein lag_bernstein_of_rate(const lag_rule *rule, const double series[LAG_NODES]);
lag_bernstein lag_bernstein_of_integral(const lag_rule *rule, const double series[LAG_TERMS]);
/* (p - p(0)) / tau */
lag_bernstein lag_bernstein_deflate(lag_bernstein p);
lag_bernstein lag_bernstein_shift(lag_bernstein p, double by);
/* The least tau in [0, 1] at which p is not positive; INFINITY: p > 0 throughout. To 1e-16 of
 * tau itself, however small. */
double lag_bernstein_first_root(lag_bernstein p);
/* A lower bound of p, from its quarters. */
double lag_bernstein_least(lag_bernstein p);

#endif
