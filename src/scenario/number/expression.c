/* Reading an expression, from left to right, and computing it on the way. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/text.h"
#include "scenario/number/number.h"

enum { NESTING_MOST = 64 };

typedef struct parser {
    const char *at;
    size_t depth; /* of parentheses and signs */
    crm_symbols symbols;
    bool failed;
    char *problem;
    size_t size;
} parser;

static const crm_quantity NOTHING = {.value = {.part = {NAN, 0}}};

/* The first error stays. */
__attribute__((format(printf, 2, 3))) static crm_quantity fail(parser *p, const char *format, ...)
{
    if (!p->failed) {
        va_list arguments;
        va_start(arguments, format);
        crm_vsnprintf(p->problem, p->size, format, arguments);
        va_end(arguments);
    }
    p->failed = true;
    return NOTHING;
}

/* ---- Characters --------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* May a name contain it? Letters, and bytes of other alphabets. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static char look(parser *p)
{
    p->at += strspn(p->at, " \t");
    return *p->at;
}

static bool take(parser *p, char c)
{
    bool there = look(p) == c;
    p->at += there;
    return there;
}

static size_t name_length(const char *at)
{
    size_t length = 0;
    while (is_letter(at[length])) {
        length++;
    }
    return length;
}

/* The place where reading stopped, as the words or the end that stand there. */
static crm_quantity fail_here(parser *p, const char *wanted)
{
    char shown[32];
    if (look(p) == '\0') {
        return fail(p, "%s is missing at the end", wanted);
    }
    crm_yaml_show_text(p->at, shown, sizeof shown);
    return fail(p, "%s is missing before '%s'", wanted, shown);
}

/* ---- Arithmetic with units ---------------------------------------------------------------- */

static bool has_unit(const crm_quantity *q)
{
    for (size_t d = 0; d < CRM_DIMENSIONS; d++) {
        if (q->dimension[d] != 0) {
            return true;
        }
    }
    return false;
}

static bool same_unit(const crm_quantity *a, const crm_quantity *b)
{
    for (size_t d = 0; d < CRM_DIMENSIONS; d++) {
        if (fabs(a->dimension[d] - b->dimension[d]) > 1e-9) { /* thirds may have been added up */
            return false;
        }
    }
    return true;
}

static crm_quantity product(crm_quantity a, crm_quantity b)
{
    for (size_t d = 0; d < CRM_DIMENSIONS; d++) {
        a.dimension[d] += b.dimension[d];
    }
    a.value = crm_wide_product(a.value, b.value);
    return a;
}

static crm_quantity quotient(crm_quantity a, crm_quantity b)
{
    for (size_t d = 0; d < CRM_DIMENSIONS; d++) {
        a.dimension[d] -= b.dimension[d];
    }
    a.value = crm_wide_quotient(a.value, b.value);
    return a;
}

static crm_quantity raised(crm_quantity a, crm_wide exponent)
{
    double power = ldexp(exponent.part.high, exponent.exponent);
    for (size_t d = 0; d < CRM_DIMENSIONS; d++) {
        a.dimension[d] = a.dimension[d] != 0 ? a.dimension[d] * power : 0;
    }
    a.value = crm_wide_power(a.value, exponent);
    return a;
}

/* ---- Functions ---------------------------------------------------------------------------- */

static const struct {
    const char *name;
    crm_wide (*of)(crm_wide);
    double power; /* what it makes of a unit; 0: takes none */
} functions[] = {
    {"sqrt", crm_wide_sqrt, 0.5}, {"cbrt", crm_wide_cbrt, 1.0 / 3}, {"abs", crm_wide_abs, 1},
    {"sin", crm_wide_sin, 0},     {"cos", crm_wide_cos, 0},         {"tan", crm_wide_tan, 0},
    {"asin", crm_wide_asin, 0},   {"acos", crm_wide_acos, 0},       {"atan", crm_wide_atan, 0},
    {"exp", crm_wide_exp, 0},     {"log", crm_wide_log, 0},
};
enum { ANGLES = 3, ANGLES_END = 6, FUNCTIONS = sizeof functions / sizeof functions[0] };

