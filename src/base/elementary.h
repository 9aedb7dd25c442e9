/* Powers, logarithms and angles with the same bits on every machine. Internal.
 *
 * The C library has these functions, too, but in variants for several processors whose last bits
 * differ, and from version to version. Here they are made of sums, products, quotients and roots of
 * doubles, in a fixed order, none fused; so they are as exact as the machine's arithmetic is
 * standard (IEEE 754), and the library calls no others. NAN, infinities and zeros are answered as
 * the C standard says (annex F).
 *
 * Largest errors against quadruple precision, in units of the last place (test_elementary 300000):
 * pow, exp 0.51, the logarithms 0.50, log1p 0.66, expm1 0.55, sin, cos 0.78, asin, acos 0.65, hypot
 * 1.13.
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

#endif
