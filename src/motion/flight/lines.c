/* Memory for what is looked at most: whole lines of the cache, and large pages where the system has
 * them on request. Balls that collide one after the other lie anywhere; with pages of 4 kB the
 * processor does not remember where the pages of more than some ten thousand balls are.
 */
#define _DEFAULT_SOURCE /* madvise */
#include <string.h>
#include <sys/mman.h>

#include "motion/flight/flight.h"

/* Of a large page; less memory than that needs none. */
static const size_t PAGE = (size_t)2 << 20;

void *flight_take_lines(size_t count, size_t size)
{
    bool large = size > 0 && count >= PAGE / size;
    void *lines = crm_allocate_aligned(large ? PAGE : FLIGHT_LINE, count, size);
    if (lines == NULL) {
        return NULL;
    }
#ifdef MADV_HUGEPAGE
    if (large) {
        madvise(lines, count * size, MADV_HUGEPAGE); /* a wish: refused, all is as before */
    }
#endif
    memset(lines, 0, count * size);
    return lines;
}
