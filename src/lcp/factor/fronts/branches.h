/* The elimination tree, divided into what can be done side by side: branches, which are subtrees,
 * and the fronts above them. How it is divided depends on the tree alone.
 */
#ifndef CRM_LCP_BRANCHES_H
#define CRM_LCP_BRANCHES_H

#include "lcp/factor/fronts/tree.h"

/* Fronts first .. end - 1; the last is its root. */
typedef struct crm_lcp_branch {
    uint32_t first, end;
    double work; /* products, about */
    size_t rows; /* where the rows of its root begin, when those of all roots are put together */
} crm_lcp_branch;

typedef struct crm_lcp_branches {
    size_t count;           /* 0: the tree is too small to gain from it */
    crm_lcp_branch *branch; /* most work first */
    size_t rows;            /* of all roots */
    size_t above_count;
    uint32_t *above; /* the fronts that are in no branch; children before parents */
    uint32_t *of;    /* front -> branch, or CRM_LCP_NO_BRANCH */
} crm_lcp_branches;

enum { CRM_LCP_NO_BRANCH = UINT32_MAX };

/* On failure nothing is left to free. */
crm_status crm_lcp_branches_create(const crm_lcp_tree *tree, crm_lcp_branches *branches,
                                   crm_error *error);
void crm_lcp_branches_free(crm_lcp_branches *branches);

/* Multiplications of eliminating a front, about. */
double crm_lcp_front_work(const crm_lcp_front *front);

#endif
