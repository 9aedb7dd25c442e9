/* Fehlberg's explicit Runge-Kutta pair of orders 7 and 8 (NASA TR R-287, table X), for the judges.
 */
#ifndef CAROM_TEST_FEHLBERG_H
#define CAROM_TEST_FEHLBERG_H

enum { FEHLBERG_STAGES = 13 };

/* Stage i is taken at y + h sum over m < i of stage[i][m] k_m; the formula of order 8 has these
 * weights, and that of order 7 differs by h error_weight (k_0 + k_10 - k_11 - k_12).
 */
extern const long double fehlberg_stage[FEHLBERG_STAGES][FEHLBERG_STAGES];
extern const long double fehlberg_weight[FEHLBERG_STAGES];
extern const long double fehlberg_error_weight;

#endif
