/* The elimination tree, cut into fronts.
 *
 * Column k of the factor has its entries where column k of the matrix has them and where the
 * columns below it in the tree have them (J. W. H. Liu, SIAM J. Matrix Anal. Appl. 11 (1990)).
 * Neighbouring columns with the same entries make a front; fronts that are nearly so are joined,
 * at the price of a few zeros, as full blocks are much quicker than single columns (C. Ashcraft,
 * R. Grimes, ACM Trans. Math. Softw. 15 (1989)).
 */
#include "lcp/factor/fronts/tree.h"

#include <stdlib.h>

/* A front of at most `columns` may have at most this part of zeros. */
static const struct {
    uint32_t columns;
    double zeros;
} RELAXED[] = {{4, 1.0}, {8, 0.5}, {16, 0.3}, {48, 0.1}, {UINT32_MAX, 0.03}};

/* Steps up the tree that take as long as visiting a contact. */
enum { VISITS = 8 };

typedef struct columns {
    uint32_t *parent; /* in the elimination tree; UINT32_MAX for a root */
    uint32_t *count;  /* entries of the column of the factor, without the diagonal */
    uint32_t *mark;
} columns;

/* A front while fronts are being joined. */
typedef struct block {
    uint32_t first;
    uint32_t columns;
    double zeros;
} block;

/* ---- Columns ------------------------------------------------------------------------------- */

/* This and the next two: false: interrupted. */
static bool find_parents(const crm_lcp_matrix *matrix, uint32_t *parent, uint32_t *ancestor)
{
    for (size_t k = 0; k < matrix->size; k++) {
        parent[k] = ancestor[k] = UINT32_MAX;
        for (size_t m = matrix->start[k]; m < matrix->start[k + 1] && matrix->column[m] < k; m++) {
            uint32_t j = matrix->column[m];
            while (ancestor[j] != UINT32_MAX && ancestor[j] != k) {
                uint32_t next = ancestor[j];
                ancestor[j] = (uint32_t)k; /* shortens the way for the next */
                j = next;
            }
            if (ancestor[j] == UINT32_MAX) {
                ancestor[j] = parent[j] = (uint32_t)k;
            }
        }
        if (crm_watch_interrupts(matrix->limits.watching, 1)) {
            return false;
        }
    }
    return true;
}

/* Row k of the factor: from each entry of the matrix's row up the tree, as far as new. */
static bool count_entries(const crm_lcp_matrix *matrix, columns *c)
{
    for (size_t k = 0; k < matrix->size; k++) {
        uint64_t seen = 1;
        c->count[k] = 0;
        c->mark[k] = (uint32_t)k;
        for (size_t m = matrix->start[k]; m < matrix->start[k + 1] && matrix->column[m] < k; m++) {
            for (uint32_t j = matrix->column[m]; c->mark[j] != k; j = c->parent[j], seen++) {
                c->mark[j] = (uint32_t)k;
                c->count[j]++;
            }
        }
        if (crm_watch_interrupts(matrix->limits.watching, seen / VISITS + 1)) {
            return false;
        }
    }
    return true;
}

/* ---- Fronts -------------------------------------------------------------------------------- */

static double entries(double width, double rows)
{
    return width * (0.5 * (width + 1.0) + rows);
}

static bool may_join(const columns *c, const block *child, const block *parent, block *joined)
{
    double rows = c->count[parent->first + parent->columns - 1];
    double child_rows = c->count[child->first + child->columns - 1];
    *joined = (block){child->first, child->columns + parent->columns, 0.0};
    joined->zeros = child->zeros + parent->zeros + entries(joined->columns, rows) -
                    entries(child->columns, child_rows) - entries(parent->columns, rows);
    size_t k = 0;
    while (joined->columns > RELAXED[k].columns) {
        k++;
    }
    return joined->zeros <= RELAXED[k].zeros * entries(joined->columns, rows);
}

/* Each column is a front at first; it is joined with the fronts just before it that are its
 * children as long as that is worth it. Returns how many are left.
 */
static size_t join_columns(size_t size, const columns *c, block *stack)
{
    size_t count = 0;
    for (size_t k = 0; k < size; k++) {
        stack[count++] = (block){(uint32_t)k, 1, 0.0};
        block joined;
        while (count > 1 && c->parent[stack[count - 1].first - 1] >= stack[count - 1].first &&
               c->parent[stack[count - 1].first - 1] <= k &&
               may_join(c, &stack[count - 2], &stack[count - 1], &joined)) {
            stack[--count - 1] = joined;
        }
    }
    return count;
}

