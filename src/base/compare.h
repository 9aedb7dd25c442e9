/* Comparison functions for qsort and bsearch. */
#ifndef CRM_COMPARE_H
#define CRM_COMPARE_H

int crm_compare_uint32(const void *a, const void *b); /* uint32_t, ascending */

#endif
