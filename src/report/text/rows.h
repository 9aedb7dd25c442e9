/* Which rows of a list are shown, and in which order. Internal to src/report. */
#ifndef CRM_ROWS_H
#define CRM_ROWS_H

#include "report/report.h"
#include "report/text/sheet.h"

/* A list that may be long. */
typedef struct crm_listed {
    const void *context;
    size_t total;
    const char *what; /* "contacts": what the rows are */
    /* The size of a row, by which long lists are shortened; NULL: the first and last rows are
     * shown. */
    double (*size)(const void *context, size_t row);
    /* Whether a name is for this row. */
    bool (*is_called)(const void *context, size_t row, const char *name);
} crm_listed;

typedef struct crm_rows {
    size_t count;
    size_t *index;     /* which, in the order of showing */
    size_t left_out;   /* how many are not shown, and ... */
    size_t left_after; /* ... after how many rows that is said */
    bool by_size;      /* the largest come first */
    double rest;       /* then, the size of the largest that is not shown */
} crm_rows;

/* The rows that style.rows names; else all, or some of a list longer than `most`. */
crm_status crm_rows_choose(const crm_listed *list, const char *wanted, size_t most, crm_rows *rows,
                           crm_error *error);
void crm_rows_free(crm_rows *rows);
/* After the row at this place: how many are left out there, if any. */
void crm_rows_print_omission(const crm_rows *rows, size_t place, const char *what,
                             const crm_sheet *sheet);

#endif
