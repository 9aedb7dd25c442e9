/* Memory for the arrays of one computation, kept for the next one.
 *
 * Arrays are taken one after the other and all given back at once by crm_pool_clear; once the pool
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
    size_t wanted;               /* what all took together before the last crm_pool_clear */
    double most;                 /* bytes that it may have; 0: any number */
} crm_pool;

/* count * size zeroed bytes, aligned for any type; NULL when they do not exist or the product
 * overflows. A count of 0 gives a valid pointer.
 */
void *crm_pool_take(crm_pool *pool, size_t count, size_t size);
void crm_pool_clear(crm_pool *pool);   /* all that was taken is given back, and kept for reuse */
void crm_pool_release(crm_pool *pool); /* frees it; leaves an empty pool */

#define CRM_TAKE(pool, type, count) ((type *)crm_pool_take((pool), (count), sizeof(type)))

#endif
