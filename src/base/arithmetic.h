/* The floating-point environment of a call. A host program may have set traps, another rounding or
 * flushing of small numbers to zero; the library computes with none of these, for its results are
 * the same everywhere and it makes use of infinities and NANs. What the host has set is set again
 * when the call ends. Threads begin with what the one that starts them has; callbacks are part of
 * the computation, and run in its environment.
 */
#ifndef CRM_ARITHMETIC_H
#define CRM_ARITHMETIC_H

#include <fenv.h>
#include <stdbool.h>

typedef struct crm_arithmetic {
    bool changed;
    fenv_t own; /* the host's */
} crm_arithmetic;

void crm_arithmetic_change(crm_arithmetic *arithmetic);
void crm_arithmetic_restore(crm_arithmetic *arithmetic);

/* Nothing but the flags of exceptions that were raised differs from what a program begins with. On
 * x86-64 that is two instructions; elsewhere it is not known.
 */
static inline bool crm_arithmetic_is_usual(void)
{
#if defined(__x86_64__)
    const unsigned raised = 0x3f, usual_vectors = 0x1f80;
    const unsigned short usual = 0x037f; /* of the x87, which has long doubles */
    unsigned short control;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    return (__builtin_ia32_stmxcsr() & ~raised) == usual_vectors && control == usual;
#else
    return false;
#endif
}

static inline void crm_arithmetic_end(crm_arithmetic *arithmetic)
{
    if (arithmetic->changed) {
        crm_arithmetic_restore(arithmetic);
    }
}

static inline crm_arithmetic crm_arithmetic_begin(void)
{
    crm_arithmetic arithmetic = {.changed = !crm_arithmetic_is_usual()};
    if (arithmetic.changed) {
        crm_arithmetic_change(&arithmetic);
    }
    return arithmetic;
}

/* At the beginning of a public function that computes: until it returns, by whatever way. */
#define CRM_USUAL_ARITHMETIC                                                                       \
    __attribute__((cleanup(crm_arithmetic_end), unused)) crm_arithmetic crm_own_arithmetic =       \
        crm_arithmetic_begin()

#endif
