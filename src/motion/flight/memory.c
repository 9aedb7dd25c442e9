/* Memory for the arrays that every event reads: aligned to cache lines, on large pages where the
 * system has them on request. Balls of successive events lie anywhere; with pages of 4 kB the
 * translation buffer of a processor covers some ten thousand balls only.
 */
#include <string.h>

#include "motion/flight/flight.h"

void *flight_allocate_lines(size_t count, size_t size)
{
    void *lines = crm_memory_allocate_large(count, size);
    if (lines != NULL) {
        memset(lines, 0, count * size);
    }
    return lines;
}
