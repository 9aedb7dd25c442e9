/* The multifrontal method (I. S. Duff, J. K. Reid, ACM Trans. Math. Softw. 9 (1983)).
 *
 * A front is the part of the matrix that its columns touch. It is put together from the matrix's
 * own entries and from what its children leave; its columns are eliminated; what is left of its
 * rows waits on a stack for the parent. All of it is full blocks (tile.h).
 */
#include "lcp/factor/fronts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lcp/factor/tile.h"
#include "lcp/factor/tree.h"

/* Where the numbers of a front are. */
typedef struct place {
    size_t columns;  /* padded */
    size_t diagonal; /* tiles of its own columns, */
    size_t below;    /* and of its rows */
    size_t value;    /* the block of its columns, then its rows, in `value` */
    size_t pivot;    /* in `pivot` and `inverse` */
    size_t left;     /* what is left for the parent, on the stack */
} place;

struct crm_lcp_fronts {
    const crm_lcp_matrix *matrix;
    const crm_lcp_tile_kernels *kernels;
    crm_lcp_tree tree;
    place *place;
    double *value;
    double *pivot;
    double *inverse;
    double *stack;
    uint32_t *position; /* contact -> its place among the rows of the front in hand */
    double *x;          /* work of solving: a front's own part, */
    double *y;          /* its rows, */
    double *sums;
    crm_watching *watching; /* NULL: nobody does */
};

/* Columns that are eliminated together; numbers that are written, or multiplied, without a look. */
enum { PANEL = 64, PIECE = 1 << 18, MOST_PRODUCTS = 1 << 25 };

/* ---- Life ---------------------------------------------------------------------------------- */

/* Doubles of a front's columns. */
static size_t entries_of(const place *p)
{
    return (p->diagonal + p->below) * CRM_LCP_TILE * p->columns;
}

/* Doubles of what a front with `tiles` tiles of rows leaves. */
static size_t left_size(size_t tiles)
{
    return 32 * tiles * (tiles + 1);
}

typedef struct needs {
    size_t values, pivots, stack, columns, rows;
} needs;

static needs lay_out(crm_lcp_fronts *fronts)
{
    needs n = {0};
    size_t top = 0;
    for (size_t f = 0; f < fronts->tree.count; f++) {
        const crm_lcp_front *front = &fronts->tree.front[f];
        place *p = &fronts->place[f];
        size_t groups = (front->columns + CRM_LCP_GROUP - 1) / CRM_LCP_GROUP;
        p->columns = groups * CRM_LCP_GROUP;
        p->diagonal = crm_lcp_tiles(front->columns);
        p->below = crm_lcp_tiles(front->rows);
        p->value = n.values;
        p->pivot = n.pivots;
        n.values += entries_of(p);
        n.pivots += p->columns;
        n.columns = p->columns > n.columns ? p->columns : n.columns;
        n.rows = p->below > n.rows ? p->below : n.rows;
        /* What is left is made on top of what the children left, then moved down over it. */
        size_t base = front->child != CRM_LCP_NO_FRONT ? fronts->place[front->child].left : top;
        size_t peak = top + left_size(p->below);
        n.stack = peak > n.stack ? peak : n.stack;
        p->left = base;
        top = base + left_size(p->below);
    }
    return n;
}

static double bytes_of(needs n)
{
    return sizeof(double) * ((double)n.values + 2 * (double)n.pivots + (double)n.stack +
                             (double)(CRM_LCP_TILE + 1) * (double)(n.columns + n.rows));
}

static bool allocate(crm_lcp_fronts *fronts, needs n)
{
    fronts->value = crm_allocate_large(n.values, sizeof(double));
    fronts->pivot = CRM_NEW(double, n.pivots);
    fronts->inverse = CRM_NEW(double, n.pivots);
    fronts->stack = crm_allocate_large(n.stack, sizeof(double));
    fronts->position = CRM_NEW(uint32_t, fronts->matrix->size);
    fronts->x = CRM_NEW(double, n.columns + CRM_LCP_TILE);
    fronts->y = CRM_NEW(double, CRM_LCP_TILE *n.rows);
    fronts->sums = CRM_NEW(double, CRM_LCP_TILE *n.columns);
    return fronts->value != NULL && fronts->pivot != NULL && fronts->inverse != NULL &&
           fronts->stack != NULL && fronts->position != NULL && fronts->x != NULL &&
           fronts->y != NULL && fronts->sums != NULL;
}

