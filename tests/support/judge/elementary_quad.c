#include "elementary_quad.h"

#include <math.h>

#ifdef CAROM_HAVE_QUAD

#pragma GCC diagnostic ignored "-Wpedantic" /* __float128 */
#include <quadmath.h>

bool quad_is_there(void)
{
    return true;
}

static __float128 value(quad_function function, __float128 x, __float128 y)
{
    switch (function) {
    case QUAD_POW:
        return powq(x, y);
    case QUAD_EXP:
        return expq(x);
    case QUAD_EXPM1:
        return expm1q(x);
    case QUAD_LOG:
        return logq(x);
    case QUAD_LOG2:
        return log2q(x);
    case QUAD_LOG10:
        return log10q(x);
    case QUAD_LOG1P:
        return log1pq(x);
    case QUAD_SIN:
        return sinq(x);
    case QUAD_COS:
        return cosq(x);
    case QUAD_ASIN:
        return asinq(x);
    case QUAD_ACOS:
        return acosq(x);
    case QUAD_CBRT:
        return cbrtq(x);
    case QUAD_ERF:
        return erfq(x);
    case QUAD_ERFC:
        return erfcq(x);
    default:
        return hypotq(x, y);
    }
}

double quad_error(quad_function function, double x, double y, double got)
{
    __float128 truth = value(function, x, y);
    int exponent;
    frexpq(truth, &exponent);
    __float128 unit = ldexpq(1, exponent - 53 > -1074 ? exponent - 53 : -1074);
    return (double)(fabsq(got - truth) / unit);
}

#else

bool quad_is_there(void)
{
    return false;
}

double quad_error(quad_function function, double x, double y, double got)
{
    (void)function;
    (void)x;
    (void)y;
    (void)got;
    return 0;
}

#endif
