/* Comparing: see compare.h. */
#include "compare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

void check_near(double got, double want, double tolerance, const char *what, const char *file,
                int line)
{
    if (fabs(got - want) <= tolerance) {
        return;
    }
    print_error("%s: got %.17g, want %.17g, off by %.3g, allowed %.3g\n", what, got, want,
                got - want, tolerance);
    _fail(file, line);
}

void check_all_near(const double *got, const double *want, size_t count, double tolerance,
                    const char *what, const char *file, int line)
{
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(got[i] - want[i]) <= tolerance)) {
            print_error("%s[%zu]: ", what, i);
            check_near(got[i], want[i], tolerance, what, file, line);
        }
    }
}

void check_ok(crm_status status, const crm_error *error, const char *what, const char *file,
              int line)
{
    if (status == CRM_OK) {
        return;
    }
    print_error("%s: %s (%s: %s)\n", what, crm_status_text(status), error ? error->place : "",
                error ? error->message : "");
    _fail(file, line);
}

size_t rounds(size_t many, size_t few)
{
    return getenv("CAROM_TEST_QUICK") != NULL ? few : many;
}

double largest_difference(const double *a, const double *b, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        double d = fabs(a[i] - b[i]);
        largest = d <= largest ? largest : d; /* a NAN is kept */
    }
    return largest;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void print_distribution_head(void)
{
    printf("%-17s  %7s  %7s  %7s  %7s\n", "", "median", "9 in 10", "99%", "worst");
}

void print_distribution(const char *what, double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending);
    printf("%-17s", what);
    const double parts[] = {0.5, 0.9, 0.99, 1};
    for (size_t i = 0; i < 4 && count > 0; i++) {
        size_t place = (size_t)(parts[i] * (double)(count - 1) + 0.5);
        printf("  %7.1e", values[place]);
    }
    printf("\n");
}

double largest_size(const double *a, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(a[i]));
    }
    return largest;
}
