/* What a report page is made of. */
#ifndef CAROM_TEST_PAGE_DATA_H
#define CAROM_TEST_PAGE_DATA_H

#include <jansson.h>

#include "program.h"

/* The data of a page of the fixture's folder; fails the test where there is none. `raw` (may be
 * NULL) becomes its text as it stands there, to be freed.
 */
json_t *page_data(const fixture *f, const char *name, char **raw);
/* The same without the members that pages have besides what is printed: report, histories. */
json_t *page_result(const fixture *f, const char *name);

#endif
