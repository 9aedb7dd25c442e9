/* I + C diag(weight) C', by coordinates.
 *
 * The pattern is that of all pairs of the shape, whichever contacts are loaded, so that the
 * elimination order and the fronts (lcp/factor/fronts/fronts.h) are computed once for a shape. With
 * few coordinates the matrix is one full block, without an order.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lcp/factor/fronts/fronts.h"
#include "motion/stepping/primal/internal.h"

/* Up to this many coordinates the full matrix is faster. */
enum { FULL = 48 };

struct crm_primal_factor {
    size_t blocks, pairs;
    size_t block_room, pair_room;
    uint32_t *first;
    uint32_t (*pair)[2];
    /* sparse: */
    crm_lcp_matrix matrix;
    crm_lcp_fronts *fronts;
    bool *all;       /* true */
    uint32_t *place; /* of each block's first coordinate in the matrix */
    uint32_t *own;   /* where in the rows of a block its own columns begin, */
    uint32_t *other; /* and for each pair those of the later block in the earlier one's */
    double *x;       /* permuted */
    /* full: */
    double full[FULL * FULL];
};

size_t crm_primal_coordinates(const crm_primal_shape *shape)
{
    return shape->blocks > 0 ? shape->first[shape->blocks] : 0;
}

static size_t size_of(const crm_primal_factor *factor)
{
    return factor->blocks > 0 ? factor->first[factor->blocks] : 0;
}

static uint32_t width(const crm_primal_factor *factor, size_t block)
{
    return factor->first[block + 1] - factor->first[block];
}

/* ---- Life ------------------------------------------------------------------------------------ */

crm_status crm_primal_factor_create(crm_primal_factor **factor, crm_error *error)
{
    *factor = CRM_NEW(crm_primal_factor, 1);
    return *factor != NULL ? CRM_OK : crm_fail_memory(error);
}

static void forget(crm_primal_factor *factor)
{
    crm_lcp_fronts_free(factor->fronts);
    crm_lcp_matrix_free(&factor->matrix);
    free(factor->all);
    free(factor->place);
    free(factor->own);
    free(factor->other);
    free(factor->x);
    factor->fronts = NULL;
    factor->all = NULL;
    factor->place = factor->own = factor->other = NULL;
    factor->x = NULL;
}

void crm_primal_factor_free(crm_primal_factor *factor)
{
    if (factor != NULL) {
        forget(factor);
        free(factor->first);
        free(factor->pair);
        free(factor);
    }
}

/* ---- The shape ------------------------------------------------------------------------------- */

static bool is_same(const crm_primal_factor *factor, const crm_primal_shape *shape)
{
    return factor->blocks == shape->blocks && factor->pairs == shape->pairs &&
           factor->first != NULL &&
           memcmp(factor->first, shape->first, (shape->blocks + 1) * sizeof *shape->first) == 0 &&
           memcmp(factor->pair, shape->pair, shape->pairs * sizeof *shape->pair) == 0;
}

static bool keep_shape(crm_primal_factor *factor, const crm_primal_shape *shape)
{
    if (shape->blocks + 1 > factor->block_room || factor->first == NULL) {
        free(factor->first);
        factor->block_room = shape->blocks + shape->blocks / 2 + 1;
        factor->first = CRM_NEW(uint32_t, factor->block_room);
    }
    if (shape->pairs > factor->pair_room || factor->pair == NULL) {
        free(factor->pair);
        factor->pair_room = shape->pairs + shape->pairs / 2;
        factor->pair = (uint32_t(*)[2])crm_memory_allocate(factor->pair_room, sizeof *factor->pair);
    }
    if (factor->first == NULL || factor->pair == NULL) {
        factor->blocks = factor->pairs = 0;
        return false;
    }
    factor->blocks = shape->blocks;
    factor->pairs = shape->pairs;
    memcpy(factor->first, shape->first, (shape->blocks + 1) * sizeof *shape->first);
    memcpy(factor->pair, shape->pair, shape->pairs * sizeof *shape->pair);
    return true;
}

/* Which blocks each is coupled with, itself included. */
typedef struct graph {
    size_t *start;
    uint32_t *column;
    size_t *order; /* of elimination */
    uint32_t *rank;
} graph;

