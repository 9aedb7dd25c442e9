/* A pool: memory for the arrays of one computation, reused by the next one.
 *
 * Arrays are taken one after another and all returned at once by crm_pool_clear; once the pool
 * has been as large as a computation needs, the same computation again allocates nothing. The
 * arrays start as zeros. What has never been used is not written to either, so that the operating
 * system need not provide it.
 */
#ifndef CRM_POOL_H
#define CRM_POOL_H

#include <stddef.h>

struct crm_pool_block;

typedef struct crm_pool {
    struct crm_pool_block *last; /* {0} is an empty pool */
    size_t wanted;               /* bytes in use before the last crm_pool_clear */
    double most;                 /* limit in bytes; 0: none */
} crm_pool;

/* count * size zeroed bytes, aligned for any type; NULL when they do not exist or the product
 * overflows. A count of 0 gives a valid pointer.
 */
void *crm_pool_take(crm_pool *pool, size_t count, size_t size);
void crm_pool_clear(crm_pool *pool);   /* returns all arrays; the memory is reused */
void crm_pool_release(crm_pool *pool); /* frees it; leaves an empty pool */

#define CRM_TAKE(pool, type, count) ((type *)crm_pool_take((pool), (count), sizeof(type)))

#endif
