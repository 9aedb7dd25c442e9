/* Arithmetic on all lanes at once. Internal.
 *
 * Vectors are handed over by address: how they are passed would depend on the width of the
 * machine's. Truth values are vectors of bits, all set or none.
 */
#ifndef CRM_LZB_BATCH_VECTOR_H
#define CRM_LZB_BATCH_VECTOR_H

#include <stdbool.h>

#include "base/width.h"
#include "law/lzb/batch/batch.h"
#include "law/lzb/state/power.h"

typedef double lanes_vector __attribute__((vector_size(LZB_LANES * sizeof(double))));
typedef int64_t lanes_bits __attribute__((vector_size(LZB_LANES * sizeof(int64_t))));

/* Keep it where the bits are set; 0 elsewhere. */
INLINE void lanes_keep(lanes_vector *a, const lanes_bits *where)
{
    *a = (lanes_vector)((lanes_bits)*a & *where);
}

/* Put b where the bits are set. */
INLINE void lanes_put(lanes_vector *a, const lanes_bits *where, const lanes_vector *b)
{
    *a = (lanes_vector)(((lanes_bits)*a & ~*where) | ((lanes_bits)*b & *where));
}

INLINE void lanes_put_number(lanes_vector *a, const lanes_bits *where, double b)
{
    lanes_vector numbers = {0};
    numbers += b;
    lanes_put(a, where, &numbers);
}

/* The larger; NaN if one is. */
INLINE void lanes_raise(lanes_vector *a, const lanes_vector *b)
{
    lanes_bits higher = ~(*b <= *a) & (*a == *a);
    lanes_put(a, &higher, b);
}

/* The smaller. */
INLINE void lanes_lower(lanes_vector *a, const lanes_vector *b)
{
    lanes_bits lower = *b < *a;
    lanes_put(a, &lower, b);
}

INLINE void lanes_absolute(lanes_vector *a)
{
    *a = (lanes_vector)((lanes_bits)*a & INT64_MAX);
}

INLINE bool lanes_any(const lanes_bits *where)
{
    int64_t any = 0;
    for (unsigned l = 0; l < LZB_LANES; l++) {
        any |= (*where)[l];
    }
    return any != 0;
}

INLINE void lanes_root(lanes_vector *a)
{
    for (unsigned l = 0; l < LZB_LANES; l++) {
        (*a)[l] = __builtin_sqrt((*a)[l]);
    }
}

/* a^b for a > 0 to a tenth of a percent, for lengths of steps: logarithm by a parabola between
 * powers of two, power by a cubic.
 */
INLINE void lanes_rough_power(lanes_vector *a, const lanes_vector *b)
{
    const double shift = 0x1.8p52;
    lanes_bits bits = (lanes_bits)*a;
    lanes_vector whole = (lanes_vector)(((bits >> 52) & 0x7ff) | 0x4330000000000000);
    lanes_vector m = (lanes_vector)((bits & 0xfffffffffffff) | 0x3ff0000000000000) - 1.0;
    lanes_vector y = *b * (whole - (0x1p52 + 1023.0) + m * (4.0 - m) * (1.0 / 3));
    lanes_bits low = y<-1000.0, high = y> 1000.0;
    lanes_put_number(&y, &low, -1000.0);
    lanes_put_number(&y, &high, 1000.0);
    lanes_vector shifted = y + shift, r = (y - (shifted - shift)) * 0.6931471805599453;
    lanes_vector series = 1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6)));
    *a = (lanes_vector)((lanes_bits)series + ((lanes_bits)shifted << 52));
}

#endif
