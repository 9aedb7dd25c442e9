/* The kernels once, for any vector width, and compiled for several. */
#include "lcp/factor/tile.h"

#include <math.h>
#include <string.h>

/* Eight doubles: one vector, or two, or four, as the processor has it. */
typedef double eight __attribute__((vector_size(64), aligned(8), may_alias));

/* ---- Building blocks ------------------------------------------------------------------------ */

/* sum[c] -= rows(:, k) columns(c, k) over k. */
INLINE void subtract_products(size_t count, const double *rows, const double *columns, eight *sum)
{
    eight s0 = sum[0], s1 = sum[1], s2 = sum[2], s3 = sum[3];
    for (size_t k = 0; k < count; k++) {
        eight a = *(const eight *)(rows + CRM_LCP_TILE * k);
        const double *b = columns + CRM_LCP_TILE * k;
        s0 -= a * b[0];
        s1 -= a * b[1];
        s2 -= a * b[2];
        s3 -= a * b[3];
    }
    sum[0] = s0;
    sum[1] = s1;
    sum[2] = s2;
    sum[3] = s3;
}

INLINE void load(const double *tile, size_t column, eight *four)
{
    for (size_t c = 0; c < CRM_LCP_GROUP; c++) {
        four[c] = *(const eight *)(tile + CRM_LCP_TILE * (column + c));
    }
}

INLINE void store(double *tile, size_t column, const eight *four)
{
    for (size_t c = 0; c < CRM_LCP_GROUP; c++) {
        *(eight *)(tile + CRM_LCP_TILE * (column + c)) = four[c];
    }
}

/* Where the four rows k .. k + 3 of a block begin. */
INLINE const double *row_group(size_t columns, const double *block, size_t k)
{
    return block + k / CRM_LCP_TILE * CRM_LCP_TILE * columns + k % CRM_LCP_TILE;
}

/* Four columns of a tile of X, given those before. */
INLINE void divide_group(size_t columns, const double *block, const double *inverse, size_t k,
                         double *tile)
{
    const double *group = row_group(columns, block, k);
    const double *corner = group + CRM_LCP_TILE * k;
    eight x[CRM_LCP_GROUP];
    load(tile, k, x);
    subtract_products(k, tile, group, x);
    for (size_t c = 0; c < CRM_LCP_GROUP; c++) {
        x[c] *= inverse[k + c];
        for (size_t d = c + 1; d < CRM_LCP_GROUP; d++) {
            x[d] -= x[c] * corner[CRM_LCP_TILE * c + d];
        }
    }
    store(tile, k, x);
}

/* L of the four by four corner at k, in place, from the tile that holds it. */
INLINE bool factor_corner(double *corner, double *pivot, double *inverse)
{
    for (size_t c = 0; c < CRM_LCP_GROUP; c++) {
        double value = corner[CRM_LCP_TILE * c + c];
        if (!(value > 0.0)) {
            return false;
        }
        double root = sqrt(value);
        pivot[c] = value;
        inverse[c] = 1.0 / root;
        corner[CRM_LCP_TILE * c + c] = root;
        for (size_t i = c + 1; i < CRM_LCP_GROUP; i++) {
            corner[CRM_LCP_TILE * c + i] *= inverse[c];
        }
        for (size_t d = c + 1; d < CRM_LCP_GROUP; d++) {
            for (size_t i = d; i < CRM_LCP_GROUP; i++) {
                corner[CRM_LCP_TILE * d + i] -=
                    corner[CRM_LCP_TILE * c + i] * corner[CRM_LCP_TILE * c + d];
            }
        }
        memset(corner + CRM_LCP_TILE * c, 0, c * sizeof(double));
    }
    return true;
}

/* ---- The kernels ---------------------------------------------------------------------------- */

