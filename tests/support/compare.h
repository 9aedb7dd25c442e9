/* Comparing numbers: checks, how far they are apart, tables of that; and how many to compare. */
#ifndef CAROM_TEST_COMPARE_H
#define CAROM_TEST_COMPARE_H

#include <stddef.h>

#include "carom/carom.h"

/* |got - want| <= tolerance, else fail with both numbers. NAN never passes. */
#define assert_near(got, want, tolerance)                                                          \
    check_near((double)(got), (double)(want), (double)(tolerance), #got, __FILE__, __LINE__)
void check_near(double got, double want, double tolerance, const char *what, const char *file,
                int line);

/* The same for `count` entries. */
#define assert_all_near(got, want, count, tolerance)                                               \
    check_all_near((got), (want), (count), (double)(tolerance), #got, __FILE__, __LINE__)
void check_all_near(const double *got, const double *want, size_t count, double tolerance,
                    const char *what, const char *file, int line);

/* CRM_OK, else fail with the library's own message. */
#define assert_ok(status, error) check_ok((status), (error), #status, __FILE__, __LINE__)
void check_ok(crm_status status, const crm_error *error, const char *what, const char *file,
              int line);

/* How many of something: under the sanitizers (CAROM_TEST_QUICK) few, which look for other faults
 * than those that only many show.
 */
size_t rounds(size_t many, size_t few);

double largest_difference(const double *a, const double *b, size_t count);

/* A line of a table: the median and what nine in ten, 99 in 100 and all stay below. Sorts them. */
void print_distribution_head(void);
void print_distribution(const char *what, double *values, size_t count);
double largest_size(const double *a, size_t count);

#endif