/* What is needed is known exactly before any of it is asked for. */
static crm_status make_room(crm_lcp_fronts *fronts, crm_error *error)
{
    needs n = lay_out(fronts);
    double most = fronts->matrix->limits.bytes;
    if (most > 0 && bytes_of(n) > most) {
        return crm_fail_bytes(error, NULL, bytes_of(n), most);
    }
    return allocate(fronts, n) ? CRM_OK : crm_fail_memory(error);
}

crm_status crm_lcp_fronts_create(const crm_lcp_matrix *matrix, crm_lcp_fronts **out,
                                 crm_error *error)
{
    *out = NULL;
    crm_lcp_fronts *fronts = CRM_NEW(crm_lcp_fronts, 1);
    if (fronts == NULL) {
        return crm_fail_memory(error);
    }
    fronts->matrix = matrix;
    fronts->kernels = crm_lcp_tile_of(crm_widest());
    crm_status status = crm_lcp_tree_create(matrix, &fronts->tree, error);
    if (status == CRM_OK) {
        fronts->place = CRM_NEW(place, fronts->tree.count);
        status = fronts->place != NULL ? make_room(fronts, error) : crm_fail_memory(error);
    }
    if (status != CRM_OK) {
        crm_lcp_fronts_free(fronts);
        return status;
    }
    *out = fronts;
    return CRM_OK;
}

void crm_lcp_fronts_free(crm_lcp_fronts *fronts)
{
    if (fronts == NULL) {
        return;
    }
    crm_lcp_tree_free(&fronts->tree);
    free(fronts->place);
    free(fronts->value);
    free(fronts->pivot);
    free(fronts->inverse);
    free(fronts->stack);
    free(fronts->position);
    free(fronts->x);
    free(fronts->y);
    free(fronts->sums);
    free(fronts);
}

/* ---- Putting a front together --------------------------------------------------------------- */

/* A front in hand: entry (i, k) of its columns and rows, and of what it leaves. */
typedef struct work {
    const crm_lcp_front *front;
    const place *place;
    const uint32_t *row;
    double *block; /* its columns' own part, then its rows */
    double *rows;
    double *left;
} work;

static double *row_begin(double *tiles, size_t columns, size_t i)
{
    return tiles + i / CRM_LCP_TILE * CRM_LCP_TILE * columns + i % CRM_LCP_TILE;
}

static double *left_begin(double *left, size_t i)
{
    size_t t = i / CRM_LCP_TILE;
    return left + 32 * t * (t + 1) + i % CRM_LCP_TILE;
}

static work take_up(const crm_lcp_fronts *fronts, size_t f, size_t top)
{
    const place *p = &fronts->place[f];
    double *block = fronts->value + p->value;
    return (work){.front = &fronts->tree.front[f],
                  .place = p,
                  .row = fronts->tree.row + fronts->tree.front[f].row_start,
                  .block = block,
                  .rows = block + p->diagonal * CRM_LCP_TILE * p->columns,
                  .left = fronts->stack + top};
}

/* Numbers that are multiplied and added count as a tenth of a contact. */
static bool is_told_to_end(const crm_lcp_fronts *fronts, const work *w, uint64_t products)
{
    if (!crm_watch_due(fronts->watching, 1 + products / 10)) {
        return false;
    }
    const crm_watch_report progress = {
        .time = NAN, .left = NAN, .working = fronts->matrix->size, .steps = w->front->first};
    return crm_watch_ends(fronts->watching, &progress);
}

/* Large blocks piece by piece; false: told to end. */
static bool set_zero(const crm_lcp_fronts *fronts, const work *w, double *to, size_t count)
{
    for (size_t begin = 0; begin < count; begin += PIECE) {
        size_t piece = count - begin < PIECE ? count - begin : PIECE;
        if (is_told_to_end(fronts, w, piece)) {
            return false;
        }
        memset(to + begin, 0, piece * sizeof(double));
    }
    return true;
}

/* The same; down, or where it is. */
static bool move_down(const crm_lcp_fronts *fronts, const work *w, double *to, size_t count)
{
    for (size_t begin = 0; begin < count && to != w->left; begin += PIECE) {
        size_t piece = count - begin < PIECE ? count - begin : PIECE;
        if (is_told_to_end(fronts, w, piece)) {
            return false;
        }
        memmove(to + begin, w->left + begin, piece * sizeof(double));
    }
    return true;
}

