/* Scalars by the core schema of YAML 1.2 (section 10.3.2 of its specification). */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "scenario/yaml/tree.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *text)
{
    while (is_digit(*text)) {
        text++;
    }
    return text;
}

static bool is_one_of(const char *text, const char *const *words)
{
    for (size_t i = 0; words[i] != NULL; i++) {
        if (strcmp(text, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )? */
static bool is_decimal(const char *text)
{
    const char *at = text + (*text == '-' || *text == '+');
    const char *whole = at;
    at = skip_digits(at);
    bool digits = at > whole;
    if (*at == '.') {
        const char *fraction = ++at;
        at = skip_digits(at);
        digits = digits || at > fraction;
    }
    if (!digits) {
        return false;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '-' || *at == '+';
        const char *exponent = at;
        at = skip_digits(at);
        if (at == exponent) {
            return false;
        }
    }
    return *at == '\0';
}

static bool special_number(const char *text, double *value)
{
    static const char *const infinities[] = {".inf", ".Inf", ".INF", NULL};
    static const char *const nans[] = {".nan", ".NaN", ".NAN", NULL};
    if (is_one_of(text, nans)) {
        *value = NAN;
        return true;
    }
    if (is_one_of(text + (*text == '-' || *text == '+'), infinities)) {
        *value = *text == '-' ? -INFINITY : INFINITY;
        return true;
    }
    return false;
}

static bool radix_number(const char *text, double *value)
{
    const char *allowed = text[1] == 'x' ? "0123456789abcdefABCDEF" : "01234567";
    const char *digits = text + 2;
    if (*digits == '\0' || digits[strspn(digits, allowed)] != '\0') {
        return false;
    }
    errno = 0;
    unsigned long long whole = strtoull(digits, NULL, text[1] == 'x' ? 16 : 8);
    *value = errno == ERANGE ? INFINITY : (double)whole;
    return true;
}

/* The digits of a decimal are not all 0. */
static bool has_digits(const char *text)
{
    size_t mantissa = strcspn(text, "eE");
    return strcspn(text, "123456789") < mantissa;
}

/* What is too small for a number of full precision is none, rather than 0. */
static double decimal_number(const char *text)
{
    double value = crm_strtod(text, NULL);
    return fabs(value) < DBL_MIN && has_digits(text) ? NAN : value;
}

bool crm_yaml_text_number(const char *text, double *value)
{
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'o')) {
        return radix_number(text, value);
    }
    if (is_decimal(text)) {
        *value = decimal_number(text);
        return true;
    }
    return special_number(text, value);
}

bool crm_yaml_number(const crm_node *node, double *value)
{
    return node->kind == CRM_NODE_SCALAR && node->plain && crm_yaml_text_number(node->text, value);
}

bool crm_yaml_is_null(const crm_node *node)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
    return node->kind == CRM_NODE_SCALAR && node->plain && is_one_of(node->text, nulls);
}
