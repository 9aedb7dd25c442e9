/* Orders, for qsort. Internal. */
#ifndef CRM_ORDER_H
#define CRM_ORDER_H

#include <stdint.h>

/* Ascending numbers of contacts, coordinates, ... */
static inline int crm_order_uint32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

#endif
