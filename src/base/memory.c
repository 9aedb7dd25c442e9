#define _DEFAULT_SOURCE /* madvise */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static bool is_refused(void)
{
#ifdef CAROM_FAULTS
    return crm_memory_refused();
#else
    return false;
#endif
}

/* count * size, at least 1; false when it is no size of an object. */
static bool find_bytes(size_t count, size_t size, size_t *bytes)
{
    *bytes = count > 0 && size > 0 ? count * size : 1;
    return size == 0 || count <= PTRDIFF_MAX / size;
}

void *crm_memory_allocate(size_t count, size_t size)
{
    return is_refused() ? NULL : calloc(count > 0 ? count : 1, size);
}

void *crm_memory_allocate_aligned(size_t alignment, size_t count, size_t size)
{
    size_t bytes;
    if (!find_bytes(count, size, &bytes) || is_refused()) {
        return NULL;
    }
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

/* Huge pages have 2 MB, so that there are 512 times fewer page faults. */
enum { LARGE_PAGE = 1 << 21, LINE = 64 };

void *crm_memory_allocate_large(size_t count, size_t size)
{
    size_t bytes;
    if (!find_bytes(count, size, &bytes) || bytes < LARGE_PAGE) {
        return crm_memory_allocate_aligned(LINE, count, size);
    }
    void *block = crm_memory_allocate_aligned(LARGE_PAGE, count, size);
#ifdef MADV_HUGEPAGE
    if (block != NULL) {
        madvise(block, bytes, MADV_HUGEPAGE); /* a hint: its failure changes nothing */
    }
#endif
    return block;
}

void *crm_memory_resize(void *block, size_t count, size_t size)
{
    size_t bytes;
    return find_bytes(count, size, &bytes) && !is_refused() ? realloc(block, bytes) : NULL;
}

double *crm_memory_copy_doubles(const double *values, size_t count)
{
    double *copy = CRM_NEW(double, count);
    if (copy != NULL && count > 0) {
        memcpy(copy, values, count * sizeof *copy);
    }
    return copy;
}

char *crm_memory_copy_text(const char *text)
{
    size_t length = strlen(text);
    char *copy = CRM_NEW(char, length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length + 1);
    }
    return copy;
}
