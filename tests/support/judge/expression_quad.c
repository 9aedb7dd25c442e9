#include "expression_quad.h"

#include <math.h>
#include <stdint.h>
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

/* Not 0: every result is moved by this part of it, up or down as the bits of this generator are. */
static const double SHAKE = 0x1p-94; /* what is promised of wide numbers */
static _Thread_local uint64_t shaken;

static __float128 shake(__float128 a)
{
    if (shaken == 0) {
        return a;
    }
    shaken = 6364136223846793005u * shaken + 1442695040888963407u;
    return a * (1 + (__float128)(shaken >> 63 ? SHAKE : -SHAKE));
}

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
        return shake(a + b);
    case '-':
        return shake(a - b);
    case '*':
        return shake(a * b);
    case '/':
        return shake(a / b);
    default:
        return shake(powq(a, b));
    }
}

static __float128 value_of(const char **at)
{
    if (**at == '(') {
        return bracketed(at);
    }
    if (strncmp(*at, "pi", 2) == 0) {
        *at += 2;
        return shake(M_PIq);
    }
    for (size_t i = 0; i < FUNCTIONS; i++) {
        size_t length = strlen(functions[i].name);
        if (strncmp(*at, functions[i].name, length) == 0 && (*at)[length] == '(') {
            *at += length;
            return shake(functions[i].of(bracketed(at)));
        }
    }
    char *end;
    __float128 number = strtoflt128(*at, &end);
    *at = end;
    return shake(number);
}

double quad_expression(const char *text)
{
    shaken = 0;
    return (double)value_of(&text);
}

void quad_expression_range(const char *text, double *least, double *most)
{
    *least = *most = quad_expression(text);
    for (uint64_t k = 1; k <= 32; k++) {
        const char *at = text;
        shaken = 0x9e3779b97f4a7c15u * k;
        double value = (double)value_of(&at);
        *least = fmin(*least, value);
        *most = fmax(*most, value);
    }
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

void quad_expression_range(const char *text, double *least, double *most)
{
    *least = *most = quad_expression(text);
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
