/* Putting a front together. */
#include <string.h>

#include "lcp/factor/fronts/inner.h"

/* Numbers that are written without a look. */
enum { PIECE = 1 << 18 };

/* Where entry (i, 0) of a front's columns is, and of what it leaves. */
static double *row_begin(double *tiles, size_t columns, size_t i)
{
    return tiles + i / CRM_LCP_TILE * CRM_LCP_TILE * columns + i % CRM_LCP_TILE;
}

static double *left_begin(double *left, size_t i)
{
    size_t t = i / CRM_LCP_TILE;
    return left + 32 * t * (t + 1) + i % CRM_LCP_TILE;
}

/* Large blocks piece by piece; false: interrupted. */
static bool set_zero(crm_lcp_fronts *fronts, const crm_lcp_front_view *w, double *to, size_t count)
{
    for (size_t begin = 0; begin < count; begin += PIECE) {
        size_t piece = count - begin < PIECE ? count - begin : PIECE;
        if (crm_lcp_fronts_are_interrupted(fronts, w, piece)) {
            return false;
        }
        memset(to + begin, 0, piece * sizeof(double));
    }
    return true;
}

bool crm_lcp_front_move_down(crm_lcp_fronts *fronts, const crm_lcp_front_view *w)
{
    double *to = fronts->stack + w->place->left;
    size_t count = crm_lcp_left_size(w->place->below);
    for (size_t begin = 0; begin < count && to != w->left; begin += PIECE) {
        size_t piece = count - begin < PIECE ? count - begin : PIECE;
        if (crm_lcp_fronts_are_interrupted(fronts, w, piece)) {
            return false;
        }
        memmove(to + begin, w->left + begin, piece * sizeof(double));
    }
    return true;
}

static bool clear(crm_lcp_fronts *fronts, const crm_lcp_front_view *w)
{
    const crm_lcp_front_layout *p = w->place;
    if (!set_zero(fronts, w, w->block, crm_lcp_front_layout_entries(p)) ||
        !set_zero(fronts, w, w->left, crm_lcp_left_size(p->below))) {
        return false;
    }
    for (size_t k = w->front->columns; k < p->columns; k++) {
        row_begin(w->block, p->columns, k)[CRM_LCP_TILE * k] = 1.0;
    }
    return true;
}

static void add_matrix(const crm_lcp_fronts *fronts, const crm_lcp_scratch *scratch,
                       const crm_lcp_front_view *w, const bool *active, const double *diagonal)
{
    const crm_lcp_matrix *matrix = fronts->matrix;
    size_t columns = w->place->columns;
    size_t end = w->front->first + w->front->columns;
    for (size_t k = w->front->first; k < end; k++) {
        size_t column = k - w->front->first;
        bool member = active[k];
        row_begin(w->block, columns, column)[CRM_LCP_TILE * column] = member ? diagonal[k] : 1.0;
        for (size_t m = matrix->start[k + 1]; member && matrix->column[--m] > k;) {
            size_t i = matrix->column[m];
            if (active[i]) {
                double *row = i < end ? row_begin(w->block, columns, i - w->front->first)
                                      : row_begin(w->rows, columns, scratch->position[i]);
                row[CRM_LCP_TILE * column] = matrix->value[m];
            }
        }
    }
}

/* Where the rows of a tile of what a child left belong in this front: their entries in its columns,
 * and in what it leaves itself (NULL for rows that are columns here).
 */
typedef struct tile_rows {
    size_t count;
    double *columns[CRM_LCP_TILE];
    double *left[CRM_LCP_TILE];
} tile_rows;

static tile_rows find_rows(const crm_lcp_scratch *scratch, const crm_lcp_front_view *w,
                           size_t first, size_t rows, size_t own)
{
    tile_rows to = {.count = rows - first < CRM_LCP_TILE ? rows - first : CRM_LCP_TILE};
    for (size_t r = 0; r < to.count; r++) {
        size_t i = first + r, at = scratch->at[i];
        to.columns[r] = row_begin(i < own ? w->block : w->rows, w->place->columns, at);
        to.left[r] = i < own ? NULL : left_begin(w->left, at);
    }
    return to;
}

/* Column k of the tile, from row `begin` of it on. */
static void add_column(double *const *to, size_t column, const double *from, size_t begin,
                       size_t count)
{
    for (size_t r = begin; r < count; r++) {
        to[r][CRM_LCP_TILE * column] += from[r];
    }
}

/* A tile of rows, up to the diagonal; of the child's rows the first `own` are columns here. */
static void add_tile(const crm_lcp_scratch *scratch, const crm_lcp_front_view *w,
                     const double *from, size_t first, size_t rows, size_t own)
{
    const tile_rows to = find_rows(scratch, w, first, rows, own);
    const uint32_t *at = scratch->at;
    size_t end = first + to.count;
    for (size_t k = 0; k < own && k < end; k++) {
        add_column(to.columns, at[k], from + CRM_LCP_TILE * k, k > first ? k - first : 0, to.count);
    }
    for (size_t k = own; k < end; k++) {
        add_column(to.left, at[k], from + CRM_LCP_TILE * k, k > first ? k - first : 0, to.count);
    }
}

/* false: interrupted. */
static bool add_child(crm_lcp_fronts *fronts, const crm_lcp_scratch *scratch,
                      const crm_lcp_front_view *w, size_t child)
{
    const crm_lcp_front *front = &fronts->tree.front[child];
    const uint32_t *row = fronts->tree.row + front->row_start;
    double *left = fronts->stack + fronts->place[child].left;
    size_t end = w->front->first + w->front->columns;
    size_t own = 0;
    for (size_t i = 0; i < front->rows; i++) {
        own += row[i] < end;
        scratch->at[i] = row[i] < end ? row[i] - w->front->first : scratch->position[row[i]];
    }
    for (size_t i = 0; i < front->rows; i += CRM_LCP_TILE) {
        if (crm_lcp_fronts_are_interrupted(fronts, w, 4 * CRM_LCP_TILE * (i + CRM_LCP_TILE))) {
            return false;
        }
        add_tile(scratch, w, left_begin(left, i), i, front->rows, own);
    }
    return true;
}

bool crm_lcp_front_assemble(crm_lcp_fronts *fronts, const crm_lcp_scratch *scratch,
                            const crm_lcp_front_view *w, const bool *active, const double *diagonal)
{
    for (size_t i = 0; i < w->front->rows; i++) {
        scratch->position[w->row[i]] = (uint32_t)i;
    }
    if (!clear(fronts, w)) {
        return false;
    }
    add_matrix(fronts, scratch, w, active, diagonal);
    for (uint32_t c = w->front->child; c != CRM_LCP_NO_FRONT; c = fronts->tree.front[c].sibling) {
        if (!add_child(fronts, scratch, w, c)) {
            return false;
        }
    }
    return true;
}
