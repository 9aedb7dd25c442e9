#include "lcp/factor/row.h"

/* (Handed over by address: how they are passed would depend on the width.) */
typedef double eight __attribute__((vector_size(64), aligned(8), may_alias));

/* The operations of base/twofold.h. */
typedef struct lanes {
    eight high, low;
} lanes;

INLINE void load(lanes *to, const double *from)
{
    to->high = *(const eight *)from;
    to->low = *(const eight *)(from + CRM_ROW_LANES);
}

INLINE void store(double *to, const lanes *from)
{
    *(eight *)to = from->high;
    *(eight *)(to + CRM_ROW_LANES) = from->low;
}

INLINE void spread(lanes *to, crm_twofold from)
{
    to->high = from.high - (eight){0};
    to->low = from.low - (eight){0};
}

INLINE void two_sum(lanes *sum, const eight *a, const eight *b)
{
    eight total = *a + *b;
    eight shadow = total - *a;
    sum->low = (*a - (total - shadow)) + (*b - shadow);
    sum->high = total;
}

INLINE void quick_two_sum(lanes *sum, const eight *a, const eight *b)
{
    eight total = *a + *b;
    sum->low = *b - (total - *a);
    sum->high = total;
}

INLINE void split(lanes *to, const eight *a)
{
    eight big = 134217729.0 * *a;
    to->high = big - (big - *a);
    to->low = *a - to->high;
}

INLINE void multiply(lanes *product, const lanes *a, const lanes *b)
{
    lanes x, y;
    eight high = a->high * b->high;
    split(&x, &a->high);
    split(&y, &b->high);
    eight rest = ((high - x.high * y.high) - x.low * y.high) - x.high * y.low;
    eight low = (x.low * y.low - rest) + (a->high * b->low + a->low * b->high);
    quick_two_sum(product, &high, &low);
}

INLINE void add(lanes *sum, const lanes *b)
{
    lanes high, low;
    two_sum(&high, &sum->high, &b->high);
    two_sum(&low, &sum->low, &b->low);
    eight rest = high.low + low.high;
    quick_two_sum(&high, &high.high, &rest);
    rest = high.low + low.low;
    quick_two_sum(sum, &high.high, &rest);
}

/* The lanes together, halves first, which do not wait for each other. */
INLINE crm_twofold fold(double *parts)
{
    for (size_t half = CRM_ROW_LANES / 2; half > 0; half /= 2) {
        for (size_t i = 0; i < half; i++) {
            crm_row_set(parts, i,
                        crm_twofold_sum(crm_row_get(parts, i), crm_row_get(parts, i + half)));
        }
    }
    return crm_row_get(parts, 0);
}

#define LOOPS "lcp/factor/row_loops.h"
#include "base/loops.h"
LOOP(row_dot);
LOOP(row_add);
LOOP(row_scale);
LOOP(row_rotate);
LOOP(row_rough_dot);

crm_twofold crm_row_dot(crm_width width, size_t blocks, const double *a, const double *b)
{
    return row_dot[width](blocks, a, b);
}

void crm_row_add(crm_width width, size_t blocks, double *a, crm_twofold factor, const double *b)
{
    row_add[width](blocks, a, factor, b);
}

void crm_row_scale(crm_width width, size_t blocks, crm_twofold factor, const double *a, double *out)
{
    row_scale[width](blocks, factor, a, out);
}

void crm_row_rotate(crm_width width, size_t blocks, crm_twofold c, crm_twofold s, double *a,
                    double *b)
{
    row_rotate[width](blocks, c, s, a, b);
}

double crm_row_rough_dot(crm_width width, size_t blocks, const double *a, const double *b)
{
    return row_rough_dot[width](blocks, a, b);
}
