/* The page of the record, and what it is put together from. Internal to src/reproduce. */
#ifndef CRM_REPRODUCE_PAGE_PARTS_H
#define CRM_REPRODUCE_PAGE_PARTS_H

#include <jansson.h>

#include "reproduce/record.h"

/* As crm_print_json prints it; NULL where memory ran out. */
json_t *crm_print_json_object(crm_record *const *records, size_t count);

/* The curves that the claims of an item are about, each once and as far as it goes: a list of
 * charts, {quantity, along, parameter, curves: [{label, x, y, published, recomputed}]}; printed and
 * recomputed numbers as [x, y]. Empty where nothing has points enough.
 */
json_t *crm_curves_charts(const crm_record *record);

#endif
