/* Row by row (T. A. Davis, ACM Trans. Math. Softw. 31 (2005)): row k of L solves a triangular
 * system with the rows before it, and reaches what the elimination tree leads to from its entries.
 * The order is SuiteSparse's AMD (P. R. Amestoy, T. A. Davis, I. S. Duff, SIAM J. Matrix Anal.
 * Appl. 17 (1996)), which takes whole numbers alone.
 */
#include "model/mass/ldl.h"

#include <amd.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };

typedef struct elimination {
    const crm_ldl_matrix *a;
    crm_ldl *ldl;
    uint32_t *place;  /* of a row in the order */
    uint32_t *parent; /* in the elimination tree, by places */
    uint32_t *seen;   /* the last row that reached a place */
    uint32_t *path;   /* the places that a row reaches, at the end those to be worked through */
    size_t *filled;   /* entries of each column of L so far */
    double *row;      /* a row being eliminated, 0 between */
} elimination;

static crm_status find_order(const crm_ldl_matrix *a, uint32_t *order, crm_error *error)
{
    size_t n = a->size, entries = a->start[n];
    SuiteSparse_long *start = CRM_NEW(SuiteSparse_long, n + 1),
                     *row = CRM_NEW(SuiteSparse_long, entries),
                     *found = CRM_NEW(SuiteSparse_long, n);
    bool there = start != NULL && row != NULL && found != NULL;
    for (size_t j = 0; there && j <= n; j++) {
        start[j] = (SuiteSparse_long)a->start[j];
    }
    for (size_t k = 0; there && k < entries; k++) {
        row[k] = (SuiteSparse_long)a->row[k];
    }
    there = there && amd_l_order((SuiteSparse_long)n, start, row, found, NULL, NULL) >= AMD_OK;
    for (size_t k = 0; there && k < n; k++) {
        order[k] = (uint32_t)found[k];
    }
    free(start);
    free(row);
    free(found);
    return there ? CRM_OK : crm_fail_memory(error);
}

/* The tree, and where each column of L begins: an entry of row k for every place on the ways from
 * its entries of A up the tree.
 */
static void find_pattern(elimination *e)
{
    const crm_ldl_matrix *a = e->a;
    crm_ldl *ldl = e->ldl;
    for (size_t k = 0; k < a->size; k++) {
        size_t column = ldl->order[k];
        e->parent[k] = NONE;
        e->seen[k] = (uint32_t)k;
        for (size_t m = a->start[column]; m < a->start[column + 1]; m++) {
            size_t i = e->place[a->row[m]];
            for (; i < k && e->seen[i] != k; i = e->parent[i]) {
                e->parent[i] = e->parent[i] == NONE ? (uint32_t)k : e->parent[i];
                e->seen[i] = (uint32_t)k;
                e->filled[i]++;
            }
        }
    }
    for (size_t k = 0; k < a->size; k++) {
        ldl->start[k + 1] = ldl->start[k] + e->filled[k];
        e->filled[k] = 0;
    }
}

/* Row k of A into e->row, and the places it reaches, from `top` to the end of e->path, so that each
 * stands before those it acts on.
 */
static size_t spread_row(elimination *e, size_t k)
{
    const crm_ldl_matrix *a = e->a;
    size_t column = e->ldl->order[k], top = a->size;
    e->seen[k] = (uint32_t)k;
    for (size_t m = a->start[column]; m < a->start[column + 1]; m++) {
        size_t i = e->place[a->row[m]], length = 0;
        if (i > k) {
            continue;
        }
        e->row[i] = a->value[m];
        for (; e->seen[i] != k; i = e->parent[i]) {
            e->path[length++] = (uint32_t)i;
            e->seen[i] = (uint32_t)k;
        }
        while (length > 0) {
            e->path[--top] = e->path[--length];
        }
    }
    return top;
}

