#include "expression_quad.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef CAROM_HAVE_QUAD

#pragma GCC diagnostic ignored "-Wpedantic" /* __float128 */
#include <quadmath.h>

static const struct {
    const char *name;
    __float128 (*of)(__float128);
} functions[] = {
    {"sqrt", sqrtq}, {"cbrt", cbrtq}, {"abs", fabsq},  {"sin", sinq}, {"cos", cosq}, {"tan", tanq},
    {"asin", asinq}, {"acos", acosq}, {"atan", atanq}, {"exp", expq}, {"log", logq},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static __float128 value_of(const char **at);

/* "(a+b)", "(-a)" */
static __float128 bracketed(const char **at)
{
    __float128 a = 0;
    (*at)++;
    char operator= '+';
    if (**at == '-') {
        operator= '-';
        (*at)++;
        a = -value_of(at);
    } else {
        a = value_of(at);
        operator= ** at;
    }
    if (**at == ')') {
        (*at)++;
        return a;
    }
    (*at)++;
    __float128 b = value_of(at);
    (*at)++;
    switch (operator) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '/':
        return a / b;
    default:
        return powq(a, b);
    }
}

static __float128 value_of(const char **at)
{
    if (**at == '(') {
        return bracketed(at);
    }
    if (strncmp(*at, "pi", 2) == 0) {
        *at += 2;
        return M_PIq;
    }
    for (size_t i = 0; i < FUNCTIONS; i++) {
        size_t length = strlen(functions[i].name);
        if (strncmp(*at, functions[i].name, length) == 0 && (*at)[length] == '(') {
            *at += length;
            return functions[i].of(bracketed(at));
        }
    }
    char *end;
    __float128 number = strtoflt128(*at, &end);
    *at = end;
    return number;
}

double quad_expression(const char *text)
{
    return (double)value_of(&text);
}

double quad_pair_error(const char *function, const double x[2], double y, const double pair[2])
{
    __float128 argument = (__float128)x[0] + x[1], truth = powq(argument, y);
    for (size_t i = 0; i < FUNCTIONS; i++) {
        truth = strcmp(functions[i].name, function) == 0 ? functions[i].of(argument) : truth;
    }
    return (double)fabsq(((__float128)pair[0] + pair[1] - truth) / truth);
}

#else

double quad_expression(const char *text)
{
    (void)text;
    return NAN;
}

double quad_pair_error(const char *function, const double x[2], double y, const double pair[2])
{
    (void)function;
    (void)x;
    (void)y;
    (void)pair;
    return 0;
}

#endif