static bool clear(const crm_lcp_fronts *fronts, const work *w)
{
    const place *p = w->place;
    if (!set_zero(fronts, w, w->block, entries_of(p)) ||
        !set_zero(fronts, w, w->left, left_size(p->below))) {
        return false;
    }
    for (size_t k = w->front->columns; k < p->columns; k++) {
        row_begin(w->block, p->columns, k)[CRM_LCP_TILE * k] = 1.0;
    }
    return true;
}

static void add_matrix(const crm_lcp_fronts *fronts, const work *w, const bool *active,
                       const double *diagonal)
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
                                      : row_begin(w->rows, columns, fronts->position[i]);
                row[CRM_LCP_TILE * column] = matrix->value[m];
            }
        }
    }
}

/* What a child left, where its rows are in this front: first those that are columns here. false:
 * told to end.
 */
static bool add_child(crm_lcp_fronts *fronts, const work *w, size_t child)
{
    const crm_lcp_front *front = &fronts->tree.front[child];
    const uint32_t *row = fronts->tree.row + front->row_start;
    double *left = fronts->stack + fronts->place[child].left;
    size_t end = w->front->first + w->front->columns;
    size_t columns = w->place->columns;
    size_t own = 0;
    while (own < front->rows && row[own] < end) {
        own++;
    }
    for (size_t i = 0; i < front->rows; i++) {
        if (is_told_to_end(fronts, w, 4 * (i + 1))) {
            return false;
        }
        const double *from = left_begin(left, i);
        double *to = i < own ? row_begin(w->block, columns, row[i] - w->front->first)
                             : row_begin(w->rows, columns, fronts->position[row[i]]);
        for (size_t k = 0; k < own && k <= i; k++) {
            to[CRM_LCP_TILE * (row[k] - w->front->first)] += from[CRM_LCP_TILE * k];
        }
        if (i >= own) {
            to = left_begin(w->left, fronts->position[row[i]]);
            for (size_t k = own; k <= i; k++) {
                to[CRM_LCP_TILE * fronts->position[row[k]]] += from[CRM_LCP_TILE * k];
            }
        }
    }
    return true;
}

static bool put_together(crm_lcp_fronts *fronts, const work *w, const bool *active,
                         const double *diagonal)
{
    for (size_t i = 0; i < w->front->rows; i++) {
        fronts->position[w->row[i]] = (uint32_t)i;
    }
    if (!clear(fronts, w)) {
        return false;
    }
    add_matrix(fronts, w, active, diagonal);
    for (uint32_t c = w->front->child; c != CRM_LCP_NO_FRONT; c = fronts->tree.front[c].sibling) {
        if (!add_child(fronts, w, c)) {
            return false;
        }
    }
    return true;
}

/* ---- Factoring ------------------------------------------------------------------------------- */

/* L L' of a front's own columns, panel by panel: the corner, then what is below it. */
static bool factor_own(const crm_lcp_fronts *fronts, const work *w)
{
    const place *p = w->place;
    double *inverse = fronts->inverse + p->pivot;
    for (size_t begin = 0; begin < p->columns; begin += PANEL) {
        size_t end = begin + PANEL < p->columns ? begin + PANEL : p->columns;
        if (!fronts->kernels->factor(p->columns, begin, end, w->block, fronts->pivot + p->pivot,
                                     inverse)) {
            return false;
        }
        for (size_t t = crm_lcp_tiles(end); t < p->diagonal; t++) {
            if (is_told_to_end(fronts, w, (end - begin) * end * CRM_LCP_TILE)) {
                return false;
            }
            fronts->kernels->divide(p->columns, begin, end, w->block, inverse, 1,
                                    w->block + t * CRM_LCP_TILE * p->columns);
        }
    }
    return true;
}