static void release(graph *g)
{
    free(g->start);
    free(g->column);
    free(g->order);
    free(g->rank);
}

static bool make_graph(const crm_primal_factor *factor, graph *g)
{
    size_t entries = factor->blocks + 2 * factor->pairs;
    *g = (graph){CRM_NEW(size_t, factor->blocks + 2), CRM_NEW(uint32_t, entries),
                 CRM_NEW(size_t, factor->blocks), CRM_NEW(uint32_t, factor->blocks)};
    if (g->start == NULL || g->column == NULL || g->order == NULL || g->rank == NULL) {
        return false;
    }
    size_t *next = g->start + 1; /* as it is filled it becomes where the next block begins */
    for (size_t b = 0; b < factor->blocks; b++) {
        next[b + 1] = 1;
    }
    for (size_t k = 0; k < factor->pairs; k++) {
        next[factor->pair[k][0] + 1]++;
        next[factor->pair[k][1] + 1]++;
    }
    for (size_t b = 0; b < factor->blocks; b++) {
        next[b + 1] += next[b];
    }
    for (size_t b = 0; b < factor->blocks; b++) {
        g->column[next[b]++] = (uint32_t)b;
    }
    for (size_t k = 0; k < factor->pairs; k++) {
        const uint32_t *pair = factor->pair[k];
        g->column[next[pair[0]]++] = pair[1];
        g->column[next[pair[1]]++] = pair[0];
    }
    return true;
}

static bool take_matrix(crm_primal_factor *factor, const graph *g)
{
    size_t size = size_of(factor), entries = 0;
    for (size_t b = 0; b < factor->blocks; b++) {
        for (size_t m = g->start[b]; m < g->start[b + 1]; m++) {
            entries += (size_t)width(factor, b) * width(factor, g->column[m]);
        }
    }
    factor->matrix = (crm_lcp_matrix){.size = size,
                                      .start = CRM_NEW(size_t, size + 1),
                                      .column = CRM_NEW(uint32_t, entries),
                                      .value = CRM_NEW(double, entries),
                                      .diagonal = CRM_NEW(double, size),
                                      .structure = CRM_LCP_SPARSE};
    factor->all = CRM_NEW(bool, size);
    factor->place = CRM_NEW(uint32_t, factor->blocks);
    factor->own = CRM_NEW(uint32_t, factor->blocks);
    factor->other = CRM_NEW(uint32_t, factor->pairs);
    factor->x = CRM_NEW(double, size);
    return factor->matrix.start != NULL && factor->matrix.column != NULL &&
           factor->matrix.value != NULL && factor->matrix.diagonal != NULL && factor->all != NULL &&
           factor->place != NULL && factor->own != NULL && factor->other != NULL &&
           factor->x != NULL;
}

/* The rows of one block, which all have the same columns: those of its neighbours, by rank. */
static size_t fill_rows(crm_primal_factor *factor, graph *g, size_t block, size_t entry)
{
    size_t begin = g->start[block], count = g->start[block + 1] - begin;
    for (size_t m = 0; m < count; m++) {
        g->column[begin + m] = g->rank[g->column[begin + m]];
    }
    qsort(g->column + begin, count, sizeof *g->column, crm_compare_uint32);
    for (uint32_t row = 0; row < width(factor, block); row++) {
        factor->matrix.start[factor->place[block] + row] = entry;
        for (size_t m = 0; m < count; m++) {
            size_t other = g->order[g->column[begin + m]];
            if (other == block) {
                factor->own[block] =
                    (uint32_t)(entry - factor->matrix.start[factor->place[block] + row]);
            }
            for (uint32_t c = 0; c < width(factor, other); c++) {
                factor->matrix.column[entry++] = factor->place[other] + c;
            }
        }
    }
    return entry;
}

