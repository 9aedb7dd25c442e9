/* The order of elimination: along the line where contacts form lines, minimum degree or nested
 * dissection otherwise.
 *
 * Every active submatrix is eliminated in this one order: restricting an order to a subset of the
 * contacts never adds fill.
 */
#include "lcp/order/order.h"

#include <amd.h>
#include <stdlib.h>

#include "lcp/interrupted.h"
#include "lcp/order/dissect.h"
#include "lcp/order/postorder.h"

/* Minimum degree is one call of AMD, which cannot be interrupted: more contacts than these are
 * dissected at once (20 ms on the machine of docs/reliability/limits.md).
 */
static const size_t MANY = 60000;

/* Nested dissection, which takes longer to find, is tried beside minimum degree when one
 * elimination takes more than MUCH_WORK operations, or MUCH_EACH for each entry of the factor, as
 * in space it soon does.
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

/* Minimum degree, followed by a postorder. *much: it is worth looking for another. */
static crm_status order_by_degree(const crm_lcp_pattern *pattern, crm_watching *watching,
                                  uint32_t *order, double *work, bool *much, crm_error *error)
{
    size_t size = pattern->size;
    double entries = 0;
    int *start = CRM_NEW(int, size + 1), *row = CRM_NEW(int, pattern->start[size]),
        *found = CRM_NEW(int, size);
    bool there = start != NULL && row != NULL && found != NULL;
    for (size_t j = 0; there && j <= size; j++) {
        start[j] = (int)pattern->start[j];
    }
    for (size_t m = 0; there && m < pattern->start[size]; m++) {
        row[m] = (int)pattern->column[m];
    }
    there = there && amd_order((int)size, start, row, found, NULL, NULL) >= AMD_OK;
    for (size_t k = 0; there && k < size; k++) {
        order[k] = (uint32_t)found[k];
    }
    free(start);
    free(row);
    free(found);
    crm_status status =
        there ? crm_lcp_postorder(pattern, watching, CRM_LCP_SMALLEST_FIRST, order, error)
              : crm_fail_memory(error);
    if (status == CRM_OK) {
        status = crm_lcp_order_work(pattern, watching, order, work, &entries, error);
    }
    *much = *work > MUCH_WORK || *work > MUCH_EACH * entries;
    return status;
}

static crm_status order_by_parts(const crm_lcp_pattern *pattern, crm_watching *watching,
                                 uint32_t *order, crm_error *error)
{
    crm_status status = crm_lcp_dissect(pattern, watching, order, error);
    return status == CRM_OK ? crm_lcp_postorder(pattern, watching, CRM_LCP_AS_BEFORE, order, error)
                            : status;
}

/* By minimum degree or by nested dissection, whichever takes fewer operations. */
static crm_status order_few(const crm_lcp_pattern *pattern, crm_watching *watching, uint32_t *order,
                            crm_error *error)
{
    double work = 0, other_work = 0, entries;
    bool much;
    crm_status status = order_by_degree(pattern, watching, order, &work, &much, error);
    if (status != CRM_OK || !much) {
        return status;
    }
    uint32_t *other = CRM_NEW(uint32_t, pattern->size);
    status =
        other != NULL ? order_by_parts(pattern, watching, other, error) : crm_fail_memory(error);
    if (status == CRM_OK) {
        status = crm_lcp_order_work(pattern, watching, other, &other_work, &entries, error);
    }
    for (size_t k = 0; status == CRM_OK && other_work < work && k < pattern->size; k++) {
        order[k] = other[k];
    }
    free(other);
    return status;
}

static crm_status order_sparse(const crm_lcp_pattern *pattern, crm_watching *watching,
                               size_t *order, crm_error *error)
{
    size_t size = pattern->size;
    if (pattern->start[size] > INT32_MAX) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "D", "%zu entries are more than %d",
                        pattern->start[size], INT32_MAX);
    }
    uint32_t *found = CRM_NEW(uint32_t, size);
    crm_status status = found != NULL ? CRM_OK : crm_fail_memory(error);
    if (status == CRM_OK) {
        status = size > MANY ? order_by_parts(pattern, watching, found, error)
                             : order_few(pattern, watching, found, error);
    }
    for (size_t k = 0; status == CRM_OK && k < size; k++) {
        order[k] = found[k];
    }
    free(found);
    return status;
}

crm_status crm_lcp_order(const crm_lcp_pattern *pattern, crm_watching *watching, size_t *order,
                         crm_lcp_structure *structure, crm_error *error)
{
    bool *seen = CRM_NEW(bool, pattern->size);
    if (seen == NULL) {
        return crm_fail_memory(error);
    }
    bool lines = order_lines(pattern->size, pattern->start, pattern->column, seen, order);
    free(seen);
    if (crm_watch_interrupts(watching, pattern->size)) {
        return CRM_LCP_INTERRUPTED;
    }
    if (lines) {
        *structure = CRM_LCP_TRIDIAGONAL;
        return CRM_OK;
    }
    *structure = CRM_LCP_SPARSE;
    return order_sparse(pattern, watching, order, error);
}
