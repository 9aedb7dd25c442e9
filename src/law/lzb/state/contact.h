/* One contact of the LZB law: E = K x^(eta+1) / (eta+1), force K x^eta. Internal. */
#ifndef CRM_LZB_CONTACT_H
#define CRM_LZB_CONTACT_H

#include <math.h>

#include "base/elementary.h"

/* fmax and fmin are calls, since they must see to NaN. */
static inline double lzb_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double lzb_smaller(double a, double b)
{
    return a < b ? a : b;
}

typedef enum lzb_kind { LZB_LINEAR, LZB_HERTZ, LZB_POWER } lzb_kind;

static inline lzb_kind lzb_contact_kind(double exponent)
{
    return exponent == 1.0 ? LZB_LINEAR : exponent == 1.5 ? LZB_HERTZ : LZB_POWER;
}

static inline double lzb_contact_force(double stiffness, double exponent, double x)
{
    if (!(x > 0)) {
        return 0;
    }
    switch (lzb_contact_kind(exponent)) {
    case LZB_LINEAR:
        return stiffness * x;
    case LZB_HERTZ:
        return stiffness * x * sqrt(x);
    default:
        return stiffness * crm_pow(x, exponent);
    }
}

static inline double lzb_contact_energy(double stiffness, double exponent, double x)
{
    return x > 0 ? lzb_contact_force(stiffness, exponent, x) * x / (1.0 + exponent) : 0;
}

static inline double lzb_contact_indentation(double stiffness, double exponent, double energy)
{
    return crm_pow((1.0 + exponent) * energy / stiffness, 1.0 / (1.0 + exponent));
}

/* The part of its depth that a contact of mono-stiffness gives back before it opens. */
static inline double lzb_contact_given_back(double restitution, double exponent)
{
    return -crm_expm1(crm_log1p(-restitution * restitution) / (1.0 + exponent));
}

#endif