/* Group of columns by group: the corner, then the rows under it in its own tile and the others. */
INLINE bool factor(size_t columns, size_t begin, size_t end, double *block, double *pivot,
                   double *inverse)
{
    size_t stride = CRM_LCP_TILE * columns;
    for (size_t k = begin; k < end; k += CRM_LCP_GROUP) {
        double *tile = block + k / CRM_LCP_TILE * stride;
        double *corner = tile + CRM_LCP_TILE * k + k % CRM_LCP_TILE;
        eight sum[CRM_LCP_GROUP];
        load(tile, k, sum);
        subtract_products(k, tile, row_group(columns, block, k), sum);
        store(tile, k, sum);
        if (!factor_corner(corner, pivot + k, inverse + k)) {
            return false;
        }
        if (k % CRM_LCP_TILE == 0) { /* the lower half of this tile */
            for (size_t c = 0; c < CRM_LCP_GROUP; c++) {
                double *column = corner + CRM_LCP_TILE * c + CRM_LCP_GROUP;
                for (size_t i = 0; i < CRM_LCP_GROUP; i++) {
                    column[i] *= inverse[k + c];
                    for (size_t d = c + 1; d < CRM_LCP_GROUP; d++) {
                        column[CRM_LCP_TILE * (d - c) + i] -=
                            column[i] * corner[CRM_LCP_TILE * c + d];
                    }
                }
            }
        } else { /* above the diagonal */
            for (size_t c = 0; c < CRM_LCP_GROUP; c++) {
                memset(tile + CRM_LCP_TILE * (k + c), 0, CRM_LCP_GROUP * sizeof(double));
            }
        }
        for (double *next = tile + stride; next < block + crm_lcp_tiles(end) * stride;
             next += stride) {
            divide_group(columns, block, inverse, k, next);
        }
    }
    return true;
}

INLINE void divide(size_t columns, size_t begin, size_t end, const double *block,
                   const double *inverse, size_t tiles, double *rows)
{
    for (size_t t = 0; t < tiles; t++) {
        for (size_t k = begin; k < end; k += CRM_LCP_GROUP) {
            divide_group(columns, block, inverse, k, rows + t * CRM_LCP_TILE * columns);
        }
    }
}

INLINE void update(size_t columns, const double *rows, size_t t, size_t begin, size_t end,
                   double *c)
{
    size_t stride = CRM_LCP_TILE * columns;
    double *tile = c + 32 * t * (t + 1);
    for (size_t u = begin; u < end; u++) {
        for (size_t half = 0; half < CRM_LCP_TILE; half += CRM_LCP_GROUP) {
            eight sum[CRM_LCP_GROUP];
            load(tile, CRM_LCP_TILE * u + half, sum);
            subtract_products(columns, rows + t * stride, rows + u * stride + half, sum);
            store(tile, CRM_LCP_TILE * u + half, sum);
        }
    }
}

