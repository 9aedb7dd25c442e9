/* Numbers of 106 bits with a wide range, and their elementary functions. Internal.
 *
 * What a scenario computes is computed in these and rounded to a double once: 0.1 + 0.2 is 0.3.
 * They are made of doubles by sums, products, quotients and roots in a fixed order, none fused, so
 * that their bits are the same on every machine, which those of long doubles are not.
 *
 * Relative errors are below 2^-94 (test_wide). A sum of which only the last bits are left is 0,
 * since those are rounding: 0.3 - 3*0.1, sin(pi) and cos(90 deg) are 0.
 */
#ifndef CRM_WIDE_H
#define CRM_WIDE_H

#include <stddef.h>

#include "base/twofold.h"

typedef struct crm_wide {
    crm_twofold part; /* 0, infinite, not a number, or between 1/2 and 1 in size */
    int exponent;     /* the value is part 2^exponent */
} crm_wide;

crm_wide crm_wide_of(double value);
/* Digits, at most one of the points between them, then 10^ten times that. */
crm_wide crm_wide_decimal(const char *digits, size_t count, long ten);
extern const crm_wide crm_wide_pi;

/* Rounded to the nearest. What is too small for a double of full precision is none, rather than 0.
 */
double crm_wide_narrow(crm_wide a);

crm_wide crm_wide_negative(crm_wide a);
crm_wide crm_wide_sum(crm_wide a, crm_wide b);
crm_wide crm_wide_product(crm_wide a, crm_wide b);
crm_wide crm_wide_quotient(crm_wide a, crm_wide b);

crm_wide crm_wide_abs(crm_wide a);
crm_wide crm_wide_sqrt(crm_wide a);
crm_wide crm_wide_cbrt(crm_wide a);
crm_wide crm_wide_exp(crm_wide a);
crm_wide crm_wide_log(crm_wide a);
crm_wide crm_wide_power(crm_wide a, crm_wide exponent);

/* Angles of at most CRM_WIDE_ANGLE_MOST in size. */
#define CRM_WIDE_ANGLE_MOST 1e15
crm_wide crm_wide_sin(crm_wide a);
crm_wide crm_wide_cos(crm_wide a);
crm_wide crm_wide_tan(crm_wide a);
crm_wide crm_wide_asin(crm_wide a);
crm_wide crm_wide_acos(crm_wide a);
crm_wide crm_wide_atan(crm_wide a);

#endif
