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

/* Large blocks piece by piece; false: told to end. */
static bool set_zero(crm_lcp_fronts *fronts, const crm_lcp_work *w, double *to, size_t count)
{
    for (size_t begin = 0; begin < count; begin += PIECE) {
        size_t piece = count - begin < PIECE ? count - begin : PIECE;
        if (crm_lcp_fronts_told_to_end(fronts, w, piece)) {
            return false;
        }
        memset(to + begin, 0, piece * sizeof(double));
    }
    return true;
}

bool crm_lcp_front_move_down(crm_lcp_fronts *fronts, const crm_lcp_work *w)
{
    double *to = fronts->stack + w->place->left;
    size_t count = crm_lcp_left_size(w->place->below);
    for (size_t begin = 0; begin < count && to != w->left; begin += PIECE) {
        size_t piece = count - begin < PIECE ? count - begin : PIECE;
        if (crm_lcp_fronts_told_to_end(fronts, w, piece)) {
            return false;
        }
        memmove(to + begin, w->left + begin, piece * sizeof(double));
    }
    return true;
}

static bool clear(crm_lcp_fronts *fronts, const crm_lcp_work *w)
{
    const crm_lcp_place *p = w->place;
    if (!set_zero(fronts, w, w->block, crm_lcp_place_entries(p)) ||
        !set_zero(fronts, w, w->left, crm_lcp_left_size(p->below))) {
        return false;
    }
    for (size_t k = w->front->columns; k < p->columns; k++) {
        row_begin(w->block, p->columns, k)[CRM_LCP_TILE * k] = 1.0;
    }
    return true;
}

static void add_matrix(const crm_lcp_fronts *fronts, const crm_lcp_hand *hand,
                       const crm_lcp_work *w, const bool *active, const double *diagonal)
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
                                      : row_begin(w->rows, columns, hand->position[i]);
                row[CRM_LCP_TILE * column] = matrix->value[m];
            }
        }
    }
}

/* Row i of what a child left, where it belongs in this front; of its rows the first `own` are
 * columns here.
 */
static void add_row(const crm_lcp_hand *hand, const crm_lcp_work *w, const double *from, size_t i,
                    size_t own)
{
    const uint32_t *at = hand->at;
    double *to = row_begin(i < own ? w->block : w->rows, w->place->columns, at[i]);
    for (size_t k = 0; k < own && k <= i; k++) {
        to[CRM_LCP_TILE * at[k]] += from[CRM_LCP_TILE * k];
    }
    if (i >= own) {
        to = left_begin(w->left, at[i]);
        for (size_t k = own; k <= i; k++) {
            to[CRM_LCP_TILE * at[k]] += from[CRM_LCP_TILE * k];
        }
    }
}

/* false: told to end. */
static bool add_child(crm_lcp_fronts *fronts, const crm_lcp_hand *hand, const crm_lcp_work *w,
                      size_t child)
{
    const crm_lcp_front *front = &fronts->tree.front[child];
    const uint32_t *row = fronts->tree.row + front->row_start;
    double *left = fronts->stack + fronts->place[child].left;
    size_t end = w->front->first + w->front->columns;
    size_t own = 0;
    for (size_t i = 0; i < front->rows; i++) {
        own += row[i] < end;
        hand->at[i] = row[i] < end ? row[i] - w->front->first : hand->position[row[i]];
    }
    for (size_t i = 0; i < front->rows; i++) {
        if (crm_lcp_fronts_told_to_end(fronts, w, 4 * (i + 1))) {
            return false;
        }
        add_row(hand, w, left_begin(left, i), i, own);
    }
    return true;
}

bool crm_lcp_front_assemble(crm_lcp_fronts *fronts, const crm_lcp_hand *hand, const crm_lcp_work *w,
                            const bool *active, const double *diagonal)
{
    for (size_t i = 0; i < w->front->rows; i++) {
        hand->position[w->row[i]] = (uint32_t)i;
    }
    if (!clear(fronts, w)) {
        return false;
    }
    add_matrix(fronts, hand, w, active, diagonal);
    for (uint32_t c = w->front->child; c != CRM_LCP_NO_FRONT; c = fronts->tree.front[c].sibling) {
        if (!add_child(fronts, hand, w, c)) {
            return false;
        }
    }
    return true;
}