/* Where in the rows of the one eliminated first the columns of the other are. */
static void find_other(crm_primal_factor *factor, const graph *g, size_t k)
{
    const uint32_t *pair = factor->pair[k];
    bool swapped = g->rank[pair[0]] > g->rank[pair[1]];
    const size_t *start = factor->matrix.start + factor->place[pair[swapped]];
    uint32_t wanted = factor->place[pair[!swapped]];
    const uint32_t *columns = factor->matrix.column + start[0];
    uint32_t low = 0, high = (uint32_t)(start[1] - start[0]);
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (columns[middle] < wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    factor->other[k] = low;
}

static crm_status analyse(crm_primal_factor *factor, graph *g, crm_error *error)
{
    crm_lcp_structure structure;
    const crm_lcp_pattern pattern = {factor->blocks, g->start, g->column};
    crm_status status = crm_lcp_order(&pattern, NULL, g->order, &structure, error);
    if (status != CRM_OK) {
        return status;
    }
    uint32_t place = 0;
    for (size_t r = 0; r < factor->blocks; r++) {
        g->rank[g->order[r]] = (uint32_t)r;
        factor->place[g->order[r]] = place;
        place += width(factor, g->order[r]);
    }
    size_t entry = 0;
    for (size_t r = 0; r < factor->blocks; r++) {
        entry = fill_rows(factor, g, g->order[r], entry);
    }
    factor->matrix.start[factor->matrix.size] = entry;
    for (size_t k = 0; k < factor->pairs; k++) {
        find_other(factor, g, k);
    }
    for (size_t i = 0; i < factor->matrix.size; i++) {
        factor->all[i] = true;
    }
    return crm_lcp_fronts_create(&factor->matrix, &factor->fronts, error);
}

crm_status crm_primal_factor_shape(crm_primal_factor *factor, const crm_primal_shape *shape,
                                   crm_error *error)
{
    if (is_same(factor, shape)) {
        return CRM_OK;
    }
    forget(factor);
    if (!keep_shape(factor, shape)) {
        return crm_fail_memory(error);
    }
    if (size_of(factor) <= FULL) {
        return CRM_OK;
    }
    graph g;
    crm_status status = make_graph(factor, &g) && take_matrix(factor, &g)
                            ? analyse(factor, &g, error)
                            : crm_fail_memory(error);
    release(&g);
    if (status != CRM_OK) {
        factor->blocks = factor->pairs = 0;
        forget(factor);
    }
    return status;
}

/* ---- Full ------------------------------------------------------------------------------------ */

/* A coordinate of a contact's column. */
static uint32_t coordinate(const crm_primal_shape *shape, const crm_primal_contact *c, uint32_t k)
{
    uint32_t own = shape->first[c->block[0] + 1] - shape->first[c->block[0]];
    return k < own ? shape->first[c->block[0]] + k : shape->first[c->block[1]] + k - own;
}

static uint32_t entries_of(const crm_primal_shape *shape, const crm_primal_contact *c)
{
    uint32_t count = shape->first[c->block[0] + 1] - shape->first[c->block[0]];
    return c->block[1] == CRM_PRIMAL_NOBODY
               ? count
               : count + shape->first[c->block[1] + 1] - shape->first[c->block[1]];
}

static void fill_full(crm_primal_factor *factor, const crm_primal_problem *problem,
                      const double *weight)
{
    size_t size = size_of(factor);
    memset(factor->full, 0, size * size * sizeof *factor->full);
    for (size_t i = 0; i < size; i++) {
        factor->full[i * size + i] = 1;
    }
    for (size_t j = 0; j < problem->contacts; j++) {
        const crm_primal_contact *c = &problem->contact[j];
        const double *value = problem->value + c->start;
        uint32_t count = weight[j] > 0 ? entries_of(&problem->shape, c) : 0;
        for (uint32_t a = 0; a < count; a++) {
            for (uint32_t b = 0; b <= a; b++) {
                uint32_t row = coordinate(&problem->shape, c, a);
                uint32_t column = coordinate(&problem->shape, c, b);
                factor->full[row * size + column] += weight[j] * value[a] * value[b];
            }
        }
    }
}

static bool factor_full(double *a, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        for (size_t k = 0; k <= i; k++) {
            double sum = a[i * size + k];
            for (size_t m = 0; m < k; m++) {
                sum -= a[i * size + m] * a[k * size + m];
            }
            if (i == k && !(sum > 0)) {
                return false;
            }
            a[i * size + k] = i == k ? sqrt(sum) : sum / a[k * size + k];
        }
    }
    return true;
}

