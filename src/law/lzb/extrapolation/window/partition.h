/* The parts of a window, for threads. Internal.
 *
 * A small window is one part. A large one is divided into parts of LZB_PART contacts, whatever
 * the number of threads; sums are made within each part and then over the parts in their order. So
 * the number of threads does not change a bit.
 *
 *     places     0 ........ 511 512 ...... 1023 1024 ......
 *     parts      |    part 0   |     part 1    |   ...         each done once, by any thread
 *     tallies    [  found 0    ][    found 1   ][  ...         then put together, in order
 *
 * A part is small enough that what one loop has fetched is still in the cache for the next; so the
 * loops over whole windows become sequences of short loops over a part, with as few meetings of
 * the threads as the products with D allow.
 *
 * A user of a window writes the work on one part, and how the findings of two parts are put
 * together; lzb_partition_do does the rest, and no loop asks how large the window is.
 */
#ifndef CRM_LZB_PARTITION_H
#define CRM_LZB_PARTITION_H

#include "base/team.h"
#include "law/lzb/extrapolation/window/window.h"

/* Threads begin to pay at LZB_LARGE contacts. What a part finds is at most LZB_TALLY bytes. */
enum { LZB_PART = 512, LZB_LARGE = 2048, LZB_TALLY = 64 };

typedef struct lzb_part {
    size_t first, blocks; /* place of its first contact, and its length */
} lzb_part;

/* Divide a window whose size is known. */
crm_status lzb_partition_begin(lzb_window *window, crm_error *error);
void lzb_partition_release(lzb_partition *partition);

/* Is there more than one part? */
static inline bool lzb_partition_is_divided(const lzb_window *w)
{
    return w->partition.parts > 1;
}

static inline lzb_part lzb_part_at(const lzb_window *w, size_t index)
{
    size_t each = w->partition.each, first = index * each, left = w->blocks - first;
    return (lzb_part){first * LZB_BLOCK, left < each ? left : each};
}

/* Behind its last contact, padding left out. */
static inline size_t lzb_part_end(const lzb_window *w, lzb_part part)
{
    size_t end = part.first + part.blocks * LZB_BLOCK;
    return end < w->count ? end : w->count;
}

/* What is done with a part; *found is to be set, if anything is to be found. (INLINE where small
 * windows need it: then one part costs no call.)
 */
typedef void lzb_part_work(void *context, lzb_part part, void *found);
/* Add to what the parts before have found. */
typedef void lzb_part_join(void *total, const void *found);

/* A window of several parts: lzb_partition_do. */
void lzb_partition_share_out(const lzb_window *window, lzb_part_work *work, lzb_part_join *join,
                             void *context, void *total);

/* Do all parts. *total: what they find, to be given as that of no part; NULL: nothing. */
static inline __attribute__((always_inline)) void lzb_partition_do(const lzb_window *w,
                                                                   lzb_part_work *work,
                                                                   lzb_part_join *join,
                                                                   void *context, void *total)
{
    if (w->partition.parts == 1) {
        work(context, (lzb_part){0, w->blocks}, total);
    } else {
        lzb_partition_share_out(w, work, join, context, total);
    }
}

#endif
