/* Which contacts are eliminated together, and what that fills: found once for a matrix. */
#ifndef CRM_LCP_TREE_H
#define CRM_LCP_TREE_H

#include "lcp/matrix.h"

enum { CRM_LCP_NO_FRONT = UINT32_MAX };

/* Contacts first .. first + columns - 1, eliminated as one full block. They touch `rows` later
 * contacts: tree.row[row_start ..], ascending.
 */
typedef struct crm_lcp_front {
    uint32_t first;
    uint32_t columns;
    uint32_t rows;
    uint32_t parent; /* the front of the first of its rows; CRM_LCP_NO_FRONT for a root */
    uint32_t child;  /* its first child and its next sibling, or CRM_LCP_NO_FRONT */
    uint32_t sibling;
    size_t row_start;
} crm_lcp_front;

typedef struct crm_lcp_tree {
    size_t count;
    crm_lcp_front *front; /* children before parents; a subtree is a range that ends at its root */
    uint32_t *row;
} crm_lcp_tree;

/* The matrix must be in a postorder of its elimination tree. On failure nothing is left to free. */
crm_status crm_lcp_tree_create(const crm_lcp_matrix *matrix, crm_lcp_tree *tree, crm_error *error);
void crm_lcp_tree_free(crm_lcp_tree *tree);

#endif