static size_t function_of(const char *name, size_t length)
{
    size_t i = 0;
    while (i < FUNCTIONS &&
           (strlen(functions[i].name) != length || memcmp(functions[i].name, name, length) != 0)) {
        i++;
    }
    return i;
}

static crm_quantity apply(parser *p, size_t which, crm_quantity q)
{
    if (functions[which].power == 0 && has_unit(&q)) {
        return fail(p, "%s takes a number without unit", functions[which].name);
    }
    if (which >= ANGLES && which < ANGLES_END &&
        fabs(crm_wide_narrow(q.value)) > CRM_WIDE_ANGLE_MOST) {
        return fail(p, "%s takes angles up to %g", functions[which].name, CRM_WIDE_ANGLE_MOST);
    }
    for (size_t d = 0; d < CRM_DIMENSIONS; d++) {
        q.dimension[d] *= functions[which].power;
    }
    q.value = functions[which].of(q.value);
    return q;
}

/* ---- Parsing ------------------------------------------------------------------------------ */

static crm_quantity read_sum(parser *p);

static crm_quantity read_bracketed(parser *p)
{
    if (!take(p, '(')) {
        return fail_here(p, "'('");
    }
    crm_quantity inside = read_sum(p);
    return p->failed || take(p, ')') ? inside : fail_here(p, "')'");
}

static bool find_symbol(const parser *p, size_t length, crm_quantity *quantity)
{
    for (size_t i = 0; i < p->symbols.count; i++) {
        const crm_symbol *symbol = &p->symbols.entries[i];
        if (strlen(symbol->name) == length && memcmp(symbol->name, p->at, length) == 0) {
            *quantity = symbol->quantity;
            return true;
        }
    }
    return false;
}

static crm_quantity read_name(parser *p)
{
    size_t length = name_length(p->at), which = function_of(p->at, length);
    crm_quantity q = NOTHING;
    if (which < FUNCTIONS) {
        p->at += length;
        q = read_bracketed(p);
        return p->failed ? q : apply(p, which, q);
    }
    if (!find_symbol(p, length, &q) && !crm_unit_find(p->at, length, &q)) {
        char name[48], shown[48];
        snprintf(name, sizeof name, "%.*s", (int)(length < 40 ? length : 40), p->at);
        crm_yaml_show_text(name, shown, sizeof shown);
        return fail(p, "'%s' is not a unit, constant or function", shown);
    }
    p->at += length;
    return q;
}

/* Digits with a point and an exponent. */
static crm_quantity read_decimal(parser *p)
{
    enum { LONGEST = 63 };
    size_t count = strspn(p->at, "0123456789."), length = count;
    const char *exponent = p->at + count, *point = memchr(p->at, '.', count);
    long ten = 0;
    if (*exponent == 'e' || *exponent == 'E') {
        size_t sign = exponent[1] == '-' || exponent[1] == '+';
        size_t digits = strspn(exponent + 1 + sign, "0123456789");
        length += digits > 0 ? 1 + sign + digits : 0;
        ten = digits > 0 ? strtol(exponent + 1, NULL, 10) : 0; /* too many: LONG_MAX */
    }
    if (length > LONGEST) {
        return fail(p, "a number has more than %d digits", LONGEST);
    }
    if (point != NULL &&
        (count == 1 || memchr(point + 1, '.', p->at + count - point - 1) != NULL)) {
        return fail(p, "'%.*s' is not a number", (int)length, p->at);
    }
    crm_quantity q = {.value = crm_wide_decimal(p->at, count, ten)};
    p->at += length;
    return q;
}

static crm_quantity read_value(parser *p)
{
    char c = look(p);
    if (is_digit(c) || c == '.') {
        return read_decimal(p);
    }
    if (c == '(') {
        return read_bracketed(p);
    }
    return is_letter(c) ? read_name(p) : fail_here(p, "a number");
}

static crm_quantity read_signed(parser *p);

static crm_quantity read_power(parser *p)
{
    crm_quantity base = read_value(p);
    if (p->failed || !take(p, '^')) {
        return base;
    }
    crm_quantity exponent = read_signed(p);
    if (!p->failed && has_unit(&exponent)) {
        return fail(p, "an exponent has no unit");
    }
    return raised(base, exponent.value);
}

