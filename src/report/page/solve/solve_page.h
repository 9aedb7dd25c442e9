/* The page of one impact. */
#ifndef CRM_PAGE_SOLVE_H
#define CRM_PAGE_SOLVE_H

#include "report/page/frames.h"
#include "report/page/page.h"
#include "report/report.h"
#include "scenario/layout.h"

typedef struct crm_solve_page {
    const crm_report *report; /* with the subset */
    const crm_layout *layout;
    crm_frames *frames; /* one for each entry; without rows: the law does not go through time.
                        Thinned when they are too long for a page */
    crm_page_source source;
} crm_solve_page;

/* A failed write shows in ferror(); the status is about memory only. */
crm_status crm_solve_page_write(const crm_solve_page *page, FILE *stream, crm_error *error);

#endif
