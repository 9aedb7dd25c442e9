#include "lcp/factor/fronts/branches.h"

#include <stdlib.h>

/* Trees with less work are not divided: they are done in some ten milliseconds. */
static const double WORTH_IT = 1e8;
/* A branch has at most this part of all work, so that threads end at nearly the same time. */
static const double LARGEST = 1.0 / 32;

double crm_lcp_front_work(const crm_lcp_front *front)
{
    double columns = front->columns, all = columns + front->rows;
    return columns * all * all;
}

/* A front with all below it. */
typedef struct subtree {
    double work;
    uint32_t fronts;
} subtree;

/* Returns the work of the whole tree. */
static double add_up(const crm_lcp_tree *tree, subtree *below)
{
    double all = 0;
    for (size_t f = 0; f < tree->count; f++) {
        below[f] = (subtree){0};
    }
    for (size_t f = 0; f < tree->count; f++) { /* children come before parents */
        uint32_t parent = tree->front[f].parent;
        double own = crm_lcp_front_work(&tree->front[f]);
        below[f].work += own;
        below[f].fronts++;
        all += own;
        if (parent != CRM_LCP_NO_FRONT) {
            below[parent].work += below[f].work;
            below[parent].fronts += below[f].fronts;
        }
    }
    return all;
}

/* The root of a branch: small enough, and its parent is not. */
static bool is_root(const crm_lcp_tree *tree, const subtree *below, size_t f, double most)
{
    uint32_t parent = tree->front[f].parent;
    return below[f].work <= most && (parent == CRM_LCP_NO_FRONT || below[parent].work > most);
}

static int by_work(const void *a, const void *b)
{
    const crm_lcp_branch *x = a, *y = b;
    if (x->work != y->work) {
        return x->work > y->work ? -1 : 1;
    }
    return (x->first > y->first) - (x->first < y->first);
}

static void find_branches(const crm_lcp_tree *tree, const subtree *below, double most,
                          crm_lcp_branches *b)
{
    for (size_t f = 0; f < tree->count; f++) {
        if (is_root(tree, below, f, most)) {
            b->branch[b->count++] = (crm_lcp_branch){.first = (uint32_t)f + 1 - below[f].fronts,
                                                     .end = (uint32_t)f + 1,
                                                     .work = below[f].work};
        }
    }
    qsort(b->branch, b->count, sizeof *b->branch, by_work);
}

static void share_out(const crm_lcp_tree *tree, crm_lcp_branches *b)
{
    for (size_t f = 0; f < tree->count; f++) {
        b->of[f] = CRM_LCP_NO_BRANCH;
    }
    for (size_t i = 0; i < b->count; i++) {
        b->branch[i].rows = b->rows;
        b->rows += tree->front[b->branch[i].end - 1].rows;
        for (size_t f = b->branch[i].first; f < b->branch[i].end; f++) {
            b->of[f] = (uint32_t)i;
        }
    }
    for (size_t f = 0; f < tree->count; f++) {
        if (b->of[f] == CRM_LCP_NO_BRANCH) {
            b->above[b->above_count++] = (uint32_t)f;
        }
    }
}

crm_status crm_lcp_branches_create(const crm_lcp_tree *tree, crm_lcp_branches *branches,
                                   crm_error *error)
{
    subtree *below = CRM_NEW(subtree, tree->count);
    *branches = (crm_lcp_branches){.branch = CRM_NEW(crm_lcp_branch, tree->count),
                                   .above = CRM_NEW(uint32_t, tree->count),
                                   .of = CRM_NEW(uint32_t, tree->count)};
    if (below == NULL || branches->branch == NULL || branches->above == NULL ||
        branches->of == NULL) {
        free(below);
        crm_lcp_branches_free(branches);
        return crm_fail_memory(error);
    }
    double all = add_up(tree, below);
    if (all >= WORTH_IT) {
        find_branches(tree, below, LARGEST * all, branches);
    }
    share_out(tree, branches);
    free(below);
    return CRM_OK;
}

void crm_lcp_branches_free(crm_lcp_branches *branches)
{
    free(branches->branch);
    free(branches->above);
    free(branches->of);
    *branches = (crm_lcp_branches){0};
}