static void eliminate_row(elimination *e, size_t k)
{
    crm_ldl *ldl = e->ldl;
    size_t top = spread_row(e, k);
    double pivot = e->row[k], *row = e->row;
    row[k] = 0;
    for (; top < ldl->size; top++) {
        size_t i = e->path[top], end = ldl->start[i] + e->filled[i]++;
        double y = row[i], l = y / ldl->pivot[i];
        row[i] = 0;
        for (size_t m = ldl->start[i]; m < end; m++) {
            row[ldl->row[m]] -= ldl->value[m] * y;
        }
        pivot -= l * y;
        ldl->row[end] = (uint32_t)k;
        ldl->value[end] = l;
    }
    ldl->pivot[k] = pivot;
}

static crm_status eliminate(elimination *e, crm_error *error)
{
    crm_ldl *ldl = e->ldl;
    size_t n = e->a->size;
    for (size_t k = 0; k < n; k++) {
        e->place[ldl->order[k]] = (uint32_t)k;
    }
    find_pattern(e);
    ldl->row = CRM_NEW(uint32_t, ldl->start[n]);
    ldl->value = CRM_NEW(double, ldl->start[n]);
    if (ldl->row == NULL || ldl->value == NULL) {
        return crm_fail_memory(error);
    }
    memset(e->seen, 0xff, n * sizeof *e->seen);
    for (; ldl->pivots < n; ldl->pivots++) {
        eliminate_row(e, ldl->pivots);
        if (!(fabs(ldl->pivot[ldl->pivots]) > 0)) {
            break;
        }
    }
    return CRM_OK;
}

crm_status crm_ldl_create(const crm_ldl_matrix *a, crm_ldl *ldl, crm_error *error)
{
    size_t n = a->size;
    *ldl = (crm_ldl){.size = n,
                     .order = CRM_NEW(uint32_t, n),
                     .start = CRM_NEW(size_t, n + 1),
                     .pivot = CRM_NEW(double, n)};
    elimination e = {.a = a,
                     .ldl = ldl,
                     .place = CRM_NEW(uint32_t, n),
                     .parent = CRM_NEW(uint32_t, n),
                     .seen = CRM_NEW(uint32_t, n),
                     .path = CRM_NEW(uint32_t, n),
                     .filled = CRM_NEW(size_t, n),
                     .row = CRM_NEW(double, n)};
    bool there = ldl->order != NULL && ldl->start != NULL && ldl->pivot != NULL &&
                 e.place != NULL && e.parent != NULL && e.seen != NULL && e.path != NULL &&
                 e.filled != NULL && e.row != NULL;
    crm_status status = there ? find_order(a, ldl->order, error) : crm_fail_memory(error);
    status = status == CRM_OK ? eliminate(&e, error) : status;
    free(e.place);
    free(e.parent);
    free(e.seen);
    free(e.path);
    free(e.filled);
    free(e.row);
    return status;
}

void crm_ldl_release(crm_ldl *ldl)
{
    free(ldl->order);
    free(ldl->start);
    free(ldl->row);
    free(ldl->value);
    free(ldl->pivot);
}

/* Four independent sums, which a processor adds in parallel. */
static double gathered_dot(size_t count, const double *value, const uint32_t *row, const double *x)
{
    double sum[4] = {0};
    size_t m = 0;
    for (; m + 4 <= count; m += 4) {
        for (size_t i = 0; i < 4; i++) {
            sum[i] += value[m + i] * x[row[m + i]];
        }
    }
    for (; m < count; m++) {
        sum[0] += value[m] * x[row[m]];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void crm_ldl_solve(const crm_ldl *ldl, double *x, double *work)
{
    for (size_t k = 0; k < ldl->size; k++) {
        work[k] = x[ldl->order[k]];
    }
    for (size_t k = 0; k < ldl->size; k++) {
        double y = work[k];
        for (size_t m = ldl->start[k]; m < ldl->start[k + 1]; m++) {
            work[ldl->row[m]] -= ldl->value[m] * y;
        }
    }
    for (size_t k = ldl->size; k-- > 0;) {
        size_t m = ldl->start[k];
        work[k] = work[k] / ldl->pivot[k] -
                  gathered_dot(ldl->start[k + 1] - m, ldl->value + m, ldl->row + m, work);
    }
    for (size_t k = 0; k < ldl->size; k++) {
        x[ldl->order[k]] = work[k];
    }
}
