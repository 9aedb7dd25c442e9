/* What the pages of all commands are put together from. Internal to src/report/page. */
#ifndef CRM_PAGE_PARTS_H
#define CRM_PAGE_PARTS_H

#include <jansson.h>
#include <stdio.h>

#include "report/page/page.h"

/* The page around its data: begin, the members of one JSON object, end. `scripts` ends in NULL. */
void crm_page_begin(FILE *stream);
void crm_page_end(FILE *stream, const unsigned char *const *scripts);

/* The members of an object, without its braces; frees it. False: it is NULL, for lack of memory.
 * Nothing in it can end the element it stands in: <, > and & are written as \u003c, ...
 */
bool crm_page_members(FILE *stream, json_t *object);
/* A list of numbers as a member, after a comma. */
void crm_page_numbers(FILE *stream, const char *name, const double *values, size_t count);

json_t *crm_page_source_object(const crm_page_source *source);
/* Bodies, walls and contacts to be drawn; null: there is no geometry. */
json_t *crm_page_scene(const crm_report *report, const crm_layout *layout);
/* The film of a result, by its number, as an object; thinned until it has `most` numbers, about. */
void crm_page_film(FILE *stream, size_t result, crm_film *film, size_t most);

#endif
