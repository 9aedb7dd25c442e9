#include "base/locale.h"

#include <stdlib.h>

crm_locale crm_locale_begin(void)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (crm_locale){.plain = plain, .own = uselocale(plain)};
}

void crm_locale_end(crm_locale locale)
{
    uselocale(locale.own);
    if (locale.plain != (locale_t)0) {
        freelocale(locale.plain);
    }
}

double crm_strtod(const char *text, char **end)
{
    crm_locale locale = crm_locale_begin();
    double value = strtod(text, end);
    crm_locale_end(locale);
    return value;
}

int crm_vsnprintf(char *text, size_t size, const char *format, va_list arguments)
{
    crm_locale locale = crm_locale_begin();
    int length = vsnprintf(text, size, format, arguments); /* NOLINT */
    crm_locale_end(locale);
    return length;
}

int crm_snprintf(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = crm_vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return length;
}

int crm_fprintf(FILE *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    crm_locale locale = crm_locale_begin();
    int length = vfprintf(stream, format, arguments); /* NOLINT */
    crm_locale_end(locale);
    va_end(arguments);
    return length;
}

int crm_sscanf(const char *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    crm_locale locale = crm_locale_begin();
    int count = vsscanf(text, format, arguments); /* NOLINT */
    crm_locale_end(locale);
    va_end(arguments);
    return count;
}
