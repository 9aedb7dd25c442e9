#include "lcp/row.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLONES
#endif

/* (Handed over by address: how they are passed would depend on the width.) */
typedef double eight __attribute__((vector_size(64), aligned(8), may_alias));

#define INLINE static inline __attribute__((always_inline))

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

CLONES crm_twofold crm_row_dot(size_t blocks, const double *a, const double *b)
{
    double parts[CRM_ROW_BLOCK];
    lanes sum = {(eight){0}, (eight){0}}, x, y;
    for (size_t k = 0; k < blocks; k++) {
        load(&x, a + k * CRM_ROW_BLOCK);
        load(&y, b + k * CRM_ROW_BLOCK);
        multiply(&x, &x, &y);
        add(&sum, &x);
    }
    store(parts, &sum);
    return fold(parts);
}

CLONES void crm_row_add(size_t blocks, double *a, crm_twofold factor, const double *b)
{
    lanes f, x, y;
    spread(&f, factor);
    for (size_t k = 0; k < blocks; k++) {
        load(&x, a + k * CRM_ROW_BLOCK);
        load(&y, b + k * CRM_ROW_BLOCK);
        multiply(&y, &f, &y);
        add(&x, &y);
        store(a + k * CRM_ROW_BLOCK, &x);
    }
}

CLONES void crm_row_scale(size_t blocks, crm_twofold factor, const double *a, double *out)
{
    lanes f, x;
    spread(&f, factor);
    for (size_t k = 0; k < blocks; k++) {
        load(&x, a + k * CRM_ROW_BLOCK);
        multiply(&x, &f, &x);
        store(out + k * CRM_ROW_BLOCK, &x);
    }
}

CLONES void crm_row_rotate(size_t blocks, crm_twofold c, crm_twofold s, double *a, double *b)
{
    lanes cosine, sine, opposite, x, y, first, second, part;
    spread(&cosine, c);
    spread(&sine, s);
    spread(&opposite, crm_twofold_negative(s));
    for (size_t k = 0; k < blocks; k++) {
        load(&x, a + k * CRM_ROW_BLOCK);
        load(&y, b + k * CRM_ROW_BLOCK);
        multiply(&first, &cosine, &x);
        multiply(&part, &sine, &y);
        add(&first, &part);
        multiply(&second, &cosine, &y);
        multiply(&part, &opposite, &x);
        add(&second, &part);
        store(a + k * CRM_ROW_BLOCK, &first);
        store(b + k * CRM_ROW_BLOCK, &second);
    }
}

CLONES double crm_row_rough_dot(size_t blocks, const double *a, const double *b)
{
    double parts[CRM_ROW_LANES], total = 0;
    eight sum = {0};
    for (size_t k = 0; k < blocks; k++) {
        sum += *(const eight *)(a + k * CRM_ROW_BLOCK) * *(const eight *)(b + k * CRM_ROW_BLOCK);
    }
    *(eight *)parts = sum;
    for (size_t i = 0; i < CRM_ROW_LANES; i++) {
        total += parts[i];
    }
    return total;
}
