/* One table for all codes: printed as it grows, and kept as CSV. */
#ifndef CAROM_BENCH_REPORT_H
#define CAROM_BENCH_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum verdict { NOT_JUDGED, NOT_OK, OK } verdict;

typedef struct row {
    const char *what; /* the case */
    size_t balls;
    const char *code;
    char setting[40];
    double value;       /* of the setting */
    double seconds;     /* CPU */
    bool scaled;        /* measured on a part, or at larger steps, and scaled up */
    double ratio;       /* to ours; NAN: not said */
    double energy;      /* relative error of the kinetic energy; NAN: not known */
    double last;        /* error of the last ball's velocity */
    double worst;       /* largest error of any velocity */
    verdict acceptable; /* by the measure of the case */
} row;

/* Columns of a file of rows. */
extern const char *const REPORT_COLUMNS;

/* A file in `folder`, headed by machine, compiler, version and date; NULL when folder is NULL. Ends
 * the program if it cannot be written.
 */
FILE *report_file(const char *folder, const char *name, const char *columns);
void report_head(void);
void report_row(FILE *csv, const row *r);

#endif
