/* Round numbers on an axis, and units with a prefix. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/locale.h"
#include "report/figure/figure.h"
#include "report/report.h"

static double power_of_ten(int exponent)
{
    double power = 1;
    for (int k = 0; k < (exponent < 0 ? -exponent : exponent); k++) {
        power *= 10;
    }
    return exponent < 0 ? 1 / power : power;
}

static int exponent_of(double value)
{
    return (int)floor(crm_log(value) / crm_log(10) + 1e-9);
}

/* Over many decades only every second, third, ... has a tick. */
static size_t logarithmic_ticks(const crm_figure_axis *axis, size_t wanted, double *ticks)
{
    static const double parts[] = {1, 2, 5};
    int first = exponent_of(axis->low), last = exponent_of(axis->high);
    bool few = last - first < 2;
    int every = wanted > 0 && last > first ? 1 + (last - first - 1) / (int)wanted : 1;
    size_t count = 0;
    for (int power = first; power <= last; power++) {
        for (size_t k = 0; power % every == 0 && k < (few ? 3 : 1); k++) {
            double tick = parts[k] * power_of_ten(power);
            bool inside = tick >= axis->low * (1 - 1e-9) && tick <= axis->high * (1 + 1e-9);
            if (inside && count < CRM_TICKS_MOST) {
                ticks[count++] = tick;
            }
        }
    }
    return count;
}

static double step_for(double range, size_t wanted, bool whole)
{
    static const double parts[] = {1, 2, 5, 10};
    double raw = range / (double)(wanted > 0 ? wanted : 1);
    double power = power_of_ten(exponent_of(raw));
    size_t k = 0;
    while (k < 3 && parts[k] * power < raw * (1 - 1e-9)) {
        k++;
    }
    double step = parts[k] * power;
    return whole && step < 1 ? 1 : step;
}

size_t crm_ticks(const crm_figure_axis *axis, size_t wanted, double ticks[CRM_TICKS_MOST])
{
    if (!(axis->high > axis->low)) {
        ticks[0] = axis->low;
        return 1;
    }
    if (axis->logarithmic) {
        return logarithmic_ticks(axis, wanted, ticks);
    }
    double step = step_for(axis->high - axis->low, wanted, axis->whole);
    size_t count = 0;
    for (double k = ceil(axis->low / step - 1e-9);
         k * step <= axis->high + 1e-9 * step && count < CRM_TICKS_MOST; k++) {
        ticks[count++] = k == 0 ? 0 : k * step;
    }
    return count;
}

static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

/* Behind the "e" of a number: "-05". */
static void append_power(const char *exponent, char *text, size_t size)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    append(text, size, "10");
    append(text, size, *exponent == '-' ? "⁻" : "");
    for (exponent += 1 + strspn(exponent + 1, "0"); *exponent != '\0'; exponent++) {
        append(text, size, digits[*exponent - '0']);
    }
}

void crm_ticks_text(double value, char *text, size_t size)
{
    char plain[32];
    crm_snprintf(plain, sizeof plain, "%.5g", fabs(value));
    char *exponent = strchr(plain, 'e');
    snprintf(text, size, "%s", value < 0 ? "−" : "");
    if (exponent != NULL) {
        *exponent++ = '\0';
    }
    if (exponent == NULL || strcmp(plain, "1") != 0) {
        append(text, size, plain);
        append(text, size, exponent != NULL ? "·" : "");
    }
    if (exponent != NULL) {
        append_power(exponent, text, size);
    }
}

/* From femto to tera, so that the largest value is from 1 to 1000. */
double crm_figure_unit(const char *words, const char *unit, double largest, char *title,
                       size_t size)
{
    static const char *const prefixes[] = {"f", "p", "n", "µ", "m", "", "k", "M", "G", "T"};
    enum { NONE = 5, LAST = sizeof prefixes / sizeof prefixes[0] - 1 };
    if (unit == NULL) {
        snprintf(title, size, "%s", words);
        return 1;
    }
    if (strcmp(unit, crm_field_unit_relative) == 0) {
        snprintf(title, size, "%s, %s", words, unit);
        return 1;
    }
    int place = largest > 0 ? (int)floor(exponent_of(largest) / 3.0) : 0;
    place = place < -NONE ? -NONE : place > LAST - NONE ? LAST - NONE : place;
    snprintf(title, size, "%s, %s%s", words, prefixes[place + NONE], unit);
    return power_of_ten(-3 * place);
}
