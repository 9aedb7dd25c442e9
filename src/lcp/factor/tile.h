/* The arithmetic of full blocks, in tiles of rows.
 *
 * A tile is eight rows, stored column after column: entry (i, k) at tile[8 k + i]. A block of more
 * rows is tile after tile. Columns are padded to a multiple of four, rows to a multiple of eight.
 * Every entry is computed by the same operations in the same order whatever the width of the
 * processor's vectors, so the answers have the same bits.
 */
#ifndef CRM_LCP_TILE_H
#define CRM_LCP_TILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/width.h"

enum { CRM_LCP_TILE = 8, CRM_LCP_GROUP = 4 };

static inline size_t crm_lcp_tiles(size_t rows)
{
    return (rows + CRM_LCP_TILE - 1) / CRM_LCP_TILE;
}

/* For one kind of processor. `columns` is a multiple of four throughout. */
typedef struct crm_lcp_tile_kernels {
    /* Columns begin .. end - 1 of L with L L' the symmetric block, given those before, and of them
     * the rows of the tiles from `begin` up to `end`, both multiples of eight or the end of all:
     * the lower triangle in, L out, zero above the diagonal. pivot and inverse receive L_kk^2 and
     * 1 / L_kk. false when a pivot is not > 0. The tiles below are then `divide`d.
     */
    bool (*factor)(size_t columns, size_t begin, size_t end, double *block, double *pivot,
                   double *inverse);
    /* Columns begin .. end - 1 of X L' = A, given those before, for `tiles` tiles of rows: A in, X
     * out.
     */
    void (*divide)(size_t columns, size_t begin, size_t end, const double *block,
                   const double *inverse, size_t tiles, double *rows);
    /* C - X X' for tile t of X and of the lower triangle of C, in which it has 8 (t + 1) columns
     * and begins at 32 t (t + 1); of these the ones of the tiles begin .. end - 1, end <= t + 1.
     */
    void (*update)(size_t columns, const double *rows, size_t t, size_t begin, size_t end,
                   double *c);
    /* y = X x: 8 entries for each tile. */
    void (*apply)(size_t columns, const double *rows, size_t tiles, const double *x, double *y);
    /* x = x - X' y for columns begin .. end - 1; work: 8 entries for each column. */
    void (*apply_transposed)(size_t columns, size_t begin, size_t end, const double *rows,
                             size_t tiles, const double *y, double *x, double *work);
    /* x = L^-1 x and x = L'^-1 x for a factored block; `x` has room for its padded rows. */
    void (*forward)(size_t columns, const double *block, const double *inverse, double *x);
    void (*backward)(size_t columns, const double *block, const double *inverse, double *x);
} crm_lcp_tile_kernels;

const crm_lcp_tile_kernels *crm_lcp_tile_of(crm_width width);

#endif
