/* Memory for what is looked at most: whole lines of the cache, and large pages where the system has
 * them on request. Balls that collide one after the other lie anywhere; with pages of 4 kB the
 * processor does not remember where the pages of more than some ten thousand balls are.
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
