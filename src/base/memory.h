/* All allocations of the library and the program. The blocks are freed by free().
 *
 * Tests compile memory.c with CAROM_FAULTS and define crm_memory_refused, which is called before
 * each allocation and may make it fail (tests/torture/faults.h). The library as built contains no
 * such call.
 */
#ifndef CRM_MEMORY_H
#define CRM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A limit as a size, or the largest size where that has 32 bits. */
#define CRM_SIZE_MOST(most) (SIZE_MAX < (most) ? SIZE_MAX : (size_t)(most))

/* All return NULL when the bytes do not exist or the product overflows. A count of 0 gives a valid
 * pointer, so that NULL always means failure.
 */

/* count * size zeroed bytes. */
void *crm_memory_allocate(size_t count, size_t size);
/* count * size bytes, not zeroed, that begin at a multiple of `alignment`, a power of two. */
void *crm_memory_allocate_aligned(size_t alignment, size_t count, size_t size);
/* count * size bytes, not zeroed, for large arrays that are read many times: on huge pages where
 * the system has them. Aligned to 64 bytes.
 */
void *crm_memory_allocate_large(size_t count, size_t size);
/* The block (NULL: none yet) resized to count * size bytes; added bytes are not zeroed. On failure
 * the block is unchanged.
 */
void *crm_memory_resize(void *block, size_t count, size_t size);

#define CRM_NEW(type, count) ((type *)crm_memory_allocate((count), sizeof(type)))

/* Copy of an array; NULL on failure. */
double *crm_memory_copy_doubles(const double *values, size_t count);
char *crm_memory_copy_text(const char *text);

bool crm_memory_refused(void); /* defined by tests alone; see above */

#endif
