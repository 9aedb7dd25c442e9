/* The same problem by crm_lcp: D = C'C, q = -b. */
#include <stdlib.h>

#include "carom/lcp.h"
#include "motion/stepping/primal/internal.h"

/* The contacts of each block. */
typedef struct block_contacts {
    size_t *start;
    uint32_t *contact;
} block_contacts;

static bool find_block_contacts(const crm_primal_problem *problem, block_contacts *at)
{
    size_t blocks = problem->shape.blocks;
    at->start = CRM_NEW(size_t, blocks + 2);
    at->contact = CRM_NEW(uint32_t, 2 * problem->contacts);
    if (at->start == NULL || at->contact == NULL) {
        return false;
    }
    size_t *next = at->start + 1;
    for (size_t j = 0; j < 2 * problem->contacts; j++) {
        uint32_t block = problem->contact[j / 2].block[j % 2];
        if (block != CRM_PRIMAL_NOBODY) {
            next[block + 1]++;
        }
    }
    for (size_t b = 0; b < blocks; b++) {
        next[b + 1] += next[b];
    }
    for (size_t j = 0; j < 2 * problem->contacts; j++) {
        uint32_t block = problem->contact[j / 2].block[j % 2];
        if (block != CRM_PRIMAL_NOBODY) {
            at->contact[next[block]++] = (uint32_t)(j / 2);
        }
    }
    return true;
}

/* Entries of a contact's column in a block. */
static const double *part(const crm_primal_problem *problem, size_t j, uint32_t block)
{
    const crm_primal_contact *c = &problem->contact[j];
    const uint32_t *first = problem->shape.first;
    return problem->value + c->start +
           (c->block[0] == block ? 0 : first[c->block[0] + 1] - first[c->block[0]]);
}

/* Row j of D: sums to `sum`, the columns seen to `column`. */
static size_t fill_row(const crm_primal_problem *problem, const block_contacts *at, size_t j,
                       double *sum, uint32_t *mark, uint32_t *column)
{
    size_t count = 0;
    for (unsigned side = 0; side < 2; side++) {
        uint32_t block = problem->contact[j].block[side];
        size_t end = block != CRM_PRIMAL_NOBODY ? at->start[block + 1] : 0;
        for (size_t m = end > 0 ? at->start[block] : 0; m < end; m++) {
            uint32_t k = at->contact[m];
            const double *a = part(problem, j, block), *b = part(problem, k, block);
            if (mark[k] != j + 1) {
                mark[k] = (uint32_t)j + 1;
                sum[k] = 0;
                column[count++] = k;
            }
            for (uint32_t i = 0; i < problem->shape.first[block + 1] - problem->shape.first[block];
                 i++) {
                sum[k] += a[i] * b[i];
            }
        }
    }
    return count;
}

static size_t most_entries(const crm_primal_problem *problem, const block_contacts *at)
{
    size_t entries = 0;
    for (size_t b = 0; b < problem->shape.blocks; b++) {
        size_t here = at->start[b + 1] - at->start[b];
        entries += here * here;
    }
    return entries;
}

static crm_status solve_by_lcp(const crm_primal_problem *problem, const crm_sparse_view *d,
                               const double *q, double *p, bool *infeasible, crm_error *error)
{
    crm_lcp *lcp;
    crm_lcp_info info = {0};
    crm_lcp_options options = crm_lcp_options_default();
    options.least_norm = false;
    crm_status status = crm_lcp_create(problem->contacts, d, &lcp, error);
    if (status == CRM_OK) {
        status = crm_lcp_solve(lcp, q, &options, p, NULL, &info, error);
        crm_lcp_free(lcp);
    }
    *infeasible = info.result == CRM_LCP_INFEASIBLE;
    return status;
}

crm_status crm_primal_solve_dual(const crm_primal_problem *problem, const double *b, double *p,
                                 bool *infeasible, crm_error *error)
{
    size_t contacts = problem->contacts;
    block_contacts at = {0};
    bool made = find_block_contacts(problem, &at);
    size_t entries = made ? most_entries(problem, &at) : 0;
    size_t *start = CRM_NEW(size_t, contacts + 1);
    uint32_t *column = CRM_NEW(uint32_t, entries), *mark = CRM_NEW(uint32_t, contacts);
    double *value = CRM_NEW(double, entries), *sum = CRM_NEW(double, contacts);
    double *q = CRM_NEW(double, contacts);
    crm_status status = CRM_OK;
    if (!made || start == NULL || column == NULL || mark == NULL || value == NULL || sum == NULL ||
        q == NULL) {
        status = crm_fail_memory(error);
    }
    for (size_t j = 0; j < contacts && status == CRM_OK; j++) {
        size_t count = fill_row(problem, &at, j, sum, mark, column + start[j]);
        start[j + 1] = start[j] + count;
        for (size_t m = start[j]; m < start[j + 1]; m++) {
            value[m] = sum[column[m]];
        }
        q[j] = -b[j];
    }
    if (status == CRM_OK) {
        const crm_sparse_view d = {start, column, value};
        status = solve_by_lcp(problem, &d, q, p, infeasible, error);
    }
    free(at.start);
    free(at.contact);
    free(start);
    free(column);
    free(mark);
    free(value);
    free(sum);
    free(q);
    return status;
}
