#include "faults.h"

#include <errno.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"

enum { CALLERS = 24 };

static atomic_bool armed, tracing;
static atomic_size_t asked, live;
static size_t first_failure;
static bool fails_onwards;

void faults_arm(size_t first, bool onwards)
{
    first_failure = first;
    fails_onwards = onwards;
    atomic_store(&asked, 0);
    atomic_store(&armed, true);
}

size_t faults_disarm(void)
{
    atomic_store(&armed, false);
    return atomic_load(&asked);
}

size_t faults_live(void)
{
    return atomic_load(&live);
}

void faults_trace(bool on)
{
    void *callers[1];
    backtrace(callers, 1); /* it allocates when first called */
    atomic_store(&tracing, on);
}

#ifdef CAROM_COVERAGE
void __gcov_dump(void);
#else
static void __gcov_dump(void)
{
}
#endif

void faults_leave(int status)
{
    __gcov_dump();
    _exit(status);
}

static bool is_refused(void)
{
    if (!atomic_load_explicit(&armed, memory_order_relaxed)) {
        return false;
    }
    size_t number = atomic_fetch_add(&asked, 1) + 1;
    bool refused =
        first_failure > 0 && (fails_onwards ? number >= first_failure : number == first_failure);
    if (number == first_failure && atomic_load(&tracing)) {
        void *callers[CALLERS];
        backtrace_symbols_fd(callers, backtrace(callers, CALLERS), STDERR_FILENO);
    }
    if (refused) {
        errno = ENOMEM;
    }
    return refused;
}

#if defined(__SANITIZE_ADDRESS__) || !defined(__GLIBC__)
bool crm_memory_refused(void)
{
    return is_refused();
}
#else
bool crm_memory_refused(void)
{
    return false; /* those below are asked */
}

#define IN_PLACE_OF_THE_LIBRARY __attribute__((visibility("default")))

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);
void *memalign(size_t alignment, size_t size);

static void *counted(void *block)
{
    atomic_fetch_add_explicit(&live, block != NULL, memory_order_relaxed);
    return block;
}

IN_PLACE_OF_THE_LIBRARY void *malloc(size_t size)
{
    return is_refused() ? NULL : counted(__libc_malloc(size));
}

IN_PLACE_OF_THE_LIBRARY void *calloc(size_t count, size_t size)
{
    return is_refused() ? NULL : counted(__libc_calloc(count, size));
}

IN_PLACE_OF_THE_LIBRARY void *realloc(void *block, size_t size)
{
    if (size > 0 && is_refused()) {
        return NULL;
    }
    void *moved = __libc_realloc(block, size);
    if (block == NULL) {
        return counted(moved);
    }
    atomic_fetch_sub_explicit(&live, size == 0, memory_order_relaxed);
    return moved;
}

IN_PLACE_OF_THE_LIBRARY void *memalign(size_t alignment, size_t size)
{
    return is_refused() ? NULL : counted(__libc_memalign(alignment, size));
}

IN_PLACE_OF_THE_LIBRARY void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

IN_PLACE_OF_THE_LIBRARY int posix_memalign(void **block, size_t alignment, size_t size)
{
    void *made = memalign(alignment, size);
    if (made == NULL) {
        return ENOMEM;
    }
    *block = made;
    return 0;
}

IN_PLACE_OF_THE_LIBRARY void free(void *block)
{
    atomic_fetch_sub_explicit(&live, block != NULL, memory_order_relaxed);
    __libc_free(block);
}
#endif
