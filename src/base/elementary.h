/* Powers, logarithms and angles with the same bits on every machine. Internal.
 *
 * Those of the C library differ in their last bits between processors and versions. Here they are
 * sums, products, quotients and roots of doubles in a fixed order, none fused, so that any IEEE 754
 * arithmetic gives the same bits. NAN, infinities and zeros follow annex F of the C standard.
 *
 * All that computes with doubles calls these and no elementary functions of the C library
 * (tests/install/symbols). Expressions of a scenario have functions of 106 bits
 * (scenario/number/wide/wide.h).
 *
 * Largest errors against quadruple precision, in units of the last place (test_elementary 300000):
 * pow, exp 0.51, the logarithms 0.50, log1p 0.66, expm1 0.55, sin, cos 0.78, asin, acos 0.65, hypot
 * 1.13, cbrt 0.50, erf 0.63, erfc 1.9.
 */
#ifndef CRM_ELEMENTARY_H
#define CRM_ELEMENTARY_H

double crm_pow(double x, double y);
double crm_exp(double x);
double crm_expm1(double x); /* e^x - 1 */
double crm_log(double x);
double crm_log2(double x);
double crm_log10(double x);
double crm_log1p(double x); /* log(1 + x) */

double crm_sin(double x);
double crm_cos(double x);
double crm_asin(double x);
double crm_acos(double x);
double crm_hypot(double x, double y);

double crm_cbrt(double x);
double crm_erf(double x);
double crm_erfc(double x);

#endif