static void solve_full(const double *a, size_t size, double *x)
{
    for (size_t i = 0; i < size; i++) {
        for (size_t k = 0; k < i; k++) {
            x[i] -= a[i * size + k] * x[k];
        }
        x[i] /= a[i * size + i];
    }
    for (size_t i = size; i-- > 0;) {
        x[i] /= a[i * size + i];
        for (size_t k = 0; k < i; k++) {
            x[k] -= a[i * size + k] * x[i];
        }
    }
}

/* ---- Sparse ---------------------------------------------------------------------------------- */

/* Rows and columns of one block; the diagonal is kept apart. */
static void add_own(crm_primal_factor *factor, size_t block, const double *value, double weight)
{
    uint32_t count = width(factor, block), place = factor->place[block];
    for (uint32_t a = 0; a < count; a++) {
        double *row = factor->matrix.value + factor->matrix.start[place + a] + factor->own[block];
        factor->matrix.diagonal[place + a] += weight * value[a] * value[a];
        for (uint32_t b = a + 1; b < count; b++) {
            row[b] += weight * value[a] * value[b];
        }
    }
}

static void add_other(crm_primal_factor *factor, const crm_primal_contact *c, const double *value,
                      double weight)
{
    uint32_t count[2] = {width(factor, c->block[0]), width(factor, c->block[1])};
    bool swapped = factor->place[c->block[0]] > factor->place[c->block[1]];
    const double *early = swapped ? value + count[0] : value;
    const double *late = swapped ? value : value + count[0];
    uint32_t place = factor->place[c->block[swapped]];
    for (uint32_t a = 0; a < count[swapped]; a++) {
        double *row =
            factor->matrix.value + factor->matrix.start[place + a] + factor->other[c->pair];
        for (uint32_t b = 0; b < count[!swapped]; b++) {
            row[b] += weight * early[a] * late[b];
        }
    }
}

static void fill_sparse(crm_primal_factor *factor, const crm_primal_problem *problem,
                        const double *weight)
{
    crm_lcp_matrix *matrix = &factor->matrix;
    memset(matrix->value, 0, matrix->start[matrix->size] * sizeof *matrix->value);
    for (size_t i = 0; i < matrix->size; i++) {
        matrix->diagonal[i] = 1;
    }
    for (size_t j = 0; j < problem->contacts; j++) {
        const crm_primal_contact *c = &problem->contact[j];
        if (!(weight[j] > 0)) {
            continue;
        }
        add_own(factor, c->block[0], problem->value + c->start, weight[j]);
        if (c->block[1] != CRM_PRIMAL_NOBODY) {
            add_own(factor, c->block[1], problem->value + c->start + width(factor, c->block[0]),
                    weight[j]);
            add_other(factor, c, problem->value + c->start, weight[j]);
        }
    }
}

static void permute(const crm_primal_factor *factor, double *x, double *permuted, bool back)
{
    for (size_t b = 0; b < factor->blocks; b++) {
        double *here = x + factor->first[b], *there = permuted + factor->place[b];
        memcpy(back ? here : there, back ? there : here, width(factor, b) * sizeof *x);
    }
}

/* ---- The interface --------------------------------------------------------------------------- */

bool crm_primal_factor_set(crm_primal_factor *factor, const crm_primal_problem *problem,
                           const double *weight)
{
    if (size_of(factor) <= FULL) {
        fill_full(factor, problem, weight);
        return factor_full(factor->full, size_of(factor));
    }
    fill_sparse(factor, problem, weight);
    return crm_lcp_fronts_factor(factor->fronts, factor->all, factor->matrix.diagonal) > 0;
}

void crm_primal_factor_solve(crm_primal_factor *factor, double *x)
{
    if (size_of(factor) <= FULL) {
        solve_full(factor->full, size_of(factor), x);
        return;
    }
    permute(factor, x, factor->x, false);
    crm_lcp_fronts_solve(factor->fronts, factor->x);
    permute(factor, x, factor->x, true);
}
