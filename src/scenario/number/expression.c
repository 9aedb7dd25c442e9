/* Reading an expression, from left to right, and computing it on the way. */
#include <float.h>
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
    bool failed;
    char *problem;
    size_t size;
    crm_named_number *variables;
    size_t variable_count;
} parser;

static const crm_quantity NOTHING = {.value = NAN};

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

/* Of a name: letters, and bytes of other alphabets. */
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

bool crm_quantity_has_unit(const crm_quantity *q)
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
    a.value *= b.value;
    return a;
}

static crm_quantity quotient(crm_quantity a, crm_quantity b)
{
    for (size_t d = 0; d < CRM_DIMENSIONS; d++) {
        a.dimension[d] -= b.dimension[d];
    }
    a.value /= b.value;
    return a;
}

static crm_quantity raised(crm_quantity a, long double exponent)
{
    for (size_t d = 0; d < CRM_DIMENSIONS; d++) {
        a.dimension[d] *= (double)exponent;
    }
    a.value = powl(a.value, exponent);
    return a;
}

/* ---- Functions ---------------------------------------------------------------------------- */

static const struct {
    const char *name;
    long double (*of)(long double);
    double power; /* what it makes of a unit; 0: takes none */
} functions[] = {
    {"sqrt", sqrtl, 0.5}, {"cbrt", cbrtl, 1.0 / 3}, {"abs", fabsl, 1},  {"sin", sinl, 0},
    {"cos", cosl, 0},     {"tan", tanl, 0},         {"asin", asinl, 0}, {"acos", acosl, 0},
    {"atan", atanl, 0},   {"exp", expl, 0},         {"log", logl, 0},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

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
    if (functions[which].power == 0 && crm_quantity_has_unit(&q)) {
        return fail(p, "%s takes a number without unit", functions[which].name);
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

static bool find_variable(parser *p, size_t length, crm_quantity *q)
{
    for (size_t i = 0; i < p->variable_count; i++) {
        crm_named_number *v = &p->variables[i];
        if (strlen(v->name) == length && memcmp(v->name, p->at, length) == 0) {
            v->used = true;
            *q = (crm_quantity){.value = v->value};
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
    if (find_variable(p, length, &q)) {
        p->at += length;
        return q;
    }
    if (!crm_unit_find(p->at, length, &q)) {
        char name[48], shown[48];
        snprintf(name, sizeof name, "%.*s", (int)(length < 40 ? length : 40), p->at);
        crm_yaml_show_text(name, shown, sizeof shown);
        return fail(p, "'%s' is not a unit, constant or function", shown);
    }
    p->at += length;
    return q;
}

/* Digits with a point and an exponent; nothing else that strtold would take. */
static crm_quantity read_decimal(parser *p)
{
    char text[64];
    size_t length = strspn(p->at, "0123456789.");
    const char *exponent = p->at + length;
    if (*exponent == 'e' || *exponent == 'E') {
        size_t sign = exponent[1] == '-' || exponent[1] == '+';
        size_t digits = strspn(exponent + 1 + sign, "0123456789");
        length += digits > 0 ? 1 + sign + digits : 0;
    }
    if (length >= sizeof text) {
        return fail(p, "a number has more than %zu digits", sizeof text - 1);
    }
    memcpy(text, p->at, length);
    text[length] = '\0';
    char *end;
    crm_quantity q = {.value = crm_strtold(text, &end)};
    if (*end != '\0') {
        return fail(p, "'%s' is not a number", text);
    }
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
    if (!p->failed && crm_quantity_has_unit(&exponent)) {
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
    q.value = minus ? -q.value : q.value;
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
        q.value += minus ? -more.value : more.value;
    }
    return q;
}

bool crm_expression_read(const char *text, crm_quantity *quantity, char *problem, size_t size)
{
    return crm_expression_read_with(text, NULL, 0, quantity, problem, size);
}

bool crm_expression_read_with(const char *text, crm_named_number *variables, size_t count,
                              crm_quantity *quantity, char *problem, size_t size)
{
    parser p = {.at = text,
                .problem = problem,
                .size = size,
                .variables = variables,
                .variable_count = count};
    *quantity = read_sum(&p);
    if (!p.failed && look(&p) != '\0') {
        (void)fail_here(&p, "an operator");
    }
    return !p.failed;
}

/* ---- Nodes -------------------------------------------------------------------------------- */

static bool is_expression(const crm_node *node)
{
    return node->kind == CRM_NODE_SCALAR && node->plain && node->count > 0 &&
           node->text[strspn(node->text, "0123456789.eE+-")] != '\0';
}

/* What is too small for a number of full precision is none, rather than 0. */
static double narrowed(long double value)
{
    double narrow = (double)value;
    return value != 0 && fabs(narrow) < DBL_MIN ? (double)NAN : narrow;
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
    *value = narrowed(q.value);
    return true;
}

/* N/m^η, whose power of the length is the contact's own. */
static bool is_stiffness(const crm_quantity *q)
{
    return q->dimension[CRM_DIMENSION_MASS] == 1 && q->dimension[CRM_DIMENSION_TIME] == -2;
}

bool crm_number_fits(const crm_node *node, const char *unit)
{
    char problem[128];
    crm_quantity q, wanted = {0};
    double number;
    if (!is_expression(node) || crm_yaml_number(node, &number) ||
        !crm_expression_read(node->text, &q, problem, sizeof problem) ||
        !crm_quantity_has_unit(&q)) {
        return true;
    }
    if (unit != NULL && strcmp(unit, "N/m^η") == 0) {
        return is_stiffness(&q);
    }
    return (unit != NULL && !crm_expression_read(unit, &wanted, problem, sizeof problem)) ||
           same_unit(&q, &wanted);
}
