/* A result as one HTML file that needs nothing else: no network, no other file. */
#ifndef CRM_PAGE_H
#define CRM_PAGE_H

#include "report/page/film.h"
#include "report/report.h"
#include "scenario/layout.h"

/* What was computed, so that anyone can do it again. */
typedef struct crm_page_source {
    const char *file;     /* "" : standard input */
    const char *scenario; /* its text; NULL: not known */
    const char *command;  /* as it would be typed */
} crm_page_source;

typedef struct crm_solve_page {
    const crm_report *report; /* with the extract */
    const crm_layout *layout;
    crm_film *films; /* one for each entry; without rows: the law does not go through time. Thinned
                        when they are too long for a page */
    crm_page_source source;
} crm_solve_page;

/* What the stream refuses shows in ferror(); the status tells of memory only. */
crm_status crm_page_solve(const crm_solve_page *page, FILE *stream, crm_error *error);

#endif