/* Everything that nests comes through here. */
static crm_quantity read_signed(parser *p)
{
    if (++p->depth > NESTING_MOST) {
        return fail(p, "it is nested more than %d deep", NESTING_MOST);
    }
    bool minus = take(p, '-');
    crm_quantity q = minus || take(p, '+') ? read_signed(p) : read_power(p);
    p->depth--;
    q.value = minus ? crm_wide_negative(q.value) : q.value;
    return q;
}

static crm_quantity read_product(parser *p)
{
    crm_quantity q = read_signed(p);
    while (!p->failed) {
        if (take(p, '*')) {
            q = product(q, read_signed(p));
        } else if (take(p, '/')) {
            q = quotient(q, read_signed(p));
        } else if (is_letter(look(p))) {
            q = product(q, read_power(p));
        } else {
            break;
        }
    }
    return q;
}

static crm_quantity read_sum(parser *p)
{
    crm_quantity q = read_product(p);
    while (!p->failed && (look(p) == '+' || look(p) == '-')) {
        bool minus = *p->at++ == '-';
        crm_quantity more = read_product(p);
        if (!p->failed && !same_unit(&q, &more)) {
            return fail(p, "'%c' is between different units", minus ? '-' : '+');
        }
        q.value = crm_wide_sum(q.value, minus ? crm_wide_negative(more.value) : more.value);
    }
    return q;
}

bool crm_expression_read(const char *text, crm_quantity *quantity, char *problem, size_t size)
{
    return crm_expression_compute(text, (crm_symbols){0}, quantity, problem, size);
}

bool crm_expression_compute(const char *text, crm_symbols symbols, crm_quantity *quantity,
                            char *problem, size_t size)
{
    parser p = {.at = text, .symbols = symbols, .problem = problem, .size = size};
    *quantity = read_sum(&p);
    if (!p.failed && look(&p) != '\0') {
        (void)fail_here(&p, "an operator");
    }
    return !p.failed;
}

bool crm_expression_name_is_free(const char *name)
{
    crm_quantity unit;
    size_t length = name_length(name);
    return length > 0 && name[length] == '\0' && function_of(name, length) == FUNCTIONS &&
           !crm_unit_find(name, length, &unit);
}

/* ---- Nodes -------------------------------------------------------------------------------- */

static bool is_expression(const crm_node *node)
{
    return node->kind == CRM_NODE_SCALAR && node->plain && node->count > 0 &&
           node->text[strspn(node->text, "0123456789.eE+-")] != '\0';
}

bool crm_number_value(const crm_node *node, double *value)
{
    char problem[128];
    crm_quantity q;
    if (crm_yaml_number(node, value)) {
        return true;
    }
    if (!(node->kind == CRM_NODE_SCALAR && node->plain) ||
        !crm_expression_read(node->text, &q, problem, sizeof problem)) {
        return false;
    }
    *value = crm_wide_narrow(q.value);
    return true;
}

/* N/m^η, whose power of the length is the contact's own. */
static bool is_stiffness(const crm_quantity *q)
{
    return q->dimension[CRM_DIMENSION_MASS] == 1 && q->dimension[CRM_DIMENSION_TIME] == -2;
}

bool crm_number_fits_quantity(const crm_quantity *quantity, const char *unit)
{
    char problem[128];
    crm_quantity wanted = {0};
    if (!has_unit(quantity)) {
        return true;
    }
    if (unit != NULL && strcmp(unit, "N/m^η") == 0) {
        return is_stiffness(quantity);
    }
    return (unit != NULL && !crm_expression_read(unit, &wanted, problem, sizeof problem)) ||
           same_unit(quantity, &wanted);
}

bool crm_number_fits(const crm_node *node, const char *unit)
{
    char problem[128];
    crm_quantity q;
    double number;
    return !is_expression(node) || crm_yaml_number(node, &number) ||
           !crm_expression_read(node->text, &q, problem, sizeof problem) ||
           crm_number_fits_quantity(&q, unit);
}
