/* What the files of base/elementary share. Internal. */
#ifndef CRM_ELEMENTARY_INNER_H
#define CRM_ELEMENTARY_INNER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/elementary.h"
#include "base/twofold.h"

/* tables.c */
extern const double crm_table_logarithm[128][3]; /* 1/c, log c in two parts */
extern const double crm_table_power[128][2]; /* 2^(i/128), and what its rounding is off, relative */
extern const uint32_t crm_table_two_over_pi[40]; /* binary digits behind the point */

static inline uint64_t crm_bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double crm_of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* log x for finite x > 0, to a relative error of some 2^-65. */
crm_twofold crm_logarithm_twofold(double x);

/* The whole number next to x, |x| < 2^51. */
static inline double crm_nearest_whole(double x)
{
    const double shift = 0x1.8p52;
    return (x + shift) - shift;
}

#endif
