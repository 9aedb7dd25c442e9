/* Memory for the arrays of one computation, kept for the next one.
 *
 * Arrays are taken one after the other and all given back at once by crm_room_clear; once the room
 * has been as large as a computation needs, the same computation again allocates nothing. The
 * arrays start as zeros. What has never been used is not written to either, so that the operating
 * system need not provide it.
 */
#ifndef CRM_ROOM_H
#define CRM_ROOM_H

#include <stddef.h>

struct crm_room_block;

typedef struct crm_room {
    struct crm_room_block *last; /* {0} is an empty room */
    size_t wanted;               /* what all took together before the last crm_room_clear */
    double most;                 /* bytes that it may have; 0: any number */
} crm_room;

/* count * size zeroed bytes, aligned for any type; NULL when they do not exist or the product
 * overflows. A count of 0 gives a valid pointer.
 */
void *crm_room_take(crm_room *room, size_t count, size_t size);
void crm_room_clear(crm_room *room);   /* all that was taken is given back, and kept for reuse */
void crm_room_release(crm_room *room); /* frees it; leaves an empty room */

#define CRM_TAKE(room, type, count) ((type *)crm_room_take((room), (count), sizeof(type)))

#endif
