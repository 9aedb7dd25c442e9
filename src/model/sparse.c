/* Checks of a sparse matrix of the caller's. */
#include "model/model.h"

static crm_status check_column(const crm_sparse_view *view, size_t j, size_t rows,
                               const char *place, crm_error *error)
{
    for (size_t k = view->column_start[j]; k < view->column_start[j + 1]; k++) {
        if (view->row[k] >= rows) {
            return crm_fail(error, CRM_ERROR_ARGUMENT, place,
                            "%s: row %zu in column %zu is past the %zu there are", place,
                            (size_t)view->row[k] + 1, j + 1, rows);
        }
    }
    return CRM_OK;
}

static crm_status check_starts(const crm_sparse_view *view, size_t columns, const char *place,
                               crm_error *error)
{
    for (size_t j = 0; j < columns; j++) {
        if (view->column_start[j + 1] < view->column_start[j]) {
            return crm_fail(error, CRM_ERROR_ARGUMENT, place,
                            "%s: column %zu ends before it begins: column_start must not fall",
                            place, j + 1);
        }
    }
    return CRM_OK;
}

crm_status crm_sparse_check(const crm_sparse_view *view, size_t rows, size_t columns,
                            const char *place, crm_error *error)
{
    if (crm_fail_if_null(view, place, error)) {
        return CRM_ERROR_ARGUMENT;
    }
    if (rows >= UINT32_MAX || columns >= UINT32_MAX) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, place, "%zu by %zu: more than 2^32 - 2", rows,
                        columns);
    }
    if (view->column_start == NULL) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, place, "column_start is NULL");
    }
    crm_status status = check_starts(view, columns, place, error);
    if (status != CRM_OK || view->column_start[columns] == view->column_start[0]) {
        return status;
    }
    if (view->row == NULL || view->value == NULL) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, place, "row or value is NULL");
    }
    for (size_t j = 0; j < columns && status == CRM_OK; j++) {
        status = check_column(view, j, rows, place, error);
    }
    return status;
}
