/* The one place where memory is asked for. What is got here is given back by free().
 *
 * Tests compile memory.c with CAROM_FAULTS and bring crm_memory_refused, which is then asked
 * before each allocation and may say that there is no more (tests/torture/faults.h). The library
 * as built has no such question, and nothing that could be set.
 */
#ifndef CRM_MEMORY_H
#define CRM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* All return NULL when the bytes do not exist or the product overflows. A count of 0 gives a valid
 * pointer, so that NULL always means failure.
 */

/* count * size zeroed bytes. */
void *crm_memory_allocate(size_t count, size_t size);
/* count * size bytes, not zeroed, that begin at a multiple of `alignment`, a power of two. */
void *crm_memory_allocate_aligned(size_t alignment, size_t count, size_t size);
/* count * size bytes, not zeroed, for large arrays that are gone through again and again: on pages
 * as large as the system has, where it lets one ask for them. Aligned as those above by 64.
 */
void *crm_memory_allocate_large(size_t count, size_t size);
/* The block (NULL: none yet) with room for count * size bytes; what is new is not zeroed. On
 * failure the block is as it was.
 */
void *crm_memory_resize(void *block, size_t count, size_t size);

#define CRM_NEW(type, count) ((type *)crm_memory_allocate((count), sizeof(type)))

/* Copy of an array; NULL on failure. */
double *crm_memory_copy_doubles(const double *values, size_t count);
char *crm_memory_copy_text(const char *text);

bool crm_memory_refused(void); /* the test's own; see above */

#endif