static bool eliminate(const crm_lcp_fronts *fronts, const work *w)
{
    const place *p = w->place;
    const crm_lcp_tile_kernels *kernels = fronts->kernels;
    size_t tile = CRM_LCP_TILE * p->columns;
    if (!factor_own(fronts, w)) {
        return false;
    }
    for (size_t t = 0; t < p->below; t++) {
        if (is_told_to_end(fronts, w, tile * p->columns)) {
            return false;
        }
        kernels->divide(p->columns, 0, p->columns, w->block, fronts->inverse + p->pivot, 1,
                        w->rows + t * tile);
    }
    size_t step = MOST_PRODUCTS / (tile * CRM_LCP_TILE) + 1;
    for (size_t t = 0; t < p->below; t++) {
        for (size_t u = 0; u <= t; u += step) {
            size_t end = u + step <= t ? u + step : t + 1;
            if (is_told_to_end(fronts, w, tile * CRM_LCP_TILE * (end - u))) {
                return false;
            }
            kernels->update(p->columns, w->rows, t, u, end, w->left);
        }
    }
    return true;
}

static double smallest_pivot(const crm_lcp_fronts *fronts, const work *w, const bool *active)
{
    const double *pivot = fronts->pivot + w->place->pivot;
    double smallest = 1.0;
    for (size_t k = 0; k < w->front->columns; k++) {
        size_t contact = w->front->first + k;
        if (active[contact]) {
            smallest = fmin(smallest, pivot[k] / fronts->matrix->diagonal[contact]);
        }
    }
    return smallest;
}

void crm_lcp_fronts_watch(crm_lcp_fronts *fronts, crm_watching *watching)
{
    fronts->watching = watching;
}

void crm_lcp_fronts_use_width(crm_lcp_fronts *fronts, crm_width width)
{
    fronts->kernels = crm_lcp_tile_of(width);
}

double crm_lcp_fronts_factor(crm_lcp_fronts *fronts, const bool *active, const double *diagonal)
{
    double smallest = 1.0;
    size_t top = 0;
    for (size_t f = 0; f < fronts->tree.count; f++) {
        work w = take_up(fronts, f, top);
        if (!put_together(fronts, &w, active, diagonal) || !eliminate(fronts, &w)) {
            return 0.0;
        }
        smallest = fmin(smallest, smallest_pivot(fronts, &w, active));
        if (!move_down(fronts, &w, fronts->stack + w.place->left, left_size(w.place->below))) {
            return 0.0;
        }
        top = w.place->left + left_size(w.place->below);
    }
    return smallest;
}

/* ---- Solving --------------------------------------------------------------------------------- */

/* A front's own part of x, padded. */
static void take_own(const crm_lcp_fronts *fronts, const work *w, const double *x)
{
    size_t padded = CRM_LCP_TILE * w->place->diagonal;
    memcpy(fronts->x, x + w->front->first, w->front->columns * sizeof(double));
    memset(fronts->x + w->front->columns, 0, (padded - w->front->columns) * sizeof(double));
}

/* This and the next: as far as it is not told to end. */
static void solve_forward(const crm_lcp_fronts *fronts, double *x)
{
    for (size_t f = 0; f < fronts->tree.count; f++) {
        work w = take_up(fronts, f, 0);
        const place *p = w.place;
        if (is_told_to_end(fronts, &w, entries_of(p))) {
            return;
        }
        take_own(fronts, &w, x);
        fronts->kernels->forward(p->columns, w.block, fronts->inverse + p->pivot, fronts->x);
        memcpy(x + w.front->first, fronts->x, w.front->columns * sizeof(double));
        fronts->kernels->apply(p->columns, w.rows, p->below, fronts->x, fronts->y);
        for (size_t i = 0; i < w.front->rows; i++) {
            x[w.row[i]] -= fronts->y[i];
        }
    }
}

static void solve_backward(const crm_lcp_fronts *fronts, double *x)
{
    for (size_t f = fronts->tree.count; f-- > 0;) {
        work w = take_up(fronts, f, 0);
        const place *p = w.place;
        if (is_told_to_end(fronts, &w, entries_of(p))) {
            return;
        }
        take_own(fronts, &w, x);
        memset(fronts->y, 0, CRM_LCP_TILE * p->below * sizeof(double));
        for (size_t i = 0; i < w.front->rows; i++) {
            fronts->y[i] = x[w.row[i]];
        }
        fronts->kernels->apply_transposed(p->columns, w.rows, p->below, fronts->y, fronts->x,
                                          fronts->sums);
        fronts->kernels->backward(p->columns, w.block, fronts->inverse + p->pivot, fronts->x);
        memcpy(x + w.front->first, fronts->x, w.front->columns * sizeof(double));
    }
}

void crm_lcp_fronts_solve(crm_lcp_fronts *fronts, double *x)
{
    solve_forward(fronts, x);
    solve_backward(fronts, x);
}
