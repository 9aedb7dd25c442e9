/* The page of what any law may give. */
#ifndef CRM_PAGE_ADMISSIBLE_H
#define CRM_PAGE_ADMISSIBLE_H

#include "inverse/admissible/problem.h"
#include "report/page/page.h"

/* `picture` without curves: there is none. A failed write shows in ferror(); the status is about
 * memory only.
 */
crm_status crm_admissible_page_write(const crm_admissible_table *table,
                                     const crm_admissible_picture *picture,
                                     const crm_page_source *source, FILE *stream, crm_error *error);

#endif
