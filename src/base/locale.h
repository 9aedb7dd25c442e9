/* Numbers in text, with a decimal point in whatever locale the host program has set.
 *
 * These are the functions of the C library in the locale "C", which is set for the calling thread
 * and the length of the call; the process, other threads and callbacks keep their own. Nothing else
 * in the tree may turn floating-point numbers into text or back (tests/install/locale). newlocale
 * of "C" allocates nothing in glibc and musl, so that it is made anew for each call, and there is
 * no state to keep.
 */
#ifndef CRM_LOCALE_H
#define CRM_LOCALE_H

#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

double crm_strtod(const char *text, char **end);
int crm_snprintf(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int crm_vsnprintf(char *text, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
int crm_fprintf(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));
int crm_sscanf(const char *text, const char *format, ...) __attribute__((format(scanf, 2, 3)));

/* Around calls of other libraries that do so. */
typedef struct crm_locale {
    locale_t plain, own;
} crm_locale;

crm_locale crm_locale_begin(void);
void crm_locale_end(crm_locale locale);

/* Of ASCII; <ctype.h> knows other letters in other locales. */
static inline bool crm_isdigit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool crm_isalpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool crm_isalnum(char c)
{
    return crm_isalpha(c) || crm_isdigit(c);
}

static inline char crm_toupper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static inline bool crm_isspace(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

#endif