/* The rows of every front, ascending because they are handed out in order. of[k]: the front of
 * contact k.
 */
static bool hand_out_rows(const crm_lcp_matrix *matrix, const uint32_t *of, uint32_t *mark,
                          crm_lcp_tree *tree)
{
    for (size_t f = 0; f < tree->count; f++) {
        mark[f] = UINT32_MAX;
        tree->front[f].rows = 0;
    }
    for (size_t k = 0; k < matrix->size; k++) {
        uint64_t seen = 1;
        mark[of[k]] = (uint32_t)k;
        for (size_t m = matrix->start[k]; m < matrix->start[k + 1] && matrix->column[m] < k; m++) {
            for (uint32_t f = of[matrix->column[m]]; mark[f] != k;
                 f = tree->front[f].parent, seen++) {
                crm_lcp_front *front = &tree->front[f];
                mark[f] = (uint32_t)k;
                tree->row[front->row_start + front->rows++] = (uint32_t)k;
            }
        }
        if (crm_watch_interrupts(matrix->limits.watching, seen / VISITS + 1)) {
            return false;
        }
    }
    return true;
}

static void link_children(crm_lcp_tree *tree)
{
    for (size_t f = tree->count; f-- > 0;) { /* backwards, so that lists are ascending */
        crm_lcp_front *front = &tree->front[f];
        front->sibling = CRM_LCP_NO_FRONT;
        if (front->parent != CRM_LCP_NO_FRONT) {
            front->sibling = tree->front[front->parent].child;
            tree->front[front->parent].child = (uint32_t)f;
        }
    }
}

static crm_status make_fronts(const crm_lcp_matrix *matrix, const columns *c, const block *stack,
                              crm_lcp_tree *tree, crm_error *error)
{
    uint32_t *of = CRM_NEW(uint32_t, matrix->size);
    tree->front = CRM_NEW(crm_lcp_front, tree->count);
    if (of == NULL || tree->front == NULL) {
        free(of);
        return crm_fail_memory(error);
    }
    size_t rows = 0;
    for (size_t f = 0; f < tree->count; f++) {
        uint32_t last = stack[f].first + stack[f].columns - 1;
        tree->front[f] = (crm_lcp_front){.first = stack[f].first,
                                         .columns = stack[f].columns,
                                         .child = CRM_LCP_NO_FRONT,
                                         .row_start = rows};
        rows += c->count[last];
        for (uint32_t k = stack[f].first; k <= last; k++) {
            of[k] = (uint32_t)f;
        }
    }
    for (size_t f = 0; f < tree->count; f++) {
        uint32_t up = c->parent[stack[f].first + stack[f].columns - 1];
        tree->front[f].parent = up == UINT32_MAX ? CRM_LCP_NO_FRONT : of[up];
    }
    tree->row = CRM_NEW(uint32_t, rows);
    crm_status status = tree->row != NULL ? CRM_OK : crm_fail_memory(error);
    if (status == CRM_OK) {
        status = hand_out_rows(matrix, of, c->mark, tree) ? CRM_OK : CRM_LCP_INTERRUPTED;
        link_children(tree);
    }
    free(of);
    return status;
}

/* ---- The interface ------------------------------------------------------------------------- */

crm_status crm_lcp_tree_create(const crm_lcp_matrix *matrix, crm_lcp_tree *tree, crm_error *error)
{
    size_t size = matrix->size;
    *tree = (crm_lcp_tree){0};
    columns c = {CRM_NEW(uint32_t, size), CRM_NEW(uint32_t, size), CRM_NEW(uint32_t, size)};
    block *stack = CRM_NEW(block, size);
    crm_status status = CRM_OK;
    if (c.parent == NULL || c.count == NULL || c.mark == NULL || stack == NULL) {
        status = crm_fail_memory(error);
    } else if (!find_parents(matrix, c.parent, c.mark) || !count_entries(matrix, &c)) {
        status = CRM_LCP_INTERRUPTED;
    } else {
        tree->count = join_columns(size, &c, stack);
        status = make_fronts(matrix, &c, stack, tree, error);
    }
    free(c.parent);
    free(c.count);
    free(c.mark);
    free(stack);
    if (status != CRM_OK) {
        crm_lcp_tree_free(tree);
    }
    return status;
}

void crm_lcp_tree_free(crm_lcp_tree *tree)
{
    free(tree->front);
    free(tree->row);
    *tree = (crm_lcp_tree){0};
}
