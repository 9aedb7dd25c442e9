/* The page of a fit. */
#ifndef CRM_PAGE_FIT_H
#define CRM_PAGE_FIT_H

#include "report/inverse.h"
#include "report/page/page.h"

/* A failed write shows in ferror(); the status is about memory only. */
crm_status crm_fit_page_write(const crm_fit *fit, const crm_page_source *source, FILE *stream,
                              crm_error *error);

#endif
