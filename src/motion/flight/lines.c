/* Memory for what is looked at most: whole lines of the cache, and large pages where the system has
 * them on request. Balls that collide one after the other lie anywhere; with pages of 4 kB the
 * processor does not remember where the pages of more than some ten thousand balls are.
 */
#define _DEFAULT_SOURCE /* madvise */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "motion/flight/flight.h"

/* Of a large page; less memory than that needs none. */
static const size_t PAGE = (size_t)2 << 20;

void *flight_take_lines(size_t count, size_t size)
{
    if (size > 0 && count > (SIZE_MAX - PAGE) / size) {
        return NULL;
    }
    bool large = count * size >= PAGE;
    size_t unit = large ? PAGE : FLIGHT_LINE;
    size_t bytes = (count * size + unit - 1) / unit * unit;
    void *lines = aligned_alloc(unit, bytes > 0 ? bytes : unit);
    if (lines == NULL) {
        return NULL;
    }
#ifdef MADV_HUGEPAGE
    if (large) {
        madvise(lines, bytes, MADV_HUGEPAGE); /* a wish: refused, all is as before */
    }
#endif
    memset(lines, 0, bytes);
    return lines;
}
