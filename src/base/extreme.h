/* The greatest, or the least, of numbers >= 0 that several threads find. Internal.
 *
 * The bits of such doubles, taken as integers, are in the same order as the doubles.
 */
#ifndef CRM_EXTREME_H
#define CRM_EXTREME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct crm_extreme {
    _Atomic uint64_t bits;
    bool least;
} crm_extreme;

static inline uint64_t crm_extreme_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline void crm_extreme_begin(crm_extreme *extreme, bool least, double value)
{
    atomic_init(&extreme->bits, crm_extreme_bits(value));
    extreme->least = least;
}

static inline void crm_extreme_offer(crm_extreme *extreme, double value)
{
    uint64_t bits = crm_extreme_bits(value);
    uint64_t so_far = atomic_load_explicit(&extreme->bits, memory_order_relaxed);
    while ((extreme->least ? bits < so_far : bits > so_far) &&
           !atomic_compare_exchange_weak_explicit(&extreme->bits, &so_far, bits,
                                                  memory_order_relaxed, memory_order_relaxed)) {
    }
}

static inline double crm_extreme_value(const crm_extreme *extreme)
{
    uint64_t bits = atomic_load_explicit(&extreme->bits, memory_order_relaxed);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
