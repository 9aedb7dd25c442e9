/* Expressions and elementary functions in quadruple precision. */
#ifndef CAROM_TEST_EXPRESSION_QUAD_H
#define CAROM_TEST_EXPRESSION_QUAD_H

/* An expression of expressions.h, without units, rounded to a double once. */
double quad_expression(const char *text);
/* Its least and largest value when every operation is off by 2^-94, as is promised: two doubles
 * where a sum cancels.
 */
void quad_expression_range(const char *text, double *least, double *most);

/* How far pair[0] + pair[1] is, relatively, from the function (sqrt, cbrt, sin, cos, tan, asin,
 * acos, atan, exp, log, pow) of x[0] + x[1] (and, for pow, y).
 */
double quad_pair_error(const char *function, const double x[2], double y, const double pair[2]);

#endif