INLINE void apply(size_t columns, const double *rows, size_t tiles, const double *x, double *y)
{
    for (size_t t = 0; t < tiles; t++) {
        const double *tile = rows + t * CRM_LCP_TILE * columns;
        eight sum[CRM_LCP_GROUP] = {0};
        for (size_t k = 0; k < columns; k += CRM_LCP_GROUP) {
            for (size_t c = 0; c < CRM_LCP_GROUP; c++) {
                sum[c] += *(const eight *)(tile + CRM_LCP_TILE * (k + c)) * x[k + c];
            }
        }
        *(eight *)(y + CRM_LCP_TILE * t) = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

INLINE void apply_transposed(size_t columns, size_t begin, size_t end, const double *rows,
                             size_t tiles, const double *y, double *x, double *work)
{
    memset(work + CRM_LCP_TILE * begin, 0, CRM_LCP_TILE * (end - begin) * sizeof(double));
    for (size_t t = 0; t < tiles; t++) {
        const double *tile = rows + t * CRM_LCP_TILE * columns;
        eight part = *(const eight *)(y + CRM_LCP_TILE * t);
        for (size_t k = begin; k < end; k++) {
            *(eight *)(work + CRM_LCP_TILE * k) += *(const eight *)(tile + CRM_LCP_TILE * k) * part;
        }
    }
    for (size_t k = begin; k < end; k++) {
        const double *sum = work + CRM_LCP_TILE * k;
        x[k] -= ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
    }
}

/* x = L^-1 x, column by column. */
INLINE void forward(size_t columns, const double *block, const double *inverse, double *x)
{
    size_t tiles = crm_lcp_tiles(columns);
    for (size_t k = 0; k < columns; k++) {
        double value = x[k] * inverse[k];
        for (size_t t = k / CRM_LCP_TILE; t < tiles; t++) { /* L is 0 above the diagonal */
            const double *column = block + CRM_LCP_TILE * (t * columns + k);
            *(eight *)(x + CRM_LCP_TILE * t) -= *(const eight *)column * value;
        }
        x[k] = value;
    }
}

/* x = L'^-1 x, column by column from the last. */
INLINE void backward(size_t columns, const double *block, const double *inverse, double *x)
{
    size_t tiles = crm_lcp_tiles(columns);
    for (size_t k = columns; k-- > 0;) {
        eight part = {0};
        double sum[CRM_LCP_TILE];
        double value = x[k];
        x[k] = 0.0;
        for (size_t t = k / CRM_LCP_TILE; t < tiles; t++) { /* L is 0 above the diagonal */
            const double *column = block + CRM_LCP_TILE * (t * columns + k);
            part += *(const eight *)column * *(const eight *)(x + CRM_LCP_TILE * t);
        }
        memcpy(sum, &part, sizeof sum);
        value -= ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
        x[k] = value * inverse[k];
    }
}

/* ---- For each kind of processor -------------------------------------------------------------- */

#define KERNELS(name, attribute)                                                                   \
    attribute static bool name##_factor(size_t columns, size_t begin, size_t end, double *block,   \
                                        double *pivot, double *inverse)                            \
    {                                                                                              \
        return factor(columns, begin, end, block, pivot, inverse);                                 \
    }                                                                                              \
    attribute static void name##_divide(size_t columns, size_t begin, size_t end,                  \
                                        const double *block, const double *inverse, size_t tiles,  \
                                        double *rows)                                              \
    {                                                                                              \
        divide(columns, begin, end, block, inverse, tiles, rows);                                  \
    }                                                                                              \
    attribute static void name##_update(size_t columns, const double *rows, size_t t,              \
                                        size_t begin, size_t end, double *c)                       \
    {                                                                                              \
        update(columns, rows, t, begin, end, c);                                                   \
    }                                                                                              \
    attribute static void name##_apply(size_t columns, const double *rows, size_t tiles,           \
                                       const double *x, double *y)                                 \
    {                                                                                              \
        apply(columns, rows, tiles, x, y);                                                         \
    }                                                                                              \
    attribute static void name##_apply_transposed(size_t columns, size_t begin, size_t end,        \
                                                  const double *rows, size_t tiles,                \
                                                  const double *y, double *x, double *work)        \
    {                                                                                              \
        apply_transposed(columns, begin, end, rows, tiles, y, x, work);                            \
    }                                                                                              \
    attribute static void name##_forward(size_t columns, const double *block,                      \
                                         const double *inverse, double *x)                         \
    {                                                                                              \
        forward(columns, block, inverse, x);                                                       \
    }                                                                                              \
    attribute static void name##_backward(size_t columns, const double *block,                     \
                                          const double *inverse, double *x)                        \
    {                                                                                              \
        backward(columns, block, inverse, x);                                                      \
    }                                                                                              \
    static const crm_lcp_tile_kernels name = {                                                     \
        name##_factor,           name##_divide,  name##_update,  name##_apply,                     \
        name##_apply_transposed, name##_forward, name##_backward};

KERNELS(plain, )
#ifdef CRM_WIDTHS
KERNELS(avx2, __attribute__((target("avx2"))))
KERNELS(avx512, __attribute__((target("avx512f"))))
#endif

const crm_lcp_tile_kernels *crm_lcp_tile_of(crm_width width)
{
#ifdef CRM_WIDTHS
    const crm_lcp_tile_kernels *const kernels[] = {&plain, &avx2, &avx512};
    return kernels[width];
#else
    (void)width;
    return &plain;
#endif
}
