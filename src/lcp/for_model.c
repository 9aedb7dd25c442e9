/* The complementarity problem of a model's Delassus matrix. */
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/base.h"
#include "carom/lcp.h"
#include "lcp/solver.h"

typedef struct delassus_rows {
    size_t *start;
    uint32_t *column;
    double *value;
} delassus_rows;

static crm_status gather(const crm_model *model, size_t size, crm_watching *watching,
                         delassus_rows *rows, crm_error *error)
{
    size_t count;
    const uint32_t *column;
    const double *value;
    rows->start = CRM_NEW(size_t, size + 1);
    if (rows->start == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < size; j++) {
        crm_model_delassus_row(model, j, &count, &column, &value);
        rows->start[j + 1] = rows->start[j] + count;
    }
    rows->column = CRM_NEW(uint32_t, rows->start[size]);
    rows->value = CRM_NEW(double, rows->start[size]);
    if (rows->column == NULL || rows->value == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < size; j++) {
        crm_model_delassus_row(model, j, &count, &column, &value);
        if (count > 0) {
            memcpy(rows->column + rows->start[j], column, count * sizeof *column);
            memcpy(rows->value + rows->start[j], value, count * sizeof *value);
        }
        if (crm_watch_interrupts(watching, 1)) {
            return CRM_LCP_INTERRUPTED;
        }
    }
    return CRM_OK;
}

crm_status crm_lcp_create_for_model(const crm_model *model, crm_lcp **lcp, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    return crm_lcp_create_for_model_within(model, (crm_lcp_limits){0}, lcp, error);
}

crm_status crm_lcp_create_for_model_within(const crm_model *model, crm_lcp_limits limits,
                                           crm_lcp **lcp, crm_error *error)
{
    if (crm_fail_if_null(lcp, "lcp", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *lcp = NULL;
    if (crm_fail_if_null(model, "model", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    if (!crm_model_has_delassus(model)) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "model",
                        "the Delassus matrix of this model is too full to be stored");
    }
    size_t size = crm_model_contacts(model);
    delassus_rows rows = {0};
    crm_status status = gather(model, size, limits.watching, &rows, error);
    if (status == CRM_OK) {
        crm_sparse_view view = {rows.start, rows.column, rows.value};
        status = crm_lcp_create_within(size, &view, limits, lcp, error);
    }
    free(rows.start);
    free(rows.column);
    free(rows.value);
    return status;
}
