/* The order of elimination: along the line where contacts form lines, minimum degree otherwise.
 *
 * Every active submatrix is eliminated in this one order: restricting an order to a subset of the
 * contacts never adds fill.
 */
#include <cholmod.h>
#include <stdlib.h>

#include "lcp/matrix.h"

/* Nested dissection, which takes longer to find, is tried beside minimum degree when one
 * elimination takes so many operations, or so many for each entry of the factor, as in space it
 * soon does.
 */
static const double MUCH_WORK = 2e9;
static const double MUCH_EACH = 250.0;

/* Follow a line from one of its ends; false when a contact has more than two neighbours. */
static bool walk(const size_t *start, const uint32_t *column, size_t end, bool *seen, size_t *order,
                 size_t *count)
{
    size_t here = end;
    for (bool more = true; more;) {
        seen[here] = true;
        order[(*count)++] = here;
        more = false;
        for (size_t m = start[here]; m < start[here + 1]; m++) {
            if (!seen[column[m]]) {
                if (more) {
                    return false;
                }
                end = column[m];
                more = true;
            }
        }
        here = end;
    }
    return true;
}

static size_t neighbours(const size_t *start, const uint32_t *column, size_t i)
{
    size_t count = 0;
    for (size_t m = start[i]; m < start[i + 1]; m++) {
        count += column[m] != i;
    }
    return count;
}

/* Contacts that form lines, whatever their numbering: each line from end to end. A closed ring
 * has no end and is left over.
 */
static bool order_lines(size_t size, const size_t *start, const uint32_t *column, bool *seen,
                        size_t *order)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++) {
        size_t degree = neighbours(start, column, i);
        if (degree > 2) {
            return false;
        }
        if (!seen[i] && degree < 2 && !walk(start, column, i, seen, order, &count)) {
            return false;
        }
    }
    return count == size;
}

/* The pattern's upper triangle as CHOLMOD wants it. */
static cholmod_sparse *upper_pattern(size_t size, const size_t *start, const uint32_t *column,
                                     cholmod_common *common)
{
    cholmod_sparse *pattern = cholmod_allocate_sparse(size, size, (start[size] + size) / 2 + 1, 0,
                                                      1, 1, CHOLMOD_PATTERN, common);
    if (pattern == NULL) {
        return NULL;
    }
    int *p = pattern->p;
    int *row = pattern->i;
    int entry = 0;
    for (size_t j = 0; j < size; j++) {
        p[j] = entry;
        for (size_t m = start[j]; m < start[j + 1]; m++) {
            if (column[m] <= j) {
                row[entry++] = (int)column[m];
            }
        }
    }
    p[size] = entry;
    return pattern;
}

/* One of CHOLMOD's orderings, followed by a postorder; NULL when it cannot be had. */
static cholmod_factor *analyse(cholmod_sparse *pattern, int ordering, cholmod_common *common)
{
    common->nmethods = 1;
    common->method[0].ordering = ordering;
    common->postorder = 1;
    common->supernodal = CHOLMOD_SIMPLICIAL;
    return cholmod_analyze(pattern, common);
}

static crm_status order_sparse(size_t size, const size_t *start, const uint32_t *column,
                               size_t *order, crm_error *error)
{
    if (start[size] > INT32_MAX) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "D", "%zu entries are more than %d", start[size],
                        INT32_MAX);
    }
    cholmod_common common;
    cholmod_start(&common);
    common.print = 0;
    cholmod_sparse *pattern = upper_pattern(size, start, column, &common);
    cholmod_factor *best = pattern != NULL ? analyse(pattern, CHOLMOD_AMD, &common) : NULL;
    bool without_memory = best == NULL;
    if (best != NULL && (common.fl > MUCH_WORK || common.fl > MUCH_EACH * common.lnz)) {
        double work = common.fl;
        cholmod_factor *other = analyse(pattern, CHOLMOD_METIS, &common);
        without_memory = common.status == CHOLMOD_OUT_OF_MEMORY;
        bool better = other != NULL && common.fl < work;
        cholmod_free_factor(better ? &best : &other, &common);
        best = better ? other : best;
    }
    const int *permutation = best != NULL ? best->Perm : NULL;
    for (size_t k = 0; permutation != NULL && k < size; k++) {
        order[k] = (size_t)permutation[k];
    }
    cholmod_free_factor(&best, &common);
    cholmod_free_sparse(&pattern, &common);
    cholmod_finish(&common);
    return without_memory ? crm_fail_memory(error) : CRM_OK;
}

crm_status crm_lcp_order(size_t size, const size_t *start, const uint32_t *column, size_t *order,
                         crm_lcp_structure *structure, crm_error *error)
{
    bool *seen = CRM_NEW(bool, size);
    if (seen == NULL) {
        return crm_fail_memory(error);
    }
    bool lines = order_lines(size, start, column, seen, order);
    free(seen);
    if (lines) {
        *structure = CRM_LCP_PATH;
        return CRM_OK;
    }
    *structure = CRM_LCP_SPARSE;
    return order_sparse(size, start, column, order, error);
}
