/* How far a double is from a function's true value, by quadruple precision. */
#ifndef CAROM_TEST_ELEMENTARY_QUAD_H
#define CAROM_TEST_ELEMENTARY_QUAD_H

#include <stdbool.h>

typedef enum quad_function {
    QUAD_POW,
    QUAD_EXP,
    QUAD_EXPM1,
    QUAD_LOG,
    QUAD_LOG2,
    QUAD_LOG10,
    QUAD_LOG1P,
    QUAD_SIN,
    QUAD_COS,
    QUAD_ASIN,
    QUAD_ACOS,
    QUAD_HYPOT,
    QUAD_CBRT,
    QUAD_ERF,
    QUAD_ERFC
} quad_function;

bool quad_is_there(void);

/* In units of the last place of the true value. y: of pow and hypot alone. */
double quad_error(quad_function function, double x, double y, double got);

#endif
